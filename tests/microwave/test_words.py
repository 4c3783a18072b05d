"""How people ask the synthesizer: the published requests, rewordings, and what is refused."""

from __future__ import annotations

import pytest

from grafico.agent.rules.calls import commands
from grafico.agent.rules.reader import plan

FULL = "heat vial=3 temperature=100 duration=50 pressure=3"
SET = "temperature=100 duration=50 pressure=1"
SAID = {
    FULL: [
        "Heat vial 3 to 100 degrees, for 50 mins, at 3 atm",  # published
        "heat vial 3 to 100 °C for 50 min at 3 atm",
        "Please heat vial 3 to 100 degrees for 50 minutes at 3 atm",
        "could you heat vial number 3 at 100 C, 3 atm, 50 minutes?",
        "heat up vial 3 to 100 °C at 3 atm for 50 min",
        "warm vial 3 to 100 degrees C for 50 minutes under 3 atm",
        "Load vial 3 and heat it to 100 °C for 50 min at 3 atm",
        "put vial 3 into the microwave and heat it to 100 degrees for 50 min at 3 atm",
        "heat vial 3 in the microwave at 100 °C for 50 min at 3 atm",
        "heat vial #3 to 100 °C, 50 min, 3 atm",
        "heat the vial 3 to 100 °C for 50 mins at a pressure of 3 atm",
        "heat vial 3 at a temperature of 100 °C for a duration of 50 min at a pressure of 3 atm",
        "I want you to heat vial 3 to 100 °C for 50 min at 3 atm",
        "I would like to heat vial 3 to 100 °C for 50 min at 3 atm",
        "at 3 atm, heat vial 3 to 100 °C for 50 min",
        "irradiate vial 3 at 100 °C for 50 min at 3 atm",
        "heat vial no. 3 to 100 °C for 50 min at 3 atm pressure",
        "insert vial 3, then heat it to 100 °C for 50 min at 3 atm",
        "Can you heat vial 3 to 100 degrees Celsius for 50 minutes at 3 atmospheres",
        "heat vial 3 to 100 °C over 50 min under 3 atm, please",
        "use vial 3 and heat it to 100 °C for 50 min at 3 atm",
    ],
    "heat": [
        "Heat the vial",  # published
        "heat the vial please",
        "heat the vial up",
        "Please heat the vial now",
        "could you heat the vial",
        "start heating",
        "start the heating",
        "begin the heating",
        "begin heating of the vial",
        "run the heating",
        "heat the vial in the microwave",
        "warm the vial",
        "irradiate the vial",
        "heat up the vial",
        "heat the reaction vial",
        "I want you to heat the vial",
        "go ahead and heat the vial",
        "start the heating in the microwave",
        "please start heating the vial",
        "would you heat the vial for me",
        "perform the heating",
    ],
    "lid=open": [
        "Open the lid for me",  # published
        "open the lid",
        "Please open the lid",
        "open the lid of the microwave",
        "open the lid of the synthesizer",
        "could you open the lid?",
        "open up the lid",
        "open the microwave",
        "open up the microwave, please",
        "raise the lid",
        "lift the lid",
        "lift up the lid",
        "open the cover",
        "make sure that the lid is open",
        "I want the lid open",
        "I need the lid to be open",
        "can you open the lid of the device",
        "open its lid",
        "unlock the lid",
        "I would like the lid opened",
        "open the lid now",
    ],
    "vial=3": [
        "Load vial 3 for me",  # published
        "load vial 3",
        "please load vial 3",
        "load vial number 3",
        "load vial no. 3",
        "load vial #3",
        "put vial 3 in",
        "put vial 3 into the microwave",
        "put vial 3 in the microwave",
        "insert vial 3",
        "insert vial 3 into the synthesizer",
        "place vial 3 in the microwave",
        "could you load vial 3?",
        "load the vial 3 into the device",
        "mount vial 3",
        "use vial 3",
        "I want you to load vial 3",
        "load in vial 3",
        "make sure vial 3 is loaded",
        "have vial 3 loaded",
        "I need vial 3 inside",
    ],
    SET: [
        "Set the heating parameters to 100 degrees C, for 50 min at 1 atm",  # published
        "set the heating parameters to 100 °C, 50 min and 1 atm",
        "set the parameters to 100 °C, 50 min, 1 atm",
        "update the heating parameters: 100 °C, 50 min, 1 atm",
        "change the heating parameters to 100 °C, 50 minutes and 1 atm",
        "adjust the parameters to 100 degrees for 50 min at 1 atm",
        "set the conditions to 100 °C for 50 min at 1 atm",
        "heating parameters: 100 °C, 50 min, 1 atm",
        "use a temperature of 100 °C, a duration of 50 min and a pressure of 1 atm",
        "set the temperature to 100 °C, the time to 50 min and the pressure to 1 atm",
        "configure the heating settings to 100 °C, 50 min, 1 atm",
        "please set the heating parameters to 100 °C for 50 min at 1 atm",
        "set the reaction conditions to 100 °C, 50 min, 1 atm",
        "program the heating parameters to 100 °C, 50 min, 1 atm",
        "set the heating parameters of the microwave to 100 °C, 50 min, 1 atm",
        "could you set the parameters to 100 °C, 50 min and 1 atm?",
        "set new heating parameters: 100 °C, 50 min, 1 atm",
        "set the settings to 100 °C, 1 atm, 50 min",
        "use these conditions: 100 °C, 50 min, 1 atm",
        "I want you to set the heating parameters to 100 °C, 50 min, 1 atm",
        "set the temperature to 100 °C, for 50 min, at 1 atm",
        "Set the microwave synthesizer to 100 °C, 50 min and 1 atm; do not start it.",
    ],
    "unload": ["take the vial out of the microwave", "unload the vial"],
    "conversion": ["read the conversion", "what is the percent conversion of the reaction"],
    "session": ["allocate a session"],
    "lid=closed": ["close the lid", "the lid closed, please"],
    "temperature=80 duration=90": ["set the parameters to 80 °C and 1.5 hours"],
}
EACH = [(text, said) for said, texts in SAID.items() for text in texts]


@pytest.mark.parametrize(("text", "said"), EACH, ids=[text for text, _ in EACH])
def test_a_request_is_read(text: str, said: str) -> None:
    found = plan(text)
    assert not found.problem
    [call] = found.calls
    assert call.arguments["name"] == "microwave"
    told = {
        name if value is True else f"{name}={value:g}" if name != "lid" else f"{name}={value}"
        for name, value in call.arguments["arguments"].items()
    }
    assert told == {*said.split()}


def test_units_of_others_are_converted() -> None:
    [call] = plan("heat vial 3 to 100 °C for 1 hour at 2 bar").calls
    assert call.arguments["arguments"]["pressure"] == pytest.approx(2 / 1.01325)
    assert call.arguments["arguments"]["duration"] == 60


@pytest.mark.parametrize(
    "text",
    [
        "load vials 3 and 4",
        "load vial 3 and load vial 4",
        "heat vial 3 to 100 °C and 120 °C",
        "open and close the lid",
        "heat vial 3 to 100 °C for 50 kelvin",
        "heat vial 3 and compute the energy of water",
        "load vial 11",
        "heat vial 3 to 300 °C",
        "open the lid and sing",
        "do not open the lid",
        "do not heat vial 3",
        "heat vial 3 and do not heat it",
        "never heat the vial",
        "heat vial 3 unless it is empty",
        "is the lid open",
        "why is the lid open?",
        "heat of formation of ethanol",
        "heat capacity of methane",
    ],
)
def test_what_is_not_clear_or_cannot_be_is_refused(text: str) -> None:
    found = plan(text)
    assert found.problem
    assert not found.calls


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("move the vial with polymer A to the clamp", "film-station"),
        ("Gibbs energy of benzene at 100 °C and 3 atm", "run"),
    ],
)
def test_other_requests_are_theirs(text: str, name: str) -> None:
    [call] = plan(text).calls
    [line] = commands(call)
    assert line.split()[1] == name
