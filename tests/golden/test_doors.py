"""Options and imports stay; new ones may come (`python -m tests.golden.keep` holds them too)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from tests.golden.doors import options
from tests.golden.keep import kept, missing

BEFORE: dict[str, Any] = kept("doors")


def test_verbs_and_options_stay() -> None:
    lost = missing(BEFORE["options"], options())
    assert not lost, "scripts of people type these:\n" + "\n".join(lost)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("what", BEFORE["imports"])
def test_documented_imports_stay(what: str) -> None:
    module, name = what.split(":")
    if not hasattr(import_module(module), name):
        import_module(f"{module}.{name}")
