"""A verb about other verbs is declared: command and method follow, whatever it asks."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Annotated, Any

import pytest
from click.testing import CliRunner
from pydantic import Field

from grafico import Grafico
from grafico.cli.wrapping import WrapperCommand
from grafico.session.stub import stub
from workflows.engine.request.form import Form
from workflows.engine.request.wrapping import Asking, WrapperAnswer, WrapperDefinition
from workflows.registry import Wrapper, workflows
from workflows.show.blocks import Fact, Section


class ChargesForm(Form):
    """Which charges are asked for."""

    highest: Annotated[int, Field(ge=0, description="The highest charge.")] = 1


class Charges(WrapperAnswer):
    """Energies by charge, Eh."""

    def __init__(self, found: dict[int, Any]) -> None:
        self.energies = {charge: one.energy for charge, one in found.items()}
        self._first = found[0]

    @property
    def run(self) -> str:
        return self._first.run

    @property
    def status(self) -> str:
        return self._first.status

    @property
    def complete(self) -> bool:
        return True

    def as_json(self) -> dict[str, Any]:
        return {"energies": self.energies}

    def shown_sections(self) -> tuple[Section, ...]:
        facts = [Fact(f"charge {n}", energy, "Eh", "energy") for n, energy in self.energies.items()]
        return (Section("charges", tuple(facts)),)


def rounds(asking: Asking, form: ChargesForm) -> Generator[Mapping[str, Any], Any, Charges]:
    """Ask for the neutral one, then for as many charges as there are electrons."""
    found: dict[int, Any] = {}
    for charge in range(form.highest + 1):
        said = {**asking.said, "charge": charge}
        found[charge] = yield {"workflow": asking.workflow, **said}
    return Charges(found)


DEFINITION = WrapperDefinition(ChargesForm, rounds, Charges, help="From 0 upwards.")
CHARGES = Wrapper("charges", "Ask at several charges.", f"{__name__}:DEFINITION")


def test_command_and_method_follow(folder: Path, session: Grafico) -> None:
    def ask() -> Any:
        return session.ask_async(
            CHARGES, str(folder / "h2.xyz"), method="HF", basis="STO-3G", highest=1
        )

    found = session.wait_for(ask)
    assert isinstance(found, Charges)
    words = [str(folder / "h2.xyz"), "--method", "HF", "--basis", "STO-3G", "--highest", "1"]
    more = ["--store", str(folder / "store"), "-t", "1", "--quiet"]
    command = WrapperCommand(CHARGES)
    told = CliRunner().invoke(command, ["run", *words, *more, "--json"], catch_exceptions=False)
    assert told.exit_code == 0, told.output
    energies = json.loads(told.stdout)["energies"]
    assert energies == {str(n): energy for n, energy in found.energies.items()}
    assert energies["0"] < energies["1"]
    shown = CliRunner().invoke(command, [*words, *more], catch_exceptions=False)
    assert "charge 1" in shown.stdout
    helped = CliRunner().invoke(command, ["react", "--help"]).stdout
    assert "From 0 upwards." in helped
    assert "--plan " not in helped  # it is not asked at once
    assert helped.index("--highest") < helped.index("--quiet") < helped.index("--temperature")


def test_a_value_that_cannot_be_is_refused_before_anything_is_asked(session: Grafico) -> None:
    with pytest.raises(Exception, match="highest=-1"):
        session.rounds(CHARGES, highest=-1)


def test_those_that_are_installed_are_methods_with_types(session: Grafico) -> None:
    names = {one.method for one in workflows().wrappers}
    assert {"compare", "converge"} <= names
    text = stub()
    for name in names:
        assert name in dir(session)
        assert f"def {name}(self, subject: object" in text
        assert f"async def {name}_async(self" in text
    assert session.compare.__doc__ == workflows().wrappers[0].title
