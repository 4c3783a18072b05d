"""What people teach: corrections in their words, and the rules that these come to."""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime

from ogm import GraphModel, Link, Whose

from .consent import Consent


class TaughtRule(GraphModel, identity="event"):
    """A rule that a person teaches of a device.

    It is theirs by the yes that it names, which is signed.

    Attributes:
        device_graph: the graph of the device's commands.
        memo: the correction in their words.
        first_command: of the rule.
        relation: `before`, `then` or `never while`.
        second_command: of the rule.
        rule_version: 1, or one more than that of the rule that it replaces.
        replaces: that rule, which holds no more.
        consent: the person's yes to all of this.
        taught: when.
        taught_by: the account.
    """

    device_graph: str
    memo: str
    first_command: str
    relation: str
    second_command: str
    rule_version: int = 1
    replaces: Link[TaughtRule] | None = None
    consent: Link[Consent]
    taught: AwareDatetime
    taught_by: Annotated[str, Whose()] = ""


class TaughtMemo(GraphModel, identity="event"):
    """A correction that is recalled, and that no plan keeps: it is no rule.

    It is theirs by the yes that it names, which is signed.

    Attributes:
        device_graph: the graph of the device's commands; empty for what is about none.
        memo: the correction in their words.
        repeats: one that says the same, with which it is recalled.
        consent: the person's yes to all of this.
        taught: when.
        taught_by: the account.
    """

    device_graph: str = ""
    memo: str
    repeats: Link[TaughtMemo] | None = None
    consent: Link[Consent]
    taught: AwareDatetime
    taught_by: Annotated[str, Whose()] = ""
