"""Normal modes, infrared intensities and the label of a geometry, from derivatives there."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats
from ontologies.vibrations import Stationarity
from workflows.engine import context
from workflows.engine.execution.array_cache import load, save

STATIONARY = 5e-4
"""Eh/bohr. A larger component of the gradient makes a geometry not stationary."""

UNEVEN = 1e-4
"""Eh/bohr². Second derivatives that differ by more from their transpose are worth a word."""


@dataclass(frozen=True)
class Derivatives:
    """What a geometry's neighbourhood looks like.

    Attributes:
        hessian: in Eh/bohr², shape (atoms, atoms, 3, 3).
        dipoles: change of the dipole in e for each displacement, shape (atoms, 3, 3), displacement
            before component; zero where the dipole is not known.
        remarks: how it was found, where that matters.
    """

    hessian: Floats
    dipoles: Floats
    remarks: tuple[str, ...] = ()


def central_differences(
    count: int,
    step: float,
    beside: Callable[[Floats], tuple[Floats, Floats]],
    lead: str = "second derivatives are",
    checkpoint: Path | None = None,
    every: int = 1,
) -> Derivatives:
    """Return derivatives by central differences of gradients and dipoles.

    Args:
        count: of atoms.
        step: bohr. How far an atom is moved.
        beside: returns gradient and dipole in atomic units where the atoms are shifted by so many
            bohr, shape (atoms, 3).
        lead: how the remark begins that says what they are.
        checkpoint: where they are kept, to go on from there; None for nowhere.
        every: gradients after which they are.
    """
    gradients, dipoles = np.zeros((3 * count, 2, count, 3)), np.zeros((3 * count, 2, 3))
    done = 0
    before = load(checkpoint) if checkpoint is not None else None
    if before is not None and before.get("gradients", np.zeros(0)).shape == gradients.shape:
        gradients, dipoles, done = before["gradients"], before["dipoles"], int(before["done"])
    for number in range(done, 6 * count):
        place, side = divmod(number, 2)
        shift = np.zeros(3 * count)
        shift[place] = step if side == 0 else -step
        gradients[place, side], dipoles[place, side] = beside(shift.reshape(-1, 3))
        done = number + 1
        if done % every == 0:
            context().report("displacement", done=done, of=6 * count)
            if checkpoint is not None:
                with suppress(OSError):  # a full disk: it only could not go on from here
                    save(checkpoint, {"gradients": gradients, "dipoles": dipoles, "done": done})
    slopes = (gradients[:, 0] - gradients[:, 1]).reshape(3 * count, 3 * count) / (2 * step)
    hessian = ((slopes + slopes.T) / 2).reshape(count, 3, count, 3).transpose(0, 2, 1, 3)
    change = (dipoles[:, 0] - dipoles[:, 1]).reshape(count, 3, 3) / (2 * step)
    uneven = float(np.abs(slopes - slopes.T).max())
    said = differences(step, lead)
    if uneven > UNEVEN:
        said += f"; they differ from their transpose by up to {uneven:.0e} Eh/bohr²"
    return Derivatives(hessian, change, (said,))


def differences(step: float, lead: str) -> str:
    """Say that second derivatives are differences, by a step in bohr."""
    return f"{lead} central differences of gradients, two a coordinate, displaced by {step:g} bohr"


def vibrations(atoms: ConceptualAtoms, found: Derivatives, gradient: float) -> dict[str, Any]:
    """Return harmonic vibrations at a geometry: fields of a frequency analysis.

    Translation and rotation are projected out. Masses are means over the natural isotopes.

    Args:
        atoms: the geometry.
        found: the derivatives there; of a single atom nothing is asked.
        gradient: its largest component there, in Eh/bohr.
    """
    wavenumbers, masses, modes = np.zeros(0), np.zeros(0), np.zeros((0, len(atoms.numbers), 3))
    displacements = modes
    if len(atoms.numbers) > 1:
        from pyscf.hessian import thermo

        analysis: Any = thermo.harmonic_analysis(
            _Nuclei(atoms), found.hessian, imaginary_freq=False
        )
        wavenumbers = np.asarray(analysis["freq_wavenumber"], float)
        displacements = np.asarray(analysis["norm_mode"], float).reshape(-1, *modes.shape[1:])
        modes = displacements / np.linalg.norm(displacements, axis=(1, 2), keepdims=True)
        masses = np.asarray(analysis["reduced_mass"], float)
    imaginary = int((wavenumbers < 0).sum())
    label: Stationarity = "saddle point" if imaginary else "minimum"
    if gradient > STATIONARY:
        label = "not stationary"
    return {
        "wavenumbers": wavenumbers,
        "modes": modes,
        "reduced_masses": masses,
        "hessian": found.hessian,
        "imaginary": imaginary,
        "max_gradient": gradient,
        "stationarity": label,
        "infrared": intensities(displacements, found.dipoles),
    }


def intensities(displacements: Floats, dipoles: Floats) -> Floats:
    """Return the infrared intensity of each mode in km/mol.

    Args:
        displacements: of the atoms for a unit of each mass-weighted normal coordinate, in Da^-½,
            shape (modes, atoms, 3).
        dipoles: change of the dipole in e for each displacement, shape (atoms, 3, 3).

    Source: double harmonic approximation, N_A |∂µ/∂Q|² / (12 ε₀ c²).
    """
    from scipy.constants import N_A, atomic_mass, c, e, epsilon_0

    slopes = np.einsum("kax,axc->kc", displacements, dipoles)
    return N_A * e**2 / (12 * epsilon_0 * c**2 * atomic_mass * 1000) * (slopes**2).sum(1)


def mean_masses(atoms: ConceptualAtoms) -> Floats:
    """Return the masses of the atoms in Da, means over the natural isotopes, shape (atoms,)."""
    from pyscf.data.elements import MASSES

    table: Any = MASSES
    return np.array([table[number] for number in atoms.numbers])


class _Nuclei:
    """Masses and places of the nuclei, as PySCF asks a molecule for them."""

    def __init__(self, atoms: ConceptualAtoms) -> None:
        self.atoms = atoms

    def atom_mass_list(self, isotope_avg: bool) -> Floats:
        """Return the masses in Da, which are means over the isotopes."""
        assert isotope_avg
        return mean_masses(self.atoms)

    def atom_coords(self) -> Floats:
        """Return the places in bohr."""
        from pyscf.lib import param

        return self.atoms.positions / param.BOHR
