"""Who chooses the steps of a run, from the word that a person gives."""

from __future__ import annotations

import os

from triplestore.errors import ComponentError, InputError
from workflows.engine import AskRouter, GoalRouter, ModelRouter, Router

EXAMPLE = "model:openai-chat:gpt-5"


def make_router(who: str | Router) -> Router:
    """Return a router.

    Args:
        who: `goal`, the cheapest plan; `ask`, a person at the terminal; `model:NAME`, a language
            model by its name in pydantic-ai; or a router, which is returned.

    Raises:
        InputError: it is none of them, or there is no such model.
        ComponentError: the package or the key that the model needs is missing.
    """
    if not isinstance(who, str):
        return who
    kind, _, name = who.partition(":")
    if who == "goal":
        return GoalRouter()
    if who == "ask":
        return AskRouter()
    if kind == "model" and name:
        router = ModelRouter(name)
        _check(name)
        return router
    raise InputError(
        f"{who!r} cannot choose the steps",
        "there is no such router",
        f"choose one of: goal, ask, model:NAME (such as {EXAMPLE})",
    )


def word_of(router: str) -> str:
    """Return the word that gives a router, by the name that it has in records.

    Raises:
        InputError: it was made by somebody, and no word gives it.
    """
    kind, _, name = router.partition(" ")
    word = {"goal": "goal", "person": "ask", "model": f"model:{name}"}.get(kind, "")
    if not word:
        raise InputError(
            f"the steps are to be chosen by the {router} router",
            "no word gives that one",
            "say who chooses (`router`)",
        )
    return word


def _check(name: str) -> None:
    """Refuse a model that cannot be asked: in a run the goal router would do all of its work."""
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model

    os.environ.setdefault("PYDANTIC_AI_NO_BANNER", "1")
    asked = f"the model {name} cannot choose the steps"
    try:
        infer_model(name)
    except ImportError as error:
        raise ComponentError(asked, f"a package is missing: {error}", "install it") from error
    except UserError as error:
        problem = str(error)
        if problem.startswith("Unknown"):
            advice = f"write PROVIDER:MODEL after model:, as {EXAMPLE}"
            raise InputError(asked, problem, advice) from error
        raise ComponentError(
            asked, problem.partition(". ")[0], "do so, or let the plan choose (router goal)"
        ) from error
