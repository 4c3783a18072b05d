"""Array fields: their shape and type, and the attribute that reads them when it is touched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from pydantic import GetCoreSchemaHandler, SerializationInfo
from pydantic_core import core_schema

from .array_storage import StoredArray, touched
from .arrays import AnyArray, Locked, fresh, locked


@dataclass(frozen=True)
class Shaped:
    """The shape and type of an array field, in numpydantic's notation: `Shaped("* atoms, 3")`.

    Whatever is given is copied and locked on the way in, then checked by numpydantic.
    """

    shape: str
    dtype: type[np.generic] = np.float64

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        from numpydantic import NDArray, Shape, validation

        has_shape = cast(Any, validation).validate_shape
        wanted = cast(Any, Shape[self.shape])
        checked = handler.generate_schema(cast(Any, NDArray)[wanted, self.dtype])

        def check(value: Any, validate: core_schema.ValidatorFunctionWrapHandler) -> Any:
            if isinstance(value, StoredArray):
                # one of the same type and shape, of strides 0, stands for what is not read
                stand_in = np.broadcast_to(np.zeros((), value.dtype), value.shape)
                validate(stand_in)
                return value
            array = self._lock(value)
            # numpydantic's own rule for shapes, which takes a tenth of all that it does; if an
            # array breaks it, numpydantic says what is wrong
            return array if has_shape(array.shape, wanted) else validate(array)

        def written(value: Any, info: SerializationInfo) -> Any:
            array = read_only_view(touched(value))
            return array.tolist() if info.mode_is_json() else array

        return core_schema.no_info_wrap_validator_function(
            check,
            checked,
            serialization=core_schema.plain_serializer_function_ser_schema(written, info_arg=True),
        )

    def _lock(self, value: Any) -> AnyArray:
        if isinstance(value, np.ndarray):
            array = cast(AnyArray, value)
            if array.dtype == np.dtype(self.dtype) and (own := fresh(array)) is not None:
                return own
        return locked(cast(Any, value), self.dtype)


def read_only_view(value: Any) -> Any:
    """Return what is given to others of an array that an object keeps, and anything else."""
    if type(value) is not np.ndarray:
        return value
    kept = cast(AnyArray, value)
    memory: Any = kept.base
    if type(memory) is Locked and len(memory) == kept.nbytes:  # as an object keeps nearly all
        return memory.array(kept.shape)
    own = fresh(kept)
    return value if own is None else own


class LazyField:
    """The attribute of an array field: reads what is stored when it is touched first.

    Each time it is another array over the same memory, which nobody can write to.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type[Any]) -> Any:
        if instance is None:
            raise AttributeError(self.name)  # the class itself has no such attribute
        try:
            value = instance.__dict__[self.name]
        except KeyError:
            raise AttributeError(self.name) from None
        if isinstance(value, StoredArray):
            value = instance.__dict__[self.name] = value.load()
        return read_only_view(value)

    def __set__(self, instance: Any, value: Any) -> None:
        raise AttributeError(f"{self.name} cannot be set")
