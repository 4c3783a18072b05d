"""Levels: which programs there are, what each can compute at its levels, and how they are named.

A folder of `workflows`, or a package that names itself at the entry point `grafico.levels`, that
brings a class of levels says in its `__init__` where its program is, as text, so that nothing is
imported before somebody asks::

    LEVELS = {"TightBinding": "workflows.tightbinding.program:TBLITE"}

A step of a graph asks the level of the state for its calculation (``offered(level).energy(…)``), so
that no step knows which program it is.
"""

from __future__ import annotations

import functools
import importlib
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, cast

from pydantic.fields import FieldInfo

from ogm import GraphModel
from ontologies.level import Level, ResolvedLevel
from triplestore.errors import ComponentError, InputError
from workflows.engine.request.form import Form
from workflows.engine.request.rules import Short
from workflows.registry.packages import LEVELS, declaring
from workflows.registry.references import Cited, Described
from workflows.text.names import plain
from workflows.text.words import listed

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.crystals import CrystalRelaxation
    from ontologies.quantum import (
        Convergence,
        EnergyResult,
        GeometryConstraints,
        RelaxedGeometry,
    )
    from ontologies.reactions import Conserved
    from ontologies.transition import ElasticBand, PathBranch, SaddleSearch
    from ontologies.vibrations import VibrationalAnalysis
    from ontologies.wavefunction import StabilityAnalysis
    from workflows.dft.request.forms import DFTRequest
    from workflows.engine import Calculation, Call, Executor
    from workflows.engine.request.cost import Cost, Granted
    from workflows.registry.properties import Property

LevelT = TypeVar("LevelT", bound=Level)


def split_level(text: str) -> dict[str, str]:
    """Return the method, and the basis set if it has one, of a level as in `B3LYP-D4/def2-TZVP`.

    Raises:
        InputError: it names no method, or more than a method and a basis set.
    """
    parts = [part.strip() for part in text.split("/")]
    if len(parts) > 2 or not all(re.match(r"\w", part) for part in parts):
        raise InputError(
            f"the level {text[:80]!r} was asked for",
            "a level is a method, or a method and a basis set",
            "write it as in B3LYP-D4/def2-TZVP or GFN2-xTB; what else it has is said by itself",
        )
    return dict(zip(("method", "basis"), parts, strict=False))


def _with_basis(text: str) -> dict[str, str]:
    return split_level(text) if "/" in text else {"method": text}


class LevelForm(Form):
    """The level of theory, as a person names it; the method decides what else can be said.

    This class stands for the forms of all programs: filled in, it is that of one of them.
    """

    method: str

    shorts = MappingProxyType(
        {
            "level": Short(split_level, "Method and basis set in a word: B3LYP-D4/def2-TZVP."),
            "method": Short(_with_basis),
        }
    )

    @classmethod
    def variants(cls) -> tuple[type[Self], ...]:
        if cls is not LevelForm:
            return (cls,)
        forms = (*(program.form for program in programs()), StoredLevel)
        return cast("tuple[type[Self], ...]", forms)

    @classmethod
    def variant(cls, values: Mapping[str, object]) -> type[Self]:
        if cls is not LevelForm:
            return cls
        return cast("type[Self]", program_of(str(values.get("method", ""))).form)

    @classmethod
    def recovered(cls, about: Sequence[GraphModel]) -> Self | None:
        levels = [one for one in about if isinstance(one, Level)]
        if len(levels) != 1:
            return None
        return cast("Self", StoredLevel(method=levels[0].method, level=levels[0].iri))

    @classmethod
    def lacking(cls, noun: str, values: Mapping[str, object]) -> str:
        return f"{values.get('method')} has no {noun}"

    def resolution(self, atoms: ConceptualAtoms) -> Call[ResolvedLevel]:
        """Return the calculation that finds out what this means for a molecule."""
        raise NotImplementedError

    async def resolve(self, atoms: ConceptualAtoms, executor: Executor) -> ResolvedLevel:
        """Return what this means for a molecule.

        Raises:
            InputError: there is no such level.
        """
        return (await executor.run(self.resolution(atoms))).result

    def in_words(self) -> dict[str, Any]:
        """Return what was said, as it may be asked of another molecule."""
        fields = type(self).offered()
        return {
            name: value
            for name, value in self
            if name in fields and (fields[name].is_required() or value != fields[name].default)
        }

    def comparing_spins(self) -> Self:
        """Return the form with which multiplicities of a molecule can be compared."""
        return self


class StoredLevel(LevelForm):
    """A level as it is stored: that of a run which did not record how it was asked for."""

    level: str

    @classmethod
    def offered(cls) -> dict[str, FieldInfo]:
        return {}

    async def resolve(self, atoms: ConceptualAtoms, executor: Executor) -> ResolvedLevel:
        return ResolvedLevel(method=self.method, level=executor.kg.pull(Level, self.level))


class Program(ABC, Generic[LevelT]):
    """What computes the levels of one class.

    Attributes:
        calculations: where each of the calculations below is that it has, by the name of the
            method, and those of properties by their names, as `module:attribute`; a module beside
            its own may begin with a dot.
        form: how a person names one of its levels.
        methods: what it computes, in words, for people who ask for what there is not.
        energy_share: what the energy alone of a crystal takes of the time of one with forces.
        usual: takes the methods that no other program recognises, to say what is wrong with them.
        orbitals: whether its levels have any; without them there is no gap between them.
    """

    calculations: ClassVar[Mapping[str, str]] = {}
    form: ClassVar[type[LevelForm]]
    methods: ClassVar[tuple[str, ...]]
    energy_share: ClassVar[float] = 1.0
    usual: ClassVar[bool] = False
    orbitals: ClassVar[bool] = True

    @property
    def forces(self) -> bool:
        """Whether it can relax geometries."""
        return "optimise" in self.calculations

    @abstractmethod
    def recognises(self, method: str) -> bool:
        """Return whether a method is its own, by its name alone; takes no time."""

    def _has(self, name: str, lacking: InputError | None = None) -> Calculation[..., Any]:
        """Return one of its calculations, loaded when it is asked for; raise what it lacks."""
        if name not in self.calculations:
            raise lacking or NotImplementedError(f"{type(self).__name__} has no {name}")
        return self._at(self.calculations[name])

    def _at(self, place: str) -> Calculation[..., Any]:
        module, _, attribute = place.partition(":")
        beside = type(self).__module__.rpartition(".")[0]
        return getattr(importlib.import_module(module, beside), attribute)

    def calculation(self, name: str) -> Calculation[..., Any]:
        """Return one of its calculations by the name of the method that binds it.

        Raises:
            NotImplementedError: it has no such calculation.
        """
        return self._has(name)

    def energy(self, atoms: ConceptualAtoms, level: LevelT) -> Call[EnergyResult]:
        """Return the calculation of the energy at a geometry, of a crystal that of its cell."""
        crystal = atoms.is_periodic and "crystal_energy" in self.calculations
        return self._has("crystal_energy" if crystal else "energy").bind(atoms, level)

    def cell_energy(self, atoms: ConceptualAtoms, level: LevelT) -> Call[EnergyResult]:
        """Return the calculation of the energy alone of a crystal; one with forces for want of it.

        Raises:
            InputError: it computes no crystals.
        """
        name = "cell_energy" if "cell_energy" in self.calculations else "crystal_energy"
        return self._has(name, self.without_crystals(atoms, level)).bind(atoms, level)

    def relax_crystal(
        self, atoms: ConceptualAtoms, level: LevelT, max_steps: int = 100, **wish: Any
    ) -> Call[CrystalRelaxation]:
        """Return the calculation that relaxes a crystal, see `CrystalCalculations`."""
        return self._has("relax_crystal", self.without_crystals(atoms, level)).bind(
            atoms, level, max_steps, **wish
        )

    def without_crystals(self, atoms: ConceptualAtoms, level: LevelT) -> InputError:
        """Return the error of what is asked of a crystal where only molecules are computed."""
        return InputError(
            f"{level.label} of {atoms.formula} was asked for",
            f"it is a crystal, and {level.method} is computed of molecules here",
            f"of crystals there are {of_crystals()}; or cut a molecule out of it",
        )

    def optimise(
        self,
        atoms: ConceptualAtoms,
        level: LevelT,
        max_steps: int = 100,
        *,
        convergence: Convergence = "normal",
        constraints: GeometryConstraints | None = None,
    ) -> Call[RelaxedGeometry]:
        """Return the calculation that relaxes a geometry; of those that have it."""
        return self._has("optimise", self.without_forces(level)).bind(
            atoms, level, max_steps, convergence=convergence, constraints=constraints
        )

    def frequencies(self, atoms: ConceptualAtoms, level: LevelT) -> Call[VibrationalAnalysis]:
        """Return the calculation of the vibrations at a geometry; likewise."""
        return self._has("frequencies", self.without_forces(level)).bind(atoms, level)

    def saddle_point(
        self,
        atoms: ConceptualAtoms,
        level: LevelT,
        max_steps: int = 100,
        *,
        convergence: Convergence = "normal",
    ) -> Call[SaddleSearch]:
        """Return the calculation that leads a geometry to a saddle point; of those that have it."""
        return self._has("saddle_point", self.without_saddles(level)).bind(
            atoms, level, max_steps, convergence=convergence
        )

    def reaction_path(
        self, frequencies: VibrationalAnalysis, forward: bool, max_steps: int = 200
    ) -> Call[PathBranch]:
        """Return the calculation of one side of a saddle point's reaction path; likewise."""
        lacking = self.without_saddles(cast("LevelT", frequencies.level))
        return self._has("reaction_path", lacking).bind(frequencies, forward, max_steps)

    def elastic_band(
        self, initial: ConceptualAtoms, final: ConceptualAtoms, level: LevelT, images: int = 9
    ) -> Call[ElasticBand]:
        """Return the calculation of an elastic band between two minima; likewise."""
        return self._has("elastic_band", self.without_saddles(level)).bind(
            initial, final, level, images
        )

    def without_saddles(self, level: LevelT) -> InputError:
        """Return the error of what needs a search for saddle points where there is none."""
        return InputError(
            f"a transition state at {level.label} was asked for",
            f"{level.method} has no search for saddle points here",
            "ask for Hartree–Fock, a functional or GFN2-xTB",
        )

    def without_forces(self, level: LevelT) -> InputError:
        """Return the error of what needs forces where there are none."""
        return InputError(
            f"a relaxed geometry or vibrations at {level.label} were asked for",
            f"{level.method} has no forces here",
            "ask for the task energy, or for another method",
        )

    def place_of(self, wanted: Property, kind: type[Level]) -> str:
        """Return where a property of levels of a class is computed; empty where it is not."""
        places = {cls.__name__: wanted.calculations.get(cls.__name__) for cls in kind.__mro__}
        found = (self.calculations.get(wanted.name), *places.values())
        return next(filter(None, found), "")

    def property_of(
        self, wanted: Property, atoms: ConceptualAtoms, level: LevelT, asked: Mapping[str, Any]
    ) -> Call[EnergyResult]:
        """Return the calculation of a property; of levels that have it.

        Args:
            wanted: the property.
            atoms: the geometry.
            level: the level.
            asked: what else the calculation takes, in its order.
        """
        found = self._at(self.place_of(wanted, type(level)))
        names = list(found.signature.parameters)[2:]
        return found.bind(atoms, level, **dict(zip(names, asked.values(), strict=True)))

    def below(self, level: LevelT, found: StabilityAnalysis) -> LevelT:
        """Return the level at which the stable solution below an unstable one is found."""
        raise NotImplementedError

    def check(self, atoms: ConceptualAtoms, level: LevelT, request: DFTRequest) -> None:
        """Check that a request can be met at a level, before anything runs.

        Raises:
            GraficoError: it cannot.
        """
        return

    def remarks(self, atoms: ConceptualAtoms, level: LevelT) -> tuple[str, ...]:
        """Return what a person should know of results for a molecule at a level, in words."""
        return ()

    def counts_from_free_particles(self, level: LevelT) -> bool:
        """Return whether energies count from nuclei and electrons at rest, infinitely far apart.

        Only then do they fit energies from outside: of a bare proton, of an electron in vacuum, of
        an electrode. False unless a program says otherwise: a tight-binding method or a force field
        has a zero of its own, and a potential whose zero nobody states cannot be trusted with it.
        """
        return False

    def described(self, level: LevelT, numbers: Sequence[int]) -> Described:
        """Return a level in words for a methods section, and what is cited for its parts.

        Args:
            level: the level.
            numbers: atomic numbers of the elements that were computed at it.
        """
        return Described((Cited(f"the method {level.method}"),))

    def of_reactions(self, level: LevelT, kept: Conserved) -> tuple[str, ...]:
        """Return what a person should know of the energies of reactions at a level, in words.

        Args:
            level: of the energies.
            kept: what both sides have as many of: `nothing` where bonds break into radicals.
        """
        return ()

    @abstractmethod
    def is_short(self, atoms: ConceptualAtoms, level: LevelT, request: DFTRequest) -> bool:
        """Return whether a request takes less than a minute, whatever the details."""

    @abstractmethod
    def cost(
        self, atoms: ConceptualAtoms, level: LevelT, request: DFTRequest, granted: Granted
    ) -> Cost:
        """Return what a request will take.

        Raises:
            InputError: the level does not suit the elements.
        """


@dataclass(frozen=True)
class Programs:
    """The programs that are installed.

    Attributes:
        places: where each is, as `module:attribute`, by the name of its class of levels.
        broken: packages that were left out, each with the reason.
    """

    places: Mapping[str, str]
    broken: Mapping[str, str]


@functools.cache
def declared() -> Programs:
    """Return where the programs of the folders of `workflows` and of installed packages are."""
    places: dict[str, str] = {}
    broken: dict[str, str] = {}
    for place, module in declaring(LEVELS):
        if isinstance(module, Exception):
            broken[place] = f"{type(module).__name__}: {module}"
            continue
        for name, where in getattr(module, "LEVELS", {}).items():
            if name in places:
                broken[f"{place}: {name}"] = f"levels of that name are those of {places[name]}"
            else:
                places[name] = where
    return Programs(places, broken)


@functools.cache
def _loaded(where: str) -> Program[Any]:
    module, _, attribute = where.partition(":")
    try:
        target = getattr(importlib.import_module(module), attribute)
        if not isinstance(target, Program):
            raise TypeError(f"{where} is no Program")
    except Exception as error:  # whatever a package does wrong, the others work
        raise ComponentError(
            f"levels of {where} were asked for",
            f"it cannot be used: {type(error).__name__}: {error}",
            "mend or reinstall the package that brings it",
        ) from error
    return cast("Program[Any]", target)


def programs() -> tuple[Program[Any], ...]:
    """Return the programs that can be used; one that is broken is left out."""
    return tuple(_by_class().values())


def _by_class() -> dict[str, Program[Any]]:
    """Return them by the names of their classes of levels."""
    found: dict[str, Program[Any]] = {}
    for name, where in declared().places.items():
        with suppress(ComponentError):
            found[name] = _loaded(where)
    return found


def having(wanted: Property) -> str:
    """Return the methods that have a property, in words."""
    return listed(
        [
            method
            for name, one in _by_class().items()
            if name in wanted.calculations or wanted.name in one.calculations
            for method in one.methods
        ]
    )


def offered(level: LevelT) -> Program[LevelT]:
    """Return the program of a level: what can be computed at it.

    Raises:
        ComponentError: no program that is installed computes such levels.
    """
    known = declared()
    for cls in type(level).__mro__:
        if cls.__name__ in known.places:
            return _loaded(known.places[cls.__name__])
    left = "".join(f"; {place} was left out: {why}" for place, why in known.broken.items())
    raise ComponentError(
        f"a calculation at {level.label} ({type(level).__name__}) was asked for",
        f"no program for such levels is installed{left}",
        "install the package that brings it",
    )


def on_reactions(level: Level, kept: Conserved) -> tuple[str, ...]:
    """Return what to know of the energies of reactions; nothing where no program is installed.

    Args:
        level: of the energies, which may be those of a store from elsewhere.
        kept: what both sides have as many of.
    """
    try:
        return offered(level).of_reactions(level, kept)
    except ComponentError:
        return ()


def program_of(method: str) -> Program[Any]:
    """Return the program that computes a method, or else the one that says what is wrong with it.

    Raises:
        ComponentError: there is none.
    """
    installed = programs()
    for program in installed:
        if program.recognises(method):
            return program
    for program in installed:
        if program.usual:
            return program
    raise ComponentError(
        f"the method {method!r} was asked for",
        f"this installation computes {computed() or 'nothing'}",
        "ask for one of these",
    )


def computed() -> str:
    """Return what there is, in words."""
    return listed([method for program in programs() for method in program.methods])


def of_crystals() -> str:
    """Return the methods that crystals are computed at, in words."""
    there = (one for one in programs() if "crystal_energy" in one.calculations)
    return listed([method for program in there for method in program.methods])


def others() -> dict[str, str]:
    """Return the methods besides those of the usual program, by their plain spellings."""
    named = (method for one in programs() if not one.usual for method in one.methods)
    return {plain(method): method for method in named}
