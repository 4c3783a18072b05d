"""What is imported when: help stays quick, and what is not installed is named with its remedy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAIN = "from grafico.cli.app import main; main(sys.argv[1:], prog_name='grafico')"
SCIENCE = {"pyscf", "rdkit", "ase", "pymatgen", "numpy", "pydantic", "pydantic_graph", "pint"}
MODELS = {"pydantic_ai", "openai"}
TRACING = {"logfire", "opentelemetry"}


def run(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", f"import sys; {code}", *words],
        cwd=ROOT,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("code", "words", "unwanted"),
    [
        (MAIN, ["--help"], SCIENCE | MODELS | TRACING | {"mcp", "rdflib", "psij", "asyncio"}),
        (MAIN, ["ask", "--help"], SCIENCE | MODELS),
        (MAIN, ["mcp", "--help"], SCIENCE | {"mcp", "uvicorn", "starlette"}),
        (MAIN, ["ontology", "--help"], {"rdflib", "ogm", "ontologies"}),
        ("import workflows.engine.running, workflows.engine.queues", [], MODELS | {"psij"}),
        (
            "import workflows.molecule as m; m.recognise('CCO')",
            [],
            {"rdkit", "ase", "pymatgen", "py2opsin"},
        ),
    ],
    ids=["help", "help of ask", "help of mcp", "help of ontology", "engine", "recognising"],
)
def test_what_is_not_needed_is_not_imported(code: str, words: list[str], unwanted: set[str]):
    told = "import atexit; atexit.register(lambda: print('', *sys.modules))"
    done = run(f"{told}; {code}", *words)
    assert done.returncode == 0, done.stderr
    if words:
        assert "Usage: grafico" in done.stdout
    assert not unwanted & set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("module", "words", "extra"),
    [
        ("pydantic_ai", ["ask", "hello"], "agent"),
        ("pydantic_ai", ["chat"], "agent"),
        (
            "pydantic_ai",
            [
                "run",
                "[He]",
                "--method",
                "HF",
                "--basis",
                "STO-3G",
                "--store",
                "memory:",
                "--router",
                "model:a:b",
            ],
            "agent",
        ),
        ("mcp", ["mcp", "--store", "memory:"], "mcp"),
    ],
)
def test_without_an_extra_it_is_said_what_to_install(module: str, words: list[str], extra: str):
    done = run(f"sys.modules[{module!r}] = None; {MAIN}", *words)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"grafico-chem[{extra}]" in done.stderr
    assert "Traceback" not in done.stderr
