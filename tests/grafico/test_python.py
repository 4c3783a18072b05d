"""The session from Python."""

from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import grafico
from grafico import ConceptualAtoms, Grafico
from ontologies.level import LevelOfTheory
from triplestore.errors import InputError, NotFoundError

ROOT = Path(__file__).resolve().parents[2]
HF: Any = {"method": "HF", "basis": "STO-3G"}


def test_the_public_names_are_these() -> None:
    assert grafico.__all__ == ["ConceptualAtoms", "Grafico", "Result"]
    assert all(getattr(grafico, name) for name in grafico.__all__)
    with pytest.raises(AttributeError):
        grafico.nothing  # noqa: B018


def test_a_clone_of_the_same_name_does_not_hide_the_package(tmp_path: Path) -> None:
    """Python puts the working folder first, and takes a folder without code for a package."""
    (tmp_path / "grafico").mkdir()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    code = "from grafico import Grafico; print(Grafico.__name__)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.stdout == "Grafico\n", done.stderr


def test_run_is_run_async_without_await() -> None:
    assert inspect.signature(Grafico.run) == inspect.signature(Grafico.run_async)
    assert Grafico.run.__doc__ == Grafico.run_async.__doc__
    assert (Grafico.run.__name__, Grafico.run.__qualname__) == ("run", "Grafico.run")
    assert not inspect.iscoroutinefunction(Grafico.run)


def test_a_spin_that_nobody_chose_is_remarked(tmp_path: Path) -> None:
    (tmp_path / "o2.xyz").write_text("2\n\nO 0 0 0\nO 0 0 1.2\n")
    (tmp_path / "o.xyz").write_text("1\n\nO 0 0 0\n")
    words = "multiplicity 1 taken, but the ground state of O2 has 3: ask for it"
    with Grafico("memory:", threads_per_calculation=1) as session:
        (remark,) = session.run(tmp_path / "o2.xyz", **HF).remarks
        assert remark.startswith(words)
        (remark,) = session.run(tmp_path / "o.xyz", **HF).remarks
        assert "the ground state of O has 3" in remark
        assert session.run(tmp_path / "o2.xyz", multiplicity=1, **HF).remarks == ()
        triplet = session.run(tmp_path / "o2.xyz", multiplicity=3, **HF)
        assert (triplet.remarks, triplet.atoms.multiplicity) == ((), 3)
        assert session.run(triplet.atoms.iri, **HF).remarks == ()
        (remark,) = session.run("[O]", **HF).remarks
        assert remark.startswith("3D structure: a single atom at the origin; O has the ground")
        assert "multiplicity 3 taken, 1 may be asked for" in remark
        (_, remark) = session.run("[O]", charge=1, **HF).remarks
        assert remark.startswith("multiplicity 4 taken, that of the ground state")


def test_it_works_outside_and_inside_a_running_loop(tmp_path: Path) -> None:
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        first = session.run("[He]", **HF)

        async def notebook() -> grafico.Result:
            return session.run("[He]", **HF)

        second = asyncio.run(notebook())
        assert (first.reused, second.reused) == (False, True)
        assert first.energy == second.energy


async def test_asynchronous_code_awaits_it() -> None:
    session = Grafico("memory:", threads_per_calculation=1)
    atoms = ConceptualAtoms(numbers=[2], positions=[[0, 0, 0]])
    one, two = await asyncio.gather(session.run_async(atoms, **HF), session.run_async(atoms, **HF))
    assert one.answers[0].recorded == two.answers[0].recorded
    assert sorted([one.reused, two.reused]) == [False, True]
    session.close()


def test_what_is_stored_can_be_used_again_by_its_iri(tmp_path: Path) -> None:
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        relaxed = session.run("[H][H]", task="optimise", **HF)
        for iri in (relaxed.atoms.iri, relaxed.answers[0].recorded, relaxed.run):
            again = session.run(iri, task="optimise", **HF)
            assert again.reused
            assert again.atoms == relaxed.atoms
        with pytest.raises(NotFoundError, match="LevelOfTheory"):
            session.run(relaxed.level.iri, **HF)
        cation = session.run(relaxed.atoms.iri, charge=1, **HF)
        assert (cation.atoms.charge, cation.atoms.multiplicity) == (1, 2)
        assert isinstance(cation.level, LevelOfTheory)
        assert cation.level.reference == "unrestricted"


def test_bad_requests_are_told_before_anything_runs(tmp_path: Path) -> None:
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        with pytest.raises(InputError, match="task"):
            session.run("[He]", task="dance")
        with pytest.raises(InputError, match="colour"):
            session.run("[He]", colour="blue")
        assert session.runs() == []
    with pytest.raises(InputError, match="store"):
        Grafico("")


def test_closing_during_a_run_ends_the_run(tmp_path: Path) -> None:
    session = Grafico(tmp_path / "store", threads_per_calculation=1)
    started = threading.Event()
    ended: list[BaseException] = []

    def work() -> None:
        try:
            session.run("c1ccccc1", method="B3LYP", basis="def2-SVP")
        except BaseException as error:
            ended.append(error)

    session._listener = lambda event: started.set() if event.kind == "frame" else None
    thread = threading.Thread(target=work)
    thread.start()
    assert started.wait(60)
    session.close()
    thread.join(20)
    assert not thread.is_alive()
    assert len(ended) == 1


def test_a_program_that_forgets_to_close_ends_and_leaves_nothing_running(tmp_path: Path) -> None:
    code = (
        "from grafico import Grafico\n"
        f"session = Grafico({str(tmp_path / 'store')!r}, threads_per_calculation=1)\n"
        "print(session.run('[He]', method='HF', basis='STO-3G').energy)\n"
        "print([*session.executor._pool._servers.values()][0]._process.pid)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    energy, worker = done.stdout.split()
    assert float(energy) == pytest.approx(-2.807784, abs=1e-6)
    assert done.returncode == 0
    end = time.monotonic() + 10
    while runs(int(worker)):
        assert time.monotonic() < end, "its worker still runs"
        time.sleep(0.05)


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_numbers_are_there_by_name_and_unit_and_a_guess_is_told_which() -> None:
    with Grafico(store="memory:") as session:
        result = session.run("O", method="GFN2-xTB")
        dipole = float((result.last.dipole**2).sum() ** 0.5)  # type: ignore[attr-defined]
        assert result.values["dipole_D"] == pytest.approx(dipole)
        assert result.values["energy_Eh"] == result.energy
        held: Any = result
        assert held.dipole.tolist() == held.last.dipole.tolist()  # the vector; its length above
        with pytest.raises(AttributeError, match=r"\.values\['gap_Eh'\] is 0\.5"):
            held.gap  # noqa: B018
        with pytest.raises(AttributeError, match=r"in \.values: energy_Eh, dipole_D"):
            getattr(result, "flimflam")  # noqa: B009
        assert not hasattr(result, "_ipython_display_")
