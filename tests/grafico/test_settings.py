"""Counts of cores and threads: where they are said, and which word counts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grafico import Grafico
from grafico.session.settings import Settings, read_settings
from triplestore.errors import InputError

FILE = "threads_per_calculation = 1\ntotal_cores = 2\n"


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without other settings than those of a test."""
    for name in os.environ:
        if name.startswith("GRAFICO_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def counts(settings: Settings) -> tuple[int | None, int | None]:
    return settings.threads_per_calculation, settings.total_cores


def test_they_reach_the_slot(alone: Path) -> None:
    (alone / "grafico.toml").write_text("threads_per_calculation = 2\ntotal_cores = 3\n")
    with Grafico("memory:", threads_per_calculation=1) as grafico:
        assert grafico.executor.policy.threads_per_calculation == 1
        assert grafico.executor.slots.total_cores == 3
        [answer] = grafico.run("[He]", method="HF", basis="STO-3G").answers
    assert answer.activity.threads == 1


def test_what_stands_closer_wins(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (alone / "grafico.toml").write_text(FILE)
    assert counts(read_settings()) == (1, 2)
    monkeypatch.setenv("GRAFICO_THREADS_PER_CALCULATION", "3")
    assert counts(read_settings()) == (3, 2)
    assert counts(read_settings(threads_per_calculation=4)) == (4, 2)


def test_an_impossible_value_is_refused_by_its_name() -> None:
    with pytest.raises(InputError, match="threads_per_calculation") as refused:
        read_settings(threads_per_calculation=0)
    assert refused.value.asked == "the options cannot be used"


def test_an_empty_setting_is_called_empty(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAFICO_STORE", "")
    with pytest.raises(InputError, match="store is empty: give it a value, or unset GRAFICO_STORE"):
        read_settings()
