"""Run the evals: ``make evals``, ``make validate``, ``python -m evals --cases NAME,NAME``."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic_ai.models import Model
from pydantic_evals import Dataset

from grafico.agent.rules.model import plain_model
from grafico.session.models import make_model
from triplestore.errors import GraficoError, InputError

from . import controls, recorded, results, sets
from .judge import Judge, check_makers
from .recipes import planning
from .running import Experiment, Kept, run, say, session_for

PLANNER = "planner"
"""The model that is no model: rules that see what a model sees, and know how exercises go."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases asked for; return 1 if something broke, whatever the answers are worth."""
    parser = argparse.ArgumentParser(
        prog="python -m evals", description="does Grafico do the science right"
    )
    parser.add_argument(
        "--cases",
        type=_names,
        default=["requests"],
        metavar="SET,…",
        help=f"of {', '.join([*sets.names(), sets.EXERCISES])} (default: requests)",
    )
    parser.add_argument(
        "--model",
        help="as in openai-chat:gpt-5, planner, or recorded:FILE, which says again what was said "
        "(default: rules)",
    )
    parser.add_argument(
        "--tools",
        choices=controls.CHOICES,
        default="all",
        help="what a model is offered: "
        + "; ".join(f"{name}: {one.help}" for name, one in controls.CHOICES.items()),
    )
    parser.add_argument(
        "--judge", action="append", metavar="MODEL", help="which scores answers, one or two"
    )
    parser.add_argument(
        "--judge-anyway", action="store_true", help="even one of the same maker as the model"
    )
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="write the conversations, to replay them"
    )
    parser.add_argument(
        "--tokens", type=Path, metavar="FILE", help="print what recorded conversations cost"
    )
    parser.add_argument("--profile", choices=("small", "full"), default="small", help="how much")
    parser.add_argument("--repeat", type=_positive, default=1, help="how often each case is run")
    parser.add_argument("--at-once", type=_positive, default=1, help="cases side by side")
    parser.add_argument("--only", nargs="+", metavar="WHICH", help="topics, or cases by name")
    parser.add_argument("--json", action="store_true", help="print JSON, with every outcome")
    parser.add_argument(
        "--store",
        default="memory:",
        help="folder of results and outcomes, to go on from (default: forgotten at the end)",
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a report")
    parser.add_argument(
        "--beside", type=Path, metavar="FILE", help="JSON of an earlier run, to compare with"
    )
    options = parser.parse_args(arguments)
    try:
        if options.tokens:
            print(*recorded.spent(options.tokens), sep="\n")
            return 0
        return _run(options)
    except GraficoError as error:
        say(str(error))
        return 1


def _run(options: argparse.Namespace) -> int:
    modules = {name: sets.load(name) for name in options.cases}
    chosen = {name: module.dataset(options.profile) for name, module in modules.items()}
    whole = {name: len(one.cases) for name, one in chosen.items()}
    if options.only:
        _choose(chosen, options.only)
    earlier = results.read(options.beside) if options.beside else None
    judges: list[str] = options.judge or []
    name = options.model or plain_model().model_name
    check_makers(name, judges, anyway=options.judge_anyway)
    choice = controls.CHOICES[options.tools]
    opened = session_for(options.store, own_skills=choice.own, web="web_search" in choice.tools)
    with opened as session:
        url = session.settings.agent_base_url
        model = controls.limited(_model(options.model, url), options.tools)
        _judged(chosen, [make_model(one, url) for one in judges])
        experiment = Experiment.of(session, name, options.profile, options.tools, judges)
        found = {
            name: run(
                cases,
                modules[name].task(session, model),
                Kept(session.kg, experiment, name),
                name=name,
                repeat=options.repeat,
                at_once=options.at_once,
            )
            for name, cases in chosen.items()
            if cases.cases
        }
    done = results.Results(experiment, found)
    if options.record:
        count = recorded.write(options.record, name, done.all)
        say(f"{options.record}: {count} conversations")
    well = not any(one.broken for one in done.all)
    for name, outcomes in found.items():
        if hasattr(modules[name], "conclude"):
            every = len(chosen[name].cases) == whole[name] and options.repeat == 1
            told, good = getattr(modules[name], "conclude")(outcomes, every)  # noqa: B009
            well = well and good
            say(told)
    if options.html:
        from . import page

        page.write(options.html, done, earlier)
        say(f"{options.html} is written")
    if options.json:
        json.dump(done.as_dict(), sys.stdout, indent=2, ensure_ascii=False)
        print()
    else:
        print(*results.lines(done), sep="\n")
        if earlier:
            print("", *results.compared(done, earlier), sep="\n")
    return int(not well)


def _model(name: str | None, url: str) -> Model[Any]:
    """Return what answers; what is missing for it is said at once."""
    if name is None:
        return plain_model()
    if name.startswith(recorded.PREFIX):
        return recorded.Replaying(recorded.read(Path(name.removeprefix(recorded.PREFIX))))
    return planning() if name == PLANNER else make_model(name, url)


def _judged(chosen: Mapping[str, Dataset[Any, Any, Any]], judges: Sequence[Model[Any]]) -> None:
    """Let models judge the exercises."""
    exercises = {*sets.expanded([sets.EXERCISES])}
    if judges and not exercises & {*chosen}:
        raise InputError(
            "cannot let a model judge", "it judges exercises alone", "add --cases exercises"
        )
    for name in exercises & {*chosen} if judges else ():
        chosen[name].evaluators.append(Judge(judges))


def _choose(chosen: dict[str, Dataset[Any, Any, Any]], only: Sequence[str]) -> None:
    """Leave what has one of these topics or names."""
    every = [case for one in chosen.values() for case in one.cases]
    topics = list(dict.fromkeys(getattr(case.metadata, "topic", "") for case in every))
    known = {*topics, *(case.name for case in every)}
    if unknown := [name for name in only if name not in known]:
        raise InputError(
            f"neither a topic nor a case is called {', '.join(map(repr, unknown))}",
            f"topics are {', '.join(map(repr, filter(None, topics)))}",
            "see the cases with --json",
        )
    for one in chosen.values():
        one.cases = [
            case
            for case in one.cases
            if case.name in only or getattr(case.metadata, "topic", "") in only
        ]


def _names(text: str) -> list[str]:
    found = list(sets.expanded([one.strip() for one in text.split(",") if one.strip()]))
    if unknown := [one for one in found if one not in sets.names()]:
        raise argparse.ArgumentTypeError(
            f"no cases are called {', '.join(unknown)}; there are {', '.join(sets.names())}"
        )
    return found


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not positive")
    return number


if __name__ == "__main__":
    logging.disable()  # geomeTRIC tells of each step
    sys.exit(main())
