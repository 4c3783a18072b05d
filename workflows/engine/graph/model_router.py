"""`ModelRouter`: a language model chooses from the menu."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from triplestore.errors import ComponentError

from .digest import digest
from .graph import Menu, Node
from .router import Choice, Crossroads, GoalRouter, Router, forced

if TYPE_CHECKING:
    from pydantic_ai.models import Model

END = "end"
"""What a model picks to end the run."""

REST = 60.0
"""Seconds for which a model that could not be reached is not asked again."""

KEY = re.compile(r"[\w-]{24,}")
"""What could be a key: servers quote them in their errors, and the record is for others to read."""

INSTRUCTIONS = """\
You choose the next step of a computation; programs do it and record it. You get the request, the
goal, where the run stands and the options. Pick the option that leads to the goal with the least
work. Pick "end", where it is offered, only if the goal is reached or no option leads to it. Give
the reason in one sentence."""


class ModelRouter:
    """Asks a language model.

    The model sees the request, a digest of the situation and the menu: names, single values and
    IRIs, never coordinates or arrays. It can pick what is on the menu and nothing else; an invalid
    pick is asked for again. Where the model cannot be reached, takes too long or keeps picking what
    is not there, another router takes over for the step, and the record says so.

    Args:
        model: a model of pydantic-ai, or its name, such as `openai-chat:gpt-5`.
        attempts: how often it is asked about one step.
        timeout: in s, for one step.
        fallback: takes over; the goal router if None.

    Raises:
        ComponentError: pydantic-ai is not installed.
    """

    def __init__(
        self,
        model: Model[Any] | str,
        *,
        attempts: int = 3,
        timeout: float = 60.0,
        fallback: Router | None = None,
    ) -> None:
        if find_spec("pydantic_ai") is None:
            asked = "a language model cannot choose the steps"
            raise ComponentError.extra(
                asked, "pydantic-ai", "agent", "let the plan choose (router goal)"
            )
        self.model = model
        self.attempts = attempts
        self.timeout = timeout
        self.fallback = fallback or GoalRouter()
        self.name = f"model {model if isinstance(model, str) else model.model_name}"
        self._rests_until = 0.0

    async def choose(self, at: Crossroads) -> Choice:
        """Return what the model picked, or what the fallback chose in its place."""
        only = forced(at)
        if only is not None:
            return only
        wait = self._rests_until - time.monotonic()
        if wait > 0:
            return await self._instead(at, "the model could not be reached a moment ago")
        try:
            async with asyncio.timeout(self.timeout):
                return await self._ask(at)
        except TimeoutError:
            self._rests_until = time.monotonic() + REST
            return await self._instead(at, f"no answer from the model in {self.timeout:g} s")
        except Exception as error:  # whatever goes wrong over there, the run goes on
            from pydantic_ai.exceptions import UnexpectedModelBehavior

            if isinstance(error, UnexpectedModelBehavior):
                return await self._instead(at, f"no valid pick from the model ({brief(error)})")
            self._rests_until = time.monotonic() + REST
            return await self._instead(at, f"the model could not be asked ({brief(error)})")

    async def _ask(self, at: Crossroads) -> Choice:
        from pydantic_ai import Agent, UsageLimits

        options = labelled(at.menu.options)
        agent = Agent(
            self.model,
            output_type=schema([*options, *([END] if at.menu.may_end else [])]),
            instructions=INSTRUCTIONS,
            retries=self.attempts - 1,
            defer_model_check=True,
        )
        limits = UsageLimits(request_limit=self.attempts)
        done = await agent.run(prompt(at, options), usage_limits=limits)
        pick: Any = done.output
        return Choice(options.get(pick.pick), pick.reason)

    async def _instead(self, at: Crossroads, why: str) -> Choice:
        choice = await self.fallback.choose(at)
        return Choice(choice.node, f"{why}; {choice.reason}", by=self.fallback.name)


def labelled(options: Sequence[Node[Any]]) -> dict[str, Node[Any]]:
    """Return the options by what a model calls them: the name, with a number if it is not alone."""
    found: dict[str, Node[Any]] = {}
    for node in options:
        label, count = node.name, 1
        while label in found:
            count += 1
            label = f"{node.name} {count}"
        found[label] = node
    return found


def schema(labels: Sequence[str]) -> type[BaseModel]:
    """Return the form that a model fills in: one of these labels, and why."""
    one_of: Any = Literal[tuple(labels)]
    return create_model(
        "Pick",
        __config__=ConfigDict(extra="forbid"),
        __doc__="The next step.",
        pick=(one_of, Field(description="one of the options")),
        reason=(str, Field("", description="why, in one sentence", max_length=1000)),
    )


def prompt(at: Crossroads, options: dict[str, Node[Any]]) -> str:
    """Return what a model is told, as JSON."""
    told = {
        "subject": digest(at.subject),
        "request": digest(at.request),
        "goal": digest(at.goal.text),
        "goal reached": at.goal.reached(at.situation),
        "steps so far": list(at.steps[-50:]),
        "situation": digest(at.situation),
        "options": {
            label: {"does": node.summary, "fields": digest(node)} for label, node in options.items()
        },
        "may end": at.menu.may_end,
        "not possible now": reasons(at.menu),
    }
    return json.dumps(told, ensure_ascii=False, indent=1)


def reasons(menu: Menu) -> dict[str, str]:
    """Return why nodes are not possible, short enough to be told."""
    return {name: reason[:200] for name, reason in menu.refused.items()}


def brief(error: BaseException) -> str:
    """Return an error in one short line, its cause included, without what could be a key."""
    cause = error.__cause__
    told = f"{type(error).__name__}: {error}" + (f"; {cause}" if cause else "")
    return KEY.sub("…", " ".join(told.split()))[:300]
