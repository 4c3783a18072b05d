"""``python -m evals.remembered``: what a model would have to be given to go on with a device.

The published requests are asked one after the other of the virtual synthesizer, each answered by
rules that see what a model sees. After each, three things are measured that tell where the device
stands: its latest state as one record, the log of the commands that were done, and the history of
the conversation. Letters, and tokens of o200k_base where `bpe-openai` is installed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from pydantic_ai import messages as said

from grafico.agent import Agent
from grafico.session.client import Grafico
from ontologies.laboratory import HeatingParameters, SynthesizerCommand, SynthesizerState

from .recipes import planning
from .running import session_for
from .spending import tokens, written

ASKED = (
    "Open the lid of the microwave synthesizer.",
    "Load vial {vial} into the microwave synthesizer.",
    "Set the microwave synthesizer to 100 °C, 50 min and 1 atm.",
    "Heat what is in the microwave synthesizer.",
)
"""The four of SciBORG's benchmark of states, each a process of its own there."""

VIALS = 10


@dataclass(frozen=True)
class Told:
    """How long something is that tells where a device stands.

    Attributes:
        letters: of it as text.
        tokens: of the same; 0 where they cannot be counted.
    """

    letters: int
    tokens: int

    @classmethod
    def of(cls, text: str) -> Told:
        """Return how long a text is."""
        return cls(len(text), tokens(text))


@dataclass(frozen=True)
class After:
    """What there is to tell after some requests.

    Attributes:
        requests: how many.
        commands: how many the device has done.
        state: its latest state.
        log: of its commands.
        chat: of the conversation: questions, calls, results and answers.
    """

    requests: int
    commands: int
    state: Told
    log: Told
    chat: Told


def measured(rounds: int = 1) -> Iterator[After]:
    """Ask the four requests, round after round, and yield what there is to tell after each."""
    with (
        session_for("memory:") as session,
        Agent(planning(), session=session, approve=lambda _: True) as agent,
    ):
        for number in range(4 * rounds):
            text = ASKED[number % 4].format(vial=1 + number // 4 % VIALS)
            agent.ask(text)
            log = commands(session)
            texts = state_of(session), "\n".join(log), chat_of(agent.messages)
            yield After(number + 1, len(log), *map(Told.of, texts))


def state_of(session: Grafico) -> str:
    """Return the latest state of the device, without what says where it comes from."""
    last = max(session.kg.find(SynthesizerState), key=lambda one: one.step)
    shown = {name: getattr(last, name) for name in ("lid_open", "vial", "heating", "heated")}
    return json.dumps({"session": last.session, **shown, **_settings(last.parameters)})


def commands(session: Grafico) -> list[str]:
    """Return the commands that were done, each in a line with its time and what it sets."""
    done = [one for one in session.kg.find(SynthesizerCommand) if not one.refusal]
    lines = list[str]()
    for one in sorted(done, key=lambda one: one.step):
        sets = ({"vial": one.vial} if one.vial else {}) | _settings(one.parameters)
        lines.append(f"{one.given:%Y-%m-%dT%H:%M:%SZ} {one.name} {json.dumps(sets)}")
    return lines


def chat_of(messages: str | bytes) -> str:
    """Return what a model would read of a conversation, but for its instructions."""
    every = said.ModelMessagesTypeAdapter.validate_json(messages)
    return "\n".join(written(part) for one in every for part in one.parts)


def _settings(found: HeatingParameters | None) -> dict[str, float]:
    return {name: value for name, value in (found or HeatingParameters()) if value is not None}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what was measured, as a table or as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[2])
    parser.add_argument("--rounds", type=int, default=1, help="how often the four are asked")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    found = list(measured(options.rounds))
    if options.json:
        print(json.dumps([asdict(one) for one in found], indent=1))
        return
    print(
        f"{'requests':>8} {'commands':>8}" + "".join(f"{x:>24}" for x in ("state", "log", "chat"))
    )
    for one in found:
        each = (f"{x.letters:,} ({x.tokens:,})" for x in (one.state, one.log, one.chat))
        print(f"{one.requests:8} {one.commands:8}" + "".join(f"{text:>24}" for text in each))
    print("letters (tokens)")


if __name__ == "__main__":
    main()
