"""A job carries what it needs of the settings: none are read where it computes."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from workflows.engine.jobs.desk import JobStart

pytest.importorskip("tblite")

BROKEN = "this is no TOML, and who reads it fails"


def test_no_settings_are_read_on_the_far_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that cannot be read lie wherever one would be looked for there."""
    config = tmp_path / "config" / "grafico"
    config.mkdir(parents=True)
    (config / "grafico.toml").write_text('method = "GFN2-xTB"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:

        async def submit() -> Any:
            ready = await session.prepare_async("O")
            begin = datetime.now(UTC) + timedelta(seconds=3)
            return await session.desk.submit(ready, "here", JobStart(begin=begin))

        job = session.wait_for(submit)
        folder = session.desk.named(job.name).folder
        places = [tmp_path, config, tmp_path / ".config" / "grafico", folder]
        places += [path for path in folder.rglob("*") if path.is_dir()]
        for place in places:
            place.mkdir(parents=True, exist_ok=True)
            (place / "grafico.toml").write_text(BROKEN)
        result: Any = session.follow(job.name)
    assert result.level.method == "GFN2-xTB"
    assert result.status == "finished"


def test_what_computes_there_knows_no_settings() -> None:
    """Neither the program of a part nor what a login node runs imports those who read them."""
    code = (
        "import sys, workflows.engine.jobs.node, workflows.engine.jobs.remote_agent\n"
        "print([one for one in sys.modules if one.split('.')[0] == 'grafico'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
