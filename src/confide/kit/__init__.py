"""What every room uses: the secret that masking hangs on, and the numbers drawn from it."""

from confide.kit.keyed import Draws, KeyedDraws
from confide.kit.secret import Secret

__all__ = ["Draws", "KeyedDraws", "Secret"]
