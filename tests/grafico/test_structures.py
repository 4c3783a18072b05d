"""A molecule is one molecule, however it is written."""

from pathlib import Path

import pytest

from grafico import Grafico
from ontologies.quantum import Embedding
from tests.asking import found
from triplestore.errors import InputError
from workflows.molecule import embed

FORMIC_ACID = (
    "O=CO",
    "OC=O",
    "C(=O)O",
    "[CH:7](O)=O",
    "formic acid",
    "HCOOH",
    "InChI=1S/CH2O2/c2-1-3/h1H,(H,2,3)",
    "[O][=C][O]",
)


async def test_every_spelling_gives_the_same_atoms(tmp_path: Path) -> None:
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        given = [await found(session, text) for text in FORMIC_ACID]
        assert len({one.model.iri for one in given}) == 1
        assert given[0].model.iri == embed("O=CO", "smiles").atoms.iri
        assert "atoms in the order of O=CO" in given[1].remarks
        assert not [note for note in given[0].remarks if "order of" in note]
        made = session.kg.find(Embedding, kind="smiles")
        assert [one.notation for one in made] == ["O=CO"]


async def test_what_was_embedded_as_it_was_written_is_found_again(tmp_path: Path) -> None:
    """Earlier versions embedded every spelling by itself."""
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        earlier = (await session.executor.run(embed.bind("OC=O", "smiles"))).result
        assert earlier.atoms.iri != embed("O=CO", "smiles").atoms.iri
        assert (await found(session, "OC=O")).model.iri == earlier.atoms.iri
        assert (await found(session, " OC=O ")).model.iri == earlier.atoms.iri
        other = await found(session, "C(=O)O")
        assert other.model.iri == embed("O=CO", "smiles").atoms.iri


@pytest.mark.parametrize(
    "spellings",
    [
        ("C[C@H](N)C(=O)O", "N[C@@H](C)C(=O)O", "OC(=O)[C@@H](N)C"),
        ("F/C=C/F", "C(/F)=C\\F"),
        ("[NH4+].[Cl-]", "[Cl-].[NH4+]"),
        ("[CH3]", "[CH3:2]"),
        ("FCl(F)F", "Cl(F)(F)F"),
        ("N->[Pt@SP1](<-N)(Cl)Cl",),
    ],
)
async def test_stereochemistry_charges_and_spins_are_kept(
    tmp_path: Path, spellings: tuple[str, ...]
) -> None:
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        given = [await found(session, text) for text in spellings]
        assert len({one.model.iri for one in given}) == 1
        alone = embed(spellings[0], "smiles")
        [made] = session.kg.find(Embedding, kind="smiles")
        assert made.smiles == alone.smiles
        assert given[0].model.formula == alone.atoms.formula
        assert given[0].model.charge == alone.atoms.charge
        assert given[0].model.multiplicity == alone.atoms.multiplicity


async def test_what_is_wrong_with_a_smiles_is_said_of_what_was_given(tmp_path: Path) -> None:
    wrong = pytest.raises(InputError, match=r"C\(C\)\(C\)\(C\)\(C\)C")
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session, wrong:
        await found(session, "C(C)(C)(C)(C)C")
