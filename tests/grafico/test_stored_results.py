"""What was computed earlier or elsewhere, as Python is handed it: numbers, tables, geometry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from triplestore.errors import InputError, NotFoundError

OUTPUT = Path(__file__).parents[1] / "outputs" / "data" / "psi4_mp2.out"


def test_a_stored_run_has_what_the_run_had(session: Grafico) -> None:
    made: Any = session.run("O", "GFN2-xTB", "frequencies")
    stored: Any = session.result(made)
    assert stored.values == made.values
    assert stored.energy == made.energy
    assert stored.wavenumbers.tolist() == made.wavenumbers.tolist()
    assert stored.atoms == made.atoms
    assert stored.status == "finished"
    assert "Gibbs energy" in repr(stored)
    assert stored.frame("charges").equals(made.frame("charges"))
    assert session.result(made.run).run == session.result("last").run == made.run
    after = session.run(stored, "GFN1-xTB")
    assert after.atoms.positions == pytest.approx(made.atoms.positions)


def test_a_stored_batch_has_its_rows(session: Grafico) -> None:
    batch = session.batch(["[He]", "[Ne]"], method="HF", basis="STO-3G").result()
    assert session.result(batch).frame()["name"].tolist() == ["[He]", "[Ne]"]


def test_what_is_called_nothing_is_refused(session: Grafico) -> None:
    for nothing in ("#99999", "no such tag"):
        with pytest.raises(NotFoundError):
            session.result(nothing)


def test_outputs_of_other_programs_are_read(session: Grafico) -> None:
    one: Any = session.read(OUTPUT)
    assert one.energy is not None
    assert one.energy == one.values["energy_Eh"]
    assert len(one.positions) == len(one.symbols)
    assert "another program" in repr(one)
    again: Any = session.read(str(OUTPUT))
    assert again.run == one.run
    each = session.read(OUTPUT, OUTPUT.with_name("psi4_cation.out"))
    assert isinstance(each, list)
    assert len(each) == 2


def test_what_is_no_output_is_refused(session: Grafico, tmp_path: Path) -> None:
    (tmp_path / "a.out").write_text("nothing")
    with pytest.raises(InputError, match="no banner of these stands in it"):
        session.read(tmp_path / "a.out")
    with pytest.raises(InputError, match="no such file"):
        session.read(tmp_path / "b.out")


def test_runs_about_something(session: Grafico) -> None:
    session.run("[Ar]", "HF/STO-3G")
    assert {line.subject for line in session.runs("[Ar]")} == {"[Ar]"}
    none = session.runs("krypton")
    assert repr(none) == "Runs: none"
