"""Relaxing a crystal that may have been relaxed part of the way before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ontologies.crystals import CrystalRelaxation
from workflows.registry.levels import offered

from .relaxing import Wish

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.level import Level
    from workflows.engine import Call, Executor


def relaxation(
    atoms: ConceptualAtoms, level: Level, wish: dict[str, Any], executor: Executor
) -> Call[CrystalRelaxation]:
    """Return the calculation that relaxes a crystal; it goes on from one that stopped before.

    Args:
        atoms: where it starts.
        level: the level of theory.
        wish: see `Wish`.
        executor: whose store knows what stopped.
    """
    relax = offered(level).relax_crystal
    asked = relax(atoms, level, **wish)
    before = _stopped(atoms, level, Wish(**wish), executor)
    if executor.recompute or before is None or executor.recall(asked) is not None:
        return asked
    return relax(atoms, level, **wish, after=before)


def _stopped(
    atoms: ConceptualAtoms, level: Level, wish: Wish, executor: Executor
) -> CrystalRelaxation | None:
    """Return the longest relaxation that was asked the same and stopped at a nearer limit."""
    known = executor.kg.find(CrystalRelaxation, initial=atoms, level=level)
    stopped = [
        one
        for one in known
        if not one.converged and one.steps < wish.max_steps and wish.answers(one, atoms)
    ]
    return max(stopped, key=lambda one: one.steps, default=None)
