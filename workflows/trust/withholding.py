"""Models of which some fields are withheld: who reads one is told why, and gets no other value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, PrivateAttr

from triplestore.errors import TrustError

Reason = tuple[str, str, str]
"""The three parts of the error: what was asked, what is there, what to do; JSON can hold it."""

WITHHELD = "withheld"
"""Under this name the reasons travel with the settings' values for forms."""


class Withholding(BaseModel):
    """A model whose fields may be withheld, each for a reason.

    A default in the place of such a value would be another answer than was asked for, without a
    word; so it is an error to read one, at the place that needs it and nowhere else.
    """

    _withheld: Mapping[str, Reason] = PrivateAttr(default_factory=dict[str, Reason])

    _left_open: frozenset[str] = PrivateAttr(default=frozenset[str]())

    def __eq__(self, other: object) -> bool:
        """Tell whether the same is said, whether by a person or by the settings."""
        if not isinstance(other, Withholding):
            return NotImplemented
        alike = type(self) is type(other) and self._withheld == other._withheld
        return alike and self.__dict__ == other.__dict__

    if not TYPE_CHECKING:  # which would no longer see names that do not exist

        def __getattribute__(self, name: str) -> Any:
            """Return an attribute.

            Raises:
                TrustError: it is withheld.
            """
            get = super().__getattribute__
            if not name.startswith("_"):
                private = get("__pydantic_private__")
                reason = private["_withheld"].get(name) if private else None
                if reason is not None:
                    raise TrustError(*reason)
            return get(name)

    def withhold(self, reasons: Mapping[str, Reason]) -> None:
        """Withhold some fields, by name; once, where the model is made."""
        self._withheld = dict(reasons)

    @property
    def left_open(self) -> frozenset[str]:
        """The fields that nobody said, and that the settings filled in."""
        return self._left_open

    def leave_open(self, names: Iterable[str]) -> None:
        """Note which these are; once, where the model is made."""
        self._left_open = frozenset(names)

    def handed_on(self) -> dict[str, Any]:
        """Return the values as defaults of another form, and what is withheld as withheld."""
        reasons = self._withheld
        values = self.model_dump(exclude=set(reasons))
        return {**values, WITHHELD: dict(reasons)} if reasons else values
