"""What a plain request was understood as, said back to the person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from workflows.names import number

from .plain_scan import Reading

HEAT = {"gibbs", "enthalpy", "entropy", "thermochemistry"}

READ = {
    "gibbs": "Gibbs energy",
    "zero_point": "zero-point energy",
    "gap": "HOMO–LUMO gap",
    "orbitals": "HOMO and LUMO",
    "homo": "HOMO",
    "lumo": "LUMO",
    "spin_squared": "⟨S²⟩",
    "minimum": "whether it is a minimum",
    "stability": "stability of the wavefunction",
    "states": "excited states",
    "geometry": "optimised geometry",
    "infrared": "infrared spectrum",
    "spin_states": "energies of the spin states",
    "interaction": "interaction energy of the fragments, counterpoise-corrected,",
    "solvation": "share of the solvent in the energy",
    "dispersion": "share of dispersion in the energy",
    "analysis": "analysis of the wavefunction",
}
TASKS = {
    "energy": "at the geometry as it is given or made from the name, not optimised",
    "optimise": "after an optimisation, stationary but not verified as a minimum",
    "frequencies": "after an optimisation to a minimum, verified by its frequencies",
}


def understood(
    at: Reading, calls: Sequence[Mapping[str, Any]], reads: Sequence[str], as_is: bool
) -> str:
    """Say how a request was understood, and what was assumed.

    Args:
        at: the request.
        calls: arguments of each call.
        reads: what is read from the results.
        as_is: whether the geometry was asked to stay.
    """
    fields = at.fields
    names = ", ".join(one.given for one in at.molecules)
    task = TASKS[fields.get("task", "energy")]
    if as_is:
        task = "at the geometry as it is given"
    parts = [f"{', '.join(READ.get(name, name) for name in reads)} of {names}, {task}", _level(at)]
    given = {
        n: v
        for n, v in fields.items()
        if n
        not in (
            "task",
            "method",
            "basis",
            "analysis",
            "stability",
            "solvent",
            "solvation",
            "dielectric",
        )
    }
    units = {"temperature": " K", "pressure": " Pa"}
    parts += [
        f"{name.replace('_', ' ')} {_spelt(value)}{units.get(name, '')}"
        for name, value in given.items()
    ]
    if fields.get("task") == "frequencies" and set(reads) & HEAT:
        varied = set(at.axis[0]) if at.axis else set[str]()
        if not {"temperature"} & (set(fields) | varied):
            parts.append("298.15 K assumed")
        if not {"pressure"} & (set(fields) | varied):
            parts.append("101325 Pa assumed")
    if "states" in fields:
        parts += [] if "response" in fields else ["TDDFT assumed"]
        spins = "spin" in fields or any("spin" in one for one in at.axis)
        parts += [] if spins else ["singlets assumed where the shell is closed"]
    for call in calls:
        ions = {n: call[n] for n in ("charge", "multiplicity") if n in call}
        if ions:
            words = ", ".join(
                f"{n} {v:+d}" if n == "charge" else f"{n} {v}" for n, v in ions.items()
            )
            parts.append(f"{', '.join(call['molecules'])} with {words}")
    if not at.mentions:
        spin = "" if at.tool == "spin_states" else " and multiplicity"
        parts.append(f"charge{spin} as the molecule says")
    parts += [
        f"{at.text[one.start : one.end] or 'the structure'}: {one.said}"
        for one in at.molecules
        if one.said
        and one.said not in ("a file", "a SMILES", "by its IRI", "as quoted", "an InChI")
    ]
    return "; ".join(dict.fromkeys([*(part for part in parts if part), *at.said])) + "."


def _spelt(value: Any) -> str:
    match value:
        case bool():
            return "on"
        case float():
            return number(value)
        case list():
            return ", ".join(map(str, cast("list[Any]", value)))
        case _:
            return str(value)


def _level(at: Reading) -> str:
    """Say the level of theory, its surroundings, and what of it was not said."""
    keys = ("method", "basis", "reference", "solvent", "solvation", "dielectric")
    varied = [
        one
        for one in at.axis
        if set(one) & {*keys, "spin", "multiplicity", "temperature", "pressure"}
    ]
    said = at.fields | (varied[0] if varied else {})
    parts: list[str] = []
    if varied:
        parts.append(
            "one after the other: "
            + " | ".join(
                ", ".join(f"{n} {_spelt(v) or 'none'}" for n, v in one.items()) for one in varied
            )
        )
    if "method" in at.fields or "basis" in at.fields:
        parts.append(
            "at " + "/".join(str(at.fields[n]) for n in ("method", "basis") if n in at.fields)
        )
    lacking = [name for name in ("method", "basis") if name not in said]
    if lacking:
        usual = {"method": "B3LYP", "basis": "def2-SVP"}
        what = {"method": "method", "basis": "basis set"}
        parts.append(
            f"{' and '.join(what[n] for n in lacking)} of the settings assumed "
            f"({'/'.join(usual[n] for n in lacking)} unless set otherwise)"
        )
    solvent = at.fields.get("solvent") or (
        "ε = " + number(at.fields["dielectric"]) if "dielectric" in at.fields else ""
    )
    if solvent:
        model = at.fields.get("solvation") or "C-PCM assumed"
        parts.append(f"in {solvent} ({model})")
    elif not any(set(one) & {"solvent", "dielectric"} for one in at.axis):
        parts.append("" if "in the gas phase" in at.said else "gas phase assumed")
    return "; ".join(part for part in parts if part)
