"""What people call options otherwise: taken by every door where one thing alone can be meant."""

from __future__ import annotations

import re
from typing import Annotated

import click
import pytest
from click.testing import CliRunner, Result
from pydantic import Field

from grafico.agent.tools import tools
from grafico.cli.app import main
from grafico.cli.meant import Command, Option, as_listed
from grafico.cli.wrapping import apart
from grafico.session.settings import USUAL
from triplestore.errors import InputError
from workflows.engine.request.form import Form
from workflows.engine.request.request import Request
from workflows.engine.request.rules import OtherNames, other_names
from workflows.registry import workflows
from workflows.registry.spoken_tasks import otherwise_asked


def told(*words: str) -> Result:
    return CliRunner().invoke(main, [*words, "--store", "memory:", "--quiet"])


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        (["--to", "180", "CCCC"], ["--end", "180", "CCCC"]),
        (["--to=180"], ["--end=180"]),
        (["--max_steps", "5"], ["--max-steps", "5"]),
        (["--dihedral", "1", "2", "3", "4", "CCCC"], ["--dihedral", "1 2 3 4", "CCCC"]),
        (["--dihedral", "C-C", "CCCC"], ["--dihedral", "C-C", "CCCC"]),
        (["--dihedral=1 2 3 4"], ["--dihedral=1 2 3 4"]),
        (["--near", "1"], ["--near", "1"]),  # no one's name: it is refused, with what is near
        (["--both", "1"], ["--both", "1"]),  # of two options: neither is meant
        (["--", "--to"], ["--", "--to"]),
    ],
)
def test_options_come_under_their_listed_names(words: list[str], listed: list[str]) -> None:
    params = [
        Option(["--end"], otherwise=("to", "both", "start")),
        Option(["--start"], otherwise=("from", "both")),
        Option(["--max-steps"]),
        Option(["--dihedral"], numbers=4),
    ]
    assert as_listed(params, words) == listed


def test_what_was_taken_is_told_and_not_listed() -> None:
    @click.command(cls=Command)
    @click.option("--why", cls=Option, otherwise=("reason",))
    def withdraw(why: str) -> None:
        click.echo(why)

    done = CliRunner().invoke(withdraw, ["--reason", "a slip"])
    assert done.stdout == "a slip\n"
    assert done.stderr == "note: --reason: taken as --why\n"
    assert "reason" not in CliRunner().invoke(withdraw, ["--help"]).output


def test_a_scan_as_people_type_it() -> None:
    done = told(
        *("scan", "CCCC", "--dihedral", "1", "2", "3", "4", "--from", "0", "--to", "180"),
        *("--functional", "GFN2-xTB", "--plan"),
    )
    assert done.exit_code == 0, done.stderr
    assert "FollowCoordinate" in done.stdout
    assert "--to: taken as --end" in done.stderr
    assert "--dihedral" not in told("scan", "--help").stdout.replace('"dihedral', "")
    wrong = told("scan", "CCCC", "--dihedral", "1 2 3 4", "--coordinate", "angle 1 2 3")
    assert wrong.exit_code == 2
    assert "asked for too" in wrong.stderr


def test_write_takes_a_format_and_query_keeps_its_own() -> None:
    done = told("write", "water", "--format", "orca", "--functional", "HF", "--basis-set", "STO-3G")
    assert done.exit_code == 0, done.stderr
    assert "! RHF STO-3G" in done.stdout


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ({"functional": "PBE", "basis_set": "STO-3G"}, {"method": "PBE", "basis": "STO-3G"}),
        ({"task": "optfreq", "temp": 300}, {"task": "frequencies", "temperature": 300}),
        ({"task": "opt, freq"}, {"task": "frequencies"}),
        ({"task": "Optimise+Frequencies"}, {"task": "frequencies"}),
        ({"mult": 3}, {"multiplicity": 3}),
        ({"nstates": 4}, {"states": 4}),
        ({"functional": "PBE", "solvent": "water", "solvent_model": "SMD"}, {"solvation": "SMD"}),
    ],
)
def test_python_and_tools_take_them_too(said: dict[str, object], means: dict[str, object]) -> None:
    settings = {"method": "HF", "basis": "STO-3G"}
    asked = Request.of(workflows().usual, ["water"], said, settings).arguments
    assert {name: asked[name] for name in means} == means
    form = tools()["calculate"].form
    filled = form.model_validate({"molecules": ["water"], **said})
    assert {name: getattr(filled, name) for name in means} == means


def test_numbers_of_atoms_may_be_a_list() -> None:
    scan = workflows().named("scan")
    said = {"dihedral": [1, 2, 3, 4], "to": 90, "method": "GFN2-xTB"}
    asked = Request.of(scan, ["CCCC"], said).arguments
    assert asked["coordinate"] == "dihedral 1 2 3 4"
    assert asked["end"] == 90


def test_saying_it_twice_in_two_ways_is_refused() -> None:
    with pytest.raises(InputError, match="asked for too"):
        Request.of(workflows().usual, ["water"], {"method": "HF", "functional": "PBE"})


class Two(Form):
    """Two fields that people call alike, of which one is called as people call the other."""

    start: Annotated[int, OtherNames(("both", "end", "from")), Field()] = 0
    end: Annotated[int, OtherNames(("both", "to")), Field()] = 0


def test_a_name_of_two_fields_is_of_none() -> None:
    assert other_names(Two.model_fields) == {"from": "start", "to": "end"}
    assert Two.model_validate({"from": 1, "to": 2}) == Two(start=1, end=2)


def test_no_listed_name_is_hidden_by_another_name() -> None:
    for one in workflows().values():
        whole = one.whole
        assert not {*whole.other_names} & {*whole.fields, *whole.shorts}, one.name


def test_commas_in_brackets_divide_nothing() -> None:
    assert apart("6-31G(d,p),CBS(cc-pVTZ,cc-pVQZ), cc-pV[T,Q]Z") == [
        "6-31G(d,p)",
        "CBS(cc-pVTZ,cc-pVQZ)",
        "cc-pV[T,Q]Z",
    ]
    assert apart("1,2-dichloroethane,water") == ["1,2-dichloroethane", "water"]


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("dipole", "leave --task out: dipole is told with every energy"),
        ("charges", "give --analysis, with any task: it tells Mulliken, Löwdin, IAO and Hirshfeld"),
        ("orbitals", "give --analysis"),
        ("excitations", "give --states 5"),
        ("TDDFT", "give --states 5"),
        ("uv", "give --states 10"),
        ("UV-Vis", "give --states 10"),
        ("ir", "give --task frequencies"),
        ("polarizability", "give --polarizability"),
        ("OptTS", "ask for it by itself: grafico transition"),
        ("neb", "ask for it by itself: grafico transition"),
        ("pka", "ask for it by itself: grafico pka"),
        ("nmr", "near it: grafico ask"),
        ("md", "near it: grafico ask"),
        ("ip", 'ask in words: grafico ask "ip of MOLECULE"'),
    ],
)
def test_a_word_that_is_no_task_leads_to_what_asks_for_it(word: str, advice: str) -> None:
    found = told("run", "water", "--task", word)
    assert found.exit_code == 2
    assert advice in found.output


def test_python_is_told_so_too_and_unknown_words_get_the_list() -> None:
    with pytest.raises(InputError, match="give `states` 5"):
        Request.of(workflows().usual, ("water",), {"task": "excitations"}, {})
    assert "'energy', 'optimise', 'frequencies'" in told("run", "water", "--task", "xyzzy").output


def test_what_is_advised_for_a_word_is_taken() -> None:
    """Each advice names fields with values that the usual request has."""
    known = workflows().usual.whole.arguments
    for word in ("charges", "orbitals", "excitations", "td", "uv", "ir", "gibbs", "polarizability"):
        found = otherwise_asked(word)
        assert found is not None, word
        flags = re.findall(r"`(\w+)`(?: (\w+))?", found[1])
        said = {
            name: int(value) if value.isdecimal() else True if value in ("", "with") else value
            for name, value in flags
        }
        assert said, word
        assert said.keys() <= known.keys()
        Request.of(workflows().usual, ("water",), said, USUAL)


def test_a_list_of_runs_about_something_is_found() -> None:
    found = CliRunner().invoke(main, ["runs", "acetic", "acid"])
    assert found.exit_code == 2
    assert "listed by `grafico find`: grafico find 'acetic acid'\n" in found.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("find", "--for", "water"), "stands by itself, as in main find MOLECULE\n"),
        (("report", "--for", "water"), "stands by itself, as in main report RUN\n"),
        (
            ("runs", "--molecule", "water"),
            "results of something are listed by `grafico find`\n",
        ),
        (("scan", "hydrogen", "peroxide"), "in quotation marks: main scan 'hydrogen peroxide'"),
        (
            ("run", "benzene", "--task", "opt", "freq", "--method", "HF", "--charge", "-1"),
            "takes one value: main run benzene --task frequencies --method HF --charge -1 ",
        ),
        (("run", "--task", "opt", "freq", "benzene"), "main run benzene --task frequencies "),
        (("scan", "CCO", "--dihedral", "1", "2", "3"), "it takes 4, as in --dihedral 1 2 3 4"),
        (("scan", "butane"), "give --dihedral 1 2 3 4 (C1–C2–C3–C4, now"),
        (("transition",), "GUESS is a geometry near the transition state: a file"),
        (("converge", "water", "--extrapolate"), 'grafico run water --level "MP2/cc-pV[TQ]Z"'),
        (("redox", "benzoquinone + e- -> x", "--charge", "-1"), "it is said of each of several"),
        (("transition", "HCN -> HNC"), "reactant.xyz and with --product product.xyz"),
        (("transition", "HCN"), "grafico scan HCN, then grafico transition last"),
    ],
)
def test_a_call_that_lacks_something_teaches_what(words: tuple[str, ...], said: str) -> None:
    found = told(*words)
    assert found.exit_code == 2
    assert said in found.output
