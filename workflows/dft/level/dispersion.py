"""Corrections for London dispersion: D3 and D4 with the parameters that their libraries hold."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Literal

from ontologies.level import Dispersion, DispersionName
from triplestore.errors import ComponentError, RecordError
from workflows.text.names import number

Wanted = Literal["", "none", "D3", "VV10"] | DispersionName
"""What is asked for: D3 without its damping leaves that to the functional."""

SPELLINGS: dict[str, Wanted] = {
    "": "", "none": "none", "no": "none", "d3": "D3", "gd3bj": "D3(BJ)", "d3bj": "D3(BJ)",
    "d3zero": "D3(0)", "d30": "D3(0)", "d3m": "D3M(0)", "d3m0": "D3M(0)", "d3mzero": "D3M(0)",
    "d3zerom": "D3M(0)", "d3mbj": "D3M(BJ)", "d3bjm": "D3M(BJ)", "d4": "D4", "vv10": "VV10",
    "nl": "VV10",
}  # fmt: skip
"""Kinds by their spellings without case, hyphens and brackets."""


@dataclass(frozen=True)
class Damping:
    """A form of damping.

    Attributes:
        version: PySCF's name of it.
        damping: its name in the functions of the library.
        numbers: its parameters, in the order in which the library keeps and takes them.
        three_body: whether the Axilrod–Teller–Muto term is in by custom.
    """

    version: str
    damping: str
    numbers: tuple[str, ...]
    three_body: bool


RATIONAL = ("s6", "s8", "s9", "a1", "a2", "alp")
ZERO = ("s6", "s8", "s9", "rs6", "rs8", "alp")

FORMS: dict[DispersionName, Damping] = {
    "D3(BJ)": Damping("d3bj", "rational", RATIONAL, False),
    "D3(0)": Damping("d3zero", "zero", ZERO, False),
    "D3M(BJ)": Damping("d3bjm", "mrational", RATIONAL, False),
    "D3M(0)": Damping("d3zerom", "mzero", (*ZERO, "bet"), False),
    "D4": Damping("d4", "rational", RATIONAL, True),
}
"""D3 without and D4 with the three-body term, as their authors published the parameters:
S. Grimme et al., J. Chem. Phys. 132, 154104 (2010); J. Comput. Chem. 32, 1456 (2011);
D. G. A. Smith et al., J. Phys. Chem. Lett. 7, 2197 (2016); E. Caldeweyher et al., J. Chem. Phys.
150, 154122 (2019)."""


def dispersion_of(kind: DispersionName, functional: str) -> Dispersion | None:
    """Return a correction with the parameters that the library has for a functional, if it has.

    Args:
        kind: the correction.
        functional: the name by which the library knows the functional.

    Raises:
        ComponentError: the library is missing, or its parameters could not be read.
    """
    form = FORMS[kind]
    values = _parameters(form, functional)
    if values is None:
        return None
    said = tuple(f"{name}={number(value)}" for name, value in values.items() if name != "s9")
    return Dispersion(
        kind=kind, functional=functional, damping_parameters=said, three_body=values["s9"] != 0
    )


def pyscf_dispersion(stored: Dispersion) -> str:
    """Return what makes PySCF compute a correction.

    Raises:
        RecordError: the library's parameters are no longer those that were stored.
        ComponentError: the library is missing.
    """
    now = dispersion_of(stored.kind, stored.functional)
    if now != stored:
        had = " ".join(stored.damping_parameters)
        has = " ".join(now.damping_parameters) if now else "none"
        raise RecordError(
            f"{stored.kind} for {stored.functional} was asked for, with {had}"
            + (" and three-body terms" if stored.three_body else ""),
            f"the library that is installed has {has}",
            "ask for the method anew, or install the version of pyscf-dispersion of that time",
        )
    return f"{FORMS[stored.kind].version}:{stored.functional}"


def _parameters(form: Damping, functional: str) -> dict[str, float] | None:
    """Read what a library loads for a functional; None if it has nothing.

    Its interface gives parameters a name but does not print them. They lie as doubles behind the
    pointer that it returns; a correction made from the numbers read must be the library's own.
    """
    try:
        from pyscf.dispersion import dftd3, dftd4
    except ImportError as error:
        raise ComponentError(
            "a dispersion correction was asked for",
            "the package pyscf-dispersion is not installed",
            "pip install pyscf-dispersion",
        ) from error

    mol = _probe()
    try:
        model: Any = (
            dftd4.DFTD4Dispersion(mol, functional)
            if form.version == "d4"
            else dftd3.DFTD3Dispersion(mol, functional, form.version, form.three_body)
        )
    except RuntimeError:
        return None
    library = dftd4.libdftd4 if form.version == "d4" else dftd3.libdftd3
    prefix = "dftd4" if form.version == "d4" else "dftd3"
    behind = ctypes.cast(model._param, ctypes.POINTER(ctypes.c_void_p))[0]
    values = list((ctypes.c_double * len(form.numbers)).from_address(behind))
    own = float(model.get_dispersion()["energy"])

    make = getattr(library, f"{prefix}_new_{form.damping}_damping")
    delete = getattr(library, f"{prefix}_delete_param")
    make.restype = type(model._param)
    new_error = getattr(library, f"{prefix}_new_error")
    error = new_error()
    delete(ctypes.byref(model._param))
    model._param = make(error, *map(ctypes.c_double, values))
    getattr(library, f"{prefix}_delete_error")(ctypes.byref(error))
    made = float(model.get_dispersion()["energy"])
    if not abs(made - own) <= 1e-14:
        raise ComponentError(
            f"cannot read the parameters of {form.version} for {functional}",
            f"a correction made from what was read gives {made} Eh, the library's own {own} Eh",
            "install pyscf-dispersion 1.7",
        )
    return dict(zip(form.numbers, values, strict=True))


def _probe() -> Any:
    """Return a small molecule whose energies tell sets of parameters apart."""
    from pyscf import gto

    mol = gto.Mole()
    mol.atom = [("O", (0.0, 0.0, 0.0)), ("C", (3.0, 0.0, 0.0)), ("Ar", (0.0, 3.5, 0.0))]
    mol.basis = "sto-3g"  # of no account, but PySCF prints a warning without one
    mol.verbose = 0
    mol.build(parse_arg=False, dump_input=False)
    return mol
