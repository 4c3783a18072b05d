"""What the published tools for conformers and clusters take, and what that is here."""

from __future__ import annotations

from collections.abc import Mapping

from triplestore.errors import InputError
from workflows.engine.request.definition import Elsewhere
from workflows.engine.request.refusals import field_text
from workflows.engine.request.rules import understood
from workflows.molecule.recognition import recognise

LEVELS = {
    "GFN2-xTB": ("gfn2", "gfn2xtb", "gfnxtb", "gfn", "xtb", "tblite"),
    "GFN1-xTB": ("gfn1", "gfn1xtb"),
    "GFN-FF": ("gfnff",),
}
"""What CREST means by the words for its level; where they name a family, it takes GFN2-xTB."""

KINDS = ("smiles", "name", "xyz")

Said = Mapping[str, object]


def level(value: object, said: Said) -> Said:
    """Return the level of geometries, at which CREST searches, too."""
    chosen = understood(value, list(LEVELS), LEVELS)
    if chosen not in LEVELS:
        raise InputError(
            f"{field_text('calculation_level_method', value)} was asked for",
            "conformers are sampled at gfn2, gfn1 or gfnff",
            "ask for one of these, and refine the ensemble at another level",
        )
    return {"method": chosen}


def kind_of(name: str, field: str = "kind") -> Elsewhere:
    """Return what says how another argument is read: it is recognised, and must be that.

    Args:
        name: of the other argument.
        field: takes the kind where the other is given under its name here; empty for none.
    """

    def kind(value: object, said: Said) -> Said:
        text, asked = said.get(name), f"{field_text(f'{name}_type', value)} was asked for"
        if value not in KINDS:
            raise InputError(asked, "there is no such kind", f"give one of {', '.join(KINDS)}")
        if value == "xyz":
            return {}
        if text is None:
            return {field: value} if field else {}
        if (found := recognise(str(text))) != value:
            raise InputError(
                asked,
                f"{field_text(name, text)} reads as a {found}",
                "give a text that can be read in one way only",
            )
        return {}

    return kind


def card(value: object, said: Said) -> Said:
    """Return nothing where no graphics card is asked for."""
    if value not in (False, "false", "False"):
        raise InputError(
            f"{field_text('run_on_gpu', value)} was asked for",
            "there is no released CREST for graphics cards",
            "leave it out",
        )
    return {}


def threads(value: object, said: Said) -> Said:
    """Refuse a number of threads: one setting is for all calculations."""
    raise InputError(
        f"{field_text('threads', value)} was asked for",
        "how many threads a calculation gets is a setting of the session",
        "leave it out; a person sets `threads_per_calculation`",
    )


SEARCH: dict[str, Elsewhere] = {
    "identifier": "molecule",
    "identifier_type": kind_of("identifier"),
    "spin_multiplicity": "multiplicity",
    "implicit_solvent": "solvent",
    "calculation_level_method": level,
    "crest_runtype": "search",
    "run_on_gpu": card,
}
"""Of run_crest_conformer_search."""

GROWTH: dict[str, Elsewhere] = {
    "solute_identifier": "molecule",
    "solute_identifier_type": kind_of("solute_identifier"),
    "solvent_identifier": "solvent",
    "solvent_identifier_type": kind_of("solvent_identifier", field=""),
    "spin_multiplicity": "multiplicity",
    "nsolv": "count",
    "alpb_solvent": "continuum",
    "threads": threads,
}
"""Of run_qcg_cluster."""
