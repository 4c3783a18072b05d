"""Remarks that say how a field could be said: they go where it was."""

from __future__ import annotations

from collections.abc import Collection, Mapping


class Unsaid(str):
    """A remark that is to be made as long as fields are not said.

    Attributes:
        text: what is told of it whatever is said.
        ways: how fields are said, by their names; empty where that is not known.
        lasting: whether something of it is left when all are said.
    """

    text: str
    ways: Mapping[str, str]
    lasting: bool

    @classmethod
    def of(cls, text: str, ways: Mapping[str, str], *, lasting: bool = False) -> Unsaid:
        """Return the remark while none of the fields is said."""
        known = " and ".join(filter(None, ways.values()))
        whole = cls(f"{text}: say it, such as by {known}" if known else text)
        whole.text, whole.ways, whole.lasting = text, dict(ways), lasting
        return whole

    def beside(self, said: Collection[str]) -> str:
        """Return what is left of it beside fields that are said; empty for nothing."""
        left = {name: way for name, way in self.ways.items() if name not in said}
        return Unsaid.of(self.text, left, lasting=self.lasting) if left or self.lasting else ""
