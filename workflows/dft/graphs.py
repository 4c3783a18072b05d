"""All graphs of the domain, by which they are found."""

from __future__ import annotations

from .counterpoise import COUNTERPOISE
from .graph import DFT
from .spin_states import SPIN_STATES

__all__ = ["COUNTERPOISE", "DFT", "SPIN_STATES"]
