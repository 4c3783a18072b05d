"""What is many is shared out by estimates: few parts, with alike much to do."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grafico import Grafico
from workflows.engine.jobs.sharing import WELL, shared_out
from workflows.engine.request.definition import Piece
from workflows.engine.runners.cluster import Cluster

MINUTE = 60.0


def pieces(*seconds: float) -> list[Piece]:
    return [Piece((f"{at}/0", f"{at}/1"), one) for at, one in enumerate(seconds)]


@given(st.lists(st.floats(0.01, 1e5), min_size=1, max_size=60), st.integers(1, 9))
def test_each_is_in_one_part_and_no_part_waits_long_for_another(
    seconds: list[float], parts: int
) -> None:
    given_ = pieces(*seconds)
    shares = shared_out(given_, Cluster(parts=parts, part_minutes=0))
    assert len(shares) == min(parts, len(seconds))
    assert sorted(key for one in shares for key in one) == sorted(
        key for piece in given_ for key in piece.keys
    )
    loads = [sum(seconds[int(key[:-2])] for key in one) / 2 for one in shares]
    assert max(loads) - min(loads) <= max(seconds) * (1 + 1e-9)


@pytest.mark.parametrize(
    ("seconds", "cluster", "many"),
    [
        ([0.05] * 3, Cluster(parts=5), 1),
        ([0.05] * 1000, Cluster(parts=5), 1),
        ([60.0] * 25, Cluster(parts=5), 3),  # 25 min, and 10 of them are worth a job
        ([60.0] * 25, Cluster(parts=5, cores=4), 1),
        ([60.0] * 25, Cluster(parts=2), 2),
        ([36_000.0] * 2, Cluster(parts=5), 2),
        # a third of six minutes of walltime is less than ten minutes
        ([60.0] * 10, Cluster(parts=50, hours=0.1), round(10 / (6 * WELL))),
    ],
)
def test_as_few_parts_as_are_worth_it(seconds: list[float], cluster: Cluster, many: int) -> None:
    assert len(shared_out(pieces(*seconds), cluster)) == many


def test_pieces_of_a_batch_are_estimated(tmp_path: Path) -> None:
    """Larger molecules take longer, and the same one in two spellings stays in one piece."""
    source = tmp_path / "library.smi"
    source.write_text("C one\nCCCCCCCC long\nCCCC middle\nOCC first\nCCO second\n")
    with Grafico(tmp_path / "store") as session:
        ready = session.wait_for(
            lambda: session.prepare_async(
                str(source),
                workflow="batch",
                each="run",
                arguments={"method": "HF", "basis": "STO-3G", "task": "frequencies"},
            )
        )
        assert ready.prepared.pieces is not None
        found = {piece.keys: piece.seconds for piece in ready.prepared.pieces()}
    assert sorted(found) == [("0",), ("1",), ("2",), ("3", "4")]
    assert found[("1",)] > found[("2",)] > found[("3", "4")] >= found[("0",)] > 0
