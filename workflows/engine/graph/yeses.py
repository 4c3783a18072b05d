"""A person's yes as it is kept: signed with their key, used once, and ended after a time.

It stands in the store, where anybody may write who can write there; so it counts for nothing
without the signature. That it was used is kept beside the key, and not in the store: a copy of the
store from before would not know it, and of two processes the file system lets one make a file.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ogm import KnowledgeGraph, Link
from ogm.terms import shorten
from ontologies.consent import Consent, Deed, DeedSent, Pending
from ontologies.provenance import Run
from triplestore.errors import InputError, NotFoundError, RecordError, ResourceError
from workflows.trust.account import own_account

from ..execution.events import scope
from ..local.person_key import is_signed, key_file, signature

LASTS = timedelta(hours=8)
"""After which a yes that was not used has ended."""

KEPT = 2 * LASTS
"""For which it is remembered that one was used: longer than it could be."""


def given(run: Run, deeds: Sequence[Deed], door: str) -> Consent:
    """Return a person's yes, signed; whoever calls this has asked them.

    Args:
        run: for which it was asked.
        deeds: what they have agreed to, as it was shown.
        door: where they were asked.

    Raises:
        GraficoError: it cannot be signed.
    """
    now = datetime.now(UTC)
    unsigned = Consent(
        run=Link[Run](run),
        deeds=frozenset(Link[Deed](one) for one in deeds),
        agreed=now,
        until=now + LASTS,
        agreed_by=own_account().text,
        door=door,
        signed="",
    )
    signed = signature(_text(unsigned), "a yes", "what was agreed to is asked for again")
    return unsigned.model_copy(update={"signed": signed})


@dataclass(frozen=True)
class Waiting:
    """A run that waits for a yes.

    Attributes:
        run: the run.
        deeds: to what, in order.
    """

    run: Run
    deeds: tuple[Deed, ...]


def waiting(kg: KnowledgeGraph, run: Run) -> Waiting:
    """Return what a run waits for.

    Raises:
        InputError: it waits for no yes.
        RecordError: what is stored of that is not what its IRI says.
    """
    asked = f"what {shorten(run.iri)} would do to the world is to be agreed to"
    found = kg.find(Pending, run=Link[Run](run))
    if not found:
        raise InputError(asked, "it waits for nobody", "see `grafico runs` for those that do")
    deeds = tuple(link.load(kg) for link in found[-1].deeds)
    for one in deeds:
        if Deed(**dict(one)).iri != one.iri:
            raise RecordError(asked, f"{one.iri} is not what it was when it was asked for")
    return Waiting(run, deeds)


def _text(one: Consent) -> bytes:
    deeds = sorted(link.iri for link in one.deeds)
    times = [moment.astimezone(UTC).isoformat() for moment in (one.agreed, one.until)]
    return json.dumps(["yes", one.run.iri, deeds, times, one.agreed_by, one.door]).encode()


def is_genuine(one: Consent) -> bool:
    """Tell whether this person has given a yes, be it used or ended."""
    return is_signed(_text(one), one.signed)


def holds(one: Consent) -> bool:
    """Tell whether this person has given a yes, and it has not ended."""
    now = datetime.now(UTC)
    in_time = one.agreed <= now < one.until <= one.agreed + LASTS
    return in_time and is_genuine(one)


def used_up(one: Consent, what: str) -> bool:
    """Use a yes for one of the things that it is for; tell whether it was there to be used.

    Args:
        one: the yes.
        what: IRI of the deed, or what else names one of many.

    Raises:
        ResourceError: it cannot be written down.
    """
    if not holds(one):
        return False
    return once("yeses", f"{one.signed} {what}", KEPT)


def once(kind: str, text: str, kept: timedelta) -> bool:
    """Note that something was used; tell whether it had not been before.

    Of several processes one is told so.

    Args:
        kind: of what, the name of a folder beside the key.
        text: what it is.
        kept: for which it is remembered; longer than it could be used.

    Raises:
        ResourceError: it cannot be written down.
    """
    folder = key_file().with_name(kind)
    name = hashlib.sha256(text.encode()).hexdigest()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _tidy(folder, kept)
        handle = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        above = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(above)
        finally:
            os.close(above)
    except FileExistsError:
        return False
    except OSError as error:
        raise ResourceError(
            "a yes is to be used",
            f"{folder}: {error.strerror or error}",
            "that it was used is kept there: let it be written",
        ) from error
    return True


def _tidy(folder: Path, kept: timedelta) -> None:
    """Forget those that have ended long ago."""
    oldest = (datetime.now(UTC) - kept).timestamp()
    with suppress(OSError), os.scandir(folder) as found:
        for one in found:
            with suppress(OSError):
                if one.stat(follow_symlinks=False).st_mtime < oldest:
                    os.unlink(one.path)


def yes_to(kg: KnowledgeGraph, deed: Deed) -> Consent | None:
    """Return a yes to a deed, which is used up by that; None where there is none."""
    for one in kg.find(Consent, deeds=Link[Deed](deed)):
        if used_up(one, deed.iri):
            return one
    return None


def agreed_here(kg: KnowledgeGraph) -> tuple[Consent, Deed]:
    """Return the yes by which the step acts that is at work here, and to what.

    So that a step can store what a person has agreed to, with the proof.

    Raises:
        RecordError: it acts without one.
    """
    at = scope()
    for sent in kg.find(DeedSent, run=Link[Run](at.run), index=at.index):
        if sent.consent is not None:
            return sent.consent.load(kg), sent.deed.load(kg)
    raise RecordError("a yes was asked for", "the step that is at work here has none")


def agreed_to(
    kg: KnowledgeGraph, link: Link[Consent], wanted: Callable[[Deed], bool]
) -> Consent | None:
    """Return a yes of this person, used or ended as it may be, if it was given to what is wanted.

    Args:
        kg: where it is stored.
        link: the yes.
        wanted: whether a deed is that.
    """
    try:
        consent = link.load(kg)
        if not is_genuine(consent):
            return None
        for one in consent.deeds:
            deed = one.load(kg)
            if Deed(**dict(deed)).iri == deed.iri and wanted(deed):
                return consent
    except (NotFoundError, RecordError):  # somebody has put something else there
        pass
    return None
