"""Table 1 of Domingo-Ferrer and Torra (2004), linked by distance, and what a larger file shows."""

import confide as cf

# [table]
rows_a = {
    "name": ["Joan", "Pere", "J.M.", "Juan", "Ricardo", "Pere", "Juan", "Ricard"],
    "surname": ["Casanovas", "Joan", "Casanovas", "Garcia", "Garcia", "Garcia", "Garcia", "Tanaka"],
    "age": [19, 17, 35, 53, 14, 18, 18, 14],
}
rows_b = rows_a | {
    "name": ["Joan", "Pere", "J.Manel", "Juan", "Ricard", "Pere", "Juan", "Ricard"],
    "age": [19, 17, 35, 53, 14, 82, 18, 18],
}
a, b = cf.Microdata.from_dict(rows_a, "A"), cf.Microdata.from_dict(rows_b, "B")
released = cf.Released.from_files(a, b, same_order=True)
by = [cf.NominalDistance("name"), cf.NominalDistance("surname"), cf.NumericDistance("age")]
found = cf.distance_linkage(released, by)
print("Table 1: every record of B and its nearest in A\n")
for i in range(found.n):
    who = " ".join(str(rows_b[v][i]) for v in rows_b)
    near = " or ".join(" ".join(str(rows_a[v][j]) for v in rows_a) for j in found.nearest(i))
    print(f"{who:22} {near:40} {found.distance[i] ** 2:7.4f}  {found.correct[i]:g}")
print(f"\n{found}")
# [one]
single = cf.distance_linkage(released, by, replacement=False)
print("\n\nOne to one\n")
print(single)
print("linked to rows", single.assigned.tolist())
# [vectors]
vectors = cf.coincidence_vectors(released, ["name", "surname", "age"])
print("\n\nCoincidence vectors: name, surname, age\n")
print("vector  all pairs  matched")
for bits, count in vectors.all_pairs.items():
    print(f"{bits:6}  {count:9}  {vectors.matched.get(bits, 0):7}")
# [ordinal]
levels = ["low", "mid", "high", "top"]
print("\n\nOrdinal distances: corrected and printed\n")
for pair in (("mid", "mid"), ("low", "top")):
    printed = cf.PrintedOrdinalDistance("size", levels).between(*pair)
    print(f"{pair[0]:4} {pair[1]:4} {cf.OrdinalDistance('size', levels).between(*pair):5.2f} {printed:5.2f}")
# [known]
people = cf.examples.cps().take(range(2_000))
noise = [cf.Noise(v, sd=0.2, relative_to="all") for v in ("age", "income", "property_tax")]
masked = cf.Release(*noise, cf.Swap("marital", rate=0.1), name="noisy").apply(people, seed=4)
keys = ["sex", "race", "marital", "age", "income", "property_tax"]
print("\n\n2,000 records with noise and swaps: the share linked, by the number of variables known\n")
print(cf.risk_by_number_known(masked, keys))
# [read]
links = cf.distance_linkage(masked, keys)
print("\n\nThe same links, read by other measures\n")
print(links)
print(cf.perceived_risks(links.links()))
print(cf.true_identification(links.links(), masked.parent, act_at=0.0))
# [intervals]
print("\n\nInterval disclosure\n")
for around in (cf.RankWidth(10), cf.RankHalfWidth(10), cf.SdWidth(0.1)):
    print(cf.interval_disclosure(masked, ["age", "income", "property_tax"], around))
# [end]
