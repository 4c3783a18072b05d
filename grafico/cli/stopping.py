"""``grafico stop``: no further command leaves for a device, until a person lets it go on."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import click

from ..say import say
from .options import existing, options


@click.command()
@click.argument("device", required=False)
@options(click.option("--go-on", is_flag=True, help="Let it be commanded again; asks you."))
def stop(device: str | None, go_on: bool, store: str | None, as_json: bool, debug: bool) -> None:
    """Let no command to DEVICE leave any more, from whatever process uses the store.

    Without one all that were ever commanded with the store are stopped. A driver that can halt its
    device does; else the command in progress ends by itself. It is no emergency stop: those are on
    the device. Afterwards only a person goes on, at a terminal, with `--go-on`.
    """
    from triplestore.errors import NotFoundError, ResourceError
    from triplestore.store import folder_of
    from workflows.engine.devices import lease

    settings = existing(store)
    home = settings.home
    if home is None and settings.store != "memory:":
        home = folder_of(settings.store)
    known = lease.known_devices(home)
    if not lease.is_known(home, device) if device else go_on or not known:
        named = f"the device {device} was named" if device else "no device was named"
        raise NotFoundError(
            named,
            "none of that name was ever commanded with this store" if device else "one is needed",
            f"name one of: {', '.join(known)}" if known else "look at --store",
        )
    if not go_on or device is None:
        failed = None
        told: list[dict[str, object]] = []
        for one in [device] if device else known:
            try:
                holder = lease.stop(home, one)
            except ResourceError as error:  # the others are to be stopped all the same
                failed = error
                continue
            told.append({"device": one, "stopped": True, "commanded_by": holder or None})
            who = f"it was commanded by {holder}" if holder else "nobody was commanding it"
            if not as_json:
                say(f"{one} is stopped: nothing is sent to it any more; {who}")
        if as_json and told:
            say(json.dumps(told[0] if device else told))
        if failed:
            raise failed
        return
    import asyncio

    from workflows.trust.caller import ConsentQuestion, asked_by, caller

    from .controlling import agreed_at_terminal

    async def at_terminal(question: ConsentQuestion) -> bool:
        if agreed_at_terminal(question.what, question.why, f"{device} was to go on"):
            return True
        say(f"{device} stays stopped", err=True)
        sys.exit(1)

    if why := lease.why_stopped(home, device):
        with asked_by(replace(caller(), ask=at_terminal)):
            asyncio.run(lease.go_on(home, device))
    said = "can be commanded again" if why else "was not stopped"
    say(json.dumps({"device": device, "stopped": False}) if as_json else f"{device} {said}")
