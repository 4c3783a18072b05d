"""Settings whose names have changed: the old ones mean what they meant, and say so."""

from __future__ import annotations

import os
import subprocess
import warnings
from pathlib import Path

import pytest

from grafico import Grafico
from grafico.session.deprecated_settings import OldNameWarning, telling
from grafico.session.settings import Settings, read_settings
from tests.warm import program
from triplestore.errors import InputError

OLD = "cores = 1\nthreads = 2\n"
NEW = "threads_per_calculation = 1\ntotal_cores = 2\n"


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


def shell(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*program(), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=300,
    )


def test_new_names_reach_the_slot(alone: Path):
    (alone / "grafico.toml").write_text("threads_per_calculation = 2\ntotal_cores = 3\n")
    with Grafico("memory:", threads_per_calculation=1) as grafico:
        assert grafico.executor.threads_per_calculation == 1
        assert grafico.executor.slots.total_cores == 3
        [answer] = grafico.run("[He]", method="HF", basis="STO-3G").answers
    assert answer.activity.threads == 1


def test_old_names_in_a_file_keep_their_meaning(alone: Path):
    (alone / "grafico.toml").write_text(OLD)
    with pytest.warns(OldNameWarning) as told:
        assert counts(read_settings()) == (1, 2)
    text = [str(one.message) for one in told]
    assert "cores in grafico.toml" in text[0]
    assert "now called threads_per_calculation in grafico.toml" in text[0]
    assert "threads in grafico.toml" in text[1]
    assert "now called total_cores" in text[1]
    (alone / "grafico.toml").write_text(NEW)
    assert counts(read_settings()) == (1, 2)


def test_old_names_in_the_environment_keep_their_meaning(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GRAFICO_CORES", "1")
    monkeypatch.setenv("GRAFICO_THREADS", "2")
    with pytest.warns(OldNameWarning, match="called GRAFICO_(THREADS_PER_C|TOTAL_CORES)"):
        assert counts(read_settings()) == (1, 2)


def test_an_old_argument_warns_where_it_was_written():
    with pytest.warns(OldNameWarning) as told, Grafico("memory:", cores=1) as grafico:
        assert grafico.executor.threads_per_calculation == 1
    [warning] = told
    assert issubclass(warning.category, DeprecationWarning)
    assert warning.filename == __file__
    assert str(warning.message).startswith("cores= (the threads of each calculation)")


def test_what_stands_closer_wins_by_whatever_name(alone: Path, monkeypatch: pytest.MonkeyPatch):
    """Order of the sources first: a new name in a file does not contradict an old one given."""
    (alone / "grafico.toml").write_text(NEW)
    monkeypatch.setenv("GRAFICO_CORES", "3")
    with pytest.warns(OldNameWarning):
        assert counts(read_settings()) == (3, 2)
    with pytest.warns(OldNameWarning):
        assert counts(read_settings(threads_per_calculation=4)) == (4, 2)


def test_an_old_and_a_new_name_must_agree(alone: Path, monkeypatch: pytest.MonkeyPatch):
    file = alone / "grafico.toml"
    file.write_text("threads = 2\ntotal_cores = 3\n")
    with pytest.raises(InputError, match=r"threads in grafico.toml is 2 .* total_cores in .* is 3"):
        read_settings()
    file.write_text("threads = 2\ntotal_cores = 2\n")
    with pytest.warns(OldNameWarning):
        assert counts(read_settings()) == (None, 2)
    file.unlink()
    monkeypatch.setenv("GRAFICO_CORES", "1")
    monkeypatch.setenv("GRAFICO_THREADS_PER_CALCULATION", "2")
    with pytest.raises(InputError) as refused:
        read_settings()
    assert refused.value.advice == "keep GRAFICO_THREADS_PER_CALCULATION alone"
    monkeypatch.delenv("GRAFICO_CORES")
    with pytest.raises(InputError, match="cores= is 1 and threads_per_calculation= is 2"):
        Grafico("memory:", cores=1, threads_per_calculation=2)


def test_an_impossible_value_is_refused_by_its_new_name():
    with (
        pytest.warns(OldNameWarning),
        pytest.raises(InputError, match="threads_per_calculation") as refused,
    ):
        read_settings(cores=0)
    assert refused.value.asked == "the options cannot be used"


def test_a_person_is_told_once():
    said = shell("slots", "--store", "memory:", GRAFICO_THREADS="1", GRAFICO_MEMORY="500")
    assert said.stdout.startswith("1 core, 500 MB")
    notes = [line for line in said.stderr.splitlines() if "GRAFICO_THREADS" in line]
    assert len(notes) == 1
    assert notes[0].startswith("note: GRAFICO_THREADS (the cores that may be used in all) is now")
    assert "GRAFICO_TOTAL_CORES" in notes[0]


def test_the_old_option_still_sets_the_threads():
    asked = ("run", "[He]", "--method", "HF", "--basis", "STO-3G", "--store", "memory:", "--quiet")
    said = shell(*asked, "--cores", "9999")
    assert said.returncode == 2
    assert "9999 cores" in said.stderr
    assert said.stderr.count("--cores (the threads of each calculation) is now called") == 1
    assert "--threads-per-calculation" in said.stderr
    said = shell(*asked, "--cores", "1", "-t", "2")
    assert said.returncode == 2
    assert "keep --threads-per-calculation alone" in said.stderr
    said = shell(*asked, "-t", "1")
    assert (said.returncode, said.stderr) == (0, "")


def test_other_warnings_go_where_they_went():
    told: list[str] = []
    with warnings.catch_warnings(record=True) as others:
        warnings.simplefilter("always")
        with telling(told.append):
            warnings.warn("another", UserWarning, stacklevel=1)
            for _ in range(2):
                warnings.warn("an old name", OldNameWarning, stacklevel=1)
    assert told == ["an old name"]
    assert [str(one.message) for one in others] == ["another"]
