"""A level of theory by its names, as the entries have it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

WORDS: Mapping[str, Callable[[Any], str]] = {
    "reference": lambda value: {"restricted open-shell": "RO"}.get(value, str(value)),
    "cartesian": lambda value: "6d" if value else "5d",
    "density_fitting": lambda _: "RI",
    "grid_level": lambda value: f"grid {value}",
    "scf_tolerance": lambda value: f"SCF {value:g}",
    "solvation": str,
    "solvent": str,
    "all_electrons": lambda value: "all electrons" if value else "frozen core",
    "dielectric": lambda value: f"ε = {value:g}",
}


@dataclass(frozen=True)
class Level:
    """A level of theory by its names.

    Attributes:
        method: such as `B3LYP-D3(BJ)`.
        basis: the basis set; empty for a method with one of its own.
        options: further arguments of `resolve_level`; `reference`, where it does not follow the
            multiplicity.
        geometry: the level of geometries and vibrations, such as `B3LYP/def2-SVP`; empty where it
            is the same.
    """

    method: str
    basis: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    geometry: str = ""

    @property
    def label(self) -> str:
        """The usual short form, and what is special about it."""
        more = [WORDS[name](value) for name, value in self.options.items()]
        name = f"{self.method}/{self.basis}".removesuffix("/")
        name += f"//{self.geometry}" if self.geometry else ""
        return name + (f" ({', '.join(more)})" if more else "")
