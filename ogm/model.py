"""`GraphModel`: a frozen Pydantic model that is also a class of the ontology."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeVar, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, PrivateAttr
from pydantic_core import core_schema
from typing_extensions import TypeIs

from triplestore.errors import NotFoundError, RecordError

from .arrays import AnyArray, is_locked, locked, same
from .fields import FieldPlan, compile_field, members
from .motion import Motion
from .terms import GRAFICO, RESERVED, Vocabulary, checked_iri, class_iri, time_ordered_id

if TYPE_CHECKING:
    from .graph import KnowledgeGraph

Identity = Literal["value", "result", "event"]

_naming = threading.Lock()  # so that two threads do not give one event two IRIs


class GraphModel(BaseModel):
    """An object of the knowledge graph: a class is a term, a field is a property.

    Class arguments:
        vocab: the vocabulary of the class and its fields.
        identity: where the IRI comes from. `value`: the exact content. `result`: the activity
            that made it, set by `identified` when it is recorded. `event`: unique and ordered
            by time, made when first asked for.
        schema: the version of the class's schema, stored with every object.

    Nothing is edited in place: `model_copy(update=…)` validates and takes a new IRI.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        allow_inf_nan=True,
        validate_default=True,
    )

    _vocabulary: ClassVar[Vocabulary] = GRAFICO
    _identity: ClassVar[Identity] = "value"
    _schema: ClassVar[int] = 1
    _iri: str | None = PrivateAttr(default=None)

    def __init_subclass__(
        cls,
        vocab: Vocabulary | None = None,
        identity: Identity | None = None,
        schema: int = 1,
        **config: Any,
    ) -> None:
        super().__init_subclass__()
        if vocab is not None:
            cls._vocabulary = vocab
        if identity is not None:
            cls._identity = identity
        cls._schema = schema

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
        return cls._vocabulary.term(cls.__name__)

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
        if self._iri is None:
            if self._identity == "result":
                raise RecordError(
                    f"this {type(self).__name__} has no IRI",
                    "a result takes it from the activity that made it",
                    "run the calculation through an executor, or use identified(iri)",
                )
            if self._identity == "event":
                with _naming:
                    self._iri = self._iri or class_iri(type(self).__name__, time_ordered_id())
            else:
                self._name()
        return cast(str, self._iri)

    def _name(self) -> None:
        """Give its IRI to a value and to those that it holds; these first, however deep."""
        from .codec import content_digest

        stack: list[GraphModel] = [self]
        while stack:
            model = stack[-1]
            parts = [p for p in model.parts() if p._iri is None and p._identity == "value"]
            if parts:
                stack += parts
            else:
                model._iri = class_iri(type(model).__name__, content_digest(model))
                stack.pop()

    @property
    def has_iri(self) -> bool:
        """Whether the object has an IRI: all but results that were never recorded."""
        return self._iri is not None or self._identity != "result"

    def identified(self, iri: str) -> Self:
        """Return the same content under this IRI; values keep the IRI of their content."""
        if self._identity == "value":
            raise RecordError(f"a {type(self).__name__} takes its IRI from its content alone")
        twin = self._clone({})
        twin._iri = checked_iri(iri)
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

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self

    def __getstate__(self) -> dict[Any, Any]:
        state = super().__getstate__()
        if self._identity == "value":  # named after its content, wherever it is read
            state["__pydantic_private__"] = {"_iri": None}
        return state

    def __setstate__(self, state: dict[Any, Any]) -> None:
        for name, value in state["__dict__"].items():
            if isinstance(value, np.ndarray) and not is_locked(cast(AnyArray, value)):
                state["__dict__"][name] = locked(cast(AnyArray, value))
        super().__setstate__(state)

    # --- comparison ------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Compare class and content; IRIs and what has been loaded take no part."""
        if type(other) is not type(self):
            return False
        twin = cast(GraphModel, other)
        for name in type(self).model_fields:
            if not same_value(getattr(self, name), getattr(twin, name)):
                return False
        return True

    def __hash__(self) -> int:
        names = [plan.name for plan in type(self).fields() if plan.kind != "array"]
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
        near; `motion_from` then decides. By default only the object itself is its own twin.
        """
        return self.iri, 0.0

    def motion_from(self, other: GraphModel) -> Motion | None:
        """Return the motion that carries `other` onto this object, None if there is none."""
        return Motion() if self == other else None

    def transformed(self, motion: Motion) -> Self:
        """Return the object as it is after a motion; fields say by `Moves` how they follow."""
        changes: dict[str, Any] = {}
        for plan in type(self).fields():
            value = getattr(self, plan.name)
            if plan.moves is not None and value is not None:
                changes[plan.name] = motion.apply(value)
            elif plan.kind == "model" and value is not None:
                moved = [part.transformed(motion) for part in members(value, plan)]
                if plan.container == "one":
                    changes[plan.name] = moved[0]
                else:
                    changes[plan.name] = type(value)(moved)
        changes = {
            name: value for name, value in changes.items() if value is not getattr(self, name)
        }
        return self._clone(changes) if changes and not motion.is_rest else self


ModelT = TypeVar("ModelT", bound=GraphModel)


class Link(Generic[ModelT]):
    """A reference to an object that is loaded only when asked for.

    Raises:
        NotFoundError: the text is not an IRI.
        RecordError: the object is a result without an IRI.
    """

    __slots__ = ("_iri",)

    def __init__(self, target: str | GraphModel) -> None:
        self._iri = checked_iri(target) if isinstance(target, str) else target.iri

    @property
    def iri(self) -> str:
        """The IRI of the object."""
        return self._iri

    def load(self, kg: KnowledgeGraph) -> ModelT:
        """Pull the object from the graph."""
        return cast(ModelT, kg.pull(GraphModel, self.iri))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Link) and cast("Link[Any]", other).iri == self.iri

    def __hash__(self) -> int:
        return hash((Link, self.iri))

    def __repr__(self) -> str:
        return f"Link({self.iri!r})"

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
    yield cls
    for child in cls.__subclasses__():
        yield from subclasses(child)


@functools.cache
def _fields(cls: type[GraphModel]) -> tuple[FieldPlan, ...]:
    plans = tuple(compile_field(cls, name, info) for name, info in cls.model_fields.items())
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
    if isinstance(value, tuple):
        return tuple([_comparable(item) for item in cast("tuple[Any, ...]", value)])
    if isinstance(value, frozenset):
        return frozenset([_comparable(item) for item in cast("frozenset[Any]", value)])
    return value


_NAN = ("not a number",)
