"""What a batch survives: interrupts, kills of its processes, full disks; and sources of a million.

``python -m tests.batch.survival`` does it at length, and compares whole tables.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from grafico import Grafico
from ontologies.collection import Entry
from ontologies.provenance import Part

pytest.importorskip("tblite")

ENDS = ("O", "N", "F", "S", "C#N", "C=O")
MANY = "smiles\n" + "".join(
    f"{one}C{'C' * length}{other}\n"
    for length in range(6)
    for one in ("O", "N", "F", "S", "Cl", "N#C")
    for other in ENDS
)


def heed() -> None:
    """Heed Ctrl-C, which shells let programs in the background ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A batch that has computed some of its entries, in a process group of its own."""
    (tmp_path / "tmp").mkdir()
    (tmp_path / "many.csv").write_text(MANY)
    environment = {
        **os.environ,
        "GRAFICO_STORE": str(tmp_path / "store"),
        "TMPDIR": str(tmp_path / "tmp"),
    }
    words = ["batch", str(tmp_path / "many.csv"), "--method", "GFN2-xTB"]
    process = subprocess.Popen(
        [sys.executable, "-m", "grafico", *words, "-t", "1"],
        env=environment,
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=heed,
    )
    with Grafico(tmp_path / "store") as session:
        while process.poll() is None and not session.kg.find(Part):
            time.sleep(0.05)
    yield process
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stderr is not None
    process.stderr.close()


def of_the_batch(folder: Path) -> list[psutil.Process]:
    """Return the processes that compute for it; the one that holds the store is none of them."""
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            ours = process.environ().get("TMPDIR") == str(folder / "tmp")
            if ours and "triplestore.broker" not in process.cmdline():
                found.append(process)
    return found


@pytest.mark.parametrize("what", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_who_ends_a_batch_keeps_what_is_finished_and_finds_nothing_left(
    what: signal.Signals, started: subprocess.Popen[str], tmp_path: Path
):
    os.killpg(started.pid, what)
    _, told = started.communicate()
    if what != signal.SIGKILL:
        assert started.returncode == 130
        assert "what is finished is kept" in told
    while of_the_batch(tmp_path):  # workers end by themselves
        time.sleep(0.05)
    with Grafico(tmp_path / "store") as session:
        ended = [part.part for part in session.kg.find(Part)]
        assert 0 < len(ended) < 200
        assert len(ended) == len({*ended})
    assert not os.listdir(tmp_path / "tmp")


def test_who_waits_for_a_pipe_can_be_interrupted(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.csv")
    environment = {**os.environ, "GRAFICO_STORE": str(tmp_path / "store")}
    process = subprocess.Popen(
        [sys.executable, "-m", "grafico", "batch", str(tmp_path / "pipe.csv")],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed,
    )
    while not (tmp_path / "store").exists():  # it has come as far as to its store
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode == 130
    assert "interrupted" in told


def test_of_a_long_source_no_more_is_read_than_is_needed(tmp_path: Path):
    path = tmp_path / "long.smi"
    path.write_text("".join(f"{'C' * (1 + at % 4)} m{at}\n" for at in range(6000)))
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        few = session.batch(path, method="GFN2-xTB", said={"limit": 5}).result()
        assert few.counts["finished"] == 5
        assert len(session.kg.find(Entry)) == 1000
        again = session.batch(path, method="GFN2-xTB", said={"limit": 7}).result()
        assert again.batch.iri == few.batch.iri
        assert again.remarks[-1] == "5 of 7 were done before"
