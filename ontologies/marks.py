"""What people say afterwards of a run, an activity or another object: tags, withdrawals."""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime

from ogm import GraphModel, Link, PartOf, Whose


class Tag(GraphModel, identity="event"):
    """A word by which an object is found again.

    Attributes:
        tagged: the object.
        word: in small letters.
        noted: when it was said.
        noted_by: who said it.
    """

    tagged: Annotated[Link[GraphModel], PartOf()]
    word: str
    noted: AwareDatetime
    noted_by: Annotated[str, Whose()] = ""


class Withdrawal(GraphModel, identity="event"):
    """That a run or an activity is not to be relied upon.

    It says nothing of the values that were found, which others may have found too. A withdrawn
    activity is not remembered: an equal computation is a new one.

    Attributes:
        withdrawn: the run or the activity.
        why: the reason, in words.
        noted: when it was said.
        noted_by: who said it.
    """

    withdrawn: Annotated[Link[GraphModel], PartOf()]
    why: str
    noted: AwareDatetime
    noted_by: Annotated[str, Whose()] = ""


class Undone(GraphModel, identity="event"):
    """That a tag or a withdrawal does not hold any more.

    Attributes:
        undoes: the tag or the withdrawal.
        noted: when it was said.
        noted_by: who said it.
    """

    undoes: Annotated[Link[GraphModel], PartOf()]
    noted: AwareDatetime
    noted_by: Annotated[str, Whose()] = ""
