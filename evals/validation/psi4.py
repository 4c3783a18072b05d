"""Psi4 as a separate program: an input file in, a JSON file out."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import ComponentError, InputError

PATIENCE = 300
"""Seconds that one run may take."""

DIGITS = 12

INPUT = '''\
import json
mol = psi4.geometry("""
{charge} {multiplicity}
{atoms}
units angstrom
no_com
no_reorient
symmetry c1
""")
psi4.set_options({options})
{body}
with open("found.json", "w") as file:
    json.dump(found, file)
'''

BODY = """\
found = {{}}
energy, wfn = psi4.energy({method!r}, molecule=mol, return_wfn=True)
found["energy"] = energy
found["functions"] = wfn.basisset().nbf()
found["homo"] = max(wfn.epsilon_a().np[wfn.nalpha() - 1], *wfn.epsilon_b().np[: wfn.nbeta()])
psi4.oeprop(wfn, "DIPOLE", "QUADRUPOLE", "MULLIKEN_CHARGES", "LOWDIN_CHARGES", "MAYER_INDICES",
            "WIBERG_LOWDIN_INDICES", title="ONE")
found["dipole"] = [psi4.variable("ONE DIPOLE " + axis) for axis in "XYZ"]
for name in ("MULLIKEN_CHARGES", "LOWDIN_CHARGES"):
    found[name.split("_")[0].lower()] = wfn.array_variable(name).np.ravel().tolist()
for name in ("MAYER", "WIBERG_LOWDIN"):
    found[name.split("_")[0].lower()] = wfn.array_variable(name + "_INDICES").np.tolist()
{more}"""

MORE: Mapping[str, str] = {
    "gradient": 'found["gradient"] = psi4.gradient({method!r}, molecule=mol).np.tolist()',
    "pushed": """\
start = mol.geometry().np.copy()
found["pushed"] = []
for step in (0.01, -0.01):
    moved = start.copy()
    moved[0, 2] += step
    mol.set_geometry(psi4.core.Matrix.from_array(moved))
    mol.update_geometry()
    slope, beside = psi4.gradient({method!r}, molecule=mol, return_wfn=True)
    psi4.oeprop(beside, "DIPOLE", title="BESIDE")
    found["pushed"].append([float(slope.np[0, 2]), psi4.variable("BESIDE DIPOLE Z")])
mol.set_geometry(psi4.core.Matrix.from_array(start))
mol.update_geometry()""",
    "relaxed": """\
psi4.set_options(dict(g_convergence="gau_verytight"))
found["minimum"] = psi4.optimize({method!r}, molecule=mol)
found["relaxed"] = (mol.geometry().np * psi4.constants.bohr2angstroms).tolist()""",
    "saddle": """\
psi4.set_options(dict(g_convergence="gau_verytight", opt_type="ts", full_hess_every=0))
found["saddle"] = psi4.optimize({method!r}, molecule=mol)""",
    "vibrations": """\
{masses}
energy, wfn = psi4.frequency({method!r}, molecule=mol, return_wfn=True)
modes = wfn.frequency_analysis
kept = [n for n, kind in enumerate(modes["TRV"].data) if kind == "V"]
waves = [modes["omega"].data[n] for n in kept]
found["wavenumbers"] = [float(wave.real - wave.imag) for wave in waves]
found["infrared"] = [float(modes["IR_intensity"].data[n]) for n in kept]
found["heat"] = {{}}
for temperature in (298.15, 400.0):
    psi4.set_options(dict(t=temperature))
    vibanal_wfn(wfn)
    names = ("ZPVE", "ENTHALPY CORRECTION", "GIBBS FREE ENERGY")
    found["heat"][str(temperature)] = {{name: psi4.variable(name) for name in names}}""",
    "excitations": """\
from psi4.driver.procrouting.response.scf_response import tdscf_excitations
for name, tda in (("tda", True), ("rpa", False)):
    states = tdscf_excitations(wfn, states_per_irrep=[3], tda=tda, r_tol=1e-5, e_tol=1e-6)
    found[name] = [state[0] for state in states]""",
}
"""What can be asked beside the energy.

`pushed` has slope (Eh/bohr) and dipole (D) along z where the first atom is moved by ±0.01 bohr.
`relaxed` and `saddle` leave the molecule at a minimum or saddle point for what is asked after them.
"""


@dataclass(frozen=True)
class Job:
    """A run of Psi4 with exact integrals and a tight SCF.

    Attributes:
        atoms: the molecule.
        method: Psi4's name of the method.
        basis: Psi4's name of the basis set.
        more: keys of `MORE`.
        cartesian: whether d shells have six functions.
        reference: Psi4's name of the reference; empty for restricted or unrestricted by the
            multiplicity.
    """

    atoms: ConceptualAtoms
    method: str
    basis: str
    more: tuple[str, ...] = ()
    cartesian: bool = False
    reference: str = ""

    @property
    def text(self) -> str:
        """The input file."""
        atoms = self.atoms
        closed = "rhf" if atoms.multiplicity == 1 else "uhf"
        reference = self.reference or closed
        if self.method.lower() != "hf":
            reference = reference.replace("hf", "ks")
        options = {
            "basis": self.basis,
            "puream": not self.cartesian,
            "scf_type": "pk",
            "reference": reference,
            "e_convergence": 1e-10,
            "d_convergence": 1e-9,
            "dft_spherical_points": 590,
            "dft_radial_points": 99,
            "save_jk": True,
        }
        masses = "\n".join(f"mol.set_mass({n}, {one})" for n, one in enumerate(mean_masses(atoms)))
        more = "\n".join(MORE[name].format(method=self.method, masses=masses) for name in self.more)
        return input_of(atoms, options, BODY.format(method=self.method, more=more))

    def run(self) -> Mapping[str, Any]:
        """Return what Psi4 finds.

        Raises:
            ComponentError: Psi4 is not installed.
            InputError: it fails.
        """
        return run(self.text)


def input_of(atoms: ConceptualAtoms, options: Mapping[str, Any], body: str) -> str:
    """Return an input file: the molecule, the options, and a body that leaves `found`, a dict."""
    weights = np.array(mean_masses(atoms))
    # Psi4 takes the moments of inertia about the origin
    places = atoms.positions - weights @ atoms.positions / weights.sum()
    lines = "\n".join(
        symbol + "".join(f" {number:.{DIGITS}f}" for number in place)
        for symbol, place in zip(atoms.symbols, places, strict=True)
    )
    return INPUT.format(
        charge=atoms.charge,
        multiplicity=atoms.multiplicity,
        atoms=lines,
        options=dict(options),
        body=body,
    )


def mean_masses(atoms: ConceptualAtoms) -> list[float]:
    """Return the mean masses over the natural isotopes in Da, as Grafico's vibrations have them."""
    from pyscf.data.elements import MASSES

    known: Sequence[float] = MASSES
    return [known[number] for number in atoms.numbers]


def version() -> str | None:
    """Return Psi4's version; None where it is not installed."""
    if not (program := shutil.which("psi4")):
        return None
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return said.stdout.strip() or None


@functools.cache
def run(text: str) -> Mapping[str, Any]:
    """Return what an input of Psi4 writes to `found.json`.

    Raises:
        ComponentError: Psi4 is not installed.
        InputError: it fails.
    """
    if not (program := shutil.which("psi4")):
        raise ComponentError(
            "cannot compute a value by Psi4",
            "it is not on the path",
            "install it (Debian: apt-get install psi4)",
        )
    with tempfile.TemporaryDirectory(prefix="grafico-psi4-") as place:
        folder = Path(place)
        (folder / "job.in").write_text(text, encoding="utf-8")
        kept = ("PATH", "HOME", "LD_LIBRARY_PATH")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment |= {"PSI_SCRATCH": place, "OMP_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}
        said = subprocess.run(
            [program, "-n", "1", "-i", "job.in", "-o", "job.out"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        answer = folder / "found.json"
        if not answer.exists():
            raise InputError(
                "Psi4 was run", said.stderr[-2000:] or said.stdout[-2000:], "run its input by hand"
            )
        found = json.loads(answer.read_text(encoding="utf-8"))
        output = (folder / "job.out").read_text(encoding="utf-8", errors="replace")
    if spin := re.search(r"@S\^2 Observed:\s+(\S+)", output):
        found["spin_squared"] = float(spin[1])
    return found
