"""Conversations: asked, followed, stopped, gone on with, kept over the end of the server."""

from __future__ import annotations

import json
import os
import re
import signal
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from evals.planner import Message, calls, says
from grafico.agent.forms import examples
from grafico.agent.rules.reader import plan
from tests.agent.server import serving

from .served import ROOT, Served, served, until, with_model

WATER = "3\nwater\nO 0 0 0.117\nH 0 0.757 -0.469\nH 0 -0.757 -0.469\n"
LONG = "optimise benzene with B3LYP/def2-TZVP"
"""Minutes on one core."""


def test_an_answer_is_followed_from_the_question_to_its_numbers(server: Served) -> None:
    key = server.talk()
    place = server.get(f"/api/conversations/{key}")["at"]
    assert server.post("/api/ask", key=key, text="optimise methanol with GFN2-xTB").status == 200
    news, places = [], []
    for where, one in server.follow(place):
        news.append(one)
        places.append(where)
        if one["k"] == "done":
            break
    own = [one for one in news if one["c"] == key]
    kinds = [one["k"] for one in own]
    assert kinds[0] == "asked"
    assert [k for k in kinds if k in ("tool", "run", "result", "done")] == [
        "tool", "run", "result", "done"
    ]  # fmt: skip
    frames = [one for one in own if one["k"] == "frame"]
    assert frames
    assert frames[0]["symbols"] == ["C", "O", "H", "H", "H", "H"]
    assert len(frames[0]["positions"]) == 6
    assert frames[-1]["energy"] < frames[0]["energy"]
    calls = {one["call"] for one in own if one["k"] in ("tool", "run", "frame", "result")}
    assert len(calls) == 1
    assert len({*places}) == len(places)
    turn = own[-1]["turn"]
    (number,) = [one for one in turn["numbers"] if one["unit"] == "Eh"]
    # the program xtb 6.5.1, optimised there with --opt tight: -8.226118433 Eh
    assert number["value"] == pytest.approx(-8.2261184, abs=2e-6)
    written = turn["answer"][number["start"] : number["end"]]
    assert written == f"{number['text']} Eh"
    assert number["source"].startswith("g:id/TightBindingOptimisation/")
    (card,) = turn["cards"]
    assert card["title"] == "Calculate: methanol"
    assert card["failed"] is None
    shown = server.get("/api/objects", iri=turn["runs"][0])
    assert shown["status"] == "finished"
    kinds = {block["kind"] for section in shown["sections"] for block in section["blocks"]}
    assert {"structure", "fact", "chart"} <= kinds
    facts = [b for s in shown["sections"] for b in s["blocks"] if b["kind"] == "fact"]
    energy = next(one for one in facts if one["name"] == "energy")
    assert (energy["unit"], energy["shown"]) == ("Eh", number["text"].replace("-", "−"))


def test_who_comes_later_hears_the_same_from_the_beginning(server: Served) -> None:
    key = server.talk()
    server.post("/api/ask", key=key, text="energy of ethane with HF/STO-3G")
    seen = server.get(f"/api/conversations/{key}")
    first = seen["live"][0]
    assert first["k"] == "asked"
    rest = []
    for _, one in server.follow(seen["at"]):
        rest.append(one)
        if one["k"] == "done":
            break
    kinds = [one["k"] for one in [*seen["live"], *rest] if one["c"] == key]
    assert kinds.count("asked") == kinds.count("tool") == kinds.count("done") == 1
    again = server.get(f"/api/conversations/{key}")
    assert again["live"] == []
    assert [turn["question"] for turn in again["turns"]] == ["energy of ethane with HF/STO-3G"]
    assert again["turns"][0] == rest[-1]["turn"]


def test_a_second_question_waits_for_its_turn_and_a_stop_ends_the_first(server: Served) -> None:
    key = server.talk()
    server.post("/api/ask", key=key, text=LONG)
    refused = server.post("/api/ask", key=key, text="energy of water")
    assert refused.status == 409
    assert "stop it" in refused.error
    server.told(key, "run")
    assert server.post("/api/stop", key=key).status == 200
    (turn,) = server.settled(key)["turns"]
    assert turn["status"] == "interrupted"
    assert "interrupted (g:id/Run/" in turn["answer"]
    (run,) = turn["runs"]
    assert run.rpartition("/")[2] in turn["answer"]
    assert [card["found"] for card in turn["cards"]] == [None]
    assert server.say(key, "energy of H2 with HF/STO-3G")["status"] == "answered"


def test_two_conversations_are_answered_at_once_and_not_mixed_up(server: Served) -> None:
    keys = [server.talk(), server.talk()]
    place = server.get("/api/state")["at"]
    texts = ["energy of methane with HF/STO-3G", "energy of ammonia with HF/STO-3G"]
    for key, text in zip(keys, texts, strict=True):
        server.post("/api/ask", key=key, text=text)
    ends: dict[str, str] = {}
    for _, one in server.follow(place):
        if one["k"] == "run":
            assert one["about"] == texts[keys.index(one["c"])].split()[2]
        if one["k"] == "done":
            ends[one["c"]] = one["turn"]["answer"]
        if len(ends) == 2:
            break
    assert [ends[key].split(":")[0] for key in keys] == ["methane", "ammonia"]


def test_a_file_is_brought_asked_about_and_no_other_is_read(server: Served) -> None:
    key = server.talk()
    brought = server.ask("PUT", f"/api/files/{key}/water.xyz", raw=WATER.encode())
    assert (brought.json["name"], brought.json["bytes"]) == ("water.xyz", len(WATER))
    assert brought.json["note"].startswith("formula H2O, atoms 3, charge 0, multiplicity 1")
    assert brought.json["structure"]["symbols"] == ["O", "H", "H"]
    turn = server.say(key, "energy of water.xyz with GFN2-xTB", files=["water.xyz"])
    assert turn["question"] == "energy of water.xyz with GFN2-xTB"
    assert turn["attached"][0]["formula"] == "H2O"
    assert "-5.07" in turn["answer"]
    again = server.ask("PUT", f"/api/files/{key}/water.xyz", raw=b"1\n\nHe 0 0 0\n").json
    assert again["name"] == "water-2.xyz"  # the first one stays as it was
    assert server.ask("GET", f"/api/files/{key}/water.xyz").body == WATER.encode()
    other = server.talk()
    assert server.ask("GET", f"/api/files/{other}/water.xyz").status == 404
    for name in ("..%2Fstore.json", "%2Fetc%2Fpasswd", ".hidden", "%00", "a" * 300):
        assert server.ask("PUT", f"/api/files/{key}/{name}", raw=b"x").status in (400, 404, 405)
    outside = server.say(key, f"energy of {ROOT}/examples/water.xyz with HF/STO-3G")
    assert "-74.96" not in outside["answer"]
    missing = server.post("/api/ask", key=key, text="energy of x.xyz", files=["x.xyz"])
    assert missing.status == 404


def test_an_object_is_stored_and_no_file_of_this_machine(server: Served, tmp_path: Path) -> None:
    (tmp_path / "own.xyz").write_text(WATER)
    for path in ("objects", "structure", "rests", "frames", "chart"):
        for name in (str(tmp_path / "own.xyz"), "../own.xyz", "water", "O", ""):
            asked = server.ask("GET", f"/api/{path}?iri={quote(name, '')}&format=xyz")
            assert asked.status == 404, (path, name)
            assert b"0.757" not in asked.body


def test_too_large_a_file_is_refused_and_does_not_stay(server: Served) -> None:
    key = server.talk()
    refused = server.ask("PUT", f"/api/files/{key}/big.xyz", raw=b"0" * 50_000_001)
    assert refused.status == 400
    assert "50 MB" in refused.error
    assert server.ask("GET", f"/api/files/{key}/big.xyz").status == 404


def test_what_cannot_be_read_is_said_when_it_is_brought(server: Served) -> None:
    key = server.talk()
    for name, content, why in (
        ("x.foo", b"words", "it is no file of a structure"),
        ("x.xyz", b"\0\xff" * 50, "it is binary"),
        ("empty.cif", b"", "it is empty"),
    ):
        refused = server.ask("PUT", f"/api/files/{key}/{name}", raw=content)
        assert refused.status == 400
        assert why in refused.error
        assert str(server.store) not in refused.error
        assert server.ask("GET", f"/api/files/{key}/{name}").status == 404
    table = server.ask("PUT", f"/api/files/{key}/t.csv", raw=b"name,smiles\nwater,O\n").json
    assert table["structure"] is None
    assert "t.csv is a table" in server.say(key, "energies", files=["t.csv"])["answer"]


def test_an_object_is_written_as_itself_or_as_what_it_is_shown_with(server: Served) -> None:
    run = server.say(server.talk(), "energy of ethanol with GFN2-xTB")["runs"][0]
    (shown,) = (
        block["iri"]
        for section in server.get("/api/objects", iri=run)["sections"]
        for block in section["blocks"]
        if block["kind"] == "structure"
    )
    path = f"/api/structure?iri={quote(shown, '')}&of={quote(run, '')}&format="
    said = {form: server.ask("GET", path + form).body for form in ("smi", "inchi", "json")}
    assert said["smi"].split() == [b"CCO"]  # not what else is told in files of that name
    assert said["inchi"].split() == [b"InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3"]
    assert json.loads(said["json"])["return_result"] < -11  # the run's energy, in Eh
    formats = server.get("/api/state")["formats"]
    assert {"xyz", "smi", "cif", "molden"} <= {*formats}
    assert not {"txt", "csv", "cube"} & {*formats}
    refused = server.ask("GET", f"{path}txt")
    assert refused.status == 400
    assert "nothing writes 'txt'" in refused.error


def test_a_store_that_went_away_is_said_and_may_come_back(tmp_path: Path) -> None:
    store, away = tmp_path / "store", tmp_path / "away"
    with served(store, tmp_path / "here") as own:
        key = own.talk()
        own.say(key, "energy of H2 with HF/STO-3G")
        store.rename(away)
        for path in ("conversations", f"conversations/{key}", "runs"):
            refused = own.ask("GET", f"/api/{path}")
            assert refused.status == 409
            assert "put the old folder back" in refused.error
        own.post("/api/ask", key=key, text="energy of He with HF/STO-3G")
        until(lambda: own.get("/api/state")["busy"] == [])
        assert not store.exists()  # nothing stands in its way
        away.rename(store)
        first, second = own.settled(key)["turns"]
        assert first["status"] == "answered"
        assert second["question"] == "energy of He with HF/STO-3G"  # it is not lost
        assert "store" in second["answer"]
        assert own.say(key, "energy of He with HF/STO-3G")["status"] == "answered"


def test_what_cannot_be_done_is_said_where_it_was_asked(server: Served) -> None:
    key = server.talk()
    for text, status in (("", 400), ("  \n", 400), ("x" * 100_001, 400)):
        assert server.post("/api/ask", key=key, text=text).status == status
    assert server.ask("POST", "/api/ask", raw=b"{").status == 400
    assert server.ask("POST", "/api/ask", raw=b"[" * 100_000).status == 400
    assert server.ask("POST", "/api/ask", raw=b"x" * 1_000_001).status == 400
    for lost in ("", "zzz", "00000000-0000-0000-0000-000000000000", "../x"):
        assert server.post("/api/ask", key=lost, text="energy of water").status == 404
    assert server.post("/api/answer", key=key, id="nothing", answer=True).status == 400
    turn = server.say(key, "energy of water", model="nonsense:model")
    assert turn["status"] == "failed"
    assert "nonsense" in turn["answer"]
    assert "not understood" in server.say(key, "bake a cake")["answer"]


def test_a_conversation_is_listed_named_found_and_written(server: Served) -> None:
    key = server.talk()
    server.say(key, "energy of H2 with HF/STO-3G")
    assert server.post("/api/rename", key=key, name="Hydrogen <b>").status == 200
    rows = server.get("/api/conversations", find="hydrogen")["rows"]
    assert [(one["key"], one["name"], one["turns"]) for one in rows] == [(key, "Hydrogen <b>", 1)]
    assert server.post("/api/rename", key=key, name="last").status == 400
    written = server.ask("GET", f"/api/export/{key}")
    assert b"-1.11" in written.body  # Szabo and Ostlund: -1.1167 at 1.4 bohr, which is 0.741 Å
    assert "attachment" in written.headers["content-disposition"]


def test_another_server_goes_on_where_one_was_killed(tmp_path: Path) -> None:
    store, folder = tmp_path / "store", tmp_path / "here"
    with served(store, folder) as first:
        key = first.talk()
        assert first.say(key, "energy of H2 with HF/STO-3G")["status"] == "answered"
        first.post("/api/ask", key=key, text="optimise methanol with HF/def2-SVP")
        first.told(key, "frame")
        place = first.get("/api/state")["at"]
        os.killpg(first.process.pid, signal.SIGKILL)
        first.process.wait()
    with served(store, folder) as second:
        assert next(iter(second.follow(place)))[1] == {"k": "reset"}
        seen = second.get(f"/api/conversations/{key}")
        assert [turn["status"] for turn in seen["turns"]] == ["answered", "cut off"]
        assert (seen["busy"], seen["live"]) == (False, [])
        (run,) = seen["turns"][1]["runs"]  # what was under way, with the way that it had gone
        (stage,) = second.get("/api/frames", iri=run)["stages"]
        assert stage["symbols"] == ["C", "O", "H", "H", "H", "H"]
        assert len(stage["frames"][0]["positions"]) == 6
        turn = second.say(key, "optimise methanol with HF/def2-SVP")
        assert turn["status"] == "answered"
        (energy,) = [one["value"] for one in turn["numbers"] if one["unit"] == "Eh"]
        # Psi4 1.3.2, optimised there
        assert energy == pytest.approx(-114.9548617, abs=1e-5)
        runs = second.get("/api/runs")["rows"]
        assert [one["subject"] for one in runs][:1] == ["methanol"]


def test_a_server_that_is_told_to_end_keeps_what_it_was_at(tmp_path: Path) -> None:
    with served(tmp_path / "store", tmp_path / "here") as first:
        key = first.talk()
        first.post("/api/ask", key=key, text=LONG)
        first.told(key, "run")
    with served(tmp_path / "store", tmp_path / "here") as second:
        (turn,) = second.get(f"/api/conversations/{key}")["turns"]
        assert turn["status"] == "interrupted"


def test_a_journal_that_is_too_far_behind_begins_anew(server: Served) -> None:
    for since in ("other-1", f"{server.get('/api/state')['at'].split('-')[0]}-999999999", "x", "-"):
        ((_, news),) = islice(server.follow(since), 1)
        assert news == {"k": "reset"}


def test_hostile_words_are_data(server: Served) -> None:
    key = server.talk()
    name = "<img src=x onerror=alert(1)>\u202e\x1b[31m.xyz"
    turn = server.say(key, f"energy of {name} with HF/STO-3G")
    assert not re.search("[\u202e\x1b]", json.dumps(turn, ensure_ascii=False))


@pytest.mark.parametrize("example", examples())
def test_what_the_page_proposes_is_understood_by_rules(example: str) -> None:
    assert plan(example).problem == ""
    assert plan(example).calls


def test_where_no_page_is_open_nobody_looks_and_the_model_hears_so(tmp_path: Path) -> None:
    def answer(request: dict[str, Any]) -> Message:
        used = [one for one in request["messages"] if one["role"] == "tool"]
        return says(used[0]["content"]) if used else calls(("look_at_viewer", {}))

    with serving(answer) as model, with_model(tmp_path, model.url) as own:
        turn = own.say(own.talk(), "What do you see?")
        assert "no page shows this conversation" in turn["answer"]
        assert "show_structure" in turn["answer"]


def test_a_function_in_space_is_written_and_what_cannot_be_is_said(server: Served) -> None:
    key = server.talk()
    run = server.say(key, "energy of H2 with HF/STO-3G")["runs"][0]
    names = [one["name"] for one in server.get("/api/objects", iri=run)["surfaces"]]
    assert {"orbital", "density"} <= {*names}
    path = f"/api/structure?iri={quote(run, '')}&format=cube&spacing=0.4"
    made = server.ask("GET", f"{path}&density=true")
    assert made.status == 200
    lines = made.body.decode().splitlines()
    assert lines[2].split()[0] == "2"  # atoms
    for more, said in (
        ("&orbital=zz", "write homo"),
        ("&orbital=homo&density=true", "say which"),
        ("&density=true&spacing=0.0001", "0.01 to 2"),
        ("&orbital=homo&nonsense=1", "no such field"),
        ("&file=..%2F..%2Fx&action=x&subject=x&self=x&orbital=zz", "write homo"),
    ):
        refused = server.ask("GET", path + more)
        assert refused.status == 400, more
        assert said in refused.error
    run = server.say(key, "energy of H2 with GFN2-xTB")["runs"][0]
    assert server.get("/api/objects", iri=run)["surfaces"] == []


def test_a_run_is_withdrawn_with_a_reason_and_jobs_that_are_none_are_said(server: Served) -> None:
    run = server.say(server.talk(), "energy of N2 with HF/STO-3G")["runs"][0]
    assert "no reason" in server.post("/api/withdraw", run=run).error
    assert run in server.post("/api/withdraw", run=run, why="a test").json["marked"]
    assert server.get("/api/objects", iri=run)["status"] == "withdrawn"
    assert run in server.post("/api/withdraw", run=run, undo=True).json["marked"]
    assert server.post("/api/withdraw", run=run, undo=True).status == 404
    assert server.post("/api/withdraw", run="g:id/Run/nothing", why="x").status == 404
    assert server.post("/api/cancel", job="grafico-0").status == 404
    assert server.get("/api/jobs") == {"rows": []}
