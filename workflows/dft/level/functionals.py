"""What the names of density functionals mean, and what libxc makes of them."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import ctypes
import math
import re
from typing import Any

from ontologies.level import LevelOfTheory
from triplestore.errors import InputError, RecordError
from workflows.registry.levels import computed, others, programs
from workflows.text.names import nearest, number, plain

NAMES = """
HF PBE PBE0 PBEsol revPBE RPBE BLYP B3LYP B3PW91 BP86 BHandHLYP X3LYP O3LYP OLYP PW91 PW6B95
TPSS TPSSh revTPSS SCAN SCAN0 r2SCAN r2SCAN0 B97-1 B97-2 B97-3 B97M-V M05-2X M06 M06-L M06-2X
M06-HF MN15 MN15-L N12 GAM CAM-B3LYP LC-wPBE wB97 wB97X wB97X-V wB97M-V HSE03 HSE06 SVWN
B3LYP5 B3P86 B1LYP B1B95 B97 B97-K PBE38 PBE50 revPBE0 TPSS0 revTPSSh rSCAN r2SCANh r2SCAN50
OPBE BPBE BOP XLYP mPW1PW mPW1K mPW1B95 mPWB1K PWB6K M05 M08-HX M08-SO M11 M11-L MN12-L MN12-SX
N12-SX revM06 revM06-L SOGGA11-X HCTH407 LC-BLYP LRC-wPBE LRC-wPBEh HSE12 VV10 LC-VV10
SVWN3
"""

USUAL = {plain(name): name for name in NAMES.split()}
"""Usual spellings, by the plain ones."""

SYNONYMS = {
    "hartreefock": "HF",
    "pbepbe": "PBE",
    "pbeh": "PBE0",
    "hseh1pbe": "HSE06",
    "hse": "HSE06",
    "bp": "BP86",
    "bhlyp": "BHandHLYP",
    "b3lypg": "B3LYP",
    "b3lyp/g": "B3LYP",
    "mpw1pw91": "mPW1PW",
    "tpsstpss": "TPSS",
    "pw91pw91": "PW91",
    "svwn5": "SVWN",
    "wb97x2008": "wB97X",
    "hcth": "HCTH407",
}
"""Other spellings of the same, by the plain ones."""

CODES = {
    "SVWN3": "LDA_X,LDA_C_VWN_RPA",
    "revM06": "HYB_MGGA_X_REVM06,MGGA_C_REVM06",
    "revM06-L": "MGGA_X_REVM06_L,MGGA_C_REVM06_L",
    "M05": "HYB_MGGA_X_M05,MGGA_C_M05",
    "M08-HX": "HYB_MGGA_X_M08_HX,MGGA_C_M08_HX",
    "M08-SO": "HYB_MGGA_X_M08_SO,MGGA_C_M08_SO",
    "M11": "HYB_MGGA_X_M11,MGGA_C_M11",
    "HSE12": "HYB_GGA_XC_HSE12",
    "VV10": "GGA_XC_VV10",
    "revTPSSh": "HYB_MGGA_XC_REVTPSSH",
}
"""What PySCF is told where the name itself would not do."""

HISTORIES = {
    "B3LYP": "with VWN's fit to the RPA, as Gaussian has it; B3LYP5 is the one with VWN5, "
    "which ORCA and Turbomole call B3LYP",
    "B3P86": "with VWN's fit to the RPA, as Gaussian has it",
    "X3LYP": "with VWN's fit to the RPA, as published",
    "O3LYP": "with libxc's coefficients, which include VWN5",
    "SVWN": "with VWN5; Gaussian's SVWN takes VWN's fit to the RPA, which is SVWN3 here",
    "SVWN3": "with VWN's fit to the RPA, which Gaussian calls SVWN",
    "BP86": "with the local part of Perdew and Zunger, as P86 was published; ORCA and Turbomole "
    "take VWN5",
    "HSE03": "with the two screening lengths of 2003 (0.106 and 0.189 per bohr); HSE06 has one",
    "HSE06": "as corrected in 2006, with 0.11 per bohr; Gaussian calls it HSEh1PBE",
    "B97": "Becke's hybrid of 1997, not the pure functional of Grimme's B97-D",
}
"""Meanings taken where a name has several, by usual names."""

DOUBLE_HYBRIDS = re.compile(
    r".*(2|gp|k)plyp|(rev)?d[so]d.*|.*xygj?.*|pwpb95|ptpss|pbe0?(dh|2|qidh)|pbeqidh|pbe02|"
    r"(sos|scs)?.*qidh|wb97x2((tqz|lp)?)|wb97m\(?2\)?|wb2g?p?plyp|b2.*plyp|mc3bb|mc3mpw|.*scan0?(dh|2)|"
    r"pr2scan.*"
)
"""Their second-order part is a calculation of its own."""

ELSEWHERE = re.compile(r"(mp[2-5]|ccsd|cc[23]$|casscf|caspt2|cisd|gfn|dftb|am1$|pm[367])")


def usual_name(method: str) -> str | None:
    """Return the usual spelling of a functional, if it is one of the well-known."""
    key = plain(method)
    return USUAL.get(key) or SYNONYMS.get(key)


def known_methods() -> dict[str, list[str]]:
    """Return the methods that can be named, under heads."""
    families = [one for program in programs() if not program.usual for one in program.methods]
    return {
        "Methods": ["HF", *families],
        "Functionals, and any other of libxc by its name; behind each -D3BJ, -D3, -D4 or -V where"
        " it is parametrised": [name for name in USUAL.values() if name != "HF"],
    }


def functional_code(method: str) -> tuple[str, str]:
    """Return the usual name of a functional, and what PySCF is to be told.

    Args:
        method: a name such as `B3LYP`, or exchange and correlation as PySCF writes them
            (`B88,LYP`).

    Raises:
        InputError: libxc has none of that name, or PySCF would leave out a part of it.
    """
    name = usual_name(method)
    asked = f"the method {method!r} was asked for"
    _refuse_several(asked, method)
    if name is None:  # programs of other families are loaded for a name that is no functional's
        _refuse_other_families(asked, method)
    try:
        code = _pyscf_code(name or method.strip().upper())
    except (KeyError, ValueError, IndexError, AssertionError, NotImplementedError) as error:
        near = " or ".join(nearest(plain(method), {**USUAL, **others()}))
        raise InputError(
            asked,
            f"there are {computed()}; none has that name",
            f"did you mean {near}?" if near else "try HF, PBE, PBE0 or B3LYP",
        ) from error
    _refuse_parts(asked, code, explicit="," in method)
    return name or _synonym(code) or method.strip().upper(), code


def described(code: str) -> dict[str, Any]:
    """Return what libxc says of a functional, as the fields of a level of theory.

    Args:
        code: what PySCF is told.

    `nonlocal_parameters` are given where the code has a non-local part, used or not.
    """
    libxc = _libxc()
    components = libxc.parse_xc(code)[1]
    hybrid, (omega, alpha, beta) = float(libxc.hybrid_coeff(code)), libxc.rsh_coeff(code)
    said: dict[str, Any] = {
        "functional": tuple(
            f"{number(float(factor))} × {_libxc_name(int(which))} (libxc {int(which)})"
            for which, factor in components
        ),
        "exact_exchange": float(alpha + beta) if omega else hybrid,
        "long_range_exchange": float(alpha) if omega else hybrid,
        "range_separation": float(omega),
    }
    if parts := libxc.nlc_coeff(code):
        (b, c), _ = parts[0]
        said["nonlocal_correlation"] = "VV10"
        if (b, c) != (5.9, 0.0093):  # O. A. Vydrov, T. Van Voorhis, J. Chem. Phys. 133, 244103
            said["nonlocal_parameters"] = (f"b={number(b)}", f"C={number(c)}")
    return said


COMPONENT = re.compile(r"(\S+) × (\w+) \(libxc (\d+)\)")


def stored_code(level: LevelOfTheory) -> str:
    """Return what PySCF is to be told so that it computes the functional of a stored level.

    It is made from the stored components alone, not from the name, whose meaning may move from one
    release to the next, and what libxc says of it must be what is stored.

    Raises:
        RecordError: the libxc that is installed means something else by a component.
    """
    exchange: list[str] = []
    correlation: list[str] = []
    for one in level.functional:
        match = COMPONENT.fullmatch(one)
        if not match:
            raise _moved(level, "a component", one, "no such thing")
        term = match[2] if match[1] == "1" else f"{match[1]}*{match[2]}"
        (correlation if "_C_" in match[2] else exchange).append(term)

    def code() -> str:
        return "+".join(exchange) + ("," + "+".join(correlation) if correlation else "")

    try:
        said = described(code())
        if not said["range_separation"] and level.range_separation:
            omega = number(level.range_separation)
            exchange.append(f"{number(level.exact_exchange)}*SR_HF({omega})")
            exchange.append(f"{number(level.long_range_exchange)}*LR_HF({omega})")
        elif more := level.exact_exchange - said["exact_exchange"]:
            exchange.append(f"{number(round(more, 12))}*HF")
        said = described(code())
    except (KeyError, ValueError, IndexError) as error:
        raise _moved(level, "a component", ", ".join(level.functional), str(error)) from error
    if said["functional"] != level.functional:
        now = ", ".join(said["functional"])
        raise _moved(level, "the components", ", ".join(level.functional), now)
    for field in ("exact_exchange", "long_range_exchange", "range_separation"):
        if abs(said[field] - getattr(level, field)) > 1e-9:
            raise _moved(
                level, f"the {field.replace('_', ' ')}", getattr(level, field), said[field]
            )
    if level.nonlocal_correlation:
        had, has = level.nonlocal_parameters, said.get("nonlocal_parameters", ())
        if "nonlocal_correlation" not in said or (had and had != has):
            raise _moved(level, "the non-local part", " ".join(had) or "VV10", " ".join(has))
    return code()


def _moved(level: LevelOfTheory, what: str, had: object, has: object) -> RecordError:
    return RecordError(
        f"{level.label} was asked for, a stored level of theory",
        f"{what} was {had} then and is {has} for the libxc that is installed",
        "ask for the method anew, or install the PySCF of that time",
    )


def _pyscf_code(method: str) -> str:
    """Return the name by which PySCF knows a functional.

    Raises:
        KeyError, ValueError, IndexError, AssertionError: it knows none.
    """
    libxc = _libxc()
    if method in CODES:
        return CODES[method]
    # a hyphen is a minus sign to PySCF, which reads SCAN-VV10 as a difference
    explicit = re.search("[,*+]", method)
    spellings = [method] if explicit else [method.replace("-", "_"), plain(method).upper()]
    for spelling in spellings:
        try:
            (hybrid, *_), components = libxc.parse_xc(spelling)
            libxc.rsh_coeff(spelling)  # raises for a number that libxc does not have
        except (KeyError, ValueError, IndexError, AssertionError):
            if spelling == spellings[-1]:
                raise
        else:
            if components and all(map(math.isfinite, (hybrid, *(c for _, c in components)))):
                return spelling
    raise KeyError(method)


def _synonym(code: str) -> str | None:
    """Return the usual name of the functional that PySCF knows by another name, if there is one."""
    wanted = described(code)
    names = (name for name in USUAL.values() if name != "HF")
    return next((name for name in names if described(_pyscf_code(name)) == wanted), None)


def _libxc() -> Any:
    from pyscf.dft import libxc

    return libxc


def _libxc_name(which: int) -> str:
    libxc = _libxc()
    name: bytes | None = libxc._itrf.xc_functional_get_name(which)
    return (name or b"?").decode().upper()


def _refuse_several(asked: str, method: str) -> None:
    """Refuse two whole methods with a comma between: of these PySCF makes one, of both halves."""
    names = [one.strip() for one in method.split(",")]
    if len({*map(usual_name, names)} - {None}) == len(names) > 1:
        raise InputError(
            asked,
            f"that would be the exchange of {names[0]} with the correlation of {names[1]}",
            "ask for one of them, or compare both (`compare`)",
        )


def _refuse_other_families(asked: str, method: str) -> None:
    key = re.sub(r"[()]", "", plain(method))
    if key.endswith("3c"):
        raise InputError(
            asked,
            "this version does not compute the 3c methods",
            "ask for r2SCAN-D4, PBE0-D4 or HF with a basis set of your choice",
        )
    if DOUBLE_HYBRIDS.fullmatch(key):
        raise InputError(
            asked,
            "it is a double hybrid, whose second-order part this version does not compute",
            "ask for a hybrid such as wB97M-V, PW6B95-D4 or B3LYP-D4",
        )
    if any(one.recognises(method) for one in programs() if not one.usual):
        raise InputError(
            asked,
            "it is computed here, but not for this, which is done with HF and density functionals",
            "ask for HF, or for a functional such as wB97X-D4 or r2SCAN-D4",
        )
    if ELSEWHERE.match(key):
        raise InputError(
            asked,
            f"there are {computed()}, no other methods",
            "ask for HF, or for a functional such as wB97X-D4 or r2SCAN-D4",
        )


def _refuse_parts(asked: str, code: str, explicit: bool) -> None:
    """Refuse a functional of which PySCF would compute a part only, without a word."""
    libxc = _libxc()
    components = [int(which) for which, _ in libxc.parse_xc(code)[1]]
    names = [_libxc_name(which) for which in components]
    kinds = {match[1] for name in names if (match := re.search("_(XC|X|C|K)(_|$)", name))}
    if "K" in kinds or any(re.search("_[12]D_", name) for name in names):
        raise InputError(
            asked,
            "it is for kinetic energies, or for fewer dimensions than three",
            "ask for a functional of exchange and correlation",
        )
    exact = libxc.hybrid_coeff(code) or libxc.rsh_coeff(code)[0]
    if not explicit and kinds == {"X"}:
        raise InputError(
            asked,
            "PySCF would compute exchange without correlation",
            "ask for SVWN, BLYP or PBE, or, if that is meant, for the name with a comma behind it",
        )
    if not explicit and kinds == {"C"} and not exact:
        raise InputError(
            asked,
            "PySCF would compute correlation without exchange",
            "ask for exchange and correlation, such as BLYP or B88,LYP",
        )
    if any(re.search("_(D3?|3C)$", name) for name in names):
        raise InputError(
            asked,
            "it was fitted together with a dispersion correction, which would be left out",
            "ask for a functional with D3 or D4, such as wB97X-D3, B97-D3(BJ) or wB97X-D4",
        )
    if any("RVV10" in name for name in names):
        raise InputError(
            asked, "PySCF has VV10, but not the revised form rVV10", "ask for wB97X-V or wB97M-V"
        )
    if any("BEEFVDW" in name or name.endswith("_VDW") for name in names):
        raise InputError(
            asked,
            "PySCF has no van der Waals density functional (vdW-DF)",
            "ask for a functional with VV10 or D4",
        )
    if libxc.needs_laplacian(code):
        raise InputError(
            asked,
            "it needs the Laplacian of the density, which PySCF does not give it",
            "ask for SCAN, r2SCAN or TPSS",
        )
    if any(_is_attenuated(one) for one in libxc._get_xc(code).xc_objs if not _is_cam(one)):
        raise InputError(
            asked,
            "it divides exchange by a Yukawa function, PySCF by the error function",
            "ask for CAM-B3LYP, LC-wPBE or wB97X-V",
        )


def _is_cam(component: Any) -> bool:
    libxc = _libxc()
    return bool(libxc._itrf.LIBXC_is_cam_rsh(component))


def _is_attenuated(component: Any) -> bool:
    """Return whether a component takes another fraction of exact exchange at long range."""
    libxc = _libxc()
    omega_alpha_beta = (ctypes.c_double * 3)()
    libxc._itrf.LIBXC_rsh_coeff(component, omega_alpha_beta)
    return bool(omega_alpha_beta[0] and omega_alpha_beta[2])
