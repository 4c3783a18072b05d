"""A package brings properties of the usual run for programs that are there: every door takes them.

It is in no list of ours, so that every list which somebody would have to edit by hand fails here.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import dedent

import pytest

from tests.extension.conftest import Shell, install

ENTRY = "[grafico.properties]\n{0} = {0}\n"

DECLARED = dedent('''
    """How easily electrons are displaced."""
    from workflows.registry.properties import Effort, Property

    PROPERTIES = (
        Property(
            "softness",
            {"LevelOfTheory": "softly.science:softness", "TightBinding": "softly.science:softness"},
            "softly.science:Softness",
            "Global softness.",
            cost=2.0,
            effort=Effort(cycles=2000.0),
            words="(global )softness",
        ),
        Property(
            "shells",
            {"LevelOfTheory": "softly.science:shells"},
            "softly.science:Shells",
            "Shells of the nuclei, how many.",
            noun="shells of nuclei",
            step="CountShells",
            goal="shell",
            effort="softly.form:effort",
            form="softly.form:ShellsForm",
            check="softly.form:check",
        ),
    )
''')
FORM = dedent('''
    """What is asked of shells."""
    from typing import Annotated, Literal

    from pydantic import Field

    from triplestore.errors import InputError
    from workflows.engine import Form
    from workflows.engine.request.rules import For
    from workflows.registry.properties import Effort

    class ShellsForm(Form):
        """Shells, and what they are about."""
        shells: Annotated[int | None, Field(ge=1, le=9, description="Shells, how many.")] = None
        about: Annotated[
            Literal["origin", "centre"], For("shells"), Field(description="What they are about.")
        ] = "centre"

    def effort(request):
        return Effort(cycles=1000.0 * request.shells)

    def check(atoms, level, request):
        if request.shells > len(atoms.numbers):
            raise InputError("many shells were asked for", "there are fewer atoms", "ask for fewer")
''')
SCIENCE = dedent('''
    """What is stored and computed."""
    import numpy as np

    from ogm import Vocabulary
    from ontologies.atoms import ConceptualAtoms
    from ontologies.level import Level
    from ontologies.quantum import EnergyResult
    from ontologies.units import Distances, Number
    from workflows.engine import Backend, calculation
    from workflows.registry.levels import offered

    OWN = Vocabulary("https://example.org/softly#")
    NUMPY = Backend(name="NumPy", epoch="1", packages=("numpy",))

    class Softness(EnergyResult, vocab=OWN):
        """The softness of a molecule.

        Attributes:
            softness: 1 over the gap, in 1/Eh.
        """
        softness: Number

    class Shells(EnergyResult, vocab=OWN):
        """How far nuclei are from a place.

        Attributes:
            radii: of the innermost shells.
            about: that place.
        """
        radii: Distances
        about: str

    def found_at(atoms, level):
        call = offered(level).energy(atoms, level)
        return call.calculation(**call.arguments)

    @calculation("softly.softness", version="1", backend=NUMPY)
    def softness(atoms: ConceptualAtoms, level: Level) -> Softness:
        """Find it from the frontier orbitals."""
        found = found_at(atoms, level)
        gap = found.lumo - found.homo
        return Softness(atoms=atoms, level=level, energy=found.energy, softness=1 / gap)

    @calculation("softly.shells", version="1", backend=NUMPY)
    def shells(atoms: ConceptualAtoms, level: Level, count: int, place: str = "centre") -> Shells:
        """Find the innermost shells."""
        middle = atoms.positions.mean(axis=0) if place == "centre" else np.zeros(3)
        radii = np.sort(np.linalg.norm(atoms.positions - middle, axis=1))[:count]
        energy = found_at(atoms, level).energy
        return Shells(atoms=atoms, level=level, energy=energy, radii=radii, about=place)
''')
BROKEN = dedent('''
    """What cannot be used."""
    from workflows.registry.properties import Property

    def one(name, **more):
        return Property(name, {}, "spoilt:Nothing", "It is spoilt.", **more)

    PROPERTIES = (
        one("softness"),
        one("charge"),
        one("basis"),
        one("other", step="Optimise"),
        one("lost", form="spoilt_form:Nowhere"),
        one("two words"),
        "a text",
    )
''')
WATER = "3\nwater\nO 0 0 0.1173\nH 0 0.7572 -0.4692\nH 0 -0.7572 -0.4692\n"
HF = ("--method", "HF", "--basis", "STO-3G")


MANY = """
import json
from click.testing import CliRunner
from grafico.cli.app import main

said = {{}}
for name, words in json.loads({commands!r}).items():
    done = CliRunner().invoke(main, words)
    said[name] = done.exit_code, " ".join(done.output.split())
print(json.dumps(said))
"""
"""Several commands in one process, which takes a while to import what it needs."""

ON_WATER = ["run", "water.xyz", *HF]
LONG = ["run", "CCCCCC", "--method", "B3LYP", "--basis", "def2-TZVP", "--plan"]
COMMANDS = {
    "help": ["run", "--help"],
    "computed": [*ON_WATER, "--softness", "--json"],
    "remembered": [*ON_WATER, "--softness"],
    "choice": [*ON_WATER, "--shells", "2", "--about", "origin", "--json"],
    "idle": [*ON_WATER, "--about", "origin"],
    "checked": [*ON_WATER, "--shells", "4"],
    "xtb": ["run", "water.xyz", "--method", "GFN2-xTB", "--softness"],
    "mp2": ["run", "water.xyz", "--method", "MP2", "--basis", "STO-3G", "--softness"],
    "no shells": ["run", "water.xyz", "--method", "GFN2-xTB", "--shells", "2"],
    "graph": ["graph", "run"],
    "found": ["find", "water.xyz", "--property", "softness"],
    "asked": ["ask", "global softness of water.xyz at HF/STO-3G"],
    "plan": LONG,
    "longer": [*LONG, "--softness"],
}


def run_all(shell: Shell, commands: dict[str, list[str]]) -> dict[str, tuple[int, str]]:
    last = shell.script(MANY.format(commands=json.dumps(commands))).splitlines()[-1]
    return {name: (status, text) for name, (status, text) in json.loads(last).items()}


@pytest.fixture(scope="module")
def softly(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("softly")
    install(folder, "softly", ENTRY.format("softly"))
    (folder / "softly").mkdir()
    for name, text in (("__init__", DECLARED), ("form", FORM), ("science", SCIENCE)):
        (folder / "softly" / f"{name}.py").write_text(text)
    return folder


@pytest.fixture(scope="module")
def shell(softly: Path, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    folder = tmp_path_factory.mktemp("shell")
    (folder / "water.xyz").write_text(WATER)
    return Shell(folder, softly)


@pytest.fixture(scope="module")
def told(shell: Shell) -> dict[str, tuple[int, str]]:
    return run_all(shell, COMMANDS)


def test_the_usual_verb_has_its_options(told: dict[str, tuple[int, str]]) -> None:
    status, text = told["help"]
    assert status == 0
    for part in ("--softness", "Global softness.", "--shells INTEGER", "--about [origin|centre]"):
        assert part in text


def test_lists_and_help_import_nothing_of_it(shell: Shell) -> None:
    loaded = shell.script(
        "import sys; from click.testing import CliRunner; from grafico.cli.app import main;"
        "CliRunner().invoke(main, ['--help']);"
        "print(*(one for one in sys.modules if one.split('.')[0] in ('pydantic', 'softly')))"
    )
    assert loaded.split() == ["softly"], "its __init__, and nothing else"


def test_it_is_computed_shown_and_remembered(told: dict[str, tuple[int, str]]) -> None:
    status, text = told["computed"]
    assert status == 0
    found = json.loads(text[text.index("{") :])
    assert found["status"] == "finished"
    # 1 over LUMO - HOMO of HF/STO-3G: 0.6 Eh and -0.4 Eh, about
    assert re.search(r'"softness\w*": (0\.9|1\.[01])', text), text
    status, text = told["remembered"]
    assert status == 0
    assert "remembered, nothing computed" in text
    assert "softness" in text


def test_a_number_and_a_choice_reach_the_calculation(told: dict[str, tuple[int, str]]) -> None:
    status, text = told["choice"]
    assert status == 0
    assert "0.1173" in text, "of oxygen to the origin; its distance to the centre is 0.391"
    assert "with no shells that has no effect" in told["idle"][1]
    assert "there are fewer atoms" in told["checked"][1]
    assert told["idle"][0] and told["checked"][0]  # noqa: PT018


def test_levels_that_it_names_have_it_and_others_refuse(told: dict[str, tuple[int, str]]) -> None:
    status, text = told["xtb"]
    assert status == 0
    assert "softness" in text
    status, text = told["mp2"]
    assert status != 0
    assert "MP2 has no softness here" in text
    assert "HF, density functionals, GFN1-xTB and GFN2-xTB" in text
    status, text = told["no shells"]
    assert status != 0
    assert "GFN2-xTB has no shells of nuclei here" in text


def test_it_is_drawn_found_asked_in_words_and_estimated(told: dict[str, tuple[int, str]]) -> None:
    assert all(told[name][0] == 0 for name in ("graph", "found", "asked", "plan", "longer"))
    assert "SinglePoint --> Softness" in told["graph"][1]
    assert "CountShells --> Optimise" in told["graph"][1]
    assert "HF/STO-3G" in told["found"][1]
    assert "--softness" in told["asked"][1]
    assert "softness" in told["asked"][1]
    assert "1. SinglePoint" in told["plan"][1]
    assert "1. Softness" in told["longer"][1]
    seconds = [
        re.findall(r"estimated:? about \S+ \w+", told[name][1])[-1] for name in ("plan", "longer")
    ]
    assert "hours" in seconds[1]
    assert "hours" not in seconds[0]


def test_it_is_planned_beside_others(shell: Shell) -> None:
    said = shell.script(
        dedent("""
        from workflows.dft.graphs.graph import DFT
        from workflows.dft.graphs.situation import Situation
        from workflows.dft.request.forms import DFTRequest
        from workflows.engine.graph.planner import plan
        from workflows.engine.request.form import fill

        asked = {"task": "frequencies", "softness": True, "shells": 2, "states": 1}
        request = fill(DFTRequest, asked)
        nodes, _ = DFT.bind(request)
        print([one.name for one in plan(nodes, Situation(), request.goal()).first()])
        print(request.goal().text)
        """)
    )
    plan, goal = said.splitlines()
    assert all(name in plan for name in ("Optimise", "Softness", "CountShells", "Excite"))
    assert goal == "the frequencies of a minimum, 1 excited state, its softness and 2 shells"


def test_python_takes_it_and_the_report_shows_it(
    shell: Shell, told: dict[str, tuple[int, str]]
) -> None:
    found = shell.script(
        "from grafico import Grafico\n"
        "with Grafico() as session:\n"
        "    done = session.run('water.xyz', method='HF', basis='STO-3G', softness=True)\n"
        "    print(done.reused, type(done.last).__name__, done.last.softness > 0)\n"
        "    print('softness' in session.report(done.run))\n"
    )
    assert found.split() == ["True", "Softness", "True", "True"]


def test_what_is_stored_is_read_where_the_package_is_not(
    shell: Shell, told: dict[str, tuple[int, str]]
) -> None:
    text = told["computed"][1]
    run = json.loads(text[text.index("{") :])["run"]
    bare = Shell(shell.folder)
    assert "HF/STO-3G" in bare("runs")[0]
    assert "softness" in bare("show", run)[0]
    _, said = bare("run", "water.xyz", *HF, "--softness", status=2)
    assert "No such option" in said
    _, said = bare("resume", run, status=1)
    assert "softness" in said


def test_one_that_cannot_be_used_is_named_and_the_others_work(
    shell: Shell, told: dict[str, tuple[int, str]], softly: Path, tmp_path: Path
) -> None:
    install(tmp_path, "spoilt", ENTRY.format("spoilt"))
    (tmp_path / "spoilt.py").write_text(BROKEN)
    spoilt = Shell(shell.folder, softly, tmp_path, fresh=True)
    said, also = spoilt("run", "--help")
    assert "--softness" in said
    assert "It is spoilt." not in said
    for name, why in (
        ("charge", "the name charge is taken"),
        ("basis", "the name basis is taken"),
        ("other", "the name Optimise is taken"),
        ("lost", "ModuleNotFoundError"),
    ):
        assert f"the property {name} cannot be used: {why}" in also
    found = run_all(spoilt, {"help": ["--help"], "run": [*ON_WATER, "--softness"]})
    assert "spoilt: softness (there is a property of the name softness)" in found["help"][1]
    assert "spoilt: two words (its name is none of a field)" in found["help"][1]
    assert "'a text' in PROPERTIES is no Property" in found["help"][1]
    assert found["run"][0] == 0
    assert "remembered, nothing computed" in found["run"][1]
