"""Solvents by their usual names, and the continua that take their places.

The table is that of SMD, as PySCF has it: permittivities and refractive indices of 179 solvents
from the Minnesota solvent descriptor database (https://comp.chem.umn.edu/solvation/mnsddb.pdf);
A. V. Marenich, C. J. Cramer, D. G. Truhlar, J. Phys. Chem. B 113, 6378 (2009).
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import math
import re
from typing import Any

from ontologies.level import Solvation, SolvationName
from triplestore.errors import ComponentError, InputError, RecordError
from workflows.text.names import nearest, plain

MODELS: dict[str, SolvationName] = {
    "cpcm": "C-PCM",
    "conductorpcm": "C-PCM",
    "cosmo": "COSMO",
    "iefpcm": "IEF-PCM",
    "pcm": "IEF-PCM",
    "ssvpe": "SS(V)PE",
    "smd": "SMD",
}
"""Models by their spellings without case, hyphens and brackets. Gaussian's PCM is IEF-PCM."""

DEFAULT: SolvationName = "C-PCM"

PRETTY = {
    "benzylalcohol": "benzyl alcohol", "butylethanoate": "butyl acetate",
    "butylether": "dibutyl ether", "decalin (cis/trans mixture)": "decalin",
    "diethylether": "diethyl ether", "diethylsulfide": "diethyl sulfide",
    "dimethyldisulfide": "dimethyl disulfide", "dimethylsulfoxide": "dimethyl sulfoxide",
    "diphenylether": "diphenyl ether", "ethylethanoate": "ethyl acetate",
    "ethylmethanoate": "ethyl formate", "ethylphenylether": "ethyl phenyl ether",
    "formicacid": "formic acid", "hexanoicacid": "hexanoic acid",
    "methylbenzoate": "methyl benzoate", "methylbutanoate": "methyl butanoate",
    "methylethanoate": "methyl acetate", "methylmethanoate": "methyl formate",
    "methylpropanoate": "methyl propanoate", "pentyl ethanoate": "pentyl acetate",
    "propyl ethanoate": "propyl acetate", "N-methylformamide(E/Zmixture)": "N-methylformamide",
    "tributylphosphate": "tributyl phosphate", "tetrahydrothiophene-S,S-dioxide": "sulfolane",
    "xylene (mixture)": "xylene", "a-chlorotoluene": "benzyl chloride",
}  # fmt: skip
"""Usual names of solvents whose names in the table are not."""

SYNONYMS = {
    "h2o": "water", "mecn": "acetonitrile", "ch3cn": "acetonitrile",
    "acn": "acetonitrile", "dcm": "dichloromethane", "ch2cl2": "dichloromethane",
    "methylenechloride": "dichloromethane", "dmso": "dimethylsulfoxide",
    "dimethylsulphoxide": "dimethylsulfoxide", "thf": "tetrahydrofuran", "etoh": "ethanol",
    "meoh": "methanol", "chcl3": "chloroform", "trichloromethane": "chloroform",
    "ccl4": "carbon tetrachloride", "tetrachloromethane": "carbon tetrachloride",
    "cs2": "carbon disulfide", "hexane": "n-hexane", "heptane": "n-heptane",
    "pentane": "n-pentane", "octane": "n-octane", "nonane": "n-nonane", "decane": "n-decane",
    "undecane": "n-undecane", "dodecane": "n-dodecane", "pentadecane": "n-pentadecane",
    "hexadecane": "n-hexadecane", "isooctane": "2,2,4-trimethylpentane", "phh": "benzene",
    "c6h6": "benzene", "phme": "toluene", "ether": "diethylether", "et2o": "diethylether",
    "dmf": "N,N-dimethylformamide", "dimethylformamide": "N,N-dimethylformamide",
    "dma": "N,N-dimethylacetamide", "dmac": "N,N-dimethylacetamide",
    "dimethylacetamide": "N,N-dimethylacetamide", "dioxane": "1,4-dioxane",
    "etoac": "ethylethanoate", "meoac": "methylethanoate",
    "acoh": "acetic acid", "hoac": "acetic acid",
    "ethanoicacid": "acetic acid", "hcooh": "formicacid", "isopropanol": "2-propanol",
    "propan2ol": "2-propanol", "iproh": "2-propanol", "ipa": "2-propanol",
    "propanol": "1-propanol", "propan1ol": "1-propanol", "npropanol": "1-propanol",
    "butanol": "1-butanol", "butan1ol": "1-butanol", "nbutanol": "1-butanol",
    "butan2ol": "2-butanol", "isobutanol": "2-methyl-1-propanol",
    "tbuoh": "2-methyl-2-propanol", "tertbutanol": "2-methyl-2-propanol",
    "pentanol": "1-pentanol", "hexanol": "1-hexanol", "octanol": "1-octanol",
    "noctanol": "1-octanol", "ethyleneglycol": "1,2-ethanediol",
    "glycol": "1,2-ethanediol", "tfe": "2,2,2-trifluoroethanol",
    "trifluoroethanol": "2,2,2-trifluoroethanol", "dce": "1,2-dichloroethane",
    "dichloroethane": "1,2-dichloroethane", "odcb": "o-dichlorobenzene",
    "1,2dichlorobenzene": "o-dichlorobenzene", "phcl": "chlorobenzene", "mek": "butanone",
    "2butanone": "butanone", "mibk": "4-methyl-2-pentanone", "et3n": "triethylamine",
    "meno2": "nitromethane", "nmf": "N-methylformamide(E/Zmixture)",
    "cumene": "isopropylbenzene", "py": "pyridine",
    "trichloroethylene": "trichloroethene", "tetrachloroethylene": "tetrachloroethene",
    "methyliodide": "iodomethane", "mei": "iodomethane", "propionitrile": "propanonitrile",
    "butyronitrile": "butanonitrile", "phenetole": "ethylphenylether", "c6f6": "perfluorobenzene",
    "hexafluorobenzene": "perfluorobenzene", "allylalcohol": "2-propen-1-ol",
    "2methoxyethanol": "2-methoxyethanol", "lutidine": "2,6-dimethylpyridine",
}  # fmt: skip
"""Names in the table by other plain spellings."""


GAS = ("none", "gas", "gasphase", "vacuum")
"""How people say that there is no solvent, or no model of one, in plain spelling."""


def solvation_of(model: str, solvent: str, dielectric: float | None) -> Solvation | None:
    """Return the continuum that is meant; None for the gas phase.

    Args:
        model: such as `C-PCM` or `smd`; empty for C-PCM where a solvent is given; it counts for
            nothing where the solvent is said to be none.
        solvent: a usual name such as `water`, `MeCN` or `n-hexane`.
        dielectric: static relative permittivity of a medium without a name.

    Raises:
        InputError: there is no such model or solvent, they do not go together, or the
            permittivity cannot be.
    """
    medium = "" if plain(solvent) in GAS else solvent.strip()
    if plain(model) in GAS and (medium or dielectric is not None):
        raise InputError(
            f"the gas phase and the solvent {medium or dielectric!r} were asked for",
            "they exclude each other",
            "leave out one",
        )
    said = plain(solvent) in GAS or plain(model) in ("", *GAS)
    if said and not medium and dielectric is None:
        _model("" if plain(model) in GAS else model)  # one that there is not is refused
        return None
    chosen = _model(model)
    if dielectric is not None:
        return _medium(chosen, medium, dielectric)
    if not medium:
        raise InputError(
            f"solvation by {chosen} was asked for",
            "no solvent is named",
            "name one, such as water" + ("" if chosen == "SMD" else ", or give a permittivity"),
        )
    row = table_name(medium)
    values = _table()[row]
    return Solvation(
        model=chosen,
        solvent=PRETTY.get(row, row),
        dielectric=float(values[5]),
        optical_dielectric=_square(values[0]),
    )


def known_solvents() -> dict[str, list[str]]:
    """Return the solvents that can be named, under a head."""
    names = sorted((PRETTY.get(name, name) for name in _table()), key=str.lower)
    return {"Solvents; or give a permittivity": names}


def table_name(solvent: str) -> str:
    """Return the name of a solvent in PySCF's table.

    Raises:
        InputError: it is not there; names the nearest.
    """
    rows = {key_of(name): name for name in _table()}
    rows |= {key_of(usual): name for name, usual in PRETTY.items()}
    rows |= {key_of(spelt): name for spelt, name in SYNONYMS.items()}
    key = key_of(solvent)
    if key in rows:
        return rows[key]
    near = nearest(key, {one: PRETTY.get(name, name) for one, name in rows.items()})
    raise InputError(
        f"the solvent {solvent!r} was asked for",
        f"the table has {len(_table())} solvents, none of that name",
        f"did you mean {' or '.join(near)}?"
        if near
        else "name another, such as water, acetonitrile or toluene, or give its permittivity",
    )


def continuum_of(mf: Any) -> Any:
    """Return the continuum around a mean field; None without one.

    Not by `getattr`: PySCF imports all its modules to look for an attribute that is not there.
    """
    return vars(mf).get("with_solvent")


def in_continuum(mf: Any, stored: Solvation) -> Any:
    """Return a mean field in a continuum.

    Args:
        mf: PySCF's mean field, with density fitting if that is wanted: it must come before.
        stored: the continuum.

    Raises:
        RecordError: PySCF's table has moved since.
        ComponentError: this PySCF was built without SMD.
    """
    from pyscf import solvent
    from pyscf.solvent import smd

    if stored.model == "SMD":
        if not smd.libsolvent:
            raise ComponentError(
                "solvation by SMD was asked for",
                "this PySCF was built without it",
                "install PySCF's own wheel, or ask for C-PCM or IEF-PCM",
            )
        row = table_name(stored.solvent)
        values = _table()[row]
        if (float(values[5]), _square(values[0])) != (
            stored.dielectric,
            stored.optical_dielectric,
        ):
            raise RecordError(
                f"SMD {stored.solvent} with ε = {stored.dielectric:g} was asked for",
                f"PySCF's table now has ε = {values[5]:g}",
                "ask for the method anew, or install the PySCF of that time",
            )
        mf = solvent.SMD(mf)
        mf.with_solvent.solvent = row
    else:
        mf = solvent.PCM(mf)
        mf.with_solvent.method = stored.model
        mf.with_solvent.eps = stored.dielectric
    mf.with_solvent.lebedev_order = 29  # 302 points a sphere
    return mf


def _model(model: str) -> SolvationName:
    key = re.sub(r"[()]", "", plain(model))
    if not key:
        return DEFAULT
    if key not in MODELS:
        near = " or ".join(nearest(key, dict[str, str](MODELS)))
        raise InputError(
            f"the solvation model {model!r} was asked for",
            f"this version computes {', '.join(dict.fromkeys(MODELS.values()))}",
            f"did you mean {near}?" if near else "choose one of them",
        )
    return MODELS[key]


def _medium(model: SolvationName, solvent: str, dielectric: float) -> Solvation:
    asked = f"solvation by {model} with the permittivity {dielectric:g} was asked for"
    if solvent:
        raise InputError(
            asked, f"the solvent {solvent!r} has its own", "give either a name or a permittivity"
        )
    if model == "SMD":
        raise InputError(
            asked,
            "SMD needs more of a solvent than that (surface tension, acidity, …)",
            "name a solvent, or ask for C-PCM or IEF-PCM",
        )
    if not math.isfinite(dielectric) or dielectric <= 1:
        raise InputError(
            asked,
            "a relative permittivity is a number above 1, that of the vacuum",
            "give one such as 78.4 (water), or leave it out for the gas phase",
        )
    return Solvation(model=model, solvent="", dielectric=dielectric)


def _square(index: float) -> float:
    return round(float(index) ** 2, 4)


def _table() -> dict[str, list[float]]:
    """Return refractive index, …, permittivity and more of each solvent, by its name."""
    from pyscf.solvent import smd

    return {name: row for name, row in smd.solvent_db.items() if name}


def key_of(solvent: str) -> str:
    """Return a name without case, spaces, hyphens, underscores, brackets and slashes."""
    return re.sub(r"[\s\-_()/]", "", solvent.lower())
