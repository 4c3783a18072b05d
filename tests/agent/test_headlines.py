"""What a model reads of one object begins with what that came to, and may be said."""

from __future__ import annotations

from grafico.agent.context import ToolContext
from grafico.agent.sources import Ledger, check
from ontologies.acidity import AcidityConstant
from tests.agent.helpers import used
from tests.ontologies.instances import LATER

[CONSTANT] = [one for one in LATER if isinstance(one, AcidityConstant)]


def test_an_object_begins_with_its_headline(context: ToolContext) -> None:
    context.session.kg.push(CONSTANT)
    found = used(context, "get", iri=CONSTANT.iri)
    assert [*found][:4] == ["iri", "class", "headline", "fields"]
    pka = found["headline"]["pka"]
    assert pka == round(CONSTANT.acid.pka, 2)
    ledger = Ledger()
    ledger.call("get", {"iri": CONSTANT.iri}, found)
    [number] = check(f"the pKa is {pka:.2f}.", ledger)
    assert number.source == found["iri"]


def test_what_nobody_computed_has_none(context: ToolContext) -> None:
    context.session.kg.push(CONSTANT)
    assert "headline" not in used(context, "get", iri=CONSTANT.level.iri)
