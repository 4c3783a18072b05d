"""A sentence is read as seldom as a command; the benchmark counts what this holds it to."""

from pathlib import Path

from evals.bench.reading import MOST, SENTENCE, VERB, counts


def test_a_sentence_is_read_once_and_its_forms_are_filled_in_once(tmp_path: Path) -> None:
    verb = counts((*VERB, "--plan"), tmp_path / "store")
    sentence = counts(SENTENCE, tmp_path / "store")
    assert verb["forms filled in"] == sentence["forms filled in"] == 3
    assert verb["workflows imported"] == 1
    for name, most in MOST.items():
        assert 0 < sentence[name] <= most, (name, sentence)
    assert sentence["whose method it is"] == verb["whose method it is"] == 1
    assert sentence["fields of forms asked"] <= 60
