"""A planner made of rules that sees only what is transmitted: schemas, the question, results.

It knows no name of a tool or an argument of ours: it finds them by the words of the schemas, copies
IRIs and numbers from results, and mends its arguments from what a refusal says.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .server import Message, calls, says

SMALL = r"(?:the|of|a|please|molecules?)"


def stand_in(request: dict[str, Any]) -> Message:
    tools = [one["function"] for one in request["tools"]]
    messages = request["messages"]
    question = next(
        text(m) for m in reversed(messages) if m["role"] == "user" and "?" in text(m)
    )  # fmt: skip
    since = len(messages) - next(
        n for n, m in enumerate(reversed(messages)) if m["role"] == "user" and text(m) == question
    )
    replies = [m for m in messages[since:] if m["role"] == "tool"]
    compute, names = find(tools, "SMILES", list_of_text=True)
    if not replies:
        return calls((compute["name"], ask(compute, names, question, guess=True)))
    last = text(replies[-1])
    if "it takes" in last:  # a refusal that lists what there is
        return calls((compute["name"], ask(compute, names, question)))
    found = [json.loads(text(m)) for m in replies if text(m).startswith("{")]
    runs = [one for reply in found for one in reply.get("molecules", [])]
    done = {one["molecule"]: one for one in runs if one["status"] == "finished"}
    failed = [one["molecule"] for one in runs if one["molecule"] not in done]
    if failed:
        if len(replies) > 6:
            return says(f"It did not work: {failed}")
        again = ask(compute, names, question)
        return calls((compute["name"], {**again, names: failed}))
    energies = {
        name: next(v for k, v in one["values"].items() if k.startswith("energy"))
        for name, one in done.items()
    }
    (first, one), (second, two) = list(energies.items())[:2]
    sums = [reply for reply in found if "values" in reply]
    if not sums:
        convert, rows = find(tools, "kcal/mol")
        row = {
            next(k for k in keys(convert, rows) if k.startswith(start)): value
            for start, value in (
                ("value", f"{one} - {two}"),
                ("from", "hartree"),
                ("to", "kcal/mol"),
            )
        }
        return calls((convert["name"], {rows: [row]}))
    apart = sums[-1]["values"][0]
    return says(
        f"{first}: {one:.6f} Eh ({done[first]['run']})\n{second}: {two:.6f} Eh "
        f"({done[second]['run']})\n{first} lies {abs(apart['value']):.2f} {apart['unit']} lower."
    )


def text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def find(
    tools: list[dict[str, Any]], word: str, list_of_text: bool = False
) -> tuple[dict[str, Any], str]:
    """The tool whose words name something, and its argument that is a list."""
    for one in tools:
        for name, kind in one["parameters"]["properties"].items():
            text = kind.get("type") == "array" and kind["items"].get("type") == "string"
            if kind.get("type") != "array" or (list_of_text and not text):
                continue
            if word in json.dumps(kind) or (not list_of_text and word in one["description"]):
                return one, name
    raise AssertionError(f"no tool speaks of {word}")


def keys(tool: dict[str, Any], rows: str) -> list[str]:
    return list(tool["parameters"]["properties"][rows]["items"]["properties"])


def ask(tool: dict[str, Any], names: str, question: str, guess: bool = False) -> dict[str, Any]:
    properties = tool["parameters"]["properties"]
    method, basis = re.findall(r"([A-Z0-9]+)/([\w*+-]+)", question)[0]
    plain = re.sub(r"[A-Z0-9]+/[\w*+-]+", "", question).lower()
    wanted = [name for name in re.findall(r"[a-z]+", plain) if name in ("water", "ammonia")]
    by = {
        "functional" if guess else said("functional", properties): method,
        said("basis set", properties): basis,
    }
    return {names: list(dict.fromkeys(wanted)), **by}


def said(word: str, properties: dict[str, Any]) -> str:
    return next(name for name, kind in properties.items() if word in kind.get("description", ""))
