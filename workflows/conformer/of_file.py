"""An ensemble that a file holds: geometries of one molecule that somebody else has made."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import NoReturn

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformersOfFile
from triplestore.errors import GraficoError, InputError
from workflows.engine import Executor
from workflows.engine.request.definition import Given
from workflows.molecule.files import content_of
from workflows.molecule.several import parts_of
from workflows.molecule.subject import MOLECULE, ReadingWithSpin, smiles_of
from workflows.molecule.text import read_text
from workflows.programs.isolated import in_subprocess
from workflows.text.words import count

from .ensemble import reaction

MOST = 5000
"""Structures of a file: each is computed."""

SHOWN = 5
"""Structures that are named, where several cannot be taken."""


async def read_ensemble(
    path: Path, said: ReadingWithSpin, executor: Executor
) -> Given[ConformersOfFile]:
    """Return the geometries of one molecule that a file holds.

    Args:
        path: of an XYZ, extended XYZ or SDF file of several structures.
        said: charge and multiplicity, where the file does not tell them.
        executor: reads the first.

    Raises:
        InputError: it holds one structure, one that cannot be read, or one that is not the same
            molecule as the first: says which.
        NotFoundError: there is no such file.
    """
    asked = f"the ensemble {path} was asked for"
    texts, digest = await in_subprocess(asked, _parts, path)
    if len(texts) == 1:  # what is wrong in it, if anything, is said with its line
        await in_subprocess(asked, content_of, path, _kind(path), texts[0])
    if len(texts) < 2:
        advice = f"compute it as a molecule: grafico run {path}; conformers are found by conformers"
        raise InputError(asked, "it holds one structure, or none that can be told apart", advice)
    if len(texts) > MOST:
        raise InputError(asked, f"it holds {len(texts):,} structures", f"{MOST:,} are allowed")
    first = await MOLECULE.read(Path(f"{path}#1"), said, executor)
    molecule = first.model
    smiles = "" if molecule.is_periodic else smiles_of(first)
    structures = await in_subprocess(asked, _structures, path, texts, molecule, smiles)
    found = ConformersOfFile(
        molecule=molecule,
        smiles=smiles,
        structures=tuple(structures),
        source_name=path.name,
        digest=digest,
    )
    told = (
        f"{count(len(structures), 'geometry', 'geometries')} of one molecule read from {path.name}"
    )
    return Given(found, path.name, (told, *first.remarks), beside=first.beside)


def _parts(path: Path) -> tuple[list[str], str]:
    """Return the texts of the structures of a file, and its digest."""
    text = read_text(path)
    return parts_of(path, _kind(path), text)[0], hashlib.sha256(text.encode()).hexdigest()


def _kind(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix


def _structures(
    path: Path,
    texts: list[str],
    first: ConceptualAtoms,
    smiles: str,
) -> list[ConceptualAtoms]:
    """Return the geometries, all of them as atoms of the first.

    Raises:
        InputError: one cannot be read, or is another molecule; names up to five of such.
    """
    found, wrong = list[ConceptualAtoms](), list[str]()
    own = content_of(path, _kind(path), texts[0]).atoms  # as the file says, whatever a person does
    for number, text in enumerate(texts, 1):
        try:
            one = content_of(path.with_name(f"{path.name}#{number}"), _kind(path), text)
        except GraficoError as error:
            wrong.append(f"structure {number}: {error.found}")
            continue
        if why := _why_not(own, one.atoms, smiles):
            wrong.append(f"structure {number}: {why}")
        else:
            found.append(first.moved_to(one.atoms.positions))
    if wrong:
        _refuse(path, wrong, len(texts))
    return found


def _why_not(first: ConceptualAtoms, one: ConceptualAtoms, smiles: str) -> str:
    """Return why a structure is no geometry of the same molecule; empty where it is one."""
    if one.is_periodic or first.is_periodic:
        return "it is a crystal"
    if not np.array_equal(one.numbers, first.numbers):
        if Counter(one.symbols) == Counter(first.symbols):
            return "its atoms are in another order than those of structure 1"
        return f"it is {one.formula}, and structure 1 is {first.formula}"
    if one.charge != first.charge:
        return f"its charge is {one.charge:+d}, and that of structure 1 is {first.charge:+d}"
    if one.multiplicity != first.multiplicity:
        return f"its multiplicity is {one.multiplicity}, that of structure 1 {first.multiplicity}"
    change = reaction(first, one, smiles)
    return f"its bonds are not those of structure 1: {change}" if change else ""


def _refuse(path: Path, wrong: list[str], many: int) -> NoReturn:
    told = "; ".join(wrong[:SHOWN])
    more = f"; and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
    raise InputError(
        f"the ensemble {path} was asked for",
        f"{len(wrong)} of {many} structures cannot be taken: {told}{more}",
        "take them out of the file; several molecules are computed by `batch`",
    )
