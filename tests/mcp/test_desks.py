"""Folders of clients come and go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grafico import Grafico
from grafico.mcp import desks as module
from grafico.mcp.desks import Desks


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    with Grafico("memory:") as opened:
        yield opened


@pytest.fixture
def desks(session: Grafico) -> Iterator[Desks]:
    made = Desks(session, None, False)
    yield made
    made.close()


def test_a_client_comes_back_to_its_folder(desks: Desks) -> None:
    with desks.at("one") as desk, desks.at("two") as other:
        assert desk.folder != other.folder
        (desk.folder / "x.txt").write_text("x")
    with desks.at("one") as again:
        assert again is desk
        assert (again.folder / "x.txt").read_text() == "x"
    desks.close()
    assert not desk.folder.exists()


def test_who_is_not_known_again_leaves_files_only(desks: Desks) -> None:
    with desks.at(None) as desk:
        assert desk.folder.is_dir()
    assert not desk.folder.exists()
    with desks.at(None) as desk:
        path = desk.new_path("report", ".html")
        path.write_text("x")
        name = desks.offer(path)
    assert desks.file(name) == path
    with desks.at(None) as other:
        assert other.folder != desk.folder
    assert desks.file(name) == path
    assert desks.file("x/" + path.name) is None
    assert desks.file(str(path)) is None


def test_what_nobody_uses_goes(desks: Desks, monkeypatch: pytest.MonkeyPatch) -> None:
    with desks.at("one") as desk:
        path = desk.new_path("report", ".html")
        path.write_text("x")
        name = desks.offer(path)
    monkeypatch.setattr(module, "KEPT", -1.0)
    with desks.at("two") as busy:
        assert not desk.folder.exists()
        assert desks.file(name) is None
        with desks.at("three"):
            assert busy.folder.exists()


def test_the_only_client_keeps_its_folder(session: Grafico, tmp_path: Path) -> None:
    desks = Desks(session, tmp_path, False)
    with desks.at("") as desk:
        assert desk.folder == tmp_path
    desks.close()
    assert tmp_path.is_dir()
