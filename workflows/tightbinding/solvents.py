"""Solvents that ALPB and GBSA have parameters for, by their usual names."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.tightbinding import BornModel, BornSolvation
from triplestore.errors import InputError
from workflows.dft.level.solvents import SYNONYMS, key_of, table_name
from workflows.dft.level.solvents import solvation_of as solvation_by_name
from workflows.text.names import nearest, plain

NAMES = {
    "acetone": "acetone", "acetonitrile": "acetonitrile", "aniline": "aniline",
    "benzaldehyde": "benzaldehyde", "benzene": "benzene", "dichloromethane": "ch2cl2",
    "chloroform": "chcl3", "carbon disulfide": "cs2", "1,4-dioxane": "dioxane",
    "N,N-dimethylformamide": "dmf", "dimethyl sulfoxide": "dmso", "diethyl ether": "ether",
    "ethyl acetate": "ethylacetate", "ethanol": "ethanol", "furan": "furan",
    "n-hexadecane": "hexadecane", "n-hexane": "hexane", "methanol": "methanol",
    "nitromethane": "nitromethane", "1-octanol": "octanol", "wet 1-octanol": "woctanol",
    "phenol": "phenol", "toluene": "toluene", "tetrahydrofuran": "thf", "water": "water",
}  # fmt: skip
"""What ALPB has parameters for, by usual names and by tblite's."""

GBSA = (
    "acetone",
    "acetonitrile",
    "benzene",
    "dichloromethane",
    "chloroform",
    "carbon disulfide",
    "dimethyl sulfoxide",
    "diethyl ether",
    "methanol",
    "toluene",
    "tetrahydrofuran",
    "water",
)
GBSA_GFN2 = (*GBSA, "N,N-dimethylformamide", "n-hexane")
"""What GBSA has parameters for: for GFN1-xTB, and for GFN2-xTB."""

SPELT = {"ethylethanoate": "ethyl acetate", "woctanol": "wet 1-octanol", "furane": "furan"}
"""Other spellings that the table of PySCF's solvents has under another name, or not at all."""

SUBSTITUTES = {
    "n-pentane": "n-hexane",
    "n-heptane": "n-hexane",
    "n-octane": "n-hexane",
    "n-nonane": "n-hexane",
    "n-decane": "n-hexadecane",
    "2,2,4-trimethylpentane": "n-hexane",
    "n-dodecane": "n-hexadecane",
    "n-pentadecane": "n-hexadecane",
    "p-xylene": "toluene",
    "m-xylene": "toluene",
    "mesitylene": "toluene",
    "1-propanol": "ethanol",
    "2-propanol": "ethanol",
    "1,2-dichloroethane": "dichloromethane",
}
"""Solvents that ALPB lacks, and what it has of the same kind with a dielectric constant near."""

MODELS: dict[str, BornModel] = {"alpb": "ALPB", "gbsa": "GBSA"}

GAS = ("", "none", "gas", "gasphase", "vacuum")


def solvation_of(method: str, model: str, solvent: str) -> BornSolvation | None:
    """Return the continuum that is meant; None for the gas phase.

    Args:
        method: `GFN1-xTB` or `GFN2-xTB`.
        model: `ALPB` or `GBSA`; empty for ALPB where a solvent is given.
        solvent: a usual name such as `water`, `MeCN` or `n-hexane`.

    Raises:
        InputError: there is no such model, or it has no parameters for the solvent.
    """
    medium = "" if plain(solvent) in GAS else solvent.strip()
    if plain(model) in GAS[1:] and medium:
        raise InputError(
            f"the gas phase and the solvent {medium!r} were asked for",
            "they exclude each other",
            "leave out one",
        )
    if not medium and plain(model) in GAS:
        return None
    chosen: BornModel | None = MODELS.get(plain(model)) if plain(model) not in GAS else "ALPB"
    if chosen is None:
        raise InputError(
            f"the solvation model {model!r} was asked for with {method}",
            f"tight binding has {' and '.join(MODELS.values())}",
            "choose one of them, or leave it out for ALPB",
        )
    if plain(solvent) in GAS[1:]:
        return None
    if not medium:
        raise InputError(
            f"solvation by {chosen} was asked for", "no solvent is named", "name one, such as water"
        )
    return BornSolvation(model=chosen, solvent=_usual(method, chosen, medium))


def known(method: str, model: BornModel) -> tuple[str, ...]:
    """Return the usual names of the solvents that a model has parameters for."""
    if model == "ALPB":
        return tuple(NAMES)
    return GBSA if method == "GFN1-xTB" else GBSA_GFN2


def parameter_name(method: str, model: BornModel, solvent: str) -> str:
    """Return tblite's name of a solvent.

    Raises:
        InputError: the model has no parameters for it.
    """
    return NAMES[_usual(method, model, solvent)]


def substitute(solvent: str) -> tuple[str, str]:
    """Return the solvent that ALPB has in the place of another, and a remark that says so.

    Nothing takes it unless a person allows it: what is computed is for the other solvent.

    Args:
        solvent: a usual name, such as `heptane`.

    Returns:
        Its own usual name and no remark where ALPB has it.

    Raises:
        InputError: ALPB has neither it nor one that is near.
    """
    try:
        return _usual("GFN2-xTB", "ALPB", solvent), ""
    except InputError as error:
        try:
            row = table_name(solvent)
        except InputError:
            raise error from None
        if row not in SUBSTITUTES:
            raise
    near = SUBSTITUTES[row]
    theirs, ours = (solvation_by_name("C-PCM", one, None) for one in (row, near))
    assert theirs is not None
    assert ours is not None
    return near, (
        f"ALPB has no parameters for {row}: {near} is taken in its place, of the same kind, with a "
        f"dielectric constant of {ours.dielectric:.2f} and not {theirs.dielectric:.2f}"
    )


def _usual(method: str, model: BornModel, solvent: str) -> str:
    """Return the usual name of a solvent that a model knows."""
    spelt = dict(_spellings())
    name, there = spelt.get(key_of(solvent)), known(method, model)
    if name in there:
        return str(name)
    near = [one for one in nearest(key_of(solvent), spelt) if one in there]
    guess = f"did you mean {' or '.join(near)}? " if near and name is None else ""
    raise InputError(
        f"{model} {solvent} was asked for with {method}",
        f"it has parameters for {', '.join(sorted(there, key=str.lower))} only",
        f"{guess}choose one of them, or ask for a functional, which knows many more solvents",
    )


def _spellings() -> Iterator[tuple[str, str]]:
    """Yield the plain spellings of solvents with their usual names."""
    usual = {key_of(name): name for name in NAMES}
    yield from usual.items()
    yield from ((key_of(short), name) for name, short in NAMES.items())
    yield from SPELT.items()
    for spelt, row in SYNONYMS.items():
        if (name := usual.get(key_of(row)) or SPELT.get(key_of(row))) is not None:
            yield key_of(spelt), name
