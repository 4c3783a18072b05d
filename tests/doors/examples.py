"""A small request for each workflow, as somebody at the command line would ask.

`test_every_workflow.py` asks them at every door. What a workflow shows that no other does is said
here too: `shows` stands in what the command line prints, `page` in the report.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CRYSTALS = Path(__file__).parents[1] / "mof" / "crystals"
HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}
GFN2: dict[str, Any] = {"method": "GFN2-xTB"}
RUN = "RUN"
GUESS = "3\nHCN on its way to HNC\nC 0 0 0\nN 0 0 1.17\nH 1.15 0 0.5\n"

DIAMOND = '2\nLattice="0 1.8 1.8 1.8 0 1.8 1.8 1.8 0" pbc="T T T"\nC 0 0 0\nC 0.9 0.9 0.9\n'


def crystal(name: str) -> dict[str, str]:
    """The file of a crystal of the tests."""
    return {name: (CRYSTALS / name).read_text(encoding="utf-8")}


@dataclass(frozen=True)
class Example:
    """What is asked.

    Attributes:
        subject: what it is about; `RUN` is the run of the example named by `after`.
        said: the rest, by the names of its arguments.
        shows: what is to be read of the answer on the terminal.
        page: what is to be read in its report.
        units: of columns of its tables in JSON, by name.
        files: texts of files that are needed, by name.
        after: the workflow whose example is asked before, in the same store.
        typed: options that the command line takes in the place of `said`.
        kept: whether the same again is remembered; not of a device, nor of a store as it stands.
    """

    subject: str = ""
    said: Mapping[str, Any] = field(default_factory=dict[str, Any])
    shows: tuple[str, ...] = ()
    page: tuple[str, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    after: str = ""
    typed: tuple[str, ...] = ()
    kept: bool = True

    @property
    def words(self) -> list[str]:
        """The options of the command line."""
        found = [*self.typed]
        if found:
            return found
        for name, value in self.said.items():
            option = "--" + name.replace("_", "-")
            for one in value if isinstance(value, tuple) else (value,):
                found += [option] if one is True else [option, str(one)]
        return found


EXAMPLES: dict[str, Example] = {
    "acidity": Example(
        "OC=O",
        {
            **GFN2,
            "solvent": "water",
            "task": "energy",
            "reference_acid": ("CC(=O)O=4.76", "OC(=O)CCl=2.87"),
        },
        shows=("pKa", "standard error", "measured 4.76", "residual", "kcal/mol"),
        page=("Residuals",),
    ),
    "batch": Example(
        "library.csv",
        {"arguments": GFN2},
        typed=("--method", "GFN2-xTB"),
        files={"library.csv": "name,smiles\nhydrogen,[H][H]\nwater,O\n"},
        kept=False,
    ),
    "clusters": Example("water", {"solvent": "water", "count": 1, "seeds": 1, "picoseconds": 0.5}),
    "conformers": Example("OO", {"sampler": "embedding", "starts": 2}),
    "refinement": Example(RUN, HF, after="conformers"),
    "dft": Example("[H][H]", HF),
    "spin-states": Example("[CH2]", {**HF, "multiplicities": (1, 3)}),
    "counterpoise": Example("[Li+].[H-]", HF),
    "bond-dissociation": Example("[H][H]", {**HF, "task": "energy"}),
    "excitations": Example(
        "C=O; [H][H]",
        {**HF, "task": "energy", "states": 1, "response": "TDA"},
        shows=("C=O", "[H][H]", "S1 (eV)", "T1 (eV)", "S1 (nm)", "kcal/mol", "geometries as given"),
        page=("Lowest excited states",),
        units={"singlet_energy": "eV", "singlet_wavelength": "nm"},
    ),
    "microwave": Example(
        "",
        {
            "vial": 3,
            "temperature": 100,
            "duration": 50,
            "pressure": 3,
            "heat": True,
            "conversion": True,
            "speed": 100000,
        },
        kept=False,
    ),
    "films": Example(
        "",
        {"film": "polymer_A", "simulate": True},
        shows=("on the stage, film of polymer_A",),
        kept=False,
    ),
    "mof-process": Example(
        "IRMOF-9.cif", files=crystal("IRMOF-9.cif"), shows=("pcu", "C6O13Zn4-6")
    ),
    "mof-search": Example(after="mof-process", kept=False),
    "mof-explore": Example(after="mof-process", kept=False),
    "mof-build": Example("pcu N16 E14"),
    "mof-compare": Example(RUN, {"area_samples": 50, "other": "pcu N16 E14"}, after="mof-measure"),
    "mof-measure": Example(
        "EDI.cif", {"area_samples": 50, "volume_samples": 1000}, files=crystal("EDI.cif")
    ),
    "reaction": Example(
        "[H] + [F] -> F",
        HF,
        shows=(
            "ΔG",
            "ΔH",
            "kJ/mol",
            "kcal/mol",
            "errors of the level do not cancel",
            "count -1",
        ),
        page=("above the reactants",),
    ),
    "redox": Example(
        "[F] + e- -> [F-]",
        {"method": "HF", "basis": "6-31+G*", "electrode": "calomel"},
        shows=(
            "against SCE",
            "0.241 V",
            "4.280 V",
            "an electron at rest in vacuum",
            "eV",
            "at 298.15 K",
        ),
    ),
    "equation-of-state": Example(
        "diamond.xyz",
        {"method": "GFN1-xTB", "images_apart": 3.5, "points": 5},
        shows=("bulk modulus", "GPa", "±", "conventional cell, Fd-3m (227)"),
        page=("Equation of state", "Birch–Murnaghan"),
        units={"cell_volume": "Å³", "energy": "Eh"},
        files={"diamond.xyz": DIAMOND},
    ),
    "scan": Example(
        "OO", {**GFN2, "coordinate": "dihedral 3 1 2 4", "start": 120, "end": 150, "points": 2}
    ),
    "spectra": Example(
        "C=O; [H][H]",
        {**HF, "up_to": 30, "geometry": "as given", "response": "TDA"},
        shows=("C=O", "energy (eV)", "wavelength (nm)", "ε (L/mol/cm)", "shift (eV)"),
        page=("Spectra", "UV-Vis spectrum of C=O"),
        units={"energy": "eV", "wavelength": "nm", "wavenumber": "cm⁻¹", "absorption": "L/mol/cm"},
    ),
    "strain": Example("C1CC1", {**GFN2, "task": "optimise"}),
    "transition": Example("guess.xyz", {**GFN2, "upto": "state"}, files={"guess.xyz": GUESS}),
}
"""By the name of the workflow."""
