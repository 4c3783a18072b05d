"""Folders of clients come and go."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from grafico import Grafico
from grafico.mcp import contexts as module
from grafico.mcp.contexts import ClientContexts
from grafico.mcp.shares import EACH, Shares


@pytest.fixture
def contexts(session: Grafico) -> Iterator[ClientContexts]:
    made = ClientContexts(session, None, False)
    yield made
    made.close()


def test_a_client_comes_back_to_its_folder(contexts: ClientContexts) -> None:
    with contexts.at("one") as context, contexts.at("two") as other:
        assert context.folder != other.folder
        (context.folder / "x.txt").write_text("x")
    with contexts.at("one") as again:
        assert again is context
        assert (again.folder / "x.txt").read_text() == "x"
    contexts.close()
    assert not context.folder.exists()


async def test_a_client_has_a_share_of_what_can_be_read_at_once(contexts: ClientContexts) -> None:
    begun: list[str | None] = []
    go_on = asyncio.Event()

    async def read(client: str | None) -> None:
        async with contexts.share(client):
            begun.append(client)
            await go_on.wait()

    clients = [*["one"] * 6, "two", *[None] * 6, "three"]
    tasks = [asyncio.create_task(read(client)) for client in clients]
    for _ in range(10):
        await asyncio.sleep(0)
    assert begun == [*["one"] * EACH, "two", *[None] * EACH, "three"]
    go_on.set()
    await asyncio.gather(*tasks)
    assert sorted(map(str, begun)) == sorted(map(str, clients)), "all had their turn"


async def test_a_newcomer_goes_before_those_who_have_some_at_work() -> None:
    shares = Shares(each=2, most=3)
    begun: list[str] = []
    ends = {name: asyncio.Event() for name in ("first", "rest")}

    async def read(client: str) -> None:
        async with shares.share(client):
            begun.append(client)
            await ends["first" if len(begun) == 1 else "rest"].wait()

    async def settle() -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    tasks = [asyncio.create_task(read(one)) for one in ("a", "a", "b", "b", "a", "c")]
    await settle()
    assert begun == ["a", "a", "b"]
    gone = [asyncio.create_task(read("d")) for _ in range(2)]
    await settle()
    gone[0].cancel()  # who gives up is forgotten
    await settle()
    ends["first"].set()
    await settle()
    assert begun[3:] == ["c"], "not another one of b, who asked before"
    ends["rest"].set()
    await asyncio.gather(*tasks, gone[1])
    assert sorted(begun) == sorted(["a", "a", "b", "b", "a", "c", "d"]), "all had their turn"
    async with shares.share("a"), shares.share("a"), shares.share("b"):
        pass  # nothing is left of them


def test_who_is_not_known_again_leaves_files_only(contexts: ClientContexts) -> None:
    with contexts.at(None) as context:
        assert context.folder.is_dir()
    assert not context.folder.exists()
    with contexts.at(None) as context:
        path = context.new_path("report", ".html")
        path.write_text("x")
        name = contexts.offer(path)
    assert contexts.file(name) == path
    with contexts.at(None) as other:
        assert other.folder != context.folder
    assert contexts.file(name) == path
    assert contexts.file("x/" + path.name) is None
    assert contexts.file(str(path)) is None


def test_what_nobody_uses_goes(contexts: ClientContexts, monkeypatch: pytest.MonkeyPatch) -> None:
    with contexts.at("one") as context:
        path = context.new_path("report", ".html")
        path.write_text("x")
        name = contexts.offer(path)
    monkeypatch.setattr(module, "KEPT", -1.0)
    with contexts.at("two") as busy:
        assert not context.folder.exists()
        assert contexts.file(name) is None
        with contexts.at("three"):
            assert busy.folder.exists()


def test_the_only_client_keeps_its_folder(session: Grafico, tmp_path: Path) -> None:
    contexts = ClientContexts(session, tmp_path, False)
    with contexts.at("") as context:
        assert context.folder == tmp_path
    contexts.close()
    assert tmp_path.is_dir()
