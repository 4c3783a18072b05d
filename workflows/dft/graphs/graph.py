"""The graph of density functional (and Hartree–Fock) calculations on one molecule."""

from __future__ import annotations

from typing import get_args

from ogm import KnowledgeGraph
from ogm.literals import double, literal
from ontologies import quantum
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.quantum import Convergence
from workflows.engine import Executor, Graph
from workflows.engine.execution.calculation import NEAR
from workflows.geometry.relaxing import ATOM, criteria_of
from workflows.registry.levels import offered

from ..request.forms import PROPERTIES, DFTRequest
from .situation import DFTState, Situation
from .steps import (
    BESIDES,
    Displace,
    Frequencies,
    Optimise,
    RelaxCrystal,
    SinglePoint,
    Thermochemistry,
)

DFT: Graph[DFTState] = Graph(
    "dft",
    SinglePoint,
    Optimise,
    RelaxCrystal,
    Frequencies,
    Thermochemistry,
    Displace,
    *BESIDES,
)


def start(
    atoms: ConceptualAtoms,
    level: Level,
    executor: Executor,
    request: DFTRequest | None = None,
) -> DFTState:
    """Return the first state: what memory knows of the geometry at this level counts.

    A geometry is known to be stationary if an optimisation ended there, or at a copy of it that
    was moved or renumbered. Only optimisations that ended at the same extent are loaded.
    """
    request, program = request or DFTRequest(), offered(level)
    names = [one.name for one in PROPERTIES if not program.place_of(one, type(level))]
    lacking = frozenset(names if program.forces else [*names, "forces"])
    first = DFTState(atoms, level, Situation(lacking=lacking, crystal=atoms.is_periodic))
    if atoms.is_periodic or executor.recompute or request.constraints or not program.forces:
        return first
    relaxed = _ended_alike(atoms, level, executor.kg)
    if not relaxed:
        return first
    motions = [(known, atoms.motion_from(known.atoms)) for known in reversed(relaxed)]
    enough = _at_least(request.convergence)
    copies = [
        (known, motion)
        for known, motion in motions
        if motion is not None and known.constraints is None and known.criteria in enough
    ]
    optimise = program.optimise(atoms, level).calculation
    for known, motion in sorted(copies, key=lambda pair: pair[1].deviation):
        answer = executor.remembered(known, optimise, motion)
        if answer:
            return DFTState(atoms, level, Situation("stationary", lacking=lacking), (answer,))
    return first


def _ended_alike(
    atoms: ConceptualAtoms, level: Level, kg: KnowledgeGraph
) -> list[quantum.RelaxedGeometry]:
    """Return the optimisations that may have ended at a copy of a geometry, the oldest first."""
    term = quantum.RelaxedGeometry.vocabulary().term
    at_level = f"<{term('level')}> <{level.iri}>"
    texts = " ".join(map(literal, atoms.likenesses(NEAR)))
    near = f"ABS(?extent - {double(atoms.extent)}) < {NEAR}"
    like = f"""
        VALUES ?text {{ {texts} }}
        ?this <{term("likeness")}> ?text ; {at_level} ; <{term("extent")}> ?extent .
        FILTER({near})"""
    relaxed = kg.find(quantum.RelaxedGeometry, like)
    if not kg.has_older(quantum.RelaxedGeometry):
        return relaxed
    # of earlier releases, as long as nobody migrates them; the oldest have no extent either
    silent = f"""
        ?geometry <{term("formula")}> {literal(atoms.formula)} .
        ?this <{term("atoms")}> ?geometry ; {at_level} .
        FILTER NOT EXISTS {{ ?this <{term("likeness")}> ?any }}
        OPTIONAL {{ ?this <{term("extent")}> ?extent }} FILTER(!BOUND(?extent) || {near})"""
    return sorted([*kg.find(quantum.RelaxedGeometry, silent), *relaxed], key=lambda one: one.iri)


def _at_least(convergence: Convergence) -> set[str]:
    """Return what results of optimisations call their criteria that are as fine, or finer."""
    names = list(get_args(Convergence))
    return {ATOM, *map(criteria_of, names[names.index(convergence) :])}
