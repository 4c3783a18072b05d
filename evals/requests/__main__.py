"""Ask the agent what a chemist would, and judge its answers: ``make evals``."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from pydantic_ai.models import Model
from pydantic_evals import Case
from pydantic_evals.lifecycle import CaseLifecycle
from pydantic_evals.reporting import ReportCase

from grafico.agent.model import make_model
from grafico.agent.rules.model import plain_model
from grafico.session.client import Grafico
from triplestore.errors import GraficoError

from .asking import Answer, asker, session_for
from .cases import Cases, all_cases
from .rates import Broken, Report, Run, as_dict, is_broken, lines, outcome, passed, reasons
from .wanted import Request, Wanted

Lifecycle = CaseLifecycle[Request, Answer, Wanted]


def say(text: str) -> None:
    """Tell how it goes, beside what is printed."""
    print(text, file=sys.stderr, flush=True)


def progress(total: int) -> Callable[[Case[Request, Answer, Wanted]], Lifecycle]:
    """Return what tells of each run as it ends."""
    count = itertools.count(1)

    class Told(Lifecycle):
        async def teardown(self, result: Run | Broken | None) -> None:
            if result is None:
                return
            word, why, seconds = "BROKEN", "", ""
            if isinstance(result, ReportCase):
                word, why = outcome(result), reasons(result)
                word = word if passed(result) or word != "right" else "right but"
                seconds = f" [{result.task_duration:.1f} s]"
            else:
                why = " ".join(result.error_message.split())
            say(f"{next(count):3d}/{total} {word:9s} {result.name}{why and ': '}{why}{seconds}")

    return Told


def judge(
    session: Grafico, model: Model[Any] | str, cases: Cases, *, repeat: int = 1, at_once: int = 1
) -> Report:
    """Ask every case so many times, and judge the answers."""
    return asyncio.run(  # `evaluate_sync` leaves its loop open
        cases.evaluate(
            asker(session, model),
            repeat=repeat,
            max_concurrency=at_once,
            progress=False,
            lifecycle=progress(repeat * len(cases.cases)),
        )
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the cases asked for; return 1 if something broke, whatever the answers are worth."""
    known = all_cases().cases
    topics = list(dict.fromkeys(one.metadata.topic for one in known if one.metadata))
    names = [one.name or "" for one in known]
    parser = argparse.ArgumentParser(
        prog="make evals", description="does the agent do the science right"
    )
    parser.add_argument("--model", help="as in openai-chat:gpt-5 (default: rules; nothing is sent)")
    parser.add_argument("--repeat", type=_positive, default=1, help="how often each is asked")
    parser.add_argument("--at-once", type=_positive, default=1, help="conversations side by side")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=[*topics, *names],
        metavar="WHICH",
        help=f"cases by name, or topics: {', '.join(map(repr, topics))} (default: all)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with every answer")
    parser.add_argument(
        "--store", default="memory:", help="folder of the results (default: forgotten at the end)"
    )
    options = parser.parse_args(arguments)
    try:
        with session_for(options.store) as session:
            if options.model:  # what is missing is said once, not for every case
                make_model(options.model, session.settings.agent_base_url)
            model = options.model or plain_model()
            cases = all_cases(options.only or ())
            report = judge(session, model, cases, repeat=options.repeat, at_once=options.at_once)
    except GraficoError as error:
        say(str(error))
        return 1
    name = options.model or plain_model().model_name
    if options.json:
        json.dump(as_dict(report, name), sys.stdout, indent=2, ensure_ascii=False)
        print()
    else:
        print(*lines(report, name), sep="\n")
    return int(is_broken(report))


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not positive")
    return number


if __name__ == "__main__":
    sys.exit(main())
