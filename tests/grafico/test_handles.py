"""What Python is handed is typed, and stands for its run wherever a run is named."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_type

import pytest
from ase.build import molecule as ase_molecule

from grafico import Grafico, Result
from grafico.session.handles import iri_of, name_of
from grafico.session.stub import STUB, stub
from triplestore.errors import InputError
from workflows.dft.result import SpinStates
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import Finished
from workflows.registry import workflows
from workflows.show.displayed_run import DisplayedRun

if TYPE_CHECKING:
    pass

XTB: dict[str, Any] = {"method": "GFN2-xTB", "task": "energy"}


def typed(session: Grafico) -> None:
    """Say what type checkers see; it is never called."""
    assert_type(session.run("water", method="HF"), Result)
    assert_type(session.run(["water", "N"], method="HF"), list[Result])
    assert_type(session.spin_states("O2", method="HF"), SpinStates)
    assert_type(session.pka(["O=CO"]), list[Finished])


async def typed_later(session: Grafico) -> None:
    """Say the same of what is awaited."""
    assert_type(await session.run_async("water", method="HF"), Result)
    assert_type(await session.spin_states_async("O2", method="HF"), SpinStates)


def test_what_type_checkers_see_is_what_is_installed() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "run: python -m grafico.session.stub"


def test_a_result_stands_for_its_run(tmp_path: Path) -> None:
    with Grafico("memory:") as session:
        done = session.run("water", **XTB)
        assert iri_of(done) == name_of(done) == done.run
        assert iri_of(done.last) == done.last.iri
        [answer] = done.answers
        assert iri_of(answer) == name_of(answer) == answer.recorded
        assert session.report(answer) == session.report(done)
        with pytest.raises(InputError, match="that is a ConceptualAtoms"):
            session.report(done.atoms)
        assert done.run.rpartition("/")[2] in session.report(done)
        again = session.resume(done)
        assert isinstance(again, DisplayedRun)
        made = session.export(tmp_path / "water.zip", done, done.atoms)
        assert made.objects > 3
        with pytest.raises(InputError, match="zip"):
            session.export(tmp_path / "water.tar", done)


def test_a_request_is_run_as_it_was_read() -> None:
    with Grafico("memory:") as session:
        one = session.run("water", **XTB)
        request = session.request("water", **XTB)
        same = session.run(Request.read(request.as_json()))
        assert isinstance(same, Result)
        assert (same.energy, same.reused) == (one.energy, True)


def test_each_of_a_list_is_run() -> None:
    atoms = ase_molecule("NH3")
    with Grafico("memory:") as session:
        water, ammonia = session.run(["water", atoms], **XTB)
        (alone,) = session.run([atoms], **XTB)
        assert [one.atoms.formula for one in (water, ammonia, alone)] == ["H2O", "H3N", "H3N"]
        assert alone.energy == ammonia.energy
        with pytest.raises(InputError, match="one at a time"):
            session.wait_for(lambda: session.prepare_async(["water", atoms], **XTB))


def test_verbs_are_completed() -> None:
    with Grafico("memory:") as session:
        names = dir(session)
        assert {"spin_states", "mof_build", "pka_async", "convert", "run", "report"} <= {*names}
        assert workflows().verb("spin_states") is not None


@pytest.mark.parametrize("wrong", [42, None, ["last"], {"run": "last"}])
def test_what_is_no_run_is_named(wrong: Any) -> None:
    with pytest.raises(InputError, match=f"of the type {type(wrong).__name__}"):
        iri_of(wrong)
    with pytest.raises(InputError, match="is neither"):
        name_of(wrong)
