"""Language models by name, and what their errors mean to a person."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from triplestore.errors import ComponentError, GraficoError, InputError, RecipeError, ResourceError
from workflows.engine.graph.model_router import brief

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

    from .settings import Settings

EXAMPLE = "openai-chat:gpt-5"
NO_MODEL = f"give one with --model (such as {EXAMPLE}), GRAFICO_AGENT_MODEL or agent_model"

TRANSIENT = (408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529)
"""Answers of a server that may be others a moment later."""


def make_model(model: Model[Any] | str, base_url: str = "") -> Model[Any]:
    """Return a model.

    Args:
        model: its name in pydantic-ai, or a model, which is returned.
        base_url: of a server that speaks as OpenAI's chat does. Its key is `OPENAI_API_KEY`, if it
            needs one.

    Raises:
        InputError: no name, or there is no such model.
        ComponentError: pydantic-ai, a package or the key that the model needs is missing.
    """
    if not isinstance(model, str):
        return model
    if not model.strip():
        raise InputError("cannot ask a language model", "none is named", NO_MODEL)
    asked = f"cannot ask the model {model}"
    try:
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model
    except ImportError as error:
        raise ComponentError.extra(asked, "pydantic-ai", "agent") from error
    try:
        made = _at(model, base_url) if base_url else infer_model(model)
    except ImportError as error:
        raise ComponentError(asked, f"a package is missing: {error}", "install it") from error
    except UserError as error:
        said = str(error)
        if said.startswith("Unknown"):
            raise InputError(asked, said, f"write PROVIDER:MODEL, as {EXAMPLE}") from error
        advice = "set the key that is named, in the environment and nowhere else"
        raise ComponentError(asked, said.partition(". ")[0], advice) from error
    client = getattr(made, "client", None)
    if hasattr(client, "max_retries"):
        setattr(client, "max_retries", 0)  # noqa: B010 - it is asked again here, and nowhere else
    return made


def _at(model: str, base_url: str) -> Model[Any]:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    kind, colon, name = model.partition(":")
    plain = name if colon and kind in ("openai", "openai-chat") else model
    provider = OpenAIProvider(
        base_url=base_url, api_key=os.environ.get("OPENAI_API_KEY") or "api-key-not-set"
    )
    whole = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
    return OpenAIChatModel(plain, provider=provider, profile=whole)


def model_settings(settings: Settings, patience: float) -> ModelSettings:
    """Return what the settings say of how a model is to be asked."""
    from pydantic_ai.settings import ModelSettings

    chosen = ModelSettings(timeout=patience)
    if settings.agent_temperature is not None:
        chosen["temperature"] = settings.agent_temperature
    if settings.agent_effort is not None:
        chosen["thinking"] = settings.agent_effort
    return chosen


def is_transient(error: BaseException) -> bool:
    """Tell whether asking again may help."""
    from pydantic_ai import exceptions as errors

    if isinstance(error, errors.ModelQuotaExceededError):
        return False
    if isinstance(error, errors.ModelHTTPError):
        return error.status_code in TRANSIENT
    kinds = (
        errors.ModelConnectionError,
        errors.ModelServerError,
        errors.ModelUnavailableError,
        errors.ModelRateLimitError,
        errors.ModelRequestTimeout,
    )
    if isinstance(error, kinds):
        return True
    # an answer that was cut off: in the middle of a stream, or before its end
    cut = isinstance(error, errors.ModelAPIError) and not isinstance(
        error, errors.ModelRequestRejectedError
    )
    return cut or isinstance(error, TimeoutError | ConnectionError) or _is_transport(error)


def _is_transport(error: BaseException) -> bool:
    """Tell whether the HTTP client lost the connection."""
    return any(
        kind.__name__ in ("TransportError", "APIConnectionError") for kind in type(error).__mro__
    )


def explained(error: BaseException, model: str) -> GraficoError:
    """Return an error of a model or its provider in our own words, without what may be a key."""
    from pydantic_ai import exceptions as errors

    asked, found = f"the model {model} was asked", brief(error)
    kept = "what was computed is remembered: ask again"
    match error:
        case GraficoError():
            return error
        case errors.UsageLimitExceeded():
            return ResourceError(
                asked, found, "raise agent_request_limit, or ask for less at a time"
            )
        case errors.ModelAuthenticationError() | errors.ModelQuotaExceededError():
            return ComponentError(asked, found, "check the key and the account at the provider")
        case errors.ModelNotFoundError():
            return InputError(asked, found, "choose another model")
        case errors.ModelContextWindowExceededError():
            return ResourceError(asked, found, "start a new conversation")
        case errors.ModelHTTPError(status_code=401 | 403):
            return ComponentError(asked, found, "check the key")
        case errors.UnexpectedModelBehavior():
            return RecipeError(asked, found, "ask again, or choose another model")
        case _ if is_transient(error):
            return ResourceError(asked, found, f"wait for the provider; {kept}")
        case errors.ModelAPIError():
            return InputError(asked, found, "choose another model or other settings")
        case _:
            return GraficoError(asked, found, kept)
