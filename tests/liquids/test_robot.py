"""Protocols as programs for PyLabRobot, and simulated by it: its trackers hold what is counted."""

from __future__ import annotations

import ast
import asyncio
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ogm import KnowledgeGraph
from ontologies.liquids import LiquidDesign, SimulatedSamples
from ontologies.operations import Operation
from tests.typed import typed
from triplestore import open_store
from triplestore.errors import ComponentError, RecordError
from workflows.engine import Executor
from workflows.engine.devices.command import RefusedError
from workflows.liquids.balance import ledger
from workflows.liquids.protocol import Protocol, protocol
from workflows.liquids.reading import design_of
from workflows.liquids.robot_handler import RobotHandler
from workflows.liquids.running import operations, simulated
from workflows.liquids.script import script
from workflows.liquids.simulator import SimulatedHandler
from workflows.liquids.steps import Step

DESIGNS = Path(__file__).parent / "designs"
NAMES = ("exp1", "exp2", "exp3", "exp4", "exp5")


def planned(name: str) -> Protocol:
    return protocol(design_of(DESIGNS / f"{name}.yaml"))


def counted(found: Protocol) -> dict[str, float]:
    """µL in each vial, as the ledger of SI units has them after all steps."""
    held = ledger(found.steps)
    return {
        f"{plate} {vial}": 1e9 * math.fsum(one.cubic_metres.values())
        for (plate, vial), one in held.items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_program_runs_as_it_stands(name: str, tmp_path: Path) -> None:
    """As a child process, without Grafico on its path: the vials hold what the ledger counts."""
    pytest.importorskip("pylabrobot")
    file, found = tmp_path / "protocol.py", planned(name)
    typed("protocol", DESIGNS / f"{name}.yaml", "-o", file)
    came = subprocess.run(
        [sys.executable, "-I", "-W", "error", str(file)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert came.returncode == 0, came.stderr[-2000:]
    lines = [one.partition(" holds ") for one in came.stdout.splitlines() if " holds " in one]
    held = {place: float(volume.removesuffix(" µL")) for place, _, volume in lines}
    wanted = counted(found)
    assert wanted.keys() <= held.keys()
    for place, volume in held.items():
        assert math.isclose(volume, wanted.get(place, 0.0), rel_tol=1e-9, abs_tol=1e-6), place
    weighed = sum(one.unit == "mg" for one in found.steps)
    assert came.stdout.count("Waiting for") == sum(one.parameter == "Delay" for one in found.steps)
    text = file.read_text(encoding="utf-8")
    assert text.count("await bench.weigh(") == weighed
    assert "import workflows" not in text
    assert all(f"\n    # {n}. " in text for n in range(1, len(found.steps) + 1))


def test_names_are_texts_and_never_code() -> None:
    odd = """x', 'Plate 1', {}); __import__('os').system('touch owned') #"""
    design: dict[str, Any] = {
        "name": 'a """ {odd} name \\',
        "chemicals": {"water": {"state": "liquid", "structure": "O"}, odd: {"state": "solid"}},
        "volume": "1 mL",
        "solvent": "water",
        "solid_volume": "neglected",
        "samples": [{"amounts": {odd: "1 mg"}}],
    }
    tree = ast.parse(script(protocol(design).hardware))
    calls = [one.func for one in ast.walk(tree) if isinstance(one, ast.Call)]
    assert "__import__" not in {one.id for one in calls if isinstance(one, ast.Name)}
    assert odd in {one.value for one in ast.walk(tree) if isinstance(one, ast.Constant)}


def carried(found: Protocol, driver: SimulatedHandler) -> tuple[SimulatedSamples, int]:
    design = LiquidDesign(name=found.design.name, text=found.design.model_dump_json(by_alias=True))
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        try:
            samples = asyncio.run(simulated(found, design, executor, driver=driver))
            own = asyncio.run(simulated(found, design, executor))
            assert own.iri != samples.iri, "what another simulator has made is not shown for it"
            assert own.contents == samples.contents
            return samples, len(executor.kg.find(Operation, instrument="pylabrobot"))
        finally:
            executor.close()


@pytest.mark.parametrize("name", NAMES)
def test_its_trackers_hold_what_is_counted_after_each_operation(name: str) -> None:
    pytest.importorskip("pylabrobot")
    found = planned(name)
    driver = RobotHandler(found)
    samples, number = carried(found, driver)
    assert samples.instrument == "pylabrobot"
    assert number == len(operations(found.steps, found.laid))
    for place, volume in counted(found).items():
        assert math.isclose(driver.bench.volumes[place], volume, rel_tol=1e-9, abs_tol=1e-6)


class Leaking(RobotHandler):
    """One whose third operation loses 10 µL of one vial."""

    count = 0

    async def do(self, command: Step, /) -> Any:
        self.count += 1
        if self.count == 3:
            tracker = self.bench.plates["Plate 1"][next(iter(command.values))][0].tracker
            tracker.set_volume(tracker.get_used_volume() - 10)
        return await super().do(command)


def test_a_tracker_that_differs_ends_the_run() -> None:
    pytest.importorskip("pylabrobot")
    found = planned("exp3")
    with pytest.raises(RecordError, match=r"holds .* as it reads"):
        carried(found, Leaking(found))


def test_it_goes_on_from_wherever_the_records_are() -> None:
    pytest.importorskip("pylabrobot")
    found = planned("exp4")
    todo = [one for _, one in operations(found.steps, found.laid)]
    for cut in (1, len(todo) // 2, len(todo) - 1):
        driver = RobotHandler(found)
        driver.begin(todo[:cut])

        async def rest(driver: RobotHandler = driver, cut: int = cut) -> None:
            for one in todo[cut:]:
                await driver.do(one)

        asyncio.run(rest())
        for place, volume in counted(found).items():
            assert math.isclose(driver.bench.volumes[place], volume, rel_tol=1e-9, abs_tol=1e-6)


@pytest.mark.parametrize("amount", [-5.0, float("nan"), float("inf")])
def test_what_it_would_take_is_refused_before(amount: float) -> None:
    trackers: Any = pytest.importorskip("pylabrobot.resources.volume_tracker")
    tracker = trackers.VolumeTracker("vial", max_volume=100.0)
    if not math.isinf(amount):
        tracker.add_liquid(amount)  # PyLabRobot itself says nothing
    found = planned("exp1")
    driver = RobotHandler(found)
    liquid = next(one for one in found.steps if one.unit == "µL")
    wrong = liquid.model_copy(update={"values": {"A1": amount}})
    with pytest.raises(RefusedError, match="is no amount"):
        asyncio.run(driver.do(wrong))
    assert driver.bench.volumes["Plate 1 A1"] == 0


def test_the_command_line_says_which_simulator(tmp_path: Path) -> None:
    pytest.importorskip("pylabrobot")
    words = ("protocol", DESIGNS / "exp1.yaml", "--simulator", "pylabrobot")
    said = json.loads(typed(*words, "--json", "--store", tmp_path / "store").stdout)
    assert said["simulated"]["instrument"] == "pylabrobot"


def test_without_it_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "workflows.liquids.robot", None)
    with pytest.raises(ComponentError, match="lab"):
        RobotHandler(planned("exp1"))


def test_who_does_not_ask_for_it_does_not_load_it() -> None:
    code = (
        "import sys; from grafico.cli.app import main\n"
        "import workflows.liquids.request\n"
        "try: main(['protocol', '--help'])\n"
        "finally: assert 'pylabrobot' not in sys.modules, 'loaded'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
