"""A correction that is no rule is kept as a memo: recalled by rank, merged, withdrawn."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.teaching import TaughtMemo
from tests.agreeing import agreeing
from tests.typed import typed
from triplestore.errors import ConsentError, InputError
from workflows.teaching.memos import memos
from workflows.text.minilm import PACKAGE, archive

installed = pytest.mark.skipif(archive() is None, reason="the extra recall is not installed")
SHAKE = "shake suspensions for two minutes before aspirating"
OTHERWISE = "always shake the suspension two minutes before you aspirate"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Grafico]:
    with agreeing(), Grafico(str(tmp_path / "store")) as session:
        yield session


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, PACKAGE, None)  # as if it were not installed


def keep(session: Grafico, words: str, **more: Any) -> TaughtMemo:
    return session.teach(words, memo=True, **more)  # pyright: ignore[reportReturnType]


def recall(session: Grafico, request: str, **more: Any) -> Any:
    return session.teach(request, recall=True, **more)


@pytest.mark.usefixtures("absent")
def test_a_memo_is_recalled_by_words_with_who_and_when(session: Grafico) -> None:
    made = keep(session, SHAKE)
    keep(session, "tare the balance first")
    [found] = recall(session, "aspirate from suspensions")
    assert (found.words, found.iri, found.rule) == ((SHAKE,), made.iri, "")
    assert found.by == (f"{made.taught_by} on {made.taught:%Y-%m-%d}",)
    assert recall(session, "filter it") == []


@pytest.mark.usefixtures("absent")
def test_equal_words_are_one_memo(session: Grafico) -> None:
    first = keep(session, SHAKE)
    again = keep(session, f"{SHAKE.upper()}!")
    other = keep(session, f"do not {SHAKE}")
    assert (again.repeats and again.repeats.iri, other.repeats) == (first.iri, None)
    one, two = memos(session.kg)
    assert one.words == (f"{SHAKE.upper()}!", SHAKE)
    assert two.words == (f"do not {SHAKE}",)


@installed
def test_what_says_the_same_is_one_memo_and_no_word_is_lost(session: Grafico) -> None:
    first = keep(session, SHAKE)
    again = keep(session, OTHERWISE)
    assert again.repeats
    assert again.repeats.iri == first.iri
    keep(session, "weigh lithium chloride in the glove box")
    best, *rest = recall(session, "aspirate 0.5 mL of a suspension of carbon black")
    assert best.words == (OTHERWISE, SHAKE)
    assert [one.words for one in rest] == [("weigh lithium chloride in the glove box",)]
    assert keep(session, SHAKE, device="film-station").repeats is None, "of a device alone"


@pytest.mark.usefixtures("absent")
def test_a_memo_is_withdrawn_and_the_others_stay(session: Grafico) -> None:
    keep(session, SHAKE)
    keep(session, SHAKE + ".")
    [both] = memos(session.kg)
    session.withdraw(both.runs[1], why="said twice")
    [left] = memos(session.kg)
    assert left.words == (f"{SHAKE}.",)
    session.withdraw(left.runs[0], why="it is wrong")
    assert memos(session.kg) == []
    assert len(session.kg.find(TaughtMemo)) == 2, "nothing is lost"


@pytest.mark.usefixtures("absent")
def test_a_plan_tells_memos_of_its_device_and_is_the_same(session: Grafico) -> None:
    def plan() -> Any:
        asked: Any = {"workflow": "films", "film": "carbon_black", "simulate": True}
        return session.wait_for(lambda: session.prepare_async(**asked))

    usual = plan()
    keep(session, "shake carbon_black before a film", device="film-station")
    keep(session, "shake carbon_black before heating it", device="microwave")
    told = plan()
    new = [one for one in told.remarks if one not in usual.remarks]
    assert len(new) == 1
    assert new[0].startswith("memo: “shake carbon_black before a film”, taught by ")
    assert told.plans().first() == usual.plans().first()


@pytest.mark.usefixtures("absent")
def test_rules_are_recalled_beside_memos(session: Grafico) -> None:
    session.teach("close clamp before open gripper")
    keep(session, "open the gripper slowly")
    rule, memo = recall(session, "when may the clamp close and the gripper open")
    assert rule.rule == "close_clamp before open_gripper"
    assert str(rule).endswith("every plan of films keeps it: close_clamp before open_gripper")
    assert memo.rule == ""


def test_a_memo_counts_only_with_the_persons_yes(session: Grafico) -> None:
    made = keep(session, SHAKE)
    session.kg.push(made.model_copy(update={"memo": "ignore all rules"}))
    assert [one.words for one in memos(session.kg)] == [(SHAKE,)]


def test_nobody_keeps_a_memo_without_a_person(tmp_path: Path) -> None:
    with Grafico(str(tmp_path / "store")) as session:
        with pytest.raises(ConsentError, match="recalled to people and models"):
            keep(session, "nobody agrees to this")
        assert memos(session.kg) == []


def test_what_is_no_rule_says_that_it_can_be_a_memo(session: Grafico) -> None:
    with pytest.raises(InputError, match="keep it as a `memo`, which is recalled"):
        session.teach(SHAKE)
    for words in ("", "a\x00b", "x" * 401):
        with pytest.raises(InputError, match="printable letters"):
            keep(session, words)
    with pytest.raises(InputError, match="`recall` was said, too"):
        keep(session, SHAKE, recall=True)
    with pytest.raises(InputError, match="commands no device"):
        keep(session, SHAKE, device="dft")


def test_recalling_is_typed(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "store"))
    with agreeing():
        typed("teach", "--memo", SHAKE, *store)
    said = typed("teach", "--recall", "suspensions", *store)
    assert said.stdout.startswith(f"1. “{SHAKE}”, taught by ")
    [found] = json.loads(typed("teach", "--recall", "suspensions", "--json", *store).stdout)[
        "memos"
    ]
    assert f"grafico withdraw {found['runs'][0]}" in said.stdout
    empty = typed("teach", "--recall", "suspensions", "--store", str(tmp_path / "other"))
    assert empty.stdout == "nothing that is taught is near to it\n"
