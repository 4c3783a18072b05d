"""What is asked of a molecule, as forms: the level of theory, and the tasks.

Command line, Python, tools and routers all fill in these two; nothing is described twice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import Field, field_validator

from ogm import Unit
from ontologies.crystals import Optimiser
from ontologies.level import Reference
from ontologies.quantum import Convergence
from ontologies.vibrations import Treatment
from triplestore.errors import InputError
from workflows.engine.request.form import Form
from workflows.engine.request.rules import (
    Called,
    Elsewhere,
    For,
    Known,
    Ladder,
    OtherNames,
    Personal,
    Rare,
    Words,
)
from workflows.molecule.electrons import check_electrons
from workflows.molecule.subject import ReadingWithSpin
from workflows.registry.levels import LevelForm
from workflows.registry.properties import Property, loaded
from workflows.registry.spoken_tasks import otherwise_asked
from workflows.text.words import listed

from .basis_sets import BASIS_SETS
from .besides import asking_for, usable

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.level import Level, LevelResolution
    from workflows.engine import Call, Goal

    from ..graphs.situation import Situation

Task: TypeAlias = Literal["energy", "optimise", "frequencies"]

MAX_STEPS = OtherNames(("maxiter", "max_iter", "max_iterations", "maxsteps", "nsteps"))
TEMPERATURE = OtherNames(("temp", "t"))
METHOD = OtherNames(("functional", "xc", "theory", "dft"))
METHODS = Known("workflows.dft.level.functionals:known_methods")
BASIS = OtherNames(("basis_set", "basisset", "bas"))

Temperature: TypeAlias = Annotated[float, TEMPERATURE, Field(ge=1, le=1e5, allow_inf_nan=False)]
Pressure: TypeAlias = Annotated[float, Field(ge=1e-6, le=1e12, allow_inf_nan=False)]
Steps: TypeAlias = Annotated[int, Field(ge=1, le=10_000)]
Force: TypeAlias = Annotated[
    bool, Personal(), Field(description="Start however long it is estimated to take.")
]

IN_WORDS = Words(
    {
        "energy": ("sp", "singlepoint", "singlepointenergy"),
        "optimise": (
            "opt",
            "optimize",
            "optimisation",
            "optimization",
            "geometryoptimization",
            "geometryoptimisation",
            "relax",
        ),
        "frequencies": (
            "freq",
            "freqs",
            "frequency",
            "vibrations",
            "optfreq",
            "optfrequencies",
            "optimisefreq",
            "optimisefrequencies",
            "optimizefreq",
            "optimizefrequencies",
            "freqopt",
            "thermo",
            "thermochemistry",
        ),
        "restricted": ("r", "rhf", "rks", "rdft", "closedshell"),
        "unrestricted": ("u", "uhf", "uks", "udft"),
        "restricted open-shell": ("ro", "rohf", "roks", "rodft"),
        "quasi-RRHO": ("qrrho", "quasiharmonic", "grimme"),
        "harmonic": ("rrho",),
    }
)
"""What else people write for the choices."""

OPTIMISING = For("task", ("optimise",))
RELAXING = For("task", ("optimise", "frequencies"))
VIBRATING = For("task", ("frequencies",))

SpinOrbit: TypeAlias = Annotated[
    bool,
    VIBRATING,
    Rare(),
    Field(
        description="Lower enthalpy and Gibbs energy of atoms and diatomic molecules by "
        "spin–orbit coupling, as it was measured."
    ),
]
"""Of all that computes thermochemistry."""


class LevelRequest(LevelForm):
    """The level of Hartree–Fock or a functional, as a person names it."""

    method: Annotated[str, METHOD, METHODS, Field(description="HF or a functional (B3LYP-D4).")]
    basis: Annotated[
        str,
        BASIS,
        Called("basis set"),
        BASIS_SETS,
        Known("workflows.dft.level.bases:known_bases"),
        Field(description="A basis set, such as def2-TZVP, or a file."),
    ]
    reference: Annotated[
        Reference | None,
        IN_WORDS,
        Called("choice of reference"),
        Rare(),
        Field(description="Orbitals of alpha and beta spin; by the multiplicity if not given."),
    ] = None
    dispersion: Annotated[
        str,
        OtherNames(("disp",)),
        Called("other dispersion than its own"),
        Rare(),
        Field(description="Correction for dispersion: d3bj, d3zero, d4, vv10 or none."),
    ] = ""
    solvent: Annotated[
        str,
        Known("workflows.dft.level.solvents:known_solvents"),
        Field(description="A solvent, such as water."),
    ] = ""
    solvation: Annotated[
        str,
        OtherNames(("solvent_model", "solvation_model", "pcm_model")),
        Rare(),
        Field(description="C-PCM, COSMO, IEF-PCM, SS(V)PE or SMD; C-PCM if a solvent is given."),
    ] = ""
    dielectric: Annotated[
        float | None,
        OtherNames(("epsilon", "eps", "permittivity", "dielectric_constant")),
        Rare(),
        Field(gt=1, allow_inf_nan=False, description="Permittivity, in place of a solvent."),
    ] = None
    density_fitting: Annotated[
        bool,
        OtherNames(("ri", "df", "rij", "rijcosx", "density_fit")),
        Rare(),
        Field(description="Fit the Coulomb and exchange integrals."),
    ] = False
    cartesian: Annotated[
        bool,
        Rare(),
        Called("Cartesian functions"),
        Field(description="Cartesian d and f functions, as in published 6-31G* values."),
    ] = False
    grid: Annotated[
        int | None,
        Rare(),
        Called("integration grid"),
        Ladder(((3, 4, 5, 6, 7, 8, 9),)),
        Field(ge=0, le=9, description="Integration grid, 0 (coarse) to 9."),
    ] = None
    stable: Annotated[
        bool,
        Called("other solution of an SCF"),
        Rare(),
        Field(description="Leave an unstable SCF solution for a stable one of its own kind."),
    ] = False

    @field_validator("basis")
    @classmethod
    def _read(cls, given: str) -> str:
        """Take in what files hold, so that the request means the same without them."""
        if not re.search(r"[\n/\\;.]", given):
            return given
        from workflows.dft.level.own_basis import settled

        return settled(given)

    def resolution(self, atoms: ConceptualAtoms) -> Call[LevelResolution]:
        """Return the calculation that finds out what this means for a molecule."""
        from ..level.resolving import resolve_level

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

    def comparing_spins(self) -> LevelRequest:
        """Return the form with which multiplicities of a molecule can be compared.

        Where stable solutions are wanted all are unrestricted: a singlet of two unpaired electrons
        is found as a broken-symmetry solution only, and only by leaving the closed shell.
        """
        if self.stable and self.reference is None:
            return self.model_copy(update={"reference": "unrestricted"})
        return self


class _Task(Form):
    """What is asked of a molecule at a level of theory."""

    task: Annotated[
        Task,
        IN_WORDS,
        Elsewhere(otherwise_asked),
        OtherNames(("job", "jobtype", "job_type", "calculation", "calc", "runtype")),
        Field(
            description="energy of the geometry as it is; optimise to a stationary point, not "
            "verified; frequencies of a minimum, and its thermochemistry."
        ),
    ] = "energy"


class _Conditions(Form):
    """How a task is done."""

    max_steps: Annotated[
        Steps, RELAXING, MAX_STEPS, Field(description="Steps of an optimisation.")
    ] = 100
    convergence: Annotated[
        Convergence, RELAXING, Rare(), Field(description="Thresholds of an optimisation.")
    ] = "normal"
    constraints: Annotated[
        tuple[str, ...],
        OPTIMISING,
        Rare(),
        Field(
            description='Held in an optimisation: "freeze 1 2", "distance 1 2 1.5" in Å, "angle '
            '1 2 3 109.5" or "dihedral 1 2 3 4 180" in degrees, atoms counted from 1.'
        ),
    ] = ()
    relax_cell: Annotated[
        bool,
        OPTIMISING,
        Rare("crystals"),
        Field(description="Of a crystal: relax the lattice vectors too."),
    ] = False
    external_pressure: Annotated[
        float,
        OPTIMISING,
        Rare("crystals"),
        Unit("GigaPA"),
        Field(
            ge=-1e3,
            le=1e3,
            allow_inf_nan=False,
            description="Of a crystal: what its cell is relaxed under, GPa.",
        ),
    ] = 0.0
    keep_symmetry: Annotated[
        bool, OPTIMISING, Rare("crystals"), Field(description="Of a crystal: keep its space group.")
    ] = False
    hydrogens_first: Annotated[
        bool,
        OPTIMISING,
        Rare("crystals"),
        Field(description="Of a crystal: relax hydrogens before anything else, as X-rays need."),
    ] = False
    optimiser: Annotated[
        Optimiser,
        OPTIMISING,
        Rare("crystals"),
        Field(description="Of a crystal: which one of ASE."),
    ] = "LBFGS"
    temperature: Annotated[
        Temperature, VIBRATING, Unit("K"), Field(description="For thermochemistry, K.")
    ] = 298.15
    pressure: Annotated[
        Pressure, VIBRATING, Unit("PA"), Rare(), Field(description="For thermochemistry, Pa.")
    ] = 101325.0
    symmetry_number: Annotated[
        int,
        VIBRATING,
        Rare(),
        Field(ge=0, le=120, description="For thermochemistry; 0 for that of the geometry."),
    ] = 0
    treatment: Annotated[
        Treatment, VIBRATING, IN_WORDS, Rare(), Field(description="Soft modes in thermochemistry.")
    ] = "harmonic"
    spin_orbit: SpinOrbit = False
    force: Force = False

    @field_validator("constraints")
    @classmethod
    def _readable(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        from workflows.geometry.constraint_text import read_constraint

        for text in given:
            read_constraint(text)
        return given


STEPS = ("SinglePoint", "Optimise", "RelaxCrystal", "Frequencies", "Thermochemistry", "Displace")
"""The steps that no property brings, see `graphs.steps`."""

OWN = (_Task, _Conditions, LevelRequest, ReadingWithSpin)
PROPERTIES = usable({*STEPS, *(name for form in OWN for name in form.model_fields)})
"""What can be asked besides a task, where the level has it."""


class DFTRequest(_Conditions, asking_for(_Task, PROPERTIES)):
    """What is asked of a molecule at a level of theory."""

    @property
    def wanted(self) -> tuple[Property, ...]:
        """What is asked for besides the task."""
        return tuple(one for one in PROPERTIES if getattr(self, one.name))

    def check(self, atoms: ConceptualAtoms, level: Level) -> None:
        """Check that this can be asked of a molecule at a level of theory, before anything runs.

        Raises:
            InputError: it cannot.
            RecipeError: the program has no such calculation for the molecule.
        """
        from workflows.geometry.constraint_text import constraints_of
        from workflows.registry.levels import having, offered

        check_electrons(atoms)
        program = offered(level)
        if self.task != "energy" and not program.forces:
            raise program.without_forces(level)
        for one in self.wanted:
            if not program.place_of(one, type(level)):
                value = getattr(self, one.name)  # perhaps of a workflow that always asks for it
                raise InputError(
                    f"{one.words_of_goal(value).removeprefix('its ')} at {level.label} "
                    f"{'were' if one.verb == 'are' else 'was'} asked for",
                    f"{level.method} has no {one.called} here",
                    f"ask for another method ({having(one)}), or do without",
                )
        held = constraints_of(self.constraints, atoms)
        if held is not None:
            from workflows.geometry.feasibility import check_reach

            check_reach(held, atoms)
        program.check(atoms, level, self)
        if atoms.is_periodic:
            self._check_crystal(atoms, level)
        else:
            refuse_of_molecules(self, atoms)
        for check in (one.check for one in self.wanted if one.check):
            loaded(check)(atoms, level, self)

    def _check_crystal(self, atoms: ConceptualAtoms, level: Level) -> None:
        from workflows.crystal.relaxing import Wish
        from workflows.registry.levels import offered

        if self.task == "frequencies":
            raise InputError(
                f"vibrations of {atoms.formula} were asked for",
                "it is a crystal; those of molecules are computed here",
                "ask for the task energy or optimise, or cut a molecule out of it",
            )
        if self.task == "optimise":
            wish = crystal_wish(self, atoms)
            Wish(**wish).check(atoms)
            offered(level).relax_crystal(atoms, level, **wish)

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
        asked = self.wanted
        words = (one.words_of_goal(getattr(self, one.name)) for one in asked)
        idle = frozenset(one.node for one in PROPERTIES if one not in asked)
        return Goal(listed([text, *words]), self._reached, idle)

    def _reached(self, at: Situation) -> bool:
        from ..graphs.situation import STANDING

        standing = ("constrained",) if self.constraints else STANDING
        done = {
            "energy": at.energy,
            "optimise": at.geometry in standing,
            "frequencies": at.thermochemistry,
        }[self.task]
        return done and all(one.name in at.known for one in self.wanted)


OF_CRYSTALS = (
    "relax_cell",
    "external_pressure",
    "keep_symmetry",
    "hydrogens_first",
    "optimiser",
)
"""What is asked of crystals alone."""


def crystal_wish(asked: Any, atoms: ConceptualAtoms) -> dict[str, Any]:
    """Return what a form or a step asks of the relaxation of a crystal.

    Raises:
        InputError: the constraints do not fit it.
    """
    from workflows.geometry.constraint_text import constraints_of

    same = {name: getattr(asked, name) for name in ("max_steps", "convergence", *OF_CRYSTALS)}
    return same | {"constraints": constraints_of(asked.constraints, atoms)}


def refuse_of_molecules(asked: DFTRequest, atoms: ConceptualAtoms) -> None:
    """Refuse what is asked of crystals alone, of a molecule."""
    fields = type(asked).model_fields
    said = [one for one in OF_CRYSTALS if getattr(asked, one) != fields[one].default]
    if said:
        raise InputError(
            f"{listed([one.replace('_', ' ') for one in said])} was asked for {atoms.formula}",
            "it is a molecule, and has no cell",
            "give a crystal, a file or a name such as silicon crystal, or leave it out",
        )
