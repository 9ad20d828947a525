"""A file that was swapped and then blanked, looked at by someone who knows of the swap and sees the blanks."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def _blanked(seed: int, n: int = 240, *, rare: bool) -> tuple[np.ndarray, cf.Released, cf.Intruder]:
    """Swap a rare level, then blank either cells at random or all that show it."""
    rng = np.random.default_rng(seed)
    race = rng.choice(["w", "b", "n"], n, p=[0.6, 0.25, 0.15])
    town = [str(x) for x in rng.integers(0, 12, n)]
    source = cf.Microdata.from_dict({"race": race.tolist(), "town": town})
    swap = cf.Release(cf.Swap("race", rate=0.4))
    shown = swap.apply(source, seed=seed).data.column("race").values()
    gone = [x == "n" for x in shown] if rare else (rng.random(n) < 0.3).tolist()
    masked = {"race": [None if g else x for x, g in zip(shown, gone, strict=True)], "town": town}
    released = cf.Released.from_files(source, cf.Microdata.from_dict(masked), same_order=True)
    return race, released, cf.Intruder(knows=["race", "town"], supposes=swap)


def test_a_level_that_only_blanks_hide_is_not_ruled_out() -> None:
    """Taken as never swapped and never shown, it left no record possible: a risk of zero for the rarest people."""
    race, released, intruder = _blanked(1, rare=True)
    links = cf.link(released, intruder)
    assert np.all(links.own > 0)
    town = released.data.column("town").values()
    for i in np.flatnonzero(race == "n")[:3]:
        row = links.row(int(i))
        near = [j for j in range(len(town)) if town[j] == town[i]]
        hidden = [j for j in near if released.data.column("race").values()[j] is None]
        assert sum(row.p[hidden]) > len(hidden) / len(near)
        assert sum(row.p[near]) == pytest.approx(1.0)


def test_blanks_are_no_level_of_the_swap() -> None:
    """Taken as one, a blank was as improbable as blanks are rare among the swapped."""
    stated, true = [], []
    for seed in range(25):
        race, released, intruder = _blanked(seed, rare=False)
        common = np.flatnonzero(race == "w")
        links = cf.link(released, intruder, cf.Targets.of_rows(common.tolist()))
        blank = np.array([v is None for v in released.data.column("race").values()])
        stated.append(sum(links.row(k).p[blank].sum() for k in range(common.size)))
        true.append(blank[common].sum())
    gap = np.array(stated) - np.array(true)
    assert abs(gap.mean()) < 4 * gap.std(ddof=1) / np.sqrt(gap.size)
    assert abs(gap.mean()) < 0.03 * np.mean(true)


def test_a_variable_that_is_blank_everywhere_says_nothing() -> None:
    source = cf.Microdata.from_dict({"race": ["w", "w", "b", "n"], "town": ["x", "x", "x", "y"]})
    released = cf.Released.from_files(
        source, cf.Microdata.from_dict({"race": [None] * 4, "town": ["x", "x", "x", "y"]}), same_order=True
    )
    links = cf.link(released, cf.Intruder(knows=["race", "town"], supposes=cf.Release(cf.Swap("race", rate=0.5))))
    assert links.own == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1.0])
