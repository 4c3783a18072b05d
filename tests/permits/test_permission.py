"""A plan is done once, by a person's permission, as long as nothing changes; Schedule 1 never."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from ogm import GraphModel, KnowledgeGraph, Link
from ontologies.consent import Consent, Deed, DeedSent
from ontologies.marks import Undone, Withdrawal
from ontologies.permits import MakingPermission, MakingPlan, MaterialStatement, PlanVerdict
from ontologies.provenance import Run
from tests.agreeing import agreeing
from tests.ontologies.instances import EVERYTHING
from tests.triplestore.servers import Answerer, OddServer, reply
from triplestore import open_store
from triplestore.errors import ConsentError, InputError
from workflows.controlled import lists
from workflows.engine import Executor
from workflows.engine.graph import yeses
from workflows.engine.request.previous import read_previous
from workflows.engine.request.workflow import prepare_action
from workflows.permits import permission as permits
from workflows.permits.permission import judged, permission, permitted, use
from workflows.registry import Action, workflows
from workflows.show.object_blocks import heads
from workflows.trust.caller import NOBODY, PERSON, Caller, ConsentQuestion, asked_by

SARIN, TNT = "CC(C)OP(C)(=O)F", "Cc1c(cc(cc1[N+](=O)[O-])[N+](=O)[O-])[N+](=O)[O-]"
DEET = MakingPlan(
    title="DEET", notations=("Cc1cccc(c1)C(=O)O.CCNCC>O=S(Cl)Cl>CCN(CC)C(=O)c1cccc(C)c1",)
)
PLAIN = MakingPlan(title="aspirin", notations=("CC(=O)Oc1ccccc1C(=O)O",))
THIODIGLYCOL = MakingPlan(title="an ester", notations=("OCCSCCO",))
COLUMN = MakingPlan(title="a column", notations=("CCO",), names=("silica gel", "brine"))


@pytest.fixture
def executor() -> Iterator[Executor]:
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        yield executor
        executor.close()


async def state(executor: Executor, material: str, **said: Any) -> MaterialStatement:
    """What a person states of a material, as `grafico statement` does."""
    verb = workflows().verb("statement")
    assert isinstance(verb, Action)
    ready = await prepare_action(verb, material, said, executor)
    return (await ready.make()).value


SILICA = {
    "called": "silica gel 60",
    "cas": "7631-86-9",
    "supplier": "Merck",
    "nothing_listed": True,
}
BRINE = {
    "called": "sodium chloride in water",
    "cas": "7647-14-5",
    "supplier": "own",
    "nothing_listed": True,
}
DIGLYCOL = {"called": "2,2'-thiodiethanol", "cas": "111-48-8"}


# --- what is asked, and who answers ---------------------------------------------------------------


async def test_one_confirmation_is_for_all_that_a_plan_lists(executor: Executor) -> None:
    heard: list[ConsentQuestion] = []

    async def yes(question: ConsentQuestion) -> bool:
        heard.append(question)
        return True

    plan = MakingPlan(
        title="two", notations=("OCCN(CCO)CCO", "O=S(Cl)Cl", "CCO"), details="at 60 °C"
    )
    with asked_by(Caller(ask=yes, door="here")):
        given = await permission(executor, plan)
    [question] = heard
    assert question.effects == {"making"}
    for shown in ("3.B.14", "3.B.17", "structure: CCO", "at 60 °C", lists.DIGEST[:12]):
        assert shown in question.what
    [kept] = executor.kg.find(Consent)
    assert (given.consent.iri, given.given_by, kept.door) == (kept.iri, kept.agreed_by, "here")
    assert given.until - given.given == timedelta(hours=24)
    verdict = given.verdict.load(executor.kg)
    assert (verdict.tier, verdict.lists) == ("confirmation", lists.DIGEST)
    assert given.plan.iri == plan.iri


@pytest.mark.parametrize("caller", [PERSON, NOBODY, Caller(away=True)])
async def test_without_an_answer_nothing_is_permitted(executor: Executor, caller: Caller) -> None:
    with asked_by(caller), pytest.raises(ConsentError, match="grafico approve"):
        await permitted(executor, DEET)
    assert not executor.kg.find(MakingPermission)


async def test_runs_of_verbs_that_ask_a_person_are_asked_for_anew(executor: Executor) -> None:
    """Each says whose part it is, and nothing of it is resumed by itself."""
    with asked_by(PERSON):
        with pytest.raises(ConsentError) as plan:
            await permitted(executor, DEET)
        with pytest.raises(ConsentError) as stated:
            await state(executor, "silica gel", **SILICA)
    for caught, verb, subject in ((plan, "permit", "DEET"), (stated, "statement", "silica gel")):
        with pytest.raises(InputError, match=f"a part of what {verb} does.*{subject}"):
            read_previous(caught.value.run, executor.kg)
    owned = [graph for one in workflows().actions for graph in one.graphs]
    assert len(owned) == len(set(owned))
    assert not {*owned} & {*workflows()}


async def test_no_is_no(executor: Executor) -> None:
    async def no(_: ConsentQuestion) -> bool:
        return False

    with asked_by(Caller(ask=no)), pytest.raises(ConsentError, match="said no"):
        await permitted(executor, DEET)
    assert not executor.kg.find(MakingPermission)


async def test_deet_stops_and_goes_on_after_a_yes_that_is_given_later(executor: Executor) -> None:
    """Thionyl chloride is on Schedule 3; the yes comes from `grafico approve`."""
    with asked_by(PERSON):
        with pytest.raises(ConsentError) as caught:
            await permitted(executor, DEET)
        held = yeses.waiting(executor.kg, executor.kg.pull(Run, caught.value.run))
        assert [one.node for one in held.deeds] == ["Permit"]
        assert any("3.B.14" in check for check in held.deeds[0].checks)
        executor.kg.push(yeses.given(held.run, held.deeds, "grafico approve"))
        await permitted(executor, DEET)
        with pytest.raises(ConsentError):
            await permitted(executor, DEET)


# --- once, unchanged, in time ---------------------------------------------------------------------


async def test_a_permission_is_used_once(executor: Executor) -> None:
    with agreeing():
        given = await permission(executor, DEET)
    use(executor.kg, given, DEET)
    with pytest.raises(ConsentError, match="used already"):
        use(executor.kg, given, DEET)
    again = given.model_copy(update={"given": given.given + timedelta(seconds=1)})
    executor.kg.push(again)  # another object with the same yes
    with pytest.raises(ConsentError, match="used already"):
        use(executor.kg, again, DEET)
    with asked_by(NOBODY), pytest.raises(ConsentError, match="approve"):
        await permitted(executor, DEET)


async def test_one_that_was_given_before_is_taken(executor: Executor) -> None:
    with agreeing():
        given = await permission(executor, DEET)
    with asked_by(NOBODY):
        assert (await permitted(executor, DEET)).iri == given.iri


@pytest.mark.parametrize(
    "change",
    [
        {"title": "DEET, again"},
        {"notations": (*DEET.notations, "CCO")},
        {"names": ("ethanol",)},
        {"details": "10 g"},
        {"done_by": "another"},
    ],
)
async def test_another_plan_is_refused(executor: Executor, change: dict[str, Any]) -> None:
    with agreeing():
        given = await permission(executor, DEET)
    other = MakingPlan(**(DEET.model_dump() | change))
    with pytest.raises(ConsentError, match="another plan"):
        use(executor.kg, given, other)
    # nor where somebody writes one that says it is for that
    forged = given.model_copy(
        update={
            "plan": Link[MakingPlan](other),
            "verdict": Link[PlanVerdict](judged(executor.kg, other)),
        }
    )
    with pytest.raises(ConsentError, match="not given it"):
        use(executor.kg, forged, other)
    executor.kg.push(other, forged)
    with asked_by(NOBODY), pytest.raises(ConsentError, match="approve"):
        await permitted(executor, other)
    use(executor.kg, given, DEET)  # which is not used up by all that


async def test_it_ends(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    with agreeing():
        given = await permission(executor, DEET)
    shift = timedelta(hours=24)

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(UTC) + shift

    monkeypatch.setattr(permits, "datetime", Later)
    longer = given.model_copy(update={"until": given.until + timedelta(days=9)})
    for one in (given, longer):  # what stands in the store does not make it last
        with pytest.raises(ConsentError, match="ended after 24 h"):
            use(executor.kg, one, DEET)
    shift = timedelta(hours=23.9)
    use(executor.kg, given, DEET)


async def test_other_lists_void_it(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    from workflows.controlled import gate

    with agreeing():
        given = await permission(executor, DEET)
    now = lists.lists()
    other = lists.Lists("f" * 64, now.lists, now.substances, now.families)
    monkeypatch.setattr(gate, "lists", lambda: other)
    with pytest.raises(ConsentError, match="lists"):
        use(executor.kg, given, DEET)


async def test_a_yes_of_somebody_else_is_none(
    executor: Executor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with agreeing():
        given = await permission(executor, DEET)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))  # another person has another key
    with pytest.raises(ConsentError, match="not given it"):
        use(executor.kg, given, DEET)


RACE = """
import sys
from ogm import KnowledgeGraph
from ontologies.permits import MakingPermission
from triplestore import open_store
from triplestore.errors import ConsentError
from workflows.permits.permission import use

with open_store(sys.argv[1]) as store:
    kg = KnowledgeGraph(store)
    [given] = kg.find(MakingPermission)
    plan = given.plan.load(kg)
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        use(kg, given, plan)
        print("done")
    except ConsentError as error:
        print(error.found)
"""


async def test_of_two_processes_one_uses_it(tmp_path: Path) -> None:
    place = str(tmp_path / "store")
    with open_store(place) as store:
        executor = Executor(KnowledgeGraph(store))
        with agreeing():
            await permission(executor, DEET)
        executor.close()
    both = [
        subprocess.Popen(
            [sys.executable, "-c", RACE, place],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for one in both:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in both:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    said = sorted(one.communicate()[0].strip() for one in both)
    assert said == ["done", "it was used already"]


# --- the gate as a whole --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "plan",
    [
        MakingPlan(title="it", notations=(SARIN,)),
        MakingPlan(title="its salt", notations=("C[N+](C)(C)CCSP(C)(=O)OCC.[Br-]",)),
        MakingPlan(title="among others", notations=("CCO", f"CCO.{SARIN}>>CC")),
        MakingPlan(title="by name", names=("sarin",)),
        MakingPlan(title="without a structure", names=("ricin",)),
        MakingPlan(title="explosive", notations=(TNT,)),
        MakingPlan(title="nitroglycerin", names=("nitroglycerin",)),
        MakingPlan(title="with isotopes", notations=("[2H]C([2H])([2H])P(=O)(F)OC(C)C",)),
    ],
)
async def test_schedule_1_and_explosives_stop_whoever_asks(
    executor: Executor, plan: MakingPlan
) -> None:
    with agreeing(), pytest.raises(InputError, match="making it stops here"):
        await permitted(executor, plan)
    assert not executor.kg.find(Consent)
    assert not executor.kg.find(MakingPermission)


@pytest.mark.parametrize("material", ["sarin", SARIN, "ricin", "nitroglycerin", "107-44-8"])
async def test_no_statement_lets_it_be_made(executor: Executor, material: str) -> None:
    with agreeing(), pytest.raises(InputError, match="no statement"):
        await state(
            executor, material, called="x", cas="107-44-8", supplier="y", nothing_listed=True
        )
    assert not executor.kg.find(MaterialStatement)


async def test_a_statement_that_is_written_by_hand_lets_nothing_pass(executor: Executor) -> None:
    """Neither schedule 1, nor what needs one: the yes that it names was given to something else."""
    with agreeing():
        real = await state(executor, "brine", **BRINE)
    wanted = {
        "OCCSCCO": "structure YODZTKMDCQEPHD/0",
        SARIN: "structure DYAHQFWOVKZOOW/0",
    }
    for text, key in wanted.items():
        executor.kg.push(real.model_copy(update={"material": text, "matched_by": key}))
    with agreeing():
        with pytest.raises(ConsentError, match=r"2\.B\.13"):
            await permitted(executor, THIODIGLYCOL)
        with pytest.raises(InputError, match="making it stops here"):
            await permitted(executor, MakingPlan(title="it", notations=(SARIN,)))


async def test_schedule_2_needs_a_statement_that_names_it(executor: Executor) -> None:
    with agreeing():
        with pytest.raises(ConsentError, match=r"nobody has stated.*2\.B\.13"):
            await permitted(executor, THIODIGLYCOL)
        made = await state(executor, "thiodiglycol", **DIGLYCOL)
        given = await permitted(executor, THIODIGLYCOL)
        verdict = given.verdict.load(executor.kg)
        assert verdict.tier == "statement"
        assert [one.iri for one in verdict.statements] == [made.iri]
        # a statement on one is none on another
        with pytest.raises(ConsentError, match="nobody has stated"):
            await permitted(executor, MakingPlan(title="other", notations=("CC(C)(C)C(C)O",)))
        # and a salt or another writing of the same is the same
        await permitted(executor, MakingPlan(title="same", names=("111-48-8",)))


async def test_what_is_withdrawn_is_none(executor: Executor) -> None:
    async def withdraw(link: Link[Consent]) -> Withdrawal:
        run = link.load(executor.kg).run
        made = Withdrawal(
            withdrawn=Link[GraphModel](run.iri), why="wrong", noted=datetime.now(UTC), noted_by="me"
        )
        executor.record(made)
        return made

    with agreeing():
        stated = await state(executor, "thiodiglycol", **DIGLYCOL)
        given = await permission(executor, THIODIGLYCOL)
        gone = await withdraw(stated.consent)
        with pytest.raises(ConsentError, match="nobody has stated"):
            use(executor.kg, given, THIODIGLYCOL)
        executor.record(Undone(undoes=Link(gone), noted=datetime.now(UTC), noted_by="me"))
        await withdraw(given.consent)
        with pytest.raises(ConsentError, match=r"withdrawn by me.*wrong"):
            use(executor.kg, given, THIODIGLYCOL)


async def test_a_statement_needs_its_own_yes(executor: Executor) -> None:
    with asked_by(NOBODY), pytest.raises(ConsentError, match="approve"):
        await state(executor, "silica gel", **SILICA)
    assert not executor.kg.find(MaterialStatement)


async def test_what_has_no_structure_stops_until_all_of_it_is_stated(executor: Executor) -> None:
    with agreeing():
        with pytest.raises(ConsentError, match=r"silica gel.*brine"):
            await permitted(executor, COLUMN)
        for lacking in SILICA:
            with pytest.raises(InputError, match=lacking):
                await state(
                    executor, "silica gel", **{n: v for n, v in SILICA.items() if n != lacking}
                )
        made = await state(executor, "silica gel", **SILICA)
        assert (made.called, made.registry_number, made.supplier) == (
            "silica gel 60",
            "7631-86-9",
            "Merck",
        )
        assert made.stated_by
        with pytest.raises(ConsentError, match="are: brine"):
            await permitted(executor, COLUMN)
        await state(executor, "Brine", **BRINE)
        given = await permitted(executor, COLUMN)
    assert set(given.verdict.load(executor.kg).unread) == {"silica gel", "brine"}


@pytest.mark.parametrize(
    ("said", "match"),
    [
        ({"cas": "7631-86-8"}, "no CAS number"),
        ({"cas": "sand"}, "no CAS number"),
        ({"cas": "107-44-8"}, "Schedule 1"),
        ({"cas": "111-48-8"}, "Schedule 2"),
        ({"called": "Sarin"}, "Schedule 1"),
        ({"called": "triethanolamine"}, "Schedule 3"),
        ({"called": "x" * 301}, "300"),
    ],
)
async def test_a_statement_cannot_hide_what_is_listed(
    executor: Executor, said: dict[str, Any], match: str
) -> None:
    with agreeing(), pytest.raises(InputError, match=match):
        await state(executor, "silica gel", **(SILICA | said))


@pytest.mark.parametrize(
    ("material", "match"),
    [
        ("ethanol", "nothing has to be stated"),
        ("triethanolamine", "nothing has to be stated"),
        ("C1CC(", "cannot be read"),
        ("silica gel; brine", "2 materials"),
        ("OCCSCCO.CP(=O)(Cl)O", "several parts"),
    ],
)
async def test_statements_that_are_none(executor: Executor, material: str, match: str) -> None:
    with agreeing(), pytest.raises(InputError, match=match):
        await state(executor, material, **SILICA)


@pytest.mark.parametrize("text", ["C1CC(", "*CC*", "C" * 20_000, "CCO>CC", "💥"])
async def test_a_structure_that_cannot_be_read_is_refused(executor: Executor, text: str) -> None:
    with agreeing(), pytest.raises(InputError, match=r"cannot be read|no structure"):
        await permitted(executor, MakingPlan(title="it", notations=(text,)))


async def test_a_plan_of_nothing_listed_needs_its_permission_too(executor: Executor) -> None:
    with asked_by(NOBODY), pytest.raises(ConsentError, match="approve"):
        await permitted(executor, PLAIN)
    with agreeing():
        given = await permitted(executor, PLAIN)
    assert not given.verdict.load(executor.kg).findings


async def test_what_a_table_calls_a_structure_belongs_to_the_plan(
    executor: Executor, tmp_path: Path
) -> None:
    """A row that hides a listed name behind another structure stops as that name does."""
    verb = workflows().verb("permit")
    assert isinstance(verb, Action)
    table = tmp_path / "plan.csv"
    for name in ("sarin", "Tabun", "107-44-8"):
        table.write_text(f"name,smiles\nmy ethanol,CCO\n{name},O\n")
        with agreeing(), pytest.raises(InputError, match="Schedule 1"):
            await prepare_action(verb, str(table), {}, executor)
    table.write_text("name,smiles\nmy ethanol,CCO\nVX-1,O\n")
    with agreeing():
        made = (await (await prepare_action(verb, str(table), {}, executor)).make()).value
    assert made.plan.load(executor.kg).names == ()


async def test_a_name_that_pubchem_alone_knows_is_its_structure(
    executor: Executor, odd: Callable[[Answerer], OddServer]
) -> None:
    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        known = {"PropertyTable": {"Properties": [{"CID": 1, "SMILES": "OCCSCCO"}]}}
        reply(handler, json.dumps(known).encode(), "application/json", 200)

    verb = workflows().verb("permit")
    assert isinstance(verb, Action)
    server = odd(answer)
    defaults = {"pubchem": f"http://127.0.0.1:{server.port}/rest/pug"}
    asked = "ethanol; name of a test"
    with agreeing(), pytest.raises(ConsentError, match=r"nobody has stated.*Schedule 2"):
        await prepare_action(verb, asked, {"online": True}, executor, defaults=defaults)
    assert len(server.seen) == 1  # not of ethanol
    with agreeing(), pytest.raises(ConsentError, match="it has no structure here"):
        await prepare_action(verb, asked, {}, executor, defaults=defaults)
    assert len(server.seen) == 1


def test_what_was_agreed_to_and_sent_is_told_in_words() -> None:
    told = {
        type(one): {fact.label: f"{fact.value} {fact.unit}".strip() for fact in heads(one)}
        for one in EVERYTHING
        if isinstance(one, Consent | Deed | DeedSent)
    }
    assert told[Deed] == {"operation": "LoadVial of microwave on microwave"}
    assert told[Consent]["agreed to"].startswith("1 operation, each once, until 2026-")
    assert told[Consent]["agreed"].endswith(" UTC, by me at the terminal")
    assert told[DeedSent]["sent"].endswith(" UTC, by a person's yes")
    assert told[DeedSent]["may cost"] == "0.4 $"
