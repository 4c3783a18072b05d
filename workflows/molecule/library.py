"""Libraries of molecules: SMILES, SDF, XYZ and tables, as clean as they are."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from triplestore.errors import GraficoError, InputError
from workflows.engine.request.form import Form
from workflows.engine.request.library import Library, Raw, Record
from workflows.engine.request.rules import For
from workflows.text.words import count
from workflows.trust.caller import quoted

from .checks import open_stereo
from .configurations import forms as configurations
from .files import OTHERS, content_of
from .notation import first_line, read_smiles
from .poscar import ENDINGS
from .recognition import recognise, smiles_fault
from .spin import read_spin
from .spin.reading import SPINS

if TYPE_CHECKING:
    from rdkit.Chem import Mol

LONGEST = 5_000_000
"""Characters of one record."""

MOST_FORMS = 1000
"""Stereoisomers of one entry."""

NAMED = ("name", "molecule", "compound")
"""Headings under which names stand, in plain spelling."""

NOTATIONS = (".smi", ".smiles", ".ism")
TITLE = re.compile(r"(?:canonical_|isomeric_)?smiles\b", re.IGNORECASE)
"""How the first line of a file of SMILES begins where it is a heading."""

LISTS = ".names"
"""What else has a molecule a line: a SMILES with its name behind it, or else a name."""

EXTENDED = "it is a CXSMILES: what stands between | and | is not read"

COUNT = re.compile(r"\s*\d{1,6}\s*", re.ASCII)
"""The first line of a structure in XYZ."""

_WHOLE = re.compile(r"[+-]?[0-9]+(\.0*)?([eE][+-]?[0-9]{1,2})?")
"""A whole number, perhaps as a program for tables writes it."""

ATOM = re.compile(r"\s*[A-Za-z]{1,3}(\s+[-+]?[\d.]+([eEdD][-+]?\d+)?){3}")
"""How the line of an atom begins."""

PROPERTY = re.compile(
    r"^>[^\n<]{0,80}<([^>\n]{1,80})>[^\n]*\n(.*?)(?=\n[ \t]*\n|\n>|\Z)", re.M | re.S
)
"""A data field of an SDF file."""

TEXT = 1000
"""Characters of a property that are kept."""


class Cleaning(Form):
    """What is done with molecules of a library that are not as they should be."""

    fragments: Annotated[
        Literal["all", "largest"],
        Field(description="Of salts and mixtures: all of it; or the largest fragment alone."),
    ] = "all"
    stereo: Annotated[
        Literal["one", "refuse", "enumerate"],
        Field(description="Where stereochemistry is open: one form is taken; refuse; or each."),
    ] = "one"
    stereoisomers: Annotated[
        int,
        For("stereo", ("enumerate",)),
        Field(ge=1, le=MOST_FORMS, description="Forms of one molecule at most."),
    ] = 16


class Molecules(Library):
    """How many molecules are read from one source."""

    form: ClassVar[type[Form]] = Cleaning
    suffixes: ClassVar[tuple[str, ...]] = (
        *(*NOTATIONS, LISTS, ".sdf", ".mol", ".xyz", ".extxyz", ".cif"),
        *(*OTHERS, *ENDINGS),
    )
    columns: ClassVar[tuple[str, ...]] = (
        "isomericsmiles",
        "smiles",
        "canonicalsmiles",
        "structure",
        "inchi",
        "selfies",
        "iri",
        "atoms",
        "molecule",
        "compound",
        "name",
    )
    fields: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "charge": ("totalcharge", "netcharge", "formalcharge", "chg"),
        "multiplicity": ("mult", "spin", "spinmultiplicity", "spinmult", "2s+1"),
    }

    def headings(self, raw: Raw) -> Iterable[str]:
        said = (key.strip() for key, _ in PROPERTY.findall(raw.text)) if raw.suffix else ()
        return *raw.columns, *said

    def told(self, raw: Raw) -> dict[str, Any]:
        plain = not raw.suffix and _kind(raw) == "name"
        named: dict[str, Any] = {"kind": "name"} if plain else {}
        return {**_told(raw), **named}

    def split(self, lines: Iterator[str], suffix: str) -> Iterator[Raw]:
        if suffix in (*NOTATIONS, LISTS):
            return _notations(lines, names=suffix == LISTS)
        if suffix in (".sdf", ".mol"):
            return _ended(lines, suffix)
        if suffix in OTHERS or suffix in ENDINGS:
            return _headed(lines, suffix)
        return _begun(lines, suffix) if suffix == ".cif" else _frames(lines, suffix)

    def read(self, raws: Sequence[Raw], said: Form) -> list[Record]:
        assert isinstance(said, Cleaning)
        found: list[Record] = []
        for raw in raws:
            try:
                found += _read(raw, said)
            except GraficoError as error:
                found.append(Record(raw, problem=error.found))
        return found

    def given(self, raw: Raw) -> object:
        """Return a structure with the bonds of its file, or the notation of a flat drawing."""
        if not raw.suffix:
            return raw.text
        record = self.read([raw], Cleaning())[0]
        if record.problem:
            raise InputError(f"{raw.place} was to be read", record.problem, "mend it there")
        if record.model is None:
            return record.given
        return content_of(Path(raw.place), raw.suffix, raw.text)

    def written(self, model: GraphModel, name: str, values: Mapping[str, object]) -> str:
        from .writing import write

        assert isinstance(model, ConceptualAtoms)
        record = write(model, "sdf", None, name).text.removesuffix("$$$$\n")
        told = "".join(
            f">  <{' '.join(re.split('[<>]', key))}>\n{' '.join(str(value).split())}\n\n"
            for key, value in values.items()
        )
        return f"{record}{told}$$$$\n"

    def suffix_of(self, head: str) -> str:
        if "M  END" in head or re.search(r"V[23]000\s*$", head, re.MULTILINE):
            return ".sdf"
        if re.match(r"\s*\d{1,9}\s*(\r?\n|$)", head):
            return ".xyz"
        if "@<TRIPOS>MOLECULE" in head or re.search(r"(?m)^(ATOM  |HETATM)", head):
            return ".mol2" if "@<TRIPOS>" in head else ".pdb"
        return ".cif" if re.search(r"(?m)^data_\S", head) else LISTS


# --- splitting -----------------------------------------------------------------------------------


def _notations(lines: Iterator[str], *, names: bool) -> Iterator[Raw]:
    """Iterate over lines that begin with a SMILES; those that do not can be names, or cannot."""
    for number, line in enumerate(lines, 1):
        text, _, name = line.strip().replace("\t", " ").partition(" ")
        if names and text and text[0] != "#" and smiles_fault(text) is not None:
            text, _, name = line.strip().partition("\t")
            yield Raw(f"line {number}", text.strip(), name.strip(), heading="")
        elif text and not text.startswith("#") and not (number == 1 and TITLE.match(text)):
            problem = EXTENDED if name.strip().startswith("|") else ""
            yield Raw(f"line {number}", text, name.strip(), heading="smiles", problem=problem)


class _Block:
    """The lines of a record, of which no more are held than are allowed."""

    def __init__(self, place: str, suffix: str) -> None:
        self._place, self._suffix = place, suffix
        self._lines: list[str] = []
        self._size = 0

    def add(self, line: str) -> None:
        self._size += len(line)
        if self._size <= LONGEST:
            self._lines.append(line)

    @property
    def text(self) -> str:
        return "".join(self._lines)

    @property
    def raw(self) -> Raw:
        """The record, or why it cannot be read."""
        if self._size <= LONGEST:
            return Raw(self._place, self.text, suffix=self._suffix)
        problem = f"it has {self._size:,} characters; {LONGEST:,} are allowed"
        return Raw(self._place, "", suffix=self._suffix, problem=problem)


def _ended(lines: Iterator[str], suffix: str) -> Iterator[Raw]:
    """Iterate over records of which each ends with a line of its own."""
    numbered = enumerate(lines, 1)
    for number in itertools.count(1):
        first = next(numbered, None)
        if first is None:
            return
        block = _Block(f"structure {number}, line {first[0]}", suffix)
        for _, line in itertools.chain([first], numbered):
            if line.startswith("$$$$"):
                break
            block.add(line)
        raw = block.raw
        if raw.problem or raw.text.strip():
            yield raw


def _begun(lines: Iterator[str], suffix: str) -> Iterator[Raw]:
    """Iterate over records of which each begins with a line of its own."""
    number, block, holds = 0, _Block("structure 1, line 1", suffix), False
    for at, line in enumerate(itertools.chain(lines, ["data_end"]), 1):
        if line.lower().startswith("data_"):
            if holds:
                yield block.raw
            number += holds
            block, holds = _Block(f"structure {number + 1}, line {at}", suffix), False
        block.add(line)
        holds = holds or "_atom_site_" in line.lower()


def _headed(lines: Iterator[str], suffix: str) -> Iterator[Raw]:
    """Iterate over models and records of other programs' files; most are one of these."""
    head = {".mol2": "@<TRIPOS>MOLECULE", ".pdb": "MODEL ", ".ent": "MODEL "}.get(suffix)
    number, block, begun = 1, _Block("structure 1, line 1", suffix), head is None
    for at, line in enumerate(lines, 1):
        if head and line.startswith(head):
            if begun:
                yield block.raw
                number += 1
            block, begun = _Block(f"structure {number}, line {at}", suffix), True
        begun = begun or line.startswith(("ATOM  ", "HETATM"))
        block.add(line)
    if begun or block.text.strip():
        yield block.raw


def _frames(lines: Iterator[str], suffix: str) -> Iterator[Raw]:
    """Iterate over structures of which each says first how many lines it has."""
    numbered = enumerate(lines, 1)
    number, line = 0, next(numbered, None)
    while line is not None:
        at, text = line
        if not text.strip():
            line = next(numbered, None)
            continue
        number += 1
        place = f"structure {number}, line {at}"
        if COUNT.fullmatch(text):
            block = _Block(place, suffix)
            for _, more in itertools.chain([line], itertools.islice(numbered, int(text) + 1)):
                block.add(more)
            line = next(numbered, None)
            if line is not None and ATOM.match(line[1]):  # more of them than it says
                block.add(line[1])
                line = _next_frame(numbered)
            yield block.raw
        else:
            problem = f"the number of atoms should stand there, not {quoted(text.strip())}"
            yield Raw(place, "", suffix=suffix, problem=problem)
            line = _next_frame(numbered)


def _next_frame(numbered: Iterator[tuple[int, str]]) -> tuple[int, str] | None:
    return next((one for one in numbered if COUNT.fullmatch(one[1])), None)


# --- reading -------------------------------------------------------------------------------------


def _read(raw: Raw, said: Cleaning) -> Iterable[Record]:
    if raw.suffix in (".sdf", ".mol"):
        return _of_molfile(raw, said)
    if raw.suffix:
        content = content_of(Path(raw.place), raw.suffix, raw.text)
        name, columns = raw.name, dict[str, str]()
        if content.comment:
            columns["comment"] = content.comment[:TEXT]
        return [
            Record(
                raw,
                "",
                content.atoms,
                len(content.atoms.numbers),
                name=name,
                columns=columns,
                remarks=content.remarks,
            )
        ]
    text = raw.text.strip()
    kind = _kind(raw)
    if kind == "file":
        raise InputError("", "it names a file: give the folder, or the file itself", "")
    if kind != "smiles":
        return [Record(raw, text, arguments=MOLECULES.told(raw))]
    try:
        mol = read_smiles(text, repr(text[:80]))
    except InputError as error:
        if raw.columns or not _is_smiles(raw.name):
            raise
        problem = f"{error.found}; the SMILES seems to stand behind it: it should come first"
        raise InputError("", problem, "") from error
    return _cleaned(raw, text, mol, said)


def _kind(raw: Raw) -> str:
    """Return what a text is by its heading, such as the name CO."""
    kind = "smiles" if "smiles" in raw.heading else recognise(raw.text.strip())
    return "name" if raw.heading in NAMED and kind == "smiles" else kind


def _is_smiles(text: str) -> bool:
    if not text:
        return False
    with suppress(InputError):
        read_smiles(text, repr(text[:80]))
        return True
    return False


def _told(raw: Raw) -> dict[str, Any]:
    """Return charge and multiplicity, where columns say them.

    Raises:
        InputError: one is no such number, or two of them differ.
    """
    found: dict[str, Any] = {}
    for heading, value in raw.columns.items():
        name = MOLECULES.field_of(heading)
        if not name or not value:
            continue
        if name == "multiplicity" and value.lower() in SPINS:
            said = SPINS.index(value.lower()) + 1
        elif heading.strip().lower() == "spin":  # programs mean S, 2S or 2S+1 by it
            problem = f"{value} under {heading} may be S, 2S or 2S+1: call the column multiplicity"
            raise InputError("", f"{problem} (2S+1), or write singlet, doublet, …", "")
        else:
            try:
                if not _WHOLE.fullmatch(value):  # Python takes `1_0` and digits of other scripts
                    raise ValueError
                said = int(float(value))
            except (ValueError, OverflowError):
                problem = f"{value!r} under {heading} is no whole number"
                raise InputError("", problem, "") from None
        if name == "multiplicity" and said < 1:
            raise InputError("", f"{said} under {heading} is no multiplicity, which is 2S+1", "")
        if found.setdefault(name, said) != said:
            raise InputError("", f"two of its columns say different things of its {name}", "")
    return found


def _of_part(told: dict[str, Any], charge: int) -> dict[str, Any]:
    """Return what columns say of one fragment: they speak of all of them.

    Args:
        told: by the columns.
        charge: of all, as they are written.

    Raises:
        InputError: it is not known what is the fragment's.
    """
    odd = [
        f"{name} {told[name]}"
        for name, usual in (("charge", charge), ("multiplicity", 1))
        if told.get(name, usual) != usual
    ]
    if odd:
        said = " and ".join(odd)
        raise InputError("", f"whether the largest fragment has the {said} is not known", "")
    return {}


def _of_molfile(raw: Raw, said: Cleaning) -> Iterable[Record]:
    """Read a record of an SDF file; a flat drawing, or one without hydrogens, by its bonds."""
    from rdkit import Chem, rdBase

    name = raw.name or raw.text.partition("\n")[0].strip()[:TEXT]
    columns = {key.strip(): value.strip()[:TEXT] for key, value in PROPERTY.findall(raw.text)}
    raw = replace(raw, name=name, columns={**columns, **raw.columns})
    if len(re.findall(r"(?m)^M {2}END", raw.text)) > 1:
        found = "several structures stand in it: the line $$$$ between them is missing"
        raise InputError("", found, "")
    with rdBase.CaptureErrorLog() as log:
        mol: Any = Chem.MolFromMolBlock(raw.text, sanitize=False, removeHs=False)
    if mol is None or not mol.GetNumAtoms():
        why = quoted(first_line(log.messages), "") if log.messages.strip() else ""
        reason = f": {why}" if why else ""
        raise InputError("", f"it is no structure that RDKit can read{reason}", "")
    flat = mol.GetNumAtoms() > 1 and not mol.GetConformer().Is3D()
    mol.UpdatePropertyCache(strict=False)
    if not flat and not any(atom.GetTotalNumHs() for atom in mol.GetAtoms()):
        content = content_of(Path(raw.place), raw.suffix, raw.text)
        for field, value in _told(raw).items():
            if (has := getattr(content.atoms, field)) != value:
                raise InputError("", f"its {field} is given as {value}, its atoms have {has}", "")
        return [Record(raw, "", content.atoms, len(content.atoms.numbers), remarks=content.remarks)]
    with rdBase.BlockLogs():
        drawn: Any = Chem.MolFromMolBlock(raw.text)
    if drawn is None:
        raise InputError("", "its bonds are not possible", "")
    smiles = Chem.MolToSmiles(drawn)
    why = "a flat drawing" if flat else "some hydrogen atoms have no position"
    remark = f"{why}: its geometry is made from its bonds"
    raw = replace(raw, remarks=(*raw.remarks, remark))
    return _cleaned(raw, smiles, read_smiles(smiles, repr(name)), said)


def _cleaned(raw: Raw, smiles: str, mol: Mol, said: Cleaning) -> Iterator[Record]:
    """Return what is computed of a molecule that is given by its bonds."""
    from rdkit import Chem

    remarks: list[str] = []
    told, charge = _told(raw), Chem.GetFormalCharge(mol)
    parts = smiles.count(".") + 1
    if parts > 1 and said.fragments == "largest":
        every: list[Mol] = list(Chem.GetMolFrags(mol, asMols=True))
        mol, told = max(every, key=_measure), _of_part(told, charge)
        smiles = Chem.MolToSmiles(mol)
        remarks.append(f"the largest of {parts} fragments")
    elif parts > 1:
        remarks.append(f"{parts} fragments, computed together")
    if told.get("charge", charge) != charge:
        remarks.append(f"charge {told['charge']:+d}, although it is written with {charge:+d}")
    whole = Chem.AddHs(mol)
    size, left_open = whole.GetNumAtoms(), open_stereo(whole)
    if not told:
        remarks += filter(None, [read_spin(whole).note])
    if left_open and said.stereo == "refuse":
        raise InputError("", left_open[0].partition(":")[0], "")
    if not left_open or said.stereo == "one":
        remarks += left_open
        yield Record(
            raw, smiles, None, size, Chem.MolToSmiles(mol), arguments=told, remarks=tuple(remarks)
        )
        return
    forms = sorted(
        Chem.MolToSmiles(one)
        for one in itertools.islice(configurations(mol), said.stereoisomers + 1)
    )
    if len(forms) > said.stereoisomers:
        found = f"it has more than {count(said.stereoisomers, 'stereoisomer')}"
        raise InputError("", found, "")
    for number, form in enumerate(forms, 1):
        which = f"stereoisomer {number} of {len(forms)}"
        name = f"{raw.name or raw.place}, {which}"
        yield Record(raw, form, None, size, form, name, arguments=told, remarks=(*remarks, which))


def _measure(mol: Mol) -> tuple[int, str]:
    """Return how large a molecule is; of several as large the SMILES decides."""
    from rdkit import Chem

    return Chem.AddHs(mol).GetNumAtoms(), Chem.MolToSmiles(mol)


MOLECULES = Molecules()
