"""What can be asked of a molecule at a level: its energy and more, its spin states, its parts."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence

from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import FragmentEnergy, InteractionEnergy, SpinStateScan
from ontologies.level import Level
from ontologies.quantum import EnergyResult, RelaxedGeometry
from ontologies.vibrations import Thermochemistry, VibrationalAnalysis
from triplestore.errors import GraficoError
from workflows.engine import Executor
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.molecule.spin.recheck import smiles_read
from workflows.molecule.subject import MOLECULE, MOLECULE_OF_ANY_SPIN, Bonded
from workflows.registry.levels import LevelForm, offered
from workflows.registry.properties import loaded

from ..graphs.counterpoise import COUNTERPOISE, InteractionRequest, InteractionState, calls_of
from ..graphs.graph import DFT, start
from ..graphs.situation import DFTState
from ..graphs.spin_states import SPIN_STATES, SpinStatesRequest, SpinStatesState, call_of
from ..result import Interaction, Result, SpinStates
from ..scf.ghosts import refuse_superposed
from ..spin_check import lower_state, told
from .forms import PROPERTIES, DFTRequest
from .fragments import coupling_remark, divided
from .from_file import from_file, not_taken_over
from .molecule_cost import MoleculeCost
from .states import spin_meant

READ = ("table", "rule")
"""Who has told a spin that may be looked at again."""


async def prepare_dft(
    given: Given[ConceptualAtoms], request: DFTRequest, wanted: LevelForm, executor: Executor
) -> Prepared[DFTState]:
    """Find out what is asked of a molecule at a level.

    Raises:
        InputError: what is asked does not fit the molecule or its level; or there is no such level.
    """
    atoms = given.model
    if (taken := await from_file(given, request, wanted, executor)) is not None:
        return taken
    level, remarks = await _level(atoms, wanted, executor)
    remarks = (*remarks, *not_taken_over(given.text, request, wanted, executor))
    request.check(atoms, level)
    return Prepared(
        start(atoms, level, executor, request),
        request.goal(),
        (atoms, level),
        _label(atoms, level),
        (MoleculeCost(atoms, level, request),),
        remarks,
        after=_looking_lower(given, wanted, executor),
    )


def _looking_lower(
    given: Given[ConceptualAtoms], wanted: LevelForm, executor: Executor
) -> Callable[[DFTState], Awaitable[Sequence[str]]] | None:
    """Return what looks whether another spin state lies lower; None where nothing was read."""
    detail = given.detail
    if not isinstance(detail, Bonded) or detail.mol is None or detail.told not in READ:
        return None
    smiles = smiles_read(detail.mol)

    async def look(state: DFTState) -> Sequence[str]:
        energies = [getattr(one.result, "energy", None) for one in state.answers]
        energy = next((one for one in reversed(energies) if one is not None), None)
        if energy is None:
            return ()
        with contextlib.suppress(GraficoError):  # it is a remark: nothing fails over it
            other, _ = await lower_state(smiles, state.atoms, energy, wanted.in_words(), executor)
            if other is not None:
                name, taken = given.text or given.model.formula, given.model.multiplicity
                return (told(name, taken, other[0], energy - other[1]),)
        return ()

    return look


async def prepare_spin_states(
    given: Given[ConceptualAtoms],
    request: SpinStatesRequest,
    wanted: LevelForm,
    executor: Executor,
) -> Prepared[SpinStatesState]:
    """Find out which multiplicities of a molecule are compared, each at its level.

    The reference is restricted for singlets and unrestricted for others, unless the form of the
    level names one; see `LevelForm.comparing_spins` for stable solutions.

    Raises:
        InputError: a multiplicity that cannot be, or a level that there is not.
    """
    atoms, wanted = given.model, wanted.comparing_spins()
    candidates: list[tuple[ConceptualAtoms, Level]] = []
    known: list[str] = []
    for spin in request.of(atoms):
        level, remarks = await _level(spin, wanted, executor)
        known += remarks
        candidates.append((spin, level))
    asked = request.model_dump(include={"task", "max_steps", "convergence"})
    alike = DFTRequest(**asked)
    return Prepared(
        SpinStatesState(atoms, tuple(candidates)),
        SPIN_STATES.goal("a comparison of spin states"),
        (atoms, *{level.iri: level for _, level in candidates}.values()),
        _label(atoms, candidates[0][1]),
        tuple(
            MoleculeCost(spin, level, alike, call_of(spin, level, **asked))
            for spin, level in candidates
        ),
        tuple(known),
    )


async def prepare_interaction(
    given: Given[ConceptualAtoms],
    request: InteractionRequest,
    wanted: LevelForm,
    executor: Executor,
) -> Prepared[InteractionState]:
    """Find out the fragments of a molecule and the level of each.

    The reference of each follows its multiplicity, unless the form of the level names one.

    Raises:
        InputError: fragments that cannot be, see `divided`; a level that there is not, or one with
            a solvent.
    """
    atoms = given.model
    if isinstance(given.detail, Bonded):
        request = request.with_parts(given.detail.parts)
    fragments = divided(
        atoms, request.fragments, request.fragment_charges, request.fragment_multiplicities
    )
    level, remarks = await _level(atoms, wanted, executor)
    refuse_superposed(level)
    placed = [(one, (await _level(one.atoms_of(atoms), wanted, executor))[0]) for one in fragments]
    more = [coupling_remark(atoms, fragments)]
    closed = getattr(level, "reference", "") == "restricted"
    if closed and any(one.multiplicity > 1 for one in fragments):
        more.append(
            "the whole is a closed shell of fragments with unpaired electrons: far apart it does "
            "not come to their sum"
        )
    levels = {one.iri: one for one in (level, *(own for _, own in placed))}
    return Prepared(
        InteractionState(atoms, level, tuple(placed), tuple(filter(None, more))),
        COUNTERPOISE.goal("an interaction energy"),
        (atoms, *levels.values()),
        _label(atoms, level),
        tuple(
            MoleculeCost(call.arguments["atoms"], call.arguments["level"], DFTRequest(), call)
            for call in calls_of(atoms, level, placed).values()
        ),
        remarks,
        request,
    )


async def _level(
    atoms: ConceptualAtoms, wanted: LevelForm, executor: Executor
) -> tuple[Level, tuple[str, ...]]:
    """Return the level that is meant for a molecule, and what to know of it."""
    resolved = await wanted.resolve(atoms, executor)
    level = resolved.level
    return level, (*resolved.remarks, *offered(level).remarks(atoms, level))


def _label(atoms: ConceptualAtoms, level: Level) -> str:
    return f"{atoms.formula} at {level.label}"


COMPUTE = Definition(
    DFT,
    (DFTRequest, LevelForm),
    MOLECULE,
    prepare_dft,
    Result.of,
    help="What is remembered is not computed again.",
    makes=(
        EnergyResult,
        RelaxedGeometry,
        VibrationalAnalysis,
        Thermochemistry,
        *(loaded(one.result) for one in PROPERTIES),
    ),
    elsewhere={"spin": spin_meant},
)
COMPARE_SPINS = Definition(
    SPIN_STATES,
    (SpinStatesRequest, LevelForm),
    MOLECULE_OF_ANY_SPIN,
    prepare_spin_states,
    SpinStates.of,
    help="Multiplicities that fail are told, the others compared.",
    makes=(SpinStateScan,),
)
INTERACT = Definition(
    COUNTERPOISE,
    (InteractionRequest, LevelForm),
    MOLECULE,
    prepare_interaction,
    Interaction.of,
    help="The energy is corrected for the superposition of the fragments' basis sets by Boys and "
    "Bernardi's counterpoise method; methods without a basis set to choose, such as GFN2-xTB, need "
    "no correction.",
    makes=(InteractionEnergy, FragmentEnergy),
)
