"""An orbital, a density or the electrostatic potential of a result as a cube file."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Self, cast

from pydantic import Field, model_validator

from ontologies.factors import HARTREE
from ontologies.quantum import ElectronicResult, EnergyResult
from ontologies.wavefunction import DensityVolume, OrbitalVolume, PotentialVolume, SpinLabel
from triplestore.errors import InputError, NotFoundError
from workflows.engine import Answer, Call, Executor
from workflows.engine.request.definition import (
    ActionDefinition,
    Given,
    PreparedAction,
    Product,
    Subject,
)
from workflows.engine.request.form import Form
from workflows.engine.request.refusals import refusal
from workflows.engine.request.rules import For, OtherNames
from workflows.engine.request.stored import stored_or_last
from workflows.text.names import file_word

from .potential import SURFACE, extremes, potential_volume
from .volumes import SPACING, cube_text, density_volume, orbital_volume, values_of


class CubeRequest(Form):
    """Which function in space is written."""

    orbital: Annotated[
        str | None,
        Field(
            description="An orbital: homo, lumo, somo, homo-1, lumo+2, or its number, from 1; homo "
            "where nothing is named.",
            examples=["homo", "lumo"],
        ),
    ] = None
    spin: Annotated[
        SpinLabel | None,
        For("orbital"),
        Field(description="Of the orbital, where the spins do not share them; alpha if none."),
    ] = None
    density: Annotated[bool, Field(description="The density of all electrons.")] = False
    spin_density: Annotated[bool, Field(description="Alpha less beta electrons.")] = False
    potential: Annotated[
        bool,
        OtherNames(("esp", "mep", "electrostatic_potential")),
        Field(description="The electrostatic potential; as .png on the density's surface."),
    ] = False
    spacing: Annotated[
        float | None, Field(description="Å between points: 0.15, of a potential 0.3.")
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _usual(cls, given: object) -> object:
        """Take the highest occupied orbital where nothing is named."""
        if not isinstance(given, Mapping):
            return given
        values = cast("Mapping[str, object]", given)
        named = values.get("orbital") is not None or any(
            values.get(one) for one in ("density", "spin_density", "potential")
        )
        return values if named else {**values, "orbital": "homo"}

    @model_validator(mode="after")
    def _one(self) -> Self:
        given = [self.orbital is not None, self.density, self.spin_density, self.potential]
        if sum(given) > 1:
            raise refusal(
                "a function in space was asked for",
                f"{sum(given)} of orbital, density, spin density and potential are named",
                "say which: orbital, density, spin_density or potential, and one only",
            )
        return self

    @property
    def what(self) -> str:
        """Such as `homo` or `density`."""
        if self.orbital is not None:
            return self.orbital
        if self.potential:
            return "electrostatic potential"
        return "density" if self.density else "spin density"


class NoForm(Form):
    """Nothing can be said besides."""


class StoredResult(Subject[ElectronicResult]):
    """A result with electrons, of which geometry and level are meant."""

    name: ClassVar[str] = "result"
    metavar: ClassVar[str] = "IRI"
    stored: ClassVar[bool] = True
    model = ElectronicResult
    form = NoForm
    help: ClassVar[str] = "IRI is that of a result, or of a run, whose last result is meant."

    def label(self, model: ElectronicResult) -> str:
        return f"{model.atoms.formula} at {model.level.label}"

    async def read(self, given: object, said: Form, executor: Executor) -> Given[ElectronicResult]:
        if isinstance(given, ElectronicResult):
            return Given(given)
        asked = f"an orbital or a density of {given} was asked for"
        result = stored_or_last(
            executor.kg, str(given), lambda one: isinstance(one, ElectronicResult)
        )
        if result is None:
            other = stored_or_last(
                executor.kg, str(given), lambda one: isinstance(one, EnergyResult)
            )
            at = (
                f"at {other.level.label}" if isinstance(other, EnergyResult) else "without energies"
            )
            raise NotFoundError(
                asked,
                f"that run is {at}, and has no orbitals here",
                "compute its geometry with Hartree–Fock or a functional, such as "
                "B3LYP/def2-SVP, and give that run",
            )
        if not isinstance(result, ElectronicResult):
            raise NotFoundError(
                asked,
                f"that is a {type(result).__name__}, which has no level of theory",
                "give the IRI of a result or of a run",
            )
        return Given(result)


async def prepare(
    given: Given[ElectronicResult], asked: CubeRequest, executor: Executor, file: str
) -> PreparedAction:
    """Find out which function is meant; Python is handed its `Answer`."""
    result, call = given.model, _call(given.model, asked)

    async def make() -> Product:
        answer: Answer[Any] = await executor.run(call)
        found: OrbitalVolume | DensityVolume | PotentialVolume = answer.result
        shape = tuple(int(count) for count in values_of(found).shape)
        facts: dict[str, Any] = {
            "kind": asked.what,
            "iri": answer.recorded,
            "reused": answer.reused,
            "result": result.iri,
            "level": result.level.label,
            "points": shape,
            "length_unit": "bohr",
            "value_unit": "atomic units",
        }
        points = " × ".join(map(str, shape))
        told = list(_of_surface(found, facts))
        if file.lower().endswith(".png"):
            from .picture import draw, isovalue, reach

            facts["isovalue"] = isovalue(found)
            said = (f"isosurface at ±{isovalue(found):.3g} atomic units, + blue and − red", *told)
            about = f"isovalue ±{isovalue(found):.3g} a.u. (+ blue, - red); {result.level.label}"
            if isinstance(found, PotentialVolume):
                end = facts["colours_end"] = reach(found)
                where = f"density of {isovalue(found):.3g} a.u."
                said = (f"on the {where}: red −{end:g}, white 0, blue +{end:g} Eh/e", *told)
                about = f"red -{end:g}, blue +{end:g} Eh/e on the {where}; {result.level.label}"
            caption = f"{_title(found, asked.what)}\n{about}"
            facts["caption"] = caption
            content = await asyncio.to_thread(draw, found, caption)
            headline = f"{_name(found)} at {result.level.label}"
            return Product(content, answer, facts, said, headline, answer.reused)
        headline = f"{_name(found)} at {result.level.label} ({points} points)"
        text = cube_text(found)
        return Product(text, answer, facts, tuple(told), headline=headline, reused=answer.reused)

    name = "-".join(filter(None, (result.atoms.formula, asked.what, asked.spin)))
    return PreparedAction(make, f"{file_word(name)}.cube")


def _call(result: ElectronicResult, asked: CubeRequest) -> Call[Any]:
    """Return the calculation.

    Raises:
        InputError: the spins share orbitals where they are to be told apart, or it is periodic.
    """
    atoms, level, what = result.atoms, result.level, asked.what
    wish = f"the {what} of {atoms.formula} at {level.label} was asked for"
    if atoms.cell is not None:
        raise InputError(wish, "the structure is periodic", "ask for that of a molecule")
    if asked.orbital is None:
        if asked.spin_density and level.reference == "restricted":
            raise InputError(
                wish,
                "its electrons are all paired: it is zero everywhere",
                "ask for the density, or compute it with another multiplicity or reference",
            )
        if asked.potential:
            return potential_volume.bind(atoms, level, asked.spacing or 2 * SPACING)
        return density_volume.bind(
            atoms, level, "density" if asked.density else "spin density", asked.spacing or SPACING
        )
    if asked.orbital.lower().startswith("somo") and (
        atoms.multiplicity == 1 or asked.spin == "beta"
    ):
        problem = "all electrons are paired" if atoms.multiplicity == 1 else "it is of alpha spin"
        raise InputError(wish, problem, "ask for homo or lumo")
    if asked.spin and level.reference == "restricted":
        problem = f"the spins share orbitals; there is no {asked.spin} one"
        raise InputError(wish, problem, "leave it out")
    return orbital_volume.bind(
        atoms, level, asked.orbital.lower(), asked.spin or "alpha", asked.spacing or SPACING
    )


def _of_surface(
    found: OrbitalVolume | DensityVolume | PotentialVolume, facts: dict[str, Any]
) -> Iterator[str]:
    """Say what the potential is at most and at least on the surface of the molecule."""
    ends = extremes(found) if isinstance(found, PotentialVolume) else None
    if ends:
        low, high = ends
        facts |= {"surface_minimum": low, "surface_maximum": high, "surface_density": SURFACE}
        kcal = HARTREE["kcal/mol"]
        yield (
            f"where the density is {SURFACE:g} a.u.: {low:+.4f} to {high:+.4f} Eh/e = "
            f"{low * kcal:+.1f} to {high * kcal:+.1f} kcal/mol".replace("-", "−")
        )


def _title(found: OrbitalVolume | DensityVolume | PotentialVolume, asked: str) -> str:
    """Return what a picture shows, as it was asked for, in words."""
    if isinstance(found, PotentialVolume):
        return f"{asked} of {found.atoms.formula}"
    if isinstance(found, DensityVolume):
        return f"{found.kind} of {found.atoms.formula}"
    spin = f" ({found.spin})" if found.spin else ""
    number = f"orbital {found.orbital}"
    which = number if asked.isdecimal() else f"{asked.upper()} ({number})"
    return f"{which}{spin} of {found.atoms.formula}: {found.orbital_energy * HARTREE['eV']:.2f} eV"


def _name(found: OrbitalVolume | DensityVolume | PotentialVolume) -> str:
    if isinstance(found, PotentialVolume):
        return f"electrostatic potential of {found.atoms.formula}"
    if isinstance(found, DensityVolume):
        return f"{found.kind} of {found.atoms.formula}"
    spin = f" {found.spin}" if found.spin else ""
    energy = f"{found.orbital_energy:.6f} Eh, occupation {found.occupation:g}"
    return f"orbital {found.orbital}{spin} of {found.atoms.formula}, {energy},"


CUBE = ActionDefinition(
    (CubeRequest,),
    StoredResult(),
    prepare,
    help="As .png its isosurface is drawn. The file is named by formula and kind, such as "
    "H2O-homo.cube, if --output names none.",
    endings=(".cube", ".cub", ".png"),
)
