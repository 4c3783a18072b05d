"""Remarks on what a subject asks for itself: followed, or told where it is not."""

from __future__ import annotations

from collections.abc import Collection, Mapping


class Unsaid(str):
    """A remark that is to be made as long as fields are not said.

    Attributes:
        text: what is told of it whatever is said.
        ways: how fields are said, by their names; empty where that is not known.
        lasting: whether something of it is left when all are said.
        fields: all that is asked for, by the names of fields, where it can be followed whole.
        followed: what is told where it is.
        needed: the field without which another result would be taken for what is asked for, where
            it cannot be followed whole.
    """

    text: str
    ways: Mapping[str, str]
    lasting: bool
    fields: Mapping[str, object]
    followed: str
    needed: str

    @classmethod
    def of(
        cls,
        text: str,
        ways: Mapping[str, str],
        *,
        lasting: bool = False,
        fields: Mapping[str, object] | None = None,
        followed: str = "",
        needed: str = "",
    ) -> Unsaid:
        """Return the remark while none of the fields is said."""
        known = " and ".join(filter(None, ways.values()))
        whole = cls(f"{text}: say it, such as by {known}" if known else text)
        whole.text, whole.ways, whole.lasting = text, dict(ways), lasting
        whole.fields, whole.followed = dict(fields or {}), followed
        whole.needed = needed
        return whole

    def beside(self, said: Collection[str]) -> str:
        """Return what is left of it beside fields that are said; empty for nothing."""
        left = {name: way for name, way in self.ways.items() if name not in said}
        if not left and not self.lasting:
            return ""
        return Unsaid.of(
            self.text,
            left,
            lasting=self.lasting,
            fields=self.fields,
            followed=self.followed,
            needed=self.needed,
        )
