"""What is asked on forms: what has no effect or cannot be is told in three parts."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from triplestore.errors import InputError
from workflows.dft.graphs.counterpoise import InteractionRequest
from workflows.dft.graphs.spin_states import SpinStatesRequest
from workflows.dft.request.forms import DFTRequest, LevelRequest
from workflows.dft.scf.meanfield import molecule
from workflows.engine.request.form import Form, fill
from workflows.engine.request.rules import For, choices_of, understood

IDLE = [
    (DFTRequest, {"temperature": 350}, "task energy", "ask for `task` frequencies"),
    (DFTRequest, {"pressure": 1.0, "task": "optimise"}, "task optimise", "`task` frequencies"),
    (DFTRequest, {"symmetry_number": 2}, "task energy", "leave `symmetry_number` out"),
    (DFTRequest, {"treatment": "quasi-RRHO"}, "task energy", "leave `treatment` out"),
    (DFTRequest, {"max_steps": 5}, "task energy", "`task` optimise or frequencies"),
    (DFTRequest, {"convergence": "tight"}, "task energy", "`task` optimise or frequencies"),
    (
        DFTRequest,
        {"constraints": ("freeze 1",), "task": "frequencies"},
        "task",
        "`task` optimise",
    ),
    (DFTRequest, {"response": "TDA"}, "no states", "ask for `states`"),
    (DFTRequest, {"spin": "triplet"}, "no states", "leave `spin` out"),
    (DFTRequest, {"solvent_response": "equilibrium"}, "no states", "ask for `states`"),
    (SpinStatesRequest, {"max_steps": 5}, "task energy", "ask for `task` optimise"),
    (SpinStatesRequest, {"convergence": "loose"}, "task energy", "ask for `task` optimise"),
]

WRONG = [
    (DFTRequest, {"states": 0}, "states=0", "give 1 to 500"),
    (DFTRequest, {"task": "dance"}, "task='dance'", "energy, optimise or frequencies"),
    (DFTRequest, {"temperature": float("nan")}, "temperature=nan", "1 to 100000"),
    (DFTRequest, {"max_steps": 10**400, "task": "optimise"}, "max_steps=1", "1 to 10000"),
    (DFTRequest, {"nothing": 1}, "nothing=1", "leave it out"),
    (DFTRequest, {"constraints": ("bend 1 2",), "task": "optimise"}, "'bend 1 2'", "freeze 1 2"),
    (DFTRequest, {"constraints": ("angle 1 2 3 181",), "task": "optimise"}, "181", "in line"),
    (LevelRequest, {"method": "HF"}, "without basis", "give `basis`"),
    (LevelRequest, {"method": "HF", "basis": "STO-3G", "dielectric": 0.5}, "0.5", "above 1"),
    (SpinStatesRequest, {"multiplicities": "1,0"}, "multiplicities", "1 to 100"),
    (SpinStatesRequest, {"multiplicities": (1,), "highest": 3}, "highest=3", "not both"),
    (InteractionRequest, {"fragment_charges": "a,b"}, "fragment_charges", "Charge of each"),
]


@pytest.mark.parametrize(("form", "values", "there", "advice"), IDLE)
def test_what_has_no_effect_is_refused(
    form: type[BaseModel], values: dict[str, Any], there: str, advice: str
) -> None:
    with pytest.raises(InputError) as caught:
        fill(form, values)
    name = next(iter(values))
    assert caught.value.asked.startswith(f"{name}=")
    assert "has no effect" in caught.value.found
    assert there in caught.value.found
    assert advice in caught.value.advice
    with pytest.raises(ValidationError, match="has no effect"):  # the same to whoever validates
        form.model_validate(values)


@pytest.mark.parametrize(("form", "values", "asked", "advice"), WRONG)
def test_what_cannot_be_is_said_in_three_parts(
    form: type[BaseModel], values: dict[str, Any], asked: str, advice: str
) -> None:
    with pytest.raises(InputError) as caught:
        fill(form, values)
    assert asked in caught.value.asked
    assert caught.value.found
    assert advice in caught.value.advice
    assert "Input should" not in str(caught.value)


def test_defaults_never_complain() -> None:
    for task in ("energy", "optimise", "frequencies"):
        whole = DFTRequest(task=task).model_dump()
        assert fill(DFTRequest, whole) == DFTRequest(task=task)
    fill(SpinStatesRequest, SpinStatesRequest().model_dump())
    fill(DFTRequest, {"states": 2, "response": "TDA", "spin": "triplet"})
    warm = {"task": "frequencies", "temperature": 350, "max_steps": 5, "treatment": "quasi-RRHO"}
    fill(DFTRequest, warm)


def test_every_condition_names_a_field_and_what_it_can_be() -> None:
    for form in (DFTRequest, LevelRequest, SpinStatesRequest, InteractionRequest):
        schema = form.model_json_schema()["properties"]
        for field in form.model_fields.values():
            for rule in field.metadata:
                if isinstance(rule, For):
                    assert set(rule.values) <= set(schema[rule.field].get("enum", ()))


def test_what_earlier_versions_let_pass_is_still_read() -> None:
    text = DFTRequest().model_dump_json().replace("298.15", "350.0")
    assert DFTRequest.stored(text).temperature == 350
    with pytest.raises(ValidationError):
        DFTRequest.model_validate_json(text)
    assert issubclass(DFTRequest, Form)


MEANT = [
    (DFTRequest, "task", "optimize", "optimise"),
    (DFTRequest, "task", "OPT", "optimise"),
    (DFTRequest, "task", "freq", "frequencies"),
    (DFTRequest, "task", "Single-Point", "energy"),
    (SpinStatesRequest, "task", "optimize", "optimise"),
    (LevelRequest, "reference", "UHF", "unrestricted"),
    (LevelRequest, "reference", "Restricted_Open-Shell", "restricted open-shell"),
    (LevelRequest, "reference", "ROKS", "restricted open-shell"),
]


@pytest.mark.parametrize(("form", "name", "written", "meant"), MEANT)
def test_a_choice_is_understood_as_people_write_it(
    form: type[BaseModel], name: str, written: str, meant: str
) -> None:
    rest = {"method": "HF", "basis": "STO-3G"} if form is LevelRequest else {}
    filled = fill(form, {**rest, name: written})
    assert getattr(filled, name) == meant
    assert filled == fill(form, {**rest, name: meant})  # what is stored has one spelling


def test_every_choice_is_understood_in_any_case_and_with_any_hyphens() -> None:
    for form in (DFTRequest, LevelRequest, SpinStatesRequest, InteractionRequest):
        for field in form.model_fields.values():
            choices = choices_of(field.annotation)
            for choice in choices:
                for written in (choice.upper(), choice.replace(" ", ""), choice.replace("-", " ")):
                    assert understood(written, choices) == choice
    assert understood("dance", ("energy",)) == "dance"
    assert understood("freq", ("energy", "optimise")) == "freq"  # there is no such choice


def test_python_takes_the_spellings_of_the_command_line() -> None:
    soft = fill(DFTRequest, {"task": "freq", "treatment": "quasi-rrho"})
    assert soft.treatment == "quasi-RRHO"
    excited = {"states": 1, "response": "tda", "solvent_response": "nonequilibrium"}
    assert fill(DFTRequest, excited).model_dump()["response"] == "TDA"
    held = fill(DFTRequest, {"task": "optimize", "constraints": "freeze 1 2"})
    assert held.constraints == ("freeze 1 2",)


def test_bare_nuclei_are_refused_but_for_a_single_one() -> None:
    water = ConceptualAtoms(
        numbers=[8, 1, 1], positions=[[0, 0, 0], [0, 0, 1], [0, 1, 0]], charge=10, multiplicity=1
    )
    level = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted")
    with pytest.raises(InputError, match="without an electron"):
        DFTRequest().check(water, level)
    with pytest.raises(InputError, match="without an electron"):
        molecule(water, level)
    proton = ConceptualAtoms(numbers=[1], positions=[[0, 0, 0]], charge=1, multiplicity=1)
    DFTRequest().check(proton, level)
    assert molecule(proton, level).nelectron == 0
