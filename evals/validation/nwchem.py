"""NWChem as a separate program: an input file in, numbers read from its output."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ontologies.atoms import ConceptualAtoms
from workflows.programs.installed import InstalledProgram, scratch

from .psi4 import INPUTS, mean_masses

NWCHEM = InstalledProgram(
    name="nwchem",
    title="NWChem",
    banner=r"\(NWChem\) (\S+)",
    advice="install it (Debian: apt-get install nwchem)",
)
AS_ROOT: tuple[str, ...] = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")

PATIENCE = 3600
"""Seconds that one run may take."""

RADII = {"H": 1.32, "C": 2.04, "N": 1.86, "O": 1.824, "F": 1.764, "S": 2.16, "Cl": 2.10}
"""Of spheres round atoms in Å: 1.2 times those of A. Bondi, J. Phys. Chem. 68, 441 (1964), and 1.10
for hydrogen, R. S. Rowland, R. Taylor, J. Phys. Chem. 100, 7384 (1996)."""

THRESHOLDS = {
    False: "gmax 0.00001\ngrms 0.000005\nxmax 0.0001\nxrms 0.00005",
    True: "gmax 0.00004\ngrms 0.00003\nxmax 0.0005\nxrms 0.0003",
}
"""Of a minimum in the gas phase and in water, where gradients are rough by 1e-5 Eh/bohr."""

TASKS = {"relax": "task dft optimize", "modes": "task dft freq", "states": "task tddft energy"}

ENERGY = re.compile(r"Total DFT energy =\s+(\S+)")
WAVES = re.compile(r"P\.Frequency((?:\s+-?\d+\.\d+)+)")
ROOT = re.compile(r"Root\s+\d+ (singlet|triplet) \S+\s+(\S+) a\.u\.")
STRENGTH = re.compile(r"Dipole Oscillator Strength\s+(\S+)")
PLACES = re.compile(r"Output coordinates in angstroms.*?-{8,}\s*\n(?: -.*\n)?(.*?)\n\s*\n", re.S)


@dataclass(frozen=True)
class Job:
    """A run of a functional with tight thresholds and a fine grid.

    Attributes:
        atoms: the molecule, a closed shell.
        method: NWChem's name of the functional.
        basis: NWChem's name of the basis set.
        tasks: keys of `TASKS`, in order; none for the energy alone.
        water: whether it is in water by COSMO with the factor (ε − 1)/ε, which is C-PCM.
    """

    atoms: ConceptualAtoms
    method: str = "b3lyp"
    basis: str = "def2-svp"
    tasks: Sequence[str] = ()
    water: bool = False

    @property
    def text(self) -> str:
        """The input file; masses are means over the natural isotopes."""
        atoms = self.atoms
        lines = [
            f"{symbol} {' '.join(f'{x:.10f}' for x in place)} mass {mass:.8f}"
            for symbol, place, mass in zip(
                atoms.symbols, atoms.positions, mean_masses(atoms), strict=True
            )
        ]
        radii = " ".join(str(RADII[one]) for one in atoms.symbols) if self.water else ""
        return INPUTS["nwchem"].format(
            charge=atoms.charge,
            atoms="\n".join(lines),
            basis=self.basis,
            method=self.method,
            water=INPUTS["nwchem water"].format(radii=radii) if self.water else "",
            thresholds=THRESHOLDS[self.water],
            tasks="\n".join(TASKS[one] for one in self.tasks) or "task dft energy",
        )

    def run(self) -> Mapping[str, Any]:
        """Return what NWChem finds.

        Returns:
            `version`; `energy` in Eh; `positions` in Å; `wavenumbers` in cm⁻¹ without the six of
            the whole molecule, whose atoms are in no line; `singlet` and `triplet` in Eh, and
            `strengths`.

        Raises:
            GraficoError: NWChem is not installed, or fails.
        """
        output = run(self.text)
        waves = [float(x) for one in WAVES.findall(output) for x in one.split()]
        roots = ROOT.findall(output)
        last = PLACES.findall(output)[-1].splitlines()
        places = [[float(x) for x in line.split()[3:6]] for line in last]
        return {
            "version": version(output),
            "energy": float(ENERGY.findall(output)[-1]),
            "positions": places,
            "wavenumbers": waves[6:],
            **{s: [float(e) for kind, e in roots if kind == s] for s in ("singlet", "triplet")},
            "strengths": [float(one) for one in STRENGTH.findall(output)],
        }


def run(text: str) -> str:
    """Return the output of NWChem for an input.

    Raises:
        GraficoError: NWChem is not installed, or fails.
    """
    asked = "a value was asked of NWChem"
    variables = dict.fromkeys(AS_ROOT, "1") if os.getuid() == 0 else None
    with scratch() as place:
        (place / "job.nw").write_text(text, encoding="utf-8")
        said = NWCHEM.run(["job.nw"], place, asked, seconds=PATIENCE, environment=variables)
    if said.status or "Total times" not in said.text:
        raise NWCHEM.failed(asked, said, "run its input by hand")
    return said.text


def version(output: str) -> str:
    """Return the version that an output names."""
    found = re.search(r"\(NWChem\) (\S+)", output)
    return f"NWChem {found[1]}" if found else ""
