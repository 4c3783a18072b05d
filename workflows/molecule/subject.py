"""A molecule as what is asked about: found in files, notations, names or the memory."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from ogm import Link
from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.quantum import Embedding
from ontologies.spins import SpinOrigin, ToldBy
from triplestore.errors import InputError, NotFoundError, RecipeError
from workflows.engine.execution.calculation import Call
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import Given, Pasted, Subject
from workflows.engine.request.form import Form
from workflows.engine.request.library import Library
from workflows.engine.request.rules import NumberNames, OtherNames, Personal, Setting, Short
from workflows.trust.caller import caller

from . import crystal_names
from .async_files import read_async
from .bonds import perceive
from .embedding import bonded, embed
from .files import FileContent, content_of
from .identify import identify
from .library import MOLECULES
from .lineage import built_from
from .names import refuse_unclear
from .notation import canonical
from .objects import as_xyz, content_of_object
from .polishing import is_far_off
from .pubchem import ADDRESS
from .recognition import Kind, recognise
from .several import chosen
from .spin import Spin, ground_multiplicity, read_spin
from .spin.reading import separate
from .spin.recheck import smiles_read, spin_today
from .spin.said import SPIN_STATES, unpaired
from .structure_search import COLUMNS, Search, patterns
from .structures_in_text import blocks, written_out
from .substances import identify_new
from .table import also_called
from .writing import write

OF_SPIN = re.compile(r"multiplicity (?:\d+ )?taken|taken as p\w+$")
"""What is said of spins, by this or an earlier version, in how a structure was made."""


class Reading(Form):
    """How a molecule is read, and what is said of it besides."""

    kind: Annotated[
        Kind | None, Personal(), Field(description="How to read the molecule, if not by its looks.")
    ] = None
    charge: Annotated[
        int | None,
        OtherNames(("q", "chrg", "total_charge", "net_charge")),
        Field(description="Total charge in e; else as it says."),
    ] = None
    online: Annotated[
        bool, Personal(), Field(description="Ask PubChem for a name that is not known here.")
    ] = False
    pubchem: Annotated[str, Setting()] = ADDRESS


class ReadingWithSpin(Reading):
    """How a molecule is read whose multiplicity matters."""

    shorts = MappingProxyType(
        {
            name: Short(unpaired, numbers=1)
            for name in ("uhf", "unpaired", "unpaired_electrons", "nopen")
        }
    )
    multiplicity: Annotated[
        int | None,
        OtherNames(("mult", "spin_multiplicity")),
        NumberNames(SPIN_STATES),
        Field(ge=1, description="2S+1, the number of spin states; else as it says."),
    ] = None


STANDING = (
    "?maker g:atoms ?subject ; g:steps ?steps ; g:level ?made_at ; a ?making "
    "OPTIONAL { ?maker g:constraints ?held } "
    "OPTIONAL { ?bent g:atoms ?subject ; g:level ?made_at ; g:stationarity ?standing } "
    'BIND(IF(?making = g:SaddleSearch || COALESCE(?standing = "saddle point", false), '
    '"at a saddle point", IF(BOUND(?held), "relaxed under constraints", "relaxed")) AS ?word)'
)
"""What is said of a geometry: what an optimisation has ended at."""


class Molecule(Subject[ConceptualAtoms]):
    """A molecule or a crystal.

    Args:
        any_spin: whether its multiplicity is of no account, so that nothing is remarked on it.
    """

    name: ClassVar[str] = "molecule"
    metavar: ClassVar[str] = "MOLECULE"
    model = ConceptualAtoms
    help: ClassVar[str] = (
        "MOLECULE is a file (XYZ, SDF, CIF, PDB, mol2, …), the IRI of a stored structure, a "
        "SMILES, an InChI, SELFIES or a name."
    )

    given_as: ClassVar[Mapping[str, Mapping[str, str]]] = {
        **{kind: {"kind": kind} for kind in ("smiles", "inchi", "selfies", "name", "file")},
        **dict[str, Mapping[str, str]].fromkeys(("atoms", "mol", "structure", "geometry"), {}),
    }
    field: ClassVar[str] = "atoms"
    search: ClassVar[type[Form]] = Search
    search_help: ClassVar[str] = (
        "MOLECULE is a SMILES, a name, an InChI, an InChIKey, a formula, a file or an IRI. "
        "Stereochemistry that it leaves open may be any."
    )
    columns: ClassVar[Mapping[str, str]] = COLUMNS
    standing: ClassVar[str] = STANDING
    unmade: ClassVar[str] = "not relaxed"
    library: ClassVar[Library | None] = MOLECULES

    def __init__(self, *, any_spin: bool = False) -> None:
        self.any_spin = any_spin
        self.form = Reading if any_spin else ReadingWithSpin

    def remark_on(self, name: str, told: Mapping[str, str]) -> str:
        ion = told.get("charge", "0") not in ("", "0")
        if not ion or "dipole" not in name or "transition" in name:
            return ""
        return "depends on the origin, as of every ion: the centre of mass is taken"

    def label(self, model: ConceptualAtoms) -> str:
        return model.formula

    def argument(self, given: Given[ConceptualAtoms]) -> str:
        return given.model.iri

    async def settle(self, executor: Executor) -> None:
        await identify_new(executor)

    def pasted(self, lines: Sequence[str]) -> Iterator[Pasted]:
        return blocks(lines)

    def path_of(self, text: str) -> Path:
        return chosen(Path(text))[0]

    async def take(self, path: Path) -> tuple[ConceptualAtoms, dict[str, object]]:
        content = await read_async(path)
        atoms = content.atoms
        return atoms, {
            "formula": atoms.formula,
            "atoms": len(atoms.numbers),
            "charge": atoms.charge,
            "multiplicity": atoms.multiplicity,
            "periodic": atoms.is_periodic or None,
            "comment": content.comment,
            "remarks": list(content.remarks) or None,
        }

    def written(self, model: ConceptualAtoms) -> str:
        """Return a structure as XYZ, in Å."""
        return write(model, "xyz", None, "").text

    async def matching(self, given: object, said: Form, executor: Executor) -> str:
        assert isinstance(said, Search)
        return await patterns(self, given, said, executor)

    def joined(self, given: object) -> object:
        """Return as XYZ what a program has as symbols or numbers and places, in Å."""
        return as_xyz(given)

    async def read(self, given: object, said: Form, executor: Executor) -> Given[ConceptualAtoms]:
        """Return the molecule that is meant; `detail` is a `Bonded`."""
        assert isinstance(said, Reading)
        multiplicity = said.multiplicity if isinstance(said, ReadingWithSpin) else None
        structure = await self._found(given, said, multiplicity, executor)
        changed = _changed(structure.model, {"charge": said.charge, "multiplicity": multiplicity})
        detail: Bonded = structure.detail
        told: ToldBy | Literal[""] = detail.told
        if changed.charge != structure.model.charge:
            if told in ("table", "rule") and multiplicity is None:
                best = ground_multiplicity(changed)
                changed = _changed(changed, {"multiplicity": best})
                told = "count" if best is None else "table"
                if best not in (None, 1 + changed.electrons % 2) and not self.any_spin:
                    note = f"multiplicity {best} taken, that of the ground state with this charge"
                    structure = replace(structure, remarks=(*structure.remarks, note))
            detail = Bonded(detail.title, told=told)
        if multiplicity is not None and detail.told:
            detail = Bonded(detail.title, detail.mol, "person")
        doubt = "" if multiplicity or self.any_spin else _doubt(changed)
        remarks = tuple(filter(None, (*structure.remarks, doubt)))
        origin = () if self.any_spin else _origin(changed, detail)
        return replace(structure, model=changed, remarks=remarks, detail=detail, beside=origin)

    async def _found(
        self, given: object, said: Reading, multiplicity: int | None, executor: Executor
    ) -> Given[ConceptualAtoms]:
        if isinstance(given, ConceptualAtoms):
            return Given(given, detail=Bonded())
        if isinstance(given, FileContent):
            return self._of_file(given, given.comment)
        content = content_of_object(given, said.charge, multiplicity)
        if isinstance(content, FileContent):
            return self._of_file(content, content.comment)
        if content is not None:
            given, said = content, said.model_copy(update={"kind": "smiles"})
        if given is None:
            raise InputError("a molecule was asked for", "none is named", "give a file or a name")
        if not isinstance(given, str | Path):
            raise InputError(
                f"a molecule was given as a {type(given).__name__}",
                "that is no structure that is read here",
                "give a name, a SMILES, a file, symbols and places in Å, or what ASE, RDKit, "
                "pymatgen, PySCF, QCElemental or cclib have of it",
            )
        text = str(given)
        if isinstance(given, str) and (xyz := _written_out(given)):
            about = Path("the coordinates")
            content = content_of(about, ".xyz", xyz, said.charge, multiplicity)
            return self._of_file(content, content.comment or content.atoms.formula)
        name = text if isinstance(given, str) else Path(text).name
        match recognise(text, "file" if isinstance(given, Path) else said.kind):
            case "file":
                content = await read_async(Path(text), said.charge, multiplicity)
                return self._of_file(content, name)
            case "iri":
                atoms = self.stored_object(executor.kg, text.strip())
                known = executor.kg.find(Embedding, atoms=atoms)
                bonds = Bonded("", bonded(known[0]) if known else None)
                built = built_from(known[0].kind) if known else ""
                return Given(atoms, name, (), bonds, built=built)
            case "smiles" | "name" | "inchi" | "selfies" as notation:
                named = crystal_names.named
                crystal = await asyncio.to_thread(named, text) if notation == "name" else None
                if crystal is not None:
                    return self._of_file(crystal, name)
                result = await _embedded(executor, text.strip(), notation, said)
                spin = spin_today(result)
                changed = said.charge not in (None, result.atoms.charge)
                settled = self.any_spin or multiplicity is not None or changed
                made = [f"3D structure: {_method(result, spin, settled=settled)}"]
                if notation == "smiles" and result.notation != text.strip():
                    made.append(f"atoms in the order of {result.notation}")
                formula = result.atoms.formula
                if notation == "smiles" and (other := also_called(text.strip(), formula)):
                    made.append(f"{text.strip()} is a SMILES, {formula}; write {other} by its name")
                title = text.strip() if notation == "name" else ""
                told: ToldBy = spin.origin if spin else "count"
                known_bonds = Bonded(title, bonded(result), told)
                built = built_from(notation)
                return Given(result.atoms, name, tuple(made), known_bonds, built=built)

    def _of_file(self, content: FileContent, name: str) -> Given[ConceptualAtoms]:
        bonds = Bonded(content.comment, content.mol, told=content.spin or "count")
        read = content.spin in ("table", "rule") and not self.any_spin
        note = read_spin(content.mol).note if read and content.mol is not None else ""
        remarks = (*content.remarks, *([note] if note else []))
        return Given(content.atoms, name, remarks, bonds)


class Bonded:
    """What is known of a molecule besides its atoms.

    Args:
        title: what a file calls it, or its name.
        mol: RDKit's molecule with its bonds, atom by atom; None where they are not known.
        told: who told its multiplicity; empty for a stored structure, which has one.
    """

    def __init__(self, title: str = "", mol: Any = None, told: ToldBy | Literal[""] = "") -> None:
        self.title = title
        self.mol = mol
        self.told: ToldBy | Literal[""] = told

    @property
    def parts(self) -> Sequence[tuple[tuple[int, ...], int, int]]:
        """What its notation sets apart: atoms from 0, charge and multiplicity of each."""
        return [] if self.mol is None else separate(self.mol)


MOLECULE = Molecule()
MOLECULE_OF_ANY_SPIN = Molecule(any_spin=True)


async def _embedded(executor: Executor, text: str, notation: Kind, said: Reading) -> Embedding:
    """Embed a notation; a name that is not known here is looked up where that is allowed."""
    if notation == "smiles":
        return await _embedded_smiles(executor, text)
    if notation == "name":
        refuse_unclear(text)  # also where an earlier version embedded one of them
    try:
        return await _as_today(executor, embed.bind(text, notation))
    except NotFoundError:
        if notation != "name" or not said.online:
            raise
    return await _as_today(executor, embed.bind(text, notation, said.pubchem))


async def _embedded_smiles(executor: Executor, text: str) -> Embedding:
    """Embed a SMILES in its canonical order, so that a molecule is one however it is written.

    One that was embedded as it is written, by an earlier version, is found again.
    """
    call = embed.bind(text, "smiles")
    usual = canonical(text, repr(text[:80]))
    if usual != text:
        known = await executor.recall_soon(call)
        if known is not None and not _is_misread(known.result):
            return known.result
        with contextlib.suppress(RecipeError):  # in another order it may well succeed
            return await _as_today(executor, embed.bind(usual, "smiles"))
    return await _as_today(executor, call)


async def _as_today(executor: Executor, call: Call[Embedding]) -> Embedding:
    """Embed a notation, again where it was embedded with another spin, or with worse bonds.

    The former structure stays stored, and what rests on it; `fsck` names those of another spin.
    """
    answer = await executor.run(call)
    if answer.reused and _is_misread(answer.result):
        answer = await executor.run(call, recompute=True)
    return answer.result


def _is_misread(embedding: Embedding) -> bool:
    """Tell whether a notation is embedded otherwise today: with another spin, or better bonds."""
    spin = spin_today(embedding)
    if spin is not None and spin.multiplicity != embedding.atoms.multiplicity:
        return True
    mol = bonded(embedding)
    return mol is not None and is_far_off(mol, embedding.atoms.positions, embedding.method)


def _method(embedding: Embedding, spin: Spin | None, *, settled: bool) -> str:
    """Return how a structure was made, and of its spin what is told today; nothing if settled."""
    said = [part for part in embedding.method.split("; ") if not OF_SPIN.search(part)]
    return "; ".join(said if settled or spin is None or not spin.note else [*said, spin.note])


def _origin(atoms: ConceptualAtoms, detail: Bonded) -> tuple[SpinOrigin, ...]:
    """Return who told the multiplicity of a structure; empty for a stored one, which has it."""
    if not (told := detail.told):
        return ()
    structure = Link[ConceptualAtoms](atoms)
    if detail.mol is None or told not in ("table", "rule"):
        return (SpinOrigin(spin_of=structure, told_spin=told),)
    reason, bonds = read_spin(detail.mol).reason, smiles_read(detail.mol)
    return (SpinOrigin(spin_of=structure, told_spin=told, spin_smiles=bonds, spin_reason=reason),)


def _written_out(text: str) -> str:
    """Return the XYZ that a person gives in place of a name; empty for anything else.

    No model gives coordinates: what it names are structures that are stored.
    """
    found = written_out(text) if caller().is_person else None
    return found.text if found is not None and found.suffix == ".xyz" else ""


def lasting(text: str, given: Given[ConceptualAtoms], executor: Executor) -> str:
    """Return how a molecule is named in a request that may be gone on with later, or elsewhere.

    A file may be gone by then, or be another one, or be read for nobody: its structure is stored,
    and its IRI is what is recorded.

    Args:
        text: how it was named.
        given: what that was.
        executor: stores it.
    """
    if not _written_out(text) and recognise(text) != "file":
        return text
    executor.record(given.model)
    return given.model.iri


async def mol_of(given: Given[ConceptualAtoms]) -> Any:
    """Return a molecule with its bonds as RDKit has it; they are perceived where nobody says them.

    Raises:
        InputError: the bonds are not known.
    """
    bonds: Bonded = given.detail
    return bonds.mol or (await asyncio.to_thread(perceive, given.model))[0]


def smiles_of(given: Given[ConceptualAtoms]) -> str:
    """Return the bonds of a molecule as canonical SMILES; empty where they are not known."""
    mol = given.detail.mol if isinstance(given.detail, Bonded) else None
    return identify(given.model, mol).smiles


def _changed(atoms: ConceptualAtoms, changes: dict[str, int | None]) -> ConceptualAtoms:
    given: dict[str, int | None] = {
        n: v for n, v in changes.items() if v is not None and v != getattr(atoms, n)
    }
    if not given:
        return atoms
    if changes.get("multiplicity") is None:  # that of another charge is another
        given["multiplicity"] = None
    values = {name: getattr(atoms, name) for name in type(atoms).model_fields}
    return make_atoms(atoms.formula, **{**values, **given})


def _doubt(atoms: ConceptualAtoms) -> str:
    """Return a remark where the multiplicity is not that of the ground state."""
    best = ground_multiplicity(atoms)
    if best in (None, atoms.multiplicity):
        return ""
    charge = f" with charge {atoms.charge:+d}" if atoms.charge else ""
    return (
        f"multiplicity {atoms.multiplicity} taken, but the ground state of {atoms.formula}{charge} "
        f"has {best}: ask for it (multiplicity={best})"
    )
