"""The corpus of queries, and what the guard counts in one."""

import tomllib
from pathlib import Path

from ogm.terms import PREFIXES
from triplestore import QueryLimits
from triplestore.guard.check import _Counter
from triplestore.guard.lexer import tokens

HERE = Path(__file__).parent
ORDINARY = tomllib.loads((HERE / "ordinary.toml").read_text("utf-8"))
HOSTILE = tomllib.loads((HERE / "hostile.toml").read_text("utf-8"))
ALL_ORDINARY = [*ORDINARY["answered"], *ORDINARY["passed"]]


def counts(query: str) -> dict[str, int]:
    """What the guard counts."""
    counter = _Counter(QueryLimits())
    for token in tokens(query, PREFIXES):
        counter.take(token)
    return counter.counts
