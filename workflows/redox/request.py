"""What can be asked of a half reaction, and what its potential follows from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import Field

from ogm import Unit
from ontologies.factors import HARTREE
from ontologies.reactions import ReactionEnergy
from ontologies.redox import ElectrodeName, HalfReaction, ReductionPotential
from triplestore.errors import InputError
from workflows.dft.request.basis_sets import DIFFUSE
from workflows.engine import Executor
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.rules import Rare, Words
from workflows.reaction.graph import ReactionState, graph_of
from workflows.reaction.request import SpeciesRequest, prepare_reactions
from workflows.registry.levels import LevelForm
from workflows.registry.outside import AT_A_FUNCTIONAL
from workflows.text.names import plain

from .electrodes import ABSOLUTE, electrode_potential, of_ph, proton_in_water
from .subject import HALF_REACTIONS

EV = HARTREE["eV"]
ROOM = 298.15
GAS = "energies are those of the gas phase"


class RedoxRequest(SpeciesRequest):
    """What is asked of the species of a half reaction, and against what its potential is told."""

    electrode: Annotated[
        ElectrodeName,
        Words(
            {
                "SHE": ("nhe", "standardhydrogenelectrode"),
                "SCE": ("calomel", "saturatedcalomelelectrode"),
                "Fc+/Fc": ("ferrocene", "fc", "fc/fc+", "fcfc", "fc+"),
            }
        ),
        Field(description="The reference electrode."),
    ] = "SHE"
    electrode_potential: Annotated[
        float | None,
        Rare(),
        Unit("V"),
        Field(ge=-10, le=10, allow_inf_nan=False, description="Of it, against the SHE, V."),
    ] = None
    absolute_potential: Annotated[
        float,
        Rare(),
        Unit("V"),
        Field(
            ge=3.5,
            le=5.5,
            allow_inf_nan=False,
            description="Of the SHE, V; the Gibbs energy of a proton in water follows it.",
        ),
    ] = ABSOLUTE
    ph: Annotated[
        float, Field(ge=-2, le=16, allow_inf_nan=False, description="pH of protons in water.")
    ] = 0.0


async def prepare_redox(
    given: Given[HalfReaction], request: RedoxRequest, wanted: LevelForm, executor: Executor
) -> Prepared[ReactionState]:
    """Find out what is asked of the species of a half reaction.

    Raises:
        InputError: what is asked does not fit a species or its level; the electrode is not known in
            the solvent; protons are there without water, vibrations or room temperature; constants
            are those of another temperature; or the level's energies do not fit an electron's.
    """
    half, asked = given.model, f"the potential of {given.model.name} was asked for"
    _check_temperature(half, request, asked)
    solvent = str(getattr(wanted, "solvent", "") or "")
    medium = solvent or ("a dielectric" if getattr(wanted, "dielectric", None) else "")
    if half.protons:
        if request.task != "frequencies":
            raise InputError(
                asked,
                f"it has protons, and task {request.task} gives no Gibbs energies",
                "ask for task frequencies",
            )
        if medium and plain(medium) != "water":
            raise InputError(
                asked,
                f"its protons are those of water, the solvent is {medium}",
                "ask for it in water, or write the acid and base that take its protons",
            )
    elif request.ph:
        raise InputError(f"{asked} at pH {request.ph:g}", "it has no protons", "leave `ph` out")
    electrode = request.electrode_potential
    if electrode is None:
        electrode = electrode_potential(request.electrode, solvent)

    def conclude(found: Sequence[ReactionEnergy], _: Mapping[int, str]) -> ReductionPotential:
        return potential(half, found[0], request, electrode)

    return await prepare_reactions(
        (half.reaction,),
        request,
        wanted,
        executor,
        subject=half,
        label=f"potential of {half.name}",
        goal="the potential of a half reaction",
        conclude=conclude,
        remarks=tuple(_remarks(request, medium)),
        outside=("an electron", WITHOUT_ELECTRONS),
    )


WITHOUT_ELECTRONS = (
    f"{AT_A_FUNCTIONAL}, or write the whole reaction with a couple of known potential and compute "
    "that as a reaction: its ΔG over -nF is the difference of the two potentials"
)


def _check_temperature(half: HalfReaction, request: RedoxRequest, asked: str) -> None:
    """Refuse constants of one temperature beside energies of another.

    Raises:
        InputError: they are those of 298.15 K.
    """
    if request.temperature == ROOM:
        return
    if half.protons:
        raise InputError(
            asked,
            f"the Gibbs energy of a proton in water is known at {ROOM:g} K",
            "leave the temperature out",
        )
    said = request.model_fields_set
    needed = ["absolute_potential"] * (request.absolute_potential == ABSOLUTE)
    if request.electrode != "SHE" and request.electrode_potential is None:
        needed.append("electrode_potential")
    if needed and not {*needed} <= said:
        names = " and ".join(f"`{one}`" for one in needed)
        raise InputError(
            f"{asked} at {request.temperature:g} K",
            f"the potentials of the electrodes are known at {ROOM:g} K",
            f"give {names} at that temperature, or leave the temperature out",
        )


def _remarks(request: RedoxRequest, medium: str) -> Iterator[str]:
    """Return what to know of a potential before it is computed."""
    if not medium:
        yield GAS
    elif plain(medium) != "water" and request.electrode != "Fc+/Fc":
        yield (
            f"{request.electrode} and its absolute potential are those of water, the couple is in "
            f"{medium}: the junction of the two liquids is left out"
        )


def potential(
    half: HalfReaction, found: ReactionEnergy, request: RedoxRequest, electrode: float
) -> ReductionPotential:
    """Return the potential of a half reaction.

    Args:
        half: which.
        found: what its species came to.
        request: absolute potential, pH, name of the electrode.
        electrode: its potential against the standard hydrogen electrode, in V.
    """
    change, told = found.gibbs_change_molar, list(found.remarks)
    if change is None:
        change = found.energy_change
        told.append("without vibrations: total energies stand for Gibbs energies")
    around = (getattr(one, "solvation", None) for one in (found.level, found.geometry_level))
    if [one is None for one in around] == [True, False]:
        told.append(f"{GAS}, geometries those of a solution")
    proton = proton_in_water(request.absolute_potential)
    gibbs = change + half.protons * (proton + of_ph(request.ph, ROOM))
    absolute = -gibbs / half.electrons * EV
    told.append("one conformer of each; continuum solvents err by tenths of a volt for ions")
    basis = str(getattr(found.level, "basis", ""))
    anions = any(one.atoms.charge < 0 for one in half.reaction.species)
    if anions and basis and not DIFFUSE.search(basis):
        told.append(
            f"{basis} has no diffuse functions, which anions need: the potential may lie as much "
            "as a volt too low (that of O2 does); ask for def2-SVPD or a larger one with them"
        )
    return ReductionPotential(
        half_reaction=half,
        reaction_energy=found,
        gibbs_energy_of_reduction=gibbs,
        potential=absolute - request.absolute_potential - electrode,
        reference_electrode=request.electrode,
        electrode_potential=electrode,
        absolute_potential=request.absolute_potential,
        proton_in_water=proton,
        acidity=request.ph,
        remarks=tuple(told),
    )


DEFINITION = Definition(
    graph_of("redox"),
    (RedoxRequest, LevelForm),
    HALF_REACTIONS,
    prepare_redox,
    help="All species are in solution at 1 mol/L; an electron at rest in vacuum has no energy. The "
    "absolute potential of the hydrogen electrode and the Gibbs energy of a proton in water are "
    "one choice.",
    makes=(ReductionPotential,),
)
