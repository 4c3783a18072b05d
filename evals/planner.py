"""A planner made of rules that sees only what is transmitted: schemas, the question, results.

It knows chemistry, but no name of a tool or an argument of ours: it finds them by the words of the
schemas, copies IRIs and numbers from results, and mends its arguments from what a refusal says.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Row: TypeAlias = dict[str, Any]
Message: TypeAlias = dict[str, Any]
Answer: TypeAlias = Callable[[Row], Message]
"""Gives the message of the assistant for a request, both as OpenAI's chat has them."""

Slip: TypeAlias = Literal["", "argument", "word", "steps"]
"""What goes wrong first: an argument that there is not, a misspelt basis set, one step only."""

METHOD = r"\b(HF|B3LYP|PBE0|Hartree[-–\s]Fock)\b"
BASIS = r"(STO-\dG|def2-\w+|\d-\d+\+*G(?:\*+)?)"
TRIES = 3
"""Times that the same is asked for before it is given up."""


class GivenUp(Exception):
    """What was needed cannot be had."""


def planner(recipe: Callable[[Bench], str], slip: Slip = "") -> Answer:
    """Return who answers by a recipe: a function that asks a bench for all that it needs.

    What is not there yet is called for, all of it at once, and the recipe is tried again with what
    came back; so it needs no memory but the conversation itself.
    """

    def answer(request: dict[str, Any]) -> Message:
        bench = Bench.seen(request, slip)
        try:
            said = recipe(bench)
        except Missing:
            said = ""
        except GivenUp as error:
            return says(f"It did not work: {error}")
        return calls(*bench.wanted) if bench.wanted else says(said)

    return answer


class Missing(Exception):
    """More has to be known before the recipe can go on."""


@dataclass
class Bench:
    """What there is to a question: tools, what was called, what came back.

    Attributes:
        wanted: calls to be made now.
    """

    tools: Sequence[Row]
    question: str
    made: Sequence[tuple[str, Row, str]]
    slip: Slip = ""
    wanted: list[tuple[str, Row]] = field(default_factory=list[tuple[str, Row]])

    @staticmethod
    def seen(request: Row, slip: Slip) -> Bench:
        messages = request["messages"]
        asked = max(n for n, m in enumerate(messages) if m["role"] == "user" and text(m))
        replies = {m["tool_call_id"]: text(m) for m in messages if m["role"] == "tool"}
        made = [
            (one["function"]["name"], json.loads(one["function"]["arguments"]), replies[one["id"]])
            for message in messages[asked:]
            for one in message.get("tool_calls") or ()
        ]
        tools = [one["function"] for one in request["tools"]]
        return Bench(tools, text(messages[asked]), made, slip)

    # --- what a recipe may ask for -----------------------------------------------------------

    def compute(self, molecules: Sequence[str], *words: tuple[str, Any]) -> dict[str, Row]:
        """Return what was computed of molecules.

        Args:
            molecules: as a tool can be told.
            words: of the description of an argument, and its value or the beginning of it.
        """
        name, arguments, names = self._computing(words)
        done, tries = dict[str, Row](), dict[str, int]()
        for row in self._rows(name, arguments):
            tries[row["molecule"]] = tries.get(row["molecule"], 0) + 1
            if row["status"] == "finished":
                done[row["molecule"]] = row
        left = [one for one in dict.fromkeys(molecules) if one not in done]
        if hopeless := [one for one in left if tries.get(one, 0) >= TRIES]:
            raise GivenUp(f"{', '.join(hopeless)}: {refusal(self._said(name)[-1])}")
        if left:
            self.wanted.append((name, {names: left, **arguments}))
            return {}
        return {one: done[one] for one in molecules}

    def run(
        self,
        start: str,
        subjects: Sequence[str],
        *words: tuple[str, Any],
        own: Sequence[tuple[str, Any]] = (),
    ) -> list[Row]:
        """Return what a workflow came to for each of some subjects, by the beginning of its name.

        Args:
            start: of the name.
            subjects: as the tool can be told.
            words: as of `compute`: its arguments are mostly those of the tool for molecules.
            own: the same for arguments that it alone has, by a word of what stands in its line.
        """
        tool = next(one for one in self.tools if "Run a workflow" in one["description"])
        named = re.findall(r"[\w-]+", tool["description"])
        name = next(one for one in named if one.startswith(start))
        fields: Row = tool["parameters"]["properties"]
        kinds = {kind.get("type"): name for name, kind in reversed(fields.items())}  # the first
        asked = self._arguments(self._with_list("SMILES")[0], tool["name"], words)
        for word, value in own:
            line = re.search(rf"\b{name} [A-Z_]+\(([^)]*)\)", tool["description"])
            assert line, f"nothing is told of {name}"
            shown = next(one for one in line[1].split(", ") if word in one)
            asked[shown.partition("=")[0].removesuffix("[]")] = value
        call = {kinds["string"]: name, kinds["array"]: [*subjects], kinds["object"]: asked}
        said = [
            said for called, given, said in self.made if (called, given) == (tool["name"], call)
        ]
        done = [row for one in said[-1:] for row in rows(one) if row["status"] == "finished"]
        if len(done) < len(subjects):
            if len(said) >= TRIES:
                raise GivenUp(said[-1])
            self.wanted.append((tool["name"], call))
        return done

    def described(self, start: str) -> Row:
        """Return what is said of a workflow, by the beginning of its name."""
        tool = next(one for one in self.tools if "what a workflow takes" in one["description"])
        [name] = tool["parameters"]["properties"]
        return self._once(tool["name"], {name: start})

    def command(self, start: str, arguments: Row) -> Row:
        """Return what came of a workflow without subjects, or what is wrong."""
        tool = next(one for one in self.tools if "Run a workflow" in one["description"])
        fields: Row = tool["parameters"]["properties"]
        kinds = {kind.get("type"): name for name, kind in reversed(fields.items())}
        done = self._once(tool["name"], {kinds["string"]: start, kinds["object"]: arguments})
        found = rows(json.dumps(done))
        return found[0] if found else {}

    def all(self) -> None:
        """Go on only if all of what was asked for is there."""
        if self.wanted:
            raise Missing

    def report(self, run: str) -> str:
        """Return the name of the file of a report."""
        name, runs = self._with_list("report")
        return str(self._once(name, {runs: [run]}).get("file"))

    def sums(self, unit: str, to: str, *sums: str) -> list[float]:
        """Return what sums in one unit come to in another."""
        name, rows = self._with_list("kcal/mol")
        parts: Row = self._tool(name)["parameters"]["properties"][rows]["items"]["properties"]
        value, source, target = (
            next(key for key in parts if key.startswith(start)) for start in ("val", "from", "to")
        )
        given = [{value: one, source: unit, target: to} for one in sums]
        found = self._once(name, {rows: given}).get("values", [])
        return [one[value] for one in found]

    @property
    def level(self) -> tuple[str, str]:
        """Method and basis set of the question."""
        methods = [re.sub(r"Hartree.Fock", "HF", one) for one in re.findall(METHOD, self.question)]
        found: list[str] = []
        for what, every in (("method", methods), ("basis set", re.findall(BASIS, self.question))):
            if len(named := dict.fromkeys(every)) != 1:
                raise GivenUp(f"the question names {' and '.join(named) or 'no'} as {what}: which?")
            found += named
        return found[0], found[1]

    @property
    def spin(self) -> list[tuple[str, Any]]:
        """The multiplicity of the question, where it is one for all and not that of the files."""
        found = {int(one) for one in re.findall(r"multiplicity (\d)", self.question)}
        return [("2S+1", max(found))] if found - {1} else []

    # --- finding and mending -----------------------------------------------------------------

    def _tool(self, name: str) -> Row:
        return next(one for one in self.tools if one["name"] == name)

    def _with_list(self, word: str) -> tuple[str, str]:
        """Return the tool whose words name something, and its argument that is a list."""
        for one in self.tools:
            lists = [
                name
                for name, kind in one["parameters"]["properties"].items()
                if kind.get("type") == "array"
                and (word in one["description"] or word in kind.get("description", ""))
            ]
            if lists:
                return one["name"], lists[0]
        raise AssertionError(f"no tool speaks of {word}")

    def _computing(self, words: Sequence[tuple[str, Any]]) -> tuple[str, Row, str]:
        name, names = self._with_list("SMILES")
        return name, self._arguments(name, name, words), names

    def _arguments(self, name: str, tool: str, words: Sequence[tuple[str, Any]]) -> Row:
        """Return arguments that are described by one tool, as another takes them, mended."""
        method, basis = self.level
        arguments: Row = {}
        level = (("functional", method), ("basis set", basis))
        for word, value in (*level, *self.spin, *words):
            argument, kind = self._argument(name, word)
            options = [one for one in kind.get("enum", ()) if one.startswith(str(value)[:5])]
            arguments[argument] = options[0] if options else value
        if self.slip:
            arguments = self._wrong(name, arguments)
        for called, _, said in self.made:
            if called == tool and (wrong := refusal(said)):
                arguments = self._mended(name, arguments, wrong)
        return arguments

    def _argument(self, name: str, word: str) -> tuple[str, Row]:
        given: Row = self._tool(name)["parameters"]["properties"]
        return next(pair for pair in given.items() if word in pair[1].get("description", ""))

    def _wrong(self, name: str, arguments: Row) -> Row:
        """Return arguments as somebody sends them who is not careful."""
        method, basis = self._argument(name, "functional")[0], self._argument(name, "basis set")[0]
        match self.slip:
            case "argument":
                return {"theory_name" if key == method else key: v for key, v in arguments.items()}
            case "word":
                return {**arguments, basis: arguments[basis] + "G"}
            case _:
                return {**arguments, self._argument(name, "Steps")[0]: 1}

    def _mended(self, name: str, arguments: Row, said: str) -> Row:
        """Return the arguments that are meant, by what a refusal of these says."""
        method = self._argument(name, "functional")[0]
        if strange := re.findall(r"(\w+): there is no such argument", said):
            if known := self._tool(name)["parameters"]["properties"].keys() & {*strange}:
                raise GivenUp(f"no {', '.join(sorted(known))} can be given here: {said}")
            return {method if key in strange else key: v for key, v in arguments.items()}
        if "more steps" in said:
            steps = self._argument(name, "Steps")[0]
            return {key: value for key, value in arguments.items() if key != steps}
        for key, value in arguments.items():
            if f"'{value}'" in said and (meant := re.search(r"did you mean (.*?)\?", said)):
                offers = re.split(r" or |, ", meant[1])
                likely = [one for one in offers if one in self.question] or self.level
                return {**arguments, key: likely[-1]}
        return arguments

    def _said(self, name: str) -> list[str]:
        return [said for called, _, said in self.made if called == name]

    def _rows(self, name: str, arguments: Row) -> list[Row]:
        """Return what came of calls with these arguments."""
        names = self._with_list("SMILES")[1]
        return [
            row
            for called, given, said in self.made
            if called == name and {k: v for k, v in given.items() if k != names} == arguments
            for row in rows(said)
        ]

    def _once(self, name: str, arguments: Row) -> Row:
        """Return what came of a call that is made once; again where it failed."""
        answers = [
            json.loads(said) if said.startswith("{") else {"error": said}
            for called, given, said in self.made
            if (called, given) == (name, arguments)
        ]
        good = [one for one in answers if "error" not in one]
        if good:
            return good[0]
        if len(answers) >= TRIES:
            raise GivenUp(str(answers[-1]["error"]))
        self.wanted.append((name, arguments))
        return {"stdout": ""}


def rows(said: str) -> list[Row]:
    """Return what a reply tells of each molecule."""
    found: Row = json.loads(said) if said.startswith("{") else {}
    every: list[Any] = [value for value in found.values() if isinstance(value, list)]
    return every[0] if every else []


def refusal(said: str) -> str:
    """Return what a reply says that went wrong; empty for nothing."""
    if not said.startswith("{"):
        return said
    wrong = [row for row in (json.loads(said), *rows(said)) if "error" in row]
    return " ".join(json.dumps(row, ensure_ascii=False) for row in wrong)


def text(message: Row) -> str:
    """Return the text of a message."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def energy(row: Row) -> float:
    """Return the energy of a molecule's row."""
    return next(v for k, v in row["values"].items() if k.startswith("energy"))


def says(text: str) -> Message:
    """Return a message that answers."""
    return {"role": "assistant", "content": text}


def calls(*wanted: tuple[str, Row]) -> Message:
    """Return a message that calls tools."""
    made = [
        {
            "id": f"call_{time.monotonic_ns()}_{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(given)},
        }
        for number, (name, given) in enumerate(wanted)
    ]
    return {"role": "assistant", "content": None, "tool_calls": made}
