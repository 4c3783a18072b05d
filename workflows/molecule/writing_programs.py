"""Structures for other programs: mol2 by Open Babel, and the input of pw.x of Quantum ESPRESSO."""

from __future__ import annotations

import math

import numpy as np

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError
from workflows.programs.installed import InstalledProgram, scratch

OBABEL = InstalledProgram(
    "obabel",
    "Open Babel",
    r"Open Babel (\S+)",
    "install it (apt-get install openbabel), or write .sdf",
)
SECONDS = 60.0

REPEATED = "it repeats in all three directions there: the vacuum of its cell keeps images apart"

CUTOFF, DENSITY = 60.0, 480.0
"""Ry. Of plane waves and of the density; what pseudopotentials need, their files say."""

SPACING = 0.25
"""1/Å. Between points of the Brillouin zone along each reciprocal vector, 2π counted in."""


def mol2(atoms: ConceptualAtoms, sdf: tuple[str, list[str]], title: str) -> tuple[str, list[str]]:
    """Return a mol2 file, whose SYBYL types and partial charges Open Babel perceives.

    Args:
        atoms: the structure.
        sdf: the same as an SDF file, with what is to be known of it.
        title: of the molecule.

    Raises:
        ComponentError: Open Babel is not installed.
        RecipeError: it made none of this molecule.
    """
    asked = f"{atoms.formula} as mol2 was asked for"
    OBABEL.required(asked)
    with scratch() as folder:
        (folder / "a.sdf").write_text(sdf[0], encoding="utf-8")
        done = OBABEL.run(["a.sdf", "-omol2"], folder, asked, seconds=SECONDS)
    text = done.text
    if done.status or "@<TRIPOS>ATOM" not in text:
        raise OBABEL.failed(asked, done, "write a .sdf instead")
    if title:
        head, _, rest = text.partition("\n")
        text = f"{head}\n{title}\n{rest.partition(chr(10))[2]}"
    notes = [one for one in sdf[1] if "multiplicity" not in one]
    notes.append("types of atoms and partial charges (Gasteiger) by Open Babel")
    return text, notes


def spans_a_cell(atoms: ConceptualAtoms) -> bool:
    """Return whether atoms that do not repeat in all directions have a whole cell, as a slab."""
    if atoms.cell is None or atoms.periodic is None or atoms.periodic.all():
        return False
    return abs(float(np.linalg.det(atoms.cell))) > 1.0


def espresso(atoms: ConceptualAtoms, title: str) -> tuple[str, list[str]]:
    """Return an input of pw.x: an SCF with a cell, positions, and names of files to be put in.

    Raises:
        InputError: it does not repeat in three directions.
    """
    from ase.data import atomic_masses

    layer = spans_a_cell(atoms)
    if not layer and (atoms.cell is None or atoms.periodic is None or not atoms.periodic.all()):
        raise InputError(
            f"cannot write {atoms.formula} for Quantum ESPRESSO",
            "it does not repeat in three directions",
            "give a crystal, or a molecule in a cell (extended XYZ with a lattice)",
        )
    kinds = list(dict.fromkeys(zip(atoms.symbols, atoms.numbers.tolist(), strict=True)))
    cell = np.array(atoms.cell)
    reciprocal = 2 * math.pi * np.linalg.norm(np.linalg.inv(cell), axis=0)
    repeats = np.array(atoms.periodic, bool).tolist()  # none are needed across a vacuum
    sizes = zip(reciprocal.tolist(), repeats, strict=True)
    points = [math.ceil(one / SPACING) if again else 1 for one, again in sizes]
    open_shell = atoms.multiplicity > 1
    system = [
        "ibrav = 0",
        f"nat = {len(atoms.numbers)}",
        f"ntyp = {len(kinds)}",
        f"ecutwfc = {CUTOFF}",
        f"ecutrho = {DENSITY}",
        "occupations = 'smearing'",
        "smearing = 'cold'",
        "degauss = 0.01",
    ]
    system += [f"tot_charge = {atoms.charge}"] if atoms.charge else []
    if open_shell:
        system += ["nspin = 2", f"tot_magnetization = {atoms.multiplicity - 1}"]
    sections = {
        "CONTROL": [
            "calculation = 'scf'",
            f"prefix = '{atoms.formula}'",
            "pseudo_dir = './'",
            "outdir = './out'",
        ],
        "SYSTEM": system,
        "ELECTRONS": ["conv_thr = 1.0d-9"],
        "IONS": [],
        "CELL": [],
    }
    lines = [f"! {' '.join(title.split())}" if title else f"! {atoms.formula}"]
    for name, words in sections.items():
        lines += [f"&{name}", *(f"  {one}" for one in words), "/"]
    lines.append("ATOMIC_SPECIES")
    lines += [f"{symbol} {atomic_masses[number]:.4f} {symbol}.UPF" for symbol, number in kinds]
    lines.append("CELL_PARAMETERS angstrom")
    lines += [" ".join(f"{x:.12f}" for x in row) for row in cell.tolist()]
    lines.append("ATOMIC_POSITIONS angstrom")
    lines += [
        f"{symbol:2s} " + " ".join(f"{x:.12f}" for x in place)
        for symbol, place in zip(atoms.symbols, atoms.positions.tolist(), strict=True)
    ]
    lines += ["K_POINTS automatic", f"{' '.join(map(str, points))} 0 0 0", ""]
    files = ", ".join(f"{symbol}.UPF" for symbol, _ in kinds)
    return "\n".join(lines), [
        *([REPEATED] * layer),
        f"{files}: put in the names of your pseudopotentials, which bring the functional along",
        f"ecutwfc {CUTOFF:g} and ecutrho {DENSITY:g} Ry, {'×'.join(map(str, points))} k-points "
        f"({SPACING} Å⁻¹ apart) and cold smearing of 0.01 Ry are to begin with: converge them",
        "written by the manual, not tried with pw.x; calculation = 'relax' or 'vc-relax' relaxes",
    ]
