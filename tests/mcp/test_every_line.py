"""What every client gets: through pipes or HTTP, by the protocol of 2025 or of 2026."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from typing import Any

import psutil
import pytest
from mcp import MCPError
from mcp.types import (
    ElicitResult,
    ImageContent,
    InputRequiredResult,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from grafico.agent.tools import usable
from grafico.session.settings import read_settings
from tests.mcp.conftest import Line
from tests.mcp.helpers import H2_ENERGY, HF, LONG, Heard, found
from workflows.engine.local.tokens import Tokens, tokens_folder
from workflows.registry.skills import skills

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def text_of(line: Line, uri: str) -> str:
    (content,) = (await line.client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text


async def hydrogen(line: Line, **more: Any) -> dict[str, Any]:
    """H2 from the folder, where there is one that the client shares; else as SMILES."""
    molecule = "[H][H]" if line.web else "h2.xyz"
    result = await line.client.call_tool("calculate", {"molecules": [molecule], **HF}, **more)
    assert not result.is_error
    (one,) = found(result)["molecules"]
    assert one["status"] == "finished", one
    return one


async def test_the_protocol_is_the_one_that_was_wanted(line: Line) -> None:
    assert line.client.protocol_version == ("2026-07-28" if line.modern else "2025-11-25")
    assert line.client.server_capabilities.tools or line.modern


async def test_no_file_of_the_person_is_read_but_in_the_folder(
    line: Line, tmp_path_factory: pytest.TempPathFactory
) -> None:
    secret = tmp_path_factory.mktemp("secret") / "key"
    secret.write_text("OPENAI_API_KEY=sk-not-for-you\n")
    told: list[str] = []
    for path in (secret, secret.with_name("kex")):
        rows: list[Any] = []
        for call in (
            {"name": "react", "subjects": [f"{path} -> O"]},
            {"name": "excite", "subjects": [f"O; {path}"]},
            {"name": "cluster", "subjects": ["O"], "arguments": {"solvent": str(path)}},
            {"name": "batch", "subjects": [str(path)]},
            {"name": "batch", "subjects": ["-"]},
        ):
            result = await line.client.call_tool("run_workflow", call)
            rows += next(iter(found(result).values()))
        assert all(row["status"] == "failed" for row in rows)
        told.append(json.dumps(rows).replace(path.name, "…"))
    assert "sk-not" not in told[0]
    assert told[0] == told[1]


async def test_the_tools_are_those_of_ask(line: Line) -> None:
    listed = (await line.client.list_tools()).tools
    known = usable(read_settings())
    assert {one.name: (one.description, one.input_schema) for one in listed} == {
        name: (one.description, one.schema) for name, one in known.items()
    }
    hints = {one.name: one.annotations for one in listed}
    assert hints["query"] is not None
    assert hints["query"].read_only_hint
    assert hints["run_workflow"] is not None
    assert hints["run_workflow"].destructive_hint
    assert "microwave" not in hints, "it answers for one release, and is not listed"


async def test_a_calculation_tells_its_steps_and_is_remembered(line: Line) -> None:
    heard = Heard()
    first = await hydrogen(line, progress_callback=heard)
    assert heard.numbers == list(range(1, len(heard.numbers) + 1))
    assert "step 1: SinglePoint" in heard.lines
    assert not any("\n" in text for text in heard.lines)
    if not line.web:
        assert first["values"]["energy_Eh"] == pytest.approx(H2_ENERGY, abs=5e-5)

    heard = Heard()
    again = await hydrogen(line, progress_callback=heard)
    assert "remembered" in again["reading"]
    assert again["results"] == first["results"]
    assert again["run"] != first["run"]
    assert "energy: remembered" in heard.lines
    assert not any("computing" in text for text in heard.lines)


async def test_calls_side_by_side_each_hear_of_themselves(line: Line) -> None:
    heard = {"[He]": Heard(), "[Ne]": Heard()}

    async def call(name: str) -> Any:
        asked = {"molecules": [name], **HF}
        return found(await line.client.call_tool("calculate", asked, progress_callback=heard[name]))

    helium, neon = await asyncio.gather(*map(call, heard))
    energy = helium["molecules"][0]["values"]["energy_Eh"]
    assert energy == pytest.approx(-2.80778, abs=1e-5), "HF/STO-3G, NIST CCCBDB"
    assert neon["molecules"][0]["status"] == "finished"
    of_helium, of_neon = ("\n".join(one.lines) for one in heard.values())
    assert "[He] → He" in of_helium
    assert "[Ne] → Ne" in of_neon
    assert "Ne" not in of_helium
    assert "He" not in of_neon


async def test_arguments_that_cannot_be_can_be_mended(line: Line) -> None:
    result = await line.client.call_tool("convert_units", {"conversion": 1})
    assert result.is_error
    error = found(result)["error"]
    assert error["kind"] == "ArgumentsError"
    assert "Field required" in error["found"]
    assert error["advice"] == "it takes conversions"
    wrong = {"conversions": [{"value": 1, "fromunit": "hartree", "to": "eV"}], "digit": 3}
    said = found(await line.client.call_tool("convert_units", wrong))["error"]["found"]
    for name in ("conversions.0.from_unit", "conversions.0.fromunit", "conversions.0.to", "digit"):
        assert f"{name}: " in said
    assert "did you mean from_unit" in said
    assert "Extra inputs" not in said
    mended = {"conversions": [{"value": "2*1.5", "from_unit": "hartree", "to_unit": "eV"}]}
    result = await line.client.call_tool("convert_units", mended)
    (row,) = found(result)["values"]
    assert row["value"] == pytest.approx(3 * 27.211386245981, rel=1e-8)  # CODATA 2022


async def test_an_error_for_people_is_an_answer(line: Line) -> None:
    result = await line.client.call_tool("get", {"iri": "g:id/Run/none"})
    assert result.is_error
    assert found(result)["error"].keys() == {"kind", "asked", "found", "advice"}
    result = await line.client.call_tool("calculate", {"molecules": ["[He]"], "method": "B3LPY"})
    assert "B3LYP" in json.dumps(found(result))
    assert "Traceback" not in json.dumps(found(result))


async def test_a_tool_that_is_not_there(line: Line) -> None:
    with pytest.raises(MCPError, match="there is no tool 'nonsense'; there are: calculate"):
        await line.client.call_tool("nonsense", {})


async def test_a_picture_and_a_file(line: Line) -> None:
    run = (await hydrogen(line))["run"]
    result = await line.client.call_tool("show_structure", {"iri": run})
    _, picture, link = result.content
    assert isinstance(picture, ImageContent)
    assert picture.mime_type == "image/png"
    assert base64.b64decode(picture.data).startswith(b"\x89PNG")
    assert isinstance(link, ResourceLink)
    (content,) = (await line.client.read_resource(link.uri)).contents
    assert content.model_dump()["blob"] == picture.data

    result = await line.client.call_tool("report", {"runs": [run]})
    link = result.content[-1]
    assert isinstance(link, ResourceLink)
    assert link.mime_type == "text/html"
    assert "<html" in await text_of(line, link.uri)


async def test_what_can_be_read(line: Line) -> None:
    one = await hydrogen(line)
    listed = (await line.client.list_resources()).resources
    uris = [item.uri for item in listed]
    assert uris[:2] == ["grafico://runs", "grafico://ontology"]
    assert {"grafico://graphs/dft", "grafico://graphs/microwave"} <= set(uris)
    assert f"grafico://runs/{one['run']}" in uris
    templates = (await line.client.list_resource_templates()).resource_templates
    assert [item.uri_template for item in templates] == [
        "grafico://runs/{+iri}",
        "grafico://diagrams/{+iri}",
        "grafico://graphs/{name}",
        "grafico://structures/{+iri}",
        "grafico://ontology/{name}",
        "grafico://skills/{name}",
    ]

    runs = json.loads(await text_of(line, "grafico://runs"))
    assert runs[0]["run"] == one["run"]
    assert runs[0]["level"] == "HF/STO-3G"
    run = json.loads(await text_of(line, f"grafico://runs/{one['run']}"))
    assert [step["node"] for step in run["steps"]] == ["SinglePoint"]
    assert run["outcome"]["status"] == "finished"
    assert "[*] --> SinglePoint: 1" in await text_of(line, f"grafico://diagrams/{one['run']}")
    assert "stateDiagram" in await text_of(line, "grafico://graphs/dft")
    assert "g:EnergyResult" in await text_of(line, "grafico://ontology")
    assert "g:energy" in await text_of(line, "grafico://ontology/SinglePoint")
    for iri in (one["geometry"], one["run"], one["results"]["SinglePoint"]):
        lines = (await text_of(line, f"grafico://structures/{iri}")).splitlines()
        assert lines[0] == "2"
        assert [text.split()[0] for text in lines[2:4]] == ["H", "H"]


async def test_recipes_are_prompts_and_resources(line: Line) -> None:
    listed = {one.name: one for one in (await line.client.list_prompts()).prompts}
    assert set(listed) == set(skills().found)
    prompt = await line.client.get_prompt("ring-strain", {"about": "cyclobutane"})
    [message] = prompt.messages
    assert isinstance(message.content, TextContent)
    assert message.content.text.startswith(skills().found["ring-strain"].body)
    assert message.content.text.endswith("Do this with: cyclobutane")
    assert prompt.description == listed["ring-strain"].description
    with pytest.raises(Exception, match="did you mean ring-strain"):
        await line.client.get_prompt("ringstrain2")
    uris = {one.uri for one in (await line.client.list_resources()).resources}
    assert "grafico://skills/pka" in uris
    assert await text_of(line, "grafico://skills/pka") == skills().found["pka"].text


async def test_files_of_each_subject_can_be_read(line: Line) -> None:
    asked = {"name": "convert", "subjects": ["[He]", "[Ne]"], "arguments": {"file": "gas.xyz"}}
    result = await line.client.call_tool("run_workflow", asked)
    rows = found(result)["molecules"]
    links = [one for one in result.content if one.type == "resource_link"]
    assert [one.name for one in links] == [row["file"] for row in rows]
    assert "He" in await text_of(line, links[0].uri)


@pytest.mark.parametrize(
    "uri",
    [
        "grafico://files/../../etc/passwd",
        "grafico://files/h2.xyz",
        "grafico://files//etc/passwd",
        "grafico://structures/../../etc/passwd",
        "grafico://structures/g:id/Run/x> . ?s ?p ?o . <x",
        "grafico://runs/%3E%20%7D%20DROP%20ALL",
        "grafico://graphs/..%2F..%2Fetc%2Fpasswd",
        "file:///etc/passwd",
    ],
)
async def test_what_cannot_be_read(line: Line, uri: str) -> None:
    with pytest.raises(MCPError) as caught:
        await line.client.read_resource(uri)
    assert "root:" not in str(caught.value)
    assert caught.value.error.data["advice"]


async def test_a_person_is_asked(line: Line) -> None:
    line.person.will("accept", answer="red")
    asked = {"question": "Which colour?", "options": ["red", "green"]}
    assert found(await line.client.call_tool("ask_user", asked)) == {"answer": "red"}
    assert line.person.asked == ["Which colour?"]
    line.person.will("accept", other="blue")
    assert found(await line.client.call_tool("ask_user", asked)) == {"answer": "blue"}
    line.person.will("decline")
    assert found(await line.client.call_tool("ask_user", asked))["answer"] is None
    assert line.person.asked == ["Which colour?"]


async def test_a_person_agrees_or_not(line: Line) -> None:
    device = f"of {'the web' if line.web else 'a pipe'}, {line.modern}"
    asked = {"name": "microwave", "arguments": {"vial": 2, "device": device}}
    for action, content in (("decline", {}), ("cancel", {}), ("accept", {"agree": False})):
        line.person.will(action, **content)
        [[denied]] = found(await line.client.call_tool("run_workflow", asked)).values()
        assert ("the person said no" if content else "nobody agreed") in denied["denied"]
        [question] = line.person.asked
        assert question.startswith(f"{device}: 3 operations, each once\n1. AllocateSession at")
        assert question.endswith("\nit commands a device: go on?")
    line.person.will("accept", agree=True)
    [[done]] = found(await line.client.call_tool("run_workflow", asked)).values()
    assert (done["status"], done["values"]["vial"]) == ("finished", 2)
    assert len(line.person.asked) == 1


async def test_a_job_is_submitted_and_ended_by_a_person(line: Line) -> None:
    call = line.client.call_tool
    asked = {"molecules": ["[Mg+2]"], **HF, "on": "here", "begin": "23:59"}
    line.person.will("decline")
    [told] = found(await call("calculate", asked))["molecules"]
    assert not line.person.asked
    name = told["job"]
    assert name in [one["job"] for one in found(await call("jobs", {}))["jobs"]]
    assert "nobody agreed" in found(await call("cancel_job", {"job": name}))["denied"]
    [question] = line.person.asked
    assert question.startswith(f'cancel_job {{"job": "{name}"}}')
    line.person.will("accept", agree=True)
    assert found(await call("cancel_job", {"job": name}))["state"] == "cancelled"
    assert found(await call("jobs", {"job": name}))["state"] == "cancelled"


async def test_questions_about_several_long_calculations(line: Line) -> None:
    if line.web:
        pytest.skip("a client of the web has no files there")
    line.person.will("decline")
    asked = {"molecules": ["long-a.xyz", "long-b.xyz", "[He]"], **HF}
    *long, helium = found(await line.client.call_tool("calculate", asked))["molecules"]
    assert len(line.person.asked) == 2
    if line.modern:  # they travel together
        first = await line.client.session.call_tool("calculate", asked, allow_input_required=True)
        assert isinstance(first, InputRequiredResult)
        assert len(first.input_requests or ()) == 2
    assert all("Ne125 at HF/STO-3G: with 125 atoms" in text for text in line.person.asked)
    assert all("nobody agreed" in one["denied"] for one in long)
    assert helium["status"] == "finished"


async def test_an_agreement_is_for_one_call_only(line: Line) -> None:
    if not line.modern:
        pytest.skip("there the answer is sent while the tool waits for it")
    call = line.client.session.call_tool
    other, third = ({"name": "microwave", "arguments": {"vial": vial}} for vial in (4, 3))
    first = await call("run_workflow", third, allow_input_required=True)
    assert isinstance(first, InputRequiredResult)
    (key,) = first.input_requests or {}
    yes: Any = {key: ElicitResult(action="accept", content={"agree": True})}
    state = first.request_state or ""
    for arguments, forged in ((other, state), (third, state[:-4] + "AAAA")):
        with pytest.raises(MCPError, match="requestState"):
            await call("run_workflow", arguments, input_responses=yes, request_state=forged)
    [asked] = (first.input_requests or {}).values()
    guess = hashlib.sha256(str(asked.params and asked.params.model_dump_json()).encode())
    guessed: Any = {guess.hexdigest()[:16]: yes[key]}
    again = await call(
        "run_workflow",
        third,
        input_responses=guessed,
        request_state=state,
        allow_input_required=True,
    )
    assert isinstance(again, InputRequiredResult), "what was not asked is not answered"
    assert key not in (again.input_requests or {})
    done = await call("run_workflow", third, input_responses=yes, request_state=state)
    assert found(done)["devices"][0]["values"]["vial"] == 3
    line.person.will("accept", agree=True)
    moved = found(await line.client.call_tool("run_workflow", other))
    assert moved["devices"][0]["values"]["vial"] == 4
    replayed = await call(
        "run_workflow", third, input_responses=yes, request_state=state, allow_input_required=True
    )
    assert isinstance(replayed, InputRequiredResult), "a yes is used once"


async def test_a_client_ends_a_calculation(line: Line) -> None:
    """No slot is held and no process is at work any more, and the server goes on."""
    tokens, heard = Tokens(tokens_folder()), Heard()
    call = asyncio.create_task(line.client.call_tool("calculate", LONG, progress_callback=heard))
    async with asyncio.timeout(120):
        await heard.computing.wait()
    (holder,) = {one["pid"] for one in tokens.holders()}
    workers = [
        worker
        for started in psutil.Process(holder).children()
        for worker in started.children(recursive=True)
    ]
    assert workers
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    async with asyncio.timeout(20):
        while tokens.holders() or all(worker.is_running() for worker in workers):
            await asyncio.sleep(0.05)
    assert (await hydrogen(line))["status"] == "finished"
    runs = json.loads(await text_of(line, "grafico://runs"))
    cut = next(one for one in runs if one["subject"] == "c1ccccc1")
    assert cut["status"] == "interrupted"


QUERY = """SELECT ?smiles ?name { VALUES (?smiles ?name) {
    ("[H][H]" "a") ("F" "b") ("nonsense" "c") } }"""
RINGS = 'SELECT ?smiles { VALUES ?smiles { "c1ccncc1" "c1cnccn1" } }'


async def test_a_batch_is_asked_for_and_told(line: Line) -> None:
    """Its source is a query, which a client has whose files are elsewhere."""
    said = {"arguments": {"method": "GFN1-xTB"}}
    asked = {"name": "batch", "subjects": [QUERY], "arguments": said}
    (one,) = found(await line.client.call_tool("run_workflow", asked))["sources"]
    assert one["values"] == {"calculations": 2, "finished": 2, "unreadable": 1}
    assert [row["status"] for row in one["rows"]] == ["finished", "finished", "unreadable"]
    assert one["rows"][0]["energy_Eh"] == pytest.approx(-1.0366, abs=1e-4)
    assert "starts no part of a SMILES" in one["rows"][2]["reason"]


async def test_a_client_ends_a_batch(line: Line) -> None:
    tokens, words = Tokens(tokens_folder()), {k: v for k, v in LONG.items() if k != "molecules"}
    asked = {"name": "batch", "subjects": [RINGS], "arguments": {"arguments": words}}
    call = asyncio.create_task(line.client.call_tool("run_workflow", asked))
    async with asyncio.timeout(120):
        while not tokens.holders() or (await latest(line))["status"] != "not finished":
            await asyncio.sleep(0.05)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    async with asyncio.timeout(60):
        while tokens.holders() or (await latest(line))["status"] != "interrupted":
            await asyncio.sleep(0.05)
    assert (await hydrogen(line))["status"] == "finished"


async def latest(line: Line) -> dict[str, Any]:
    return next(iter(json.loads(await text_of(line, "grafico://runs"))), {"status": ""})
