"""The answer to a plain request, from what the tools came to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from ontologies.factors import EV_NM, HARTREE

from .plain import Plan
from .plain_compare import energies, totals
from .quantities import UNITS, unit_in
from .sources import origin

Found: TypeAlias = Mapping[str, Any]

SCALARS = {
    "energy": ("energy", "energy_Eh"),
    "dipole": ("dipole", "dipole_D"),
    "gap": ("HOMO–LUMO gap", "gap_eV"),
    "homo": ("HOMO", "homo_Eh"),
    "lumo": ("LUMO", "lumo_Eh"),
    "spin_squared": ("⟨S²⟩", "spin_squared"),
    "solvation": ("solvent's share of the energy", "solvation_Eh"),
    "dispersion": ("dispersion's share of the energy", "dispersion_Eh"),
    "gibbs": ("Gibbs energy", "gibbs_energy_Eh"),
    "enthalpy": ("enthalpy", "enthalpy_Eh"),
    "entropy": ("entropy", "entropy_Eh/K"),
    "zero_point": ("zero-point energy", "zero_point_energy_Eh"),
}
"""What is read: its name, and where it stands."""

DETAILS = {
    "charges": ("Mulliken", "Löwdin", "IAO", "Hirshfeld"),
    "bond orders": ("bond orders",),
    "spin density": ("spin density",),
    "point group": ("point group",),
    "rotational constants": ("rotational constants",),
    "quadrupole": ("quadrupole xx, yy, zz",),
    "infrared": ("wavenumbers", "infrared"),
    "frequencies": ("wavenumbers",),
    "analysis": ("point group", "Mulliken", "Hirshfeld", "bond orders", "quadrupole xx, yy, zz"),
}
"""What is read: the rows of the details that say it."""

TOTAL = {"energy", "gibbs", "enthalpy"}


@dataclass(frozen=True)
class Value:
    """A number of one molecule at one level.

    Attributes:
        read: what it is, such as `energy`.
        label: of the molecule.
        value: in its unit.
        unit: of it.
        formula: of the molecule.
        level: the level of theory, as the result says it.
        iri: of the result.
    """

    read: str
    label: str
    value: float
    unit: str
    formula: str
    level: str
    iri: str


def answer(plan: Plan, results: Sequence[Any]) -> str:
    """Return the final text.

    Args:
        plan: what was asked.
        results: what each call of a tool came to, in the order of the calls.
    """
    if plan.problem or not plan.calls:
        return refusal(plan)
    if plan.calls[0].name == "run_workflow":
        return "\n".join([*_compared(plan, results), *_understood(plan)])
    if plan.calls[0].name != "calculate":
        lines = [_other(call.name, one) for call, one in zip(plan.calls, results, strict=False)]
        return "\n".join(lines) or "nothing came back"
    lines: list[str] = []
    values: list[Value] = []
    for said in molecules(results):
        lines.append(_head(said))
        if isinstance(said.get("values"), Mapping) and said.get("status", "finished") == "finished":
            own = [one for read in plan.question.reads for one in _values(read, said)]
            values += own
            lines += [f"  {_line(one, plan.question.unit)}" for one in own]
            lines += [f"  {line}" for read in plan.question.reads for line in _details(read, said)]
        lines += [f"  note: {note}" for note in _texts(said.get("remarks"))]
    if not lines:
        lines.append("the tools came to nothing")
    lines += comparison(plan, values)
    lines += _wanting(plan, values, results)
    return "\n".join([*lines, *_understood(plan)])


def _understood(plan: Plan) -> list[str]:
    left = f"Not understood: {', '.join(plan.left_over[:20])}"
    return [f"Understood: {plan.understood}", *([left] if plan.left_over else [])]


def _compared(plan: Plan, results: Sequence[Any]) -> list[str]:
    """Return the lines of comparisons of spin states or fragments."""
    lines: list[str] = []
    for said in molecules(results):
        lines += [_head(said)]
        lines += [f"  {line}" for line in totals(said)]
        unit = plan.question.unit or "kJ/mol"
        for what, energy, iri in energies(said):
            one = Value(what, "", energy, "Eh", "", "", iri)
            lines.append(f"  {_line(one, unit)}")
        lines += [f"  note: {note}" for note in _texts(said.get("remarks"))]
    return lines or ["the tools came to nothing"]


def refusal(plan: Plan) -> str:
    """Return why a request cannot be done without a language model, and what can."""
    lines = [f"This cannot be done as a plain request: {plan.problem or 'nothing was understood'}."]
    lines += [f"  try: {one}" for one in plan.suggestions]
    return "\n".join(lines)


def molecules(results: Sequence[Any]) -> list[Found]:
    """Return what each molecule of each call came to."""
    found: list[Found] = []
    for one in results:
        if not isinstance(one, Mapping):
            if one not in (None, ""):
                found.append(
                    {"molecule": "request", "status": "failed", "error": {"found": str(one)}}
                )
            continue
        came = cast("Found", one)
        inner = came.get("molecules")
        if isinstance(inner, Sequence) and not isinstance(inner, str):
            found += [
                cast("Found", each)
                for each in cast("Sequence[Any]", inner)
                if isinstance(each, Mapping)
            ]
        else:
            found.append(came)
    return found


def _head(said: Found) -> str:
    label = str(said.get("molecule") or "structure")
    if said.get("denied"):
        return f"{label}: {said['denied']}"
    if isinstance(error := said.get("error"), Mapping):
        told = cast("Found", error)
        text = "; ".join(str(told[n]) for n in ("asked", "found", "advice") if told.get(n))
        resume = f"; “resume {said['run']}” goes on with it" if said.get("run") else ""
        return f"{label}: failed: {text}{resume}"
    head = f"{label}: {said.get('reading') or said.get('status') or 'done'}"
    if isinstance(unmet := said.get("goal_unmet"), Mapping):
        head += f"; not reached: {cast('Found', unmet).get('found', '')}"
    run = said.get("run")
    return head + (f" (run {run})" if run else "")


def _values(read: str, said: Found) -> list[Value]:
    values = cast("Found", said["values"])
    label, reading = str(said.get("molecule") or "structure"), str(said.get("reading") or "")
    formula, _, rest = reading.partition(" (")
    level = rest.partition(" at ")[2].partition(";")[0]
    if found := re.fullmatch(r"([ST])(\d{1,3})", read):
        states = values.get("states")
        listed = cast("Sequence[Any]", states) if isinstance(states, Sequence) else ()
        n = int(found[2])
        if len(listed) < n or not isinstance(listed[n - 1], Mapping):
            return []
        state = cast("Found", listed[n - 1])
        energy = _number(state.get("eV"))
        if energy is None or not _fits(found[1], said):
            return []
        return [Value(read, label, energy, "eV", formula, level, _iri(said, "eV"))]
    names = ["homo", "lumo"] if read == "orbitals" else [read]
    if read == "thermochemistry":
        names = ["enthalpy", "entropy", "gibbs", "zero_point"]
    made: list[Value] = []
    for name in names:
        if name not in SCALARS:
            continue
        key = SCALARS[name][1]
        unit = key.removeprefix("spin_squared").rpartition("_")[2]
        if (number := _number(values.get(key))) is not None:
            made.append(Value(name, label, number, unit, formula, level, _iri(said, key)))
    return made


def _fits(kind: str, said: Found) -> bool:
    """Return whether states are of the spin that was asked for, as the level of the call says."""
    return said.get("spin", kind) in (kind, "singlet" if kind == "S" else "triplet")


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _iri(said: Found, key: str) -> str:
    """Return the IRI of the result that says something, by the name that it has there."""
    results = said.get("results")
    named: Found = cast("Found", results) if isinstance(results, Mapping) else {}
    return origin(named, key) or str(said.get("run") or "")


def _name(read: str) -> str:
    return SCALARS[read][0] if read in SCALARS else read


def _line(one: Value, unit: str) -> str:
    value, shown = converted(one, unit)
    text = f"{_name(one.read)} = {_spelt(value, shown)}"
    if (value, shown) != (one.value, one.unit):
        text += f" ({_spelt(one.value, one.unit)})"
    return f"{text}  {one.iri}".rstrip()


def converted(one: Value, unit: str) -> tuple[float, str]:
    """Return a value in the unit that was asked for, where it can be."""
    if unit == "nm" and one.unit == "eV" and one.value > 0 and re.fullmatch(r"[ST]\d+", one.read):
        return EV_NM / one.value, "nm"
    if unit in HARTREE and one.unit in HARTREE:
        return one.value * HARTREE[unit] / HARTREE[one.unit], unit
    return one.value, one.unit


def _spelt(value: float, unit: str) -> str:
    digits = {"Eh": 8, "eV": 4, "kJ/mol": 3, "kcal/mol": 3, "cm⁻¹": 1, "nm": 2, "D": 4, "Eh/K": 10}
    return f"{value:.{digits.get(unit, 4)}f} {unit}".strip()


def _details(read: str, said: Found) -> list[str]:
    values = cast("Found", said["values"])
    details = said.get("details")
    rows: Found = cast("Found", details) if isinstance(details, Mapping) else {}
    if read in DETAILS:
        names = [key for name in DETAILS[read] for key in rows if key.startswith(name)]
        return [f"{_detail(name, rows[name])}  {_iri(said, name)}" for name in names]
    match read:
        case "states":
            listed = values.get("states")
            if not isinstance(listed, Sequence) or isinstance(listed, str):
                return []
            states = [
                cast("Found", one)
                for one in cast("Sequence[Any]", listed)
                if isinstance(one, Mapping)
            ]
            lines = [
                f"state {n}: {one.get('eV')} eV = {one.get('nm')} nm, f = {one.get('f')}"
                for n, one in enumerate(states, 1)
            ]
            more = values.get("states_in_all")
            lines += [f"… {more} in all"] if more else []
            return [*lines, f"excited states: {_iri(said, 'eV')}"]
        case "minimum":
            if "imaginary_modes" not in values:
                return []
            count, lowest = values["imaginary_modes"], values.get("lowest_wavenumber_cm-1")
            word = "a minimum" if count == 0 else "no minimum"
            least = f", the lowest at {lowest} cm⁻¹" if lowest is not None else ""
            return [
                f"the geometry that was reached, {said.get('geometry', '')}, is {word}: "
                f"{count} imaginary modes{least}  {_iri(said, 'wavenumbers')}",
                "whether it was pushed off a saddle point on the way, the run says",
            ]
        case "stability":
            if "stable" not in values:
                return []
            word = "stable" if values["stable"] else "not stable"
            below = values.get("lowering_Eh") or 0
            more = (
                f", {_spelt(abs(float(below)), 'Eh')} above the one found below it" if below else ""
            )
            return [f"the wavefunction is {word}{more}  {_iri(said, 'stable')}"]
        case "geometry":
            return [f"geometry: {said['geometry']}"] if said.get("geometry") else []
        case _:
            return []


def _detail(key: str, value: Any) -> str:
    """Return several numbers with their names or their unit, and words as they are."""
    name, _, unit = key.rpartition("_") if unit_in(key) or key.endswith("_e") else (key, "", "")
    if isinstance(value, Mapping):
        parts = cast("Found", value).items()
        return f"{name}: {', '.join(f'{atoms} {one}' for atoms, one in parts)}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        listed = ", ".join(map(str, cast("Sequence[Any]", value)))
        return f"{name}: {listed} {UNITS.get(unit, unit)}".replace("cm-1", "cm⁻¹").strip()
    return f"{name}: {value}"


# --- comparisons ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """What two values are apart.

    Attributes:
        of: the larger one.
        less: the smaller one.
        unit: in which it is told.
    """

    of: Value
    less: Value
    unit: str

    @property
    def value(self) -> float:
        """In its unit."""
        scale = HARTREE[self.unit] / HARTREE[self.of.unit] if self.unit in HARTREE else 1.0
        return (self.of.value - self.less.value) * scale


def differences(plan: Plan, values: Sequence[Value]) -> list[Difference]:
    """Return how far values that may be compared lie above the lowest, in ascending order."""
    found: list[Difference] = []
    for group in _groups(plan, values):
        ordered = sorted(group, key=lambda one: one.value)
        usual = "kJ/mol" if group[0].read in TOTAL | {"zero_point"} else group[0].unit
        unit = (
            plan.question.unit
            if plan.question.unit in HARTREE and group[0].unit in HARTREE
            else usual
        )
        found += [Difference(one, ordered[0], unit) for one in ordered[1:]]
    return found


def _groups(plan: Plan, values: Sequence[Value]) -> list[list[Value]]:
    if not plan.question.compare:
        return []
    groups: dict[object, list[Value]] = {}
    for one in values:
        excited = bool(re.fullmatch(r"[ST]\d+", one.read))
        key: object = (
            ("states",) if excited else (one.read, one.formula if one.read in TOTAL else "")
        )
        groups.setdefault(key, []).append(one)
    return [group for group in groups.values() if len(group) > 1]


def comparison(plan: Plan, values: Sequence[Value]) -> list[str]:
    """Return the lines that compare."""
    lines: list[str] = []
    made = differences(plan, values)
    for one in made:
        mixed = {value.level for value in (one.of, one.less)}
        about = len(mixed) > 1 or one.of.label == one.less.label
        upper, lower = (_told(value, about) for value in (one.of, one.less))
        lines.append(f"  {upper} lies {_spelt(one.value, one.unit)} above {lower}")
    for group in _groups(plan, values):
        ordered = sorted(group, key=lambda one: one.value)
        if len(ordered) > 2:
            names = " < ".join(_told(one, len({v.level for v in group}) > 1) for one in ordered)
            lines.append(f"  order of the {_name(group[0].read)}: {names}")
    if plan.question.compare:
        totals = {one.formula for one in values if one.read in TOTAL}
        if len(totals) > 1:
            lines.append(
                "  total energies of different atoms cannot be compared: "
                + ", ".join(sorted(totals))
            )
        levels = {one.level for one in values if one.read in TOTAL}
        if len(levels) > 1:
            lines.append(
                "  total energies at different levels of theory say nothing about stability"
            )
    return ["Compared:", *lines] if lines else []


def _told(one: Value, fully: bool) -> str:
    label = f"{one.label} at {one.level}" if fully and one.level else one.label
    return f"{one.read} of {label}" if re.fullmatch(r"[ST]\d+", one.read) else label


def sums(plan: Plan, results: Sequence[Any]) -> list[dict[str, str]]:
    """Return the differences that the answer tells, as sums for a tool that keeps their sources."""
    names = {"Eh": "hartree", "D": "debye", "cm⁻¹": "cm^-1"}
    if plan.calls and plan.calls[0].name == "run_workflow":
        to = plan.question.unit or "kJ/mol"
        return [
            {"value": repr(energy), "from_unit": "hartree", "to_unit": names.get(to, to)}
            for came in molecules(results)
            for _, energy, _ in energies(came)
            if to in HARTREE and to != "Eh"
        ]
    values = [
        one
        for said in molecules(results)
        if isinstance(said.get("values"), Mapping)
        for read in plan.question.reads
        for one in _values(read, said)
    ]
    made = [
        (f"{one.of.value!r} - {one.less.value!r}".replace("- -", "+ "), one.of.unit, one.unit)
        for one in differences(plan, values)
    ]
    made += [
        (repr(one.value), one.unit, unit)
        for one in values
        if (unit := converted(one, plan.question.unit)[1]) != one.unit
    ]
    return [
        {"value": value, "from_unit": names.get(unit, unit), "to_unit": names.get(to, to)}
        for value, unit, to in made
        if unit in {*HARTREE, "D"}
    ]


def _wanting(plan: Plan, values: Sequence[Value], results: Sequence[Any]) -> list[str]:
    """Say what was asked for and is in no result."""
    said = [one for one in molecules(results) if isinstance(one.get("values"), Mapping)]
    if not said:
        return []
    here = {one.read for one in values}
    lacking = [
        read
        for read in plan.question.reads
        if read not in here
        and read not in ("orbitals", "thermochemistry")
        and not any(_details(read, one) for one in said)
    ]
    return [f"Not in the results: {', '.join(_name(one) for one in lacking)}"] if lacking else []


def _texts(value: Any) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return [value] if isinstance(value, str) and value else []
    return [str(one) for one in cast("Sequence[Any]", value)]


def _other(name: str, came: Any) -> str:
    """Return what a tool that computes nothing came to."""
    if not isinstance(came, Mapping):
        return str(came)
    said = cast("Found", came)
    if "error" in said or "reading" in said:
        return _head({"molecule": name, **said})
    match name:
        case "convert_units":
            listed = cast("Sequence[Any]", said.get("values") or ())
            rows = [cast("Found", row) for row in listed if isinstance(row, Mapping)]
            return "\n".join(
                f"{row.get('of')} {row.get('from')} = {row.get('value')} {row.get('unit')}"
                for row in rows
            )
        case "find_results":
            rows = cast("Sequence[Sequence[Any]]", said.get("rows") or ())
            columns = cast("Sequence[Any]", said.get("columns") or ())
            lines = ["  ".join(map(str, columns)), *("  ".join(map(str, row)) for row in rows)]
            return (
                "\n".join(lines) if rows else str(said.get("note") or "nothing is stored of that")
            )
        case "get":
            fields = cast("Found", said.get("fields") or {})
            lines = [f"  {field}: {value}" for field, value in fields.items()]
            return "\n".join([f"{said.get('class')} {said.get('iri')}", *lines])
        case _:
            return "\n".join(f"{field}: {value}" for field, value in said.items())
