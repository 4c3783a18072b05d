"""Grafico: ask for a calculation; every result is remembered and can be queried.

`Grafico()` is a session. Its verbs are functions of this package, too, of one session that opens
when the first is called: `grafico.run("water", "GFN2-xTB")`. The public names are loaded when first
used, so that importing the package is quick.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from ontologies.atoms import ConceptualAtoms
    from workflows.dft.result import Result

    from .session.client import Grafico

__all__ = ["ConceptualAtoms", "Grafico", "Result"]


def __getattr__(name: str) -> Any:
    if name == "Grafico":
        from .session.client import Grafico

        return Grafico
    if name == "Result":
        from workflows.dft.result import Result

        return Result
    if name == "ConceptualAtoms":
        from ontologies.atoms import ConceptualAtoms

        return ConceptualAtoms
    told = f"module 'grafico' has no attribute {name!r}"
    if name.startswith("_"):
        raise AttributeError(told)
    if not _is_verb(name):
        told += "; a session computes: grafico.Grafico().run('water'), or grafico.run('water')"
        raise AttributeError(told)
    return _of_one_session(name)


def __dir__() -> list[str]:
    """Name what is loaded when it is used, and the verbs."""
    from workflows.registry import workflows

    from .session.client import Grafico

    known = workflows()
    brought = [one.method for one in (*known.verbs, *known.wrappers)]
    own = (n for n in dir(Grafico) if not n.startswith("_") and not n.endswith("_async"))
    return [*globals(), *__all__, *filter(_is_verb, {*own, *brought})]


def _is_verb(name: str) -> bool:
    from workflows.engine.request.by_position import choice_of
    from workflows.registry import workflows

    from .session.client import Grafico

    if callable(getattr(Grafico, name, None)):
        return name not in ("close", "start", "wait_for")
    known = workflows()
    verb = known.verb(name) or known.wrapper(name)
    return verb is not None or bool(choice_of(known.usual.whole, name))


def _of_one_session(name: str) -> Callable[..., Any]:
    def verb(*given: Any, **asked: Any) -> Any:
        return getattr(_session(), name)(*given, **asked)

    verb.__name__ = verb.__qualname__ = name
    verb.__doc__ = f"Ask `{name}` of a session that stays open; see `Grafico`."
    return verb


@functools.cache
def _session() -> Grafico:
    """Return the session of the functions of this package."""
    import atexit

    from .session.client import Grafico

    session = Grafico()
    atexit.register(session.close)
    return session
