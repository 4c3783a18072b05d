"""Transition states: what is found, what is not called one, what is remembered, bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evals.validation.psi4 import Job
from grafico import Grafico
from grafico.agent.rules.reader import plan
from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.transition import SaddleSearch, TransitionState
from ontologies.units import Floats
from ontologies.vibrations import VibrationalAnalysis
from tests.conftest import Need
from tests.dft.conftest import Bench, bench
from tests.dft.structures import atoms, level
from tests.transition.guesses import CYANIDE, GFN2, find, flat_ammonia
from triplestore import open_store
from triplestore.errors import InputError, NotConvergedError
from workflows.dft.properties.surface import saddle_point
from workflows.engine import Executor
from workflows.engine.request.form import fill
from workflows.geometry.band import first_images
from workflows.transition.mode import changes_along, rate, read_along
from workflows.transition.request import TransitionRequest
from workflows.transition.searching import judged
from workflows.transition.subject import GUESS

__all__ = ["bench"]


def propane(turn: float) -> ConceptualAtoms:
    """Propane, each methyl group turned by an angle (degrees) from the eclipsed."""
    middle, ends = np.zeros(3), np.array([[1.25, 0, 0.88], [-1.25, 0, 0.88]])
    places = [middle, *ends, np.array([0, 0.89, -0.63]), np.array([0, -0.89, -0.63])]
    for end in ends:
        axis = end / np.linalg.norm(end)
        side = np.cross(axis, [0, 1, 0]) * np.sign(end[0])
        for angle in np.radians([turn, turn + 120, turn + 240]):
            around = np.cos(angle) * side + np.sin(angle) * np.array([0, 1, 0])
            places.append(end + 0.36 * axis + 1.03 * around)
    return atoms([6, 6, 6, *[1] * 8], [list(map(float, place)) for place in places])


def test_hydrogen_cyanide_turns_over(bench: Bench) -> None:
    """1248i 1/cm at HF/STO-3G, as the frequency analysis of geomeTRIC itself has it; Psi4 below."""
    finish = find(bench, CYANIDE, upto="state", along=("2-3",))
    assert finish.status == "finished"
    found: TransitionState = finish.state.state
    assert found.wavenumber == pytest.approx(-1248, abs=2)
    assert found.energy == pytest.approx(-91.564851, abs=2e-6)
    assert found.changing_pairs is not None
    assert found.changing_pairs[0].tolist() == [1, 2]
    assert bench.kg.pull(TransitionState, found.iri) == found
    search = found.search.load(bench.kg)
    assert isinstance(search, SaddleSearch)
    assert search.steps > 3
    assert search.path == ("TRIC with Hessian, uphill",)
    verified = found.frequencies.load(bench.kg)
    assert (verified.imaginary, verified.stationarity) == (1, "saddle point")
    again = find(bench, CYANIDE, upto="state", along=("2-3",))
    assert all(one.reused for one in again.state.answers)
    assert again.state.state == found


def test_psi4_has_the_same_energy_and_mode_there(bench: Bench, need: Need) -> None:
    need("psi4")
    found: TransitionState = find(bench, CYANIDE, upto="state").state.state
    other = Job(found.atoms, "hf", "sto-3g", ("vibrations",)).run()
    assert other["energy"] == pytest.approx(found.energy, abs=1e-7)
    ours = found.frequencies.load(bench.kg).wavenumbers
    assert sorted(other["wavenumbers"]) == pytest.approx(ours.tolist(), abs=1.0)


def test_mp2_has_saddle_points_too(bench: Bench, need: Need) -> None:
    """Psi4 has no gradient there; it fits densities, for some 1e-5 Eh/bohr."""
    need("psi4")
    wanted: dict[str, Any] = {"method": "MP2", "basis": "STO-3G", "all_electrons": True}
    asked: dict[str, Any] = {"upto": "state", "convergence": "tight"}
    found: TransitionState = find(bench, CYANIDE, wanted, **asked).state.state
    assert found.wavenumber == pytest.approx(-1462, abs=10)
    slope = Job(found.atoms, "mp2", "sto-3g", ("gradient",)).run()["gradient"]
    assert np.abs(slope).max() < 1e-4


def test_energies_alone_find_no_saddle_point(bench: Bench) -> None:
    with pytest.raises(InputError, match="has energies only"):
        find(bench, CYANIDE, {"method": "CCSD(T)", "basis": "cc-pV[DT]Z"})


def test_a_mode_along_the_wrong_bond_is_no_result(bench: Bench) -> None:
    finish = find(bench, CYANIDE, upto="state", along=("1-2",))
    assert finish.status == "goal unmet"
    assert "is not along 1-2: C1–N2 changes by" in finish.message
    assert finish.state.state is None


def test_a_minimum_is_not_called_a_transition_state(bench: Bench) -> None:
    bent = atoms([8, 1, 1], [[0, 0, 0], [0.76, 0, 0.59], [-0.76, 0, 0.59]])
    finish = find(bench, bent, GFN2)
    assert finish.status == "goal unmet"
    assert "no mode is imaginary: this is a minimum" in finish.message
    assert finish.state.state is None
    assert len(finish.state.answers) == 2


def test_ammonia_turns_inside_out(bench: Bench) -> None:
    """No distance changes along the mode; the nitrogen and the hydrogens move."""
    found: TransitionState = find(bench, flat_ammonia(0.02), upto="state").state.state
    assert found.changing_pairs is None
    assert np.ptp(found.atoms.positions[:, 2]) < 0.01


def test_one_mode_too_many_is_left(bench: Bench) -> None:
    """Both methyl groups of propane eclipsed are on top of two barriers at once."""
    finish = find(bench, propane(0.0), GFN2, upto="state")
    assert finish.status == "finished", finish.message
    looks = [a.result for a in finish.state.answers if isinstance(a.result, VibrationalAnalysis)]
    assert looks[0].imaginary == 2
    assert looks[-1].imaginary == 1


def test_a_search_that_ends_too_soon_goes_on(bench: Bench) -> None:
    """With one step it cannot converge; asked for more, it goes on."""
    far = atoms([6, 7, 1], [[0, 0, 0], [0, 0, 1.2], [1.3, 0, 0.3]])
    with pytest.raises(NotConvergedError, match="did not converge"):
        find(bench, far, max_steps=2)
    found: TransitionState = find(bench, far, upto="state", max_steps=60).state.state
    assert found.wavenumber == pytest.approx(-1248, abs=3)


def test_the_highest_point_of_a_scan_is_a_guess() -> None:
    with Grafico(store="memory:") as session:
        scan = session.run(
            "OO",
            workflow="scan",
            coordinate="dihedral 3 1 2 4",
            start=-30,
            end=30,
            points=3,
            **GFN2,
        )
        for given in (scan.scan.iri, scan.run, scan.scan):
            found = session.run(
                given, workflow="transition", along=["3-1-2-4"], upto="state", **GFN2
            )
            assert found.status == "finished", found.message
            assert any(
                "the highest point of the scan along the dihedral" in one for one in found.remarks
            )
        told = found.as_json()
        assert told["transition_state"]["wavenumber_per_cm"] < -100
        shown = repr(found.shown_sections())
        assert "imaginary mode" in shown
        assert "transition state" in shown


def stretch() -> tuple[ConceptualAtoms, Floats]:
    """Three atoms in a row, the middle one moving to the right."""
    row = atoms([1, 6, 1], [[-1.1, 0, 0], [0, 0, 0], [1.2, 0, 0]])
    return row, np.array([[0.0, 0, 0], [0.5, 0, 0], [0, 0, 0]])


def test_what_changes_along_a_mode() -> None:
    row, mode = stretch()
    assert {one.members: round(one.rate, 6) for one in changes_along(row, mode)} == {
        (0, 1): 1.0,
        (1, 2): -1.0,
    }
    chain = atoms([1, 8, 8, 1], [[0, 1, 0], [0, 0, 0], [1.4, 0, 0], [1.4, 0, 1]])
    turning = np.zeros((4, 3))
    turning[3, 1] = 1.0  # 1 Å at 1 Å from the axis: a radian
    assert abs(rate(chain, turning, (0, 1, 2, 3))) == pytest.approx(57.3, abs=0.1)


def test_a_steep_geometry_is_not_stationary(bench: Bench) -> None:
    found: TransitionState = find(bench, CYANIDE, upto="state").state.state
    look = found.frequencies.load(bench.kg)
    steep = look.model_copy(update={"stationarity": "not stationary", "max_gradient": 2e-3})
    assert judged(steep, ())[0] == "not stationary"
    assert judged(look, ())[0] == "first"


@pytest.mark.parametrize("text", ["1", "1-2-3", "1-1", "0-1", "a-b", "", "1-2; DROP ALL", "-1-2"])
def test_what_names_no_bond_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        fill(TransitionRequest, {"along": (text,)})
    with pytest.raises(ValueError, match=r"was asked for"):
        read_along(text)


@pytest.mark.parametrize(
    ("given", "asked", "told"),
    [
        (CYANIDE, {"along": ("1-9",)}, "there are 3 atoms"),
        (atoms([1, 1], [[0, 0, 0], [0, 0, 0.8]]), {}, "three at least"),
        (atoms([1, 1, 1], [[0, 0, 0], [0, 0, 0.8], [0, 0, 2]], charge=3), {}, "electron"),
    ],
)
def test_what_cannot_be_is_refused(
    bench: Bench, given: ConceptualAtoms, asked: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        find(bench, given, **asked)


def test_without_a_bound_on_steps_it_is_asked_of_the_calculation() -> None:
    with pytest.raises(InputError, match="0 steps"):
        saddle_point(CYANIDE, level(), 0)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("find the transition state near a.xyz along 1-2 with GFN2-xTB", {"along": ["1-2"]}),
        (
            "saddle point near a.xyz along the dihedral 3-1-2-4 with GFN2-xTB",
            {"along": ["3-1-2-4"]},
        ),
        ("transition state of a.xyz with GFN2-xTB", {}),
        ("transition state between a.xyz and b.xyz with GFN2-xTB", {"product": "b.xyz"}),
        ("reaction barrier from a.xyz to b.xyz with GFN2-xTB", {"product": "b.xyz"}),
        ("barrier of a.xyz with GFN2-xTB", {"upto": "barrier"}),
    ],
)
def test_it_is_asked_for_in_words(text: str, asked: dict[str, Any]) -> None:
    wanted = plan(text)
    assert not wanted.problem
    (call,) = wanted.calls
    assert call.arguments["name"] == "transition"
    assert call.arguments["subjects"] == ["a.xyz"]
    assert call.arguments["arguments"] == {"method": "GFN2-xTB", **asked}


def test_between_two_names_is_not_guessed() -> None:
    wanted = plan("find the transition state between HCN and HNC with HF/STO-3G")
    assert "numbered alike" in wanted.problem
    assert not wanted.calls
    wanted = plan("barrier of HCN -> HNC with GFN2")
    assert "which atom goes where" in wanted.problem
    assert not wanted.calls


def test_atoms_that_would_run_into_each_other_are_led_aside() -> None:
    """Hydrogen goes from one end of HCN to the other: on the straight way it meets C and N."""
    start = atoms([1, 6, 7], [[0, 0, -1.07], [0, 0, 0], [0, 0, 1.15]])
    end = np.array([[0, 0, 2.17], [0, 0, 0], [0, 0, 1.17]])
    images = first_images(start, end, 9)
    apart = np.linalg.norm(images[:, :, None] - images[:, None], axis=3)
    near = apart[:, *np.triu_indices(3, 1)]
    assert near.min() > 0.8
    assert images[0] == pytest.approx(start.positions)
    bent = atoms([8, 1, 1], [[0, 0, 0], [0.76, 0.59, 0], [-0.76, 0.59, 0]])
    straight = first_images(bent, bent.positions * 1.05, 5)
    assert np.abs(straight[..., 2]).max() < 1e-3, "what meets nothing stays in its plane"


async def test_an_inversion_begins_with_the_pyramid_flat() -> None:
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        form = fill(GUESS.form, {})
        amine = await GUESS.read("inversion of trimethylamine", form, executor)
        with pytest.raises(InputError, match="no atom with three neighbours that is a pyramid"):
            await GUESS.read("inversion of methane", form, executor)
        executor.close()
    atoms = amine.model
    (nitrogen,) = np.flatnonzero(atoms.numbers == 7)
    carbons = atoms.positions[atoms.numbers == 6]
    normal = np.cross(carbons[1] - carbons[0], carbons[2] - carbons[0])
    assert abs((atoms.positions[nitrogen] - carbons[0]) @ normal) < 1e-9
    assert not amine.built
    assert "N2 in the plane" in amine.remarks[-1]
