"""Link a register with a released file by how records agree, and see what it says about risk."""

import random

import confide as cf

# [files]
random.seed(7)
first = ["anna", "maria", "lena", "paul", "emil", "jonas", "clara", "ida", "oskar", "felix", "greta", "martha"]
last = ["mueller", "schmidt", "weber", "fischer", "wagner", "becker", "hoffmann", "koch", "richter", "wolf", "neumann"]
people = [
    {
        "first": random.choice(first),
        "last": random.choice(last),
        "born": f"{random.randint(1940, 2005)}{random.randint(1, 12):02}{random.randint(1, 28):02}",
        "town": random.choice(["a", "b", "c", "d", "e"]),
        "income": round(random.lognormvariate(10, 0.6)),
    }
    for _ in range(600)
]


def misspelt(text):
    """Swap two neighbouring letters."""
    k = random.randrange(len(text) - 1)
    return text[:k] + text[k + 1] + text[k] + text[k + 2 :]


parent = random.sample(range(600), 400)
copies = []
for k in parent:
    person = dict(people[k])
    person["income"] = round(person["income"] + random.gauss(0, 1500))
    for name in ("first", "last"):
        if random.random() < 0.1:
            person[name] = misspelt(person[name])
    if random.random() < 0.05:
        person["born"] = None
    copies.append(person)
register, file = (
    cf.Microdata.from_dict({v: [p[v] for p in rows] for v in people[0]}).declare(kinds={"income": "continuous"})
    for rows in (people, copies)
)
released = cf.Released.from_files(register, file, parent=parent)
# [link]
found = cf.probabilistic_linkage(
    released,
    [
        cf.TextAgreement("first"),
        cf.TextAgreement("last"),
        cf.DateAgreement("born"),
        cf.NumberAgreement("income", within=(500, 2000, 5000, 15000)),
    ],
    block=["town"],
    false_match=0.01,
    false_non_match=0.05,
)
print("Links\n")
print(found)
print(f"links from probability {found.limits.upper:.3f} on, none below {found.limits.lower:.3f}")
print("\n\nWhat agreement weighs\n")
for weights in found.parameters:
    print(weights, "\n")
# [risk]
print("\nRisks\n")
print(cf.perceived_risks(found.table))
print(f"best link right: {found.value:.4f} of the released records; linked within the bounds: {found.share_linked:.4f}")
print(f"null link: {found.table.null.mean():.4f} on average; in truth {200 / 600:.4f} of the register is not released")
# [fewer]
print("\n\nNames alone\n")
weak = cf.probabilistic_linkage(
    released, [cf.TextAgreement("first"), cf.TextAgreement("last"), "income"], block=["town"], false_match=0.05
)
print(weak)
# [refused]
print("\n\nWhat is refused\n")
for compare, block in ((["first", "last"], ["town"]), (["first", "last", "town"], ["town"])):
    try:
        cf.probabilistic_linkage(released, compare, block=block)
    except cf.ModelError as error:
        print(error, "\n")
# [duplicates]
both = cf.Microdata.from_dict({v: [p[v] for p in (*people, *copies[:100])] for v in ("first", "last", "born", "town")})
who = [*range(600), *parent[:100]]
twice = cf.find_duplicates(
    both,
    [cf.TextAgreement("first"), cf.TextAgreement("last"), cf.DateAgreement("born"), "town"],
    block=[["last", "town"], ["born"]],
    truth=who,
)
print("\nDuplicates in one file\n")
print(twice)
