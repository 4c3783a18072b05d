"""Many structures are identified in one process, page by page, and no bonds are sought twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import psutil
import pytest

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from ontologies.identification import Identification
from triplestore.errors import InputError
from workflows.molecule.identify import identify
from workflows.molecule.identifying import FEW, identify_async
from workflows.molecule.substances import PAGE, identify_stored

IBUPROFEN = "CC(C)Cc1ccc(cc1)[C@H](C)C(=O)O"


def conformers(smiles: str, count: int) -> list[ConceptualAtoms]:
    from rdkit import Chem
    from rdkit.Chem import AllChem

    chem: Any = Chem
    mol: Any = chem.AddHs(chem.MolFromSmiles(smiles))
    numbers = [atom.GetAtomicNum() for atom in mol.GetAtoms()]
    made: Any = AllChem
    return [
        ConceptualAtoms(numbers=numbers, positions=mol.GetConformer(one).GetPositions())
        for one in made.EmbedMultipleConfs(mol, count, randomSeed=7)
    ]


def isolated() -> set[int]:
    """The processes of ours in which something is done apart."""
    found: set[int] = set()
    for one in psutil.Process().children():
        with suppress(psutil.Error):
            if "workflows.programs.isolated" in one.cmdline():
                found.add(one.pid)
    return found


@pytest.fixture
def session() -> Iterator[Grafico]:
    with Grafico("memory:", threads_per_calculation=1) as opened:
        yield opened


async def test_one_process_identifies_many_as_one_by_one() -> None:
    right = conformers(IBUPROFEN, 12)
    assert len(right[0].numbers) > FEW
    left = [one.moved_to(one.positions * [1, 1, -1]) for one in right[:2]]
    other = conformers("CCCCCCCCCCCC", 2)
    every = [*right, *left, *other]
    before = isolated()
    task = asyncio.create_task(identify_async(every, {}))
    seen: set[int] = set()
    while not task.done():
        seen |= isolated() - before
        await asyncio.sleep(0.01)
    assert len(seen) == 1
    assert await task == [identify(one) for one in every]
    names = [one.smiles for one in await task]
    assert [names.count(name) for name in dict.fromkeys(names)] == [12, 2, 2]


async def test_what_has_no_bonds_spoils_no_other() -> None:
    good = conformers(IBUPROFEN, 2)
    bad = ConceptualAtoms(numbers=good[0].numbers, positions=good[0].positions, charge=8)
    found = await identify_async([bad, *good, bad], {})
    assert [bool(one.reason) for one in found] == [True, False, False, True]
    assert found[0] == identify(bad)


def test_a_pattern_that_cannot_be_is_refused_first(session: Grafico) -> None:
    session.kg.push(*conformers("CCO", 3))
    with pytest.raises(InputError, match="no SMARTS"):
        session.find("[", by="substructure")
    assert not session.kg.find(Identification)
    session.find("CO", by="substructure")
    assert len(session.kg.find(Identification)) == 3


async def test_what_was_identified_stays_when_it_is_stopped() -> None:
    many = conformers("CCCO", 1)[0]
    dice = np.random.default_rng(1)
    with Grafico("memory:", threads_per_calculation=1) as session:
        for _ in range(3 * PAGE):
            session.kg.push(many.moved_to(many.positions + dice.normal(0, 0.01, (12, 3))))
        task = asyncio.create_task(identify_stored(session.executor))
        while not session.kg.find(Identification):
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        kept = len(session.kg.find(Identification))
        assert kept in (PAGE, 2 * PAGE)
        assert await identify_stored(session.executor) == 3 * PAGE - kept


def test_an_ensemble_is_identified_when_it_is_recorded(session: Grafico) -> None:
    session.run("CCCO", workflow="conformers", method="GFN2-xTB", sampler="embedding", starts=4)
    assert len(session.kg.find(Identification)) > 2
    assert session.wait_for(lambda: identify_stored(session.executor)) == 0


def test_a_geometry_has_one_identification_whichever_run_it_was_met_in(session: Grafico) -> None:
    """Built from a name its bonds are given; asked for by its IRI they would be perceived."""
    level: dict[str, Any] = {"method": "GFN2-xTB"}
    first = session.run("ethanol", task="optimise", **level)
    session.run(first.atoms.iri, method="GFN1-xTB")
    session.run(first.atoms.iri, task="frequencies", **level)
    many: dict[str, int] = {}
    for one in session.kg.find(Identification):
        many[one.identifies.iri] = many.get(one.identifies.iri, 0) + 1
    assert first.atoms.iri in many
    assert set(many.values()) == {1}
