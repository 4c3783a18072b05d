"""What the published tool for frameworks takes, `run_mof_workflow`, and what that is here.

It is one tool that chooses by a sentence what to do; here each of that is a workflow of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from triplestore.errors import InputError
from workflows.engine.request.definition import Elsewhere
from workflows.engine.request.refusals import field_text

Said = Mapping[str, object]

NET = ("topology_pormake_id", "topology_iris")
NODE = ("node_pormake_id", "metal_node_iris")
LINKER = ("linker_pormake_id", "organic_linker_iris")

CRYSTAL = "molecule"
"""By which crystals are named among arguments."""

DESIGN = "framework design"
"""By which designs are."""

CRYSTALS = "ask for `mof measure` or `mof process` of a crystal"
BUILDING = "ask for `mof build` of a net and blocks"
SEARCHING = "ask for `mof search`, which takes nets and blocks to choose from"


def refused(name: str, found: str, advice: str) -> Callable[[object, Said], Said]:
    """Return what says that an argument has no meaning here."""

    def no(value: object, said: Said) -> Said:
        raise InputError(f"{field_text(name, value)} was asked for", found, advice)

    return no


def kept(value: object, said: Said) -> Said:
    """Return nothing where results are to be kept: they always are."""
    if value in (True, "true", "True"):
        return {}
    raise InputError(
        f"{field_text('update_graph', value)} was asked for",
        "what is found is always kept",
        "leave it out; a person chooses a store that is forgotten (`memory:`)",
    )


def code(value: object, said: Said) -> Said:
    """Return the crystal of a reference code."""
    return {CRYSTAL: str(value).strip().upper()}


def _each(value: object) -> list[str]:
    """Return what a text or a list of texts names."""
    many = cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else (value,)
    return [str(one).strip() for one in many if str(one).strip()]


def design(value: object, said: Said) -> Said:
    """Return the design of a net, a node and a linker.

    Raises:
        InputError: one of them is missing, or there are several to choose from.
    """
    words: list[str] = []
    for names, noun in ((NET, "net"), (NODE, "node"), (LINKER, "")):
        told = {one for name in names for one in _each(said.get(name) or ())}
        if len(told) > 1:
            raise InputError(
                f"a framework was asked for, with {len(told)} of {' and '.join(names)}",
                "one framework is built of one of them",
                SEARCHING,
            )
        if noun and not told:
            raise InputError(
                "a framework was asked for by its parts",
                f"no {noun} is named",
                f"give {' or '.join(names)}",
            )
        words += told
    return {DESIGN: " ".join(words)}


_GENERAL: dict[str, Elsewhere] = {
    "summarised_user_query": refused(
        "summarised_user_query",
        "what is to be done is said by the workflow and its fields, not by a sentence",
        "leave it out, and say each wish by its field, such as `measure`",
    ),
    "mof_name": refused(
        "mof_name",
        "frameworks are called after their net and blocks, or their file",
        "leave it out; labels of your own are told in the answer",
    ),
}

_NO_CRYSTAL: dict[str, Elsewhere] = {
    name: refused(name, "that is a crystal", CRYSTALS)
    for name in ("csd_refcode", "input_cif_filename")
}

BUILD: dict[str, Elsewhere] = {
    **_GENERAL,
    **_NO_CRYSTAL,
    **dict.fromkeys((*NET, *NODE, *LINKER), design),
    "update_graph": kept,
}

EXPLORE: dict[str, Elsewhere] = {
    **_GENERAL,
    **_NO_CRYSTAL,
    **dict.fromkeys(NET, "net"),
    **dict.fromkeys(NODE, "nodes"),
    **dict.fromkeys(LINKER, "linkers"),
    "update_graph": kept,
}

SEARCH: dict[str, Elsewhere] = {**EXPLORE, "update_graph": "keep"}

ENTRY: dict[str, Elsewhere] = {
    **_GENERAL,
    "csd_refcode": code,
    "input_cif_filename": CRYSTAL,
    **{
        name: refused(name, "a crystal has its own net and blocks", BUILDING)
        for name in (*NET, *NODE, *LINKER)
    },
    "update_graph": kept,
}
"""Of what is taken apart or measured."""
