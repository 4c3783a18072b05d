"""What can be asked of acids, and how such a request is prepared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any, Self

from pydantic import Field, field_validator, model_validator

from ogm import Unit
from ontologies.acidity import AcidityConstant, Calibration
from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import fill
from workflows.engine.request.refusals import field_text, refusal
from workflows.engine.request.rules import Rare, Words
from workflows.molecule.subject import MOLECULE, lasting
from workflows.reaction.conformers import lowest_conformers
from workflows.reaction.request import SpeciesRequest
from workflows.reaction.species import Questions, ask_species
from workflows.registry.levels import LevelForm
from workflows.registry.outside import AT_A_FUNCTIONAL, check_zero
from workflows.text.names import plain

from .acids import Acid, find_acids, read_reference
from .calibration import check_count, usual_calibration
from .graph import ACIDITY, AcidityState

ROOM = 298.15

KilocaloriesPerMole = Annotated[
    float, Rare(), Unit("KiloCAL-PER-MOL"), Field(ge=-1000, le=1000, allow_inf_nan=False)
]

MEDIA = ("solvent", "solvation", "dielectric")
"""What a level says of a solvent."""

OF_PROTON = ("proton_solvation", "proton_gas", "standard_state")


class AcidityRequest(SpeciesRequest):
    """What is asked of an acid and of those beside which its pKa is found.

    The usual Gibbs energies of the proton are those of M. D. Tissandier et al., J. Phys. Chem. A
    102, 7787 (1998), for a gas and a solution of 1 mol/L, and of C. P. Kelly, C. J. Cramer, D. G.
    Truhlar, J. Phys. Chem. B 110, 16066 (2006).
    """

    reference_acid: Annotated[
        tuple[str, ...],
        Field(
            description="An acid and its measured pKa, such as 'CC(=O)O=4.76', by which the "
            "energies are calibrated; as many as there are."
        ),
    ] = ()
    calibration: Annotated[
        Calibration | None,
        Words(
            {
                "none": ("direct", "no"),
                "fixed slope": ("fixed", "average", "averageshift", "shift", "theoretical"),
                "regression": ("linearregression", "fit", "free"),
            }
        ),
        Field(
            description="Slope fixed at its theoretical value, or fitted too; if not given, fixed "
            "for fewer than 4 reference acids or 3 units of pKa."
        ),
    ] = None
    proton: Annotated[
        str,
        Field(
            description="Which proton leaves: the number of its atom, such as H7, or the SMILES of "
            "the base; the most acidic if not given."
        ),
    ] = ""
    proton_solvation: Annotated[
        KilocaloriesPerMole,
        Field(description="Gibbs energy of solvation of the proton, 1 mol/L to 1 mol/L, kcal/mol."),
    ] = -265.9
    proton_gas: Annotated[
        KilocaloriesPerMole,
        Field(description="Gibbs energy of the proton as a gas at 1 atm, kcal/mol."),
    ] = -6.28
    standard_state: Annotated[
        KilocaloriesPerMole, Field(description="From 1 atm to 1 mol/L, of the proton, kcal/mol.")
    ] = 1.89

    @field_validator("reference_acid")
    @classmethod
    def _readable(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for text in given:
            try:
                read_reference(text)
            except InputError as error:
                raise refusal(error.asked, error.found, error.advice) from error
        return given

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        fields = type(self).model_fields
        said = [n for n in OF_PROTON if getattr(self, n) != fields[n].default]
        if self.reference_acid and said:
            raise refusal(
                f"{', '.join(field_text(n, getattr(self, n)) for n in said)} was asked for",
                "reference acids say what the proton has, so that it has no effect",
                "leave it out, or the reference acids",
            )
        if not self.reference_acid and self.task != "frequencies":
            raise refusal(
                "a pKa without reference acids and without vibrations was asked for",
                f"task {self.task} gives no Gibbs energies",
                "ask for task frequencies, or give reference acids as in 'CC(=O)O=4.76'",
            )
        if not self.reference_acid and self.temperature != ROOM and len(said) < len(OF_PROTON):
            raise refusal(
                f"a pKa at {self.temperature:g} K was asked for",
                f"the Gibbs energies of the proton are those at {ROOM:g} K",
                f"give {', '.join(OF_PROTON)} at that temperature, or reference acids",
            )
        return self

    @property
    def proton_gibbs_energy(self) -> float:
        """Of the proton in solution at 1 mol/L, Eh."""
        parts = self.proton_gas + self.standard_state + self.proton_solvation
        return parts / HARTREE["kcal/mol"]


async def prepare_acidity(
    given: Given[ConceptualAtoms], request: AcidityRequest, wanted: LevelForm, executor: Executor
) -> Prepared[AcidityState]:
    """Find out which protons leave, and what is asked of acids and bases.

    Raises:
        InputError: see `find_acids` and `ask_species`; there are too few acids for the calibration,
            or a pKa by itself is asked for in the gas phase, in a solvent whose proton is not
            known, or at a level whose energies do not fit a proton's.
    """
    measured = [read_reference(text)[1] for text in request.reference_acid]
    calibration = request.calibration or usual_calibration(measured)
    check_count(calibration, len(measured))
    if measured and calibration == "none":
        raise InputError(
            "the calibration `none` was asked for",
            f"there are {len(measured)} reference acids",
            "leave them out, or ask for `fixed slope` or `regression`",
        )
    acids = await find_acids(given, request.reference_acid, request.proton, executor)
    asked = request.model_copy(update={"reference_acid": _lasting(request, acids, executor)})
    wanted, meant = (wanted, ()) if measured else in_water(wanted)
    higher, told = request.energy_words(wanted), ()

    async def ask() -> Questions:
        species = [one for acid in acids for one in acid.pair]
        return await ask_species(species, request.of_each(wanted), higher, executor)

    found = await ask()
    if not measured:
        _check_proton(f"the pKa of {acids[0].pair[0].name} was asked for", found, request)
    if request.conformers > 1:
        reactions, told = await lowest_conformers(
            [one.reaction for one in acids], request.conformers, executor
        )
        acids = [replace(a, reaction=r) for a, r in zip(acids, reactions, strict=True)]
        found = await ask()
    gas = _without_solvent(found)
    state = AcidityState(
        given.model,
        tuple(acids),
        found.asked,
        calibration,
        None if measured else request.proton_gibbs_energy,
        request.temperature,
    )

    async def begin() -> AcidityState:  # what acids and bases came to before is remembered
        return state

    level = found.levels[0].label
    return Prepared(
        state,
        ACIDITY.goal("the pKa of an acid"),
        (given.model, *found.levels),
        f"pKa of {acids[0].pair[0].name} at {f'{request.energy_at}//' if higher else ''}{level}",
        found.costs,
        (*meant, *_remarks(acids, request, gas), *told, *found.remarks),
        asked,
        begin=begin,
    )


def in_water(wanted: LevelForm) -> tuple[LevelForm, tuple[str, ...]]:
    """Return a level in water where it may have a solvent and names none, and what was assumed."""
    fields = type(wanted).offered()
    if "solvent" not in fields or any(getattr(wanted, name, None) for name in MEDIA):
        return wanted, ()
    return fill(type(wanted), {**wanted.in_words(), "solvent": "water"}), (
        "in water, for no solvent is named",
    )


def _lasting(request: AcidityRequest, acids: Sequence[Acid], executor: Executor) -> tuple[str, ...]:
    """Return the reference acids as they are recorded: of a file its structure, see `lasting`."""
    told: list[str] = []
    for text, acid in zip(request.reference_acid, acids[1:], strict=True):
        name, _ = read_reference(text)
        kept = lasting(name, Given(acid.pair[0].atoms), executor)
        told.append(text if kept == name else f"{kept}={text.rpartition('=')[2].strip()}")
    return tuple(told)


BY_ACIDS = "give acids of known pKa (`reference_acid`, as in 'CC(=O)O=4.76')"


def _check_proton(asked: str, found: Questions, request: AcidityRequest) -> None:
    """Refuse a proton from outside beside energies that it does not fit.

    Raises:
        InputError: of another zero, of the gas phase, or of another solvent than water.
    """
    if _without_solvent(found):
        every = (*found.energy_levels, *found.levels)
        dry = [one.label for one in every if getattr(one, "solvation", None) is None]
        raise InputError(
            asked,
            f"energies of {dry[0]} have no solvent",
            f"take energies of a method that has one, such as HF or a functional, or {BY_ACIDS}",
        )
    check_zero(found.energy_levels, asked, "a proton", f"{AT_A_FUNCTIONAL}, or {BY_ACIDS}")
    media = {str(getattr(level.solvation, "solvent", "")) for level in _solvated(found)}
    others = sorted(one for one in media if plain(one) != "water")
    if others and "proton_solvation" not in request.model_fields_set:
        raise InputError(
            asked,
            f"the Gibbs energy of a proton is known here in water, the solvent is "
            f"{others[0] or 'a dielectric'}",
            f"give that of the solvent (`proton_solvation`, kcal/mol), or {BY_ACIDS}",
        )


def _solvated(found: Questions) -> Iterator[Any]:
    return (one for one in found.energy_levels if getattr(one, "solvation", None) is not None)


def _without_solvent(found: Questions) -> bool:
    every = (*found.levels, *found.energy_levels)
    return any(getattr(level, "solvation", None) is None for level in every)


def _remarks(acids: list[Acid], request: AcidityRequest, gas: bool) -> tuple[str, ...]:
    told: dict[str, list[str]] = {}
    for one in acids:
        for remark in one.remarks:
            told.setdefault(remark, []).append(one.pair[0].name)
    grouped = [remark for remark in told if not remark.startswith(("3D structure", "atoms in"))]
    if gas:
        grouped.append("energies are those of the gas phase: reference acids stand for the solvent")
    if request.reference_acid and request.temperature != ROOM:
        grouped.append(
            f"the pKa of the reference acids count as measured at {request.temperature:g} K"
        )
    if request.task != "frequencies":
        grouped.append("without vibrations: differences of total energies stand for Gibbs energies")
    return tuple(grouped)


DEFINITION = Definition(
    ACIDITY,
    (AcidityRequest, LevelForm),
    MOLECULE,
    prepare_acidity,
    help="With reference acids of known pKa the energies are calibrated, and there is an "
    "uncertainty; without them the pKa rests on the Gibbs energy of a proton in water that others "
    "have found. Each acid and base is computed as if it had been asked for alone.",
    makes=(AcidityConstant,),
)
