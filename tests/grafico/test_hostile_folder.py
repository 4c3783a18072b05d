"""Nothing of a hostile folder's settings is run, asked or written, whatever command is given."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from grafico.cli.app import main
from tests.docs.test_cli_documented import commands
from tests.grafico.hostile import Clone
from tests.warm import program

XTB = ("--method", "GFN2-xTB")


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[Clone]:
    made = Clone(tmp_path)
    yield made
    made.listener.close()


def known() -> dict[str, click.Command]:
    """Every command of the command line, by its whole name without `grafico`."""
    found = dict(commands(main, click.Context(main, info_name="grafico")))
    return {name.partition(" ")[2]: one for name, one in found.items()}


def params(command: click.Command) -> list[click.Parameter]:
    """Return what a command takes, also what it makes of forms when it is asked."""
    return command.get_params(click.Context(command))


def given(command: click.Command, subject: str) -> list[str]:
    """Return a word for each argument that a command must have."""
    words: list[str] = []
    for one in params(command):
        choices = getattr(one.type, "choices", None)
        if isinstance(one, click.Argument) and one.required:
            words.append(choices[0] if choices else subject)
        elif isinstance(one, click.Option) and one.required:
            words += [one.opts[0], choices[0] if choices else "1"]
    return words


def ways(*, away: bool) -> list[list[str]]:
    """Return each command; if so asked with a job, where it can be sent away as one."""
    found: list[list[str]] = []
    for name, command in known().items():
        if isinstance(command, click.Group) and not command.invoke_without_command:
            continue
        if name == "web":  # serves until it is told to end
            continue
        sent = away and any("--on" in one.opts for one in params(command))
        words = [*name.split(), *given(command, "O" if sent else "zorkonium")]
        found.append([*words, "--on", "here"] if sent else words)
    return [*found, ["clusters", "check", "here"], ["clusters", "check", "far"]]


def tried(clone: Clone, every: list[list[str]], **environment: str) -> list[str]:
    """Give commands, four at a time; return those that were refused for want of trust."""
    problems: list[str] = []
    refused: list[str] = []
    for start in range(0, len(every), 4):
        started = [clone.start(*words, **environment) for words in every[start : start + 4]]
        for words, process in zip(every[start : start + 4], started, strict=True):
            _, err = process.communicate(timeout=300)
            if "does not count for this: you have not trusted it" in err:
                refused.append(" ".join(words))
            if process.returncode < 0 or "Traceback" in err:
                problems.append(f"{' '.join(words)}: {process.returncode}\n{err}")
    assert not problems, "\n".join(problems)
    return refused


def test_every_command_in_a_hostile_folder(clone: Clone) -> None:
    clone.says(clone.places + clone.others)
    every = ways(away=False)
    refused = tried(clone, every)
    assert clone.traces == []
    assert not (clone.base / "data").exists(), "another store was taken without a word"
    assert len(refused) > 0.9 * len(every) - 3, "all but those that need no settings"


def test_every_command_with_a_store_of_ones_own(clone: Clone, tmp_path: Path) -> None:
    clone.says(clone.others)
    refused = tried(clone, ways(away=True), GRAFICO_STORE=str(tmp_path / "own"))
    assert clone.traces == []
    assert len([one for one in refused if one.endswith("--on here")]) > 5, refused


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("run", "O", *XTB, "--on", "here"), "clusters.here"),
        (("clusters", "check", "far"), "clusters.far"),
        (("run", "zorkonium", *XTB), "online"),
        (("find", "zorkonium"), "online"),
        (("react", "zorkonium -> O", *XTB), "online"),
        (("ask", "energy of water"), "agent_model"),
        (("ask", "energy of water", "--model", "openai-chat:gpt-5"), "agent_base_url"),
    ],
    ids=lambda one: one if isinstance(one, str) else one[0],
)
def test_who_needs_a_field_is_told_its_name(
    clone: Clone, words: tuple[str, ...], field: str, tmp_path: Path
) -> None:
    """And once trusted, the very same reaches what it names: these tests can fail."""
    clone.says(clone.others)
    (tmp_path / "own").mkdir()
    own = {"GRAFICO_STORE": str(tmp_path / "own")}
    done = clone.run(*words, **own)
    assert done.returncode == 2, done.stderr
    assert f"the setting {field} is needed" in done.stderr
    assert "grafico trust" in done.stderr
    assert clone.traces == []
    digest = json.loads(clone.run("trust", "--show", "--json").stdout)["digest"]
    own |= {"GRAFICO_TRUST": digest, "OPENAI_API_KEY": ""}
    done = clone.run(*words, **own)
    assert "you have not trusted" not in done.stderr
    if field != "agent_model":
        assert clone.traces, done.stderr


def test_places_that_every_session_uses(clone: Clone) -> None:
    for line in clone.places.splitlines():
        field = line.partition(" ")[0]
        clone.says(line)
        done = clone.run("runs")
        own = clone.run("run", "O", "--plan", "--store", "memory:", *XTB, "--trace", "off")
        assert done.returncode == 2
        assert f"the setting {field} is needed" in done.stderr
        assert (own.returncode == 0) == (field != "blobs"), own.stderr  # no option names those
    assert clone.traces == []


def test_what_needs_none_of_it_runs(clone: Clone, tmp_path: Path) -> None:
    """Plain settings count, and programs read no configuration of theirs in that folder."""
    clone.says('method = "HF"\nbasis = "STO-3G"\n' + clone.others)
    own, trace = {"GRAFICO_STORE": str(tmp_path / "own")}, str(tmp_path / "trace")
    done = clone.run("run", "O", "--json", "--trace", trace, **own)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["level"]["method"] == "HF"
    done = clone.run("convert", "O", "-o", "water.xyz", **own)
    assert done.returncode == 0, done.stderr
    done = clone.run("excite", "water.xyz", "--plan", **own)  # for which PySCF is imported there
    assert done.returncode == 0, done.stderr
    assert clone.traces == []


def test_an_assistant_starts_a_server_there(clone: Clone, tmp_path: Path) -> None:
    """What no tool needs is in nobody's way, and the tool that needs it is not offered."""
    clone.says(clone.places)
    done = clone.run("mcp")
    assert done.returncode == 2
    assert "the setting store is needed" in done.stderr
    clone.says(clone.others)
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}},
    ]
    process = subprocess.Popen(
        [*program(), "mcp", "--quiet"],
        cwd=clone.folder,
        text=True,
        env={**clone.environment, "GRAFICO_STORE": str(tmp_path / "own")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
    process.stdin.flush()
    process.stdout.readline()
    offered = [one["name"] for one in json.loads(process.stdout.readline())["result"]["tools"]]
    process.communicate(timeout=60)
    assert "find_results" in offered
    assert "web_search" not in offered
    assert clone.traces == []


def test_sections_of_two_files_are_never_mixed(clone: Clone, tmp_path: Path) -> None:
    """A project may not add a word to a cluster of the person's, trusted or not."""
    clone.own('[clusters.far]\nhost = "127.0.0.1"\n')
    clone.says(f'[clusters.far]\nssh = ["-oProxyCommand={clone.folder}/x.sh"]\n')
    for trusted in ("", json.loads(clone.run("trust", "--show", "--json").stdout)["digest"]):
        done = clone.run(
            "clusters", "check", "far", GRAFICO_TRUST=trusted, GRAFICO_STORE=str(tmp_path / "own")
        )
        assert done.returncode == 2
        assert "clusters.far" in done.stderr
        assert "not mixed" in done.stderr
    clone.says("[clusters.far]\ncores = 2\n")  # nor with plain ones
    assert "not mixed" in clone.run("clusters", GRAFICO_STORE=str(tmp_path / "own")).stderr
    assert clone.traces == []


def test_keys_go_where_the_person_says(clone: Clone, tmp_path: Path) -> None:
    """Even of a trusted project an address gets no key that was meant for others."""
    clone.says(f'agent_base_url = "{clone.url}/v1"\n')
    digest = json.loads(clone.run("trust", "--show", "--json").stdout)["digest"]
    own = {"GRAFICO_STORE": str(tmp_path / "own"), "GRAFICO_TRUST": digest}
    asked = ("ask", "hello", "--model", "openai-chat:gpt-5")
    done = clone.run(*asked, **own)
    assert done.returncode == 2
    assert "OPENAI_API_KEY would be sent to" in done.stderr
    assert "key_origins" in done.stderr
    assert "sk-the-key" not in done.stderr
    assert clone.traces == []
    clone.own(f'key_origins = ["{clone.url}"]\n')
    clone.run(*asked, **own)
    assert any(b"sk-the-key" in one for one in clone.listener.heard)
    for name, text in (
        ("GRAFICO_STORE_TOKEN", f"store = '{clone.url}/query'\n"),
        ("OTEL_EXPORTER_OTLP_HEADERS", f"trace = '{clone.url}'\n"),
    ):
        clone.own("")
        clone.says(text)
        digest = json.loads(clone.run("trust", "--show", "--json").stdout)["digest"]
        clone.listener.heard.clear()
        done = clone.run("runs", **{name: "api-key=wwwwwwwww", "GRAFICO_TRUST": digest})
        assert f"{name} would be sent to" in done.stderr
        assert clone.listener.heard == []


def test_a_module_of_the_folder_is_not_imported(clone: Clone) -> None:
    clone.says("")
    done = subprocess.run(
        [sys.executable, "-m", "grafico", "slots", "--store", "memory:"],
        cwd=clone.folder,
        env=clone.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert clone.traces == []
