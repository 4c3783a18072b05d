"""A few of the numbers that `make validate` has computed by Psi4, computed here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evals.running import session_for
from evals.validation.cases import all_entries, judge
from evals.validation.entries import Entry
from evals.validation.laboratory import Laboratory
from evals.validation.psi4 import Job
from evals.validation.structures import named
from tests.conftest import Need

CHOSEN = [
    entry
    for entry in all_entries()
    if entry.kind == "Psi4"
    and (entry.molecule, entry.level and entry.level.label)
    in {
        ("H2O", "HF/cc-pVDZ"),
        ("CH3", "HF/cc-pVDZ"),
        ("CH3", "HF/cc-pVDZ (RO)"),
        ("HI with core potential", "HF/def2-SVP"),
        ("H2O", "B3LYP/def2-SVP (grid 5)"),
        ("H2O", "PBE/def2-SVP (grid 5)"),
    }
]


@pytest.fixture(scope="module")
def laboratory() -> Iterator[Laboratory]:
    with session_for("memory:") as session:
        yield Laboratory(session)


@pytest.mark.parametrize("entry", CHOSEN, ids=lambda entry: entry.name)
def test_psi4_finds_the_same(entry: Entry, laboratory: Laboratory, need: Need) -> None:
    need("psi4")
    verdict = judge(entry, laboratory)
    assert not verdict.problem
    assert verdict.passed, f"{verdict.ours} instead of {verdict.reference}"


def test_psi4_would_show_a_difference(laboratory: Laboratory, need: Need) -> None:
    """Five d functions instead of six lie 1.4 mEh apart in water with 6-31G*."""
    need("psi4")
    five, six = (Job(named("WATER"), "hf", "6-31G*", cartesian=six).run() for six in (False, True))
    assert five["functions"] + 1 == six["functions"]
    assert abs(five["energy"] - six["energy"]) > 5e-4
