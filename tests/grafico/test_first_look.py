"""What a person who looks for something is told first."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest
from click.testing import CliRunner

from grafico import Grafico
from grafico.cli.app import main
from grafico.session.query_table import QueryTable


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    with Grafico("memory:", threads_per_calculation=1) as opened:
        opened.run("hydrogen fluoride", method="HF", basis="STO-3G")
        yield opened


def test_the_help_of_find_is_short_and_begins_with_what_is_usual() -> None:
    text = CliRunner().invoke(main, ["find", "--help"]).stdout
    before, _, options = text.partition("Options:")
    assert len(before.splitlines()) < 16
    assert "PORMAKE" not in text
    found = [word for word in options.split() if word.startswith("--")]
    assert found[:6] == ["--property", "--above", "--below", "--sort", "--largest", "--all"]


def test_pandas_takes_the_answer_of_a_query_as_numbers(session: Grafico) -> None:
    asked = "SELECT ?energy ?dipole { ?one a g:SinglePoint ; g:energy ?energy ; g:dipole ?dipole }"
    found = session.query(asked)
    assert isinstance(found, QueryTable)
    for frame in (found.frame(), pd.DataFrame(found)):  # pyright: ignore
        [row] = frame.to_dict("records")
        assert -99 < row["energy"] < -98  # total energy of HF in HF/STO-3G, Eh
        assert len(row["dipole"]) == 3
        assert all(isinstance(one, float) for one in row["dipole"])
    none = session.query("SELECT ?one { ?one a g:NoSuchClass }")
    assert none
    assert isinstance(none, QueryTable)
    assert list(none.frame().columns) == ["one"]


def test_a_method_that_there_is_not_leads_to_one_that_there_is(session: Grafico) -> None:
    with pytest.raises(AttributeError, match=r"near it are: .*spin_states"):
        _ = session.spin_stat
    with pytest.raises(AttributeError, match=r"it has run, .*find"):
        _ = session.xyzzyplugh
