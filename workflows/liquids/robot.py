"""A bench of PyLabRobot: plates of vials, bottles and tips, and what a protocol does with them."""

# pyright: basic, reportMissingImports=false

import asyncio
import math
from collections import defaultdict

from pylabrobot.heating_shaking import HeaterShaker, HeaterShakerChatterboxBackend
from pylabrobot.liquid_handling import LiquidHandler
from pylabrobot.liquid_handling.backends import LiquidHandlerChatterboxBackend
from pylabrobot.powder_dispensing import PowderDispenser
from pylabrobot.powder_dispensing.chatterbox import PowderDispenserChatterboxBackend
from pylabrobot.resources import (
    Coordinate,
    Deck,
    Plate,
    Powder,
    Tip,
    TipRack,
    TipSpot,
    Trash,
    Trough,
    Well,
    create_ordered_items_2d,
    set_tip_tracking,
    set_volume_tracking,
)

CHANNELS = 8


class Bench:
    """Plates, bottles, tips, a liquid handler, a powder dispenser, and a heated shaker a plate.

    Without other backends all are PyLabRobot's chatterboxes: nothing moves, each call is printed,
    and the liquid of each vial is counted. Sizes are those of a plate on a bare deck: with a device
    use its own deck, and the definitions of the plates and tips that stand on it.

    Args:
        plates: rows, columns and the capacity of a vial in µL, by name.
        bottles: µL of each liquid that are needed, by name.
        tip: µL that a tip holds.
        waiting: the part of each time that is really waited for.
    """

    def __init__(self, plates, bottles, tip, *, waiting=0.0):
        set_volume_tracking(True)
        set_tip_tracking(True)
        self.waiting = waiting
        deck = Deck(size_x=3000, size_y=1000, size_z=300)
        self.handler = LiquidHandler(LiquidHandlerChatterboxBackend(CHANNELS), deck)
        self.powders = PowderDispenser(PowderDispenserChatterboxBackend())
        self.plates, self.shakers, self.bottles = {}, {}, {}
        for name, (rows, columns, capacity) in plates.items():
            self.plates[name] = _plate(name, rows, columns, capacity)
            self.shakers[name] = HeaterShaker(
                f"heater of {name}", 130, 90, 20, HeaterShakerChatterboxBackend(25.0),
                child_location=Coordinate(0, 0, 20),
            )  # fmt: skip
        for name, needed in bottles.items():
            size = max(1.1 * needed, 1.0)
            self.bottles[name] = Trough(name, 20, 100, 60, max_volume=size)
            self.bottles[name].tracker.set_volume(needed)
        self.tips = _tips(tip)
        self._column = 0
        standing = [self.tips, *self.plates.values(), *self.bottles.values()]
        for place, one in enumerate(standing):
            deck.assign_child_resource(
                one, location=Coordinate(140.0 * (place % 20), 110.0 * (place // 20), 0)
            )
        deck.assign_child_resource(Trash("trash", 100, 100, 60), location=Coordinate(0, 800, 0))

    async def setup(self):
        """Begin."""
        for one in (self.handler, self.powders, *self.shakers.values()):
            await one.setup()

    async def stop(self):
        """End."""
        for one in (*self.shakers.values(), self.powders, self.handler):
            await one.stop()

    async def weigh(self, solid, plate, doses):
        """Put a solid into vials: mg by vial."""
        for vial, amount in doses.items():
            _check(amount)
            await self.powders.dispense(self.plates[plate][vial][0], Powder(solid), float(amount))

    async def add(self, liquid, plate, doses):
        """Put a liquid into vials, column by column, from above: the strokes in µL by vial."""
        columns = _columns(doses)
        await self._take_tips(max(map(len, columns)))
        for column in columns:
            for n in range(max(map(len, column.values()))):
                strokes = {vial: each[n] for vial, each in column.items() if n < len(each)}
                await self._stroke([self.bottles[liquid]] * len(strokes), plate, strokes)
        await self.handler.discard_tips()

    async def transfer(self, plate, to, doses):
        """Move liquid to the vials of the same names in another plate, each by its own tip."""
        for column in _columns(doses):
            await self._take_tips(len(column))
            for n in range(max(map(len, column.values()))):
                strokes = {vial: each[n] for vial, each in column.items() if n < len(each)}
                wells = [self.plates[plate][vial][0] for vial in strokes]
                await self._stroke(wells, to, strokes)
            await self.handler.discard_tips()

    async def shake(self, plate, rate):
        """Shake a plate at rpm; 0 ends it."""
        _check(rate)
        shaker = self.shakers[plate]
        await (shaker.shake(rate) if rate else shaker.stop_shaking())

    async def heat(self, plate, temperature):
        """Bring a plate to °C; it cools by itself."""
        _check(temperature)
        await self.shakers[plate].set_temperature(temperature, passive=True)

    async def wait(self, minutes):
        """Wait."""
        _check(minutes)
        print(f"Waiting for {minutes:g} min.")
        await asyncio.sleep(60 * minutes * self.waiting)

    async def person(self, what):
        """Have somebody do what PyLabRobot has no device for."""
        print(f"By hand, or by a device of your own: {what}.")

    @property
    def volumes(self):
        """µL in each vial, by plate and vial."""
        return {
            f"{name} {well.get_identifier()}": well.tracker.get_used_volume()
            for name, plate in self.plates.items()
            for well in plate.get_all_items()
        }

    async def _take_tips(self, number):
        if self._column == 12:
            await self.person("refill the tips")
            self.tips.fill()
            self._column = 0
        self._column += 1
        spots = [self.tips[f"{'ABCDEFGH'[row]}{self._column}"][0] for row in range(number)]
        await self.handler.pick_up_tips(spots)

    async def _stroke(self, sources, plate, strokes):
        volumes = list(map(_check, strokes.values()))
        channels = list(range(len(volumes)))
        wells = [self.plates[plate][vial][0] for vial in strokes]
        await self.handler.aspirate(sources, volumes, use_channels=channels)
        await self.handler.dispense(wells, volumes, use_channels=channels)


def _check(amount):
    """Return a number; PyLabRobot itself takes negative volumes, and none at all."""
    if not (math.isfinite(amount) and amount >= 0):
        raise ValueError(f"{amount} is no amount")
    return float(amount)


def _columns(doses):
    """Return doses by the columns of their vials, at most a channel each."""
    columns = defaultdict(dict)
    for vial, strokes in doses.items():
        columns[vial[1:]][vial] = strokes
    return list(columns.values())


def _plate(name, rows, columns, capacity):
    pitch_x, pitch_y = 108.0 / columns, 72.0 / rows
    wells = create_ordered_items_2d(
        Well, columns, rows, 9.0, 6.0, 2.0, pitch_x, pitch_y,
        size_x=0.8 * min(pitch_x, pitch_y), size_y=0.8 * min(pitch_x, pitch_y), size_z=40.0,
        max_volume=capacity,
    )  # fmt: skip
    return Plate(name, 127.8, 85.5, 45.0, ordered_items=wells)


def _tips(volume):
    def tip(name):
        return Tip(False, 95.0, volume, 8.0, name=name)

    spots = create_ordered_items_2d(
        TipSpot, 12, 8, 10.0, 7.0, 0.0, 9.0, 9.0, size_x=7.0, size_y=7.0, make_tip=tip
    )
    return TipRack("tips", 127.8, 85.5, 60.0, ordered_items=spots)
