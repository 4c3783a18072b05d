"""A program that asks for a list of calculations until it has them all; to be killed at will.

`main` prints a line for each that is there.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from tests.engine.toys import TOYS, Answer, Number
from triplestore import open_store
from triplestore.errors import ResourceError
from workflows.dft.properties.energy import single_point
from workflows.dft.properties.surface import optimise
from workflows.engine import Executor, calculation

HYDROGEN = ConceptualAtoms(numbers=[1, 1], positions=[[0, 0, 0], [0, 0, 0.8]])
WATER = ConceptualAtoms(
    numbers=[8, 1, 1], positions=[[0, 0, 0.117], [0, 0.757, -0.469], [0, -0.757, -0.469]]
)
LEVEL = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted")

TOYS_ASKED = 48


@calculation("enduring.square", version="1", backend=TOYS)
def square(number: Number, tally: str) -> Answer:
    """Square a number after a moment, and write down that it began."""
    with open(tally, "a") as file:
        file.write(f"{number.value:.0f}\n")
    time.sleep(0.08)
    print("squared", number.value)
    return Answer(value=number.value**2, pid=0)


def calls(tally: str) -> list[Any]:
    """What is asked for."""
    asked: list[Any] = [square.bind(Number(value=n), tally) for n in range(TOYS_ASKED)]
    asked.insert(20, single_point.bind(HYDROGEN, LEVEL))
    asked.insert(30, optimise.bind(WATER, LEVEL))
    asked.insert(40, single_point.bind(WATER, LEVEL))
    return asked


async def main(store: str, tally: str) -> None:
    """Ask, and ask again after an error that says so."""
    with open_store(store) as opened:
        executor = Executor(KnowledgeGraph(opened), threads_per_calculation=1)
        try:
            for call in calls(tally):
                while True:
                    try:
                        answer = await executor.run(call)
                    except ResourceError as error:
                        print("again:", type(error).__name__, error.found, flush=True)
                        await asyncio.sleep(0.01)
                    else:
                        print("have", call.key, answer.recorded, flush=True)
                        break
        finally:
            executor.close()
