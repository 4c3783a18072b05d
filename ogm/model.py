"""`GraphModel`: a frozen Pydantic model that is also a class of the ontology."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

import numpy as np
from pydantic import BaseModel, ConfigDict
from typing_extensions import TypeIs

from triplestore.errors import RecordError

from .arrays import AnyArray, fresh, locked
from .equality import comparable, same_content
from .fields import FieldPlan, Kind, MeaningError, compile_fields, lazy_arrays, members
from .motion import Motion
from .naming import (
    DERIVED,
    Identity,
    class_name,
    content_iri,
    kept_version,
    name_of,
    new_iri,
    set_name,
)
from .terms import GRAFICO, Vocabulary, checked_iri
from .upgrades import Upgrade

KEPT: Mapping[str, Any] = {"frozen": True, "extra": "forbid", "validate_default": True}
"""What of the configuration a class may not change."""

SHOWN = 60
"""Numbers of an array up to which the `repr` of an object has them."""


class _Bare(str):
    """A text that stands in a `repr` without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


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
        defer_build=True,  # most of them are never made in one process
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        allow_inf_nan=True,
        validate_default=True,
        polymorphic_serialization=True,
    )

    __field_kind__: ClassVar[Kind] = "model"
    _vocabulary: ClassVar[Vocabulary] = GRAFICO
    _identity: ClassVar[Identity] = "value"
    _schema: ClassVar[int] = 1
    _key: ClassVar[tuple[str, ...]] = ()
    _upgrades: ClassVar[Mapping[int, Upgrade]] = {}
    _former: ClassVar[bool] = False
    _refused: ClassVar[bool] = False

    # not a private attribute of Pydantic's: a slot costs nothing when an object is made
    __slots__ = ("_iri", "_kept")

    if not TYPE_CHECKING:  # type checkers read the fields

        def __init__(self, /, **values: Any) -> None:
            if self.__dict__:
                raise TypeError("an object of the graph is made once: use model_copy(update=…)")
            super().__init__(**values)

        __init__.__pydantic_base_init__ = True  # nothing that validation has to call

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
            TypeError: the class changes what keeps its objects as they are, or means something else
                by a property than another class.
        """
        for name, wanted in KEPT.items():
            if cls.model_config.get(name) != wanted:
                raise TypeError(f"{cls.__name__}: model_config must leave {name}={wanted!r}")
        for name in cls.model_fields:
            if name in GraphModel.__dict__:
                raise TypeError(f"{cls.__name__}.{name}: every object has something of that name")
        lazy_arrays(cls)
        if cls.__pydantic_fields_complete__:  # or else when it is first used
            _refuse_clash(cls)

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
    def key_fields(cls) -> tuple[str, ...]:
        """Return the names of the fields that give an instance its IRI; none if others do."""
        return cls._key

    @classmethod
    def schema_version(cls) -> int:
        """Return the version of the class's schema."""
        return cls._schema

    @classmethod
    @functools.cache
    def term(cls) -> str:
        """Return the IRI of the class."""
        name = class_name(cls)
        return cls._vocabulary.term(re.sub(r"V\d+$", "", name) if cls._former else name)

    @classmethod
    def fields(cls) -> tuple[FieldPlan, ...]:
        """Return how each field is stored, compiled once."""
        return compile_fields(cls)

    # --- identity --------------------------------------------------------------------------

    @property
    def iri(self) -> str:
        """The object's IRI.

        Raises:
            RecordError: a result that no activity has recorded has none.
        """
        iri = name_of(self)
        return iri if iri is not None else new_iri(self)

    @property
    def has_iri(self) -> bool:
        """Whether the object has an IRI: all but results that were never recorded."""
        return self._identity != "result" or name_of(self) is not None

    def identified(self, iri: str) -> Self:
        """Return the same content under this IRI; results and events only.

        Raises:
            RecordError: a value or an object with a key takes its IRI from its content.
            NotFoundError: that is no IRI.
        """
        if self._identity in DERIVED:
            raise RecordError(f"a {type(self).__name__} takes its IRI from its content alone")
        twin = self._clone({})
        set_name(twin, checked_iri(iri))
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
        kept = kept_version(self)
        if self._identity == "event":
            state["_iri"] = self.iri  # one event, one name, whenever it was pickled
        elif kept or self._identity == "result":
            state["_iri"] = name_of(self)
        state["_kept"] = kept
        return state  # others are named after their content, wherever they are read

    def __setstate__(self, state: dict[Any, Any]) -> None:
        if self.__dict__:
            raise TypeError("an object of the graph is made once: use model_copy(update=…)")
        state = {**state, "__dict__": {**state["__dict__"]}}  # it is not ours
        iri, kept = state.pop("_iri", None), state.pop("_kept", 0)
        for name, value in state["__dict__"].items():
            if isinstance(value, np.ndarray):
                array = cast(AnyArray, value)
                own = fresh(array)
                state["__dict__"][name] = locked(array) if own is None else own
        super().__setstate__(state)
        if iri is not None:
            set_name(self, iri, kept=kept)

    def __iter__(self) -> Iterator[tuple[str, Any]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        for name in type(self).model_fields:
            yield name, getattr(self, name)

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        """Yield fields with their values, of long arrays their shape."""
        for name, value in self:
            if isinstance(value, np.ndarray) and value.size > SHOWN:
                yield name, _Bare(f"<array of shape {np.shape(cast('Any', value))}>")
            else:
                yield name, value

    # --- comparison ------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Compare class and content; IRIs and what has been loaded take no part."""
        return same_content(self, other)

    def __hash__(self) -> int:
        names = [p.name for p in type(self).fields() if p.kind not in ("array", "model")]
        return hash((type(self), *[comparable(getattr(self, name)) for name in names]))

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
        plans = type(self).fields()
        still = [plan.name for plan in plans if not plan.is_moving]
        if len(still) == len(plans) or self._identity != "value":
            return self.iri, 0.0
        return content_iri(self, still), 0.0

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
            if not plan.is_moving and plan.kind != "model":
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


def is_model(annotation: Any) -> TypeIs[type[GraphModel]]:
    """Tell whether an annotation is a class of the graph."""
    return isinstance(annotation, type) and issubclass(annotation, GraphModel)


_finders: list[Callable[[], object]] = []


def when_unknown(find: Callable[[], object]) -> None:
    """Have classes imported when an object of a class is read that is not there yet.

    Args:
        find: imports them; called once at most.
    """
    _finders.append(find)


def found_more() -> bool:
    """Import what there may be; return whether there was somebody to do it."""
    asked = bool(_finders)
    while _finders:
        _finders.pop()()
    return asked


def _refuse_clash(cls: type[GraphModel]) -> None:
    """Refuse a class by whose fields a property would mean two things.

    What else is wrong with them is told when an object is to be stored.

    Raises:
        MeaningError: another class means something else by one of their names.
    """
    try:
        cls.fields()
    except MeaningError:
        # Python may know it for long, in a traceback; nobody else shall
        cls._refused = True  # pyright: ignore[reportPrivateUsage]
        raise
    except (TypeError, NameError):
        return


def subclasses(cls: type[ModelT]) -> Iterator[type[ModelT]]:
    """Iterate over a class and everything derived from it that has been imported."""
    if not (cls._former or cls._refused):  # pyright: ignore[reportPrivateUsage]
        yield cls
    for child in cls.__subclasses__():
        yield from subclasses(child)


def storable(cls: type[ModelT]) -> Iterator[type[ModelT]]:
    """Iterate as `subclasses` over the classes whose objects can be stored, each once.

    What is wrong with the declaration of another one is told when an object of it is to be stored;
    nobody else need fail over it.
    """
    for one in dict.fromkeys(subclasses(cls)):
        with suppress(TypeError, NameError):
            one.fields()
            yield one
