"""Programs beside Grafico without which some questions have no answer, as the domains name them."""

from __future__ import annotations

from dataclasses import dataclass

from .packages import GROUP, LEVELS, declaring


@dataclass(frozen=True)
class Need:
    """A program that may be installed; a package names its own as `NEEDS`, in its `__init__`.

    Attributes:
        command: under which it stands on the path.
        purpose: what cannot be done without it.
        advice: how it is installed.
    """

    command: str
    purpose: str
    advice: str

    @property
    def place(self) -> str | None:
        """Where it is; None where it is not."""
        import shutil

        return shutil.which(self.command)


def needs() -> list[Need]:
    """Return what the domains and other packages name, each once."""
    found: dict[str, Need] = {}
    for group in (GROUP, LEVELS):
        for _, module in declaring(group):
            for one in getattr(module, "NEEDS", ()):
                if isinstance(one, Need):
                    found.setdefault(one.command, one)
    return list(found.values())
