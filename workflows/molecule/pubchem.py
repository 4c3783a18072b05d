"""Names that PubChem knows, through its PUG REST; asked only where a person allows it.

Source: S. Kim et al., Nucleic Acids Res. 46, W563 (2018).
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, cast

from triplestore.errors import InputError, NotFoundError, ResourceError

ADDRESS = "https://pubchem.ncbi.nlm.nih.gov/rest/pug"
TIME = 30
"""s, for one answer."""
BUSY = (429, 503, 504)
PAUSES = (1.0, 3.0)
"""s, before asking a busy server again."""
MOST = 1_000_000
"""Bytes of an answer."""


def look_up(name: str, address: str = ADDRESS) -> tuple[str, str]:
    """Return the SMILES of a name, and `PubChem, CID …`.

    Raises:
        NotFoundError: PubChem knows no such name.
        ResourceError: it cannot be reached, is busy or answers something else.
        InputError: the address is none of a web server.
    """
    asked = f"cannot look up {name[:60]!r} at PubChem"
    if urllib.parse.urlsplit(address).scheme not in ("http", "https"):
        raise InputError(asked, f"{address!r} is no address of a web server", "see `pubchem`")
    answer = _answer(name, address, asked)
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


def _answer(name: str, address: str, asked: str) -> bytes:
    request = urllib.request.Request(
        f"{address.rstrip('/')}/compound/name/property/SMILES/JSON",
        data=urllib.parse.urlencode({"name": name}).encode(),
        headers={"User-Agent": "grafico", "Accept": "application/json"},
    )
    for pause in (*PAUSES, None):
        try:
            with urllib.request.urlopen(request, timeout=TIME) as response:
                return response.read(MOST)
        except urllib.error.HTTPError as error:
            with error:
                fault = error.read(MOST)
            if error.code == 404:
                advice = "give another name, a SMILES or a file"
                raise NotFoundError(asked, "it knows no compound of that name", advice) from error
            if error.code not in BUSY or pause is None:
                problem = f"it answers {error.code}: {_message(fault) or error.reason}"
                raise ResourceError(asked, problem, "ask again later, or give a SMILES") from error
            time.sleep(pause)
        except (OSError, ValueError) as error:  # URLError is one
            reason = getattr(error, "reason", error)
            advice = "check the network (or proxy), or give a SMILES or a file"
            raise ResourceError(asked, f"it cannot be reached: {reason}", advice) from error
    raise AssertionError


def _message(fault: bytes) -> str:
    try:
        return str(json.loads(fault)["Fault"]["Message"])[:120]
    except (ValueError, TypeError, LookupError):
        return ""
