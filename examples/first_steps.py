"""From a file to an answer in seven steps."""

import random
import tempfile
from pathlib import Path

import confide as cf

# [write]
draw = random.Random(2005)
lines = ["name,sex,age,region,income,weight"]
for number in range(400):
    sex = draw.choice("fm")
    age = min(90, max(18, round(draw.gauss(45, 15))))
    region = draw.choices(["north", "south", "islands"], [6, 4, 1])[0]
    income = round(draw.lognormvariate(10, 0.6), -2)
    weight = draw.choice([80, 100, 120])
    lines.append(f"respondent {number},{sex},{age},{region},{income:.0f},{weight}")
folder = Path(tempfile.mkdtemp())
(folder / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
# [read]
people = cf.read(folder / "people.csv")
print("1. What was read; a star marks a guess\n")
print(people)
# [declare]
people = people.declare(
    identifier="name",
    key=["sex", "age", "region"],
    sensitive="income",
    weight="weight",
    kinds={"income": "continuous"},
)
print("\n\n2. What was declared\n")
print(people)
# [mask]
tens, swaps = cf.Recode("age", width=10), cf.Swap("region", rate=0.2)
plain = cf.Release(name="as it is").apply(people, seed=7)
recode = cf.Release(tens, name="age in tens").apply(people, seed=7)
swap = cf.Release(tens, swaps, name="tens and swap").apply(people, seed=7)
print("\n\n3. What the masked file says of each variable\n")
part = swap.partition(["sex", "age", "region"])
print("known, not perturbed:", ", ".join(part.deterministic))
print("known, perturbed:    ", ", ".join(part.perturbed))
print("not known:           ", ", ".join(part.unavailable))
# [assess]
neighbour = cf.Intruder(knows=["sex", "age", "region"], name="neighbour")
stranger = neighbour.but(target_in_file=False, name="stranger")
answer = cf.assess([plain, recode, swap], [neighbour, stranger])
print("\n\n4. Each release against each intruder\n")
print(answer)
# [target]
row = cf.link(swap, neighbour, cf.Targets.of_rows([3])).row(0)
print("\n\n5. The most probable records for one target (row 3 of the source file)\n")
for record, probability in row.candidates(5):
    print(f"record {record:3}  {probability:.4f}" + ("  <- the target's own" if record == row.own else ""))
print(f"null link   {row.null:.4f}")
print(f"{row.others_at_least} others are at least as probable; {row.sample_matches} records fit sex and age")
# [unsure]
row = cf.link(swap, stranger, cf.Targets.of_rows([3])).row(0)
print("\n\n6. The same target, sought by someone who is unsure that it is in the file\n")
print(f"own record  {row.p[row.own]:.6f}")
print(f"null link   {row.null:.6f}")
print(f"{row.sample_matches} records fit sex and age; they stand for {row.population_matches:,.0f} people")
# [who]
print("\n\n7. Who is at risk, with age in tens\n")
at_risk = answer.scenario("age in tens", "neighbour").by("region")
for row in at_risk.sort("mean_own_probability", descending=True).iter_rows(named=True):
    region, targets, own = row["region"], row["targets"], row["mean_own_probability"]
    print(f"{region:8} {targets:4} targets, mean probability {own:.4f}, {row['expected_matches']:.1f} expected matches")
# [end]
