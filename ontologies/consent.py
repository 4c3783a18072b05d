"""What steps do to the world, who has agreed to it, and what was sent."""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime

from ogm import GraphModel, Link, PartOf, Whose

from .provenance import Run


class Deed(GraphModel):
    """What a step would do to the world.

    It is what somebody is asked to agree to. Its IRI is the digest of all of it, so that a yes to
    a deed is a yes to nothing else.

    Attributes:
        graph: name of the graph.
        node: the step.
        inputs: the step's fields as JSON.
        bound: IRIs and digests of all else that it works on.
        effects: what it does to the world: `device`, `network`, `money`, `irreversible`,
            `making`.
        target: the device, or the server; empty where the step names none.
        target_version: of the state of that device; empty where it has none.
        checks: what was found and is shown, in words.
    """

    graph: str
    node: str
    inputs: str
    bound: frozenset[str] = frozenset()
    effects: frozenset[str]
    target: str = ""
    target_version: str = ""
    checks: tuple[str, ...] = ()


class Pending(GraphModel, identity="event"):
    """What a run waits for a yes to.

    Attributes:
        run: that stopped, or of which a step did.
        deeds: what it would do next, and what is planned behind that, in order.
        asked: when it stopped.
    """

    run: Annotated[Link[Run], PartOf()]
    deeds: tuple[Link[Deed], ...]
    asked: AwareDatetime


class Consent(GraphModel, identity="event"):
    """A person's yes to deeds, each once.

    The list is closed.

    Attributes:
        run: for which it was asked.
        deeds: what was agreed to.
        agreed: when.
        until: when it ends.
        agreed_by: the account.
        door: where it was asked: `terminal`, `chat`, the name of a client.
        signed: with the person's key; without that, it is a yes of nobody.
    """

    run: Annotated[Link[Run], PartOf()]
    deeds: frozenset[Link[Deed]]
    agreed: AwareDatetime
    until: AwareDatetime
    agreed_by: Annotated[str, Whose()] = ""
    door: str
    signed: str


class DeedSent(GraphModel, identity="event"):
    """A deed that was begun.

    It is written down before the step acts on the world. Whether it did is said by the
    `Transition` of the same run and index; where there is none, or it failed, nobody knows.

    Attributes:
        run: the run.
        index: position of the step in the run, from 0.
        deed: what was sent.
        likeness: digest of what the step does, whatever state the device is in.
        first_run: the first run of the request that this run belongs to.
        consent: the yes; None where the settings allow it standing.
        sent: when.
        cents: of a US dollar that it may spend.
    """

    run: Annotated[Link[Run], PartOf()]
    index: int
    deed: Link[Deed]
    likeness: str
    first_run: str
    consent: Link[Consent] | None = None
    sent: AwareDatetime
    cents: int = 0
