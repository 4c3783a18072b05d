"""What a person lets be made: statements on materials, plans, their screening, permissions."""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime

from ogm import GraphModel, Link, Whose

from .consent import Consent


class MaterialStatement(GraphModel, identity="event"):
    """What a person has stated of a material.

    It is theirs by the yes that it names, which is signed.

    Attributes:
        material: as it was named.
        matched_by: what a plan's material is compared with: of a structure the first block of its
            InChIKey and its charge, of what has none its plain name.
        called: its full name.
        registry_number: of CAS.
        supplier: who sells it.
        nothing_listed: whether it has no listed component.
        consent: the person's yes to all of this.
        stated: when.
        stated_by: the account.
    """

    material: str
    matched_by: str
    called: str
    registry_number: str
    supplier: str = ""
    nothing_listed: bool = False
    consent: Link[Consent]
    stated: AwareDatetime
    stated_by: Annotated[str, Whose()] = ""


class MakingPlan(GraphModel):
    """What is to be made, and of what.

    Its IRI is the digest of all of it.

    Attributes:
        title: it in words.
        notations: SMILES of all that is used and made, of mixtures and reactions, too.
        names: of materials that have no structure, or whose structure is to be looked up here.
        details: all else that belongs to it, as text: another text is another plan.
        done_by: the device that is to do it; empty for none.
    """

    title: str
    notations: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    details: str = ""
    done_by: str = ""


class PlanVerdict(GraphModel):
    """What screening a whole plan came to.

    Its IRI is the digest of all of it.

    Attributes:
        plan: the plan.
        tier: what it asks for: `statement`, `confirmation`, `warning`, or nothing.
        findings: entries of lists that match, each in words.
        unread: materials without a structure.
        statements: those on which it rests.
        lists: digest of the lists.
    """

    plan: Link[MakingPlan]
    tier: str
    findings: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    statements: tuple[Link[MaterialStatement], ...] = ()
    lists: str


class MakingPermission(GraphModel, identity="event"):
    """A person's permission to do a plan once.

    It holds nothing but what the yes that it names was given to, which is signed.

    Attributes:
        plan: that may be done.
        verdict: what was known of it.
        consent: the person's yes.
        given: when.
        until: when it ends.
        given_by: the account.
    """

    plan: Link[MakingPlan]
    verdict: Link[PlanVerdict]
    consent: Link[Consent]
    given: AwareDatetime
    until: AwareDatetime
    given_by: Annotated[str, Whose()] = ""
