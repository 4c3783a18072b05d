"""Which files are read for whom: the gate itself."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from triplestore.errors import GraficoError, InputError, NotFoundError
from workflows.batch.sources import opened as source
from workflows.molecule.files import read_content
from workflows.molecule.library import MOLECULES
from workflows.molecule.recognition import recognise
from workflows.programs.isolated import in_subprocess
from workflows.trust.caller import (
    NOBODY,
    PERSON,
    Caller,
    ConsentQuestion,
    SpecialFileError,
    asked_by,
    caller,
    located,
    opened,
    quoted,
)

SECRET = "OPENAI_API_KEY=sk-not-for-you"
H2 = "2\n\nH 0 0 0\nH 0 0 0.74\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a key and a structure, and within it the folder of a conversation."""
    home, folder = tmp_path / "home", tmp_path / "home" / "work"
    folder.mkdir(parents=True)
    (home / "key").write_text(SECRET)
    (home / "mine.xyz").write_text(H2)
    (folder / "a.xyz").write_text(H2)
    (folder / "below").mkdir()
    (folder / "below" / "b.xyz").write_text(H2)
    (folder / ".env").write_text(SECRET)
    (folder / ".git").mkdir()
    (folder / ".git" / "c.xyz").write_text(H2)
    (folder / "link.xyz").symlink_to(home / "mine.xyz")
    (folder / "hidden.xyz").symlink_to(".env")
    (folder / "chain.xyz").symlink_to("link.xyz")
    (folder / "up").symlink_to(home, target_is_directory=True)
    (folder / "fine.xyz").symlink_to("below/b.xyz")
    (folder / "loop.xyz").symlink_to("loop.xyz")
    os.mkfifo(folder / "pipe.xyz")
    monkeypatch.setenv("HOME", str(home))
    return home


def reaches(home: Path) -> list[str]:
    """Names by which somebody might get at what is not theirs."""
    held = os.open(home / "key", os.O_RDONLY)
    home_again = os.path.relpath(home, "/")
    return [
        str(home / "key"), str(home / "mine.xyz"), "../key", "../mine.xyz", "../MINE.xyz",
        "below/../../key", "~/key", "~root/.bashrc", "~", ".env", "./.env", ".git/c.xyz",
        "below/../.env", "link.xyz", "chain.xyz", "hidden.xyz", "up/key", "up/mine.xyz",
        "up/work/../key", "loop.xyz", f"/proc/self/fd/{held}", f"/dev/fd/{held}",
        f"/proc/{os.getpid()}/fd/{held}", f"/proc/self/root/{home_again}/key",
        "/proc/self/environ", "/proc/self/cwd", "/dev/stdin", "/dev/zero", "/", "..", "../..",
        "/etc/passwd", "x\0.xyz", "n" * 5000, "a.xyz/../../key", f"//{home_again}/key",
        str(home / "work" / ".." / "key"), "file:../key",
    ]  # fmt: skip


def test_only_what_lies_in_the_folder_is_there_for_anybody_but_a_person(home: Path) -> None:
    folder = home / "work"
    with asked_by(Caller(folder=folder)):
        for name in reaches(home):
            assert located(name) is None, name
            with pytest.raises((FileNotFoundError, ValueError, OSError)), opened(name):
                pass
        for name in ("a.xyz", "./a.xyz", "below/b.xyz", str(folder / "a.xyz"), "fine.xyz"):
            assert located(name) is not None, name
            with opened(name) as file:
                assert file.read().decode() == H2
        assert located("a.xyz") == (folder / "a.xyz").resolve()
        with pytest.raises(SpecialFileError), opened("pipe.xyz"):  # and nobody waits for it
            pass
        with pytest.raises(IsADirectoryError), opened("below"):
            pass


def test_absent_and_out_of_reach_are_one_answer(home: Path) -> None:
    folder = home / "work"
    with asked_by(Caller(folder=folder)):
        for there, not_there in (
            (str(home / "key"), str(home / "kex")),
            ("../mine.xyz", "../mime.xyz"),
            ("up/mine.xyz", "up/mime.xyz"),
            ("~/key", "~/kex"),
            ("link.xyz", "lind.xyz"),
            ("/etc/passwd", "/etc/passwx"),
        ):
            told: list[str] = []
            for name in (there, not_there):
                with pytest.raises(GraficoError) as caught:
                    recognise(name)
                assert isinstance(caught.value, NotFoundError)
                told.append(str(caught.value).replace(name, "…"))
                with pytest.raises(NotFoundError) as caught:
                    read_content(Path(name))
                told.append(str(caught.value).replace(name, "…"))
                with pytest.raises(NotFoundError) as caught, source(name, MOLECULES):
                    pass
                told.append(str(caught.value).replace(name, "…"))
            assert told[:3] == told[3:], there
            assert "a.xyz" in told[0], "what there is"


def test_a_person_gets_all_that_this_user_may_read(home: Path) -> None:
    assert caller() is PERSON
    assert located("~/mine.xyz") == home / "mine.xyz"
    assert read_content(Path("~/mine.xyz")).atoms.formula == "H2"
    assert recognise(str(home / "work" / "link.xyz")) == "file"
    with pytest.raises(InputError, match="no regular file"):
        read_content(home / "work" / "pipe.xyz")


def test_nothing_is_read_for_what_stands_in_a_list(home: Path) -> None:
    with asked_by(NOBODY):
        assert located(home / "mine.xyz") is None
        assert located("a.xyz") is None
        with pytest.raises(NotFoundError, match="none is read"):
            recognise(str(home / "mine.xyz"))


def test_lines_of_a_file_are_quoted_to_nobody_but_a_person(home: Path) -> None:
    folder = home / "work"
    wrong = {
        "env.xyz": SECRET,
        "line.xyz": f"2\n\nH 0 0 0\n{SECRET}\n",
        "atom.xyz": f"1\n\n{SECRET} 0 0 0\n",
        "number.xyz": f"1\n\nH 0 0 {SECRET}\n",
        "rest.xyz": f"{H2}{SECRET}\n",
        "charge.xyz": f"1\ncharge={SECRET}\nH 0 0 0\n",
        "pairs.xyz": f'1\nLattice="{SECRET}\nH 0 0 0\n',
        "columns.xyz": f"1\nProperties={SECRET}\nH 0 0 0\n",
        "key.mol": f"{SECRET}\n" * 5,
        "mol.mol": f"\n\n\n{SECRET} V2000\n",
        "key.cif": SECRET,
        "cell.cif": f"data_x\n_cell_length_a {SECRET}\nloop_\n_atom_site_label\nC1\n",
        "place.cif": "data_x\n_cell_length_a 5\n_cell_length_b 5\n_cell_length_c 5\n"
        "_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\nloop_\n"
        "_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n"
        f"C1 0 0 {SECRET}\n",
    }
    for name, text in wrong.items():
        (folder / name).write_text(text)
        with asked_by(Caller(folder=folder)), pytest.raises(InputError) as caught:
            read_content(Path(name))
        assert "sk-not" not in str(caught.value), name
        assert "OPENAI" not in str(caught.value), name
    with pytest.raises(InputError, match="OPENAI_API_KEY=sk"):
        read_content(folder / "env.xyz")
    with asked_by(Caller(folder=folder)):
        assert quoted(SECRET) == "something else"
        for raw in MOLECULES.split(iter([f"{SECRET}\n"]), ".xyz"):
            assert "sk-not" not in raw.problem


def read_there(name: str) -> str:
    try:
        return read_content(Path(name)).atoms.formula
    except NotFoundError:
        return f"none for {caller().folder}"


async def test_another_process_reads_for_the_same_caller(home: Path) -> None:
    for folder, told in ((home / "work", f"none for {home / 'work'}"), (home, "H2")):
        with asked_by(Caller(folder=folder)):
            assert await in_subprocess("a test", read_there, str(home / "mine.xyz")) == told
    assert await in_subprocess("a test", read_there, str(home / "mine.xyz")) == "H2"


async def test_who_asks_goes_along_with_tasks_and_threads_and_ends_with_them(home: Path) -> None:
    async def look() -> Path | None:
        await asyncio.sleep(0)
        return located(home / "mine.xyz")

    with asked_by(Caller(folder=home / "work")):
        task = asyncio.create_task(look())
        assert await asyncio.to_thread(located, home / "mine.xyz") is None
    assert await task is None
    assert await look() is not None


def test_a_link_that_is_put_in_the_place_of_a_file_gives_nothing(home: Path) -> None:
    """A race that an opponent in the same folder may well win, but for the second look."""
    folder, over = home / "work", threading.Event()
    name = folder / "race.xyz"

    def swap() -> None:
        while not over.is_set():
            for make in (lambda: name.write_text(H2), lambda: name.symlink_to(home / "key")):
                with contextlib.suppress(OSError):
                    name.unlink()
                with contextlib.suppress(OSError):
                    make()

    opponent = threading.Thread(target=swap)
    opponent.start()
    try:
        with asked_by(Caller(folder=folder)):
            for _ in range(3000):
                with contextlib.suppress(OSError), opened("race.xyz") as file:
                    assert SECRET.encode() not in file.read()
    finally:
        over.set()
        opponent.join()


def test_sockets_and_devices_are_no_files_for_anybody(home: Path) -> None:
    with socket.socket(socket.AF_UNIX) as here:
        here.bind(os.fspath(home / "s"))
        for name in (home / "s", "/dev/null", "/dev/zero"):
            with pytest.raises(OSError), opened(name):  # noqa: PT011
                pass


def test_a_caller_goes_to_another_process_without_whom_could_be_asked(home: Path) -> None:
    async def yes(_: ConsentQuestion) -> bool:
        return True

    for one in (PERSON, NOBODY, Caller(folder=home)):
        assert Caller.of_text(one.text) == replace(one, away=True), "and nothing is done there"
    asks = Caller(is_person=True, ask=yes)
    assert Caller.of_text(asks.text) == replace(PERSON, away=True)
