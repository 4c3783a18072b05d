"""Published lists of safety data by number of CAS, as the package chemicals 1.5.2 brings them.

Its files are read, not its functions: these mix predictions with measurements, and convert the
units of exposure limits. Of 870 flash points that it takes for measured values of DIPPR, 380 have
more decimals than any measurement (benzene -19.48 °C where -11 °C was measured): they are told as
estimated, and only where nothing else is there.

Sources: IEC 60079-20-1:2010. NFPA 497:2008. F. Z. Serat et al., Fluid Phase Equilib. 449, 52
(2017), from DIPPR. Ontario's occupational exposure limits, in part of the ACGIH. IARC Monographs
1-127. NTP, 15th Report on Carcinogens, DOI 10.22427/NTP-OTHER-1003. CRC Handbook of Chemistry and
Physics, 95th edition. NIST Chemistry WebBook, DOI 10.18434/T4M88Q. J.-C. Bradley, open melting
points (2014). Wikidata.
"""

from __future__ import annotations

import csv
import functools
import importlib.util
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from triplestore.errors import ComponentError
from workflows.molecule.looking_up import NOT_KNOWN, Fact

Method = Literal["measured", "compiled", "estimated", "listed", ""]
"""How a value came about: by a standard's test methods; from others, who may have measured or
estimated; by a model; by a committee that decided it; empty where there is none."""

ZERO_CELSIUS = 273.15
MOST_KELVIN = 7000
LEAST_FRACTION = 0.001
"""In air that burns: no vapour does below."""

MEASURED_DECIMALS = 3
"""Decimals of a temperature in kelvin that came from °C or °F; a model's have more."""

IARC_GROUPS = {
    "1": "group 1: carcinogenic to humans",
    "11": "group 2A: probably carcinogenic to humans",
    "12": "group 2B: possibly carcinogenic to humans",
    "3": "group 3: not classifiable as to its carcinogenicity to humans",
}
NTP_LISTINGS = {
    "1": "known to be a human carcinogen",
    "2": "reasonably anticipated to be a human carcinogen",
}

Row = Mapping[str, str]


@dataclass(frozen=True)
class Known(Fact):
    """Something that a list says of a substance.

    Attributes:
        method: how it came about.
    """

    method: Method = ""

    def __str__(self) -> str:
        value = f"{self.value:g}" if isinstance(self.value, float) else self.value
        text = f"{self.name:<26}{value} {self.unit}".rstrip()
        said = ", ".join(filter(None, (self.source, self.method)))
        return f"{text}  ({said})" if said else text


@dataclass(frozen=True)
class Table:
    """A file of the package.

    Attributes:
        path: inside of it.
        source: what it is called.
        method: how its values came about.
        plain: whether its numbers of CAS have no hyphens.
    """

    path: str
    source: str
    method: Method
    plain: bool = False


IEC = Table("Safety/IS IEC 60079-20-1 2010.tsv", "IEC 60079-20-1:2010", "measured")
NFPA = Table("Safety/NFPA 497 2008.tsv", "NFPA 497:2008", "compiled")
DIPPR = Table("Safety/DIPPR T_flash Serat.csv", "DIPPR in Serat 2017", "compiled")
WIKIDATA = Table("Misc/wikidata_properties.tsv", "Wikidata", "compiled", plain=True)
IARC = Table("Safety/IARC Carcinogen Database.tsv", "IARC", "listed")
NTP = Table(
    "Safety/National Toxicology Program Carcinogens.tsv", "NTP, 15th report (2021)", "listed"
)
ORGANIC = Table("Misc/Physical Constants of Organic Compounds.csv", "CRC Handbook", "compiled")
INORGANIC = Table("Misc/Physical Constants of Inorganic Compounds.csv", "CRC Handbook", "compiled")
WEBBOOK = Table("Misc/webbook_constants.tsv", "NIST WebBook", "compiled", plain=True)
MELTING = Table("Phase Change/OpenNotebook Melting Points.tsv", "Bradley 2014", "compiled")
LIMITS = Table("Safety/Ontario Exposure Limits.tsv", "Ontario's limits", "listed")

FIRE = (IEC, NFPA, DIPPR, WIKIDATA)
"""By whom flash points and what stands beside them are told; the first are the best."""

ASKED = (
    ("flash point", "T_flash", "°C", FIRE),
    ("autoignition", "T_autoignition", "°C", FIRE),
    ("lower flammability limit", "LFL", "vol-%", FIRE),
    ("upper flammability limit", "UFL", "vol-%", FIRE),
    ("melting point", "Tm", "°C", (ORGANIC, INORGANIC, WEBBOOK, MELTING)),
    ("boiling point", "Tb", "°C", (ORGANIC, INORGANIC, WEBBOOK)),
)
TIMES = (
    ("exposure limit, 8 h", "Time-Weighted Average Limit (TWA)"),
    ("exposure limit, 15 min", "Short-Term Exposure Limit (STEL)"),
    ("exposure limit, ceiling", "Ceiling Limit (C)"),
)
LIMIT = re.compile(r"(?P<value>\d+(?:\.\d*)?|\.\d+)\s*(?P<unit>ppm|mg/m3)\s*")
MOST_TOLD = 2
"""Values of flash points and the like that are told, by different sources: they often differ."""

AGENT = 100
"""Letters of what a list calls an entry."""


def known(number: str) -> Iterator[Known]:
    """Iterate over what the lists have of a number of CAS; what they lack is told as not known.

    Args:
        number: with hyphens; empty where the substance has none that is known.

    Raises:
        ComponentError: the package chemicals is not installed.
    """
    for name, column, unit, tables in ASKED:
        yield from _of_property(number, name, column, unit, tables) or [Known(name, NOT_KNOWN)]
    yield from _limits(number) or [Known("exposure limit", NOT_KNOWN)]
    yield _iarc(number)
    row = _rows(NTP).get(number)
    listed = NTP_LISTINGS.get(row.get("Listing", ""), "") if row else ""
    if row and listed:
        source = f"{NTP.source}, “{_short(row.get('Chemical', ''))}”"
        yield Known("NTP", listed, "", source, NTP.method)
    else:
        yield Known("NTP", NOT_KNOWN)


def _of_property(
    number: str, name: str, column: str, unit: str, tables: tuple[Table, ...]
) -> list[Known]:
    """Return a property as its best sources have it; estimated values only for want of others."""
    found = list[Known]()
    least, most = (0, MOST_KELVIN) if unit == "°C" else (LEAST_FRACTION, 1)
    for table in tables:
        text = _rows(table).get(number, {}).get(column) or ""
        value = _number(text)
        if value is None or not least < value <= most:
            continue  # nought, or a slip of units
        estimated = table is DIPPR and len(text.partition(".")[2]) > MEASURED_DECIMALS
        method: Method = "estimated" if estimated else table.method
        told = round(value - ZERO_CELSIUS, 1) if unit == "°C" else round(100 * value, 2)
        found.append(Known(name, told, unit, table.source, method))
    others = [one for one in found if one.method != "estimated"]
    return (others or found)[: MOST_TOLD if tables is FIRE else 1]


def _limits(number: str) -> list[Known]:
    row = _rows(LIMITS).get(number)
    if row is None:
        return []
    agent = " ".join((row.get("Agent [CAS No.]") or "").split())
    several = len(re.findall(r"\d-\d\d-\d\b", agent)) > 1 or ", as " in agent
    source = f"{LIMITS.source}, “{_short(agent)}”" + (", the lowest of the entry" * several)
    found = list[Known]()
    for name, column in TIMES:
        match = LIMIT.fullmatch((row.get(column) or "").strip())
        if match and float(match["value"]):
            unit = match["unit"].replace("m3", "m³")
            found.append(Known(name, float(match["value"]), unit, source, LIMITS.method))
    if (row.get("Notations") or "").strip() == "Skin":
        found.append(Known("skin", "absorbed through the skin", "", source, LIMITS.method))
    return found


def _iarc(number: str) -> Known:
    row = _rows(IARC).get(number, {})
    group = IARC_GROUPS.get(row.get("group", ""), "")
    if not group:
        return Known("IARC", NOT_KNOWN)
    volumes, year = row.get("volumes", ""), row.get("year", "")
    where = f", volumes {volumes}" + (f" ({year})" if year else "") if volumes else ""
    source = f"IARC Monographs up to 127{where}, “{_short(row.get('description', ''))}”"
    return Known("IARC", group, "", source, IARC.method)


def _short(text: str) -> str:
    return text if len(text) <= AGENT else f"{text[: AGENT - 1]}…"


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@functools.cache
def _rows(table: Table) -> Mapping[str, Row]:
    """Return the rows of a file by number of CAS; an entry of several stands under each."""
    path = _folder() / table.path
    if not path.is_file():
        return {}
    text = path.read_text(encoding="utf-8", errors="replace")
    found: dict[str, Row] = {}
    for row in csv.DictReader(text.splitlines(), delimiter="\t", restval=""):
        for one in (row.get("CAS") or row.get("CASRN") or "").split(";"):
            number = one.strip()
            if table.plain and number.isdigit() and len(number) > 3:
                number = f"{number[:-3]}-{number[-3:-1]}-{number[-1]}"
            if number:
                found.setdefault(number, row)
    return found


def _folder() -> Path:
    package = importlib.util.find_spec("chemicals")
    if package is None or package.origin is None:
        raise ComponentError(
            "safety data were asked for",
            "the package chemicals, which has the lists, is not installed",
            "pip install 'grafico-chem[names]'",
        )
    return Path(package.origin).parent
