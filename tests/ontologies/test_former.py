"""Objects that were stored before a property was renamed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ogm import GRAFICO, KnowledgeGraph, migrate
from ogm.keeping.check import check_store
from ogm.terms import BASE, RDF_TYPE, SCHEMA_VERSION, XSD
from ontologies import (
    ConceptualAtoms,
    ExcitedStates,
    Fragment,
    FragmentEnergy,
    FrequencyAnalysis,
    LevelOfTheory,
    SinglePoint,
)
from ontologies.quantum import ElectronicResult
from triplestore import Store, open_store

from . import instances

HELIUMS = ConceptualAtoms(numbers=[2, 2], positions=[[0, 0, 0], [0, 0, 3]])
LEVEL = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted")
FIRST = Fragment(members=np.array([True, False]))
ENERGY = -2.8077851671768084
IRI = f"{BASE}id/FragmentEnergy/01a2005c-eca2-75c5-a8c5-db9ed61a8bfb"


@pytest.fixture(params=["atoms", "supermolecule"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A store with lines as the first schema wrote them, by either name of the property."""
    said = {
        RDF_TYPE: f"<{FragmentEnergy.term()}>",
        SCHEMA_VERSION: f'"1"^^<{XSD}integer>',
        GRAFICO.term(request.param): f"<{HELIUMS.iri}>",
        GRAFICO.term("level"): f"<{LEVEL.iri}>",
        GRAFICO.term("fragment"): f"<{FIRST.iri}>",
        GRAFICO.term("energy"): f'"{ENERGY}"^^<{XSD}double>',
        GRAFICO.term("converged"): f'"true"^^<{XSD}boolean>',
        GRAFICO.term("scfCycles"): f'"3"^^<{XSD}integer>',
        GRAFICO.term("scfPath"): '"DIIS"',
        GRAFICO.term("stability"): '"not analysed"',
        GRAFICO.term("content"): '"f3bc6bde14bb5118af818c4d3a8b248b"',
    }
    with open_store("memory:") as opened:
        KnowledgeGraph(opened).push(HELIUMS, LEVEL, FIRST)
        lines = (f"<{IRI}> <{name}> {value} .\n" for name, value in said.items())
        opened.insert("".join(lines).encode())
        yield opened


def test_an_energy_among_ghosts_is_read_migrated_and_checked(store: Store) -> None:
    wanted = FragmentEnergy(
        supermolecule=HELIUMS,
        level=LEVEL,
        fragment=FIRST,
        energy=ENERGY,
        converged=True,
        scf_cycles=3,
    )
    for migrated in (False, True):
        kg = KnowledgeGraph(store)
        found = kg.pull(FragmentEnergy, IRI)
        assert found == wanted
        assert found.iri == IRI
        assert {*check_store(kg).counts} <= {"unmade", "older"}  # no activity was stored with it
        assert migrate(kg) == ({} if migrated else {"FragmentEnergy": 1})
    said = f"<{IRI}> <{GRAFICO.term('supermolecule')}> <{HELIUMS.iri}> ; <{SCHEMA_VERSION}> 2"
    assert store.query(f"ASK {{ {said} }}")
    assert KnowledgeGraph(store).find(FragmentEnergy, supermolecule=HELIUMS) == [wanted]


@pytest.mark.parametrize("said", [True, False])
def test_numbers_to_filter_by_are_there_for_results_of_the_first_schema(said: bool) -> None:
    """The lines are as the first schema wrote them, which later went without its version."""
    text = Path(__file__).with_name("stored").joinpath("results-1.nq").read_text()
    assert "dipoleMoment" not in text
    lines = text.splitlines()
    lines = "\n".join(line for line in lines if said or SCHEMA_VERSION not in line).encode()
    with open_store("memory:") as store:
        store.insert(lines)
        for migrated in (False, True):
            kg = KnowledgeGraph(store)
            found = kg.find(ElectronicResult)
            assert len(found) >= 6
            for result in found:
                assert result.dipole_moment == pytest.approx(np.linalg.norm(result.dipole))
            [modes] = kg.find(FrequencyAnalysis)
            assert modes.lowest_wavenumber == modes.wavenumbers.min()
            [states] = kg.find(ExcitedStates)
            assert states.lowest_excitation == states.excitation_energies.min()
            brightest = int(states.oscillator_strengths.argmax())
            assert states.brightest_excitation == states.excitation_energies[brightest]
            assert states.brightest_strength == states.oscillator_strengths[brightest]
            assert {*check_store(kg).counts} <= {
                "unmade",
                "older",
            }  # no activity was stored with it
            assert bool(migrate(kg)) is not migrated
        debye = found[0].dipole_moment
        assert KnowledgeGraph(store).find(SinglePoint, dipole_moment=debye)
        assert store.query(f"ASK {{ ?r <{GRAFICO.term('lowestWavenumber')}> ?lowest }}")


def test_a_derived_number_follows_its_array() -> None:
    values = {name: getattr(instances.POINT, name) for name in SinglePoint.model_fields}
    turned = SinglePoint.model_validate({**values, "dipole": [0.0, 3.0, 4.0]})
    assert turned.dipole_moment == 5.0
