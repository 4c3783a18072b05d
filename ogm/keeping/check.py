"""Whether all is well in a store: links, values, names and files (`grafico fsck`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal as Choice
from typing import TypeAlias, cast

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse
from pyoxigraph import Store as Quads

from ogm.array_storage import ARRAY_DATATYPE
from ogm.collecting import Described
from ogm.fields import FieldPlan, members
from ogm.graph import KnowledgeGraph
from ogm.literals import Term
from ogm.model import GraphModel
from ogm.naming import DERIVED, content_digest
from ogm.reading import decode
from ogm.terms import CONTENT, ORDER_DATATYPE, RDF_TYPE, SCHEMA_VERSION
from ogm.upgrades import upgrades
from triplestore.errors import GraficoError, RecordError

from .admission import known_classes
from .checksums import checked_file
from .container import Tell, quiet
from .origin import Made, is_made, origin_missing
from .orphans import find_orphans
from .sorting import Sorted, database_errors, plain

Fault: TypeAlias = Choice[
    "damaged", "dangling", "array", "altered", "refused", "several", "order", "unmade"
]
Notice: TypeAlias = Choice[
    "unclaimed",
    "unknown",
    "older",
    "outdated",
    "foreign",
    "unnamed",
    "leftover",
    "task",
]

FAULTS: dict[Fault, str] = {
    "damaged": "files of the store that a disk or somebody has changed",
    "dangling": "links to what is not stored",
    "array": "arrays that are missing, damaged or other than said",
    "altered": "objects that are not what their name or digest says",
    "refused": "objects that their class refuses",
    "several": "several values where there can be one",
    "order": "orders that contradict the values",
    "unmade": "results of which nothing says how they were made",
}
"""What is wrong."""

NOTICES: dict[Notice, str] = {
    "unclaimed": "values made of results that no run came to, such as those of a killed one",
    "unknown": "objects of classes that are not installed here; not checked",
    "older": "values of earlier schema versions, whose names cannot be checked",
    "outdated": "results that would be computed anew if they were asked for",
    "foreign": "quads in other graphs or about blank nodes; not checked",
    "unnamed": "array files that nothing names",
    "leftover": "temporary files that were left over",
    "task": "calculations in flight, or cut off",
}
"""What should be known, and is no fault."""

LISTED = 100
"""Findings of a kind that are kept; all are counted."""


@dataclass(frozen=True)
class Finding:
    """One finding.

    Attributes:
        kind: a key of `FAULTS` or `NOTICES`, or of the report's own `told`.
        subject: the object or file.
        place: the property, where there is one.
        found: what is there.
    """

    kind: str
    subject: str
    place: str
    found: str


@dataclass
class Report:
    """What a check found.

    Attributes:
        triples: how many were read.
        objects: how many of known classes.
        arrays: how many array files are named.
        counts: how many findings of each kind.
        findings: the first hundred of each kind.
        pruned: how many files were removed.
        told: further kinds of notices, which those who know the objects have added, in words.
    """

    triples: int = 0
    objects: int = 0
    arrays: int = 0
    counts: dict[str, int] = field(default_factory=dict[str, int])
    findings: list[Finding] = field(default_factory=list[Finding])
    pruned: int = 0
    told: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def clean(self) -> bool:
        """Whether there is no fault; notices do not count."""
        return not any(kind in FAULTS for kind in self.counts)

    def add(self, kind: str, subject: str, place: str, found: str) -> None:
        """Add a finding."""
        count = self.counts[kind] = self.counts.get(kind, 0) + 1
        if count <= LISTED:
            self.findings.append(Finding(kind, subject, place, found[:500]))


def check_store(kg: KnowledgeGraph, *, prune: bool = False, tell: Tell = quiet) -> Report:
    """Read a whole store once, as it is at one moment, and say what is wrong with it.

    Memory stays flat: the triples are sorted in a temporary file. Others may read and write
    meanwhile. Nothing is changed but for `prune`.

    Args:
        kg: the store and its arrays.
        prune: remove array files that nothing names and temporary files, if they are older than a
            day; see `find_orphans`.
        tell: is told how far it is.

    Raises:
        InputError: the folder of arrays is shared with other stores, so it cannot be pruned.
        ResourceError: the store went away, or there is no room for temporary files.
    """
    report = Report()
    seen = kg.store.damage(tell)
    for wrong in seen:
        report.add("damaged", "", "", wrong)
    try:
        base = Sorted(kg.store, tell)
    except RecordError as error:  # nothing else can be looked at
        if not any(_core(error.found) in wrong for wrong in seen):
            report.add("damaged", "", "", error.found)
        return report
    try:
        with database_errors():
            report.triples = base.triples
            if base.elsewhere:
                report.add("foreign", "", "", f"{base.elsewhere:,} quads")
                report.counts["foreign"] = base.elsewhere
            checker = _Checker(base, kg, report)
            for page in base.pages():
                checker.page(page)
                tell(f"checked {report.objects:,} objects")
            for stray in find_orphans(kg, base, prune=prune, tell=tell):
                if stray.removed:
                    report.pruned += 1
                else:
                    report.add(stray.kind, stray.path, "", stray.found)
    finally:
        base.close()
    return report


def _core(found: str) -> str:
    """Return what is said of damage, without who has come upon it and where."""
    return found.removeprefix("the store is damaged: ").partition(" in /")[0].strip()


class _Checker:
    """Checks a page of subjects after the other."""

    def __init__(self, base: Sorted, kg: KnowledgeGraph, report: Report) -> None:
        self.base, self.store, self.files, self.report = base, kg.store, kg.files, report
        self.classes = known_classes()

    def page(self, page: Mapping[str, list[tuple[str, Term]]]) -> None:
        """Check some subjects."""
        fine: list[str] = []
        links: list[tuple[str, str, str]] = []
        made: dict[str, Made] = {}
        for iri, pairs in page.items():
            sound = self.arrays(iri, pairs)
            cls = self.class_of(iri, pairs)
            if cls is None:
                continue
            self.report.objects += 1
            if kind := is_made(cls):
                made[iri] = kind
            plans = _plans(cls, pairs)
            linked = [p.predicate for p in plans if p.kind in ("model", "link")]
            links += [(iri, p, plain(t)) for p, t in pairs if p in linked and _is_iri(t)]
            if self.shape(iri, pairs, plans) and sound:
                fine.append(iri)
        lost = self.base.missing(sorted({target for _, _, target in links}))
        broken: set[str] = set()
        for iri, predicate, target in links:
            if target in lost:
                self.report.add("dangling", iri, predicate, f"{target} is not stored")
                broken.add(iri)
        self.origins(made)
        self.build(fine, page, broken)

    def origins(self, made: Mapping[str, Made]) -> None:
        """Check that something says where results, and values made of them, come from."""
        silent: dict[str, Made] = {iri: made[iri] for iri in self.base.not_made([*made])}
        lacking = origin_missing(silent, self.store)
        for iri, kind in sorted(lacking.items()):
            found = "no activity has made it" if kind == "result" else "nothing leads to it"
            self.report.add("unmade" if kind == "result" else "unclaimed", iri, "", found)

    def class_of(self, iri: str, pairs: Sequence[tuple[str, Term]]) -> type[GraphModel] | None:
        """Return the class of an object, if it is known and there is one."""
        terms = [plain(term) for predicate, term in pairs if predicate == RDF_TYPE]
        known = [self.classes[term] for term in terms if term in self.classes]
        if not known:
            self.report.add("unknown", iri, RDF_TYPE, " and ".join(terms) or "no class")
            return None
        if len(known) > 1:
            self.report.add("several", iri, RDF_TYPE, " and ".join(terms))
        return known[0]

    # --- values ----------------------------------------------------------------------------

    def shape(
        self, iri: str, pairs: Sequence[tuple[str, Term]], plans: Iterable[FieldPlan]
    ) -> bool:
        """Check how many values there are, and their order; false where there is a fault."""
        fine = True
        for plan in plans:
            terms = [term for predicate, term in pairs if predicate == plan.predicate]
            if plan.container == "one":
                if len(terms) > 1:
                    shown = " and ".join(sorted(str(term)[:200] for term in terms))
                    self.report.add("several", iri, plan.predicate, shown)
                    fine = False
            elif wrong := _wrong_order(terms, plan):
                self.report.add("order", iri, plan.predicate, wrong)
                fine = False
        return fine

    def build(self, iris: list[str], page: Described, broken: set[str]) -> None:
        """Build objects, all at once or, if one is refused, one by one."""

        def describe(wanted: Sequence[str]) -> Described:
            others = [iri for iri in wanted if iri not in page]
            return {**page, **(self.base.describe(others) if others else {})}

        try:
            models = decode(GraphModel, iris, describe, self.files)
        except Exception:  # whatever odd values make a class raise
            models = None
        for iri in reversed(iris):
            try:
                # An object is let go before the next: their names touch all their arrays.
                model = (
                    models.pop() if models else decode(GraphModel, [iri], describe, self.files)[0]
                )
                self.name(iri, model, page[iri])
            except GraficoError as error:
                self.refused(iri, error, broken)
            except Exception as error:
                self.report.add("refused", iri, "", f"{type(error).__name__}: {error}")

    def refused(self, iri: str, error: GraficoError, broken: set[str]) -> None:
        """Note that an object cannot be built, unless a part of it is at fault."""
        guilty = error.asked.partition(" ")[0]
        of_part = guilty != iri and error.asked.startswith(f"{guilty} cannot be read")
        if not of_part and iri not in broken:
            place, _, problem = error.found.rpartition(">: ")
            self.report.add("refused", iri, place.lstrip("<"), problem)

    def name(self, iri: str, model: GraphModel, pairs: Sequence[tuple[str, Term]]) -> None:
        """Compare the name of a value, or what a result says of its digest, with its content."""
        cls = type(model)
        if cls.identity() not in DERIVED:
            said = next((plain(term) for predicate, term in pairs if predicate == CONTENT), None)
            current = min(_versions(pairs), default=1) == cls.schema_version()
            if said and current and said != content_digest(model):
                self.report.add("altered", iri, CONTENT, "its content has another digest")
            return
        if min(_versions(pairs), default=1) < cls.schema_version():
            self.report.add("older", iri, "", f"schema {min(_versions(pairs), default=1)}")
        elif model.iri != iri and not _part_differs(model, pairs):
            self.report.add("altered", iri, "", f"the name of its content is {model.iri}")

    # --- arrays ----------------------------------------------------------------------------

    def arrays(self, iri: str, pairs: Sequence[tuple[str, Term]]) -> bool:
        """Check the arrays that a subject names; false where there is a fault."""
        fine = True
        for predicate, term in pairs:
            if not isinstance(term, Literal) or term.datatype.value != ARRAY_DATATYPE:
                continue
            said, _, body = term.value.rpartition(" ")
            name = body.removeprefix("sha256:")
            if name == body:
                continue
            head, wrong = self.base.array(name) or self.look(name)
            if wrong or head != said:
                problem = wrong or f"it is {head}, where {said} is said"
                self.report.add("array", iri, predicate, f"{name}: {problem}")
                fine = False
        return fine

    def look(self, name: str) -> tuple[str, str]:
        """Check the file of an array; return type and shape, and what is wrong with it."""
        head = wrong = ""
        if self.files is None:
            wrong = "this store has no folder for arrays"
        elif len(name) != 64 or set(name) - {*"0123456789abcdef"}:
            wrong = "that is no digest"
        else:
            try:
                head = checked_file(self.files, name)
            except RecordError as error:
                wrong = error.found
        self.base.note_array(name, head, wrong)
        self.report.arrays += 1
        return head, wrong


def _versions(pairs: Iterable[tuple[str, Term]]) -> list[int]:
    texts = (plain(term) for predicate, term in pairs if predicate == SCHEMA_VERSION)
    return [int(text) for text in texts if text.isdecimal()]


def _plans(cls: type[GraphModel], pairs: Iterable[tuple[str, Term]]) -> tuple[FieldPlan, ...]:
    """Return the fields of a class in the version that an object is stored in."""
    steps = upgrades(cls, max(_versions(pairs), default=1))
    return (steps[0].former or cls if steps else cls).fields()


def _is_iri(term: Term) -> bool:
    return isinstance(term, NamedNode)


def _part_differs(model: GraphModel, pairs: Sequence[tuple[str, Term]]) -> bool:
    """Tell whether a part has another name than stored: then the part was altered."""
    for plan in type(model).fields():
        if plan.kind == "model":
            stored = {plain(t) for p, t in pairs if p == plan.predicate and _is_iri(t)}
            if stored != {part.iri for part in members(getattr(model, plan.name), plan)}:
                return True
    return False


def _wrong_order(terms: Sequence[Term], plan: FieldPlan) -> str:
    """Return what is wrong with the order of a field, empty if nothing is."""
    orders = [t for t in terms if isinstance(t, Literal) and t.datatype.value == ORDER_DATATYPE]
    values = [term for term in terms if term not in orders]
    if len(orders) > 1:
        return " and ".join(order.value[:200] for order in orders)
    if not orders:
        lacking = plan.container == "tuple" and len(values) > 1
        return f"{len(values)} values without an order" if lacking else ""
    try:
        listed = set(_canonical(_parsed(orders[0].value)))
    except (ValueError, TypeError, SyntaxError, RecursionError) as error:
        return f"{orders[0].value[:200]}: {error}"
    if listed != set(_canonical(values)):
        return f"{orders[0].value[:200]}, but {len(values)} values are stored that are not these"
    return ""


def _parsed(order: str) -> Iterator[Term]:
    """Read the terms in an order, which are written in N-Triples."""
    content: object = json.loads(order)
    if not isinstance(content, list):
        raise ValueError("it is no list")
    for text in cast("list[object]", content):
        if not isinstance(text, str) or "\n" in text:
            raise ValueError(f"{str(text)[:80]} is no term")
        [quad] = parse(f"<urn:s> <urn:p> {text} .", format=RdfFormat.N_TRIPLES)
        yield quad.object


def _canonical(terms: Iterable[Term]) -> list[str]:
    """Return terms as a store writes them ("1.10"^^xsd:decimal becomes 1.1)."""
    quads = Quads()
    quads.extend(Quad(NamedNode("urn:s"), NamedNode("urn:p"), term) for term in terms)
    return [str(quad.object) for quad in quads]
