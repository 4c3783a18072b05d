"""How a chemist goes about the six exercises, with any tools that a bench has found."""

from __future__ import annotations

import re

from ..stand_in import Bench, Row, energy

OPTIMISED, FREQUENCIES = ("not verified", "optimise"), ("not verified", "frequencies")
AS_BUILT = ("not verified", "energy")
"""Words of the argument that says how far to go, and the beginning of the choice."""

CHARGES, WATER = ("Charges", True), ("solvent, such as", "water")

ATOMS = re.compile(r"(?:\[[A-Za-z\d+\-@]+\]|Cl|Br|[BCNOPSFIcnos]|[=#()\d])+")

RINGS = {"but": 4, "pent": 5, "hex": 6, "hept": 7, "oct": 8}


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
    equations = [f"{one} -> {ion} + [H-]" for one, ion in zip(whole, ions, strict=True)]
    done = bench.run("react", equations, FREQUENCIES)
    bench.all()
    told: list[str] = []
    for row in done:
        told.append(f"{row['reading']}, {row['run']}")
        told += [
            f"delta {letter} of {row['reaction']}: {value(row['values'], start, 'mol')} kcal/mol"
            for letter, start in (("H", "enthalpy_change"), ("G", "gibbs_change_kcal"))
        ]
    return "\n".join(told)


def rings(bench: Bench) -> str:
    """Ring strain from cyclo(CnH2n) → methyl-cyclo(Cn-1), on the scale of a ring without any."""
    sizes = {int(n) for n in re.findall(r"n\s*=\s*(\d)", bench.question)}
    for first, last in re.findall(r"n\D{1,12}(\d) (?:to|through|up to) (\d)", bench.question):
        sizes |= set(range(int(first), int(last) + 1))
    names = "|".join(RINGS)
    plain = re.findall(rf"(?<![a-z])cyclo({names})ane", bench.question.lower())
    sizes |= {RINGS[one] for one in plain} if not sizes else set()
    zero = 6 if 6 in sizes else max(sizes)
    asked = [n for n in range(min(sizes) - 1, max(sizes) + 1) if n != zero]
    done = bench.run(
        "strain",
        [f"C1{'C' * (n - 2)}C1" for n in asked],
        FREQUENCIES,
        own=(("contraction", "contraction"), ("reference", zero)),
    )
    bench.all()
    told = [f"Zero is the ring of {zero}."]
    for size, row in zip(asked, done, strict=True):
        told.append(f"{row['reading']}, {row['run']}")
        told += [
            f"strain of ring {size} ({word}) {value(row['values'], start, 'mol')} kcal/mol"
            for word, start in (("enthalpy", "strain_enthalpy"), ("Gibbs", "strain_gibbs"))
        ]
    return "\n".join(told)


def acids(bench: Bench) -> str:
    """The pKa of an acid, the proton in water calibrated on acids whose pKa is known.

    By energies as built: relaxing in the continuum takes minutes, second derivatives more.
    """
    said = r"[^\n;]{0,30}?pKa\s*(?:=|is|of|:)?\s*(\d+\.\d+)"
    known = {
        one: float(number[1])
        for one in molecules(bench.question)
        if (number := re.search(re.escape(one) + said, bench.question))
    }
    [wanted] = [one for one in molecules(bench.question) if one not in known]
    references = sorted(f"{acid}={pka}" for acid, pka in known.items())
    [row] = bench.run("pka", [wanted], AS_BUILT, WATER, own=(("reference", references),)) or [{}]
    bench.all()
    told = [f"{row['reading']}, {row['run']}"]
    told += [
        f"{one['name']} loses its proton for {value(one, 'deprotonation', 'mol')} kcal/mol"
        for one in row["values"]["acids"]
    ]
    told.append(f"pKa of {wanted} by the slope of theory: {row['values']['pka']}")
    return "\n".join(told)


def excitations(bench: Bench) -> str:
    """S1, its oscillator strength, and how far below it T1 lies, at the ground state's minimum."""
    [done] = bench.run("excit", ["; ".join(molecules(bench.question))], FREQUENCIES) or [{}]
    bench.all()
    told = [
        f"{one['molecule']}: S1 {value(one, 'singlet', 'eV')} eV "
        f"({value(one, 'singlet', 'nm')} nm), {one['singlet_character']}, oscillator strength "
        f"{one['singlet_strength']:.5f}\nT1 {value(one, 'triplet', 'eV')} eV\n"
        f"S1 - T1 {value(one, 'singlet_triplet', 'mol')} kcal/mol"
        for one in done["values"]["gaps"]
    ]
    return "\n".join([f"{done['reading']}, {done['run']}", *told])


def value(row: Row, start: str, unit: str) -> float:
    """Return a value by the beginning of its name and the end of its unit."""
    return next(v for k, v in row.items() if k.startswith(start) and k.endswith(unit))


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


def quantity(name: str, value: object) -> str:
    """Return a value with the unit that its name ends in."""
    what, _, unit = name.rpartition("_")
    return f"  {what} {value} {unit}" if what and unit[:1].isupper() else f"  {name}: {value}"


__all__ = ["acids", "carbocations", "energy", "excitations", "reports", "rings"]
