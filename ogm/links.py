"""`Link`: a reference to an object that is loaded only when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, cast, final

from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

from triplestore.errors import NotFoundError

from .fields import Kind
from .model import GraphModel, ModelT
from .terms import checked_iri

if TYPE_CHECKING:
    from .graph import KnowledgeGraph


@final
class Link(Generic[ModelT]):
    """A reference to an object that is loaded only when asked for.

    A link made from an object, or pulled with some depth, holds the object; whether it does makes
    no difference to anything but the time that `load` takes.

    Raises:
        NotFoundError: the text is not an IRI.
        RecordError: the object is a result without an IRI.
    """

    __field_kind__: ClassVar[Kind] = "link"
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


def link_to(iri: str) -> Link[Any]:
    """Return a link to an IRI that comes from a store, hence is one."""
    link = cast("Link[Any]", Link.__new__(Link))
    link._iri, link._target = iri, None  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    return link


def hold(link: Link[Any], target: GraphModel) -> None:
    """Let a link hold its object."""
    link._target = target  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
