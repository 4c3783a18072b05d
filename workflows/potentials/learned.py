"""What learned potentials have in common, whichever package computes them.

Nothing here imports PyTorch before a crystal is computed.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportMissingImports=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import hashlib
import io
import warnings
from abc import abstractmethod
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.factors import BOHR, HARTREE
from ontologies.potentials import LearnedPotential
from ontologies.units import Floats
from triplestore.errors import ComponentError, InputError
from workflows.crystal.surface import CrystalSurface, Solved, check_crystal
from workflows.engine import Backend, context
from workflows.engine.request.cost import Cost
from workflows.registry.levels import Program
from workflows.registry.references import Cited, Described, cited
from workflows.text.names import plain
from workflows.text.words import count

from .dispersion import dispersion_at

if TYPE_CHECKING:
    from workflows.dft.request.forms import DFTRequest
    from workflows.engine.request.cost import Granted

PotentialT = TypeVar("PotentialT", bound=LearnedPotential)


def installed(package: str) -> str:
    """Return the version of a package, without importing it; empty where it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


@dataclass(frozen=True)
class Package:
    """What computes learned potentials of one kind.

    Attributes:
        title: as people call it.
        extra: of Grafico, that installs it.
        packages: distributions whose versions belong in the record, its own first.
        known: returns the symbols of the elements that a level was trained on.
        models: the trained models in it, by their plain spellings.
    """

    title: str
    extra: str
    packages: tuple[str, ...]
    known: Callable[[Any], Collection[str]]
    models: Collection[str] = ()

    def model_in(self, method: str) -> str | None:
        """Return the trained model that a method names with the potential, as in SevenNet-l3i5.

        Empty where it names none; None where the method is another.
        """
        if not (spelt := plain(method)).startswith(title := plain(self.title)):
            return None
        model = spelt.removeprefix(title)
        return model if not model or model in self.models else None

    def model_asked(self, method: str, model: str) -> str:
        """Return the trained model that is meant; empty where none is named.

        Args:
            method: which may name it.
            model: as it is named beside.

        Raises:
            InputError: two are named.
        """
        named = self.model_in(method) or ""
        if model and named and plain(model) != named:
            raise InputError(
                f"{method} with the trained model {model} was asked for",
                "these are two models",
                f"ask for {self.title} with one of them",
            )
        return model or named

    @property
    def advice(self) -> str:
        """What it takes to have it."""
        return (
            f"pip install 'grafico-chem[{self.extra}]', which takes about 6 GB on Linux, as "
            "PyTorch brings the libraries of graphics cards on every machine (its pages tell of a "
            "smaller one for processors alone); or ask for GFN1-xTB"
        )

    def backend(self) -> Backend:
        """Return what its calculations are computed by."""
        return Backend(
            name=plain(self.title),
            epoch=f"1, torch {installed('torch') or 'none'}",  # another one moves the numbers
            preload=("workflows.crystal.relaxing",),  # PyTorch only in the process that computes
            packages=self.packages,
        )

    def required(self, asked: str) -> str:
        """Return the version that is installed, without importing it.

        Raises:
            ComponentError: it is not there, or PyTorch is not.
        """
        version = installed(self.packages[0])
        if not version or not installed("torch"):
            lacking = "PyTorch" if version else self.title
            raise ComponentError(asked, f"{lacking} is not installed", self.advice)
        return version

    def check_version(self, version: str, asked: str) -> None:
        """Check that a version is the one that is installed.

        Raises:
            ComponentError: it is another, or none is there.
        """
        if (here := self.required(asked)) != version:
            raise ComponentError(
                asked,
                f"{self.title} {version} was asked for, and {here} is installed",
                f"ask for {self.title} again, or install that version",
            )

    def check_crystal(self, atoms: ConceptualAtoms, level: LearnedPotential) -> None:
        """Check that a crystal is one that a level can be asked for.

        Raises:
            InputError: it is a molecule, or has an element that was not trained on.
        """
        asked = f"{level.label} of {atoms.formula} was asked for"
        if not atoms.is_periodic:
            raise InputError(
                asked,
                f"{level.method} is computed of crystals here, and this is a molecule",
                "ask for GFN2-xTB, which is faster and made for molecules, or give a crystal",
            )
        check_crystal(atoms, asked, paired=False)
        known = self.known(level)
        if strange := sorted(set(atoms.symbols).difference(known)):
            few = [one for one in SYMBOLS if one in known][:12]
            more = " …" if len(known) > len(few) else ""
            raise InputError(
                asked,
                f"it was not trained on {', '.join(strange)}, but on {', '.join(few)}{more}",
                "ask for another method, such as GTH-PBE with k-points for a small cell",
            )

    @contextmanager
    def loading(self, asked: str) -> Generator[None]:
        """Let it be imported, with the threads that were granted and without what it says.

        Raises:
            ComponentError: it cannot be imported.
        """
        with redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                import torch

                torch.set_num_threads(context().threads)
                yield
            except (ImportError, OSError, ValueError) as error:  # PyTorch raises all of them
                found = f"{self.title} cannot be loaded: {error}"
                raise ComponentError(asked, found, self.advice) from error


class LearnedSurface(CrystalSurface[PotentialT]):
    """A learned potential of a crystal, at one geometry after the other, on the processor.

    Attributes:
        package: that computes it.

    Raises:
        InputError: see `Package.check_crystal`.
        ComponentError: the package is not there, or in another version than the level's.
    """

    paired: ClassVar[bool] = False
    package: ClassVar[Package]

    def __init__(self, atoms: ConceptualAtoms, level: PotentialT) -> None:
        super().__init__(atoms, level)
        self.package.check_crystal(atoms, level)
        self.package.check_version(level.program_version, self.asked)
        with self.package.loading(self.asked):
            self._calculator = self.calculator()

    @abstractmethod
    def calculator(self) -> Any:
        """Return the calculator of ASE for the level, from weights alone."""

    def weights(self, file: Path) -> bytes:
        """Return what a file of weights holds.

        Raises:
            ComponentError: they are others than those of the level.
        """
        content = file.read_bytes()
        if hashlib.sha256(content).hexdigest() != self.level.weights:
            title = self.package.title
            raise ComponentError(
                self.asked,
                f"{title} is installed here with other weights than those of the level",
                f"ask for {title} again",
            )
        return content

    def _solve(self, positions: Floats, cell: Floats) -> Solved:
        from ase import Atoms

        crystal = Atoms(
            self.atoms.numbers, positions, cell=cell, pbc=True, calculator=self._calculator
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what PyTorch announces
            energy, forces = crystal.get_potential_energy(), crystal.get_forces()
            stress = crystal.get_stress(voigt=False)
        found = Solved(
            float(energy) / HARTREE["eV"],
            -np.array(forces, float) * (BOHR / HARTREE["eV"]),
            np.array(stress, float) * (BOHR**3 / HARTREE["eV"]),
        )
        if self.level.dispersion is None:
            return found
        added = dispersion_at(self.level.dispersion, self.atoms.numbers, positions, cell)
        assert found.stress is not None
        assert added.stress is not None
        return Solved(
            found.energy + added.energy,
            found.gradient + added.gradient,
            found.stress + added.stress,
        )


def dispersion_said(level: LearnedPotential) -> str:
    """Return what dispersion is added to a level, in words."""
    if level.dispersion is None:
        return "no dispersion"
    return (
        f"{level.dispersion.kind} dispersion with the parameters of {level.dispersion.functional}"
    )


class LearnedProgram(Program[PotentialT]):
    """What a package computes of crystals; loaded when it is asked for.

    Attributes:
        package: that computes it.
        start, an_atom: until the model is there; energy, forces and stress for each atom, in s.
        base, memory: of PyTorch; for each atom, in MB.
        factor: by how much the time may be off.
    """

    package: ClassVar[Package]
    start: ClassVar[float]
    an_atom: ClassVar[float]
    base: ClassVar[float]
    memory: ClassVar[float]
    factor: ClassVar[float]
    orbitals: ClassVar[bool] = False

    calculations: ClassVar = {
        "crystal_energy": ".crystal:crystal_energy",
        "relax_crystal": ".crystal:relax_crystal",
        "energy": ".crystal:crystal_energy",
        "optimise": ".crystal:relax_crystal",
    }

    def recognises(self, method: str) -> bool:
        return self.package.model_in(method) is not None

    def check(self, atoms: ConceptualAtoms, level: PotentialT, request: DFTRequest) -> None:
        self.package.check_crystal(atoms, level)

    def settings(self, level: PotentialT) -> tuple[str, ...]:
        """Return what a methods section says of a level besides its model and weights."""
        return ()

    def described(self, level: PotentialT, numbers: Sequence[int]) -> Described:
        part = cited("method", level.method, f"the learned potential {level.method} {level.model}")
        parts: tuple[Cited, ...] = (part,)
        if level.dispersion is not None:
            text = f"the dispersion correction {level.dispersion.kind}"
            parts += (cited("dispersion", level.dispersion.kind, text),)
        weights = f"weights with the SHA-256 {level.weights}"
        return Described(parts, (*self.settings(level), weights, f"{dispersion_said(level)} added"))

    def is_short(self, atoms: ConceptualAtoms, level: PotentialT, request: DFTRequest) -> bool:
        return False

    def cost(
        self, atoms: ConceptualAtoms, level: PotentialT, request: DFTRequest, granted: Granted
    ) -> Cost:
        """Return what a crystal takes on one core: as much for each atom, whatever the crystal."""
        many = len(atoms.numbers)
        steps = 1 if request.task == "energy" else request.max_steps
        return Cost(
            count(many, "atom"),
            self.start + self.an_atom * many * steps,
            self.base + self.memory * many,
            factor=self.factor,
            advice="ask for a smaller cell, or for fewer steps",
        )
