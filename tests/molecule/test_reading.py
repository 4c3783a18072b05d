"""Files that would keep a reader busy for ever, or crash it, hold up nobody else."""

from __future__ import annotations

import asyncio
import os
import re
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil
import pytest
from ase.neighborlist import neighbor_list

from grafico import Grafico
from ontologies.atoms import CLOSEST_ATOMS, ConceptualAtoms
from tests.asking import found
from triplestore.errors import CrashError, InputError, MemoryLimitError, TimeLimitError
from workflows.molecule import recognise
from workflows.molecule.async_files import read_async
from workflows.molecule.cif import read_cif
from workflows.molecule.files import read_content, read_file
from workflows.molecule.identifying import FEW
from workflows.programs import isolated as module
from workflows.programs.isolated import in_subprocess

HEAD = """data_x
_cell_length_a 50
_cell_length_b 50
_cell_length_c 50
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
loop_
_symmetry_equiv_pos_as_xyz
"""
SITES = """loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
"""
ATOM = "    0.0000    0.0000    0.0000 He  0  0"
MOL = f"x\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n{ATOM}\nM  END\n"


def crystal(operations: int, atoms: int) -> str:
    """A CIF of so many operations and atoms, no image of which falls on another."""
    places = np.random.default_rng(7).random((operations + atoms, 3)).round(5)
    shifts = [f"'x+{x}, y+{y}, z+{z}'\n" for x, y, z in places[: operations - 1].tolist()]
    rows = [f"C{i} C {x} {y} {z}\n" for i, (x, y, z) in enumerate(places[operations:].tolist())]
    return "".join([HEAD, "'x, y, z'\n", *shifts, SITES, *rows])


def children() -> set[int]:
    return {one.pid for one in psutil.Process().children(recursive=True)}


# --- a process of its own ------------------------------------------------------------------------


async def test_what_a_function_returns_and_raises_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert await in_subprocess("asked", os.path.join, "a", "b") == "a/b"
    assert await in_subprocess("asked", os.getpid) != os.getpid()
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        await in_subprocess("asked", divmod, 1, 0)
    with pytest.raises(InputError, match="no regular file") as refused:
        await in_subprocess("asked", read_content, Path("/dev/null"))
    assert refused.value.advice
    assert await in_subprocess("asked", print, "this is no answer") is None
    assert await in_subprocess("asked", os.getenv, "PATH") == os.environ["PATH"]
    monkeypatch.setenv("SECRET_API_KEY", "x")
    assert await in_subprocess("asked", os.getenv, "SECRET_API_KEY") is None


async def test_it_ends_where_it_takes_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TimeLimitError, match="more than 1 s of processor time"):
        await in_subprocess("asked", re.fullmatch, "(a+)+b", "a" * 60, seconds=1)
    with pytest.raises(MemoryLimitError, match="4 GiB"):
        await in_subprocess("asked", bytearray, 1 << 40)
    with pytest.raises(CrashError, match="crashed"):
        await in_subprocess("asked", os.abort)
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    with pytest.raises(TimeLimitError):
        await in_subprocess("asked", time.sleep, 3600)


async def test_it_ends_with_who_waits_for_it() -> None:
    before = children()
    task = asyncio.create_task(in_subprocess("asked", time.sleep, 3600))
    while not children() - before:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not children() - before


async def test_only_some_at_once() -> None:
    before = children()
    many = [asyncio.create_task(in_subprocess("asked", time.sleep, 3600)) for _ in range(12)]
    while len(children() - before) < module.AT_ONCE:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
    assert len(children() - before) == module.AT_ONCE
    for task in many:
        task.cancel()
    await asyncio.gather(*many, return_exceptions=True)
    assert not children() - before


# --- files ---------------------------------------------------------------------------------------


async def test_a_file_that_takes_long_holds_nobody_up(session: Grafico, tmp_path: Path) -> None:
    slow, quick = tmp_path / "slow.cif", tmp_path / "quick.xyz"
    slow.write_text(crystal(1, 60_000))
    quick.write_text("1\n\nHe 0 0 0\n")
    before = children()
    waiting = asyncio.create_task(found(session, slow))
    while not children() - before:
        await asyncio.sleep(0.01)
    for _ in range(20):
        assert (await found(session, quick)).model.formula == "He"
    assert not waiting.done()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not children() - before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (crystal(2000, 2000), "2000 symmetry operations; no space group has more than 192"),
        (crystal(192, 2000), "more than 100,000 atoms with their images by symmetry"),
        (HEAD + "'x, y, z" + "+0" * 5000 + "'\n" + SITES + "C C 0 0 0\n", "characters"),
        (crystal(1, 100_001), "100,001 atoms; 100,000 are allowed"),
        (crystal(1, 1000).replace("50\n", "5\n"), "1,000 atoms in a cell of 125 Å³"),
    ],
)
def test_a_crystal_is_counted_before_it_is_made(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_cif(Path("x.cif"), text)


async def test_a_crash_of_a_reader_is_its_own(tmp_path: Path) -> None:
    """RDKit's search for rings among atoms that each have two dozen neighbours ends by a fault."""
    count = 300
    bonds = [(i, j) for i in range(1, count + 1) for j in range(i + 1, min(i + 13, count + 1))]
    rows = [f"M  V30 {i} U {i} {i % 7} {i % 5} 0" for i in range(1, count + 1)]
    lines = [f"M  V30 {n} 1 {a} {b}" for n, (a, b) in enumerate(bonds, 1)]
    path = tmp_path / "dense.mol"
    path.write_text("\n".join([
        "x", "", "", "  0  0  0     0  0            999 V3000", "M  V30 BEGIN CTAB",
        f"M  V30 COUNTS {count} {len(bonds)} 0 0 0", "M  V30 BEGIN ATOM", *rows,
        "M  V30 END ATOM", "M  V30 BEGIN BOND", *lines, "M  V30 END BOND", "M  V30 END CTAB",
        "M  END", "",
    ]))  # fmt: skip
    with pytest.raises((CrashError, InputError, TimeLimitError)):
        await read_async(path)


@pytest.mark.parametrize(
    "comment",
    [
        "charge" + " " * 90_000 + "x",
        "charge " * 12_000 + "x",
        "spin=" + "9" * 90_000 + "x",
        "a-" * 40_000 + "charge=",
        " " * 90_000 + "x",
        "lattice" + " " * 90_000 + "x",
    ],
)
def test_a_long_comment_is_read_once(tmp_path: Path, comment: str) -> None:
    path = tmp_path / "x.xyz"
    path.write_text(f"1\n{comment}\nHe 0 0 0\n")
    with suppress(InputError):  # it may well say what is not read there
        assert read_file(path).formula == "He"


def test_fields_of_an_sdf_are_looked_up_once(tmp_path: Path) -> None:
    path = tmp_path / "x.sdf"
    path.write_text(f"{MOL}>{'<charge>' * 100_000}\n\n> <charge>\n0\n\n$$$$\n")
    assert read_file(path).formula == "He"
    path.write_text(f"{MOL}>  <multiplicity>  (1)\n 3 \n\n$$$$\n")
    assert read_file(path).multiplicity == 3


async def test_bonds_come_back_from_another_process(session: Grafico, tmp_path: Path) -> None:
    path = tmp_path / "x.sdf"
    path.write_text((await session.convert_async("C[C@H](N)C(=O)O", "sdf")).text)
    here, there = read_content(path), await read_async(path)
    assert there.atoms == here.atoms
    assert (there.comment, there.remarks) == (here.comment, here.remarks)
    for form in ("smiles", "inchi", "mol"):
        forms = [await session.convert_async(path, form) for _ in range(2)]
        assert forms[0] == forms[1]
    long = "C" * FEW
    one = await session.convert_async(long, "smiles")
    assert one.text.strip() == long


def test_a_text_for_a_molecule_is_bounded() -> None:
    for text in ("C" * 20_000, "[C]" * 20_000, "InChI=1S/" + "C" * 20_000, "x " * 20_000):
        with pytest.raises(InputError, match=r"characters; 10,000 are allowed"):
            recognise(text)


# --- cells ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_atoms_that_meet_across_a_cell_are_those_that_ase_finds(tmp_path: Path, seed: int) -> None:
    draw = np.random.default_rng(seed)
    cell = draw.normal(size=(3, 3)) * draw.uniform(1.0, 4.0)
    if np.linalg.det(cell) < 0:
        cell[0] *= -1
    places = draw.uniform(-1.5, 1.5, (int(draw.integers(1, 25)), 3)) @ cell
    pbc = draw.random(3) < 0.8
    pbc[int(draw.integers(3))] = True
    flags = " ".join("T" if flag else "F" for flag in pbc)
    lattice = " ".join(map(repr, cell.ravel().tolist()))
    path = tmp_path / "x.xyz"
    rows = "".join(f"H {x!r} {y!r} {z!r}\n" for x, y, z in places.tolist())
    path.write_text(f'{len(places)}\nLattice="{lattice}" pbc="{flags}"\n{rows}')
    try:
        found, said = read_file(path), ""
    except InputError as error:
        found, said = None, error.found
    if "thick" in said or "nearer than any bond" in said:
        return
    atoms = ConceptualAtoms(
        numbers=[1] * len(places),
        positions=places,
        cell=cell,
        periodic=pbc,
        multiplicity=None,
        charge=0,
    )
    first, _, apart_ = neighbor_list("ijd", atoms.to_ase(), CLOSEST_ATOMS)
    assert bool(len(first)) == (found is None), said
    if len(first):
        assert f"{apart_.min():.3f} Å apart across the cell" in said


@pytest.mark.parametrize(
    "lattice", ["1e300 0 0 0 1e300 0 0 0 1e300", "1e9 0 0 0 9 0 0 0 9", "1e6 0 0 999999 1 0 0 0 9"]
)
def test_a_cell_has_a_size(tmp_path: Path, lattice: str) -> None:
    path = tmp_path / "x.xyz"
    path.write_text(f'1\nLattice="{lattice}"\nH 0 0 0\n')
    with pytest.raises(InputError, match="Å wide; 100,000 Å are allowed"):
        read_file(path)
