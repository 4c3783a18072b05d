"""What answers a question: a language model by its name, or the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grafico.session.models import make_model

from .prompt import RULES

if TYPE_CHECKING:
    from pydantic_ai.models import Model


def named_model(name: str, base_url: str) -> Model[Any]:
    """Return a language model, or the rules for an empty name or their own.

    Raises:
        GraficoError: as `make_model`.
    """
    if name and name != RULES:
        return make_model(name, base_url)
    from .rules.model import plain_model

    return plain_model()
