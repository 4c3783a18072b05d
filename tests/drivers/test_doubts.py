"""What a module of somebody else does wrong leaves open what was done, and a person says."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from tests.drivers.cup import HEAD, MODULE, Bench
from triplestore.errors import (
    ConsentError,
    CrashError,
    GraficoError,
    RecordError,
    TimeLimitError,
)
from workflows.drivers.files import card_of
from workflows.trust.programs import program_of


@pytest.mark.parametrize(
    ("parts", "error", "words"),
    [
        ({"filling": "raise OSError('no line')"}, CrashError, "OSError: no line"),
        ({"filling": "return False"}, CrashError, "it returned False"),
        ({"filling": "os._exit(3)"}, CrashError, "ended with status 3"),
        ({"filling": "os.kill(os.getpid(), 9)"}, CrashError, "ended by signal 9"),
        ({"filling": "sys.exit(0)"}, CrashError, "SystemExit"),
        (
            {"filling": "[os.write(n, b'rubbish\\n') for n in _writable()]"},
            CrashError,
            "said what is no answer",
        ),
        (
            {"filling": "[os.write(n, b'{\"id\": 99, \"states\": {}}\\n') for n in _writable()]"},
            CrashError,
            "said what is no answer",
        ),
        (
            {"filling": "[os.write(n, b'x' * 5_000_000) for n in _writable()]"},
            CrashError,
            "said what is no answer",
        ),
        ({"filled": "return"}, RecordError, "it reports lid open, level 0"),
        ({"filled": "level = 'x' * 10_000_000; return"}, RecordError, "it reports lid open"),
    ],
    ids=[
        "raises", "false", "exits", "killed", "leaves", "garbage", "lies", "floods", "differs",
        "huge",
    ],
)  # fmt: skip
def test_what_nobody_knows_a_person_says(
    bench: Bench, parts: dict[str, str], error: type[GraficoError], words: str
) -> None:
    """Nothing more is sent; what a person says of the operation counts, and is not done again."""
    good = bench.module()
    text = bench.file.read_text() + FINDS
    bad = (HEAD + MODULE).format(
        world=str(bench.world), opening="pass", **{"filling": "pass", "filled": "pass"} | parts
    )
    bench.file.write_text(bad + FINDS)
    digest = program_of(bench.file).digest
    card = good.model_copy(update={"source": good.source.model_copy(update={"sha256": digest})})
    bench.trust()
    with pytest.raises(error) as raised:
        bench.run(card, "level=1, lid=closed")
    assert words in str(raised.value)
    assert len(str(raised.value)) < 1500
    assert bench.outcomes == ["done", "open"]
    assert "close_lid" not in bench.done
    before = bench.lines
    for _ in range(2):  # however often it is asked
        with pytest.raises(ConsentError, match="nobody knows whether it was done"):
            bench.run(card, "level=1, lid=closed")
    assert [one for one in bench.lines if one != "imported"] == [
        one for one in before if one != "imported"
    ]
    bench.file.write_text(text)  # mended
    digest = program_of(bench.file).digest
    card = good.model_copy(update={"source": good.source.model_copy(update={"sha256": digest})})
    bench.trust()
    came = bench.run(card, "level=1, lid=closed", "2 done")
    assert came.steps == ("close_lid",)
    assert bench.outcomes == ["done", "done", "done"]


FINDS = """
def _writable():
    found = []
    for n in range(3, 64):
        try:
            os.write(n, b"")
            found.append(n)
        except OSError:
            pass
    return found
"""


def test_a_module_that_hangs_is_ended_and_halted(bench: Bench) -> None:
    wait = "time.sleep(1000)"
    card = bench.trusted(opening=wait, halting="pass")
    with pytest.raises(TimeLimitError, match="said nothing for 1 s"):
        bench.run(card, "lid=open", seconds=1.0)
    assert bench.done == ["halt"]
    assert bench.outcomes == ["open"]
    with pytest.raises(ConsentError, match="nobody knows"):
        bench.run(card, "lid=open")


def test_what_it_prints_is_no_answer_however_much(bench: Bench) -> None:
    much = (
        "print('{\"id\": 1, \"states\": {}}'); print('x' * 20_000_000); sys.stderr.write('y' * 9)"
    )
    assert bench.run(bench.trusted(opening=much), "lid=open").steps == ("open_lid",)
    assert bench.outcomes == ["done"]


def test_a_module_that_forks_answers_once_and_leaves_nothing(bench: Bench) -> None:
    forks = (
        "child = os.fork(); child or os.fork();"
        " _note(f'pid {os.getpid()}');"
        " (child or time.sleep(0)) if child else (time.sleep(1000) if os.fork() == 0 else None)"
    )
    card = bench.trusted(opening=forks)
    bench.run(card, "lid=open")
    assert bench.outcomes == ["done"]
    pids = [int(one.split()[1]) for one in bench.done if one.startswith("pid ")]
    assert len(pids) == 3
    for pid in pids:
        if psutil.pid_exists(pid):
            assert psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_a_module_that_cannot_begin_says_why(bench: Bench) -> None:
    card = bench.module()
    text = bench.file.read_text() + "\nimport no_such_package\n"
    bench.file.write_text(text)
    source = card.source.model_copy(update={"sha256": program_of(bench.file).digest})
    bench.trust()
    with pytest.raises(CrashError, match="No module named 'no_such_package'"):
        bench.run(card.model_copy(update={"source": source}), "lid=open")
    assert bench.outcomes == []


def test_a_function_that_is_not_there_is_refused_and_nothing_in_doubt(bench: Bench) -> None:
    card = bench.trusted()
    said = card.model_dump(mode="json")
    said["commands"]["tilt"] = {"makes": {"lid": "'open'"}}
    said["commands"].pop("open_lid")
    with pytest.raises(GraficoError, match="no function tilt"):
        bench.run(card_of(said), "lid=open")
    assert bench.outcomes == ["undone"]


@pytest.mark.parametrize("place", ["command", "part", "halt"])
def test_a_device_file_calls_nothing_that_the_module_has_imported(bench: Bench, place: str) -> None:
    """A file of somebody else, with a module that is trusted."""
    card = bench.module()
    bench.file.write_text(bench.file.read_text() + "\nfrom os import mkdir\n")
    bench.trust()
    said = card.model_dump(mode="json")
    said["source"]["sha256"] = program_of(bench.file).digest
    planted = str(bench.folder / "planted")
    if place == "command":
        argument = {"kind": "str", "choices": [planted]}
        makes = {"lid": "'open'"}
        said["commands"] = {"mkdir": {"arguments": {"path": argument}, "makes": makes}}
    elif place == "part":
        said["source"] |= {"part": "mkdir", "arguments": {"path": planted}}
    else:
        said["halt"] = "mkdir"
    with pytest.raises(GraficoError, match=r"no (function|class) mkdir of its own"):
        bench.run(card_of(said), f"lid=open, path={planted}" if place == "command" else "lid=open")
    assert not Path(planted).exists()


def test_a_state_that_is_no_value_is_a_difference(bench: Bench) -> None:
    card = bench.trusted(filled="level = float('nan'); return")
    said = card.model_dump(mode="json")
    said["commands"]["fill"]["makes"] = {"level": "1"}
    with pytest.raises(RecordError, match="reports level as nan"):
        bench.run(card_of(said), "level=1")
    assert bench.outcomes == ["done", "open"]
