"""`GraphModel`: a frozen Pydantic model that is also a class of the ontology."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeVar, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic_core import core_schema
from typing_extensions import TypeIs

from triplestore.errors import NotFoundError, RecordError

from .arrays import AnyArray, LazyField, is_locked, locked, same
from .fields import FieldPlan, compile_field, is_array, members
from .motion import Motion
from .terms import GRAFICO, RESERVED, Vocabulary, checked_iri, class_iri, time_ordered_id

if TYPE_CHECKING:
    from pydantic import PrivateAttr

    from .graph import KnowledgeGraph

Identity = Literal["value", "result", "event", "key"]
DERIVED: tuple[Identity, ...] = ("value", "key")
"""Identities that an object's own fields give it."""

KEPT: Mapping[str, Any] = {"frozen": True, "extra": "forbid", "validate_default": True}
"""What of the configuration a class may not change."""

_naming = threading.Lock()  # so that two threads do not give one event two IRIs


@dataclass(frozen=True)
class Upgrade:
    """How objects stored by an earlier schema version become objects of the present one.

    Attributes:
        former: a class with the fields of that version, declared with `former=True`.
        function: gets such an object and returns the fields of the next version.
    """

    former: type[GraphModel]
    function: Callable[[Any], Mapping[str, Any]]


class GraphModel(BaseModel):
    """An object of the knowledge graph: a class is a term, a field is a property.

    Class arguments:
        vocab: the vocabulary of the class and its fields.
        identity: where the IRI comes from. `value`: the exact content. `result`: the activity
            that made it, set by `identified` when it is recorded. `event`: unique and ordered
            by time, made when first asked for.
        key: names of the fields that name the object, one or more: objects of the same key are
            the same object, and a store refuses to keep two that differ.
        schema: the version of the class's schema, stored with every object.
        upgrades: what makes objects of earlier versions into this one's, by version.
        former: the class only describes how an earlier version was stored (see `Upgrade`); its
            own name, without a suffix `V` and digits, is the class's.

    Nothing is edited in place: `model_copy(update=…)` validates and takes a new IRI.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        allow_inf_nan=True,
        validate_default=True,
        polymorphic_serialization=True,
    )

    _vocabulary: ClassVar[Vocabulary] = GRAFICO
    _identity: ClassVar[Identity] = "value"
    _schema: ClassVar[int] = 1
    _key: ClassVar[tuple[str, ...]] = ()
    _upgrades: ClassVar[Mapping[int, Upgrade]] = {}
    _former: ClassVar[bool] = False

    # not a private attribute of Pydantic's: a slot costs nothing when an object is made
    __slots__ = ("_iri", "_kept")
    if TYPE_CHECKING:
        _iri: str = PrivateAttr(default="")
        _kept: bool = PrivateAttr(default=False)

    def __init_subclass__(
        cls,
        vocab: Vocabulary | None = None,
        identity: Identity | None = None,
        key: tuple[str, ...] = (),
        schema: int = 1,
        upgrades: Mapping[int, Upgrade] | None = None,
        former: bool = False,
        **config: Any,
    ) -> None:
        super().__init_subclass__()
        if key or identity == "key":
            if not key or identity not in (None, "key"):
                raise TypeError(f"{cls.__name__}: key=(…) names the fields of its identity 'key'")
            cls._key, identity = key, "key"
        elif identity is not None:
            cls._key = ()
        if vocab is not None:
            cls._vocabulary = vocab
        if identity is not None:
            cls._identity = identity
        cls._schema = schema
        cls._upgrades = dict(upgrades or {})
        cls._former = former
        if schema < 1 or not set(cls._upgrades) <= set(range(1, schema)):
            raise TypeError(f"{cls.__name__}: upgrades start from versions 1 to {schema - 1}")

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Make array fields lazy; they are known once Pydantic has read the annotations.

        Raises:
            TypeError: the class changes what keeps its objects as they are.
        """
        for name, wanted in KEPT.items():
            if cls.model_config.get(name) != wanted:
                raise TypeError(f"{cls.__name__}: model_config must leave {name}={wanted!r}")
        for name in cls.model_fields:
            if name in GraphModel.__dict__:
                raise TypeError(f"{cls.__name__}.{name}: every object has something of that name")
        _lazy_arrays(cls)

    # --- what the class says ---------------------------------------------------------------

    @classmethod
    def vocabulary(cls) -> Vocabulary:
        """Return the vocabulary that the class belongs to."""
        return cls._vocabulary

    @classmethod
    def identity(cls) -> Identity:
        """Return where the IRI of an instance comes from."""
        return cls._identity

    @classmethod
    def schema_version(cls) -> int:
        """Return the version of the class's schema."""
        return cls._schema

    @classmethod
    def term(cls) -> str:
        """Return the IRI of the class."""
        name = class_name(cls)
        return cls._vocabulary.term(re.sub(r"V\d+$", "", name) if cls._former else name)

    @classmethod
    def fields(cls) -> tuple[FieldPlan, ...]:
        """Return how each field is stored, compiled once."""
        return _fields(cls)

    # --- identity --------------------------------------------------------------------------

    @property
    def iri(self) -> str:
        """The object's IRI.

        Raises:
            RecordError: a result that no activity has recorded has none.
        """
        iri = _name_of(self)
        return iri if iri is not None else self._name()

    def _name(self) -> str:
        """Give its IRI to an object and to the values that it holds; these first, however deep."""
        from .codec import content_digest

        if self._identity == "result":
            raise RecordError(
                f"this {type(self).__name__} has no IRI",
                "a result takes it from the activity that made it",
                "run the calculation through an executor, or use identified(iri)",
            )
        if self._identity == "event":
            with _naming:
                if _name_of(self) is None:
                    _set_name(self, class_iri(class_name(type(self)), time_ordered_id()))
            return self._iri
        stack: list[GraphModel] = [self]
        while stack:
            model = stack[-1]
            parts = [p for p in model.parts() if _name_of(p) is None and p._identity in DERIVED]
            if parts:
                stack += parts
            else:
                key = model._key or None
                _set_name(model, class_iri(class_name(type(model)), content_digest(model, key)))
                stack.pop()
        return self._iri

    @property
    def has_iri(self) -> bool:
        """Whether the object has an IRI: all but results that were never recorded."""
        return self._identity != "result" or _name_of(self) is not None

    def identified(self, iri: str) -> Self:
        """Return the same content under this IRI; results and events only.

        Raises:
            RecordError: a value or an object with a key takes its IRI from its content.
            NotFoundError: that is no IRI.
        """
        if self._identity in DERIVED:
            raise RecordError(f"a {type(self).__name__} takes its IRI from its content alone")
        twin = self._clone({})
        _set_name(twin, checked_iri(iri))
        return twin

    def _clone(self, changes: Mapping[str, Any]) -> Self:
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self).model_validate({**values, **changes})

    # --- frozen means frozen ---------------------------------------------------------------

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a validated copy with these fields changed, under a new IRI; else itself."""
        return self._clone(update) if update else self

    def copy(self, **options: Any) -> Self:
        """Refuse: Pydantic's old method validates nothing."""
        raise TypeError("use model_copy(update=…)")

    @classmethod
    def model_construct(cls, _fields_set: set[str] | None = None, **values: Any) -> Self:
        """Refuse: it would make an object that nobody has checked."""
        raise TypeError("objects of the graph are always validated: call the class")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self

    def __getstate__(self) -> dict[Any, Any]:
        state = super().__getstate__()
        state["__dict__"] = dict(self)  # arrays themselves: a copy elsewhere may not see the file
        kept = is_kept(self)
        if self._identity == "event":
            state["_iri"] = self.iri  # one event, one name, whenever it was pickled
        elif kept or self._identity == "result":
            state["_iri"] = _name_of(self)
        state["_kept"] = kept
        return state  # others are named after their content, wherever they are read

    def __setstate__(self, state: dict[Any, Any]) -> None:
        iri, kept = state.pop("_iri", None), state.pop("_kept", False)
        for name, value in state["__dict__"].items():
            if isinstance(value, np.ndarray) and not is_locked(cast(AnyArray, value)):
                state["__dict__"][name] = locked(cast(AnyArray, value))
        super().__setstate__(state)
        if iri is not None:
            _set_name(self, iri)
        if kept:
            _KEPT.__set__(self, True)

    def __iter__(self) -> Iterator[tuple[str, Any]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        for name in type(self).model_fields:
            yield name, getattr(self, name)

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        yield from self

    # --- comparison ------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Compare class and content; IRIs and what has been loaded take no part."""
        stack: list[tuple[Any, Any]] = [(self, other)]
        while stack:
            one, two = stack.pop()
            if one is two:
                continue
            if type(one) is not type(two):
                return False
            for plan in cast(GraphModel, one).fields():
                ours, theirs = getattr(one, plan.name), getattr(two, plan.name)
                if plan.kind == "model" and plan.container == "one":
                    stack.append((ours, theirs))  # not by recursion: chains may be long
                elif not same_value(ours, theirs):
                    return False
        return True

    def __hash__(self) -> int:
        names = [p.name for p in type(self).fields() if p.kind not in ("array", "model")]
        return hash((type(self), *[_comparable(getattr(self, name)) for name in names]))

    # --- neighbours and motion -------------------------------------------------------------

    def parts(self) -> Iterator[GraphModel]:
        """Iterate over the objects that the fields hold (not over links)."""
        for plan in type(self).fields():
            if plan.kind == "model":
                yield from members(getattr(self, plan.name), plan)

    def coarse(self) -> tuple[str, float]:
        """Return what any moved copy shares: a label to match and a number to be near to.

        Calculations look for a remembered twin among inputs of the same label whose numbers lie
        near; `motion_from` then decides. By default the label of a value names what no motion
        changes, and anything else is its own twin only.
        """
        moving = {plan.name for plan in type(self).fields() if _is_moving(plan)}
        if not moving or self._identity != "value":
            return self.iri, 0.0
        from .codec import content_digest

        still = [plan.name for plan in type(self).fields() if plan.name not in moving]
        return class_iri(class_name(type(self)), content_digest(self, still)), 0.0

    def motion_from(self, other: GraphModel) -> Motion | None:
        """Return the motion that carries `other` onto this object, None if there is none."""
        return Motion() if self == other else None

    def transformed(self, motion: Motion) -> Self:
        """Return the object as it is after a motion; fields say by `Moves` how they follow.

        What the fields hold moves along; links still lead to what is stored.

        Raises:
            ValueError: a field has not as many items as the motion.
        """
        if motion.is_rest:
            return self
        changes: dict[str, Any] = {}
        for plan in type(self).fields():
            if not _is_moving(plan) and plan.kind != "model":
                continue
            value = getattr(self, plan.name)
            if value is None:
                continue
            if plan.moves is not None:
                moved = motion.carry(value, plan.moves)
                if moved is not value:
                    changes[plan.name] = moved
            else:
                parts = [*members(value, plan)]
                carried = [part.transformed(motion) for part in parts]
                if any(new is not old for new, old in zip(carried, parts, strict=True)):
                    one = plan.container == "one"
                    changes[plan.name] = carried[0] if one else type(value)(carried)
        return self._clone(changes) if changes else self


ModelT = TypeVar("ModelT", bound=GraphModel)


class Link(Generic[ModelT]):
    """A reference to an object that is loaded only when asked for.

    A link made from an object, or pulled with some depth, holds the object; whether it does makes
    no difference to anything but the time that `load` takes.

    Raises:
        NotFoundError: the text is not an IRI.
        RecordError: the object is a result without an IRI.
    """

    __slots__ = ("_iri", "_target")

    def __init__(self, target: str | GraphModel) -> None:
        self._iri = checked_iri(target) if isinstance(target, str) else target.iri
        self._target = None if isinstance(target, str) else target

    @property
    def iri(self) -> str:
        """The IRI of the object."""
        return self._iri

    @property
    def held(self) -> ModelT | None:
        """The object, if the link holds it."""
        return cast("ModelT | None", self._target)

    def load(self, kg: KnowledgeGraph) -> ModelT:
        """Return the object: the one held, else pulled from the graph.

        Raises:
            NotFoundError: nothing of that IRI is stored.
            RecordError: what is stored cannot be read.
        """
        held = self._target
        return cast(ModelT, kg.pull(GraphModel, self._iri) if held is None else held)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Link) and cast("Link[Any]", other).iri == self._iri

    def __hash__(self) -> int:
        return hash((Link, self._iri))

    def __repr__(self) -> str:
        return f"Link({self._iri!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Link, (self._iri,)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        def read(value: Any) -> Link[Any]:
            if isinstance(value, Link):
                return cast("Link[Any]", value)
            if isinstance(value, str | GraphModel):
                try:
                    return Link(value)
                except NotFoundError as error:
                    raise ValueError(str(error)) from error
            raise ValueError("a link is made from an object or an IRI")

        return core_schema.no_info_plain_validator_function(
            read, serialization=core_schema.plain_serializer_function_ser_schema(lambda v: v.iri)
        )


def is_model(annotation: Any) -> TypeIs[type[GraphModel]]:
    """Tell whether an annotation is a class of the graph."""
    return isinstance(annotation, type) and issubclass(annotation, GraphModel)


def subclasses(cls: type[ModelT]) -> Iterator[type[ModelT]]:
    """Iterate over a class and everything derived from it that has been imported."""
    if not cls._former:  # pyright: ignore[reportPrivateUsage]
        yield cls
    for child in cls.__subclasses__():
        yield from subclasses(child)


def _is_moving(plan: FieldPlan) -> bool:
    return plan.moves is not None and not plan.moves.is_fixed


_SLOT: Any = GraphModel.__dict__["_iri"]


def _name_of(model: GraphModel) -> str | None:
    try:
        return _SLOT.__get__(model)
    except AttributeError:
        return None


def _set_name(model: GraphModel, iri: str) -> None:
    _SLOT.__set__(model, iri)


_KEPT: Any = GraphModel.__dict__["_kept"]


def is_kept(model: GraphModel) -> bool:
    """Tell whether an object was upgraded, and keeps the name that it is stored under."""
    try:
        return _KEPT.__get__(model)
    except AttributeError:
        return False


def class_name(cls: type[GraphModel]) -> str:
    """Return the name of a class as it stands in IRIs: `Box[int]` is `Box_int`."""
    return re.sub(r"\W+", "_", cls.__name__).strip("_")


def stored_as(model: ModelT, iri: str, *, keep: bool = False) -> ModelT:
    """Return a model that was just read, under the IRI that it is stored under.

    Values are named after their content when they are asked, so that what was tampered with is
    not taken for what it was; one that was upgraded keeps the name of what it was made from.
    """
    if keep or model.identity() not in DERIVED:
        _set_name(model, iri)
    if keep:
        _KEPT.__set__(model, True)
    return model


def upgrades(cls: type[GraphModel], version: int) -> list[Upgrade]:
    """Return the steps that make an object of a schema version into one of the present."""
    steps = cls._upgrades  # pyright: ignore[reportPrivateUsage]
    return [steps[number] for number in range(version, cls.schema_version()) if number in steps]


def link_to(iri: str) -> Link[Any]:
    """Return a link to an IRI that comes from a store, hence is one."""
    link = cast("Link[Any]", Link.__new__(Link))
    link._iri, link._target = iri, None  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    return link


def hold(link: Link[Any], target: GraphModel) -> None:
    """Let a link hold its object."""
    link._target = target  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]


def _lazy_arrays(cls: type[GraphModel]) -> None:
    for name, info in cls.model_fields.items():
        if is_array(info) and name not in cls.__dict__:
            setattr(cls, name, LazyField(name))


@functools.cache
def _fields(cls: type[GraphModel]) -> tuple[FieldPlan, ...]:
    plans = tuple(compile_field(cls, name, info) for name, info in cls.model_fields.items())
    _lazy_arrays(cls)  # again: annotations may have been resolved since the class was made
    unknown = sorted(set(cls._key) - {plan.name for plan in plans})  # pyright: ignore[reportPrivateUsage]
    if unknown:
        raise TypeError(f"{cls.__name__}: its key names {', '.join(unknown)}, which is no field")
    taken: dict[str, str] = dict.fromkeys(RESERVED, "every object")
    for plan in plans:
        if plan.predicate in taken:
            other = taken[plan.predicate]
            raise TypeError(f"{cls.__name__}.{plan.name}: <{plan.predicate}> belongs to {other}")
        taken[plan.predicate] = plan.name
    return plans


def same_value(one: Any, other: Any) -> bool:
    """Compare two values of a field; arrays bit by bit, and NaN equals NaN."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return (
            isinstance(one, np.ndarray)
            and isinstance(other, np.ndarray)
            and same(cast(AnyArray, one), cast(AnyArray, other))
        )
    return bool(_comparable(one) == _comparable(other))


def _comparable(value: Any) -> Any:
    """Return something that is equal and hashes alike where values are the same."""
    if isinstance(value, float) and value != value:
        return _NAN
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC)  # by the instant: where clocks are set back, == does not
    if isinstance(value, tuple):
        return tuple([_comparable(item) for item in cast("tuple[Any, ...]", value)])
    if isinstance(value, frozenset):
        return frozenset([_comparable(item) for item in cast("frozenset[Any]", value)])
    return value


_NAN = ("not a number",)
