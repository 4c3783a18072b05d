"""`grafico convert`, and molecules of every kind through a session."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from grafico import Grafico
from ontologies.quantum import Embedding
from tests.triplestore.servers import Answerer, OddServer, reply
from tests.typed import typed
from triplestore.errors import InputError, NotFoundError, ResourceError
from workflows.molecule import read_content
from workflows.registry import workflows


def say(*words: str, status: int = 0) -> Result:
    return typed("convert", *words, "--store", "memory:", status=status)


def test_a_file_to_another_and_back(tmp_path: Path) -> None:
    sdf, xyz = tmp_path / "m.sdf", tmp_path / "m.xyz"
    done = say("acetic acid", "-o", str(sdf))
    assert "written to" in done.stdout
    assert "note: coordinates rounded to 4 decimals" in done.stderr
    assert read_content(sdf).comment == "acetic acid"
    say(str(sdf), "--to", "xyz", "-o", str(xyz))
    assert say(str(xyz), "--to", "smiles").stdout == "CC(=O)O\n"
    told = say(str(xyz), "--to", "smiles", status=0).stderr
    assert "note: bonds perceived from distances" in told


def test_json_says_text_and_notes(tmp_path: Path) -> None:
    path = tmp_path / "ion.xyz"
    path.write_text("2\ncharge=-1\nO 0 0 0\nH 0 0 0.97\n")
    said = json.loads(say(str(path), "--to", "smiles", "--json").stdout)
    assert (said["format"], said["text"]) == ("smiles", "[OH-]\n")
    assert "bonds perceived from distances" in said["notes"]
    out = tmp_path / "ion.extxyz"
    said = json.loads(say(str(path), "-o", str(out), "--json").stdout)
    assert (said["format"], said["file"]) == ("extxyz", str(out))
    assert read_content(out).atoms == read_content(path).atoms


def test_what_is_there_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "m.xyz"
    path.write_text("1\n\nHe 0 0 0\n")
    done = say(str(path), "-o", str(path), status=2)
    assert "add --force" in done.stderr
    say(str(path), "-o", str(path), "--force")
    assert "there is no folder" in say(str(path), "-o", str(tmp_path / "no/m.mol"), status=2).stderr
    assert "does not repeat" in say(str(path), "--to", "cif", status=2).stderr


def test_formats_by_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "m.xyz"
    path.write_text("1\n\nHe 0 0 0\n")
    for name, start in (
        ("m.smi", "[He]"),
        ("m.MOL", "\n"),
        ("m.extxyz", "1\n"),
        ("m.inchi", "InChI="),
    ):
        say(str(path), "-o", str(tmp_path / name))
        assert (tmp_path / name).read_text().startswith(start)


ENDINGS = {
    "convert": (
        ("water",),
        ".xyz, .extxyz, .mol, .mol2, .sdf, .cif, .vasp, .espresso, .pdb, .smiles, .inchi, "
        ".selfies, .svg, .png",
    ),
    "stereoisomers": (("CC(O)F",), ".smi, .smiles, .txt"),
    "cube": (("g:id/x", "--density"), ".cube, .cub, .png"),
    "write": (
        ("g:id/x",),
        ".extxyz, .xyz, .sdf, .cif, .pdb, .json, .dat, .psi4, .inp, .gjf, .com, .coord, .molden",
    ),
    "structures": (("g:id/x",), ".xyz, .extxyz, .sdf"),
    "pose": (("g:id/x", "--structure", "water"), ".txt, .dat"),
    "report": ((), ".html, .htm"),
    "export": (("g:id/x",), ".zip"),
    "chats show": (("last",), ".md, .markdown, .txt"),
    "batch": (("C",), ".csv, .tsv, .json, .jsonl, .parquet, .xlsx, .md, .tex, .sdf, .html"),
}


@pytest.mark.parametrize("command", ENDINGS)
@pytest.mark.parametrize("name", ["m.ent", "m.gjx", "m", "m.xyz.bak"])
def test_no_file_is_called_like_what_it_is_not(tmp_path: Path, command: str, name: str) -> None:
    """Nothing is read, computed or written where the name says what cannot be written."""
    words, endings = ENDINGS[command]
    with Grafico(f"{tmp_path}/store"):
        pass
    asked = [*command.split(), *words, "-o", str(tmp_path / name), "--store", f"{tmp_path}/store"]
    done = typed(*asked, status=2)
    told = " ".join(done.stderr.split())
    first = ".smi, " * (command == "convert")
    assert f"name a file that ends with {first}{endings}" in told
    assert not (tmp_path / name).exists()


def test_every_action_says_what_it_writes() -> None:
    for action in workflows().actions:
        assert action.whole.endings, action.name


def test_a_format_that_is_named_may_be_called_anything(tmp_path: Path) -> None:
    say("water", "--to", "xyz", "-o", str(tmp_path / "geometry.dat"))
    assert (tmp_path / "geometry.dat").read_text().startswith("3\n")


FOUND = {"PropertyTable": {"Properties": [{"CID": 702, "SMILES": "CCO"}]}}


def test_every_kind_in_one_session(
    monkeypatch: pytest.MonkeyPatch, odd: Callable[[Answerer], OddServer], tmp_path: Path
) -> None:
    """Notations, IRIs, names online and offline; what was embedded is remembered."""
    for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    server = odd(lambda handler, _: reply(handler, json.dumps(FOUND).encode()))
    monkeypatch.setenv("GRAFICO_PUBCHEM", f"http://127.0.0.1:{server.port}/rest/pug")
    with Grafico(tmp_path / "store") as session:
        inchi = session.convert("InChI=1S/ClF3/c2-1(3)4", "smiles")
        assert inchi.text == "FCl(F)F\n"
        assert "3D structure: built with T-shaped Cl; then GFN2-xTB" in inchi.notes
        assert session.convert("[C][=O]", "smiles").text == "C=O\n"
        with pytest.raises(NotFoundError, match=r"\(online\)"):
            session.convert("blue moonshine", "smiles")
        online = session.convert("blue moonshine", "smiles", online=True)
        assert online.text == "CCO\n"
        assert "name from PubChem, CID 702" in online.notes[0]
        [known] = session.kg.find(Embedding, notation="[C][=O]")
        assert session.convert(known.iri, "selfies").text == "[C][=O]\n"
        assert session.convert(known.atoms.iri, "smiles").text == "C=O\n"
        again = session.convert(known.atoms, "smiles")  # without what is known of its bonds
        assert again.notes[0] == "bonds perceived from distances"
        with pytest.raises(InputError, match="no bond orders fit"):
            session.convert("O", "smiles", charge=-1)  # H2O- has no Lewis formula
    server.stop()
    with Grafico(tmp_path / "store") as session:  # remembered: nobody answers any more
        assert session.convert("blue moonshine", "smiles", online=True).text == "CCO\n"
        with pytest.raises(ResourceError, match="cannot be reached"):
            session.convert("green moonshine", "smiles", online=True)


def test_a_format_that_nobody_knows() -> None:
    with Grafico("memory:") as session, pytest.raises(InputError, match="give xyz, extxyz"):
        session.convert("[He]", "mol3")


def test_a_molecule_as_a_picture(tmp_path: Path) -> None:
    """The picture has the letters of its hetero atoms, and a reader of PNG files sees ink."""
    from PIL import Image

    svg, png, xyz = (tmp_path / name for name in ("m.svg", "m.png", "m.xyz"))
    done = say("aspirin", "-o", str(svg))
    assert "a structural formula" in done.stderr
    drawn = svg.read_text()
    assert drawn.startswith("<?xml")
    assert drawn.count("class='atom-") > 0
    assert set(re.findall(r"class='bond-(\d+) ", drawn)) == {str(n) for n in range(13)}
    say("aspirin", "-o", str(xyz))
    assert "bonds perceived" in say(str(xyz), "-o", str(png)).stderr
    with Image.open(png) as picture:
        assert min(picture.size) > 100
        assert len(set(picture.convert("RGB").getcolors(1 << 20) or ())) > 2
    assert "add --force" in say("water", "-o", str(png), status=2).stderr
    there = tmp_path / "m.bmp"
    there.touch()
    assert "nothing is written as .bmp" in say("water", "-o", str(there), status=2).stderr
    assert say("water", "--to", "svg").stdout.startswith("<?xml")


def test_a_picture_needs_bonds(tmp_path: Path) -> None:
    path = tmp_path / "gas.extxyz"
    path.write_text(
        '2\nLattice="4 0 0 0 4 0 0 0 4" pbc="T T T" Properties=species:S:1:pos:R:3\n'
        "Na 0 0 0\nCl 2 2 2\n"
    )
    assert "it is periodic" in say(str(path), "-o", str(tmp_path / "m.png"), status=2).stderr
