"""The benchmark of jobs does the work that it says, on a tiny size."""

from pathlib import Path

import pytest

from evals.bench import jobs

pytest.importorskip("tblite")


def test_a_batch_in_jobs_and_bundles_that_are_taken_in(tmp_path: Path):
    packed, more, taken = jobs.measure(tmp_path, number=3, parts=2)
    assert packed.ours > 0
    assert packed.baseline
    assert more.ours > 0
    assert taken.ours > 0
