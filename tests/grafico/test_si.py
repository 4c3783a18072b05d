"""``grafico si``: what a supporting information says is what the graph says, and nothing else."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.grafico.test_cli import FAST, WATER, Shell

FREQUENCIES = ("run", "water.xyz", *FAST, "--task", "frequencies")
CONFORMERS = ("conformers", "ethanol", "--method", "GFN2-xTB", "-t", "1", "--quiet")
REACTION = ("react", "2 [H] -> [H][H]", "--method", "HF", "--basis", "STO-3G", "-t", "1", "--quiet")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    (tmp_path / "water.xyz").write_text(WATER)
    return Shell(tmp_path)


def ran(shell: Shell, *words: str) -> dict[str, object]:
    out, _ = shell(*words, "--json")
    return json.loads(out)


def grids(text: str) -> list[list[list[str]]]:
    """The tables of a Markdown text, heads first."""
    found = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    return [
        [
            [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in one.splitlines()
            if "---" not in line
        ]
        for one in found
    ]


def test_it_says_where_coordinates_come_from(shell: Shell) -> None:
    shell("run", "water", *FAST)
    shell("si", "-o", "built.md")
    built = (shell.folder / "built.md").read_text()
    assert re.search(r"^\| coordinates \| made from the name water .*RDKit", built, re.MULTILINE)
    shell("run", "water", *FAST, "--task", "optimise")
    shell("si", "-o", "relaxed.md")
    assert "| began from | made from the name water" in (shell.folder / "relaxed.md").read_text()
    shell("run", "water.xyz", *FAST)
    shell("si", "-o", "file.md")
    assert "made from" not in (shell.folder / "file.md").read_text()


def test_water_has_all_that_a_referee_asks_for(shell: Shell) -> None:
    run = str(ran(shell, *FREQUENCIES)["run"])
    out, err = shell("si")
    text = (shell.folder / "si.md").read_text()
    assert "written to" in out
    assert "no reference is known" not in err
    assert text.startswith("# Supporting Information: water\n")

    overview = next(one for one in grids(text) if one[0][0] == "no.")
    row = dict(zip(*overview, strict=True))
    shown = dict(re.findall(r"^\| ([^|]+?) \| (.+?) \|$", text.split("### S1")[1], re.MULTILINE))
    assert float(row["energy (Eh)"]) == pytest.approx(-74.9659, abs=1e-3)
    zero, heat, free = (
        float(row[f"{name} (Eh)"]) for name in ("zero-point energy", "enthalpy", "Gibbs energy")
    )
    waves = [float(one) for one in re.findall(r"\d+\.\d", shown["wavenumbers"])]
    assert waves == pytest.approx([2170, 4140, 4391], abs=3), "HF/STO-3G, cm⁻¹"  # CCCBDB
    assert zero == pytest.approx(sum(waves) / 2 / 219474.63, abs=1e-6)
    # 3/2 RT of translation, as much of rotation, RT for pV; S° of water is 188.8 J/mol/K
    assert heat - float(row["energy (Eh)"]) - zero == pytest.approx(0.003777, abs=2e-5)
    assert heat - free == pytest.approx(188.8 * 298.15 / 2625500, rel=0.01)
    assert row["Nimag"] == "0"
    assert row["point group"] == "C2v"
    assert shown["level of theory"] == "HF/STO-3G"
    assert shown["geometry"] == "minimum (no imaginary mode at this level)"

    coordinates = re.findall(r"```\n(.*?)\n```", text, re.DOTALL)
    atoms = [line.split() for line in coordinates[0].splitlines()]
    assert [one[0] for one in atoms] == ["O", "H", "H"]
    first, second = ([float(x) for x in one[1:]] for one in atoms[:2])
    length = sum((x - y) ** 2 for x, y in zip(first, second, strict=True)) ** 0.5
    assert length == pytest.approx(0.989, abs=0.002), "HF/STO-3G, Å"  # CCCBDB: 0.9894
    assert "-0.00000000" not in text

    assert "Optimisation, vibrations and thermochemistry were computed at HF/STO-3G" in text
    assert "unscaled" in text
    assert "geomeTRIC" in text.split("## Results")[0]
    numbers = [int(one) for one in re.findall(r"^\\\[(\d+)\\\] ", text, re.MULTILINE)]
    cited = {
        int(one)
        for some in re.findall(r"\\\[([\d,]+)\\\]", text.split("## Results")[0])
        for one in some.split(",")
    }
    assert numbers == sorted(cited) == list(range(1, len(numbers) + 1))
    assert "doi:10.1063/1.1672392" in text, "STO-3G"
    assert "doi:10.1002/wcms.1340" in text, "PySCF"
    assert "doi:10.1103/RevModPhys.23.69" in text, "Roothaan"
    assert "No reference is known" not in text
    assert run.rpartition("/")[2] in text

    entries = (shell.folder / "si.bib").read_text()
    assert entries.count("@article{") == len(numbers)
    for doi in re.findall(r"doi:(\S+)\.$", text, re.MULTILINE):
        assert f"doi = {{{doi}}}" in entries
    for name in re.findall(r"^!\[.*\]\((.*)\)$", text, re.MULTILINE):
        assert (shell.folder / name).read_text().lstrip().startswith("<svg")


class Tags(HTMLParser):
    """What a page loads, and whether its tags are closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loaded += [value or "" for name, value in attrs if name == "src"]
        if tag not in ("meta", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_species_of_a_reaction_are_found_without_code_of_theirs(shell: Shell) -> None:
    ran(shell, *REACTION)
    out, _ = shell("si", "-o", "si.html", "--json")
    said = json.loads(out)
    assert [one["title"] for one in said["structures"]] == ["[H]", "[H][H]"]
    page = (shell.folder / "si.html").read_text()
    tags = Tags(page)
    assert tags.loaded == []
    assert tags.open == []
    assert "<h3>reaction energy</h3>" in page
    assert '<a href="https://doi.org/10.1063/1.1672392">' in page
    assert said["without_reference"] == []
    assert said["mixed"] is False


def test_two_levels_of_one_run_are_told_apart(shell: Shell) -> None:
    ran(shell, *REACTION, "--energy-at", "HF/6-31G")
    shell("si")
    text = (shell.folder / "si.md").read_text()
    head, *rows = next(one for one in grids(text) if one[0][0] == "no.")
    assert head[2] == "level"
    energies = {(row[1].replace("\\", ""), row[2]): float(row[3]) for row in rows}
    assert [*energies] == [
        ("[H]", "UHF/6-31G"),
        ("[H]", "UHF/STO-3G"),
        ("[H][H]", "HF/6-31G"),
        ("[H][H]", "HF/STO-3G"),
    ]
    # textbook values of the atom and the molecule (Szabo, Ostlund, ch. 2 and 3), at STO-3G's bond
    said = [*energies.values()]
    assert said == pytest.approx([-0.49823, -0.46658, -1.1268, -1.1175], abs=3e-4)


def test_a_batch_is_its_entries(shell: Shell) -> None:
    (shell.folder / "two.csv").write_text("name,smiles\nhydrogen,[H][H]\nhelium,[He]\n")
    shell("batch", "two.csv", *FAST, "--quiet")
    out, _ = shell("si", "--json")
    said = json.loads(out)
    assert len(said["runs"]) == len(said["structures"]) == 2
    assert [one["title"] for one in said["structures"]] == ["hydrogen", "helium"]


def test_what_is_to_be_cited_stands_alone(shell: Shell) -> None:
    shell("run", "[He]", *FAST, "--quiet")
    shell("si", "-o", "refs.bib")
    assert (shell.folder / "refs.bib").read_text().startswith("@")
    assert sorted(one.name for one in shell.folder.glob("*.bib")) == ["refs.bib"]
    assert not (shell.folder / "si.md").exists()
    _, err = shell("si", "-o", "si.pdf", status=2)
    assert "name a .html and print it" in err


def test_runs_of_different_levels_are_refused_unless_it_is_said(shell: Shell) -> None:
    water = str(ran(shell, *FREQUENCIES)["run"])
    ethanol = str(ran(shell, *CONFORMERS)["run"])
    _, err = shell("si", water, ethanol, status=1)
    assert "different levels" in err
    assert "water: HF/STO-3G; ethanol: GFN2-xTB" in err
    assert "--mixed" in err
    assert not (shell.folder / "si.md").exists()

    shell("si", water, ethanol, "--mixed", "-o", "si.zip", "--author", "A. Chemist")
    with zipfile.ZipFile(shell.folder / "si.zip") as archive:
        names = archive.namelist()
        text = archive.read("si.md").decode()
        (shell.folder / "data.zip").write_bytes(archive.read("data.zip"))
        geometry = archive.read("structures/S2.xyz").decode().splitlines()
        assert {"si.html", "references.bib", "structures/S1.xyz", "figures/figure1.svg"} <= {*names}
    assert "made at different levels of theory (HF/STO-3G and GFN2-xTB)" in text
    overview = next(one for one in grids(text) if one[0][0] == "no.")
    assert overview[0][2] == "level"
    assert [row[1:3] for row in overview[1:3]] == [
        ["water", "HF/STO-3G"],
        ["conformer 1 (ethanol)", "GFN2-xTB"],
    ]
    assert "doi:10.1021/acs.jctc.8b01176" in text, "GFN2-xTB"
    assert "https://www.rdkit.org" in text, "what sampled the conformers"
    assert geometry[0] == "9"
    assert "GFN2-xTB" in geometry[1]
    assert len(geometry) == 11

    with zipfile.ZipFile(shell.folder / "data.zip") as data:
        crate = json.loads(data.read("ro-crate-metadata.json"))
    root = next(one for one in crate["@graph"] if one["@id"] == "./")
    assert {one["@id"] for one in root["about"]} == {water, ethanol}
    shell("import", "data.zip", "--store", "other")
    out, _ = shell("si", water, "--store", "other", "--force", "--json", "-o", "again.md")
    assert json.loads(out)["runs"] == [water]


def test_a_run_that_did_not_finish_is_refused(shell: Shell) -> None:
    shell("run", "OO", *FAST, "--task", "optimise", "--max-steps", "1", "--quiet", status=1)
    _, err = shell("si", status=1)
    assert "the run is not finished: failed (the geometry of H2O2 did not converge" in err
    assert "grafico resume" in err
    assert not (shell.folder / "si.md").exists()


def test_of_the_latest_those_that_did_not_finish_are_left_out_and_named(shell: Shell) -> None:
    shell("run", "water", *FAST, "--quiet")
    shell("run", "OO", *FAST, "--task", "optimise", "--max-steps", "1", "--quiet", status=1)
    shell("run", "ammonia", *FAST, "--quiet")
    _, err = shell("si", "last", "2", "-o", "two.md")
    assert re.search(r"note: #2 \(.*OO\) is left out: failed", err)
    text = (shell.folder / "two.md").read_text()
    assert "ammonia" in text
    assert "water" in text


def test_names_of_others_are_text(shell: Shell) -> None:
    name = "a|b <img src=x onerror=alert(1)> [x](y) *z*"
    (shell.folder / f"{name}.xyz").write_text(WATER)
    ran(shell, "run", f"{name}.xyz", *FAST)
    shell("si")
    shell("si", "-o", "si.html")
    text = (shell.folder / "si.md").read_text()
    row = next(one for one in grids(text) if one[0][0] == "no.")[1]
    assert row[1].replace("\\", "") == name
    assert "\\<img src=x" in text
    page = (shell.folder / "si.html").read_text()
    assert Tags(page).loaded == []
    assert "&lt;img src=x" in page
    _, err = shell("si", "nonsense", "--force", status=2)
    assert "nothing is called so" in err


def test_what_stands_there_is_kept(shell: Shell) -> None:
    ran(shell, "run", "water.xyz", *FAST)
    (shell.folder / "si.md").write_text("mine")
    _, err = shell("si", status=2)
    assert "it exists" in err
    assert (shell.folder / "si.md").read_text() == "mine"
    _, err = shell("si", "-o", "si.odt", status=2)
    assert ".md" in err


def test_what_was_withdrawn_is_refused(shell: Shell) -> None:
    shell(*FREQUENCIES, "--quiet")
    shell("withdraw", "last", "--why", "the wrong water")
    _, err = shell("si", "#1", status=1)
    assert "was withdrawn" in err
    assert not (shell.folder / "si.md").exists()


def test_a_word_file_has_text_tables_and_figures(shell: Shell, need: Callable[[str], str]) -> None:
    need("pandoc")
    shell(*REACTION)
    out, _ = shell("si", "-o", "si.docx")
    assert "si.docx" in out
    with zipfile.ZipFile(shell.folder / "si.docx") as made:
        text = made.read("word/document.xml").decode()
        pictures = [name for name in made.namelist() if name.startswith("word/media/")]
        assert {made.read(one)[:4] for one in pictures} == {b"\x89PNG"}
    assert text.count("<w:tbl>") >= 2
    assert "Supporting Information" in text
    assert "Computational methods" in text
    assert (shell.folder / "si.bib").exists()


def test_without_pandoc_a_word_file_is_refused_with_a_way_on(
    shell: Shell,
) -> None:
    shell("run", "[He]", "--method", "HF", "--basis", "STO-3G", "-t", "1", "--quiet")
    shell.environment["PATH"] = str(shell.folder)
    _, err = shell("si", "-o", "si.docx", status=1)
    assert "pandoc is not on the path" in err
    assert "pandoc si.md -o si.docx" in err
    assert not (shell.folder / "si.docx").exists()


def test_a_comparison_that_was_asked_twice_has_its_structures(shell: Shell) -> None:
    asked = ("compare", "[H][H]", "--level", "HF/STO-3G,HF/3-21G")
    shell(*asked)
    shell(*asked, "--columns", "energy")  # all of it is remembered
    out, _ = shell("si", "last", "--mixed", "--json")
    said = json.loads(out)
    assert len(said["structures"]) == 2


def test_a_structure_of_two_runs_stands_once(shell: Shell) -> None:
    asked = ["compare", "O", "--method", "GFN2-xTB", "--temperature", "298.15,350"]
    shell(*asked, "--task", "frequencies", "--quiet")
    shell("si", "last", "-o", "two.md")
    text = (shell.folder / "two.md").read_text(encoding="utf-8")
    assert text.count("Cartesian coordinates (Å):") == 1
    assert "O, temperature 298.15 K" in text
    assert "O, temperature 350 K" in text
    assert text.count("| Gibbs energy |") == 2


def test_why_a_number_is_missing_is_no_method(shell: Shell) -> None:
    """A radical has no gap of the molecule, which no paper says among its methods."""
    shell("run", "[OH]", *FAST, "--task", "energy", "--quiet")
    shell("si", "last", "-o", "radical.md")
    text = (shell.folder / "radical.md").read_text(encoding="utf-8")
    assert "CODATA" in text
    assert "neither is told" not in text
