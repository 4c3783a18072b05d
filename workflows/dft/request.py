"""What is asked of a molecule, as forms: the level of theory, and the tasks.

Command line, Python, tools and routers all fill in these two; nothing is described twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ontologies.excitations import ResponseName, SolventResponse, StateSpin
from ontologies.level import Reference
from ontologies.quantum import Convergence
from ontologies.vibrations import Treatment

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.level import LevelResolution
    from workflows.engine import Call, Goal

    from .situation import Situation

Task: TypeAlias = Literal["energy", "optimise", "frequencies"]

Temperature: TypeAlias = Annotated[float, Field(ge=1, le=1e5, allow_inf_nan=False)]
Pressure: TypeAlias = Annotated[float, Field(ge=1e-6, le=1e12, allow_inf_nan=False)]
States: TypeAlias = Annotated[int, Field(ge=1, le=500)]
Steps: TypeAlias = Annotated[int, Field(ge=1, le=10_000)]


class LevelRequest(BaseModel):
    """The level of theory, as a person names it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: Annotated[str, Field(description="HF or a functional, such as B3LYP-D4.")]
    basis: Annotated[str, Field(description="A basis set, such as def2-TZVP.")]
    reference: Annotated[
        Reference | None,
        Field(description="Orbitals of alpha and beta spin; by the multiplicity if not given."),
    ] = None
    dispersion: Annotated[
        str, Field(description="Correction for dispersion: d3bj, d3zero, d4, vv10 or none.")
    ] = ""
    solvent: Annotated[str, Field(description="A solvent, such as water.")] = ""
    solvation: Annotated[
        str,
        Field(description="C-PCM, COSMO, IEF-PCM, SS(V)PE or SMD; C-PCM if a solvent is given."),
    ] = ""
    dielectric: Annotated[
        float | None,
        Field(gt=1, allow_inf_nan=False, description="Permittivity, in place of a solvent."),
    ] = None
    density_fitting: Annotated[
        bool, Field(description="Fit the Coulomb and exchange integrals.")
    ] = False
    cartesian: Annotated[
        bool, Field(description="Cartesian d and f functions, as in published 6-31G* values.")
    ] = False
    grid: Annotated[
        int | None, Field(ge=0, le=9, description="Integration grid, 0 (coarse) to 9.")
    ] = None
    stable: Annotated[
        bool, Field(description="Leave an unstable SCF solution for a stable one of its own kind.")
    ] = False

    def resolution(self, atoms: ConceptualAtoms) -> Call[LevelResolution]:
        """Return the calculation that finds out what this means for a molecule."""
        from .levels import resolve_level

        closed = atoms.multiplicity == 1
        return resolve_level.bind(
            self.method,
            self.basis,
            self.reference or ("restricted" if closed else "unrestricted"),
            dispersion=self.dispersion,
            solvation=self.solvation,
            solvent=self.solvent,
            dielectric=self.dielectric,
            density_fitting=self.density_fitting,
            cartesian=self.cartesian or None,
            grid_level=self.grid,
            follow_instabilities=self.stable,
        )


class DFTRequest(BaseModel):
    """What is asked of a molecule at a level of theory."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: Annotated[
        Task,
        Field(
            description="energy of the geometry as it is; optimise to a stationary point, not "
            "verified; frequencies of a minimum, and its thermochemistry."
        ),
    ] = "energy"
    analysis: Annotated[
        bool,
        Field(description="Charges, bond orders, orbitals, symmetry, moments."),
    ] = False
    states: Annotated[States | None, Field(description="Excited states, how many.")] = None
    response: Annotated[ResponseName, Field(description="How excited states are found.")] = "TDDFT"
    spin: Annotated[
        StateSpin, Field(description="Spin of the excited states of a closed shell.")
    ] = "singlet"
    solvent_response: Annotated[
        SolventResponse, Field(description="How the solvent follows an excitation.")
    ] = "non-equilibrium"
    stability: Annotated[
        bool,
        Field(description="See if the wavefunction is stable; else go on from one that is."),
    ] = False
    max_steps: Annotated[Steps, Field(description="Steps of an optimisation.")] = 100
    convergence: Annotated[Convergence, Field(description="Thresholds of an optimisation.")] = (
        "normal"
    )
    constraints: Annotated[
        tuple[str, ...],
        Field(description='Held in an optimisation: "freeze 1 2", "distance 1 2 1.5" in Å, "angle '
              '1 2 3 109.5" or "dihedral 1 2 3 4 180" in degrees, atoms counted from 1.'),
    ] = ()  # fmt: skip
    temperature: Annotated[Temperature, Field(description="For thermochemistry, K.")] = 298.15
    pressure: Annotated[Pressure, Field(description="For thermochemistry, Pa.")] = 101325.0
    symmetry_number: Annotated[
        int, Field(ge=0, le=120, description="For thermochemistry; 0 for that of the geometry.")
    ] = 0
    treatment: Annotated[Treatment, Field(description="Soft modes in thermochemistry.")] = (
        "harmonic"
    )

    force: Annotated[bool, Field(description="Start however long it is estimated to take.")] = False

    @field_validator("constraints")
    @classmethod
    def _readable(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        from .constraint_text import read_constraint

        for text in given:
            read_constraint(text)
        return given

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.constraints and self.task != "optimise":
            raise ValueError("constraints are for the task optimise")
        return self

    def goal(self) -> Goal:
        """Return what is to be reached."""
        from workflows.engine import Goal

        match self.task:
            case "energy":
                text = "an energy at this geometry"
            case "optimise" if self.constraints:
                text = "a geometry relaxed under constraints"
            case "optimise":
                text = "a stationary geometry"
            case "frequencies":
                text = "the frequencies of a minimum"
        more = {
            "the analysis of its wavefunction": self.analysis,
            f"{self.states} excited states": self.states is not None,
            "a stable wavefunction": self.stability,
        }
        wanted = [text, *(words for words, asked in more.items() if asked)]
        return Goal(" and ".join(wanted), self._reached)

    def _reached(self, at: Situation) -> bool:
        from .situation import STANDING

        standing = ("constrained",) if self.constraints else STANDING
        done = {
            "energy": at.energy,
            "optimise": at.geometry in standing,
            "frequencies": at.thermochemistry,
        }[self.task]
        return (
            done
            and (at.analysed or not self.analysis)
            and (at.excited or not self.states)
            and (at.stable or not self.stability)
        )
