"""What a snippet can do: compute, plot, keep files, read values by IRI."""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grafico import Grafico
from grafico.sandbox import Ran, Sandbox, SandboxLimits, Values, jail
from grafico.sandbox.inside import calls
from ontologies import SinglePoint
from triplestore.errors import ComponentError, InputError

pytestmark = pytest.mark.xdist_group("sandbox")

BOHR = 0.529177210544
"""Å, CODATA 2022."""

RULED = {name: rule.numbers for name, rule in calls.RULES.items()}
TABLE = {**calls.ALLOWED, **calls.IGNORED, **RULED}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grafico]:
    xyz = tmp_path_factory.mktemp("input") / "h2.xyz"
    xyz.write_text(f"2\n\nH 0 0 0\nH 0 0 {1.4 * BOHR:.9f}\n")
    with Grafico("memory:", threads_per_calculation=1) as opened:
        opened.run(xyz, method="HF", basis="STO-3G")
        yield opened


@pytest.fixture(scope="module")
def sandbox(
    confined: None, session: Grafico, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Sandbox]:
    folder = tmp_path_factory.mktemp("sandbox") / "files"
    limits = SandboxLimits(seconds=10.0, requests=30, rows=5, answers=2000)
    made = Sandbox(folder, Values(session.kg, session.settings), limits)
    asyncio.run(made.start())
    yield made
    made.kill()


@pytest.fixture(scope="module")
def energy_iri(session: Grafico) -> str:
    [point] = session.kg.find(SinglePoint)
    return point.iri


async def run(sandbox: Sandbox, code: str) -> Ran:
    return await sandbox.run(textwrap.dedent(code))


async def test_the_value_of_the_last_expression(sandbox: Sandbox):
    ran = await run(
        sandbox, "import sys\nx = 6 * 7\nprint('out')\nprint('err', file=sys.stderr)\nx"
    )
    assert (ran.value, ran.stdout, ran.stderr, ran.error) == ("42", "out\n", "err\n", "")
    assert ran.ok
    assert 0 < ran.cpu < 2
    assert (await run(sandbox, "x = 1")).value == ""
    assert (await run(sandbox, "None")).value == ""
    assert (await run(sandbox, "np.float64(2.5)")).value == "2.5"
    assert (await run(sandbox, "'\\udc80'")).value == "'\\udc80'"
    assert "ValueError" not in (await run(sandbox, "print('\\udc80')")).error
    ran = await run(sandbox, "pd.DataFrame({'a': [1, 2]})")
    assert ran.value == "   a\n0  1\n1  2"


async def test_variables_end_with_their_snippet(sandbox: Sandbox):
    assert (await run(sandbox, "y = 1; np.pi = 3; import math; math.pi = 3")).ok
    ran = await run(sandbox, "import math; 'y' in globals(), np.pi == math.pi > 3.1")
    assert ran.value == "(False, True)"


async def test_an_error_is_a_traceback_of_the_snippet_alone(sandbox: Sandbox):
    ran = await run(sandbox, "def f():\n    return 1 / 0\n\nprint('before')\nf()")
    assert ran.stdout == "before\n"
    assert ran.error.startswith('Traceback (most recent call last):\n  File "<snippet>", line 5')
    assert "    return 1 / 0\n" in ran.error
    assert ran.error.endswith("ZeroDivisionError: division by zero\n")
    assert "inside" not in ran.error
    assert not ran.ok
    ran = await run(sandbox, "a b")
    assert "SyntaxError" in ran.error
    assert "inside" not in ran.error
    assert (await run(sandbox, "import sys; sys.exit()")).ok
    assert (await run(sandbox, "exit('no')")).error == "SystemExit: no"


async def test_the_libraries_work(sandbox: Sandbox):
    ran = await run(
        sandbox,
        """
        from scipy.optimize import curve_fit
        from scipy.stats import norm
        from scipy.constants import physical_constants
        from dataclasses import dataclass
        @dataclass
        class Point:
            x: float
        x = np.linspace(0, 1, 20)
        (slope, offset), _ = curve_fit(lambda x, a, b: a * x + b, x, 3 * x + 1)
        table = pd.DataFrame({"x": x}).describe().loc["mean", "x"]
        [round(float(n), 6) for n in (slope, offset, norm.cdf(0), table, Point(2).x,
         np.linalg.eigvalsh([[2, 1], [1, 2]])[1], np.fft.fft(np.ones(4))[0].real)]
        """,
    )
    assert (ran.value, ran.error) == ("[3.0, 1.0, 0.5, 0.5, 2.0, 3.0, 4.0]", "")
    one, two = [(await run(sandbox, "np.random.rand()")).value for _ in range(2)]
    assert one != two


async def test_figures_and_files_come_back(sandbox: Sandbox):
    ran = await run(
        sandbox,
        """
        fig, ax = plt.subplots()
        ax.plot([1, 2], label="Δ$E$ / E$_h$"); ax.legend()
        plt.show()
        fig2 = plt.figure(); fig2.savefig("own.pdf")
        pd.DataFrame({"a": [1]}).to_csv("table.csv", index=False)
        open("note.txt", "w").write("first")
        np.save("raw.npy", np.arange(3))
        """,
    )
    assert (ran.error, ran.refused, ran.stderr) == ("", (), "")
    assert {file.name: file.type for file in ran.files} == {
        "figure-1.png": "image/png",
        "own.pdf": "application/pdf",
        "table.csv": "text/csv",
        "note.txt": "text/plain",
        "raw.npy": "application/octet-stream",
    }
    files = {file.name: file.path for file in ran.files}
    assert files["figure-1.png"].read_bytes().startswith(b"\x89PNG\r\n")
    assert files["table.csv"].read_text() == "a\n1\n"
    assert np.load(files["raw.npy"]).tolist() == [0, 1, 2]
    assert all(file.size == file.path.stat().st_size for file in ran.files)
    ran = await run(
        sandbox, "print(open('note.txt').read()); open('note.txt', 'w').write('second')"
    )
    assert ran.stdout == "first\n"
    [again] = ran.files
    assert again.path != files["note.txt"]
    assert (again.path.read_text(), files["note.txt"].read_text()) == ("second", "first")
    assert (await run(sandbox, "open('note.txt').read()")).files == ()


async def test_a_failing_snippet_still_gives_its_figures(sandbox: Sandbox):
    ran = await run(sandbox, "plt.plot([1])\n1 / 0")
    assert [file.type for file in ran.files] == ["image/png"]
    assert not ran.ok


async def test_what_is_kept_is_bounded(confined: None, tmp_path: Path):
    async with Sandbox(tmp_path / "new" / "files", limits=SandboxLimits(kept=1000)) as small:
        ran = await small.run("for n in 'ab': open(n, 'wb').write(bytes(600))")
        assert [file.name for file in ran.files] == ["a"]
        assert ran.refused == ("b: 0 MiB are kept at most",)
        with pytest.raises(InputError, match="200000 characters"):
            await small.run("#" * 200_000)


# --- values ----------------------------------------------------------------------------------


async def test_values_by_iri(sandbox: Sandbox, session: Grafico, energy_iri: str):
    short = "g:" + energy_iri.removeprefix("https://w3id.org/grafico/")
    ran = await run(
        sandbox,
        f"""
        import grafico_values
        assert grafico_values is g
        point = g.value({short!r})
        print(point.energy, g.unit(point, "energy"), point.iri, point.converged, point.lumo > 0)
        print(g.value(point.atoms.iri).positions[1, 2], point.atoms.formula, point.fields["dipole"])
        print(point.level.method, point.scf_path, point.atoms.positions.dtype, point.spin_squared)
        print(g.unit({energy_iri!r}, "scf_cycles") == "", point == g.value(point))
        print("energy" in dir(point))
        point
        """,
    )
    assert ran.error == ""
    energy, unit, iri, converged, unbound = ran.stdout.splitlines()[0].split()
    # Szabo and Ostlund, Modern Quantum Chemistry, table 3.11 ff.: H2 at 1.4 bohr in STO-3G
    assert float(energy) == pytest.approx(-1.1167, abs=5e-5)
    assert float(energy) == session.kg.pull(SinglePoint, energy_iri).energy
    assert (unit, iri, converged, unbound) == ("E_h", short, "True", "True")
    assert ran.stdout.splitlines()[1] == f"{round(1.4 * BOHR, 9)} H2 DEBYE"
    assert ran.stdout.splitlines()[2] == "HF ('DIIS',) float64 None"
    assert ran.stdout.splitlines()[3:] == ["True True", "True"]
    assert ran.value.startswith(f"SinglePoint {short}\n")
    assert f"  energy = {energy} E_h\n" in ran.value
    assert "  dipole = array of shape (3,) DEBYE\n" in ran.value
    kinds = [iri.split("/id/")[1].split("/")[0] for iri in ran.read]
    assert kinds == ["SinglePoint", "ConceptualAtoms", "LevelOfTheory"]
    assert ran.read[0] == energy_iri
    assert (ran.seen, ran.queries) == ((), ())


async def test_queries(sandbox: Sandbox, energy_iri: str):
    ran = await run(
        sandbox,
        """
        table = g.query("SELECT ?r ?energy ?ok ?n ?f ?x ?p { ?r a g:SinglePoint ;"
                        " g:energy ?energy ;"
                        " g:converged ?ok ; g:scfCycles ?n ; g:atoms ?a . ?a g:formula ?f ;"
                        " g:positions ?p OPTIONAL { ?r g:nothing ?x } }")
        print([type(cell).__name__ for cell in table.iloc[0]])
        print(g.value(table.r[0]).energy == table.energy[0], table.p[0], table.attrs)
        print(g.query("ASK { ?r a g:SinglePoint }"), len(g.query("SELECT ?r { ?r a g:Nothing }")))
        print(g.query("CONSTRUCT { ?r g:energy ?e } { ?r g:energy ?e }").shape)
        print(len(g.query("SELECT ?s { ?s ?p ?o }")))
        """,
    )
    assert ran.error == ""
    lines = ran.stdout.splitlines()
    assert lines[0] == "['str', 'float64', 'bool', 'int64', 'str', 'NoneType', 'str']"
    array = "array <f8 of shape (2,3): read it with value(iri)"
    assert lines[1] == f"True {array} {{'cut': None}}"
    assert lines[2:] == ["True 0", "(1, 3)", "5"]
    assert "this is not the whole answer: cut after 5 rows" in ran.stderr
    assert energy_iri in ran.seen
    assert ran.read == (energy_iri,)
    assert len(ran.queries) == 5


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("g.value('g:id/SinglePoint/none')", "NotFoundError: "),
        ("g.value('no iri <')", "NotFoundError: "),
        ("g.query('INSERT DATA { <a:a> <a:a> <a:a> }')", "QueryError: "),
        ("g.query('DELETE WHERE { ?s ?p ?o }')", "QueryError: "),
        ("g.query('SELECT * { SERVICE <http://localhost/> { ?s ?p ?o } }')", "QueryError: "),
        ("g.query('nonsense')", "QueryError: "),
        (
            "g.value(IRI).enrgy",
            "AttributeError: SinglePoint has no 'enrgy'; did you mean energy? it has atoms, ",
        ),
        ("g.value(IRI).energy = 1", "AttributeError: energy: what is stored is never changed"),
        ("g.value(IRI).dipole[0] = 1", "ValueError: assignment destination is read-only"),
        ("g.unit(IRI, 'mass')", "AttributeError: there is no 'mass'; there are atoms, "),
        ("for i in range(31): g.query('ASK {}')", "LimitError: a snippet may ask 30 times"),
        ("g._ask(op='array', iri=IRI, field='energy')", "NotFoundError: energy of "),
        ("g._ask(op='array', iri=IRI, field='__class__')", "NotFoundError: __class__ of "),
        ("g._ask(op='push', iri=IRI)", "QueryError: a request was made; it has no known form"),
        ("g._ask(op='value', iri=7)", "QueryError: a request was made; it has no known form"),
        (
            "while True: g._ask(op='array', iri=IRI, field='dipole')",
            "LimitError: a snippet may ask",
        ),
        ("g.query('#' * 70_000)", "ValuesError: the request was refused"),
    ],
)
async def test_what_cannot_be_read(sandbox: Sandbox, energy_iri: str, code: str, error: str):
    ran = await run(sandbox, f"IRI = {energy_iri!r}\n{code}")
    assert error in ran.error.strip().splitlines()[-1], ran
    assert (await run(sandbox, "g.query('ASK { ?s ?p ?o }')")).value == "True"


async def test_the_size_of_answers_is_bounded(sandbox: Sandbox, energy_iri: str):
    sandbox.limits, before = replace(sandbox.limits, answers=100), sandbox.limits
    ran = await run(
        sandbox, f"for i in range(9): print(g._ask(op='array', iri={energy_iri!r}, field='dipole'))"
    )
    sandbox.limits = before
    assert ran.stdout.count("<f8") == 4  # 24 bytes each
    assert "LimitError: a snippet may read" in ran.error


# --- the first start -------------------------------------------------------------------------


async def test_a_warm_snippet_is_quick(sandbox: Sandbox):
    times: list[float] = []
    for _ in range(20):
        began = time.perf_counter()
        assert (await sandbox.run("1 + 1")).cpu < 2
        times.append(time.perf_counter() - began)
    assert statistics.median(times) < 0.5  # 20 to 40 ms; seconds if it were not warm


def test_where_nothing_can_be_confined_it_is_off_and_says_why(tmp_path: Path):
    code = f"""
        import asyncio
        from pathlib import Path
        from grafico.sandbox import Sandbox, probe
        from triplestore.errors import ComponentError
        print(probe())
        try:
            asyncio.run(Sandbox(Path({str(tmp_path)!r})).run("print('unconfined')"))
        except ComponentError as error:
            print(error)
        """
    (tmp_path / "bin").mkdir()

    def said() -> str:
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)],
            env={**os.environ, "PATH": str(tmp_path / "bin")},
            capture_output=True,
            text=True,
            check=True,
        )
        assert "\nunconfined\n" not in done.stdout
        assert "this tool is off here" in done.stdout
        return done.stdout

    assert "bubblewrap is not installed" in said()
    program = tmp_path / "bin" / "bwrap"
    program.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1"
    )
    program.chmod(0o755)
    assert "(bwrap: No permissions to create new namespace)" in said()


def test_a_sandbox_that_does_not_start_says_why(confined: None, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(jail, "INSIDE", tmp_path)  # nothing to import there
    with pytest.raises(ComponentError, match=r"No module named|cannot import name"):
        asyncio.run(Sandbox(tmp_path / "files").start())


def test_the_table_of_system_calls_has_no_number_twice():
    for column in (0, 1):
        numbers = [pair[column] for pair in TABLE.values()]
        present = [number for number in numbers if number is not None]
        assert len(set(present)) == len(present)
        assert max(present) <= calls.LAST


@pytest.mark.parametrize(
    ("column", "header"),
    [(0, "x86_64-linux-gnu/asm/unistd_64.h"), (1, "asm-generic/unistd.h")],  # AArch64's
)
def test_the_table_is_the_kernels(column: int, header: str):
    path = Path("/usr/include") / header
    if not path.exists():
        pytest.skip("the kernel's headers are not installed")
    known = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", path.read_text()))
    for name, pair in TABLE.items():
        number = pair[column]
        here = "fstatat" if name == "newfstatat" and column else name
        assert here not in known if number is None else known[here] == str(number), name
