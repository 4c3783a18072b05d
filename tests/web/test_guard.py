"""Who may ask: this page with its token, on this machine, and nobody else."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from .served import Served, served


def test_the_page_itself_is_read_without_a_token_and_nothing_else_is(server: Served) -> None:
    page = server.ask("GET", "/", headers={"Authorization": ""})
    assert page.status == 200
    assert b"</html>" in page.body
    for path in ("/api/state", "/api/stream", "/api/conversations", "/api/runs", "/api/nothing"):
        assert server.ask("GET", path, headers={"Authorization": ""}).status == 401
        assert server.ask("GET", path, headers={"Authorization": "Bearer wrong"}).status == 401
        assert (
            server.ask("GET", path, headers={"Authorization": f"Basic {server.token}"}).status
            == 401
        )
    assert server.ask("GET", "/api/state").status == 200
    assert server.ask("POST", "/", {}).status == 405


def test_answers_let_a_browser_do_nothing_but_what_is_needed(server: Served) -> None:
    for path in ("/", "/api/state", "/api/nothing", "/nothing"):
        headers = server.ask("GET", path).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == "'self'"
        assert policy["frame-ancestors"] == policy["form-action"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "set-cookie" not in headers
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Origin", "http://evil.example", 403),
        ("Origin", "null", 403),
        ("Origin", "http://127.0.0.1:1", 403),
        ("Sec-Fetch-Site", "cross-site", 403),
        ("Sec-Fetch-Site", "same-site", 403),
        ("Host", "evil.example", 421),
        ("Host", "127.0.0.1", 421),
        ("Host", "127.0.0.1.evil.example:80", 421),
    ],
)
def test_a_page_of_somebody_else_asks_in_vain(
    server: Served, header: str, value: str, status: int
) -> None:
    before = server.get("/api/conversations")["rows"]
    said = {"key": "", "text": "energy of water", "run": "last", "why": "no", "job": "grafico"}
    for path in ("conversations", "ask", "withdraw", "cancel", "resume", "stop", "answer"):
        refused = server.ask("POST", f"/api/{path}", said, headers={header: value})
        assert refused.status == status
        assert "open the address" in refused.error
    assert server.get("/api/conversations")["rows"] == before


def test_the_page_may_be_opened_from_a_link(server: Served) -> None:
    assert (
        server.ask("GET", "/", headers={"Sec-Fetch-Site": "cross-site", "Authorization": ""}).status
        == 200
    )


def test_a_second_server_does_not_know_the_token_of_the_first(
    server: Served, tmp_path: Path
) -> None:
    with served(tmp_path / "store", tmp_path / "here") as other:
        assert other.token != server.token
        assert (
            other.ask(
                "GET", "/api/state", headers={"Authorization": f"Bearer {server.token}"}
            ).status
            == 401
        )
        assert other.ask("GET", "/api/state", headers={"Origin": server.address}).status == 403


@pytest.mark.parametrize("place", ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "example.org:80"])
def test_other_machines_are_refused_and_the_way_round_is_named(place: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "grafico", "web", "--at", place]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert "ssh -L" in done.stderr


@pytest.mark.parametrize("place", ["word", "99999", "1:2:x", ""])
def test_a_place_that_is_none_is_refused(place: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = place or str(taken.getsockname()[1])
        command = [sys.executable, "-m", "grafico", "web", "--at", place, "--no-browser"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode in (1, 2)
    assert f"{place}" in done.stderr
    assert "Traceback" not in done.stderr
