"""What a notebook shows of an object: its blocks, as a door renders them.

IPython and Jupyter ask an object for `_repr_mimebundle_` and `_repr_html_`. Objects here have
blocks, and know no HTML: a door names its renderer once, with `render_with`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from workflows.show.blocks import Section

Bundle: TypeAlias = "dict[str, Any]"
Renderer: TypeAlias = "Callable[[Sequence[Section]], Bundle]"

_RENDERERS: list[Renderer] = []


def render_with(renderer: Renderer) -> None:
    """Have a function return what is shown of sections, by media type."""
    _RENDERERS[:] = [renderer]


class Displayed:
    """What is shown in a notebook as its blocks."""

    def shown_sections(self) -> Sequence[Section]:
        """Return what is shown of it."""
        raise NotImplementedError

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Bundle:
        """Return it by media type; empty if nothing renders it, so that its `repr` is shown."""
        if not _RENDERERS:
            return {}
        return {
            kind: said
            for kind, said in _RENDERERS[0](self.shown_sections()).items()
            if (include is None or kind in include) and kind not in (exclude or ())
        }

    def _repr_html_(self) -> str | None:
        return self._repr_mimebundle_(include=("text/html",)).get("text/html")
