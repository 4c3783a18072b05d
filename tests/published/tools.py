"""Five inputs for each tool that ChemCrow's article describes, and what ours make of them.

`python -m tests.published.tools` writes the table of docs/tools.md anew. What PubChem says here was
made by hand, see `test_published`.
"""

# ruff: noqa: E501

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner

PAGE = Path(__file__).parents[2] / "docs" / "tools.md"
BEGIN, END = "<!-- tried: made by the tests -->\n", "<!-- end -->"
LONGEST = 110


@dataclass(frozen=True)
class Tried:
    """An input of a tool.

    Attributes:
        tool: the article's name.
        words: what is typed; `agent` first where only a model calls it, with tool and arguments.
        shows: pattern of what is told in the table: its group, or all of it.
        yes: whether a person agrees.
        online: whether the answers of PubChem that were made by hand are there.
    """

    tool: str
    words: tuple[str, ...]
    shows: str
    yes: bool = False
    online: bool = False


def _each(tool: str, verb: str, shows: str, *inputs: str, yes: bool = False) -> Iterator[Tried]:
    for one in inputs:
        yield Tried(tool, (verb, one), shows, yes)


NOTES = "notes.txt"
"""A file that is written for the row which names it."""

PROBLEM = r"problem: ([^\n]+)"
SMILES = rf"^SMILES +(\S+)|{PROBLEM}"
PZM21 = "C[C@@H](Cc1ccsc1)NC(=O)NC[C@H](Cc1ccc(O)cc1)N(C)C"
FIRST = r"\A(?:note:[^\n]*\n)*([^\n]+)"
NITRO = "O=[N+]([O-])OCC(CO[N+](=O)[O-])O[N+](=O)[O-]"
DEET = "CCN(CC)C(=O)c1cccc(C)c1"

TRIED: tuple[Tried, ...] = (
    *_each("Name2SMILES", "lookup", SMILES, "caffeine", "2-chloropropane", "aspirin", "xylene", "no such thing"),
    *_each("Name2CAS", "lookup", rf"^CAS +([^\n]+)|{PROBLEM}", "caffeine", "paracetamol", "CC(=O)Nc1ccc(O)cc1", "58-08-3", "CC(Br)C(C)(F)C"),
    *_each("SMILES2Weight", "lookup", rf"^average mass +([^\n]+?)  \(|{PROBLEM}", "CCO", "O", "[2H]O[2H]", "c1ccccc1C(=O)O", "CC("),
    Tried("Similarity", ("similar", "aspirin", "--to", "salicylic acid"), FIRST),
    Tried("Similarity", ("similar", "ethanol", "--to", "methanol"), FIRST),
    Tried("Similarity", ("similar", "C[C@H](O)F", "--to", "C[C@@H](O)F"), FIRST),
    Tried("Similarity", ("similar", "benzene", "--to", "toluene"), FIRST),
    Tried("Similarity", ("similar", "benzene", "--to", "no such thing"), PROBLEM),
    Tried("ModifyMol", ("modify", "procaine", "--by", "ester to amide"), FIRST),
    Tried("ModifyMol", ("modify", "paracetamol", "--by", "amide to ester"), FIRST),
    Tried("ModifyMol", ("modify", "toluene", "--by", "alchemy"), PROBLEM),
    Tried("ModifyMol", ("modify", "[He]"), r"note: (no [^\n]+)"),
    Tried("ModifyMol", ("modify", "sarin"), r"problem: ([^;]+);"),
    *_each("FuncGroups", "groups", r"\ASMILES[^\n]+\n(.+)", "procaine", "aspirin", "paracetamol", "CC(=O)CCc1ccc(O)cc1"),
    Tried("FuncGroups", ("groups", "[He]"), r"note: ([^\n]+)"),
    *_each("SafetySummary", "safety", r"^flash point +([^\n]+)", "ethanol", "acetone", "toluene", "caffeine"),
    Tried("SafetySummary", ("safety", "benzene"), r"^IARC +([^\n(]+)"),
    *_each("ExplosiveCheck", "controlled", r"explosive: ([^\n;]+);|(on none of these lists)|warning[^\n]*\n +([^\n(]+)|; by (group)", "nitroglycerin", "TNT", "picric acid", "toluene"),
    Tried("ExplosiveCheck", ("safety", "toluene", "--online"), r"^GHS +(H\d+[^(\n]*\(?[^(\n]*)", online=True),
    *_each("ControlledChemicalCheck", "controlled", r"\n +([^\n]+?) \(Annex|\n +([^\n]+?) \(Export|(on none of these lists)", "sarin", "OCCSCCO", "triethanolamine", "diethylamine", "aspirin"),
    *_each("SMILES2Price", "sold", rf"^sold +([^(\n]+)|{PROBLEM}", "ethanol", "DEET", "CC1CC2(C1)C(C#N)C2(F)OC1CC1Br", "sarin"),
    Tried("SMILES2Price", ("sold", "ethanol"), r"^price +([^\n]+)"),
    *_each("PatentCheck", "sold", rf"^patents +([^\n]+)|{PROBLEM}", "aspirin", "caffeine", "DEET", NITRO),
    Tried("PatentCheck", ("sold", "ethanol", "--patents", NOTES), PROBLEM),
    Tried("LitSearch", ("published", PZM21), PROBLEM, online=True),
    Tried("LitSearch", ("published", PZM21, "--activity", "Ki", "--target", "mu opioid receptor", "--online"), r"^(Ki [^\n]+)", online=True),
    Tried("LitSearch", ("published", PZM21, "--activity", "Ki", "--target", "kappa opioid", "--online"), r"^(Ki [^\n]+)", online=True),
    Tried("LitSearch", ("published", PZM21, "--activity", "EC50", "--online"), r"^(EC50 [^\n]+)", online=True),
    Tried("LitSearch", ("published", "CCN", "--online"), PROBLEM, online=True),
    *(Tried("WebSearch", ("agent", "web_search", json.dumps({"query": one})), r"(.+)") for one in ("DEET", "boiling point of isoamyl alcohol", "Schreiner's thiourea", "PZM21", "price of aspirin")),
    *(Tried("Python REPL", ("agent", "run_python", json.dumps({"code": one})), r"(?:.*\n)?(\w*Error: [^\n]*)|\A(.+)") for one in ("print(2 + 3)", "12345 * 98765", "1 / 0", "open('/etc/shadow').read()", "import socket; socket.create_connection(('1.1.1.1', 80))")),
    *(Tried("Human", ("agent", "ask_user", json.dumps(one)), r"(.+)") for one in ({"question": "which isomer?", "options": ["ortho", "para"]}, {"question": "in water?"}, {"question": "which temperature?"}, {"question": "go on?", "options": ["yes", "no"]}, {"question": "what is the price of trifluoroacetic acid?"})),
    *_each("NameRXN", "classify", rf"^class +([^\n(]+)|{PROBLEM}", "Brc1ccccc1.OB(O)c1ccccc1>>c1ccccc1-c1ccccc1", f"Cc1cccc(c1)C(=O)Cl.CCNCC>>{DEET}", "Fc1ccc([N+](=O)[O-])cc1.C1COCCN1>>O=[N+]([O-])c1ccc(N2CCOCC2)cc1", "C=CC=C.C=CC(=O)OC>>COC(=O)C1CCC=CC1", "CCO"),
    *_each("ReactionPredict", "products", rf"^([A-Za-z][^\n]*\(rules[^\n]+)|note: (none[^\n]+)|{PROBLEM}", "acetic acid; ethanol", "Brc1ccccc1; OB(O)c1ccccc1", "2-bromo-2-methylpropane; 4-(4-hydroxyphenyl)butan-2-one", "methane; neon", "sarin; water"),
    *_each("ReactionPlanner", "routes", rf"^([A-Za-z][^\n]*\(synspace[^\n]+)|note: (no route[^\n]+)|{PROBLEM}", "paracetamol", "FC(F)(F)c1cc(NC(=S)Nc2cc(C(F)(F)F)cc(C(F)(F)F)c2)cc(C(F)(F)F)c1", "aspirin", "DEET", "nitroglycerin"),
    Tried("ReactionExecute", ("microwave", "--open-lid"), PROBLEM),
    Tried("ReactionExecute", ("microwave", "--open-lid", "--plan"), r"(1\. [^\n]*open_lid)"),
    Tried("ReactionExecute", ("permit", f"Cc1cccc(c1)C(=O)Cl.CCNCC>>{DEET}"), PROBLEM),
    Tried("ReactionExecute", ("permit", f"Cc1cccc(c1)C(=O)Cl.CCNCC>>{DEET}", "--title", "DEET"), r"(DEET: permitted)", yes=True),
    Tried("ReactionExecute", ("permit", f"OCC(O)CO.O[N+](=O)[O-]>>{NITRO}"), r"problem: ([^;]+);", yes=True),
)  # fmt: skip


def answered(one: Tried) -> str:
    """Return what the tool says to an input, as the table shows it; empty where it says otherwise."""
    from grafico.cli.app import main
    from tests.agreeing import agreeing

    if one.words[0] == "agent":
        said = _by_a_model(one.words[1], json.loads(one.words[2]))
    elif one.yes:
        with agreeing():
            said = CliRunner().invoke(main, list(one.words)).output
    else:
        with TemporaryDirectory() as folder:
            notes = Path(folder) / NOTES
            notes.write_text("ethanol: ask at the stores\n", "utf-8")
            words = [str(notes) if word == NOTES else word for word in one.words]
            said = CliRunner().invoke(main, words).output
    found = re.search(
        one.shows,
        said,
        re.M | re.DOTALL if "(.+)" in one.shows else re.M,
    )
    if not found:
        return ""
    text = next((group for group in found.groups() if group), found[0])
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"PubChem, \d{4}-\d\d-\d\d, SHA-256 \w+", "PubChem", text)
    text = re.sub(r"http://127\.0\.0\.1:\d+\S*", "PubChem", text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"


def _by_a_model(tool: str, arguments: dict[str, Any]) -> str:
    """Return what a tool of a model says; whoever is asked says “the first”."""
    from grafico import Grafico
    from grafico.agent import ToolContext
    from grafico.agent.toolbox import ArgumentsError
    from grafico.agent.tools import tools
    from triplestore.errors import GraficoError

    def says(question: str, options: Sequence[str] = ()) -> str:
        return options[0] if options else "I do not know: take what is usual"

    with Grafico("memory:") as session:
        context = ToolContext(session, None, ask=says)
        try:
            found = session.wait_for(lambda: tools()[tool](context, arguments)).found
        except (ArgumentsError, GraficoError) as error:
            return str(getattr(error, "found", error))
        finally:
            context.close()
    error = found.get("error")
    if isinstance(error, dict):
        found = error
    for name in ("answer", "problem", "found", "error", "stdout", "value", "text", "printed"):
        if found.get(name) not in (None, ""):
            return str(found[name])
    return json.dumps(found)


def table(rows: list[tuple[Tried, str]]) -> str:
    """Return the table as the page has it."""
    lines = ["| published tool | asked | answered |", "|---|---|---|"]
    for one, said in rows:
        words = one.words[1:] if one.words[0] == "agent" else one.words
        asked = " ".join(f'"{word}"' if " " in word and "{" not in word else word for word in words)
        asked += " (a person agrees)" if one.yes else ""
        cells = (one.tool, f"`{asked}`".replace("|", "\\|"), said.replace("|", "\\|"))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def written(text: str, made: str) -> str:
    """Return the page with another table."""
    before, _, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    return f"{before}{BEGIN}{made}{end}{after}"


def main() -> None:
    """Ask all of it in folders of its own, and write what comes into the page."""
    import os
    import tempfile

    from tests.triplestore.servers import OddServer

    from . import test_published

    with tempfile.TemporaryDirectory() as folder:
        for name in ("DATA", "CONFIG", "STATE", "CACHE", "RUNTIME"):
            where = Path(folder) / name.lower()
            where.mkdir(mode=0o700)
            os.environ[f"XDG_{name}_{'DIR' if name == 'RUNTIME' else 'HOME'}"] = str(where)
        server = OddServer(test_published.Server.answer)
        os.environ["GRAFICO_PUBCHEM"] = f"http://127.0.0.1:{server.port}/rest/pug"
        rows = [(one, answered(one)) for one in TRIED]
    for one, said in rows:
        if not said:
            print(f"no answer of the kind: {one}")
    PAGE.write_text(written(PAGE.read_text("utf-8"), table(rows)), "utf-8")


if __name__ == "__main__":
    main()
