"""Names of methods: a functional, and the dispersion correction that its name brings along."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ontologies.level import Dispersion, DispersionName
from triplestore.errors import InputError
from workflows.text.names import plain

from .dispersion import FORMS, SPELLINGS, Wanted, dispersion_of
from .functionals import HISTORIES, USUAL, described, functional_code, usual_name


@dataclass(frozen=True)
class Method:
    """What the name of a method means.

    Attributes:
        name: its usual spelling, with a correction only where that makes it another functional.
        fields: the fields of a level of theory that the functional decides; none for HF.
        dispersion: the correction.
        remarks: what a reader must know of it.
    """

    name: str
    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    dispersion: Dispersion | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class CombinedFunctional:
    """A functional that exists only together with its correction.

    Attributes:
        name: usual spelling.
        code: what PySCF is told; a non-local part in it is left out.
        kind: the correction.
        parameters: the library's name of the functional whose parameters it takes.
        definition: what it is, in words.
    """

    name: str
    code: str
    kind: DispersionName
    parameters: str
    definition: str


# N. Mardirossian, M. Head-Gordon, Phys. Chem. Chem. Phys. 16, 9904 (2014) and J. Chem. Phys. 144,
# 214110 (2016) for the forms; A. Najibi, L. Goerigk, J. Chem. Theory Comput. 14, 5725 (2018) for
# D3(BJ) and J. Comput. Chem. 41, 2562 (2020) for D4 in the place of their VV10.
NO_VV10 = "the functional {}, its VV10 replaced by {}"
NAMED = (
    *(
        CombinedFunctional(f"{stem}-{kind}", code, kind, stem.lower(),
                           NO_VV10.format(f"{stem}-V", kind))
        for stem, code in (
            ("wB97M", "HYB_MGGA_XC_WB97M_V"),
            ("B97M", "MGGA_XC_B97M_V"),
        )
        for kind in ("D3(BJ)", "D4")
    ),
    CombinedFunctional("wB97X-D3(BJ)", "HYB_GGA_XC_WB97X_V", "D3(BJ)", "wb97x",
          NO_VV10.format("wB97X-V", "D3(BJ)")),
    CombinedFunctional("wB97X-D4", "HYB_GGA_XC_WB97X_V", "D4", "wb97x",
          NO_VV10.format("wB97X-V", "D4") + ", not the wB97X of 2008 with D4"),
    # Y.-S. Lin et al., J. Chem. Theory Comput. 9, 263 (2013)
    CombinedFunctional("wB97X-D3", "HYB_GGA_XC_WB97X_D3", "D3(0)", "wb97x",
          "the functional of 2013, fitted together with its D3(0), not wB97X of 2008 with D3"),
    CombinedFunctional("wB97X-2008-D4", "HYB_GGA_XC_WB97X", "D4", "wb97x-2008",
          "the wB97X of 2008 with the D4 made for it; wB97X-D4 is another functional"),
    # S. Grimme, J. Comput. Chem. 27, 1787 (2006) for the functional, 32, 1456 (2011) for BJ
    CombinedFunctional("B97-D3(BJ)", "GGA_XC_B97_D", "D3(BJ)", "b97d",
          "the pure functional of B97-D, its D2 replaced by D3(BJ); Q-Chem and Psi4 call the one "
          "with D3(0) B97-D3"),
    CombinedFunctional("B97-D3(0)", "GGA_XC_B97_D", "D3(0)", "b97d",
          "the pure functional of B97-D, its D2 replaced by D3(0)"),
    CombinedFunctional("CF22D", "HYB_MGGA_X_CF22D,MGGA_C_CF22D", "D3(0)", "cf22d",
          "fitted together with its D3(0), which is in"),
)  # fmt: skip

STEMS = {
    "wb97x": "wB97X",
    "wb97x2008": "wB97X-2008",
    "wb97m": "wB97M",
    "b97m": "B97M",
    "b97": "B97",
    "cf22d": "CF22D",
}
"""What stands before the correction in their names, by plain spellings."""

PREFERRED: dict[str, tuple[DispersionName, ...]] = {"wB97X": ("D3(0)",)}
"""Which D3 is meant where a name does not say; D3(BJ), else D3(0), for all others."""

LIBRARY = {"bhandhlyp": "bhlyp", "b3lyp5": "b3lyp", "bp86": "bp"}
"""Other names of functionals in the libraries of D3 and D4, by plain ones."""

SUFFIX = re.compile(r"(.+?)(d3mbj|d3bjm|d3bj|d3mzero|d3zerom|d3zero|d3m0|d30|d3m|d[234]?)")


def resolve_method(method: str, dispersion: str) -> Method:
    """Find out what the name of a method and a wish for a correction mean together.

    Args:
        method: such as `B3LYP`, `B3LYP-D4`, `wB97X-D3(BJ)`, or PySCF's `B88,LYP`.
        dispersion: such as `D3(BJ)`, `d4` or `none`; empty for what the name says.

    Raises:
        InputError: there is no such functional or no such correction for it, or they contradict
            each other.
    """
    wished = _wish(dispersion)
    stem, said = _split(method, wished)
    if said and wished not in ("", said) and not (wished == "D3" and said.startswith("D3")):
        raise InputError(
            f"the method {method!r} with the dispersion {dispersion!r} was asked for",
            f"the name says {said}",
            "say it once",
        )
    if said == "D3" and wished not in ("", "none"):
        said = wished
    wanted = said or wished
    if stem in STEMS and (wanted not in ("", "none", "VV10") or stem == "cf22d"):
        return _named(method, stem, wanted)
    if stem in ("wb97m", "b97m") and wanted in ("", "none"):
        raise InputError(
            f"the method {method!r} was asked for",
            "that functional exists with a correction for dispersion only",
            f"ask for {STEMS[stem]}-V, {STEMS[stem]}-D3(BJ) or {STEMS[stem]}-D4",
        )
    base = method if not said else stem
    if wanted == "VV10":
        base = _with_vv10(method, plain(base))
    if plain(base) in ("hf", "hartreefock"):
        name, fields, remarks = "HF", dict[str, Any](), list[str]()
    else:
        name, code = functional_code(base)
        fields, remarks = described(code), list[str]()
        fields["grid_level"] = 3
        if name in HISTORIES:
            remarks.append(f"{name}: {HISTORIES[name]}")
    if nonlocal_part := fields.get("nonlocal_correlation", ""):
        if wanted not in ("", "VV10"):
            raise InputError(
                f"the method {method!r} with the dispersion {wanted} was asked for",
                f"{name} has the dispersion in its non-local part {nonlocal_part} already",
                "ask for it without a correction, or for wB97X-D4, wB97M-D4 or B97M-D4",
            )
        remarks.append(
            f"the non-local correlation {nonlocal_part} takes about a hundred times as long as "
            "the rest on a processor; D4 in its place costs nothing"
        )
    if wanted in ("", "none", "VV10"):
        return Method(name, fields, None, tuple(remarks))
    correction = _correction(method, name, wanted)
    if wanted == "D3":
        remarks.append(f"D3 without its damping is taken as {correction.kind}")
    return Method(name, fields, correction, tuple(remarks))


def _wish(dispersion: str) -> Wanted:
    key = re.sub(r"[()]", "", plain(dispersion))
    if key in SPELLINGS:
        return SPELLINGS[key]
    if key in ("d2", "d", "gd2"):
        raise _no_d2(f"the dispersion {dispersion!r}", "D3(BJ) or D4")
    raise InputError(
        f"the dispersion {dispersion!r} was asked for",
        "this version computes " + ", ".join(FORMS) + ", and VV10 where a functional has it",
        "ask for one of them, or for none",
    )


def _split(method: str, wished: Wanted = "") -> tuple[str, Wanted]:
    """Return the name of a functional in its plain spelling and the correction behind it."""
    key = _key(method)
    if plain(method) in USUAL or re.search("[,*+]", PLUS.sub("", method)):
        return key, ""
    match = SUFFIX.fullmatch(key)
    if not match or (match[1] not in STEMS and not _is_functional(match[1])):
        return key, ""
    if key == "b97d" and wished.startswith("D3"):
        return "b97", wished
    if match[2] in ("d", "d2"):
        successor = {"wb97x": "wB97X-D3, wB97X-D4 or wB97X-V", "b97": "B97-D3(BJ), its successor"}
        raise _no_d2(
            f"the method {method!r}",
            successor.get(match[1], "the same functional with D3(BJ) or D4"),
        )
    return match[1], SPELLINGS[match[2]]


PLUS = re.compile(r"\+(?=d[34])", re.IGNORECASE)
"""What stands before a correction in names such as `PBE0+D4`."""


def _key(method: str) -> str:
    return re.sub(r"[()]", "", plain(PLUS.sub("-", method)))


def is_known(method: str) -> bool:
    """Return whether a name, with or without a correction, is a well-known one."""
    key = _key(method)
    match = SUFFIX.fullmatch(key)
    names = {key, match[1] if match else key}
    return any(name in STEMS or usual_name(name) for name in names)


def _is_functional(key: str) -> bool:
    if usual_name(key):
        return True
    try:
        functional_code(key)
    except InputError:
        return False
    return True


def _no_d2(what: str, successor: str) -> InputError:
    return InputError(
        f"{what} was asked for",
        "the correction D2, which is also the D of wB97X-D and B97-D, is not computed",
        f"ask for {successor}",
    )


def _named(method: str, stem: str, wanted: Wanted) -> Method:
    """Return a functional that exists only together with its correction."""
    offered = [one for one in NAMED if re.sub(r"-D[34].*", "", one.name) == STEMS[stem]]
    kinds: tuple[Wanted, ...] = (wanted,)
    if wanted in ("", "D3"):
        kinds = PREFERRED.get(STEMS[stem], ("D3(BJ)", "D3(0)"))
    one = next((one for kind in kinds for one in offered if one.kind == kind), None)
    if one is None:
        raise InputError(
            f"the method {method!r} was asked for with {wanted}",
            "no such functional is published",
            f"ask for {' or '.join(each.name for each in offered)}",
        )
    fields = described(one.code)
    for part in ("nonlocal_correlation", "nonlocal_parameters"):
        fields.pop(part, None)
    correction = dispersion_of(one.kind, one.parameters)
    if correction is None:
        raise _without_parameters(method, one.kind)
    fields["grid_level"] = 3
    return Method(one.name, fields, correction, (f"{one.name}: {one.definition}",))


def _with_vv10(method: str, key: str) -> str:
    """Return the name of a functional with VV10, given the name with or without it."""
    for name in (usual_name(key + end) for end in ("", "v", "vv10")):
        if name and name != "HF" and "nonlocal_correlation" in described(functional_code(name)[1]):
            return name
    having = [name for name in USUAL.values() if name.endswith(("-V", "VV10"))]
    raise InputError(
        f"VV10 was asked for with {method}",
        "no such functional is known",
        f"those with VV10 are {', '.join(having)}",
    )


def _correction(method: str, name: str, wanted: Wanted) -> Dispersion:
    for kind in FORMS:  # D3(BJ) before D3(0)
        if kind in _meant(wanted) and (found := _parameters(name, kind)):
            return found
    raise _without_parameters(method, wanted)


def _parameters(name: str, kind: DispersionName) -> Dispersion | None:
    """Return a correction that was made for a functional of a usual name."""
    key = plain(name)
    if key in STEMS:
        return None  # the libraries mean the named ones above by these
    return dispersion_of(kind, key) or (
        dispersion_of(kind, LIBRARY[key]) if key in LIBRARY else None
    )


def _meant(wanted: Wanted) -> list[DispersionName]:
    return [kind for kind in FORMS if kind == wanted or (wanted, kind[:3]) == ("D3", "D3(")]


def _without_parameters(method: str, wanted: Wanted) -> InputError:
    kinds = _meant(wanted)
    having = [name for name in USUAL.values() if any(_parameters(name, kind) for kind in kinds)]
    having += [one.name for one in NAMED if one.kind in kinds]
    others = [kind for kind in FORMS if kind not in kinds and _offered(method, kind)]
    also = f"; for this one there is {' and '.join(others)}" if others else ""
    return InputError(
        f"the method {method!r} was asked for with {wanted}",
        f"the library has no parameters of {wanted} for that functional{also}",
        f"it has them for {', '.join(having)}",
    )


def _offered(method: str, kind: DispersionName) -> bool:
    stem, _ = _split(method)
    return bool(_parameters(usual_name(stem) or stem, kind))
