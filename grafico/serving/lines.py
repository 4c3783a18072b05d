"""What happens as lines in words, as at a terminal, for those who are elsewhere."""

from __future__ import annotations

from grafico.views.progress import PASSING, Progress
from workflows.engine import Event
from workflows.text.safe_text import printable


class Lines(Progress):
    """Says what happens, as the command line does, a line an event."""

    def line(self, event: Event) -> str | None:
        """Return a line about an event, if it is worth one."""
        line = super().line(event)
        if line is None and event.kind == "node":
            line = f"step {event.data['index'] + 1}: {event.subject}"
        return line and " ".join(printable(line).split())

    @staticmethod
    def passes(event: Event) -> bool:
        """Whether the next line takes the place of this one, where lines can be rewritten."""
        return event.kind in PASSING or event.kind == "progress"
