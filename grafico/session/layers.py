"""Whose word a setting is: sources in their order, and what of a project's file does not count."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlsplit

from pydantic.fields import FieldInfo

from workflows.trust.powers import Power, can, sections
from workflows.trust.withholding import Reason

from .settings_file import SettingsFile
from .trust import Name, powerful, why_not

ORIGINS = "key_origins"
"""The setting that names origins to which keys may be sent; only a person's own word counts."""


PERSONAL = "what it agrees to in your name is for yourself to say"


def personal(name: Name, fields: Mapping[str, FieldInfo]) -> bool:
    """Tell whether a setting is a person's own word, so that trusting a project changes nothing."""
    return Power.AGREES in can(fields.get(name[0])).powers and name[0] in fields and len(name) == 1


@dataclass(frozen=True)
class Layer:
    """One source of settings.

    Attributes:
        data: what it says, by the names of today.
        file: where it stands; None for the command line and the environment.
        personal: whether it is the word of who runs this, or of the administrator.
    """

    data: Mapping[str, Any]
    file: SettingsFile | None = None
    personal: bool = True

    def refused(self, fields: Mapping[str, FieldInfo]) -> dict[Name, str]:
        """Return why some fields do not count, by name: those with powers, where nobody trusts."""
        if self.file is None:
            return {}
        having = powerful(self.data, fields)
        if not having:
            return {}
        why = self.file.flaw if self.personal else why_not(self.file, having)
        found = dict.fromkeys(having, why) if why else dict[Name, str]()
        if not self.personal:
            found |= {name: PERSONAL for name in having if personal(name, fields)}
        return found


@dataclass
class Merged:
    """What all sources say together.

    Attributes:
        everything: of all sources, whether it counts or not: to see whether it can be.
        counting: what counts.
        withheld: why a field may not be read, by name.
        withheld_sections: why a section may not be used, by table and name.
    """

    everything: dict[str, Any] = field(default_factory=dict[str, Any])
    counting: dict[str, Any] = field(default_factory=dict[str, Any])
    withheld: dict[str, Reason] = field(default_factory=dict[str, Reason])
    withheld_sections: dict[str, dict[str, Reason]] = field(
        default_factory=dict[str, dict[str, Reason]]
    )


def merged(layers: Sequence[Layer], fields: Mapping[str, FieldInfo], own_file: str) -> Merged:
    """Return what counts of some sources: first come, first served.

    A section counts as a whole or not at all: fields of two sources are never mixed in one.

    Args:
        layers: the sources in their order.
        fields: of the settings.
        own_file: the user's, for advice.
    """
    found = Merged()
    for layer in layers:
        refused = layer.refused(fields)
        for name, value in layer.data.items():
            kind = sections(fields.get(name))
            if kind is not None and isinstance(value, dict):
                parts = cast("dict[str, Any]", value)
                _add_sections(found, layer, layers, name, parts, refused, own_file)
            elif name not in found.everything:
                found.everything[name] = value
                keys = _key_problem(layer, layers, name, value, fields)
                if why := refused.get((name,)):
                    found.withheld[name] = _reason(layer, (name,), why, own_file)
                elif keys:
                    found.withheld[name] = _reason(layer, (name,), keys, own_file, keys=True)
                else:
                    found.counting[name] = value
    return found


def _add_sections(
    found: Merged,
    layer: Layer,
    layers: Sequence[Layer],
    name: str,
    parts: Mapping[str, Any],
    refused: Mapping[Name, str],
    own_file: str,
) -> None:
    everything = found.everything.setdefault(name, {})
    counting = found.counting.setdefault(name, {})
    for section, value in parts.items():
        if section in everything:
            continue
        everything[section] = value
        why = next((w for path, w in refused.items() if path[:2] == (name, section)), "")
        others = [
            one.file.path
            for one in layers
            if one.file is not None and one.personal and section in _table(one.data.get(name))
        ]
        if not layer.personal and others:
            reason = (
                f"{name}.{section} was asked for",
                f"it is described in {_where(layer)} and in {others[0]}, and the two are not mixed",
                f"give that of {_where(layer)} another name",
            )
            found.withheld_sections.setdefault(name, {})[section] = reason
        elif why:
            reason = _reason(layer, (name, section), why, own_file)
            found.withheld_sections.setdefault(name, {})[section] = reason
        else:
            counting[section] = value


def _table(value: object) -> Mapping[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _where(layer: Layer) -> str:
    return layer.file.place if layer.file is not None else "the environment"


def _reason(layer: Layer, name: Name, why: str, own_file: str, *, keys: bool = False) -> Reason:
    """Return the three parts of the error; trusting helps unless it is about keys or the file."""
    spelled = ".".join(name)
    yourself = f"say `{spelled}` yourself: as GRAFICO_{spelled.upper()}, or in {own_file}"
    yourself = yourself if len(name) == 1 else f"describe {spelled} in {own_file}"
    trusting = not (layer.personal or keys or why == PERSONAL or (layer.file and layer.file.flaw))
    advice = f"see what it says and trust it with `grafico trust`; or {yourself}"
    return (
        f"the setting {spelled} is needed",
        f"it stands in {_where(layer)}, which does not count for this: {why}",
        advice if trusting else yourself,
    )


def _key_problem(
    layer: Layer,
    layers: Sequence[Layer],
    name: str,
    value: object,
    fields: Mapping[str, FieldInfo],
) -> str:
    """Return why an address of a project's file does not count: it would get a key of the person.

    Keys go where the environment or a person's own file says, whether or not a project is trusted.
    """
    what = can(fields.get(name))
    keys = [one for one in what.keys if os.environ.get(one)]
    origin = origin_of(value)
    if layer.personal or not keys or not origin:
        return ""
    named: list[object] = [os.environ.get(one) for one in what.named_by]
    for one in layers:
        if one.personal and not (one.file and one.file.flaw):
            named.append(one.data.get(name))
            more = one.data.get(ORIGINS, ())
            named += cast("list[object]", more) if isinstance(more, list | tuple) else []
    if origin != UNCLEAR and origin in {origin_of(one) for one in named}:
        return ""
    return (
        f"{' and '.join(keys)} would be sent to {origin}, which neither the environment nor your "
        f"own file names ({ORIGINS})"
    )


UNCLEAR = "a server that is not clear"
"""The origin of what different programs may read as different servers."""


def origin_of(value: object) -> str:
    """Return scheme, host and port of a URL; empty for what is none."""
    if not isinstance(value, str) or "://" not in value:
        return ""
    try:
        parts = urlsplit(value)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme.lower())
    except ValueError:
        return UNCLEAR
    if not parts.hostname or re.search(r"[\\@\s\x00-\x1f]", parts.netloc + value[:10]):
        return UNCLEAR
    return f"{parts.scheme.lower()}://{parts.hostname}:{port}"
