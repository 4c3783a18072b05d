"""Records of PubChem: a compound by its InChIKey, its properties, and what assays have measured.

What was answered is kept in the user's cache with its date and digest, and not asked for again.

Source: S. Kim et al., Nucleic Acids Res. 46, W563 (2018), doi:10.1093/nar/gky294 (PUG REST); S. Kim
et al., Nucleic Acids Res. 53, D1516 (2025), doi:10.1093/nar/gkae1059.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from triplestore.errors import ResourceError
from workflows.molecule.looking_up import Fact
from workflows.molecule.pubchem import fetch
from workflows.text.kept import Kept

KEPT = Kept("pubchem", 200_000_000)

PROPERTIES = {
    "Title": ("title", ""),
    "MolecularFormula": ("formula", ""),
    "MolecularWeight": ("average mass", "g/mol"),
    "XLogP": ("XLogP3, computed", ""),
    "TPSA": ("polar surface, computed", "Å²"),
    "HBondDonorCount": ("donors of hydrogen bonds", ""),
    "HBondAcceptorCount": ("acceptors of hydrogen bonds", ""),
    "RotatableBondCount": ("rotatable bonds", ""),
}
"""Names that PUG REST has, with ours and the unit."""

SIGNAL, STATEMENTS = "Signal", "GHS Hazard Statements"

SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]{0,200}(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]+[0-~]|\x1b[0-Z\\^-~]"
)
"""What commands a terminal, of more than one character. Source: ECMA-48, 5th edition, section 5."""

GREEK = {"μ": "mu", "δ": "delta", "κ": "kappa", "α": "alpha", "β": "beta", "γ": "gamma"}


@dataclass(frozen=True)
class Answer:
    """What PubChem has answered.

    Attributes:
        where: the address that was asked.
        asked_at: when, in UTC.
        digest: SHA-256 of the answer.
        content: the answer, read as JSON.
    """

    where: str
    asked_at: str
    digest: str
    content: Any

    @property
    def source(self) -> str:
        """In words, with date and the beginning of the digest."""
        return f"PubChem, {self.asked_at[:10]}, SHA-256 {self.digest[:12]}"


@dataclass(frozen=True)
class Activity:
    """What an assay says of a compound.

    Attributes:
        kind: what was measured, such as `Ki`; empty where nothing was but the outcome.
        value: in µmol/L; None where there is none.
        outcome: `Active`, `Inactive`, `Inconclusive`, `Unspecified` or `Probe`.
        assay: its number at PubChem (AID).
        title: what was done, as PubChem has it.
        accession: of the protein; empty where none is named.
        gene: its number at NCBI; empty likewise.
        pubmed: number of the paper; empty where none is named.
    """

    kind: str
    value: float | None
    outcome: str
    assay: int
    title: str
    accession: str = ""
    gene: str = ""
    pubmed: str = ""

    def __str__(self) -> str:
        measured = f"{self.kind} {self.value:g} µM" if self.value is not None else self.outcome
        target = ", ".join(filter(None, (self.accession, self.gene and f"gene {self.gene}")))
        paper = f", PubMed {self.pubmed}" if self.pubmed else ""
        where = f"  [{target}]" if target else ""
        return f"{measured:<18}AID {self.assay}{paper}  {self.title}{where}"


@dataclass(frozen=True)
class Assay:
    """How activities were measured, and where that is published.

    Attributes:
        number: at PubChem (AID).
        name: what was done.
        targets: what it was done to, as the record names it.
        paper: journal, year, volume and pages; empty where none are named.
        doi: of the paper; empty where none is named.
        source: who says so, with the date.
    """

    number: int
    name: str
    targets: tuple[str, ...] = ()
    paper: str = ""
    doi: str = ""
    source: str = ""

    def __str__(self) -> str:
        where = ", ".join(filter(None, (self.paper, self.doi and f"doi:{self.doi}")))
        said = filter(None, (self.name, "; ".join(self.targets), where, self.source))
        return f"AID {self.number}: {'. '.join(said)}"


@dataclass(frozen=True)
class Hazards:
    """How a compound is classified by the Globally Harmonized System.

    Attributes:
        signal: `Danger` or `Warning`; empty where none is told.
        statements: such as `H225: Highly flammable liquid and vapor`, with the share of those who
            notified it where that is told.
        teller: who has told PubChem.
    """

    signal: str
    statements: tuple[str, ...]
    teller: str


@dataclass(frozen=True)
class Published:
    """What PubChem has of a compound.

    Attributes:
        facts: number, properties, descriptions.
        activities: those that were asked for, the strongest first.
        assays: how these were measured, of those that were read.
    """

    facts: tuple[Fact, ...]
    activities: tuple[Activity, ...]
    assays: tuple[Assay, ...]


def compound(inchi_key: str, address: str, *, again: bool = False) -> tuple[list[int], Answer]:
    """Return the numbers that PubChem has for a standard InChIKey (CID), the first the usual one.

    Raises:
        NotFoundError: it has none.
        ResourceError: it cannot be reached, is busy or answers something else.
    """
    answer = asked(address, f"compound/inchikey/{inchi_key}/cids/JSON", again=again)
    with suppress(KeyError, TypeError, ValueError):
        if found := [int(one) for one in answer.content["IdentifierList"]["CID"] if int(one) > 0]:
            return found, answer
    raise _odd(answer, "no list of numbers")


def properties(cid: int, address: str, *, again: bool = False) -> tuple[dict[str, Any], Answer]:
    """Return the properties of a compound by their names at PubChem.

    Raises:
        ResourceError: see `compound`.
    """
    where = f"compound/cid/{cid}/property/{','.join(PROPERTIES)}/JSON"
    answer = asked(address, where, again=again)
    with suppress(KeyError, TypeError, ValueError, IndexError):
        found = cast("dict[str, Any]", answer.content["PropertyTable"]["Properties"][0])
        if int(found["CID"]) == cid:
            return {name: found[name] for name in PROPERTIES if name in found}, answer
    raise _odd(answer, "no table of properties")


def descriptions(cid: int, address: str, *, again: bool = False) -> tuple[list[Fact], Answer]:
    """Return what databases write of a compound, each with who does.

    Raises:
        NotFoundError: none does.
        ResourceError: see `compound`.
    """
    answer = asked(address, f"compound/cid/{cid}/description/JSON", again=again)
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        every = cast("list[dict[str, Any]]", answer.content["InformationList"]["Information"])
        return [
            Fact(
                "description",
                plain(one["Description"]),
                source=f"{plain(one.get('DescriptionSourceName', ''))}; {answer.source}",
            )
            for one in every
            if one.get("Description")
        ], answer
    raise _odd(answer, "no list of descriptions")


def activities(cid: int, address: str, *, again: bool = False) -> tuple[list[Activity], Answer]:
    """Return what assays say of a compound, as PubChem lists them.

    Raises:
        NotFoundError: none has tested it.
        ResourceError: see `compound`.
    """
    answer = asked(address, f"compound/cid/{cid}/assaysummary/JSON", again=again)
    with suppress(KeyError, TypeError, ValueError, AttributeError):
        table = answer.content["Table"]
        columns = [str(one) for one in table["Columns"]["Column"]]
        if {"AID", "Activity Outcome", "Assay Name"} <= {*columns}:
            return [*_rows(columns, table.get("Row") or [])], answer
    raise _odd(answer, "no table of assays")


def _rows(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Iterator[Activity]:
    for row in rows:
        cells = dict(zip(columns, (plain(one) for one in row["Cell"]), strict=True))
        value = None
        with suppress(ValueError):
            value = float(cells.get("Activity Value [uM]", ""))
        yield Activity(
            cells.get("Activity Name", ""),
            value,
            cells["Activity Outcome"],
            int(cells["AID"]),
            cells["Assay Name"],
            cells.get("Target Accession", ""),
            cells.get("Target GeneID", ""),
            cells.get("PubMed ID", ""),
        )


def plain(cell: object) -> str:
    """Return the text of a cell on one line, without what a terminal would obey.

    Of a sequence that would command one nothing is left.
    """
    text = SEQUENCE.sub("", str("" if cell is None else cell))
    return "".join(one for one in " ".join(text.split()) if one.isprintable())[:500].strip()


def described(number: int, address: str, *, again: bool = False) -> Assay:
    """Return how an assay was done, and where that is published.

    Raises:
        NotFoundError: there is no such assay.
        ResourceError: see `compound`.
    """
    answer = asked(address, f"assay/aid/{number}/description/JSON", again=again)
    with suppress(KeyError, TypeError, ValueError, IndexError, AttributeError):
        said = cast("dict[str, Any]", answer.content["PC_AssayContainer"][0]["assay"]["descr"])
        if int(said["aid"]["id"]) == number:
            notes = dict[str, str]()
            for line in map(plain, said.get("comment") or []):
                name, colon, value = line.partition(": ")
                if colon:
                    notes.setdefault(name, value)
            every = cast("list[dict[str, Any]]", said.get("target") or [])
            named = [plain(one.get("name", "")) for one in every]
            targets = dict.fromkeys([*named, notes.get("ChEMBL Target Name", "")])
            return Assay(
                number,
                plain(said["name"]),
                tuple(filter(None, targets)),
                _paper(notes),
                notes.get("DOI", ""),
                answer.source,
            )
    raise _odd(answer, "no description of an assay")


def hazards(cid: int, address: str, *, again: bool = False) -> tuple[list[Hazards], Answer]:
    """Return how a compound is classified by the Globally Harmonized System, by whom it was.

    Raises:
        NotFoundError: nobody has told PubChem.
        ResourceError: see `compound`.
    """
    view = re.sub(r"/pug/?$", "/pug_view", address)
    where = f"data/compound/{cid}/JSON?heading=GHS+Classification"
    answer = asked(view, where, again=again)
    with suppress(KeyError, TypeError, ValueError, AttributeError, RecursionError):
        record = answer.content["Record"]
        if int(record["RecordNumber"]) == cid:
            tellers = {
                one["ReferenceNumber"]: plain(one["SourceName"]) for one in record["Reference"]
            }
            found: dict[object, dict[str, list[str]]] = {}
            for one in _information(record):
                if one.get("Name") in (SIGNAL, STATEMENTS):
                    texts = [plain(each["String"]) for each in one["Value"]["StringWithMarkup"]]
                    by = found.setdefault(one["ReferenceNumber"], {})
                    by.setdefault(one["Name"], []).extend(filter(None, texts))
            return [
                Hazards(
                    " ".join(said.get(SIGNAL, [])), tuple(said.get(STATEMENTS, [])), tellers[number]
                )
                for number, said in found.items()
            ], answer
    raise _odd(answer, "no record of hazards")


def _information(section: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from section.get("Information") or []
    for inner in cast("list[Mapping[str, Any]]", section.get("Section") or []):
        yield from _information(inner)


def _paper(notes: Mapping[str, str]) -> str:
    pages = "–".join(filter(None, (notes.get("First Page"), notes.get("Last Page"))))
    parts = (notes.get("Journal"), notes.get("Year"), notes.get("Volume"), pages)
    return ", ".join(filter(None, parts))


def about(target: str, one: Activity, assay: Assay | None = None) -> bool:
    """Tell whether an activity is one at a target.

    Args:
        target: accession of the protein, number of the gene, or words that name it; `µ`, `mu` and
            `mu-type` are one.
        one: the activity.
        assay: how it was measured, where that is known.
    """
    if target.strip().casefold() in (one.accession.casefold(), one.gene.casefold()):
        return True
    wanted = _words(target)
    named = (one.title, *((assay.name, *assay.targets) if assay else ()))
    return bool(wanted) and any({*wanted} <= {*_words(text)} for text in named)


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    for letter, name in GREEK.items():
        folded = folded.replace(letter, name)
    return [one.removesuffix("s") for one in re.findall(r"[a-z0-9]+", folded) if one != "type"]


# --- asking ---------------------------------------------------------------------------------------


def asked(address: str, path: str, *, again: bool = False) -> Answer:
    """Return what PubChem answers, or has answered before.

    Args:
        address: of its PUG REST.
        path: what is asked for.
        again: whether it is asked even where its answer is kept.

    Raises:
        NotFoundError: it has nothing of the kind.
        ResourceError: it cannot be reached, is busy or answers something else.
    """
    where = f"{address.rstrip('/')}/{path}"
    if not again and (kept := _kept(where)):
        return kept
    body = fetch(where, f"{where} was asked for", "kind")
    try:
        content = json.loads(body)
    except (ValueError, RecursionError) as error:
        problem = f"the answer is no JSON: {plain(body[:80].decode(errors='replace'))!r}"
        raise ResourceError(f"{where} was asked for", problem, "ask again later") from error
    now = datetime.now(UTC).isoformat(timespec="seconds")
    answer = Answer(where, now, hashlib.sha256(body).hexdigest(), content)
    _keep(answer, body)
    return answer


def _key(where: str) -> str:
    return f"{hashlib.sha256(where.encode()).hexdigest()}.json"


def _kept(where: str) -> Answer | None:
    """Return an answer that is kept; None where there is none, or it is not what was kept."""
    with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
        said = cast("dict[str, str]", json.loads(KEPT.read(_key(where)) or b""))
        body = said["body"].encode()
        if said["where"] == where and hashlib.sha256(body).hexdigest() == said["sha256"]:
            return Answer(where, said["asked_at"], said["sha256"], json.loads(body))
    return None


def _keep(answer: Answer, body: bytes) -> None:
    said = {
        "where": answer.where,
        "asked_at": answer.asked_at,
        "sha256": answer.digest,
        "body": body.decode(),
    }
    KEPT.write({_key(answer.where): json.dumps(said).encode()})


def _odd(answer: Answer, what: str) -> ResourceError:
    """Return what is wrong with an answer, which is not kept."""
    KEPT.drop(_key(answer.where))
    problem = f"the answer is {what}: {plain(json.dumps(answer.content))[:80]!r}"
    return ResourceError(f"{answer.where} was asked for", problem, "ask again later")
