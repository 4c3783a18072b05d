"""Questions and their answers as pages read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ogm.terms import full_iri
from workflows.text.safe_text import printable, printable_json

from .conversations import Answered, under_way
from .nodes import as_arguments, leaves, list_of, mapping_of

if TYPE_CHECKING:
    from ogm import KnowledgeGraph
    from triplestore.errors import GraficoError

    from .quantities import Number

LONGEST = 60
"""Letters of what a use of a tool is called."""

STRUCTURES = ("iri", "structure", "atoms", "geometry")
"""Names of what a tool found under which a structure can stand."""

MARK = "[data {"
"""What a line begins with that stands for a structure; see `grafico.agent.attachments`."""

ABOUT = ("request", "run", "iri", "name", "question", "query", "code")
"""Arguments that say what a tool is about, where it names no subjects."""


def turn_as_dict(
    kg: KnowledgeGraph, answered: Answered, notes: Sequence[str] = ()
) -> dict[str, Any]:
    """Return a question, with all that came of it, as JSON can hold it.

    Among the runs are those that were under way when it was cut off or stopped.
    """
    turn, end = answered.turn, answered.end
    made = list(cards(answered.parts))
    cut = under_way(kg, (one["arguments"] for one in made if one["found"] is None), turn.started)
    runs = [*(run.iri for run in (end.runs if end else ())), *(line.run for line in cut)]
    question, attached = _parted(turn.question)
    return {
        "question": printable(question),
        "attached": attached,
        "planner": turn.planner,
        "started": turn.started.isoformat(),
        "status": end.status if end else "cut off",
        "answer": printable(end.answer) if end else "",
        "numbers": [number_as_dict(one) for one in answered.numbers],
        "cards": made,
        "runs": list(dict.fromkeys(runs)),
        "files": list(end.files) if end else [],
        "notes": [printable(note) for note in notes],
        "requests": end.requests if end else 0,
        "input_tokens": end.input_tokens if end else 0,
        "output_tokens": end.output_tokens if end else 0,
        "dollars": end.dollars if end else None,
        "seconds": round(end.wall_time, 3) if end else 0.0,
    }


def _parted(question: str) -> tuple[str, list[dict[str, Any]]]:
    """Return a question as it was asked, and what came with it, which stands in it as data."""
    lines, attached = list[str](), list[dict[str, Any]]()
    for line in question.split("\n"):
        if line.startswith(MARK) and (said := as_arguments(line[len(MARK) - 1 : -1])):
            attached.append(printable_json(dict(said)))
        else:
            lines.append(line)
    return "\n".join(lines), attached


def unkept(question: str, planner: str, started: str, error: GraficoError) -> dict[str, Any]:
    """Return a question that came to nothing before it could be kept."""
    from .toolbox import as_error

    return {
        "question": printable(question),
        "planner": planner,
        "started": started,
        "status": "failed",
        "answer": printable(str(error)),
        "error": as_error(error),
        **{name: [] for name in ("attached", "numbers", "cards", "runs", "files", "notes")},
        **dict.fromkeys(("requests", "input_tokens", "output_tokens"), 0),
        "dollars": None,
        "seconds": 0.0,
    }


def number_as_dict(number: Number) -> dict[str, Any]:
    """Return a number of an answer, and where it comes from, as JSON can hold it."""
    return {
        "start": number.start,
        "end": number.end,
        "text": number.text,
        "value": number.value,
        "unit": number.unit,
        "source": number.source,
        "how": number.how,
        "rests_on": list(number.rests_on),
    }


def cards(parts: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Iterate over the uses of tools among the parts of messages, with what came of each.

    Of one that was interrupted nothing did.
    """
    came: dict[str, Mapping[str, Any]] = {}
    for part in parts:
        if part.get("part_kind") in ("tool-return", "retry-prompt"):
            came.setdefault(str(part.get("tool_call_id")), part)
    for part in parts:
        if part.get("part_kind") != "tool-call":
            continue
        call, name = str(part.get("tool_call_id")), str(part.get("tool_name"))
        arguments, answer = as_arguments(part.get("args")), came.get(call)
        opened = card(call, name, arguments)
        if answer is None or answer.get("outcome") == "interrupted":
            yield {**opened, **result(None)}
        elif answer.get("part_kind") == "retry-prompt":
            why = {"asked": f"{name} was called", "found": str(answer.get("content"))}
            yield {**opened, **result({"error": why})}
        else:
            content = answer.get("content")
            yield {**opened, **result(mapping_of(content) or {"": content})}


def card(call: str, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a use of a tool as it begins."""
    return {
        "call": call,
        "name": name,
        "title": title(name, arguments),
        "arguments": printable_json(dict(arguments)),
    }


def result(found: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what came of a use of a tool; None for nothing yet."""
    said = dict(found or {})
    failed = mapping_of(said.get("error")) or None
    return {
        "found": printable_json(said) if found is not None else None,
        "failed": printable_json(dict(failed)) if failed else None,
        "runs": [full_iri(one) for one in _under(said, "run") if _is_iri(one)],
        "files": _under(said, "file", "files"),
        "view": printable_json(dict(mapping_of(said.get("viewer")))) or None,
        "structures": [full_iri(one) for one in _under(said, *STRUCTURES) if _is_iri(one)],
    }


def title(name: str, arguments: Mapping[str, Any]) -> str:
    """Return in words what a tool is asked: the workflow or the tool, and its subjects."""
    what = str(arguments.get("name") or name) if name == "run_workflow" else name
    what = what.replace("_", " ").replace("-", " ").strip()
    subjects = [
        str(one) for given in arguments.values() for one in list_of(given) if isinstance(one, str)
    ]
    subjects = subjects or [str(arguments[n]) for n in ABOUT if arguments.get(n) not in (None, "")]
    said = ", ".join(" ".join(one.split()) for one in subjects if one != arguments.get("name"))
    whole = printable(f"{what[:1].upper()}{what[1:]}{f': {said}' if said else ''}")
    return whole if len(whole) <= LONGEST else f"{whole[: LONGEST - 1]}…"


def _under(found: Any, *names: str) -> list[str]:
    texts = (text for name, text in leaves(found) if name in names)
    return list(dict.fromkeys(printable(text) for text in texts))


def _is_iri(text: str) -> bool:
    return text.startswith(("g:", "https://"))
