"""Published syntheses with planted faults are repaired, permitted and simulated; others refused."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ogm import KnowledgeGraph
from ontologies.liquids import PreparedSamples
from ontologies.operations import Operation, OperationEnd
from ontologies.permits import MakingPermission
from ontologies.provenance import Run
from ontologies.syntheses import SimulatedSynthesis
from tests.agreeing import agreeing
from tests.typed import typed
from triplestore import open_store
from triplestore.errors import ConsentError, GraficoError, InputError
from workflows.engine import Executor
from workflows.engine.devices.clock import ManualClock
from workflows.engine.devices.walk import walk
from workflows.registry import Action, workflows
from workflows.robot.actions import KINDS, Add, Collect, Procedure, Reflux, SetTemperature, Stir
from workflows.robot.chemistry import amounts, counted_again, resolved
from workflows.robot.request import VerifiedSynthesis, procedure_of, verify
from workflows.robot.running import commands, doses, simulated, whole
from workflows.robot.verifying import CARD, verified
from workflows.trust.caller import Caller, ConsentQuestion, asked_by

EXAMPLES = Path(__file__).parents[2] / "examples"
DEET, THIOUREA = EXAMPLES / "deet.yaml", EXAMPLES / "thiourea.yaml"

FROM_ACID: dict[str, Any] = {
    "name": "DEET from m-toluic acid",
    "product": "DEET",
    "reactants": {"m-toluic acid": 1, "diethylamine": 1},
    "flask": "100 mL",
    "chemicals": {"thionyl chloride": {"density": "1.64 g/mL"}},
    "steps": [
        {"do": "add", "chemical": "m-toluic acid", "amount": "1.3615 g"},
        {"do": "add", "chemical": "thionyl chloride", "amount": "3 eq"},
        {"do": "reflux", "time": "1 h"},
        {"do": "concentrate"},
        {"do": "add", "chemical": "dichloromethane", "amount": "30 mL"},
        {"do": "add", "chemical": "diethylamine", "amount": "3 eq", "over": "20 min"},
        {"do": "stir", "time": "30 min"},
        {"do": "wash", "chemical": "water", "amount": "20 mL"},
        {"do": "dry", "chemical": "sodium sulfate", "amount": "2 g"},
    ],
}

PLAIN: dict[str, Any] = {
    "name": "an amide",
    "product": "N-benzylacetamide",
    "reactants": ["benzylamine", "acetic acid"],
    "flask": "50 mL",
    "steps": [
        {"do": "add", "chemical": "toluene", "amount": "20 mL"},
        {"do": "add", "chemical": "benzylamine", "amount": "5 mmol"},
        {"do": "add", "chemical": "acetic acid", "amount": "5.5 mmol"},
        {"do": "stir", "time": "1 h"},
    ],
}


def plain(*steps: dict[str, Any], **said: Any) -> dict[str, Any]:
    """An amide in toluene, with more steps."""
    return {**PLAIN, "steps": [*PLAIN["steps"], *steps], **said}


def step(do: str, chemical: str = "", amount: str = "", **said: Any) -> dict[str, Any]:
    found = {"do": do, "chemical": chemical, "amount": amount, **said}
    return {name: one for name, one in found.items() if one}


@pytest.fixture
def executor() -> Iterator[Executor]:
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        yield executor
        executor.close()


async def of(executor: Executor, given: Any) -> VerifiedSynthesis:
    return await verify(executor, procedure_of(given))


async def run(
    executor: Executor, found: VerifiedSynthesis, clock: Any = None
) -> SimulatedSynthesis:
    clock = clock or ManualClock()
    return await simulated(found.plan, found.wanted, found.together, executor, clock)


# --- the published cases --------------------------------------------------------------------------


async def test_deet_is_repaired_permitted_and_simulated(executor: Executor) -> None:
    found = await of(executor, DEET)
    told = "\n".join(found.plan.repairs)
    assert "not enough solvent to stir: 5 mL to 17 mL of dichloromethane" in told
    assert "purify by chromatography is concentrate" in told
    assert any("chromatography afterwards" in one for one in found.plan.by_person)
    assert found.theory.startswith("N,N-diethyl-3-methylbenzamide: at most 1.913 g, 10 mmol")
    told_robot = {name: value for name, _, value in doses(found.orders)}
    assert told_robot["diethylamine"] == pytest.approx(25 * 73.14 / 707.8, rel=1e-3)
    assert told_robot["m-toluoyl chloride"] == pytest.approx(10 * 154.59 / 1170, rel=1e-3)
    with agreeing():
        made = await run(executor, found)
    assert made.operations == len(found.orders)
    ends = executor.kg.find(OperationEnd)
    assert {one.outcome for one in ends} == {"done"}
    sent = executor.kg.find(Operation)
    assert len(sent) == len(found.orders)
    assert all(one.simulated for one in sent)
    assert executor.kg.find(PreparedSamples) == []


async def test_schreiners_thiourea_is_repaired_permitted_and_simulated(executor: Executor) -> None:
    found = await of(executor, THIOUREA)
    told = "\n".join(found.plan.repairs)
    assert "sonicate is stir for 10 min" in told
    assert re.search(r"not enough solvent to stir: 1 mL to \d+ mL of THF", told)
    reflux = next(one for one in found.plan.steps if isinstance(one, Reflux))
    assert reflux.temperature is not None
    assert reflux.temperature.value == pytest.approx(66, abs=1)  # CRC Handbook
    assert "2.502 g, 5 mmol" in found.theory  # C17H8F12N2S, 500.30 g/mol
    with agreeing():
        made = await run(executor, found)
    assert any(one.startswith("recrystallize (chemical chloroform") for one in made.steps_done)


async def test_deet_from_the_acid_gets_rid_of_thionyl_chloride_before_water(
    executor: Executor,
) -> None:
    found = await of(executor, FROM_ACID)
    assert found.plan.steps[0].do == "atmosphere"
    reflux = next(one for one in found.plan.steps if isinstance(one, Reflux))
    assert reflux.temperature is not None
    assert reflux.temperature.value == pytest.approx(76, abs=2)
    with agreeing():
        await run(executor, found)
    steps = [one for one in FROM_ACID["steps"] if one["do"] != "concentrate"]
    with pytest.raises(InputError, match="would meet"):
        await of(executor, {**FROM_ACID, "steps": steps})


@pytest.mark.parametrize("given", [DEET, THIOUREA, FROM_ACID, PLAIN], ids=["1", "2", "3", "4"])
async def test_what_was_repaired_needs_no_repair(executor: Executor, given: Any) -> None:
    plan = (await of(executor, given)).plan
    again = verified(plan.materials, tuple(plan.steps))
    assert again.steps == plan.steps
    kept = [one for one in again.repairs if not one.startswith("a flask of")]
    assert kept == []


# --- a person's word ------------------------------------------------------------------------------


async def test_nobody_is_asked_twice_by_one_yes_and_nothing_runs_without(
    executor: Executor,
) -> None:
    found = await of(executor, DEET)
    with pytest.raises(ConsentError):
        await run(executor, found)
    assert executor.kg.find(Operation) == []
    shown = list[ConsentQuestion]()

    async def look(question: ConsentQuestion) -> bool:
        shown.append(question)
        return True

    with asked_by(Caller(is_person=True, ask=look, door="a test")):
        await run(executor, found)
        await run(executor, found)
    assert len(shown) == 2
    text = str(shown[0])
    assert "5 mL to 17 mL" in text
    assert "listed: " in text
    assert "together: " in text
    permissions = executor.kg.find(MakingPermission)
    made = executor.kg.find(SimulatedSynthesis)
    assert {one.permission.iri for one in made} == {one.iri for one in permissions}


async def test_another_amount_is_another_plan(executor: Executor) -> None:
    text = DEET.read_text(encoding="utf-8")
    one = (await of(executor, text)).wanted
    other = (await of(executor, text.replace("2.5 eq", "2.6 eq"))).wanted
    assert one.iri == (await of(executor, text)).wanted.iri
    assert one.iri != other.iri
    assert one.done_by == "flask robot (simulated)"


async def test_cut_off_it_is_no_result_and_the_next_begins_with_an_empty_flask(
    executor: Executor,
) -> None:
    class Cut(ManualClock):
        async def wait_until(self, moment: datetime) -> None:
            raise asyncio.CancelledError

    found = await of(executor, DEET)
    with agreeing():
        with pytest.raises(asyncio.CancelledError):
            await run(executor, found, Cut())
        assert executor.kg.find(SimulatedSynthesis) == []
        made = await run(executor, found)
    assert made.operations == len(found.orders)
    runs = executor.kg.find(Run)
    assert any(one.iri == made.run.iri for one in runs)


# --- verifiers ------------------------------------------------------------------------------------


async def test_it_ends_cold_with_the_product_and_is_stirred_while_it_is_hot(
    executor: Executor,
) -> None:
    steps = [*PLAIN["steps"][:3], step("set_temperature", to="60 °C"), step("wait", time="1 h")]
    plan = (await of(executor, {**PLAIN, "steps": steps})).plan
    assert [one.do for one in plan.steps[3:]] == [
        *("stir", "set_temperature", "wait", "set_temperature", "stir", "collect")
    ]
    assert isinstance(plan.steps[3], Stir)
    assert isinstance(plan.steps[-1], Collect)


async def test_above_the_boiling_point_there_is_a_condenser(executor: Executor) -> None:
    text = json.dumps(plain(step("set_temperature", to="60 °C"), step("stir", time="1 h")))
    found = await of(executor, json.loads(text.replace("toluene", "dichloromethane")))
    hot = [one for one in found.plan.steps if isinstance(one, SetTemperature) and one.condenser]
    assert [one.to.value for one in hot] == [pytest.approx(40, abs=0.5)]
    assert [one.with_fields for one in found.orders].count("fit_condenser (on true)") == 1


async def test_what_boils_is_not_added_to_what_is_hot(executor: Executor) -> None:
    hot = step("set_temperature", to="80 °C")
    steps = [*PLAIN["steps"][:3], hot, step("stir", time="1 h")]
    steps += [step("add", "diethyl ether", "5 mL"), step("stir", time="5 min")]
    plan = (await of(executor, {**PLAIN, "steps": steps})).plan
    place = next(
        n for n, x in enumerate(plan.steps) if getattr(x, "chemical", "") == "diethyl ether"
    )
    before = plan.steps[place - 1]
    assert isinstance(before, SetTemperature)
    assert before.to.value <= 20
    assert any("for diethyl ether, which boils at" in one for one in plan.repairs)


async def test_a_larger_flask_is_taken_and_there_is_a_largest(executor: Executor) -> None:
    steps = [{**PLAIN["steps"][0], "amount": "60 mL"}, *PLAIN["steps"][1:]]
    found = await of(executor, {**PLAIN, "steps": steps})
    assert found.plan.flask == 100
    assert any("a flask of 100 mL in place of 50 mL" in one for one in found.plan.repairs)
    steps[0] = {**steps[0], "amount": "700 mL"}
    with pytest.raises(InputError, match="largest flask, 500 mL"):
        await of(executor, {**PLAIN, "steps": steps})


async def test_a_flask_that_the_robot_has_not_is_replaced(executor: Executor) -> None:
    steps = [{**PLAIN["steps"][0], "amount": "60 mL"}, *PLAIN["steps"][1:]]
    assert (await of(executor, {**PLAIN, "steps": steps, "flask": "1 L"})).plan.flask == 500
    assert (await of(executor, {**PLAIN, "flask": "40 mL"})).plan.flask == 50


async def test_whatever_is_asked_is_verified_for_good_or_refused(executor: Executor) -> None:
    """Steps put in anywhere: what passes was tried on the card, and needs no repair again."""
    chance, passed, refused = random.Random(7), 0, 0
    names = ("water", "pentane", "sulfuric acid", "sodium hydride", "methanol", "acetic anhydride")
    every = [
        *(step(do, name, "5 mL") for do in ("add", "quench", "extract", "wash") for name in names),
        *(step("add", name, "2 mmol", over="10 min") for name in names),
        *(step("set_temperature", to=f"{to} °C") for to in (-20, 0, 60, 110)),
        *(step("reflux", time="1 h"), step("stir", rate="0 rpm"), step("wait", time="5 min")),
        *(step("degas"), step("dry", "magnesium sulfate", "1 g"), step("filter", keep="solid")),
        *(step("concentrate"), step("purify", method="chromatography"), step("collect")),
    ]
    for _ in range(60):
        steps = list(PLAIN["steps"])
        for _ in range(chance.randint(1, 4)):
            steps.insert(chance.randint(0, len(steps)), chance.choice(every))
        try:
            plan = (await of(executor, {**PLAIN, "steps": steps})).plan
        except InputError:
            refused += 1
            continue
        passed += 1
        again = verified(plan.materials, tuple(plan.steps))
        assert again.steps == plan.steps, steps
    assert min(passed, refused) > 10


async def test_acid_goes_into_water(executor: Executor) -> None:
    both = [step("add", "sulfuric acid", "1 mL"), step("add", "water", "10 mL")]
    plan = (await of(executor, {**PLAIN, "steps": [*both, *PLAIN["steps"]]})).plan
    names = [one.chemical for one in plan.steps if isinstance(one, Add)]
    assert names[:2] == ["water", "sulfuric acid"]
    steps = [both[0], *PLAIN["steps"], step("quench", "water", "10 mL")]
    with pytest.raises(InputError, match="boils and spits"):
        await of(executor, {**PLAIN, "steps": steps})


async def test_quenching_comes_before_work_up(executor: Executor) -> None:
    given = plain(step("extract", "diethyl ether", "10 mL"), step("quench", "water", "10 mL"))
    plan = (await of(executor, given)).plan
    kinds = [one.do for one in plan.steps]
    assert kinds.index("quench") < kinds.index("extract")


async def test_two_ways_of_counting_agree_and_a_wrong_dose_does_not_pass(
    executor: Executor,
) -> None:
    found = await of(executor, DEET)
    told = doses(found.orders)
    counted_again(found.plan.materials, told)
    less = [(n, u, x * (0.99 if n == "m-toluoyl chloride" else 1)) for n, u, x in told]
    with pytest.raises(InputError, match="runs out sooner"):
        counted_again(found.plan.materials, less)


def test_the_card_contradicts_itself_nowhere() -> None:
    shown = walk(CARD)
    assert shown.wrong == {}
    assert shown.never == []


async def test_the_card_refuses_what_no_verifier_has_seen(executor: Executor) -> None:
    """The robot's own rules are another reading of the same: without repairs they stop it."""
    given = procedure_of(DEET)
    plan = (await of(executor, DEET)).plan
    plan.steps = [one for one in plan.steps if not isinstance(one, Stir) or one.time]
    with pytest.raises(InputError, match="not stirred"):
        await whole(plan)
    assert commands(plan)
    assert amounts(resolved(given))


# --- refusals -------------------------------------------------------------------------------------

NAH = plain(step("quench", "water", "5 mL"))
NAH["steps"] = [step("add", "sodium hydride", "6 mmol"), *NAH["steps"]]
LISTED = {**PLAIN, "product": "2,4,6-trinitrotoluene", "reactants": ["toluene", "nitric acid"]}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "water onto sodium hydride": (NAH, "water .* would meet"),
    "no robot has it": (plain(step("microwave", time="5 min")), "cannot microwave; it has add"),
    "purify without a method": (plain({"do": "purify"}), "without a method is not valid"),
    "purify by magic": (plain({"do": "purify", "method": "magic"}), "by magic is not valid"),
    "unknown": (plain(step("add", "unobtainium oxide", "1 mL")), "structure is not known"),
    "negative": (plain(step("add", "toluene", "-5 mL")), "is negative"),
    "no unit": (plain(step("add", "toluene", "5")), "has no unit"),
    "nought": (plain(step("add", "toluene", "0 mL")), "more than zero"),
    "too hot": (plain(step("set_temperature", to="400 °C")), "outside of what the robot"),
    "two temperatures": (
        plain(step("set_temperature", to="80 °C"), step("set_temperature", to="0 °C")),
        "at once",
    ),
    "after the end": (plain(step("collect"), step("stir", time="1 h")), "end with collect"),
    "reactant late": (
        plain(step("wash", "water", "5 mL"), step("add", "benzylamine", "5 mmol")),
        "after the work-up",
    ),
    "two amounts": (
        plain(step("add", "triethylamine", "5 mmol", equivalents=3)),
        "equivalents, and it says 3",
    ),
    "a gas": (
        plain(step("set_temperature", to="60 °C"), step("add", "hydrochloric acid", "5 mL")),
        "is no liquid here",
    ),
    "a reactant is missing": ({**PLAIN, "steps": PLAIN["steps"][:2]}, "nothing adds the reactant"),
    "no solvent": ({**PLAIN, "steps": PLAIN["steps"][1:]}, "add a solvent"),
    "no reaction": ({**PLAIN, "steps": PLAIN["steps"][:3]}, "lets the reactants react"),
    "more than there is": ({**PLAIN, "product": "naphthalen-1-ylmethanesulfonamide"}, "more than"),
    "a long name": (plain(step("add", "x" * 1_000_000, "1 mL")), "at most"),
    "no action": ({**PLAIN, "steps": [{"chemical": "toluene"}]}, "what to `do`"),
    "a field": (plain(step("stir", speed="5 rpm")), "speed"),
    "endless": (plain(step("stir", time="1e400 h")), "no number|large"),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_it_is_refused_with_why_and_what_to_do(executor: Executor, name: str) -> None:
    given, why = REFUSED[name]
    with pytest.raises(InputError, match=why) as refused:
        await of(executor, given)
    assert len(str(refused.value)) < 2000
    assert refused.value.advice
    assert executor.kg.find(Run) == []


async def test_what_is_listed_is_refused_before_anything_is_verified(executor: Executor) -> None:
    steps = [step("add", "nitric acid", "5 mmol"), step("add", "toluene", "5 mmol")]
    with pytest.raises(GraficoError, match="explosive"):
        await of(
            executor, {**LISTED, "reactants": {"toluene": 1, "nitric acid": 3}, "steps": steps}
        )


@pytest.mark.parametrize("text", ["x" * 1_000_000, "a: [" * 50, "- 1\n- 2", "name: *a\n", "\0\n"])
async def test_hostile_texts_are_refused(executor: Executor, text: str) -> None:
    with pytest.raises(GraficoError):
        await of(executor, text)


def test_every_action_is_read_by_its_name() -> None:
    assert {
        "add",
        "stir",
        "wait",
        "reflux",
        "degas",
        "atmosphere",
        "quench",
        "extract",
    } < KINDS.keys()
    assert {"wash", "dry", "filter", "concentrate", "purify", "collect"} < KINDS.keys()
    again = Procedure.model_validate(procedure_of(DEET).model_dump(mode="json", exclude_none=True))
    assert again == procedure_of(DEET)


# --- doors ----------------------------------------------------------------------------------------


def test_the_command_line_tells_repairs_and_simulates_by_a_yes() -> None:
    came = typed("procedure", str(DEET))
    assert "repaired: not enough solvent to stir" in came.output
    facts = json.loads(typed("procedure", str(DEET), "--json").stdout)
    assert facts["flask_mL"] == 100
    assert facts["commands"][0] == "take_flask (flask 100 mL)"
    waits = typed("procedure", str(THIOUREA), "--simulate", status=1)
    assert "grafico approve" in waits.output
    with agreeing():
        done = typed("procedure", str(THIOUREA), "--simulate", "--json")
    assert json.loads(done.stdout)["simulated"]["operations"] > 10


def test_python_takes_a_mapping_and_a_model_is_not_told() -> None:
    with Grafico("memory:") as session:
        found = session.procedure(PLAIN)
        assert isinstance(found, VerifiedSynthesis)
        assert found.plan.steps[-1].do == "collect"
    verb = workflows().verb("procedure")
    assert isinstance(verb, Action)
    assert verb.personal
