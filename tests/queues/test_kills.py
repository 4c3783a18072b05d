"""A screening through Slurm whose jobs are killed comes to the table of one left in peace.

``python -m tests.queues.job_kills`` does it at length.
"""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.batch.survival import Place
from tests.queues.job_kills import Screening, compared
from tests.queues.slurm import Slurm

pytest.importorskip("tblite")
pytestmark = pytest.mark.xdist_group("slurm")


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path a socket's may begin with."""
    with tempfile.TemporaryDirectory(prefix="grafico-kills-", dir="/tmp") as folder:
        yield Path(folder)


def test_kills_change_nothing(slurm: Slurm, short: Path, tmp_path: Path) -> None:
    source = tmp_path / "molecules.smi"
    source.write_text("O water\nN ammonia\nCO methanol\n")
    words = ("--method", "GFN2-xTB", "--task", "optimise")
    peace = Place(short / "peace", source, words)
    assert peace.start().wait() == 0
    screening = Screening(short / "killed", source, words, parts=2, daemons=slurm)
    assert screening.disturbed(4, random.Random(3)) == "finished", slurm.logs()
    assert sum(screening.killed.values()) > 0
    assert not compared(screening, peace)
