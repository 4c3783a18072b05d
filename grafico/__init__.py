"""Grafico: ask for a calculation; every result is remembered and can be queried.

The public names are loaded when first used, so that importing the package is quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from workflows.dft.result import Result

    from .session.client import Grafico

__all__ = ["ConceptualAtoms", "Grafico", "Result"]


def __getattr__(name: str) -> Any:
    if name == "Grafico":
        from .session.client import Grafico

        return Grafico
    if name == "Result":
        from workflows.dft.result import Result

        return Result
    if name == "ConceptualAtoms":
        from ontologies.atoms import ConceptualAtoms

        return ConceptualAtoms
    told = f"module 'grafico' has no attribute {name!r}"
    if not name.startswith("_"):
        from workflows.registry import workflows

        from .session.client import Grafico

        has = hasattr(Grafico, name) or workflows().verb(name) or workflows().wrapper(name)
        example = name if has else "run('water')"
        told += f"; a session {'has it' if has else 'computes'}: grafico.Grafico().{example}"
    raise AttributeError(told)
