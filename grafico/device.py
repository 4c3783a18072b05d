"""``grafico microwave``: say how a virtual synthesizer is to stand; the commands are planned."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from .cli import main, options, session
from .say import say

if TYPE_CHECKING:
    from workflows.engine import Event
    from workflows.microwave import Bench, MicrowaveRequest


@main.command()
@options(
    click.option("--device", metavar="NAME", default="microwave", show_default=True,
                 help="Which device."),
    click.option("--session", "allocate", is_flag=True, help="Allocate a session."),
    click.option("--open-lid/--close-lid", "lid_open", default=None, help="Open or close the lid."),
    click.option("--vial", type=int, metavar="N", help="Have vial N inside, 1 to 10."),
    click.option("--unload", is_flag=True, help="Have no vial inside."),
    click.option("--temperature", type=float, metavar="C", help="Set it, 25 to 100 °C."),
    click.option("--duration", type=float, metavar="MIN", help="Set it, 1 to 120 min."),
    click.option("--pressure", type=float, metavar="ATM", help="Set it, 1 to 10 atm."),
    click.option("--heat", is_flag=True, help="Heat the vial with what is set."),
    click.option("--conversion", is_flag=True, help="Read the percent conversion."),
    click.option("--wait/--no-wait", default=True, show_default=True,
                 help="Wait until the heating is over."),
    click.option("--speed", type=float, metavar="X",
                 help="Seconds that the device counts in one, when heating.  [default: 600]"),
    click.option("--plan", is_flag=True, help="Show the shortest plans and do nothing."),
    click.option("--status", is_flag=True, help="Show the state and do nothing."),
    click.option("--quiet", is_flag=True, help="Show no progress."),
)  # fmt: skip
def microwave(
    device: str,
    allocate: bool,
    lid_open: bool | None,
    speed: float | None,
    plan: bool,
    status: bool,
    quiet: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
    **asked: Any,
) -> None:
    """Command a virtual microwave synthesizer.

    Say how the device is to stand: what must be done for it is planned from where it stands, also
    after other calls. Without a wish its state is shown.
    """
    wishes = {name: value for name, value in asked.items() if name != "wait" and value}
    wishes |= {name: asked[name] for name in NUMBERS if asked[name] is not None}
    if allocate:
        wishes["session"] = True
    if lid_open is not None:
        wishes["lid"] = "open" if lid_open else "closed"
    if status and (wishes or plan):
        raise click.UsageError("--status goes with no wish")
    if plan and not wishes:
        raise click.UsageError("--plan needs a wish, such as --heat")

    from workflows.microwave import Microwave, make_request, run_microwave
    from workflows.microwave.device import SPEED

    request = make_request(**wishes, wait=asked["wait"]) if wishes else None
    with session(store, listener=None if quiet else tell) as grafico:
        synthesizer = Microwave(grafico.executor, device, speed=SPEED if speed is None else speed)
        if request is None:
            show(synthesizer.read(), as_json)
            return
        if plan:
            show_plans(request, synthesizer.read(), as_json)
            return
        finish = grafico.wait_for(lambda: run_microwave(synthesizer, request))
        bench: Bench = finish.state
        if finish.status != "finished":
            raise request.lacking(bench.situation)
        show(bench, as_json, finish.run)


NUMBERS = ("vial", "temperature", "duration", "pressure")


def tell(event: Event) -> None:
    """Print a line for each command that was done, and how long a heating lasts."""
    from workflows.microwave.commands import verb
    from workflows.microwave.situation import spell

    if event.kind == "transition":
        say(f"  {verb(event.subject)}{' refused' * bool(event.data['failure'])}", err=True)
    elif event.kind == "frame":
        say(f"  heating, {spell(event.data['remaining'])} left", err=True)


def show_plans(request: MicrowaveRequest, bench: Bench, as_json: bool) -> None:
    """Print the shortest plans.

    Raises:
        RefusedError: there is none.
    """
    from workflows.microwave.commands import verb

    found = [[verb(node.name) for node in steps] for steps in request.plans(bench.situation)]
    if not found:
        raise request.lacking(bench.situation)
    if as_json:
        say(json.dumps({"plans": found}, indent=2))
        return
    for number, steps in enumerate(found, 1):
        say(f"{number}. {', '.join(steps) or 'nothing to do'}")


def show(bench: Bench, as_json: bool, run: str = "") -> None:
    """Print how the device stands, and the conversion if it was read."""
    from workflows.microwave.situation import spell

    at, stored, reading = bench.situation, bench.stored, bench.reading
    live = stored.session if stored else None
    if as_json:
        state = {
            "session": live, "lid": "open" if at.lid_open else "closed", "vial": at.vial,
            **with_units(at.parameters), "heating": at.heating, "remaining_min": at.remaining,
            "heated": with_units(at.heated) if at.heated else None,
            "iri": stored.iri if stored else None,
        }  # fmt: skip
        conversion = None
        if reading is not None:
            conversion = {"iri": reading.iri, "percent": reading.conversion,
                          "simulated": reading.simulated, "method": reading.method}  # fmt: skip
        said = {"device": bench.device.synthesizer.name, "state": state, "conversion": conversion}
        say(json.dumps({**said, "run": run or None, "made": bench.made}, indent=2))
        return
    heating = f"yes, {spell(at.remaining)} left at speed {stored.speed:g}" if stored else ""
    lines = {
        "device": f"{bench.device.synthesizer.name} (virtual)",
        "session": live or "none",
        "lid": "open" if at.lid_open else "closed",
        "vial": "none" if at.vial is None else str(at.vial),
        "set": str(at.parameters),
        "heating": heating if at.heating else "no",
        "heated": f"at {at.heated}" if at.heated else "no",
    }
    if reading is not None:
        lines["conversion"] = f"{reading.conversion:.2f} % ({reading.method})"
    for label, text in lines.items():
        say(f"{label:11}{text}")


def with_units(parameters: Any) -> dict[str, float | None]:
    """Return heating parameters as JSON can hold them; units stand in the names."""
    names = ("temperature_degC", "duration_min", "pressure_atm")
    return dict(zip(names, parameters, strict=True))
