"""The report on runs: one HTML page, equal to the graph, inert whatever a person wrote."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest

from grafico.session.inspection import shorten
from grafico.views.picture import EDGES, Scene, draw, scene
from grafico.views.report import report, sparql
from ogm import Link
from ontologies import ConceptualAtoms, FrequencyAnalysis, Outcome, Run, Software
from ontologies.comparison import InteractionEnergy, SpinStateScan
from ontologies.excitations import ExcitedStates
from ontologies.factors import HARTREE
from ontologies.quantum import Optimisation
from ontologies.wavefunction import StabilityAnalysis, WavefunctionAnalysis
from tests.agreeing import agreeing
from tests.asking import asked_of
from tests.dft.conftest import Bench
from triplestore import Table, check_query
from triplestore.errors import InputError, NotConvergedError, NotFoundError
from workflows.dft.graphs.counterpoise import InteractionRequest
from workflows.dft.graphs.spin_states import SpinStatesRequest
from workflows.dft.level.resolving import resolve_level
from workflows.dft.request.forms import LevelRequest
from workflows.engine import Finish
from workflows.engine.request.workflow import Finished
from workflows.geometry.dipoles import NOTHING
from workflows.microwave import Microwave, make_request, run_microwave
from workflows.molecule import embed
from workflows.molecule.blocks import structure

HOSTILE = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}"
BENT = [[0, 0, 0.1], [0, 0.8, -0.5], [0, -0.8, -0.5]]
TETRAHEDRON = [[1, 1, 1], [-1, -1, 1], [1, -1, -1], [-1, 1, -1], [0, 0, 0]]
Attributes = dict[str, str | None]
VOID = {"meta", "br", "img", "link", "input", "hr"}


@dataclass
class Page(HTMLParser):
    """A page in pieces; parsing it tells whether every tag is closed in order."""

    source: str
    tags: list[tuple[str, Attributes]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    scripts: list[tuple[Attributes, str]] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.feed(self.source)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "data":
            self.numbers.append(float(dict(attrs)["value"] or "nan"))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        if self.stack and self.stack[-1] in ("script", "style"):
            self.scripts.append((self.tags[-1][1], data))
        else:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.texts))


def atoms_of(numbers: Any, positions: Any, **more: Any) -> ConceptualAtoms:
    values: dict[str, Any] = {"numbers": numbers, "positions": positions, **more}
    return ConceptualAtoms(**values)


WATER = atoms_of([8, 1, 1], BENT)


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.close()


def ask(
    bench: Bench, atoms, task="frequencies", subject="water", reference="restricted", **more
) -> Finished:
    return bench.run(atoms, bench.level("HF", "STO-3G", reference), task, subject, **more)


@pytest.fixture(scope="module")
def finished(bench: Bench) -> Finished:
    return ask(bench, WATER, subject=HOSTILE)


@pytest.fixture(scope="module")
def page(bench: Bench, finished: Finished) -> Page:
    return Page(report(bench.kg, [finished.run]))


def test_its_numbers_are_those_of_the_graph(finished: Finished, page: Page) -> None:
    result = finished.state.answers[-1].result
    assert isinstance(result, FrequencyAnalysis)
    thermo = finished.state.heat.result
    assert result.homo is not None
    assert result.lumo is not None
    shown = set(page.numbers)
    for value in (
        result.energy, result.homo, result.lumo, thermo.zero_point_energy, thermo.enthalpy,
        thermo.entropy, thermo.gibbs_energy, thermo.temperature, thermo.pressure,
        result.max_gradient, *result.wavenumbers, *result.reduced_masses,
        *(one for one in result.dipole.tolist() if abs(one) > NOTHING),
        *result.mulliken_charges, *finished.state.atoms.positions.ravel(),
    ):  # fmt: skip
        assert float(value) in shown
    assert f"{result.energy:.8f}".replace("-", "−") in page.text
    assert "geometry minimum no imaginary mode at this level" in page.text
    assert f"{result.wavenumbers[0]:.1f}" in page.text
    assert not re.search(r"(?<![\w–-])-\d", page.text.split("Ask for these")[0].split("Request")[0])


def test_factors_are_codata(page: Page, finished: Finished) -> None:
    from scipy import constants

    gap = finished.state.answers[-1].result.homo_lumo_gap
    assert gap * constants.value("Hartree energy in eV") in page.numbers
    assert "1 Eh = 27.211386246 eV = 2625.499639 kJ/mol (CODATA 2022)" in page.text


def test_it_loads_nothing_and_runs_only_its_own_script(page: Page) -> None:
    policy = next(a["content"] for t, a in page.tags if t == "meta" and "http-equiv" in a) or ""
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag, attributes in page.tags:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base", "form", "image"}
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "style", "action", "srcset")
            if name in ("href", "xlink:href"):
                assert (value or "").startswith(("#", "data:chemical/x-xyz;", "data:text/csv;"))
            if name not in ("xmlns", "http-equiv", "href"):
                assert "http" not in (value or "")
    code = [text for attributes, text in page.scripts if "type" not in attributes]
    assert len(code) == 2  # one style, one script
    for text in code:
        assert "http" not in text
        assert "url(" not in text
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_a_hostile_subject_is_inert(page: Page) -> None:
    assert "".join(HOSTILE.split()) in "".join(page.text.split())
    assert "<img" not in page.source
    assert "alert" not in "".join(text for _, text in page.scripts)
    assert page.source.count("<script") == 3


def test_the_script_gets_numbers_alone(page: Page, finished: Finished) -> None:
    data = [json.loads(t) for a, t in page.scripts if a.get("type") == "application/json"]
    assert [np.shape(one["motions"]) for one in data] == [(0,), (3, 3, 3)]
    parts = ["bonds", "corners", "edges", "margin", "motions", "points", "radii", "scale", "size"]
    for one in data:
        assert len(one["points"]) == 3
        assert sorted(one) == parts
        assert [bond[:2] for bond in one["bonds"]] == [[0, 1], [0, 2]]


def test_the_xyz_file_is_the_geometry(page: Page, finished: Finished) -> None:
    link = next(a for t, a in page.tags if t == "a" and "download" in a)
    assert link["download"] == "H2O.xyz"
    head, _, body = (link["href"] or "").partition(",")
    assert head == "data:chemical/x-xyz;charset=utf-8"
    lines = unquote(body).splitlines()
    assert lines[0] == "3"
    assert finished.state.atoms.iri in lines[1]
    assert [line.split()[0] for line in lines[2:]] == ["O", "H", "H"]
    found = np.array([[float(x) for x in line.split()[1:]] for line in lines[2:]])
    assert np.abs(found - finished.state.atoms.positions).max() < 1e-8


def test_its_query_finds_the_numbers_again(bench: Bench, finished: Finished, page: Page) -> None:
    query = sparql([finished.run])
    check_query(query)
    assert re.sub(r"\s+", " ", query) in page.text
    answer = bench.kg.store.query(query)
    assert isinstance(answer, Table)
    names = [answer.variables.index(name) for name in ("property", "value")]
    found = [tuple(str(getattr(row[n], "value", "")) for n in names) for row in answer.rows]
    energies = [float(value) for name, value in found if name.endswith("/energy")]
    assert sorted(energies) == sorted(a.result.energy for a in finished.state.answers)
    assert any(name.endswith("/gibbsEnergy") for name, _ in found)


def test_it_tells_where_everything_comes_from(finished: Finished, page: Page) -> None:
    for answer in finished.state.answers:
        assert shorten(answer.recorded) in page.text
        assert shorten(answer.activity.iri) in page.text
        assert answer.activity.device.name in page.text
    assert finished.run in page.text
    assert "chosen by the goal router (plan: Optimise → Frequencies → Thermochemistry)" in page.text
    assert "Refused: " in page.text
    assert "Relaxed from the geometry below at HF/STO-3G" in page.text
    assert "Everything was computed in this run" in page.text


def test_what_was_remembered_is_said_and_shown_where_it_was_asked(bench: Bench, finished) -> None:
    moved = ask(bench, WATER.moved_to(WATER.positions + np.array([1, 2, 3])))
    page = Page(report(bench.kg, [moved.run, finished.run]))
    assert "Everything was remembered from earlier runs" in page.text
    assert "A remembered geometry, moved into the frame of this run" in page.text
    assert {float(x) for x in moved.state.atoms.positions.ravel()} <= set(page.numbers)
    assert "report on 2 runs" in page.text
    assert "above the lowest" in page.text


def test_a_saddle_point_and_what_became_of_it(bench: Bench) -> None:
    angles = np.radians([0, 120, 240])
    ring = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    flat = atoms_of([7, 1, 1, 1], np.vstack([[[0, 0, 0]], ring]))
    finish = ask(bench, flat)
    page = Page(report(bench.kg, [finish.run]))
    relaxed = [a.result for a in finish.state.answers if isinstance(a.result, Optimisation)]
    assert len(relaxed) == 2
    assert {one.energy for one in relaxed} <= set(page.numbers)
    assert "On the way a saddle point was met (1 imaginary mode) and left" in page.text
    assert "Pushed by 0.15 Å off the geometry below" in page.text
    assert "stationarity saddle point" in page.text
    assert "no imaginary mode at this level" in page.text


def test_spin_is_shown_beside_its_exact_value(bench: Bench) -> None:
    oxygen = atoms_of([8], [[0, 0, 0]], multiplicity=3)
    finish = ask(bench, oxygen, "energy", "O", "unrestricted")
    page = Page(report(bench.kg, [finish.run]))
    assert "pure: 2.0000" in page.text
    assert "as given" in page.text


def test_a_spin_that_is_not_that_of_the_ground_state_is_shown(bench: Bench) -> None:
    for multiplicity, shown in ((1, True), (3, False)):
        oxygen = atoms_of([8, 8], [[0, 0, 0], [0, 0, 1.2]], multiplicity=multiplicity)
        finish = ask(bench, oxygen, "energy", "O2", "unrestricted")
        page = Page(report(bench.kg, [finish.run]))
        assert ("The ground state has multiplicity 3" in page.text) is shown


def test_masses_are_said_to_be_averages_over_isotopes(page: Page) -> None:
    heat = page.text.partition("Ideal gas of rigid rotors")[2]
    assert "Masses are standard atomic weights" in heat[:300]
    assert page.text.count("standard atomic weights") == 2


def test_a_failed_run_says_so(bench: Bench) -> None:
    bent = WATER.moved_to(WATER.positions * 1.2)
    with pytest.raises(NotConvergedError):
        ask(bench, bent, "optimise", "bent", max_steps=1)
    failed = next(r for r in bench.kg.find(Run) if r.subject == "bent")
    page = Page(report(bench.kg, [failed.iri]))
    assert "The run failed." in page.text
    assert "did not converge" in page.text
    assert "finished" not in page.text.split("Request and software")[0].replace(
        "had been finished", ""
    )


@pytest.mark.parametrize("status", [None, "goal unmet", "interrupted"])
def test_an_unfinished_run_says_so(bench: Bench, status) -> None:
    run = Run(
        graph="dft",
        goal="an energy",
        subject="",
        request="not JSON <b>",
        about=frozenset({Link(WATER)}),
        started=datetime.now(UTC),
        software=Software(name="grafico", version="0"),
    )
    bench.kg.push(run, WATER)
    if status:
        end = Outcome(run=Link[Run](run), status=status, message="why", ended=datetime.now(UTC))
        bench.kg.push(end)
    page = Page(report(bench.kg, [run.iri]))
    expected = {
        None: "No outcome is recorded.",
        "goal unmet": "The goal was not reached. Why",
        "interrupted": f"The run was interrupted. It can be gone on with: grafico resume {run.iri}",
    }[status]
    assert expected in page.text
    assert "not JSON <b>" in page.text
    assert "No result was recorded" in page.text


def test_only_runs_are_reported(bench: Bench) -> None:
    with pytest.raises(NotFoundError):
        report(bench.kg, ["https://w3id.org/grafico/id/Run/none"])
    with pytest.raises(InputError, match=r"ConceptualAtoms.*give the IRI of a run"):
        report(bench.kg, [WATER.iri])
    with pytest.raises(InputError, match="no run is named"):
        report(bench.kg, [])


# --- what the results have ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def rich(bench: Bench) -> Finished:
    """Water with everything that can be asked of it at once."""
    return ask(bench, WATER, subject="rich", analysis=True, states=4, stability=True)


def test_every_result_is_shown_with_its_numbers(bench: Bench, rich: Finished) -> None:
    page = Page(report(bench.kg, [rich.run]))
    results = {type(a.result): a.result for a in rich.state.answers}
    found, excited = results[WavefunctionAnalysis], results[ExcitedStates]
    vibrations = results[FrequencyAnalysis]
    shown = set(page.numbers)
    for value in (
        *found.lowdin_charges,
        *found.iao_charges,
        *found.hirshfeld_charges,
        *found.quadrupole.ravel(),
        *found.rotational_constants,
        found.nuclear_repulsion,
        found.one_electron_energy,
        found.coulomb_energy,
        found.exchange_correlation_energy,
        found.bond_orders[0, 1],
        found.wiberg_bond_orders[0, 2],
        *excited.excitation_energies,
        *excited.oscillator_strengths,
        *vibrations.infrared,
        results[StabilityAnalysis].energy,
    ):
        assert float(value) in shown
    for text in (*excited.transitions, "C2v", "O1–H2", "wavefunction stable"):
        assert text in page.text
    titles = {title for _, title in charts_of(page)}
    assert titles == {
        "Orbital energies",
        "Infrared spectrum",
        "Absorption spectrum",
        "Course of the optimisation",
    }
    assert "nan" not in page.source


def charts_of(page: Page) -> list[tuple[str, str]]:
    return re.findall(r'<svg class="(chart)" [^>]*><title>([^<]*)</title>', page.source)


def test_an_analysis_is_shown_in_the_order_of_the_run(bench: Bench, rich: Finished) -> None:
    order = [1, 2, 0]
    turned = atoms_of(WATER.numbers[order], WATER.positions[order])
    again = ask(bench, turned, analysis=True)
    found = next(a.result for a in rich.state.answers if isinstance(a.result, WavefunctionAnalysis))
    page = Page(report(bench.kg, [again.run]))
    assert again.state.answers[-1].reused
    charges = page.source.split("Hirshfeld / e</th>")[1].split("</table>")[0].split("<tr>")
    oxygen = next(row for row in charges if re.match("<td[^>]*>O3<", row))
    assert f'<data value="{float(found.hirshfeld_charges[0])!r}">' in oxygen
    bonds = page.source.split("<h4>Bonds</h4>")[1].split("</table>")[0]
    assert re.findall(r"<td[^>]*>(\w+–\w+)</td>", bonds) == ["H1–O3", "H2–O3"]


def test_the_level_says_what_the_names_meant(bench: Bench) -> None:
    call = resolve_level.bind("wB97X-D4", "STO-3G", "restricted", solvent="water")
    level = bench.loop.call(lambda: bench.executor.run(call)).result.level
    finish = bench.run(WATER, level, "energy", "wet")
    page = Page(report(bench.kg, [finish.run]))
    for text in (
        "HYB_GGA_XC_WB97X_V",
        "its VV10 replaced by D4",
        "wb97x",
        "s8=0.5093",
        "C-PCM",
        "78.355",
        "1.7764",
        "the solvation model is C-PCM",
        "DIIS, better guess, damping",
        "of it solvation",
        "of it dispersion",
    ):
        assert text in page.text
    assert page.text.count("its VV10 replaced by D4") == 1
    energy = finish.state.answers[-1].result
    assert {energy.solvation_energy, energy.dispersion_energy} <= set(page.numbers)


def test_an_unstable_solution_and_the_one_below_are_shown_apart(bench: Bench) -> None:
    oxygen = atoms_of([8, 8], [[0, 0, 0], [0, 0, 1.2]], multiplicity=1)
    finish = ask(bench, oxygen, "energy", "singlet O2", stability=True)
    page = Page(report(bench.kg, [finish.run]))
    first, last = (a.result for a in finish.state.answers)
    assert (first.external, last.internal) == (False, True)
    assert first.stable_energy == pytest.approx(last.energy, abs=1e-7)
    assert "towards orbitals of their own for each spin unstable" in page.text
    assert "follow instabilities yes" in page.text
    assert "wavefunction stable" in page.text
    assert {first.energy, last.energy, first.stable_energy} <= set(page.numbers)
    assert page.text.lower().count("spin contamination") == 1


def test_constraints_and_broken_bonds_are_told(bench: Bench) -> None:
    held = ask(bench, WATER, "optimise", "held", constraints=("distance 1 2 1.1",))
    page = Page(report(bench.kg, [held.run]))
    assert "O1–H2 = 1.1 Å" in page.text
    assert "relaxed under constraints" in page.text
    assert "Relaxed under constraints from the geometry below" in page.text
    assert "stationary, not verified" not in page.text
    assert "bonds broken" not in page.text


def test_bonds_of_a_renumbered_copy_say_whose_numbers_they_bear(bench: Bench) -> None:
    far = atoms_of([2, 1, 1], [[0, 0, 3.2], [0, 0, 0], [0, 0, 1.3]])
    first = Page(report(bench.kg, [ask(bench, far, "optimise", "far").run]))
    assert "bonds formed H2-H3" in first.text
    assert "Bonds changed on the way: 0 broken, 1 formed" in first.text
    assert "of a copy" not in first.text
    order = [1, 2, 0]
    copy = atoms_of(far.numbers[order], far.positions[order])
    again = ask(bench, copy, "optimise", "copy")
    assert all(answer.reused for answer in again.state.answers)
    assert "in the order of that copy" in Page(report(bench.kg, [again.run])).text


def test_quasi_harmonic_thermochemistry_names_its_cutoff(bench: Bench) -> None:
    finish = ask(bench, WATER, treatment="quasi-RRHO")
    page = Page(report(bench.kg, [finish.run]))
    assert "cutoff 100 cm⁻¹" in page.text
    assert "quasi-RRHO" in page.text
    assert "goes over into that of free rotors" in page.text


@pytest.mark.parametrize(("text", "kind"), [("[H][H]", "selfies"), ("InChI=1S/H2/h1H", "inchi")])
def test_every_notation_can_be_an_origin(bench: Bench, text: str, kind: str) -> None:
    if kind == "selfies":
        pytest.importorskip("selfies")
        text = "[H][H]"
    call = embed.bind(text, kind)  # pyright: ignore[reportArgumentType]
    atoms = bench.loop.call(lambda: bench.executor.run(call)).result.atoms
    page = Page(report(bench.kg, [ask(bench, atoms, "energy", text).run]))
    assert re.search(r"Made from the (SELFIES|InChI) ", page.text)


# --- pictures ----------------------------------------------------------------------------------


def scene_of(atoms: ConceptualAtoms) -> Scene:
    return scene(structure(atoms))


@pytest.mark.parametrize(
    ("atoms", "bonds"),
    [
        (atoms_of([2], [[5, 5, 5]]), 0),
        (atoms_of([1, 1], [[0, 0, 0], [0, 0, 0.74]]), 1),
        (atoms_of([8, 6, 8], [[0, 0, -1.16], [0, 0, 0], [0, 0, 1.16]]), 2),
        (WATER, 2),
        (atoms_of([6] * 200, np.stack([np.arange(200) * 1.4] * 3, axis=1) / 3**0.5), 199),
        (atoms_of([118, 1], [[0, 0, 0], [0, 0, 9]]), 0),
    ],
)
def test_pictures_hold_every_atom_and_bond(atoms: ConceptualAtoms, bonds: int) -> None:
    page = Page(draw(scene_of(atoms), 300, 200))
    kinds = [a.get("class") for _, a in page.tags]
    assert kinds.count("ball") == len(atoms.numbers)
    assert kinds.count("stick") == bonds
    assert "nan" not in page.source
    assert f"{len(atoms.numbers)} atom" in page.text


def test_a_picture_keeps_distances_and_handedness() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        positions = rng.normal(0, 3, (5, 3))
        atoms = atoms_of([9, 17, 35, 6, 1], positions)
        seen = np.array(scene_of(atoms).points) / 100
        sides = positions[1:4] - positions[0]
        turned = seen[1:4] - seen[0]
        assert np.allclose(sides @ sides.T, turned @ turned.T)
        assert np.linalg.det(sides) == pytest.approx(np.linalg.det(turned))


def test_what_is_near_is_drawn_last_and_inside_the_picture() -> None:
    atoms = atoms_of([9, 1, 1, 1, 6], np.array(TETRAHEDRON) * 0.8)
    source, view = draw(scene_of(atoms), 300, 200), scene_of(atoms)
    order = [int(n) for n in re.findall(r'class="ball" data-n="(\d+)"', source)]
    assert order == sorted(order, key=lambda n: view.points[n][2])
    numbers = view.numbers(300, 200)
    xs = [p[0] + s * r for p, r in zip(view.points, view.radii, strict=True) for s in (-1, 1)]
    assert (max(xs) - min(xs)) * numbers["scale"] <= 300 - 2 * numbers["margin"] + 0.1


def test_the_cell_of_a_crystal_is_drawn_around_its_atoms() -> None:
    cell = np.array([[4.0, 0, 0], [1.0, 3.0, 0], [0, 0, 5.0]])
    places = [[0, 0, 0], [2.5, 1.5, 2.5]]
    atoms = atoms_of([11, 17], places, cell=cell, periodic=[True] * 3)
    view = scene_of(atoms)
    corners = np.array(view.corners) / 100
    lengths = sorted(np.linalg.norm(corners[i] - corners[j]) for i, j in EDGES)
    assert lengths == pytest.approx(sorted(4 * list(np.linalg.norm(cell, axis=1))))
    away = np.array(view.points[1]) / 100 - corners[0]
    inside = np.linalg.solve((corners[[4, 2, 1]] - corners[0]).T, away)
    assert inside @ cell == pytest.approx(atoms.positions[1])
    source = draw(view, 300, 200)
    assert source.count('class="edge"') == 12
    assert len(view.numbers(300, 200)["edges"]) == 12
    assert draw(scene_of(WATER), 300, 200).count('class="edge"') == 0


# --- how it reads -------------------------------------------------------------------------------


def unfolded(page: Page) -> str:
    """Return the text that is read without opening anything."""
    return Page(re.sub(r"<details.*?</details>", "", page.source, flags=re.DOTALL)).text


def test_what_exercises_ask_for_is_seen_at_once(bench: Bench, rich: Finished) -> None:
    page = Page(report(bench.kg, [rich.run]))
    found = next(a.result for a in rich.state.answers if isinstance(a.result, WavefunctionAnalysis))
    seen, gap = unfolded(page), found.homo_lumo_gap
    assert gap is not None
    for text in (
        f"energy {found.energy:.8f} Eh".replace("-", "−"),
        "point group C2v",
        "x / Å",
        f"dipole {np.linalg.norm(found.dipole):.4f} D",
        "Mulliken / e",
        "Löwdin / e",
        "IAO / e",
        "Hirshfeld / e",
        f"HOMO–LUMO gap {gap * HARTREE['eV']:.3f} eV = {gap:.5f} Eh",
        "bond orders",
    ):
        assert text in seen, text
    assert "nuclear repulsion" in page.text
    assert "nuclear repulsion" not in seen
    table = page.source.split("<summary>Orbitals (7)</summary>")[1].split("</table>")[0]
    numbers = Page(f"<table{table.split('<table')[1]}</table>").numbers
    assert numbers[2::4] == pytest.approx(found.orbital_energies.tolist(), abs=0)
    assert numbers[3::4] == pytest.approx((found.orbital_energies * HARTREE["eV"]).tolist())
    assert numbers[1::4] == [2.0] * 5 + [0.0] * 2
    assert re.findall(r"<td[^>]*>([HL]\w+)</td>", table) == ["HOMO", "LUMO"]


def requested(bench: Bench, finish: Finish | Finished) -> dict[str, str]:
    """What a page tells of a request: values with their units, by name."""
    table = report(bench.kg, [finish.run]).split(">Request and software")[1]
    cells = re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td></tr>", table.split("</table>")[0])
    return {name: value for name, value in cells if name != "software"}


def test_the_request_is_told_in_words(bench: Bench, finished: Finished, rich: Finished) -> None:
    told = requested(bench, finished)
    assert told["temperature"] == "298.15 K"
    assert told["pressure"] == "101325 Pa"
    assert "response" not in told  # nothing is excited
    assert "symmetry number" not in told  # left open
    assert {"states", "analysis", "response"} <= set(requested(bench, rich))
    for run in (finished, rich):
        text = Page(report(bench.kg, [run.run])).text
        assert not re.search(r"\b(None|True|False|max_steps)\b|\[\]", text)


def test_a_request_to_a_device_is_told_in_units_of_its_own(bench: Bench) -> None:
    device = Microwave(bench.executor, "of the report")
    asked = make_request(vial=3, temperature=80.0, duration=30.0, pressure=2.5)
    with agreeing():
        finish = bench.loop.call(lambda: run_microwave(device, asked))
    assert requested(bench, finish) == {
        "vial": "3",
        "temperature": "80 °C",
        "duration": "30 min",
        "pressure": "2.5 atm",
        "wait": "yes",
    }
    text = Page(report(bench.kg, [finish.run])).text
    assert "80 °C" in text
    assert "2.5 atm" in text


def test_only_what_has_an_effect_is_told_of_a_request(bench: Bench, finished: Finished) -> None:
    energy = requested(bench, ask(bench, WATER, "energy"))
    assert not {"temperature", "pressure", "max steps", "convergence"} & set(energy)
    oxygen = atoms_of([8], [[0, 0, 0]])
    wanted = LevelRequest(method="HF", basis="STO-3G")
    asked = SpinStatesRequest(multiplicities=(3,))
    finish = bench.loop.call(lambda: asked_of("spin-states", oxygen, asked, wanted, bench.executor))
    assert requested(bench, finish) == {"task": "energy", "multiplicities": "3"}
    assert requested(bench, finished)["max steps"] == "100"


def test_headings_are_in_order_and_names_are_unique(bench: Bench, rich: Finished, finished) -> None:
    page = Page(report(bench.kg, [rich.run, finished.run]))
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    names = [str(a["id"]) for _, a in page.tags if a.get("id")]
    assert len(names) == len(set(names))
    for tag, attributes in page.tags:
        if tag in ("a", "use") and str(attributes["href"]).startswith("#"):
            assert str(attributes["href"])[1:] in names
        if tag == "svg":
            assert "aria-hidden" in attributes or attributes["role"] == "img"
    told = re.findall(r'role="img"[^>]*><title>\w', page.source)
    assert page.source.count('role="img"') == len(told)


def test_colours_can_be_told_from_their_ground(page: Page) -> None:
    """A contrast of 4.5 is what WCAG 2 asks for of text."""

    def light(colour: str) -> float:
        digits = colour if len(colour) == 6 else "".join(2 * d for d in colour)
        parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    themes = re.findall(r"\.grafico \{([^{}]*--ink[^{}]*)\}", page.source)
    assert len(themes) == 3  # light, dark, on paper
    for theme in themes:
        colours = {k: light(v) for k, v in re.findall(r"--(\w+): #([\da-f]+)", theme)}
        for ground in ("paper", "tint"):
            for ink in ("ink", "soft", "accent", "good", "warn", "bad"):
                low, high = sorted((colours[ground], colours[ink]))
                assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, ground)


BELOW = "1. H₂O: the frequencies of a minimum HF/STO-3G"
"""The heading of the first run, below the overview."""


def test_an_overview_says_once_what_is_the_same(bench: Bench, finished: Finished) -> None:
    helium = ask(bench, atoms_of([2], [[0, 0, 0]]), subject="He")
    text = Page(report(bench.kg, [finished.run, helium.run])).text
    assert "The frequencies of a minimum, all at HF/STO-3G." in text
    head = text.split(BELOW)[0].split("report on 2 runs")[1]
    assert head.count("HF/STO-3G") == 1
    assert "1. H₂O" in head
    assert "2. He" in head
    other = ask(bench, WATER, "energy", "other")
    head = Page(report(bench.kg, [finished.run, other.run])).text.split(
        "1. H₂O: the frequencies of a minimum HF/STO-3G"
    )[0]
    assert "an energy at this geometry" in head.split("report on 2 runs")[1]


def test_spin_states_begin_with_the_answer(bench: Bench) -> None:
    oxygen = atoms_of([8], [[0, 0, 0]])
    wanted = LevelRequest(method="HF", basis="STO-3G")
    asked = SpinStatesRequest(multiplicities=(1, 3))
    finish = bench.loop.call(lambda: asked_of("spin-states", oxygen, asked, wanted, bench.executor))
    scan = next(one for one in bench.kg.find(SpinStateScan) if len(one.states) == 2)
    page = Page(report(bench.kg, [finish.run]))
    seen = unfolded(page)
    assert seen.index("ground state multiplicity 3") < seen.index("level of theory UHF/STO-3G")
    assert seen.index("above / kJ/mol") < seen.index("x / Å")
    assert {state.energy for state in scan.states} <= set(page.numbers)
    assert "at the geometry as given" in seen
    rows = page.source.split("above / kJ/mol")[1].split("</tbody>")[0]
    above = re.findall(r'<td class="n"[^>]*><data value="([^"]*)"', rows)
    assert above[:2] == ["1", repr(scan.states[0].energy)]


def test_an_interaction_shows_what_it_is_made_of(bench: Bench) -> None:
    pair = atoms_of([2, 2], [[0, 0, 0], [0, 0, 2.5]])
    wanted = LevelRequest(method="HF", basis="STO-3G")
    asked = InteractionRequest(fragments="1 2")
    finish = bench.loop.call(lambda: asked_of("counterpoise", pair, asked, wanted, bench.executor))
    energy = next(iter(bench.kg.find(InteractionEnergy)))
    page = Page(report(bench.kg, [finish.run]))
    parts = [*energy.separate, *energy.with_ghosts]
    energies = [link.load(bench.kg).energy for link in parts]
    table = page.source.split("energy with ghosts / Eh</th>")[1].split("</table>")[0]
    assert set(energies) <= set(Page(f"<table><thead><tr>{table}</table>").numbers)
    kj = HARTREE["kJ/mol"]
    values = (energy.corrected or 0, energy.uncorrected, energy.superposition_error or 0)
    assert {value for one in values for value in (one, one * kj)} <= set(page.numbers)
    assert energy.whole.load(bench.kg).energy in page.numbers
    assert page.text.index("interaction") < page.text.index("level of theory HF/STO-3G")
