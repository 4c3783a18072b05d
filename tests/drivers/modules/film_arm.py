"""Three styles at once: a class with a state of its own, helpers, branches, counters."""

from typing import Annotated, Literal

from pydantic import Field
from serial_of_mine import open_port  # pyright: ignore[reportMissingImports]

SLOTS = 4


class Arm:
    """An arm that carries films between slots and a stage."""

    def __init__(self, port: str = "COM3"):
        self.port = open_port(port)
        self.holding: int | None = None
        self.vacuum = False
        self._carried = 0
        self.mode = "idle"

    def _free(self):
        if self.holding is not None:
            raise RuntimeError("it holds a film")

    def vacuum_on(self):
        """Switch the vacuum on."""
        if self.vacuum:
            return
        self.port.write(b"V1")
        self.vacuum = True

    def pick(self, slot: int, speed: Annotated[float, Field(ge=1, le=50)] = 10.0) -> None:
        """Pick a film up.

        Parameters
        ----------
        slot : int
            Where it lies, 1 to 4.
        speed : float
            Speed of the arm in mm/s.
        """
        self._free()
        if not self.vacuum:
            raise RuntimeError("the vacuum is off")
        if slot > SLOTS:
            raise ValueError(f"there is no slot {slot}")
        self.holding = slot
        self._carried += 1
        if speed > 20:
            self.mode = "fast"
        else:
            self.mode = "slow"

    def put(self, where: Literal["stage", "rack"]):
        """Put the film down.

        :param where: the place
        """
        if self.holding is None:
            return {"status": "error", "message": "it holds no film"}
        self.holding = None
        self.mode = "idle"
        return {"status": "ok"}

    def calibrate(self, table):
        """Must be run before the first film."""
        for row in table:
            self.mode = row.mode
