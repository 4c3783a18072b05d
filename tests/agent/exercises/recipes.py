"""How a chemist goes about the six exercises, with any tools that a bench has found."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from ..stand_in import Bench, Row, energy

OPTIMISED, FREQUENCIES = ("not verified", "optimise"), ("not verified", "frequencies")
"""Words of the argument that says how far to go, and the beginning of the choice."""

CHARGES, WATER, STATES = ("Charges", True), ("solvent, such as", "water"), ("how many", 3)
TRIPLETS = ("Spin of the excited", "triplet")

ATOMS = re.compile(r"(?:\[[A-Za-z\d+\-@]+\]|Cl|Br|[BCNOPSFIcnos]|[=#()\d])+")

RINGS = {"but": 4, "pent": 5, "hex": 6, "hept": 7, "oct": 8}

READING = """
from scipy.constants import N_A, R, calorie, value
KCAL = value("Hartree energy") * N_A / (1000 * calorie)
def field(iris, name):
    return next(getattr(one, name) for one in map(read, iris) if hasattr(one, name))
def sum_of(rows, name):
    return KCAL * sum(field(iris, name) for iris in rows)
"""


def reports(bench: Bench) -> str:
    """Optimise, analyse, and report on each molecule by itself."""
    done = bench.compute(molecules(bench.question), OPTIMISED, CHARGES)
    bench.all()
    pages = {name: bench.report(row["run"]) for name, row in done.items()}
    bench.all()
    told: list[str] = []
    for name, row in done.items():
        shown = {**row["values"], **row["details"]}
        told.append(f"{name}: {row['reading']}, {row['run']}, report {pages[name]}")
        told += [quantity(key, value) for key, value in shown.items()]
    return "\n".join(told)


def carbocations(bench: Bench) -> str:
    """R–H → R⁺ + H⁻: enthalpies and Gibbs energies."""
    found = molecules(bench.question)
    ions = [one for one in found if "+]" in one]
    whole = [one for one in found if one not in ions and one != "[H-]"]
    done = bench.compute([*whole, *ions, "[H-]"], FREQUENCIES)
    bench.all()
    reactions = {
        f"{one} -> {ion} + [H-]": ([done[one]], [done[ion], done["[H-]"]])
        for one, ion in zip(whole, ions, strict=True)
    }
    return heats(bench, reactions)


def rings(bench: Bench) -> str:
    """Ring strain from cyclo(CnH2n) → methyl-cyclo(Cn-1), on the scale of a ring without any."""
    sizes = {int(n) for n in re.findall(r"n\s*=\s*(\d)", bench.question)}
    for first, last in re.findall(r"n\D{1,12}(\d) (?:to|through|up to) (\d)", bench.question):
        sizes |= set(range(int(first), int(last) + 1))
    names = "|".join(RINGS)
    plain = re.findall(rf"(?<![a-z])cyclo({names})ane", bench.question.lower())
    sizes |= {RINGS[one] for one in plain} if not sizes else set()
    ordered = sorted(sizes, reverse=True)
    pairs = {n: (f"C1{'C' * (n - 2)}C1", f"CC1{'C' * (n - 3)}C1") for n in ordered}
    done = bench.compute([one for pair in pairs.values() for one in pair], FREQUENCIES)
    bench.all()
    reactions = {f"{a} -> {b}": ([done[a]], [done[b]]) for a, b in pairs.values()}
    zero = 6 if 6 in sizes else ordered[0]
    return heats(bench, reactions, f"""
for kind, steps in (("enthalpy", H), ("Gibbs", G)):
    strain = dict(zip({[n - 1 for n in ordered]}, np.cumsum(steps)))
    strain[{ordered[0]}] = 0
    for size in sorted(strain):
        print(f"strain of ring {{size}} ({{kind}}) {{strain[size] - strain[{zero}]:.3f}} kcal/mol")
""")  # fmt: skip


def acids(bench: Bench) -> str:
    """The pKa of an acid, the proton in water calibrated on acids whose pKa is known."""
    told = r"[^\n;]{0,30}?pKa\s*(?:=|is|of|:)?\s*(\d+\.\d+)"
    known = {
        one: float(number[1])
        for one in molecules(bench.question)
        if (number := re.search(re.escape(one) + told, bench.question))
    }
    [wanted] = [one for one in molecules(bench.question) if one not in known]
    ions = {one: re.sub(r"C\(=O\)O$", "C(=O)[O-]", one) for one in (*known, wanted)}
    ions = {acid: ion if ion != acid else f"[O-]{acid[1:]}" for acid, ion in ions.items()}
    every = [*ions, *ions.values()]
    gas = bench.compute(every, FREQUENCIES)
    bench.all()
    places = {one: row["geometry"] for one, row in gas.items()}
    wet = bench.compute([places[one] for one in every], WATER)
    bench.all()
    parts = {
        acid: [[iris(gas[one]) for one in (acid, ion)],
               [iris(wet[places[one]]) for one in (acid, ion)]]
        for acid, ion in ions.items()
    }  # fmt: skip
    free, inner = key(gas[wanted], "gibbs"), key(gas[wanted], "energy")
    warm = next(v for k, v in gas[wanted]["values"].items() if k.startswith("temperature"))
    return bench.code(f"""{READING}
parts, known = {json.dumps(parts)}, {json.dumps(known)}
def loses(acid):
    gas, wet = parts[acid]
    change = lambda rows, name: sum_of(rows[1:], name) - sum_of(rows[:1], name)
    return change(gas, "{free}") + change(wet, "{inner}") - change(gas, "{inner}")
x, y = [loses(acid) for acid in known], list(known.values())
one = R * {warm} * np.log(10) / (1000 * calorie)
proton = np.mean([one * pKa - cost for pKa, cost in zip(y, x)])
for acid, cost in zip([*known, "{wanted}"], [*x, loses("{wanted}")]):
    print(f"{{acid}} loses its proton for {{cost:.3f}} kcal/mol")
slope, base = np.polyfit(x, y, 1)
print(f"proton in water {{proton:.3f}} kcal/mol")
print(f"pKa of {wanted} by the mean: {{(loses('{wanted}') + proton) / one:.3f}}")
print(f"pKa of {wanted} by the fit: {{slope * loses('{wanted}') + base:.3f}}")
""")


def excitations(bench: Bench) -> str:
    """S1, its oscillator strength, and how far below it T1 lies, at the ground state's minimum."""
    names = molecules(bench.question)
    ones = bench.compute(names, FREQUENCIES, STATES)
    threes = bench.compute(names, FREQUENCIES, STATES, TRIPLETS)
    bench.all()
    lowest = {one: [rows[one]["values"]["states"][0] for rows in (ones, threes)] for one in names}
    gaps = bench.sums("eV", "kcal/mol", *(f"{s['eV']} - {t['eV']}" for s, t in lowest.values()))
    bench.all()
    told = [
        f"{one}: {ones[one]['reading']}, {ones[one]['run']}\n"
        f"S1 {s['eV']} eV ({s['nm']} nm), oscillator strength {s['f']:.5f}\nT1 {t['eV']} eV\n"
        f"S1 - T1 {gap:.3f} kcal/mol"
        for (one, (s, t)), gap in zip(lowest.items(), gaps, strict=True)
    ]
    return "\n".join(told)


def heats(
    bench: Bench, reactions: Mapping[str, tuple[list[Row], list[Row]]], more: str = ""
) -> str:
    """Let code read what reactions come to, and go on with it."""
    rows = {
        name: [[iris(one) for one in side] for side in sides] for name, sides in reactions.items()
    }
    some = next(iter(reactions.values()))[0][0]
    bench_code = f"""{READING}
H, G = [], []
for name, (left, right) in {json.dumps(rows)}.items():
    for what, unit, into in (("{key(some, "enthalpy")}", "H", H), ("{key(some, "gibbs")}", "G", G)):
        into.append(sum_of(right, what) - sum_of(left, what))
        print(f"delta {{unit}} of {{name}}: {{into[-1]:.3f}} kcal/mol")
"""
    printed = bench.code(bench_code + more)
    label = " and ".join(
        dict.fromkeys(
            row["reading"].split("; ")[0].split(" at ")[1]
            for sides in reactions.values()
            for side in sides
            for row in side
        )
    )
    return f"{printed}at {label}"  # fmt: skip


def molecules(question: str) -> list[str]:
    """Return the SMILES of a question, each once: those with brackets or a double bond."""
    found: dict[str, None] = {}
    for word in re.split(r"[\s,;]+", question):
        one = word.strip(".:?!")
        one = one.removeprefix("(")
        one = one.removesuffix(")") if one.count(")") > one.count("(") else one
        if ATOMS.fullmatch(one) and re.search(r"[A-Z].*[=(\]]", one):
            found[one] = None
    return list(found)


def iris(row: Row) -> list[str]:
    return list(row["results"].values())


def key(row: Row, start: str) -> str:
    """Return the name of a field from that of its value, which ends in a unit."""
    return next(one for one in row["values"] if one.startswith(start)).rpartition("_")[0]


def quantity(name: str, value: object) -> str:
    """Return a value with the unit that its name ends in."""
    what, _, unit = name.rpartition("_")
    return f"  {what} {value} {unit}" if what and unit[:1].isupper() else f"  {name}: {value}"


__all__ = ["acids", "carbocations", "energy", "excitations", "reports", "rings"]
