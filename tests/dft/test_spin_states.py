"""Multiplicities beside each other, against another program and published values."""

from __future__ import annotations

import numpy as np
import pytest

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import SpinStateScan
from ontologies.provenance import Outcome, Part, Run
from ontologies.quantum import ElectronicResult, Optimisation
from tests.asking import asked_of
from tests.dft.conftest import Bench
from tests.dft.structures import atoms, single
from triplestore.errors import InputError, RecipeError
from workflows.dft.graphs.spin_states import SpinStatesRequest, failed
from workflows.dft.request.forms import LevelRequest
from workflows.engine.request.workflow import Finished

KCAL_PER_HARTREE = 627.509474
DIOXYGEN = atoms([8, 8], [[0, 0, 0], [0, 0, 1.208]])
METHYLENE = atoms([6, 1, 1], [[0, 0, 0], [0, 0.98, 0.5], [0, -0.98, 0.5]])


def scan(
    bench: Bench,
    given: ConceptualAtoms,
    basis: str,
    method: str = "HF",
    level: dict | None = None,
    **asked: object,
) -> Finished:
    wanted = LevelRequest(method=method, basis=basis, **(level or {}))
    request = SpinStatesRequest.model_validate(asked)
    return bench.loop.call(lambda: asked_of("spin-states", given, request, wanted, bench.executor))


def test_dioxygen_is_a_triplet(bench: Bench) -> None:
    """RHF and UHF energies in 6-31G by Psi4 1.3.2 (direct integrals)."""
    finish = scan(bench, DIOXYGEN, "6-31G")
    found: SpinStateScan = finish.state.scan
    energies = {state.multiplicity: state.energy for state in found.states}
    assert list(energies) == [1, 3, 5]
    assert energies == pytest.approx(
        {1: -149.4613760493, 3: -149.5455536709, 5: -149.0537909717}, abs=1e-6
    )
    assert found.ground_multiplicity == 3
    assert found.relative[3] == 0.0
    assert [getattr(state.level, "reference", "") for state in found.states] == [
        "restricted",
        "unrestricted",
        "unrestricted",
    ]
    assert any("closed shell" in remark for remark in found.remarks)
    assert finish.state.product.multiplicity == 3


def test_the_comparison_is_stored_with_its_parts(bench: Bench) -> None:
    finish = scan(bench, DIOXYGEN, "6-31G")
    found: SpinStateScan = finish.state.scan
    assert bench.kg.pull(SpinStateScan, found.iri) == found
    for state in found.states:
        result = state.result.load(bench.kg)
        assert isinstance(result, ElectronicResult)
        assert (result.energy, result.atoms.multiplicity) == (state.energy, state.multiplicity)
    parts = bench.kg.find(Part, run=Link[Run](finish.run))
    assert {part.part for part in parts} == {f"multiplicity {n}" for n in (1, 3, 5)}
    (outcome,) = bench.kg.find(Outcome, run=Link[Run](finish.run))
    assert [link.iri for link in outcome.results] == [found.ground.result.iri, found.iri]
    again = scan(bench, DIOXYGEN, "6-31G")
    assert all(answer.reused for answer in again.state.parts.results.values())
    assert again.state.scan == found


def test_a_singlet_with_unpaired_electrons_needs_stable_solutions(bench: Bench) -> None:
    """The broken symmetry solution of dioxygen mixes singlet and triplet half and half: S² is 1."""
    closed: SpinStateScan = scan(bench, DIOXYGEN, "6-31G", multiplicities=(1, 3)).state.scan
    found: SpinStateScan = scan(
        bench, DIOXYGEN, "6-31G", level={"stable": True}, multiplicities=(1, 3)
    ).state.scan
    singlet, triplet = found.states
    assert getattr(singlet.level, "reference", "") == "unrestricted"
    assert singlet.spin_squared == pytest.approx(1.0, abs=0.03)
    assert triplet.energy < singlet.energy < closed.states[0].energy - 0.01
    assert any(remark.startswith("multiplicity 1: spin contam") for remark in found.remarks)
    assert not any("closed shell" in remark for remark in found.remarks)


def test_methylene_is_a_triplet_by_thirty_kilocalories_in_a_small_basis(bench: Bench) -> None:
    """HF/6-31G*: −38.8724 and −38.9215 Eh, 30.8 kcal/mol apart (W. J. Hehre et al., Ab Initio
    Molecular Orbital Theory, 1986); Psi4 1.3.2 gives the energies to more digits. The limit of
    Hartree–Fock is near 25, experiment 9: the singlet lacks the more correlation."""
    found: SpinStateScan = scan(
        bench, METHYLENE, "6-31G*", level={"cartesian": True}, task="optimise", highest=3
    ).state.scan
    assert found.relaxed
    singlet, triplet = found.states
    assert singlet.energy == pytest.approx(-38.8723704, abs=2e-6)
    assert triplet.energy == pytest.approx(-38.9214968, abs=2e-6)
    assert found.relative[1] * KCAL_PER_HARTREE == pytest.approx(30.8, abs=0.1)

    def angle(link: object) -> float:
        result = link.load(bench.kg)  # pyright: ignore
        assert isinstance(result, Optimisation)
        one, two = (result.atoms.positions[i] - result.atoms.positions[0] for i in (1, 2))
        return float(np.degrees(np.arccos(one @ two / np.linalg.norm(one) / np.linalg.norm(two))))

    # experiment: 102.4° and 133.9° (P. R. Bunker, P. Jensen et al., J. Chem. Phys. 85, 3724 (1986))
    assert angle(singlet.result) == pytest.approx(103, abs=2)
    assert angle(triplet.result) == pytest.approx(131, abs=3)


@pytest.mark.parametrize(
    ("number", "basis", "ground"),
    # ground terms of atoms: ³P, ⁴S, ¹S (NIST Atomic Spectra Database)
    [(8, "6-31G", 3), (7, "STO-3G", 4), (4, "STO-3G", 1)],
)
def test_atoms_have_their_ground_terms(bench: Bench, number: int, basis: str, ground: int) -> None:
    found: SpinStateScan = scan(bench, single(number), basis, highest=4).state.scan
    assert found.ground_multiplicity == ground


def test_what_does_not_fit_fails_and_the_others_are_compared(bench: Bench) -> None:
    """Two electrons of one spin do not fit into the one orbital of helium in STO-3G."""
    finish = scan(bench, single(2), "STO-3G")
    found: SpinStateScan = finish.state.scan
    assert finish.status == "finished"
    assert [state.multiplicity for state in found.states] == [1]
    assert found.ground_multiplicity == 1
    (failure,) = found.failures
    assert failure.startswith("multiplicity 3: ")
    assert "2 electrons of one spin do not fit into 1 orbital" in failure
    assert isinstance(failed(finish.state.parts)[3], InputError)
    parts = {part.part: part.failure for part in bench.kg.find(Part, run=Link[Run](finish.run))}
    assert parts["multiplicity 1"] == ""
    assert "do not fit" in parts["multiplicity 3"]


def test_a_restricted_reference_suits_singlets_only(bench: Bench) -> None:
    finish = scan(bench, single(2), "6-31G", level={"reference": "restricted"})
    assert list(finish.state.parts.errors) == ["multiplicity 3"]
    assert "orbitals of their own" in finish.state.scan.failures[0]


def test_where_all_fail_the_run_does(bench: Bench) -> None:
    with pytest.raises(RecipeError, match=r"1 failed: multiplicity 3: .*do not fit"):
        scan(bench, single(2), "STO-3G", multiplicities=(3,))


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"multiplicities": (2,)}, "16 electrons, so it can be 1, 3, 5"),
        ({"multiplicities": (99,)}, "multiplicity 99 cannot be"),
    ],
)
def test_what_the_electrons_do_not_allow_is_refused_at_once(
    bench: Bench, asked: dict, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        scan(bench, DIOXYGEN, "STO-3G", **asked)


def test_a_limit_below_the_lowest_is_refused() -> None:
    with pytest.raises(InputError, match="it is 2 at least"):
        SpinStatesRequest(highest=1).of(single(7))


def test_both_a_list_and_a_limit_are_refused() -> None:
    with pytest.raises(ValueError, match="not both"):
        SpinStatesRequest(multiplicities=(1,), highest=3)


def test_which_multiplicities_are_meant() -> None:
    def meant(given: ConceptualAtoms, **asked: object) -> list[int]:
        chosen = SpinStatesRequest.model_validate(asked).of(given)
        return [one.multiplicity for one in chosen]

    assert meant(DIOXYGEN) == [1, 3, 5]
    assert meant(DIOXYGEN, highest=8) == [1, 3, 5, 7]
    assert meant(DIOXYGEN, multiplicities="5, 1,5") == [1, 5]
    assert meant(single(1)) == [2]
    assert meant(single(2), highest=9) == [1, 3]
    assert meant(single(26), multiplicities=["3", "5 7"]) == [3, 5, 7]
    iron = SpinStatesRequest().of(single(26, charge=3))
    assert {one.charge for one in iron} == {3}
    assert [one.multiplicity for one in iron] == [2, 4, 6]
