"""`Order`: a command of the station as a step of a graph; `Station`: what it was told."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from pydantic import BaseModel, model_validator
from pydantic_graph import End

from ontologies.films import FilmStation
from workflows.engine import Executor, Finish, Node
from workflows.engine.devices.card import spelt
from workflows.engine.devices.described import CardCommand, CardGraph
from workflows.engine.devices.driven import Bench, CardDriver, Driven
from workflows.engine.devices.terms import Value
from workflows.engine.request.form import Form

from .commands import CARD


class Order(CardCommand):
    """Have the station do one command, such as `close_clamp`.

    Attributes:
        command: its name.
        value: what it sets: a label, °C, mm/s or mL; None for nothing.
    """

    then: ClassVar[Order | End[Finish]]
    card = CARD
    command: str
    value: str | float | None = None

    @model_validator(mode="after")
    def _known(self) -> Self:
        one = CARD.commands.get(self.command)
        if one is None or bool(one.arguments) is (self.value is None):
            raise ValueError("a station has no such command, or it takes a value, or none")
        return self

    @property
    def cannot(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What is said where it is refused."""
        return f"{self.verb} is not possible"

    @property
    def verb(self) -> str:
        said = (
            f"{spelt(f'{{{n}}}', self.arguments)} {one.unit}"
            for n, one in self.said_of.arguments.items()
        )
        return " ".join([self.command, *said]).rstrip()

    @property
    def called(self) -> str:
        return self.command

    @property
    def with_fields(self) -> str:
        return self.verb

    @property
    def arguments(self) -> dict[str, Value]:
        return dict.fromkeys(self.said_of.arguments, self.value)

    @property
    def record(self) -> str:
        return self.model_dump_json()


class StationForm(Form):
    """What a station is asked for."""

    @property
    def values(self) -> dict[str, Any]:
        """What commands set, by the name of the argument; None for what nobody has said."""
        raise NotImplementedError


class StationGraph(CardGraph):
    """The commands of a station, each a candidate of its own."""

    card = CARD

    def bind(self, request: BaseModel) -> tuple[list[Node[Bench]], dict[str, str]]:
        assert isinstance(request, StationForm)
        values = request.values
        orders, unbound = list[Node[Bench]](), dict[str, str]()
        for name, one in CARD.commands.items():
            takes = next(iter(one.arguments), "")
            if takes and values[takes] is None:
                unbound[name] = f"needs {takes}"
            else:
                orders.append(Order(command=name, value=values[takes] if takes else None))
        return orders, unbound

    def read(self, record: str) -> Order:
        return Order.model_validate_json(record)


FILMS = StationGraph("films", Order)


class Station(Driven):
    """A station, by what it was told; simulated and real ones of a name are different."""

    def __init__(self, executor: Executor, driver: CardDriver) -> None:
        model = FilmStation(name=driver.name, simulated=driver.simulated)
        super().__init__(executor, driver, FILMS, model)
