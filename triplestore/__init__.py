"""Where quads live: the `Store` protocol, its errors, and the guard for queries of others.

The public names are loaded when first used: who only reports an error opens no store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triplestore.lazy import lazily

if TYPE_CHECKING:
    from triplestore.errors import (
        ComponentError,
        ConflictError,
        GraficoError,
        InputError,
        NotConvergedError,
        NotFoundError,
        QueryError,
        RecipeError,
        RecordError,
        ResourceError,
        TimeLimitError,
    )
    from triplestore.guard.check import QueryLimits, check_query
    from triplestore.opening import open_store
    from triplestore.store import Answer, Store, Table, Term, Triples

__all__ = [
    "Answer",
    "ComponentError",
    "ConflictError",
    "GraficoError",
    "InputError",
    "NotConvergedError",
    "NotFoundError",
    "QueryError",
    "QueryLimits",
    "RecipeError",
    "RecordError",
    "ResourceError",
    "Store",
    "Table",
    "Term",
    "TimeLimitError",
    "Triples",
    "check_query",
    "open_store",
]

_ELSEWHERE = {
    "QueryLimits": "guard.check", "check_query": "guard.check", "open_store": "opening",
    "Answer": "store", "Store": "store", "Table": "store", "Term": "store", "Triples": "store",
}  # fmt: skip

__getattr__ = lazily(__name__, {name: _ELSEWHERE.get(name, "errors") for name in __all__})
