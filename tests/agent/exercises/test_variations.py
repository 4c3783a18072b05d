"""The exercises again: in other words, in another order, and with something that goes wrong.

What the first conversation computed is remembered, so these cost next to nothing.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from evals.planner import Slip
from grafico import Grafico
from grafico.agent import Reply

from .questions import EXERCISES
from .talking import Talk, Talking, backwards

EACH = [pytest.param(name, marks=pytest.mark.xdist_group(f"exercise-{name}")) for name in EXERCISES]


@pytest.fixture(scope="module")
def asked() -> dict[str, Talk]:
    """Conversations about exercises as they are asked first: one is enough to compare with."""
    return {}


@pytest.fixture
def first(talking: Talking, name: str, asked: dict[str, Talk]) -> Talk:
    """The exercise as it was asked first."""
    if name not in asked:
        asked[name] = talking(name)
    return asked[name]


def numbers(reply: Reply) -> Counter[tuple[float, str]]:
    """Return what an answer says, whatever its order."""
    return Counter((one.value, one.unit) for one in reply.numbers)


def same(talk: Talk, first: Talk) -> None:
    """The same objects and numbers, and nothing was computed for it."""
    assert talk.computed == 0
    assert talk.objects == first.objects
    assert numbers(talk.reply) == numbers(first.reply)
    assert numbers(talk.reply)
    assert talk.reply.unsourced == []


@pytest.mark.parametrize("wording", [1, 2, 3])
@pytest.mark.parametrize("name", EACH)
def test_other_words(talking: Talking, first: Talk, name: str, wording: int) -> None:
    talk = talking(name, wording)
    same(talk, first)
    assert talk.calls == EXERCISES[name].calls


@pytest.mark.parametrize("name", EACH)
def test_another_order(talking: Talking, first: Talk, name: str) -> None:
    talk = talking(name, change=backwards)
    same(talk, first)
    assert talk.calls == EXERCISES[name].calls


FAULTS = {
    "organic": (429,),
    "inorganic": ("", 500),
    "carbocations": ("", "cut"),
    "rings": ("drop",),
    "acids": ("", "short"),
    "excitations": ("", 503, 429),
}


@pytest.mark.parametrize("name", EACH)
def test_a_provider_that_fails(talking: Talking, first: Talk, name: str) -> None:
    """With an answer that is refused or breaks off; tools are not used again for it."""
    talk = talking(name, faults=FAULTS[name], streams=True)
    same(talk, first)
    assert talk.calls == EXERCISES[name].calls
    failed = sum(1 for one in FAULTS[name] if one)
    assert len(talk.server.asked) == len(first.server.asked) + failed
    assert any("asked again" in note for note in talk.reply.notes)


@pytest.mark.parametrize(
    ("slip", "found"), [("argument", "there is no such argument"), ("word", "none of")]
)
@pytest.mark.parametrize("name", EACH)
def test_a_call_that_is_refused(
    talking: Talking, first: Talk, name: str, slip: Slip, found: str
) -> None:
    """An argument that there is not, and a misspelt basis set, are mended by what is said."""
    talk = talking(name, slip=slip)
    same(talk, first)
    refused = [said for _, said in talk.results if '"error"' in said]
    assert refused
    assert all(found in said for said in refused)
    assert len(talk.results) == sum(EXERCISES[name].calls.values()) + len(refused)


@pytest.mark.xdist_group("exercise-organic")
def test_a_calculation_that_fails(talking: Talking) -> None:
    """One step is not enough; what came of it is gone on from."""
    with Grafico("memory:", threads_per_calculation=1) as session:
        talk = Talking(session, talking.folder)("organic", slip="steps")
    assert talk.calls == {"calculate": 2, "report": 2}
    [failed] = [said for _, said in talk.results if "NotConvergedError" in said]
    assert len(re.findall("NotConvergedError", failed)) == 2
    assert talk.reply.unsourced == []
    energies = [row["values"]["energy_Eh"] for row in talk.molecules.values()]
    assert sorted(energies) == pytest.approx([-186.21788, -112.35435], abs=1.5e-5)
