"""Conversion of units, and sums of numbers: what must not be done in the head."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import ast
import functools
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from triplestore.errors import InputError

LONGEST, DEEPEST = 500, 30
"""Characters of a sum, and brackets in it: a parser of Python must not be driven to its depth."""

SPELLINGS = {
    "Eh": "hartree", "E_h": "hartree", "Ha": "hartree", "a.u.": "hartree", "au": "hartree",
    "D": "debye", "cm-1": "1/cm", "cm⁻¹": "1/cm", "cm^-1": "1/cm", "wavenumber": "1/cm",
    "Å": "angstrom", "Angstrom": "angstrom", "°C": "degC", "a0": "bohr",
}  # fmt: skip
"""Names in the field that a library of units does not know, or takes for something else."""

LONGEST_UNIT = 80
"""Characters of a unit."""

_POWER = r"(?:\s*(?:\*\*|\^)\s*(?:[+-]?\d{1,2}(?:\.\d)?|\(\s*[+-]?\d{1,2}(?:[./]\d)?\s*\)))"
_RAISED = "⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
_NAMED = (
    rf"(?:(?![{_RAISED}\d])[\w%°])(?:(?![{_RAISED}])\w){{0,29}}"
    rf"(?:[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,2}}|{_POWER})?"
)
_TIMES = r"\s*(?:\*|/|·|⋅|×)\s*|\s+"
_GROUP = rf"\(\s*{_NAMED}(?:(?:{_TIMES}){_NAMED}){{0,9}}\s*\){_POWER}?"
_PART = rf"(?:{_NAMED}|{_GROUP})"
UNIT = re.compile(rf"(?:1\s*/\s*)?{_PART}(?:(?:{_TIMES}){_PART}){{0,9}}")
"""What a library of units is shown: names, products, and powers of at most two digits.

It computes whatever stands there with whole numbers of any size: nine to the power of nine to the
power of nine would keep it at work for days.
"""

SUCH_AS = "such as hartree, eV, kJ/mol, kcal/mol, cm^-1, Hz, nm, debye, angstrom, bohr, K"

_SIGNS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "exp": math.exp,
    "log": math.log,
    "log10": math.log10,
    "sqrt": math.sqrt,
    "abs": abs,
}


@functools.cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True)


def convert(value: float, source: str, target: str) -> float:
    """Return a value in another unit.

    Energies, also per mole, wavelengths, wavenumbers, frequencies and temperatures (as k_B·T) can
    be turned into each other where light or heat of that energy is meant.

    Raises:
        InputError: a unit is not known, or the one cannot become the other.

    Source: CODATA, as Pint has it.
    """
    import pint

    units = _registry()
    asked = f"cannot convert {value} {source[:LONGEST_UNIT]} to {target[:LONGEST_UNIT]}"
    names = [_readable(name, asked) for name in (source, target)]
    try:
        quantity, wanted = units.Quantity(value, names[0]), units.Unit(names[1])
        both = ("spectroscopy", "boltzmann")
        amount = "[substance]"
        there = wanted.dimensionality.get(amount, 0) - quantity.dimensionality.get(amount, 0)
        if there == 1:
            quantity = quantity / units.avogadro_constant
        elif there == -1:
            if (quantity / units.mole).dimensionality != wanted.dimensionality:
                quantity = quantity.to("joule", *both)
            quantity = quantity * units.avogadro_constant
        different = quantity.dimensionality != wanted.dimensionality
        converted = quantity.to(wanted, *both) if different else quantity.to(wanted)
        number = float(converted.magnitude)
    except (
        pint.errors.PintError,
        AttributeError,
        TypeError,
        ValueError,
        ZeroDivisionError,
        SyntaxError,
        OverflowError,
        AssertionError,
    ) as error:
        found = f"{type(error).__name__}: {error}"
        raise InputError(asked, found[:300], SUCH_AS) from error
    if not math.isfinite(number):
        raise InputError(asked, f"it would be {number}")
    return number


@functools.lru_cache(256)
def same_kind(unit: str, other: str) -> bool:
    """Return whether two units measure the same; False where one is not known."""
    import pint

    try:
        kinds = {_registry().Unit(_readable(n, n)).dimensionality for n in (unit, other)}
    except (
        InputError,
        pint.errors.PintError,
        AttributeError,
        TypeError,
        ValueError,
        SyntaxError,
        ZeroDivisionError,
        OverflowError,
        AssertionError,
    ):
        return False
    return len(kinds) == 1


def _readable(name: str, asked: str) -> str:
    """Return a unit as the library spells it.

    Raises:
        InputError: it is longer than units are, or holds what no unit does.
    """
    if len(name) > LONGEST_UNIT:
        problem = f"a unit has {len(name)} characters, {LONGEST_UNIT} are the most there may be"
        raise InputError(asked, problem, SUCH_AS)
    name = name.strip()
    spelt = SPELLINGS.get(name, name)
    if spelt and not UNIT.fullmatch(spelt):
        problem = f"{name!r} is no unit: names, * and /, one level of brackets, powers up to 99"
        raise InputError(asked, problem, SUCH_AS)
    return spelt


def evaluate(text: str, times: Mapping[int, float] | None = None) -> float:
    """Return what a sum of numbers comes to: + - * / **, brackets, exp, log, log10, sqrt, abs.

    Args:
        text: the sum.
        times: what its numbers are multiplied by first, counted as `operands` lists them.

    Raises:
        InputError: it is no such sum, or has no finite value.
    """
    asked = f"cannot compute {text[:100]!r}"
    advice = "write numbers with + - * / ** ( ), exp, log, log10, sqrt, abs"
    try:
        tree = _parsed(text)
        for at, node in enumerate(_numbers(tree)):
            node.value = float(node.value) * (times or {}).get(at, 1.0)  # type: ignore[arg-type]
        value = _value(tree)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError) as error:
        raise InputError(asked, str(error)[:300] or type(error).__name__, advice) from error
    if not math.isfinite(value):
        raise InputError(asked, f"it would be {value}", advice)
    return value


def operands(text: str) -> list[float]:
    """Return the numbers that a sum is made of."""
    try:
        tree = _parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [float(node.value) for node in _numbers(tree)]  # type: ignore[arg-type]


def _numbers(tree: ast.expr) -> list[ast.Constant]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    ]


def _parsed(text: str) -> ast.expr:
    if len(text) > LONGEST or text.count("(") > DEEPEST:
        raise ValueError(f"it has more than {LONGEST} characters, or {DEEPEST} brackets")
    return ast.parse(text.replace("−", "-").strip(), mode="eval").body


def _value(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.UnaryOp(op=sign, operand=inner) if type(sign) in _SIGNS:
            return _SIGNS[type(sign)](_value(inner))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
            result = _SIGNS[type(sign)](_value(left), _value(right))
            if isinstance(result, complex):
                raise ValueError("it is a complex number")
            return result
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](_value(inner))
        case _:
            raise ValueError(f"{ast.unparse(node)[:60]!r} has no place in a sum")
