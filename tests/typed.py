"""The command line in this process, as somebody types it."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from grafico.cli.app import main


def typed(*words: str | Path, status: int = 0) -> Result:
    """What a command says and how it ends, which is to be with this status."""
    done = CliRunner().invoke(main, [str(one) for one in words])
    assert done.exit_code == status, (words, done.output, done.exception)
    assert "Traceback" not in done.output
    return done
