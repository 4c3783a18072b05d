"""What is no molecule, or several: each verb says so, plainly; molecules that are odd pass."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.typed import typed
from workflows.controlled.gate import gate

VERBS = {"lookup": "", "groups": "", "modify": "", "permit": "",
         "sold": "molbloom", "routes": "synspace", "products": "chython"}  # fmt: skip
REFUSED = {
    "xylene": "o-xylene, m-xylene, p-xylene",
    "58-08-3": "its check digit is wrong: 58-08-2",
    "*CC*": "a placeholder, not an element",
    "C" * 2000: "allowed",
    "c1ccccc1" * 250: "allowed",
}
STATED_FIRST = ("xylene", "58-08-3")
"""Of a plan: what they are has to be stated, for that has no structure here."""


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("given", REFUSED, ids=lambda one: one[:10])
def test_what_is_no_molecule_is_refused_with_the_reason(verb: str, given: str) -> None:
    if VERBS[verb] and find_spec(VERBS[verb]) is None:
        pytest.skip("the extra synthesis")
    if verb == "permit" and given in STATED_FIRST:
        assert "nobody has stated" in typed(verb, given, "--store", "memory:", status=1).stderr
        return
    said = typed(verb, given, "--store", "memory:", status=2)
    assert REFUSED[given] in " ".join(said.stderr.split())
    assert not said.stdout


@pytest.mark.skipif(find_spec("chemicals") is None, reason="the extra names")
def test_a_polymer_is_not_its_monomer() -> None:
    """The package chemicals has it among the names of styrene."""
    assert "lesser name" in typed("lookup", "polystyrene", status=2).stderr


MIXTURE, FERROCENE = "CCO.O.[Na+].[Cl-]", "[CH-]1C=CC=C1.[CH-]1C=CC=C1.[Fe+2]"


@pytest.mark.skipif(find_spec("synspace") is None, reason="the extra synthesis")
@pytest.mark.parametrize("given", [MIXTURE, FERROCENE], ids=["mixture", "organometallic"])
def test_mixtures_and_organometallics_pass(given: str) -> None:
    assert "average mass" in typed("lookup", given).stdout
    assert "no route is known here" in typed("routes", given).stderr
    assert gate([given]).tier == ""


@pytest.mark.skipif(find_spec("chython") is None, reason="the extra synthesis")
@pytest.mark.parametrize("given", [MIXTURE, FERROCENE], ids=["mixture", "organometallic"])
def test_products_of_mixtures_are_not_asked_for(given: str) -> None:
    assert "no reaction, mixture or salt" in typed("products", given, status=2).stderr


def test_lookups_note_what_a_list_names_and_stop_nothing() -> None:
    done = typed("lookup", "OCCSCCO")
    assert "average mass" in done.stdout
    assert "a list names it: Chemical Weapons Convention, Schedule 2, 2.B.13" in done.stderr
    assert "a list names it" not in typed("lookup", "toluene").stderr
