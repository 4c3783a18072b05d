"""What a checkpoint of MACE means; nothing here imports what computes it."""

from __future__ import annotations

from operator import attrgetter

from ontologies.elements import SYMBOLS
from ontologies.level import ResolvedLevel
from ontologies.potentials import CheckpointPotential, Precision
from triplestore.errors import InputError
from workflows.engine import calculation
from workflows.potentials.dispersion import correction_of
from workflows.potentials.learned import Package
from workflows.text.words import listed

from .files import content_of
from .reading import Picture, UnreadableError, read_checkpoint

MACE = Package(
    title="MACE",
    extra="mace",
    packages=("mace-torch", "e3nn", "torch", "ase", "numpy", "matscipy"),
    known=attrgetter("elements"),
)
"""What computes it."""

BACKEND = MACE.backend()

ARCHITECTURE = "ScaleShiftMACE"
"""What is saved by MACE for energies and forces."""


@calculation(
    "mace.resolve_level", version="1", backend=BACKEND, brief=True, title="level of theory"
)
def resolve_level(
    method: str,
    version: str,
    digest: str,
    name: str,
    head: str = "",
    precision: Precision | None = None,
    *,
    dispersion: str = "",
) -> ResolvedLevel:
    """Find out what a checkpoint of MACE is, without running what stands in it.

    Args:
        method: `MACE`.
        version: of the package.
        digest: SHA-256 of the file.
        name: of the file, as the level is called.
        head: which of its outputs; empty for the only one, or the one called `default`.
        precision: of the numbers; that of the file if not given.
        dispersion: what is added to it, as in `d3bj:pbe`; empty for nothing.

    Raises:
        InputError: it is no checkpoint of MACE, or has no such head.
        ComponentError: MACE is not installed, or in another version, or the file is not known.
    """
    asked = f"{method} with the checkpoint {name} was asked for"
    MACE.check_version(version, asked)
    model = picture_of(digest, asked)
    try:
        heads = [str(one) for one in getattr(model, "heads", None) or ["Default"]]
        numbers = [int(one) for one in model.atomic_numbers]
        own = str(model.r_max.dtype)
        elements = tuple(SYMBOLS[one] for one in numbers)
    except (AttributeError, TypeError, ValueError, IndexError) as error:
        raise _unread(asked, "it says nothing of its elements or heads") from error
    level = CheckpointPotential(
        method="MACE",
        program_version=version,
        model=name,
        weights=digest,
        head=_head(head, heads, asked),
        precision=precision or ("float32" if own == "float32" else "float64"),
        elements=elements,
        dispersion=correction_of(dispersion, "", asked),
    )
    return ResolvedLevel(method=method, level=level)


def picture_of(digest: str, asked: str) -> Picture:
    """Return the picture of a checkpoint.

    Raises:
        InputError: it is no checkpoint of an architecture that is understood here.
        ComponentError: the file is not known.
    """
    try:
        model = read_checkpoint(content_of(digest, asked))
    except UnreadableError as error:
        raise _unread(asked, str(error)) from error
    if type(model).__name__ != ARCHITECTURE:
        raise _unread(asked, f"it is a {type(model).__name__[:60]}, and no {ARCHITECTURE}")
    return model


def _unread(asked: str, found: str) -> InputError:
    return InputError(
        asked,
        f"{found}; nothing in it was run",
        "give a file as MACE saves it for energies and forces (torch.save of a ScaleShiftMACE; "
        "no compiled one)",
    )


def _head(wanted: str, heads: list[str], asked: str) -> str:
    """Return the head that is meant."""
    like = [one for one in heads if one.lower() == (wanted or "default").lower()]
    if like or (len(heads) == 1 and not wanted):
        return (like or heads)[0]
    raise InputError(
        f"{asked} with {f'the head {wanted}' if wanted else 'no head'}",
        f"it has {listed(heads)}",
        "choose one (head)",
    )
