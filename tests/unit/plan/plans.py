"""Small plans for tests of mistakes."""

PEOPLE = "id,sex,age,income,wt\n" + "".join(f"p{i},{'mf'[i % 2]},{20 + i % 40},{100.5 * i},{1 + i % 3}\n" for i in range(80))
DATA = '[data]\npath = "people.csv"\n[data.kinds]\nage = "integer"\nincome = "continuous"\n'
RELEASE = '[[release]]\nname = "plain"\n'
INTRUDER = '[[intruder]]\nname = "neighbour"\nknows = ["sex", "age"]\n'
GOOD = DATA + RELEASE + INTRUDER


def method(text):
    return DATA + f'[[release]]\nname = "r"\nmethods = [{{ {text} }}]\n' + INTRUDER


def intruder(text):
    return DATA + RELEASE + f"[[intruder]]\n{text}\n"
