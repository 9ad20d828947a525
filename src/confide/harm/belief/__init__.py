"""What the intruder believes about an amount, one kind of belief per file."""

from confide.harm.belief.belief import Belief
from confide.harm.belief.lognormal import LognormalBelief
from confide.harm.belief.nodes import NodesBelief
from confide.harm.belief.normal import NormalBelief
from confide.harm.belief.point import PointBelief
from confide.harm.belief.uniform import UniformBelief

__all__ = ["Belief", "LognormalBelief", "NodesBelief", "NormalBelief", "PointBelief", "UniformBelief"]
