"""A journal that says what it may not: nothing of it is stored, and the job can be taken out."""

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ogm.literals import double
from ogm.terms import BASE
from ogm.writing import encode
from ontologies.provenance import Activity, Outcome, Run, Software
from ontologies.quantum import EnergyResult
from triplestore import open_store
from triplestore.errors import InputError
from workflows.engine.jobs.job import Job, JobFolder
from workflows.engine.jobs.journal import JournalStore

from .hostile import XTB

pytest.importorskip("tblite")

LIE = -99.5


def everything(session: Grafico) -> list[bytes]:
    return sorted(line for piece in session.kg.store.dump() for line in piece.splitlines())


def submitted(session: Grafico) -> JobFolder:
    begin = datetime.now(UTC) + timedelta(hours=1)
    job = session.run("N", **XTB, on="here", begin=begin)
    assert isinstance(job, Job)
    return session.desk.named(job.name)


def written(place: JobFolder, quads: str, settled: tuple[str, ...] = ()) -> None:
    """Write quads into the journal of a job, as its program does."""
    with JournalStore(open_store("memory:"), place.part(1) / "journal", place.part(1)) as store:
        store.insert(quads.encode(), settled=settled)


def _energy(session: Grafico, point: EnergyResult, other: Run) -> str:
    """The headline: another energy for what is stored, and nothing of it settled."""
    return f"<{point.iri}> <{BASE}energy> {double(LIE)} .\n"


def _whole(session: Grafico, point: EnergyResult, other: Run) -> str:
    lying = point.model_copy(update={"energy": LIE}).identified(point.iri)
    return encode([lying]).decode()


def _more(session: Grafico, point: EnergyResult, other: Run) -> str:
    return f'<{point.iri}> <{BASE}remark> "wrong" .\n'


def _word(session: Grafico, point: EnergyResult, other: Run) -> str:
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    return f'<{BASE}energy> <{label}> "entropy" .\n'


def _graph(session: Grafico, point: EnergyResult, other: Run) -> str:
    return '<urn:a> <urn:b> "c" <urn:graph> .\n'


def _nameless(session: Grafico, point: EnergyResult, other: Run) -> str:
    return '_:a <urn:b> "c" .\n'


def _value(session: Grafico, point: EnergyResult, other: Run) -> str:
    true = Software(name="tblite", version="0.0")
    return encode([true]).decode().replace('"0.0"', '"9.9"')


def _maker(session: Grafico, point: EnergyResult, other: Run) -> str:
    activity = session.kg.find(Activity)[0]
    return encode([activity.identified(f"{BASE}id/Activity/other")]).decode()


def _outcome(session: Grafico, point: EnergyResult, other: Run) -> str:
    from ogm import Link

    end = Outcome(run=Link[Run](other.iri), status="failed", message="", ended=datetime.now(UTC))
    return encode([end]).decode()


def _class(session: Grafico, point: EnergyResult, other: Run) -> str:
    return encode([Software(name="a", version="b")]).decode().replace("id/Software", "id/Run")


def _text(session: Grafico, point: EnergyResult, other: Run) -> str:
    return "this is no quad\n"


Lie = Callable[[Grafico, EnergyResult, Run], str]
LIES: list[Lie] = [
    _energy,
    _whole,
    _more,
    _word,
    _graph,
    _nameless,
    _value,
    _maker,
    _outcome,
    _class,
    _text,
]


@pytest.mark.parametrize("lie", LIES)
def test_nothing_of_it_is_stored_and_it_can_be_taken_out(session: Grafico, lie: Lie) -> None:
    result = session.run("O", **XTB)
    point = session.kg.pull(EnergyResult, result.answers[-1].recorded)
    place = submitted(session)
    [other] = [one for one in session.kg.find(Run) if one.iri != place.job.run]
    good = encode([Software(name="fine", version="1")]).decode()
    JobWriter(place).write(good, lie(session, point, other))
    before = everything(session)
    (job,) = session.jobs()
    assert (job.state, everything(session)) == ("damaged", before), job.damaged
    assert job.damaged.startswith("1/journal, ")
    # who asks again has what is stored, and what the job was about is computed here
    again = session.run("O", **XTB)
    assert (again.energy, again.reused) == (result.energy, True)
    for asked in (lambda: session.resume(job.name), lambda: session.run("N", **XTB, on="here")):
        with pytest.raises(InputError, match="grafico cancel"):
            asked()
    assert session.follow(job.name).state == "damaged"
    ended = session.cancel(job.name)
    assert ended.state == "cancelled"
    assert session.jobs() == []
    assert len(list((place.place.parent / "refused").iterdir())) == 1
    new = session.run("N", **XTB, on="here")
    assert isinstance(new, Job)
    done: Any = session.follow(new.name)
    assert done.status == "finished"
    assert session.kg.pull(EnergyResult, point.iri).energy == result.energy


class JobWriter:
    """Writes a journal of several records."""

    def __init__(self, place: JobFolder) -> None:
        self.place = place

    def write(self, *several: str) -> None:
        for quads in several:
            path = self.place.part(1) / "journal"
            if "quad" in quads or "_:" in quads:  # what no store takes
                import hashlib
                import json

                text = quads.encode()
                checksum = hashlib.sha256(b"[]\n" + text).hexdigest()
                head = {"bytes": len(text), "sha256": checksum, "settled": []}
                with path.open("ab") as file:
                    file.write(json.dumps(head).encode() + b"\n" + text)
            else:
                written(self.place, quads)


def test_every_command_says_so(tmp_path: Path, session: Grafico) -> None:
    result = session.run("O", **XTB)
    place = submitted(session)
    name = place.place.name
    session.cancel(name)
    point = session.kg.pull(EnergyResult, result.answers[-1].recorded)
    written(place, _energy(session, point, session.kg.find(Run)[0]), settled=("urn:nobody",))
    before = everything(session)

    def command(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "grafico", *words, "--store", str(tmp_path / "store")],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
        )

    first = command("runs")
    assert "job" in first.stderr
    assert point.iri in first.stderr
    assert everything(session) == before
    for words, status in (
        (["jobs"], 0),
        (["runs"], 0),
        (["fsck"], 0),
        (["show", result.run], 0),
        (["run", "O", "--method", "GFN2-xTB"], 0),
        (["follow", name], 1),
        (["resume", name], 2),
    ):
        done = command(*words)
        assert (done.returncode, words) == (status, words), done.stderr
        assert str(LIE) not in done.stdout.replace(name, "") or words[0] in ("jobs", "follow")
    assert "damaged" in command("jobs").stdout
    assert command("cancel", name).returncode == 0
    assert session.jobs() == []
    assert session.kg.pull(EnergyResult, point.iri).energy == result.energy


def test_what_others_store_meanwhile_is_left_as_it_is(session: Grafico) -> None:
    """What is said again, in the store or in a later record, changes nothing."""
    place = submitted(session)
    one, two = (Software(name="same", version=text) for text in ("1", "2"))
    session.kg.push(one)
    before = everything(session)
    for _ in range(2):
        written(place, encode([one, two]).decode())
    assert [job.state for job in session.jobs()] == ["waiting"]
    assert set(everything(session)) - set(before) == set(encode([two]).splitlines())
    session.cancel(place.place.name)
