"""The table of Grafico's numbers beside published ones: its entries, its verdicts, its page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evals.__main__ import main
from evals.running import session_for
from evals.validation import slopes, table
from evals.validation.cases import all_entries, judge
from evals.validation.entries import Entry, Verdict
from evals.validation.laboratory import Laboratory
from evals.validation.level import Level
from evals.validation.psi4 import Job
from evals.validation.structures import read_words
from workflows.dft.properties.derivatives import analytic
from workflows.geometry.harmonic import intensities

Row = list[str]


def rows() -> Iterator[tuple[str, Row]]:
    """Each row of the page with the kind that stands above it."""
    kind = ""
    for line in table.PAGE.read_text(encoding="utf-8").splitlines():
        kind = line.removeprefix("### ") if line.startswith("### ") else kind
        cells = line.removeprefix("| ").removesuffix(" |").split(" | ")
        if kind and len(cells) == 10 and cells[0] != "molecule":
            yield kind.lower(), cells


def entry(**changes: Any) -> Entry:
    given: dict[str, Any] = {
        "kind": "energies",
        "molecule": "He",
        "quantity": "energy",
        "unit": "Eh",
        "level": Level("HF", "STO-3G"),
        "ours": lambda _: -2.8077840,
        "reference": -2.807784,
        "allowed": 2e-6,
        "why": "digits",
        "source": "a book",
    }
    return Entry(**{**given, **changes})


def test_every_entry_says_its_source_and_why_it_may_be_off() -> None:
    entries = all_entries()
    assert len(entries) >= 40
    assert len({(one.name, one.source) for one in entries}) == len(entries)
    for one in entries:
        assert one.source
        assert one.why
        assert isinstance(one.reference, str) or callable(one.reference) or one.allowed > 0
    live = [one for one in entries if callable(one.reference)]
    assert len(live) >= 10


def test_the_page_shows_every_entry_as_it_is_now() -> None:
    shown = {(kind, *cells[:4], cells[9]): cells for kind, cells in rows()}
    entries = all_entries()
    for one in entries:
        level = one.level.label if one.level else ""
        cells = shown[one.kind.lower(), one.molecule, one.quantity, level, one.unit, one.source]
        assert cells[7] == (f"{one.allowed:g}" if one.allowed else "none")
        assert cells[8] == one.why
        if not callable(one.reference):
            assert cells[5] == one.text(one.reference)
    assert len(shown) == len(entries)


@pytest.mark.parametrize(
    ("changes", "ours", "word"),
    [
        ({}, -2.8077858, "ok"),
        ({}, -2.8077862, "OUTSIDE"),
        ({}, -2.8077818, "OUTSIDE"),
        ({"reference": "D3d", "allowed": 0}, "D3d", "ok"),
        ({"reference": "D3d", "allowed": 0}, "D3", "OUTSIDE"),
    ],
)
def test_a_verdict_is_what_the_allowed_deviation_says(
    changes: dict[str, Any], ours: float | str, word: str
) -> None:
    one = entry(**changes)
    assert isinstance(one.reference, float | str)
    verdict = Verdict(one, ours, one.reference)
    assert verdict.word == word
    assert ("**" in table.line(verdict)) == (word != "ok")


def test_a_stretch_from_two_slopes_is_that_of_all_second_derivatives() -> None:
    """HF in 3-21G: the formula beside the whole analysis of the same numbers."""
    from pyscf import gto
    from pyscf.hessian import thermo

    step, pushed = 0.01, list[list[float]]()
    for shift in (step, -step, 0.0):
        places = [(0, 0, shift), (0, 0, 2.15)]
        mol = gto.M(atom=list(zip("CO", places, strict=True)), unit="B", basis="3-21g", verbose=0)
        mf = mol.RHF().set(conv_tol=1e-12).run()
        slope = float(mf.nuc_grad_method().kernel()[0, 2])
        pushed.append([slope, float(mf.dip_moment(verbose=0)[2])])
    wave, strength = slopes.stretch(read_words("pair C O 2.15 bohr"), pushed[:2])
    found = analytic(mf)
    modes = thermo.harmonic_analysis(mol, found.hessian)
    assert wave == pytest.approx(modes["freq_wavenumber"][-1], abs=0.5)
    moves = np.asarray(modes["norm_mode"])[-1:]
    assert strength == pytest.approx(intensities(moves, found.dipoles)[0], abs=0.5)


def test_what_cannot_be_computed_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    helium = read_words("single He")
    absent = entry(reference=lambda: Job(helium, "hf", "sto-3g").run()["energy"])
    unknown = entry(level=Level("HF", "no-such-basis"), ours=lambda at: at.energy(helium))
    with session_for("memory:") as session:
        laboratory = Laboratory(session)
        verdict = judge(absent, laboratory)
        assert (verdict.word, verdict.passed) == ("left out", False)
        assert "apt-get install psi4" in verdict.problem
        verdict = judge(unknown, laboratory)
        assert (verdict.word, verdict.passed) == ("failed", False)
        assert "no-such-basis" in table.line(verdict)


def test_values_are_shown_as_finely_as_they_may_differ() -> None:
    one = entry()
    assert one.text(-2.807784) == "−2.8077840"
    assert one.text(1e-7, "+") == "+0.0000001"
    assert entry(allowed=1.2).text(-6.31) == "−6.3"
    assert (
        "HF/6-31G* (6d, RI)"
        in entry(level=Level("HF", "6-31G*", {"cartesian": True, "density_fitting": True})).name
    )


def test_a_second_time_nothing_is_computed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "store")
    asked = ["--cases", "validation", "--only", "point groups", "dispersion", "--json"]
    before = table.PAGE.read_bytes()
    found: list[list[dict[str, Any]]] = []
    for repeat in ("1", "2"):
        assert main([*asked, "--store", store, "--repeat", repeat]) == 0
        said = capsys.readouterr()
        found.append(json.loads(said.out)["sets"]["validation"]["outcomes"])
        assert re.search(r"\d+ entries: 0 outside, 0 left out", said.err)
    first, second = ([one["attributes"] for one in each] for each in found)
    assert {one["topic"] for one in found[0]} == {"point groups", "dispersion"}
    assert not all(one["remembered"] for one in first)
    assert [one["remembered"] for one in second[::2]] == [one["remembered"] for one in first]
    assert all(one["remembered"] for one in second[1::2])
    assert [one["ours"] for one in first] == [one["ours"] for one in second[1::2]]
    assert table.PAGE.read_bytes() == before


def test_the_table_takes_its_place_on_the_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\n{table.BEGIN}\nold\n{table.END}\nafter\n", encoding="utf-8")
    good, bad = (Verdict(entry(), value, -2.807784, remembered=True) for value in (-2.807784, 0.0))
    table.write(table.document([good, bad], None, 90.0), page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Title\n")
    assert text.endswith(f"{table.END}\nafter\n")
    assert "old" not in text
    assert "2 entries, 1 within" in text
    assert "**+2.8077840**" in text
    assert bad.word == "OUTSIDE"
