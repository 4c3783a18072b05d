"""Molecules and levels of the tests of tight binding."""

from __future__ import annotations

from typing import Any

import pytest

from ontologies.tightbinding import TightBinding
from workflows.tightbinding.levels import resolve_level


def gfn(method: str = "GFN2-xTB", **more: Any) -> TightBinding:
    return resolve_level(method, **more).level


@pytest.fixture(scope="session")
def gfn2() -> TightBinding:
    return gfn()
