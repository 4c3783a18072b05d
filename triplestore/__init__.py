"""Where quads live: the `Store` protocol, its errors, and the guard for queries of others."""

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
