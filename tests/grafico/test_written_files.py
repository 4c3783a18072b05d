"""Files that Python is asked for, and results as subjects of what is asked next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ase.io import read

from grafico import Grafico, Result
from triplestore.errors import InputError


@pytest.fixture(scope="module")
def relaxed(session: Grafico) -> Result:
    return session.run("O", "GFN2-xTB", "optimise")


def test_a_result_is_the_subject_of_what_is_asked_next(session: Grafico, relaxed: Result) -> None:
    after = session.run(relaxed, "GFN1-xTB")
    assert after.atoms.positions == pytest.approx(relaxed.atoms.positions)
    assert session.run(relaxed.last, "GFN1-xTB").energy == after.energy
    first, second = session.run([relaxed, "[He]"], "GFN1-xTB")
    assert (first.energy, second.atoms.formula) == (after.energy, "He")
    held: Any = session
    assert held.convert(relaxed, "xyz").text.splitlines()[0] == "3"
    assert held.compare(relaxed, ["GFN1-xTB", "GFN2-xTB"]).comparison.rows[0].values[
        "energy"
    ] == pytest.approx(after.energy, abs=1e-12)


@pytest.mark.parametrize("how", ["place", "path", "name"])
def test_a_file_is_written(session: Grafico, relaxed: Result, tmp_path: Path, how: str) -> None:
    file, held = tmp_path / "water.xyz", session
    ask: Any = held.convert
    given = {"place": ((str(file),), {}), "path": ((file,), {}), "name": ((), {"output": file})}
    words, named = given[how]
    file.write_text("stands there")
    assert ask(relaxed, *words, **named).form == "xyz"
    atoms: Any = read(file)
    assert atoms.positions == pytest.approx(relaxed.atoms.positions, abs=1e-8)
    assert [one.name for one in tmp_path.iterdir()] == ["water.xyz"]


def test_pictures_and_ensembles_are_files(session: Grafico, tmp_path: Path) -> None:
    held: Any = session
    drawn = held.convert("CCO", str(tmp_path / "a.png"))
    assert (tmp_path / "a.png").read_bytes() == drawn.data
    assert "bytes of PNG" in repr(drawn)
    assert drawn._repr_mimebundle_() == {"image/png": drawn.data}
    found = session.conformers("CCCC")
    held.structures(found, str(tmp_path / "all.xyz"))
    assert len(read(tmp_path / "all.xyz", ":")) == len(found.conformers)


def test_a_report_is_a_file(session: Grafico, relaxed: Result, tmp_path: Path) -> None:
    page = session.report(relaxed, str(tmp_path / "r.html"))
    assert (tmp_path / "r.html").read_text() == page
    session.report(relaxed, output=tmp_path / "s.html")
    assert (tmp_path / "s.html").exists()
    with pytest.raises(InputError, match="choose another place"):
        session.report(relaxed, tmp_path / "nowhere" / "r.html")


def test_what_is_no_file_of_it_is_refused(
    session: Grafico, relaxed: Result, tmp_path: Path
) -> None:
    held: Any = session
    for wrong in (tmp_path / "a.foo", tmp_path / "a", tmp_path / "nowhere" / "a.xyz"):
        with pytest.raises(InputError, match="cannot write"):
            held.convert(relaxed, wrong)
    with pytest.raises(InputError, match="nothing says of what it is the value"):
        held.lookup("O", "a", "b")
    assert list(tmp_path.iterdir()) == []


def test_lists_and_objects_are_told_as_at_a_terminal(session: Grafico, relaxed: Result) -> None:
    held: Any = session
    told = repr(held.lookup("CC(=O)Oc1ccccc1C(=O)O"))
    assert "average mass    180.159 g/mol" in told
    assert "asked" in repr(session.show(relaxed.run))
    assert session.show(relaxed.run).iri in repr(session.show(relaxed.run))
