"""One store and one folder for a module; servers that are started once for it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
import pytest_asyncio
from mcp import Client

from tests.mcp.helpers import H2, Person, Typed, kept, piped, web_server


@dataclass
class Line:
    """A client, who is behind it and how it is connected."""

    client: Client
    person: Person
    web: bool
    modern: bool


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("mcp")
    (made / "h2.xyz").write_text(H2)
    for name, apart in (("a", 2.0), ("b", 2.1)):  # half a day or more in a minimal basis set
        neon = [
            f"Ne {apart * x} {apart * y} {apart * z}\n" for x, y, z in product(range(5), repeat=3)
        ]
        (made / f"long-{name}.xyz").write_text(f"{len(neon)}\n\n{''.join(neon)}")
    return made


@pytest.fixture(scope="module")
def store(folder: Path) -> Path:
    return folder / "store"


@pytest.fixture(scope="module")
def web(folder: Path, store: Path) -> Iterator[str]:
    with web_server(store, folder, "0", "--no-token") as (address, _):
        yield address


@pytest_asyncio.fixture(
    scope="module", loop_scope="module", params=["pipe-2025", "pipe-2026", "web-2025", "web-2026"]
)
async def line(request: pytest.FixtureRequest, folder: Path, store: Path) -> AsyncIterator[Line]:
    how, year = request.param.split("-")
    person = Person()
    place = (
        request.getfixturevalue("web")
        if how == "web"
        else piped(store, folder, folder / f"{request.param}.log")
    )
    mode = "legacy" if year == "2025" else "2026-07-28"
    async with kept(Client(place, mode=mode, elicitation_callback=person)) as client:
        yield Line(client, person, how == "web", year == "2026")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Typed]]:
    """Starts servers in the test's folder; none of them outlives the test."""
    started: list[Typed] = []

    def one(*arguments: str) -> Typed:
        started.append(Typed(tmp_path, *arguments))
        return started[-1]

    yield one
    for typed in started:
        typed.process.kill()
        with typed.process:  # closes its pipes
            pass
