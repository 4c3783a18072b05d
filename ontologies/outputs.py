"""What other programs computed, as their output files say it: read here, not computed here."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from ogm import ADDED, GraphModel

from .atoms import ConceptualAtoms
from .level import Level
from .quantum import EnergyResult, least, most, with_derived
from .scans import CoordinateKind, label_of, unit_of
from .units import (
    Angles,
    AtomicCharges,
    AtomIndices,
    Debye,
    Distances,
    ElectronVolt,
    EnergySeries,
    ExcitationEnergies,
    Floats,
    Hartree,
    HartreePerKelvin,
    InfraredIntensities,
    Kelvin,
    Number,
    OscillatorStrengths,
    Pascal,
    Trajectory,
    Wavenumber,
    Wavenumbers,
)
from .vibrations import Thermochemistry

NOT_SAID = "not said"
"""Stands for what a file does not say of its level: two such files need not be of one level."""


class OutputFile(GraphModel):
    """A file that another program wrote, as it was when it was read; it is not kept itself.

    Attributes:
        name: of the file, without its folder.
        digest: SHA-256 of all of it.
        bytes: its size.
        line_count: how many lines it has.
        encoding: how it was read.
    """

    name: str
    digest: str
    bytes: int
    line_count: int
    encoding: str = "UTF-8"


class ImportedLevel(Level):
    """A level of theory as far as an output says it; what it leaves open is `not said`.

    It is never one of ours: a program's own grids, thresholds and spellings are not in it.

    Attributes:
        method: as the file calls it.
        program: which wrote the file.
        program_version: as it says.
        basis: the basis set; empty for methods that bring their own.
        solvent: the solvent, or the model of it where only that is said.
        grid: the integration grid.
        frozen_core: whether core electrons were left out of the correlation.
    """

    program: str = NOT_SAID
    program_version: str = NOT_SAID
    basis: str = NOT_SAID
    solvent: str = NOT_SAID
    grid: str = NOT_SAID
    frozen_core: str = NOT_SAID

    @property
    def label(self) -> str:
        """The usual short form, the program and that it was read, such as `(xTB 6.5.1, read …)`."""
        said = self.method if self.method != NOT_SAID else "method not said"
        basis = self.basis if self.basis != NOT_SAID else "basis not said"
        what = "/".join(filter(None, (said, basis)))
        around = f" in {self.solvent}" if self.solvent not in (NOT_SAID, "") else ""
        version = f" {self.program_version}" if self.program_version != NOT_SAID else ""
        return f"{what}{around} ({self.program}{version}, read from a file)"

    @property
    def words(self) -> dict[str, str]:
        """What a search may name a part of."""
        return {"method": self.method, "basis": self.basis}

    @property
    def unsaid(self) -> tuple[str, ...]:
        """The fields that the file leaves open, in words."""
        names = ("method", "program_version", "basis", "solvent", "grid", "frozen_core")
        return tuple(one.replace("_", " ") for one in names if getattr(self, one) == NOT_SAID)


class ImportedResult(EnergyResult):
    """What every output says of its (last) geometry: the energy's digits stand in the file.

    Attributes:
        level: as far as the file says it.
        source: the file.
        file_job: which of the jobs in the file, from 1.
        first_line: of the job in the file, from 1.
        last_line: likewise its last.
        energy_line: the line where the energy stands last.
        mulliken_charges: shape (atoms,); None where they are not said.
        homo: energy of the highest occupied orbital of either spin; None where it is not said.
        lumo: likewise of the lowest empty orbital.
        dipole_moment: its length; None where it is not said, of ions, whose dipole depends on the
            origin, and beside correlated energies, whose density it may not be.
    """

    level: ImportedLevel  # pyright: ignore[reportIncompatibleVariableOverride]  # it is frozen
    source: OutputFile
    file_job: Annotated[int, Field(ge=1)]
    first_line: int
    last_line: int
    energy_line: int
    mulliken_charges: AtomicCharges | None = None
    homo: Hartree | None = None
    lumo: Hartree | None = None
    dipole_moment: Debye | None = None

    @property
    def place(self) -> str:
        """Where it stands, such as `water.out, lines 1–210`."""
        return f"{self.source.name}, lines {self.first_line}–{self.last_line}"


class ImportedEnergy(ImportedResult):
    """An energy at a fixed geometry, read from a file."""


class ImportedOptimisation(ImportedResult):
    """A geometry that another program has relaxed, converged by its own thresholds.

    Attributes:
        initial: the first geometry of the file; None where it has only the last.
        energies: the energy at each step, shape (steps,).
        trajectory: the geometry at each step; None where the file has not as many as energies.
        steps: number of energies.
    """

    initial: ConceptualAtoms | None = None
    energies: EnergySeries
    trajectory: Trajectory | None = None
    steps: int


class ImportedScan(ImportedResult):
    """A scan by another program; `atoms` are the lowest point's.

    None of its points is a minimum: the coordinate was held at each.

    Attributes:
        coordinate: which kind of coordinate was driven.
        members: the atoms that span it, counted from 0 and in order: two, three or four.
        distances: its values, of a distance, shape (points,); None for angles.
        angles: its values, of an angle or a dihedral angle; None for distances.
        energies: of the points in order, shape (points,).
        trajectory: their geometries.
        relaxed: whether all else was relaxed at each point.
        points_file: the file that has the points, where the source has not all of them.
    """

    coordinate: CoordinateKind
    members: AtomIndices
    distances: Distances | None = None
    angles: Angles | None = None
    energies: EnergySeries
    trajectory: Trajectory
    relaxed: bool
    points_file: OutputFile | None = None

    @property
    def top(self) -> ConceptualAtoms:
        """The geometry of the highest point."""
        return self.atoms.moved_to(self.trajectory[int(self.energies.argmax())])

    @property
    def values(self) -> Floats:
        """Of the coordinate, in Å or degrees."""
        found = self.angles if self.distances is None else self.distances
        assert found is not None  # a scan has one of them
        return found

    @property
    def unit(self) -> str:
        """Of the values of the coordinate."""
        return unit_of(self.coordinate)

    @property
    def label(self) -> str:
        """The coordinate, such as `dihedral 1-2-3-4`, atoms counted from 1."""
        return label_of(self.coordinate, self.members)


class ImportedVibrations(ImportedResult):
    """Harmonic vibrations that another program has computed.

    Attributes:
        wavenumbers: of the vibrations, as the file gives them; imaginary ones are negative.
        imaginary: how many wavenumbers are imaginary.
        infrared: intensities of absorption, shape (modes,); None where they are not said.
        lowest_wavenumber: the least of `wavenumbers`; derived, so that it can be queried.
    """

    wavenumbers: Wavenumbers
    imaginary: Annotated[int, Field(ge=0)]
    infrared: InfraredIntensities | None = None
    lowest_wavenumber: Wavenumber | None = None

    @model_validator(mode="before")
    @classmethod
    def _derive_lowest(cls, data: Any) -> Any:
        return with_derived(data, "wavenumbers", lowest_wavenumber=least)


class ImportedExcitations(ImportedResult):
    """Vertical excitations by another program; the energy is that of the ground state.

    Attributes:
        excitation_energies: as they stand in the file, shape (states,).
        oscillator_strengths: shape (states,); None where they are not said.
        lowest_excitation: the least of `excitation_energies`; derived, so that it can be queried.
        brightest_strength: the largest of `oscillator_strengths`; derived.
    """

    excitation_energies: ExcitationEnergies
    oscillator_strengths: OscillatorStrengths | None = None
    lowest_excitation: ElectronVolt | None = None
    brightest_strength: Number | None = None

    @model_validator(mode="before")
    @classmethod
    def _derive_states(cls, data: Any) -> Any:
        values = with_derived(data, "excitation_energies", lowest_excitation=least)
        return with_derived(values, "oscillator_strengths", brightest_strength=most)


class ImportedThermochemistry(GraphModel, identity="result", schema=2, upgrades={1: ADDED}):
    """Thermochemistry as another program gives it; how it treats soft modes the file may say.

    Attributes:
        frequencies: the vibrations of which it was made.
        temperature: in K; None where it is not said.
        pressure: in Pa; None where it is not said.
        zero_point_energy: half the sum of the quanta; None where it is not said.
        enthalpy: electronic energy, zero-point energy and thermal enthalpy; None likewise.
        entropy: per molecule; None likewise.
        gibbs_energy: enthalpy less temperature times entropy; None likewise.
        symmetry_number: of rotation; None likewise.
        remarks: what a reader must know.
    """

    frequencies: ImportedVibrations
    temperature: Kelvin | None = None
    pressure: Pascal | None = None
    zero_point_energy: Hartree | None = None
    enthalpy: Hartree | None = None
    entropy: HartreePerKelvin | None = None
    gibbs_energy: Hartree | None = None
    symmetry_number: Annotated[int, Field(ge=1)] | None = None
    remarks: tuple[str, ...] = ()


class ThermochemistryOfImported(Thermochemistry):
    """Thermochemistry that was computed here from vibrations which were read from a file.

    Attributes:
        frequencies: the vibrations, as they were read.
    """

    frequencies: ImportedVibrations  # pyright: ignore[reportIncompatibleVariableOverride]  # frozen
