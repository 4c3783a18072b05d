"""From objects to blocks: what is shown of a class by default, and what its domain adds.

Whatever an object stores as a scalar or as a small array is a fact without a line of code: the
label is the name of the field, the unit that of its annotation. A domain says more, or says it
better, in a module `blocks` of its folder:

    @shows(Polarizability)
    def _(found: Polarizability, around: Around) -> Iterator[Block]:
        yield Fact("polarizability", found.mean, "bohr³", name="mean", digits=".2f")
"""

from __future__ import annotations

import functools
import logging
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias, TypeVar, cast

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.fields import FieldPlan
from ogm.keeping.origin import is_made
from ogm.model import is_model
from ontologies.level import Level
from ontologies.origins import REMARKS
from ontologies.units import Floats, symbol
from triplestore.errors import GraficoError
from workflows.registry.packages import GROUPS, declaring
from workflows.registry.plausibility import DOUBTS, Doubt, with_warning
from workflows.show.blocks import Block, Chart, Column, Fact, Note, Section, Structure, Table, Value
from workflows.text.names import called

_log = logging.getLogger(__name__)

SMALL = 9
"""Numbers of an array that is shown by default: a tensor of rank two."""

ModelT = TypeVar("ModelT", bound=GraphModel)
MarkT = TypeVar("MarkT", bound=Callable[[Any], Iterable[Fact]])


@dataclass(frozen=True)
class Around:
    """What a result stands among.

    Attributes:
        results: of the same run, in order.
        about: what the run started from.
        built: what its last subject was built from; see `RunSummary`.
    """

    results: tuple[GraphModel, ...] = ()
    about: tuple[GraphModel, ...] = ()
    built: str = ""

    def last(self, cls: type[ModelT]) -> ModelT | None:
        """Return the last result of a class."""
        return next((one for one in reversed(self.results) if isinstance(one, cls)), None)

    def of(self, link: Link[Any]) -> GraphModel | None:
        """Return the result that a link leads to."""
        named = (one for one in self.results if one.has_iri and one.iri == link.iri)
        return link.held or next(named, None)


def level_label(level: Level, results: Iterable[GraphModel]) -> str:
    """Return a level as it is called; with that of the energies before it, where that is another.

    Args:
        level: that a run is about.
        results: of the run: one that names the level of its energies, and that of its geometries.
    """
    for found in results:
        held: list[Any] = [found]
        for value in vars(found).values():
            held += cast("tuple[Any, ...]", value) if isinstance(value, tuple) else ()
        for one in held:
            energies, geometries = getattr(one, "level", None), getattr(one, "geometry_level", None)
            if isinstance(energies, Level) and isinstance(geometries, Level):
                apart = geometries.iri == level.iri != energies.iri
                return f"{energies.label}//{level.label}" if apart else level.label
    return level.label


Hook: TypeAlias = Callable[[ModelT, Around], Iterable[Block]]
RunHook: TypeAlias = Callable[[Around], Iterable[Block]]
Comparison: TypeAlias = "tuple[Column, tuple[Value | None, ...]]"
CompareHook: TypeAlias = Callable[[Sequence[Around]], Iterable[Comparison]]


@dataclass(frozen=True)
class Hooked:
    """What a domain says of a class; see `shows`."""

    hook: Hook[Any]
    each: bool
    whole: bool
    title: str


_HOOKS: dict[type[GraphModel], Hooked] = {}
_MARKS: dict[type[GraphModel], Callable[[Any], Iterable[Fact]]] = {}
_OF_RUNS: list[RunHook] = []
_COMPARE: list[CompareHook] = []


def shows(
    cls: type[ModelT], *, each: bool = False, whole: bool = False, title: str = ""
) -> Callable[[Hook[ModelT]], Hook[ModelT]]:
    """Have a function say what is shown of a class and of all that are derived from it.

    Hooks of base classes come first. A block with the name of one that is there already takes its
    place; fields that no block stands for follow as facts, which a short form may leave out.

    Args:
        cls: the class.
        each: of several in a run each is shown in full, not the last only.
        whole: one of it speaks for all of a run: other results are then details of it.
        title: of its section; the name of the class in words if empty.
    """

    def keep(hook: Hook[ModelT]) -> Hook[ModelT]:
        _HOOKS[cls] = Hooked(hook, each, whole, title)
        return hook

    return keep


def identifies(cls: type[GraphModel]) -> Callable[[MarkT], MarkT]:
    """Have a function say by which facts objects of a class are told apart in a list, each cheap.

    Such as charge and multiplicity, without which the cation passes for the radical.
    """

    def keep(hook: MarkT) -> MarkT:
        _MARKS[cls] = hook
        return hook

    return keep


def marks(model: GraphModel) -> list[Fact]:
    """Return the facts by which an object is told from others of its class: see `identifies`."""
    load_hooks()
    return [fact for cls in bases(type(model)) if cls in _MARKS for fact in _MARKS[cls](model)]


def shows_runs(hook: RunHook) -> RunHook:
    """Have a function say what is known of a run from its results together."""
    _OF_RUNS.append(hook)
    return hook


def compares(hook: CompareHook) -> CompareHook:
    """Have a function compare several runs: columns with a value for each of them.

    It yields nothing where the runs cannot be compared.
    """
    _COMPARE.append(hook)
    return hook


@functools.cache
def load_hooks(modules: tuple[str, ...] = ("blocks", "lineage", "plausible")) -> None:
    """Import what the domains say; one that fails is named in the log and left out.

    Args:
        modules: names of the modules of their folders in which they say it.
    """
    for group in GROUPS:
        for place, module in declaring(group):
            package = getattr(module, "__name__", place)
            if not hasattr(module, "__path__"):  # a single module, or one that cannot be imported
                continue
            for name in (f"{package}.{module_name}" for module_name in modules):
                try:
                    if not isinstance(module, Exception) and find_spec(name) is not None:
                        import_module(name)
                except Exception as error:
                    _log.warning("%s cannot be used: %s: %s", name, type(error).__name__, error)


def hook_of(cls: type[GraphModel]) -> Hooked | None:
    """Return what a domain says of this very class, None if it says nothing."""
    load_hooks()
    return _HOOKS.get(cls)


def blocks_of(model: GraphModel, around: Around | None = None, iri: str = "") -> Section:
    """Return what is shown of an object.

    Args:
        model: the object.
        around: what it stands among.
        iri: of the object as it is stored, where it was moved.
    """
    iri = iri or (model.iri if model.has_iri else "")
    blocks = tuple(block for _, block in collect(model, around or Around(), iri))
    return Section(title_of(type(model)), blocks, iri, type(model).__name__)


def heads(model: GraphModel) -> list[Fact]:
    """Return the facts with which whatever is told of an object begins.

    Where its domain names none, that is the first number of what was computed.
    """
    facts = [one for one in blocks_of(model).blocks if isinstance(one, Fact) and not one.minor]
    numbers = [one for one in facts if isinstance(one.value, float)]
    first = numbers[:1] if is_made(type(model)) else []
    return [one for one in facts if one.headline] or first


def structure_of(model: GraphModel) -> Structure | None:
    """Return how an object is drawn, with the bonds that are shown of it; None where it is not."""
    return next((one for one in blocks_of(model).blocks if isinstance(one, Structure)), None)


def of_runs(around: Around) -> Iterator[Block]:
    """Iterate over what the domains say of a run from its results together."""
    load_hooks()
    for hook in _OF_RUNS:
        yield from hook(around)


def compared(runs: Sequence[Around]) -> list[Comparison]:
    """Return what the domains say of several runs together."""
    load_hooks()
    return [found for hook in _COMPARE for found in hook(runs)]


def title_of(cls: type[GraphModel]) -> str:
    """Return the title of a class, else its name in words: `MolecularShape`, a molecular shape."""
    for one in reversed(bases(cls)):
        if (found := hook_of(one)) is not None and found.title:
            return found.title
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", cls.__name__).lower()


def collect(
    model: GraphModel, around: Around, iri: str = ""
) -> list[tuple[type[GraphModel], Block]]:
    """Return the blocks of an object, each with the class that has it: base classes first."""
    load_hooks()
    kept: dict[str, tuple[type[GraphModel], Block]] = {}
    covered: set[str] = set()
    for cls in bases(type(model)):
        for block in _HOOKS[cls].hook(model, around) if cls in _HOOKS else ():
            name = _name(block) or f"·{len(kept)}"
            kept.pop(name, None)  # where the other stood is another's place
            kept[name] = cls, _with_iri(block, iri)
            covered |= set(_fields(block))
    for plan in type(model).fields():
        if plan.name in covered:
            continue
        owner = next(cls for cls in bases(type(model)) if plan.name in cls.model_fields)
        again = plan.kind == "model" and getattr(model, plan.name) in around.about
        for block in _default(model, plan):
            if (owner in _HOOKS or again) and isinstance(block, Fact | Table):
                block = replace(block, minor=True)  # its hook had the choice, or it stands above
            kept.setdefault(_name(block) or f"·{len(kept)}", (owner, _with_iri(block, iri)))
    return with_warning(list(kept.values()), doubts_of(model))


def doubts_of(model: GraphModel) -> list[Doubt]:
    """Return why numbers of an object are not to be believed, see `plausibility`."""
    load_hooks()
    return [one for cls in bases(type(model)) if cls in DOUBTS for one in DOUBTS[cls](model)]


def doubtful(kg: KnowledgeGraph) -> dict[str, str]:
    """Return the stored objects with numbers that are not to be believed, and why, in words."""
    load_hooks()
    found: dict[str, str] = {}
    for cls in DOUBTS:
        with suppress(GraficoError):  # what is missing or damaged: `grafico fsck` tells
            for one in kg.stream(cls):
                if text := "; ".join(doubt.text for doubt in doubts_of(one)):
                    found[one.iri] = text
    return found


def bases(cls: type[GraphModel]) -> list[type[GraphModel]]:
    """Return a class and those that it is derived from: what is derived from fewer first."""
    models = [one for one in cls.__mro__ if is_model(one) and one is not GraphModel]
    return sorted(models, key=lambda one: len(one.__mro__))


def floats(values: Floats) -> tuple[float, ...]:
    """Return an array of one dimension as a block holds it."""
    return tuple(map(float, values.tolist()))


def _name(block: Block) -> str:
    match block:
        case Fact() | Table():
            return f"{type(block).__name__}·{block.name}" if block.name else ""
        case Chart():
            return f"Chart·{block.name or block.title}"
        case Note():
            return f"Note·{block.text}"
        case _:
            return ""


def _fields(block: Block) -> Iterator[str]:
    """Iterate over the fields that a block stands for."""
    match block:
        case Fact():
            yield from block.fields or (block.name,)
            for one in (*block.also, *block.at):
                yield from _fields(one)
        case Table():
            yield from (block.name, *block.fields, *(column.name for column in block.columns))
        case _:
            pass  # a chart shows numbers, it does not say them


def _with_iri(block: Block, iri: str) -> Block:
    return block if block.iri or not iri else replace(block, iri=iri)


# --- by default ------------------------------------------------------------------------------


def _default(model: GraphModel, plan: FieldPlan) -> Iterator[Block]:
    """Return what is shown of a field of which nobody says anything."""
    label = plan.name.replace("_", " ")
    if plan.kind == "array":
        yield from _array(model, plan, label)
        return
    value: Any = getattr(model, plan.name)
    if value is None or plan.kind == "link":
        return
    several = plan.container != "one"
    if plan.name == REMARKS and several:
        yield from (Note(text) for text in value)
    elif plan.kind == "model":
        yield from _parts(label, plan.name, value) if several else _part(label, plan.name, value)
    elif several:
        items = tuple(map(_scalar, value if plan.container == "tuple" else sorted(value)))
        if items:
            yield Fact(label, items, symbol(plan.unit), plan.name)
    elif value != "":
        yield Fact(label, _scalar(value), symbol(plan.unit), plan.name)


def _array(model: GraphModel, plan: FieldPlan, label: str) -> Iterator[Block]:
    shape = getattr(model.__dict__.get(plan.name), "shape", None)  # a large one is not read
    if shape is not None and math.prod(shape) <= SMALL:
        values = getattr(model, plan.name).ravel().tolist()
        if values:
            yield Fact(label, tuple(values), symbol(plan.unit), plan.name)


def _scalar(value: Any) -> Value:
    if isinstance(value, datetime):
        return value.isoformat()
    return value if isinstance(value, bool | int | float | str) else str(value)


def _part(label: str, name: str, part: GraphModel) -> Iterator[Block]:
    """Return an object that a field holds: what it is called, else what it says.

    What has a name of its own in the graph, such as another result, is not repeated.
    """
    said = called(part) or ("" if part.identity() == "value" else title_of(type(part)))
    if said:
        yield Fact(label, said, name=name, iri=part.iri if part.has_iri else "")
        return
    for block in blocks_of(part).blocks:
        if isinstance(block, Fact):
            inner = block.label.strip()
            yield replace(block, label=f"{label}: {inner}", name=f"{name}.{block.name}")
        elif isinstance(block, Table):
            yield replace(block, title=f"{label}: {block.title}", name=f"{name}.{block.name}")


def _parts(label: str, name: str, parts: Iterable[GraphModel]) -> Iterator[Block]:
    """Return objects of a field as a table, a row for each."""
    listed = [
        {one.name: one for one in blocks_of(part).blocks if isinstance(one, Fact)} for part in parts
    ]
    columns = {key: fact for facts in listed for key, fact in facts.items()}
    if columns:
        rows = [
            (number, *(_cell(facts, key) for key in columns))
            for number, facts in enumerate(listed, 1)
        ]
        heads = (Column(fact.label.strip(), fact.unit, key) for key, fact in columns.items())
        yield Table(label, (Column("no."), *heads), tuple(rows), name)


def _cell(facts: Mapping[str, Fact], key: str) -> Value | None:
    value = facts[key].value if key in facts else None
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return value
