"""The classes as an ontology: one name, one meaning; everything says what it is."""

import importlib
import inspect
import pkgutil

import pytest

import ogm
import ontologies
from ogm import GraphModel
from ogm.model import subclasses

MODULES = [
    importlib.import_module(f"{package.__name__}.{found.name}")
    for package in (ogm, ontologies)
    for found in pkgutil.iter_modules(package.__path__)
]
CLASSES = sorted(
    {c for c in subclasses(GraphModel) if c.__module__.startswith("ontologies.")},
    key=lambda c: c.__name__,
)


def test_one_property_has_one_meaning() -> None:
    meanings: dict[str, dict[object, str]] = {}
    for cls in CLASSES:
        for plan in cls.fields():
            kind = "object" if plan.kind in ("model", "link") else plan.kind
            kind = "str" if kind == "enum" else kind
            where = f"{cls.__name__}.{plan.name}"
            meanings.setdefault(plan.predicate, {}).setdefault((kind, plan.unit), where)
    clashes = {name: found for name, found in meanings.items() if len(found) > 1}
    assert not clashes


def test_classes_have_terms_of_their_own() -> None:
    assert len({cls.term() for cls in CLASSES}) == len(CLASSES)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_what_is_public_is_described(module: object) -> None:
    missing: list[str] = []
    for name, thing in vars(module).items():
        if name.startswith("_") or getattr(thing, "__module__", "") != getattr(module, "__name__"):  # noqa: B009
            continue
        if inspect.isclass(thing) or inspect.isfunction(thing):
            own = vars(thing) if inspect.isclass(thing) else {}
            members = [
                (f"{name}.{key}", getattr(value, "__func__", value))
                for key, value in own.items()
                if not key.startswith("_")
                and isinstance(
                    value, (classmethod, property, type(missing.append), type(inspect.getdoc))
                )
            ]
            missing += [
                key for key, value in [(name, thing), *members] if not inspect.getdoc(value)
            ]
    assert inspect.getdoc(module)
    assert not missing
