"""What a person means by a molecule, found in files, notations, names or the memory."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.quantum import Embedding
from triplestore.errors import NotFoundError, RecipeError
from workflows.molecule import Kind, Written, embed, recognise
from workflows.molecule.embed import bonded
from workflows.molecule.names import refuse_unclear
from workflows.molecule.notation import canonical, ground_multiplicity, separate
from workflows.molecule.reading import read_apart, write_apart

if TYPE_CHECKING:
    from .client import Grafico


@dataclass(frozen=True)
class Given:
    """A structure that was asked for.

    Attributes:
        atoms: the structure.
        remarks: what was assumed about it, in words.
        title: what a file calls it, or the notation.
        mol: RDKit's molecule with its bonds, atom by atom; None where they are not known.
    """

    atoms: ConceptualAtoms
    remarks: tuple[str, ...] = ()
    title: str = ""
    mol: Any = None

    @property
    def parts(self) -> list[tuple[tuple[int, ...], int, int]]:
        """What its notation sets apart: atoms from 0, charge and multiplicity of each."""
        return [] if self.mol is None else separate(self.mol)


async def find_structure(
    session: Grafico,
    molecule: str | Path | ConceptualAtoms,
    kind: Kind | None = None,
    charge: int | None = None,
    multiplicity: int | None = None,
    online: bool | None = None,
    *,
    any_spin: bool = False,
) -> Given:
    """Return the structure that is meant, and what was assumed about it.

    Args:
        session: whose executor makes structures, and whose store knows them by IRI.
        molecule: a file, an IRI, a notation or a name; or a structure.
        kind: how to read it, if not by its looks.
        charge: total charge in e; None for what the molecule says.
        multiplicity: 2S+1; None for what the molecule says, else the lowest possible.
        online: whether PubChem may be asked for names; None for what the settings say.
        any_spin: whether its multiplicity is of no account, so that nothing is remarked on it.

    Raises:
        GraficoError: see `triplestore.errors`.
    """
    made, title, mol = list[str](), "", None
    if isinstance(molecule, ConceptualAtoms):
        atoms = molecule
    else:
        text = str(molecule)
        match recognise(text, "file" if isinstance(molecule, Path) else kind):
            case "file":
                content = await read_apart(Path(text), charge, multiplicity)
                atoms, title, mol = content.atoms, content.comment, content.mol
                made = [*content.remarks]
            case "iri":
                atoms = session.atoms(text.strip())
                known = session.kg.find(Embedding, atoms=atoms)
                mol = bonded(known[0]) if known else None
            case "smiles" | "name" | "inchi" | "selfies" as notation:
                allowed = session.settings.online if online is None else online
                result = await _embedded(session, text.strip(), notation, allowed)
                atoms, made = result.atoms, [f"3D structure: {result.method}"]
                if notation == "smiles" and result.notation != text.strip():
                    made.append(f"atoms in the order of {result.notation}")
                title, mol = text.strip() if notation == "name" else "", bonded(result)
    chosen = _changed(atoms, {"charge": charge, "multiplicity": multiplicity})
    doubt = "" if multiplicity or any_spin else _doubt(chosen)
    known_bonds = mol if chosen.charge == atoms.charge else None
    return Given(chosen, tuple(filter(None, (*made, doubt))), title, known_bonds)


async def _embedded(session: Grafico, text: str, notation: Kind, online: bool) -> Embedding:
    """Embed a notation; a name that is not known here is looked up where that is allowed."""
    if notation == "smiles":
        return await _embedded_smiles(session, text)
    if notation == "name":
        refuse_unclear(text)  # also where an earlier version embedded one of them
    try:
        return (await session.executor.run(embed.bind(text, notation))).result
    except NotFoundError:
        if notation != "name" or not online:
            raise
    address = session.settings.pubchem
    return (await session.executor.run(embed.bind(text, notation, address))).result


async def _embedded_smiles(session: Grafico, text: str) -> Embedding:
    """Embed a SMILES in its canonical order, so that a molecule is one however it is written.

    One that was embedded as it is written, by an earlier version, is found again.
    """
    call = embed.bind(text, "smiles")
    usual = canonical(text, repr(text[:80]))
    if usual != text:
        known = session.executor.recall(call)
        if known is not None:
            return known.result
        with contextlib.suppress(RecipeError):  # in another order it may well succeed
            return (await session.executor.run(embed.bind(usual, "smiles"))).result
    return (await session.executor.run(call)).result


async def convert_structure(
    session: Grafico,
    molecule: str | Path | ConceptualAtoms,
    form: str,
    kind: Kind | None = None,
    charge: int | None = None,
    multiplicity: int | None = None,
    online: bool | None = None,
) -> Written:
    """Return a molecule as text in a format, with notes on what was assumed and what is lost."""
    given = await find_structure(session, molecule, kind, charge, multiplicity, online)
    written = await write_apart(given.atoms, form, given.mol, given.title)
    return Written(written.text, written.form, (*given.remarks, *written.notes))


def _changed(atoms: ConceptualAtoms, changes: dict[str, int | None]) -> ConceptualAtoms:
    given: dict[str, int | None] = {n: v for n, v in changes.items() if v is not None}
    if not given:
        return atoms
    if "multiplicity" not in given:
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
        f"has {best}: ask for it (--multiplicity {best})"
    )
