"""Another package brings a reader of files: `grafico import` asks each that there is."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import ROOT, Shell, install

INIT = """
from workflows.registry import Reader
READERS = (Reader("notes", "a note of notes", "notes.reads:bring_in"),)
"""
READS = """
from pathlib import Path
from ontologies.provenance import Software
from workflows.registry import Taken

def bring_in(kg, places, tell):
    for place in places:
        path = Path(place)
        for one in sorted(path.iterdir()) if path.is_dir() else [path]:
            if one.is_file() and one.read_bytes().startswith(b"NOTE "):
                note = Software(name=one.read_text()[5:].strip(), version="1")
                kg.push(note)
                yield Taken(str(one), 1, "new", run=note.iri)
            elif path == one:
                yield Taken(place, 0, "not known", "it is no note")
"""


def test_each_file_goes_to_the_reader_that_knows_it(tmp_path: Path) -> None:
    site = tmp_path / "site"
    install(site, "notes", "[grafico.workflows]\nnotes = notes\n")
    (site / "notes").mkdir()
    (site / "notes" / "__init__.py").write_text(INIT)
    (site / "notes" / "reads.py").write_text(READS)
    work = tmp_path / "work"
    (work / "folder").mkdir(parents=True)
    output = (ROOT / "examples" / "water_psi4.out").read_bytes()
    (work / "water.out").write_bytes(output)
    (work / "one.note").write_text("NOTE first\n")
    (work / "folder" / "two.note").write_text("NOTE second\n")
    (work / "folder" / "water.out").write_bytes(output)
    (work / "stranger.txt").write_text("nobody's\n")
    shell = Shell(work, site, fresh=True)
    files = ("water.out", "one.note", "folder", "stranger.txt")
    out, _ = shell("import", *files, "--json", status=1)
    fates = [(Path(one["file"]).name, one["fate"]) for one in json.loads(out)]
    assert sorted(fates) == [
        ("one.note", "new"),
        ("stranger.txt", "not known"),
        ("two.note", "new"),
        ("water.out", "new"),
        ("water.out", "there"),
    ]
    _, err = shell("import", "stranger.txt", status=2)
    assert "a note of notes" in err
    assert "Psi4" in err
