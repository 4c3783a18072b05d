"""What is shown of a device file."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ontologies.laboratory import DeviceFile
from workflows.show.blocks import Block, Fact
from workflows.show.object_blocks import Around, shows


@shows(DeviceFile)
def _(found: DeviceFile, around: Around) -> Iterator[Block]:
    del around
    yield Fact("device", found.name, name="name", note="described by a file")
    yield Fact("commands", ", ".join(json.loads(found.text)["commands"]), name="commands")
    yield Fact("file", found.text, name="text", minor=True)
