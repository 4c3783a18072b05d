"""Crystals by reference codes: files of a folder, and those of a server on loopback."""

from __future__ import annotations

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.agent import ToolContext
from grafico.agent.toolbox import ArgumentsError
from grafico.session.settings import read_settings
from ontologies.mof_parts import CrystalEntry
from ontologies.mofs import PoreAnalysis
from ontologies.provenance import Run
from tests.agent.helpers import used
from tests.mof.disguises import CRYSTALS
from tests.triplestore.servers import Answerer, OddServer, reply
from triplestore.errors import InputError, NotFoundError, ResourceError
from workflows.mof.entries import found_entry
from workflows.registry import workflows

FEW: dict[str, Any] = {"area_samples": 20, "volume_samples": 200}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An export as CoRE MOF has it: SAHYIK is MOF-5, VELVOY is ZIF-8."""
    below = tmp_path / "export" / "ASR"
    below.mkdir(parents=True)
    (below / "SAHYIK_clean.cif").write_text((CRYSTALS / "MOF-5.cif").read_text())
    (below / "VELVOY_charged.cif").write_text((CRYSTALS / "ZIF-8.cif").read_text())
    (below / "VELVOY01.cif").write_text((CRYSTALS / "ZIF-8.cif").read_text())
    (below / "notes.txt").write_text("SAHYIK")
    return tmp_path / "export"


@pytest.mark.parametrize(
    ("code", "file"),
    [
        ("SAHYIK", "SAHYIK_clean.cif"),
        ("VELVOY", "VELVOY_charged.cif"),
        ("VELVOY01", "VELVOY01.cif"),
        ("SAHYIK_clean", "SAHYIK_clean.cif"),
    ],
)
def test_a_code_finds_its_file(folder: Path, code: str, file: str) -> None:
    found = found_entry(code, str(folder))
    assert (found.path.name, found.source) == (file, f"ASR/{file} in export")


def test_what_cannot_be_found_is_told(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there are VELVOY01, VELVOY_charged"):
        found_entry("VELVOY02", str(folder))
    (folder / "SAHYIK.cif").write_text("data_")
    with pytest.raises(InputError, match=r"2 files match: \S+SAHYIK_clean\.cif, \S+SAHYIK\.cif"):
        found_entry("SAHYIK", str(folder))
    with pytest.raises(ResourceError, match="cannot be read: No such file"):
        found_entry("SAHYIK", str(tmp_path / "nothing"))
    with pytest.raises(InputError, match="nothing is set") as caught:
        found_entry("SAHYIK")
    assert "crystal_folder" in str(caught.value.advice)


def test_code_and_file_are_recorded_with_what_was_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAFICO_CRYSTAL_FOLDER", str(folder))
    with Grafico("memory:", threads_per_calculation=1) as session:
        apart = session.run("SAHYIK", workflow="mof process")
        framework = apart.last.framework
        measured = session.run(workflow="mof measure", csd_refcode="sahyik", **FEW)
        [entry] = session.kg.find(CrystalEntry)  # of both, for the atoms are the same
        runs = [session.kg.pull(Run, one.run) for one in (apart, measured)]
    assert (framework.net.name, framework.found_in) == ("pcu", "SAHYIK")
    assert framework.remarks[0] == "SAHYIK was read from ASR/SAHYIK_clean.cif in export"
    assert isinstance(measured.last, PoreAnalysis)
    assert measured.last.atoms == entry.atoms == apart.last.atoms
    assert (entry.reference_code, entry.entry_source) == (
        "SAHYIK",
        "ASR/SAHYIK_clean.cif in export",
    )
    for run in runs:
        assert entry.iri in {link.iri for link in run.about}
        assert str(folder) not in run.model_dump_json()


class Database:
    """Answers `GET /cif/CODE.cif`."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def answer(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        code = handler.path.removeprefix("/cif/").removesuffix(".cif")
        self.asked.append(code)
        if code == "SAHYIK":
            reply(handler, (CRYSTALS / "MOF-5.cif").read_bytes(), "chemical/x-cif", 200)
        elif code == "LOGINS":
            reply(handler, b"<html>Please log in</html>", "text/html", 200)
        elif code == "BROKEN":
            reply(handler, b"", "text/plain", 503)
        else:
            reply(handler, b"", "text/plain", 404)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_server_is_asked_once(cache: Path, odd: Callable[[Answerer], OddServer]) -> None:
    database = Database()
    port = odd(database.answer).port
    address = f"http://127.0.0.1:{port}/cif/{{code}}.cif"
    first, again = (found_entry("SAHYIK", address=address) for _ in range(2))
    assert first == again
    assert database.asked == ["SAHYIK"]
    assert cache in first.path.parents
    assert first.source == f"http://127.0.0.1:{port}/cif/SAHYIK.cif"
    assert first.path.read_text() == (CRYSTALS / "MOF-5.cif").read_text()
    for code, kind, problem in (
        ("ABSENT", NotFoundError, r"there is no \S+ \(404\)"),
        ("BROKEN", ResourceError, "answers 503"),
        ("LOGINS", ResourceError, "no CIF file"),
    ):
        for _ in range(2):  # what is no answer is not kept
            with pytest.raises(kind, match=problem):
                found_entry(code, address=address)
        assert database.asked[-2:] == [code, code]


def test_without_a_network_it_is_said_where_it_fails(cache: Path) -> None:
    from tests.ports import free_port

    with pytest.raises(ResourceError, match=r"cannot be reached: .*refused") as caught:
        found_entry("SAHYIK", address=f"http://127.0.0.1:{free_port()}/{{code}}")
    assert "crystal_url" in str(caught.value.advice)
    assert not list(cache.rglob("*.cif"))


@pytest.mark.parametrize(
    "address",
    [
        "https://a.org/{code}?key=secret",
        "https://me:secret@a.org/{code}",
        "file:///{code}",
        "https://a.org/code",
        "https://a.org/{code}#secret",
    ],
)
def test_an_address_with_a_secret_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="crystal_url"):
        read_settings(crystal_url=address)


# --- parameters of the published tool -----------------------------------------------------------

PARTS: dict[str, Any] = {
    "topology_pormake_id": "pcu",
    "node_pormake_id": "N16",
    "linker_pormake_id": "E14",
}


def test_what_each_argument_of_the_published_tool_means() -> None:
    def means(name: str, **said: object) -> dict[str, object]:
        return workflows().named(name).whole.translated(said)

    assert workflows().named("run_mof_workflow").command == "mof build"
    assert means("mof build", **PARTS) == {"framework design": "pcu N16 E14"}
    assert means("mof build", topology_iris=["g:id/Net/a"], node_pormake_id="N16") == {
        "framework design": "g:id/Net/a N16"
    }
    lists = {
        "topology_iris": ["g:id/Net/a"],
        "metal_node_iris": ["g:id/MetalNode/b"],
        "organic_linker_iris": ["g:id/OrganicLinker/c", "g:id/OrganicLinker/d"],
    }
    meant = {
        "net": ["g:id/Net/a"],
        "nodes": ["g:id/MetalNode/b"],
        "linkers": ["g:id/OrganicLinker/c", "g:id/OrganicLinker/d"],
    }
    assert means("mof search", **lists, update_graph=False) == {**meant, "keep": False}
    assert means("mof explore", **lists, update_graph=True) == meant
    for name in ("mof process", "mof measure"):
        assert means(name, csd_refcode=" sahyik ") == {"molecule": "SAHYIK"}
        assert means(name, input_cif_filename="some.cif", csd_refcode=None) == {
            "molecule": "some.cif"
        }


@pytest.mark.parametrize(
    ("name", "said", "problem", "advice"),
    [
        ("mof build", {"csd_refcode": "SAHYIK"}, "that is a crystal", "mof measure"),
        ("mof build", {"topology_pormake_id": "pcu"}, "no node is named", "node_pormake_id"),
        ("mof build", {**PARTS, "topology_iris": ["a", "b"]}, "with 3 of", "mof search"),
        ("mof build", {**PARTS, "mof_name": "mine"}, "called after their net", "leave it out"),
        ("mof build", {**PARTS, "update_graph": False}, "always kept", "leave it out"),
        ("mof process", {"topology_pormake_id": "pcu"}, "its own net", "mof build"),
        ("mof process", {"csd_refcode": "SAHYIK", "input_cif_filename": "a.cif"}, "too", "alone"),
        ("mof search", {"summarised_user_query": "find some"}, "by a sentence", "leave it out"),
        ("mof explore", {"input_cif_filename": "a.cif"}, "that is a crystal", "mof process"),
    ],
)
def test_what_has_no_meaning_here_is_refused(
    name: str, said: dict[str, object], problem: str, advice: str
) -> None:
    with pytest.raises(InputError, match=problem) as caught:
        workflows().named(name).whole.translated(said)
    assert advice in str(caught.value.advice)


def test_an_assistant_and_python_build_by_them(tmp_path: Path) -> None:
    with Grafico("memory:", threads_per_calculation=1) as session:
        context = ToolContext(session, tmp_path / "files")
        asked = {"name": "run_mof_workflow", "subjects": [], "arguments": PARTS}
        [row] = next(iter(used(context, "run_workflow", **asked).values()))
        assert row["status"] == "finished"
        done = session.run(workflow="mof build", **PARTS)
        assert done.last.framework.framework_name == "pcu N16 E14"
        assert all(answer.reused for answer in done.answers)
        sentence = {**asked, "arguments": {**PARTS, "summarised_user_query": "build"}}
        with pytest.raises(ArgumentsError, match="by a sentence"):
            used(context, "run_workflow", **sentence)
