"""Backup, restore, export, import and fsck as a person meets them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from ogm import KnowledgeGraph, Link
from ontologies import ConceptualAtoms, Outcome, Run, Software
from tests.typed import typed
from triplestore import open_store
from triplestore.broker.folder import read_holder

ROOT = Path(__file__).resolve().parents[2]
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


class Place:
    """A folder with a store that has a run about a structure of many atoms."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        grid = np.stack(np.meshgrid(*[np.arange(15.0)] * 3), -1).reshape(-1, 3) * 2.5
        self.atoms = ConceptualAtoms(numbers=[2] * len(grid), positions=grid)
        self.run = Run(
            graph="dft",
            goal="energy",
            subject="helium",
            request="{}",
            started=NOON,
            about=frozenset((Link(self.atoms),)),
            software=Software(name="Grafico", version="0"),
        )
        outcome = Outcome(run=Link(self.run), status="finished", message="", ended=NOON)
        with open_store(str(folder / "store")) as store:
            KnowledgeGraph(store).push(self.run, outcome)

    def __call__(self, *arguments: str, status: int = 0) -> tuple[str, str]:
        """Call the command line in this process: starting it takes a second each time."""
        done = typed(*arguments, status=status)
        assert "Traceback" not in done.output
        return done.stdout, done.stderr

    def whole(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Start the program."""
        return subprocess.run(
            [sys.executable, "-m", "grafico", *arguments],
            cwd=self.folder,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=False,
            timeout=60,
        )

    def array(self) -> Path:
        [path] = (self.folder / "store" / "arrays").rglob("*.npy")
        return path


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAFICO_STORE", "store")
    monkeypatch.setenv("COLUMNS", "200")
    listening = signal.getsignal(signal.SIGTERM)
    yield Place(tmp_path)
    signal.signal(signal.SIGTERM, listening)
    for folder in tmp_path.iterdir():
        if holder := read_holder(folder):
            os.kill(holder.pid, signal.SIGKILL)


def test_a_store_is_saved_and_restored(place: Place):
    out, err = place("backup", "file.zip")
    assert "and 1 array in " in out
    assert not err
    _, err = place("backup", "file.zip", status=2)
    assert "it exists" in err
    assert "--force" in err
    said = json.loads(place("backup", "file.zip", "--force", "--json")[0])
    assert said["arrays"] == 1
    out, _ = place("restore", "file.zip", "--store", "copy")
    assert out.startswith(f"restored {said['quads']} quads and 1 array of 20")
    with open_store(str(place.folder / "copy")) as store:
        assert KnowledgeGraph(store).pull(ConceptualAtoms, place.atoms.iri) == place.atoms


def test_the_program_itself_ends_with_the_status(place: Place):
    place.array().unlink()
    for arguments, status in ((("fsck",), 1), (("restore", "nothing"), 2), (("runs",), 0)):
        done = place.whole(*arguments)
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr


def test_slips_are_told(place: Place):
    for verb in (("backup", "new.zip"), ("fsck",), ("runs",), ("migrate",)):
        _, err = place(*verb, "--store", "slip", status=2)
        assert "there is no such folder" in err
        assert not (place.folder / "slip").exists()
    (place.folder / "a folder").mkdir()
    place("runs", "--store", (place.folder / "a folder").as_uri())  # written with %20
    (place.folder / "slip").mkdir()
    _, err = place("backup", "new.zip", "--store", "slip", status=2)
    assert "it is empty" in err
    assert not (place.folder / "new.zip").exists()
    _, err = place("backup", "no/file.zip", status=2)
    assert "there is no folder no" in err
    _, err = place("restore", "nothing.zip", status=2)
    assert "there is no such file" in err
    (place.folder / "letter.zip").write_text("dear")
    for verb, found in (("restore", "it is something else"), ("import", "it is no output of")):
        _, err = place(verb, "letter.zip", status=2)
        assert found in err
    place("export", place.run.iri, "-o", "run.zip")
    _, err = place("restore", "run.zip", status=2)
    assert "use `grafico import`" in err
    _, err = place("export", "-o", "x.zip", status=2)
    assert "nothing is named" in err
    _, err = place("export", "--query", "ASK { ?s ?p ?o }", "-o", "x.zip", status=2)
    assert "yes or no" in err


def test_a_run_is_moved_to_another_store(place: Place):
    short = place.run.iri.replace("https://w3id.org/grafico/", "g:")
    out, _ = place("export", short, "-o", "run.zip")
    assert out.startswith("exported 4 objects and 1 array to ")
    query = "SELECT ?run { ?run a g:Run }"
    place("export", "--query", query, "--output", "same.zip")
    one, two = (place.folder / name for name in ("run.zip", "same.zip"))
    assert one.read_bytes() == two.read_bytes()
    out, err = place("import", "run.zip", "--store", "copy")
    assert out == f"imported 4 objects (4 new) and 1 array\n  {place.run.iri}\n"
    assert not err
    said = json.loads(place("import", "run.zip", "--store", "copy", "--json")[0])
    assert (said["objects"], said["new"], said["warnings"]) == (4, 0, [])
    _, err = place("import", "run.zip", "--store", "third", "--max-size", "0.00001", status=2)
    assert "more than 10,000 bytes" in err
    out, _ = place("runs", "--store", "copy")
    assert "helium" in out


def test_faults_are_shown_and_give_the_status(place: Place):
    out, _ = place("fsck")
    assert out.splitlines()[0].endswith("4 objects, 1 array")
    assert out.endswith("no fault was found\n")
    place("backup", "good.zip")
    array = place.array()
    array.unlink()
    out, _ = place("fsck", status=1)
    assert "its file is missing" in out
    assert "fault" in out
    said = json.loads(place("fsck", "--json", status=1)[0])
    assert said["clean"] is False
    assert said["counts"] == {"array": 1}
    assert said["findings"][0]["subject"] == place.atoms.iri
    out, err = place("backup", "bad.zip", status=1)
    assert "could not be saved: its file is missing" in err
    assert (place.folder / "bad.zip").exists()
    place("restore", "good.zip")
    place("fsck")


def test_stored_text_does_not_command_the_terminal(place: Place):
    with open_store(str(place.folder / "store")) as store:
        kind = b"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
        store.insert(b'<urn:x> %s "\x1b[31m[\xe2\x80\xaeb]" .\n' % kind)
    out, _ = place("fsck")
    assert "\x1b" not in out
    assert "[31m[b]" in out
    for words in (("query", "SELECT ?x { <urn:x> a ?x }"), ("show", "urn:x")):
        out, err = place(*words)
        assert "[31m[b]" in out
        assert not set(out + err) & set("\x1b\u202e")


def test_arrays_that_nothing_names_are_pruned(place: Place):
    array = place.array()
    other = array.with_name("0" * 64 + ".npy")
    other.write_bytes(b"x")
    os.utime(other, (0, 0))
    out, _ = place("fsck")
    assert "unnamed" in out
    out, _ = place("fsck", "--prune")
    assert "removed 1 file" in out
    assert not other.exists()
    assert array.exists()


def test_what_takes_long_is_told(capsys: pytest.CaptureFixture[str]):
    from grafico.cli.archive import PATIENCE, Ticker

    ticker = Ticker()
    ticker("1 quad")
    assert capsys.readouterr().err == ""
    ticker._told -= PATIENCE
    ticker._started -= PATIENCE
    ticker("2 quads")
    ticker("3 quads")
    [line] = capsys.readouterr().err.splitlines()
    assert line.endswith("s  2 quads")


def test_what_is_exported_can_be_read_by_anybody_and_a_backup_by_its_owner(place: Place):
    place("export", place.run.iri, "-o", "run.zip")
    place("backup", "file.zip")
    umask = os.umask(0)
    os.umask(umask)
    modes = [(place.folder / name).stat().st_mode & 0o777 for name in ("run.zip", "file.zip")]
    assert modes == [0o666 & ~umask, 0o600]
    with zipfile.ZipFile(place.folder / "run.zip") as file:
        assert file.testzip() is None
