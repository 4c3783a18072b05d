"""Names that PubChem knows, through its PUG REST; asked only where a person allows it.

Source: S. Kim et al., Nucleic Acids Res. 46, W563 (2018).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from triplestore.errors import InputError, NotFoundError, ResourceError

from . import turns

ADDRESS = "https://pubchem.ncbi.nlm.nih.gov/rest/pug"
TIME = 30
"""s, for one answer."""
BUSY = (429, 503, 504)
PAUSES = (1.0, 3.0)
"""s, before asking a busy server again."""
MOST = 20_000_000
"""Bytes of an answer."""
THROTTLING = "X-Throttling-Control"


def look_up(name: str, address: str = ADDRESS) -> tuple[str, str]:
    """Return the SMILES of a name, and `PubChem, CID …`.

    Raises:
        NotFoundError: PubChem knows no such name.
        ResourceError: it cannot be reached, is busy or answers something else.
        InputError: the address is none of a web server.
    """
    asked = f"cannot look up {name[:60]!r} at PubChem"
    where = f"{address.rstrip('/')}/compound/name/property/SMILES/JSON"
    answer = fetch(where, asked, "name", {"name": name})
    try:
        records = cast("list[dict[str, Any]]", json.loads(answer)["PropertyTable"]["Properties"])
        first = records[0]
        number, smiles = int(first["CID"]), str(first.get("SMILES") or first["IsomericSMILES"])
    except (ValueError, TypeError, LookupError) as error:
        said = answer[:80].decode(errors="replace")
        advice = "ask again later, or give a SMILES or a file"
        raise ResourceError(
            asked, f"the answer is no table of properties: {said!r}", advice
        ) from error
    others = f", the first of {len(records)}" if len(records) > 1 else ""
    return smiles, f"PubChem, CID {number}{others}"


def fetch(where: str, asked: str, by: str, data: Mapping[str, str] | None = None) -> bytes:
    """Return what PubChem answers, when it is this user's turn; a busy server is asked again.

    Args:
        where: the address.
        asked: what was asked, for error messages.
        by: what a compound is looked for by, for error messages.
        data: what is posted, such as a name.

    Raises:
        NotFoundError: it knows no such compound.
        ResourceError: it cannot be reached, is busy, or answers with another error.
        InputError: the address is none of a web server.
    """
    import urllib.error  # what is asked for by a name need not be asked of a server
    import urllib.parse
    import urllib.request

    parts = urllib.parse.urlsplit(where)
    if parts.scheme not in ("http", "https"):
        raise InputError(asked, f"{where!r} is no address of a web server", "see `pubchem`")
    host = parts.netloc
    request = urllib.request.Request(
        where,
        data=None if data is None else urllib.parse.urlencode(data).encode(),
        headers={"User-Agent": "grafico", "Accept": "application/json"},
    )
    for pause in (*PAUSES, None):
        turns.wait(host)
        try:
            with urllib.request.urlopen(request, timeout=TIME) as response:
                turns.heed(host, response.headers.get(THROTTLING) or "")
                answer = response.read(MOST + 1)
        except urllib.error.HTTPError as error:
            with error:
                fault = error.read(MOST)
            if error.code == 404:
                advice = f"give another {by}, a SMILES or a file"
                problem = f"it knows no compound of that {by}"
                raise NotFoundError(asked, problem, advice) from error
            if error.code not in BUSY or pause is None:
                problem = f"it answers {error.code}: {_message(fault) or error.reason}"
                raise ResourceError(asked, problem, "ask again later, or give a SMILES") from error
            turns.heed(host, error.headers.get(THROTTLING) or "")
            turns.slow_down(host, _later(error.headers.get("Retry-After") or "", pause))
        except (OSError, ValueError) as error:  # URLError is one
            reason = getattr(error, "reason", error)
            advice = "check the network (or proxy), or give a SMILES or a file"
            raise ResourceError(asked, f"it cannot be reached: {reason}", advice) from error
        else:
            if len(answer) > MOST:
                problem = f"the answer is longer than {MOST / 1e6:.0f} MB"
                raise ResourceError(asked, problem, "look it up at PubChem itself")
            return answer
    raise AssertionError


def _later(said: str, usual: float) -> float:
    """Return how long a busy server is left alone, s."""
    return float(said) if said.isascii() and said.isdigit() and len(said) < 6 else usual


def _message(fault: bytes) -> str:
    try:
        return str(json.loads(fault)["Fault"]["Message"])[:120]
    except (ValueError, TypeError, LookupError):
        return ""
