"""The public names of `confide.release`: releases and masking methods."""

from __future__ import annotations

from confide.release.methods.correlated import CorrelatedNoise
from confide.release.methods.drop import Drop
from confide.release.methods.multiplicative import MultiplicativeNoise
from confide.release.methods.noise import Noise
from confide.release.methods.recode import Recode
from confide.release.methods.round import Round
from confide.release.methods.sample import Sample
from confide.release.methods.simulate import Simulate
from confide.release.methods.swap import GivenMatrices, GivenMatrix, Simulated, Swap, expected_swap_matrix
from confide.release.methods.topcode import Bottomcode, Topcode
from confide.release.release import Release
from confide.release.released import Partition, Released
from confide.release.vary import vary, vary_between

__all__ = [
    "Bottomcode",
    "CorrelatedNoise",
    "Drop",
    "GivenMatrices",
    "GivenMatrix",
    "MultiplicativeNoise",
    "Noise",
    "Partition",
    "Recode",
    "Release",
    "Released",
    "Round",
    "Sample",
    "Simulate",
    "Simulated",
    "Swap",
    "Topcode",
    "expected_swap_matrix",
    "vary",
    "vary_between",
]
