"""What code derives can be kept, with the code, and is found in later conversations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.agent import Agent, ToolContext
from ontologies import Derivation, DerivedQuantity, SinglePoint

from .helpers import HF, scripted, used

pytestmark = pytest.mark.xdist_group("sandbox")

CODE = """
point = g.value({iri!r})
g.keep("Electron affinity", -point.lumo, "Eh", of=point)
g.keep("ratio", 2 * point.energy / point.lumo)
print(f"{{-point.lumo:.5f}} Eh")
"""


@pytest.fixture
def own(confined: None) -> Iterator[Grafico]:
    with Grafico("memory:", threads_per_calculation=1) as session:
        yield session


def test_derived_numbers_are_kept_with_code_and_inputs_and_found_later(own: Grafico) -> None:
    def derive(came: list[Any]) -> list[tuple[str, dict[str, Any]]]:
        iri = came[0]["molecules"][0]["results"]["SinglePoint"]
        return [("run_python", {"code": CODE.format(iri=iri)})]

    def say(came: list[Any]) -> str:
        assert [one["name"] for one in came[0]["kept"]] == ["Electron affinity", "ratio"]
        return f"The affinity is {came[0]['kept'][0]['value']:.5f} Eh."

    steps = [("calculate", {"molecules": ["water"], **HF})]
    with Agent(scripted(steps, derive, say), session=own) as agent:
        reply = agent.ask("affinity?")
    [point] = own.kg.find(SinglePoint)
    [quantity] = own.kg.find(DerivedQuantity, name="Electron affinity")
    assert point.lumo is not None
    assert quantity.value == -point.lumo  # by IRI: not a digit was retyped
    assert (quantity.unit, [one.iri for one in quantity.of]) == ("Eh", [point.iri])
    made = own.kg.pull(Derivation, quantity.derivation.iri)
    assert point.iri in {one.iri for one in made.used}
    assert made.code == CODE.format(iri="g:" + point.iri.removeprefix("https://w3id.org/grafico/"))
    assert reply.unsourced == []
    # another conversation: through the graph
    with Agent(
        scripted(
            [("find_results", {"property": "electron_affinity", "molecule": "water"})],
            lambda came: str(came[0]["rows"]),
        ),
        session=own,
    ) as agent:
        told = agent.ask("which affinities did I have?").text
    assert f"{quantity.value!r} Eh"[:8] in told
    assert "H2O" in told
    assert "HF/STO-3G" in told


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("g.keep('x', float('nan'))", "it is nan"),
        ("g.keep('', 1.0)", "1 to 60 characters"),
        ("g.keep('x' * 61, 1.0)", "1 to 60 characters"),
        ("g.keep('x', 1.0, of='g:id/SinglePoint/none')", "NotFoundError"),
        ("g.keep('x', 'much')", "ValueError"),
        ("g.keep('x\\x1b[2J', 1.0)", "commands to a terminal"),
        ("for n in range(201): g.keep(f'x{n}', n)", "200 numbers"),
        ("g.keep('x', 1.0); 1 / 0", "ZeroDivisionError"),
    ],
)
def test_what_goes_wrong_keeps_nothing(own: Grafico, tmp_path: Path, code: str, said: str) -> None:
    context = ToolContext(own, tmp_path / "context")
    try:
        found = used(context, "run_python", code=code)
    finally:
        context.close()
    assert said in found["error"]["found"]
    assert "kept" not in found
    assert own.kg.find(DerivedQuantity) == []
    assert own.kg.find(Derivation) == []


def test_a_number_that_the_model_typed_is_not_kept(own: Grafico) -> None:
    code = {"code": "x = -4.756; g.keep('pKa', -x); g.keep('two', 4.756 * 2)"}

    def say(came: list[Any]) -> str:
        assert "kept" not in came[0]
        assert "pKa, two: not kept" in came[0]["refused"][0]
        return "The pKa is 4.756."

    with Agent(scripted([("run_python", code)], say), session=own) as agent:
        assert [one.text for one in agent.ask("pKa?").unsourced] == ["4.756"]
        find = [("find_results", {"property": "pKa"})]
        reply = agent.ask("again?", model=scripted(find, "It was 4.756."))
    assert [one.text for one in reply.unsourced] == ["4.756"]


def test_a_unit_stays_with_its_number(own: Grafico) -> None:
    own.run("[He]", **HF)
    [point] = own.kg.find(SinglePoint)
    code = {"code": f"g.keep('strain', -g.value({point.iri!r}).energy * 2625.5, 'kJ/mol')"}
    with Agent(scripted([("run_python", code)], "kept"), session=own) as agent:
        agent.ask("strain?")
        [quantity] = own.kg.find(DerivedQuantity)
        read = [("get", {"iri": quantity.iri})]
        wrong = agent.ask("and?", model=scripted(read, f"It is {quantity.value:.1f} kcal/mol."))
        right = agent.ask("and?", model=scripted(read, f"It is {quantity.value:.1f} kJ/mol."))
    assert len(wrong.unsourced) == 1
    assert right.unsourced == []
    # what it rests on stays with it
    assert [one.rests_on for one in right.numbers] == [("2625.5",)]
    assert own.kg.pull(Derivation, quantity.derivation.iri).constants == {"2625.5"}


@pytest.mark.parametrize("name", ["pKa (water)", "ΔG of binding", "13C shift", "x_1-2"])
def test_any_name_is_found_again_and_queries_are_inputs(
    own: Grafico, tmp_path: Path, name: str
) -> None:
    context = ToolContext(own, tmp_path / "context")
    try:
        used(context, "calculate", molecules=["[He]"], **HF)
        code = "t = g.query('SELECT ?r ?e { ?r g:energy ?e }')\n"
        used(context, "run_python", code=f"{code}g.keep({name!r}, 2 * t.e[0], 'Eh')")
        found = used(context, "find_results", property=name)
    finally:
        context.close()
    [row] = found["rows"]
    assert row[4].endswith(" Eh")
    [made] = own.kg.find(Derivation)
    assert {link.iri for link in made.used} == {own.kg.find(SinglePoint)[0].iri}
