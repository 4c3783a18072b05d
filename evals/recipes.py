"""How a chemist goes about the six exercises, with any tools that a bench has found."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic_ai import messages as said
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from grafico.agent.planner import LACKING

from .planner import Bench, Row, planner, text

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
    ions = [one for one in found if "+]" in one or "cation" in one]
    hydride = next((one for one in found if "hydride" in one), "[H-]")
    whole = [one for one in found if one not in ions and one not in (hydride, "[H-]")]
    equations = [f"{one} -> {ion} + {hydride}" for one, ion in zip(whole, ions, strict=True)]
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
    """The pKa of an acid, the proton in water calibrated on acids whose pKa is known, if any is.

    How far each is taken is what the question says; Gibbs energies if it says nothing.
    """
    said = r"[^\n;]{0,30}?pKa\s*(?:=|is|of|:)?\s*(\d+\.\d+)"
    known = {
        one: float(number[1])
        for one in molecules(bench.question)
        if (number := re.search(re.escape(one) + said, bench.question))
    }
    [wanted] = [one for one in molecules(bench.question) if one not in known]
    references = sorted(f"{acid}={pka}" for acid, pka in known.items())
    own = [("reference", references)] if references else []
    [row] = bench.run("pka", [wanted], how_far(bench.question), WATER, own=own) or [{}]
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
    asked = "; ".join(molecules(bench.question))
    [done] = bench.run("excit", [asked], how_far(bench.question)) or [{}]
    bench.all()
    told = [
        f"{one['molecule']}: S1 {value(one, 'singlet', 'eV')} eV "
        f"({value(one, 'singlet', 'nm')} nm), {one['singlet_character']}, oscillator strength "
        f"{one['singlet_strength']:.5f}\nT1 {value(one, 'triplet', 'eV')} eV\n"
        f"S1 - T1 {value(one, 'singlet_triplet', 'mol')} kcal/mol"
        for one in done["values"]["gaps"]
    ]
    return "\n".join([f"{done['reading']}, {done['run']}", *told])


def device(bench: Bench) -> str:
    """Say how a synthesizer is to stand, by the words of what its description says."""
    told: Row = bench.described("microwave").get("arguments", {})
    bench.all()
    asked, text = dict[str, Any](), bench.question
    for words, pattern in WISHES.items():
        name = next(n for n, one in told.items() if words in one.get("description", ""))
        if found := re.search(pattern, text, re.IGNORECASE):
            kind = told[name].get("type")
            word = next(one for one in found.groups() if one).lower()
            options = [one for one in told[name].get("enum", ()) if one.startswith(word)]
            asked[name] = options[0] if options else True
            if kind in ("number", "integer"):
                asked[name] = float(found[1]) if kind == "number" else int(found[1])
    row = bench.command("microwave", asked)
    bench.all()
    shown = {**row.get("details", {}), **row.get("values", {})}
    wrong = json.dumps(row["error"], ensure_ascii=False) if "error" in row else ""
    said = [quantity(*one) for one in shown.items() if not one[0].startswith("session")]
    return "\n".join([f"It did not work: {wrong}" if wrong else "It is done.", *said])


WISHES: Mapping[str, str] = {
    "Have this vial inside": r"(?<!no )\bvial (\d+)",
    "Have no vial": r"(no vial)",
    "at the end": r"(open|close)(?:d)? the lid|lid (open|closed)",
    "°C": r"(\d+) °C",
    " min.": r"(\d+) min",
    " atm.": r"(\d+) atm",
    "Heat the vial": r"\b(heat)\b",
    "percent conversion": r"(conversion)",
}
"""Words that describe an argument, and what in a question speaks of it."""


def how_far(question: str) -> tuple[str, str]:
    """Return whether geometries are relaxed, and frequencies computed."""
    if re.search(r"as (they are )?built|as they are|nothing optimised", question):
        return AS_BUILT
    return OPTIMISED if "vibrations are not needed" in question else FREQUENCIES


def value(row: Row, start: str, unit: str) -> float:
    """Return a value by the beginning of its name and the end of its unit."""
    return next(v for k, v in row.items() if k.startswith(start) and k.endswith(unit))


def molecules(question: str) -> list[str]:
    """Return the files of a question, or its SMILES: those with brackets or more bonds."""
    found: dict[str, None] = {}
    for word in re.split(r"[\s,;]+", question):
        one = word.strip(".:?!")
        one = one.removeprefix("(")
        one = one.removesuffix(")") if one.count(")") > one.count("(") else one
        plain = ATOMS.fullmatch(one) and re.search(r"[A-Z].*[=(#\]]|^C+$", one)
        if plain or one.endswith(".xyz"):
            found[one] = None
    return [one for one in found if one.endswith(".xyz")] or list(found)


def quantity(name: str, value: object) -> str:
    """Return a value with the unit that its name ends in."""
    what, _, unit = name.rpartition("_")
    return f"  {what} {value} {unit}" if what and unit[:1].isupper() else f"  {name}: {value}"


RECIPES: Mapping[str, Callable[[Bench], str]] = {
    "synthesizer": device,
    "pKa": acids,
    "S1": excitations,
    "carbocation": carbocations,
    r"contraction|methyl\s+derivative": rings,
}
"""By a word of the question; reports for others."""


def recipe(bench: Bench) -> str:
    """Go about any of the exercises."""
    found = (one for word, one in RECIPES.items() if re.search(word, bench.question))
    return next(found, reports)(bench)


def planning() -> FunctionModel:
    """Return the planner as a model: it sees tools, question and results, as any model does."""
    answer = planner(recipe)

    def reply(messages: list[said.ModelMessage], info: AgentInfo) -> said.ModelResponse:
        tools = [
            {
                "name": one.name,
                "description": one.description,
                "parameters": one.parameters_json_schema,
            }
            for one in info.function_tools
        ]
        request = {
            "messages": [part for one in messages for part in _chat(one)],
            "tools": [{"function": one} for one in tools],
        }
        message = answer(request)
        parts: list[said.ModelResponsePart] = [
            said.ToolCallPart(
                one["function"]["name"], one["function"]["arguments"], tool_call_id=one["id"]
            )
            for one in message.get("tool_calls") or ()
        ]
        unmeasured = RequestUsage(unmeasured_requests=1)  # or the model's class guesses
        return said.ModelResponse(parts or [said.TextPart(text(message))], usage=unmeasured)

    return FunctionModel(reply, model_name="planner")


def _chat(message: said.ModelMessage) -> list[dict[str, Any]]:
    """Return the messages of OpenAI's chat that a message comes to."""
    calls = [
        {
            "id": part.tool_call_id,
            "function": {"name": part.tool_name, "arguments": part.args_as_json_str()},
        }
        for part in message.parts
        if isinstance(part, said.ToolCallPart)
    ]
    told: list[dict[str, Any]] = [{"role": "assistant", "tool_calls": calls}] if calls else []
    for part in message.parts:
        if isinstance(part, said.UserPromptPart):
            if LACKING.partition(":")[0] in str(part.content):
                continue  # it is answered by the same again: nothing was made up
            told.append({"role": "user", "content": part.content})
        elif isinstance(part, said.ToolReturnPart):
            content = part.model_response_str()
            told.append({"role": "tool", "tool_call_id": part.tool_call_id, "content": content})
        elif part.part_kind == "retry-prompt" and part.tool_name is not None:
            content = part.model_response()
            told.append({"role": "tool", "tool_call_id": part.tool_call_id, "content": content})
    return told
