"""Tables of turnover: totals, who can be estimated, and why dominance is the wrong question."""

import confide as cf

# [file]
firms = cf.Microdata.from_dict({
    "trade": ["bread", "bread", "bread", "cakes", "cakes", "cakes", "shoes", "shoes", "shoes", "hats", "hats", "hats"],
    "town": ["Aa", "Aa", "Aa", "Aa", "Bo", "Bo", "Aa", "Aa", "Aa", "Bo", "Bo", "Bo"],
    "turnover": [59, 40, 1, 30, 22, 25, 61, 20, 19, 12, 11, 10],
    "owner": ["Abe", "Bea", "Cyd", "Abe", "Dov", "Eve", "Fay", "Gus", "Hal", "Ida", "Ida", "Jo"],
})  # fmt: skip
trades = cf.Hierarchy.of({"Food": ["bread", "cakes"], "Clothing": ["shoes", "hats"]})
table = cf.tabulate(firms, ["trade", "town"], "turnover", hierarchies={"trade": trades})
print(table)
print(table.additivity())
# [rules]
print("\n\nWhich cells tell too much?\n")
rules = {
    "fewer than 3": cf.MinimumFrequency(3),
    "1 has 60 %": cf.DominanceRule(1, 0.6),
    "within 10 %": cf.PPercentRule(10),
    "2 within 10 %": cf.PPercentRule(10, coalition=2),
    "10 % of 30 %": cf.PQRule(10, 30),
}
shown = table.frame({name: rule.sensitive(table) for name, rule in rules.items()})
print(f"{'trade':10}{'town':7}{'turnover':>8}{'firms':>6}", *(f"{name:>14}" for name in rules))
for row in shown.iter_rows(named=True):
    flags = [f"{'x' if row[name] else '.':>14}" for name in rules]
    print(f"{row['trade']:10}{row['town']:7}{row['turnover']:8g}{row['respondents']:6g}", *flags)
# [protection]
print("\n\nHow uncertain must they be?\n")
rule = cf.MinimumFrequency(3, share=0.1) | cf.PPercentRule(10)
asked = rule.protection(table)
for cell in [c for c in range(table.n) if rule.sensitive(table)[c]]:
    low, high = asked.lower[cell], asked.upper[cell]
    print(f"{table.cell_name(cell):14}{table.values[cell]:5g}  at least {low:.2f} below and {high:.2f} above")
# [holdings]
print("\n\nFirms of one owner\n")
owned = cf.tabulate(firms, ["trade", "town"], "turnover", hierarchies={"trade": trades}, holding="owner")
for codes in (("hats", "Bo"), ("Food", "Aa")):
    cell = table.cell(*codes)
    print(f"{table.cell_name(cell):12}", end="")
    for name, t in (("firms", table), ("owners", owned)):
        largest = " ".join(f"{x:g}" for x in t.largest[cell] if x)
        flag = "sensitive" if cf.PPercentRule(10).sensitive(t)[cell] else "safe"
        print(f"  {name}: {largest:14}{flag:10}", end="")
    print()
# [dominance]
print("\n\nCells that dominance has the wrong way round\n")
print(cf.rule_contradictions(table, cf.DominanceRule(1, 0.6)))
# [constructions]
print("\n\nSuch cells exist for every n and k\n")
print(" n     k   safe cell: to within   sensitive cell: to within")
for n, k in ((1, 0.6), (2, 0.6), (2, 0.8), (3, 0.75)):
    made = cf.dominance_constructions(n, 8, k=k)
    print(f"{n:2}{k:6g}{100 * made.closeness(made.safe):19.1f} %{100 * made.closeness(made.sensitive):26.1f} %")
# [linked]
print("\n\nTwo tables that share cells\n")
by_trade = cf.tabulate(firms, "trade", "turnover", hierarchies={"trade": trades})
by_town = cf.tabulate(firms, ["town"], "turnover")
linked = cf.link_tables(by_trade, by_town)
print(f"{by_trade.n} and {by_town.n} cells, {linked.n} together, {linked.equations().shape[0]} equations")
