"""Read a model formula such as "log(income) ~ age + C(edu)". Nothing is evaluated."""

from __future__ import annotations

import re
from dataclasses import dataclass

from confide.errors import HarmError

_PART = re.compile(r"`[^`]*`|[~+()]|[^~+()`]+")
_SIGNS = set("*:^/|-~+()`")


@dataclass(frozen=True, slots=True)
class ModelTerm:
    """A variable, the logarithm of one, or one whose numbers are categories.

    >>> print(ModelTerm("income", log=True), ModelTerm("marital-status"), ModelTerm("edu", category=True))
    log(income) `marital-status` C(edu)
    """

    variable: str
    """The name of the variable."""
    log: bool = False
    """Whether its logarithm enters."""
    category: bool = False
    """Whether its numbers are categories, each with a coefficient of its own."""

    def __post_init__(self) -> None:
        """Check the name."""
        if not isinstance(self.variable, str) or not self.variable:
            raise HarmError(f"a term of a model names a variable; found {type(self.variable).__name__}")
        if self.log and self.category:
            raise HarmError(f"{self.variable!r}: a category has no logarithm; choose log(...) or C(...)")

    def __str__(self) -> str:
        """Write it as in a formula."""
        name = f"`{self.variable}`" if _SIGNS & set(self.variable) or self.variable in ("0", "1") else self.variable
        return f"log({name})" if self.log else f"C({name})" if self.category else name


@dataclass(frozen=True, slots=True)
class ModelFormula:
    """A response and the terms that explain it, with an intercept.

    >>> formula = ModelFormula.parse("log(income) ~ age + sex")
    >>> formula.variables
    ('income', 'age', 'sex')
    >>> print(ModelFormula(ModelTerm("income"), ()))
    income ~ 1
    """

    response: ModelTerm
    """What is explained."""
    terms: tuple[ModelTerm, ...]
    """What explains it."""

    def __post_init__(self) -> None:
        """Check that every term stands once, and that the response does not explain itself."""
        object.__setattr__(self, "terms", tuple(self.terms))
        for term in (self.response, *self.terms):
            if not isinstance(term, ModelTerm):
                raise HarmError(
                    f"a ModelFormula holds ModelTerm(...) objects, found {type(term).__name__}; "
                    "or write it as text: ModelFormula.parse('income ~ age + sex')"
                )
        twice = sorted({str(t) for t in self.terms if self.terms.count(t) > 1})
        if twice:
            raise HarmError(f"the model names {', '.join(twice)} more than once; name every term once")
        if self.response.category:
            raise HarmError(
                f"the response cannot be {self.response}; declare(kinds={{{self.response.variable!r}: 'nominal'}}) makes it "
                "a category"
            )
        if self.response.variable in {t.variable for t in self.terms}:
            raise HarmError(
                f"the response {self.response.variable!r} is also a term of the model; leave it out of the terms"
            )

    @classmethod
    def parse(cls, text: str) -> ModelFormula:
        """Read a formula: a response, `~`, and terms joined by `+`.

        A term is the name of a variable, `log(name)`, or `C(name)` where numbers are categories. A name that holds signs
        such as - or * stands in backticks. An intercept is always there; `1` alone stands for a model without terms.

        >>> print(ModelFormula.parse("income ~ 1"))
        income ~ 1
        """
        parts = [p for p in (part.strip() for part in _PART.findall(text)) if p]
        if text.count("`") % 2:
            raise HarmError(f"model {text!r}: a backtick is not closed")
        if parts.count("~") != 1:
            raise HarmError(
                f"model {text!r}: found {parts.count('~')} signs ~, one is needed between the response and the terms, "
                "as in 'income ~ age + sex'"
            )
        at = parts.index("~")
        response = _term(parts[:at], text)
        if response is None:
            raise HarmError(f"model {text!r}: 1 cannot be the response; name a variable")
        terms = [_term(group, text) for group in _split(parts[at + 1 :])]
        return cls(response, tuple(t for t in terms if t is not None))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of the model, the response first, each once."""
        return tuple(dict.fromkeys((self.response.variable, *(t.variable for t in self.terms))))

    def __str__(self) -> str:
        """Write the formula."""
        return f"{self.response} ~ {' + '.join(str(t) for t in self.terms) or '1'}"


def _split(parts: list[str]) -> list[list[str]]:
    """Split at every plus sign."""
    groups: list[list[str]] = [[]]
    for part in parts:
        if part == "+":
            groups.append([])
        else:
            groups[-1].append(part)
    return groups


def _term(parts: list[str], text: str) -> ModelTerm | None:
    """Read one term; None for the 1 that stands for the intercept."""
    if not parts:
        raise HarmError(f"model {text!r}: a term is empty; write terms joined by +, or 1 for none")
    if len(parts) == 1 and parts[0] == "1":
        return None
    if len(parts) == 1:
        return ModelTerm(_name(parts[0], text))
    if len(parts) == 4 and parts[1] == "(" and parts[3] == ")":
        if parts[0] not in ("log", "C"):
            raise HarmError(
                f"model {text!r}: there is no function {parts[0]!r}, only log(...) and C(...); "
                "put the changed values into the file as a variable of their own, or use GivenModel"
            )
        return ModelTerm(_name(parts[2], text), log=parts[0] == "log", category=parts[0] == "C")
    raise HarmError(f"model {text!r}: cannot read {' '.join(parts)!r}; a term is a variable, log(variable) or C(variable)")


def _name(part: str, text: str) -> str:
    """Read the name of a variable."""
    if part.startswith("`"):
        if not part.strip("`"):
            raise HarmError(f"model {text!r}: there is no name between the backticks")
        return part[1:-1]
    if part in ("0", "1", "-1"):
        raise HarmError(f"model {text!r}: {part!r} is no variable; the intercept cannot be left out or changed")
    found = sorted(_SIGNS & set(part))
    if found:
        raise HarmError(
            f"model {text!r}: {found[0]!r} has no meaning in {part!r}; terms are joined by +. A name with such signs "
            f"stands in backticks, `{part}`; for interactions and powers use GivenModel"
        )
    return part
