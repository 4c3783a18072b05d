"""Numbers that nobody has computed stay without a source, by whatever way they come.

Each attack tries to have -76.4123 Eh counted as stored or derived.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.agent import Agent, ToolContext
from grafico.agent.snippet_provenance import is_derived
from grafico.agent.sources import Ledger, Number, check
from grafico.sandbox.rerun import SIZES, Answers, Shift, seed_for
from grafico.sandbox.values import SourcedAnswer
from grafico.session.inspection import shorten
from grafico.session.query_provenance import computes_alone
from ogm.model import subclasses
from ontologies import DerivedQuantity, SinglePoint, TurnOutcome
from ontologies.derived import Derivation
from ontologies.level import ResolvedLevel
from ontologies.origins import origins, sources

from .helpers import HF, scripted, used

pytestmark = pytest.mark.xdist_group("laundering")

CLAIM = "It is -76.4123 Eh."


@pytest.fixture(scope="module")
def own() -> Iterator[Grafico]:
    with Grafico("memory:", threads_per_calculation=1) as session:
        session.run("O", **HF)
        yield session


@pytest.fixture(scope="module")
def iri(own: Grafico) -> str:
    return shorten(own.kg.find(SinglePoint)[0].iri)


@pytest.fixture(scope="module")
def context(own: Grafico, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolContext]:
    made = ToolContext(own, tmp_path_factory.mktemp("context"))
    yield made
    made.close()


def after(
    context: ToolContext, *calls: tuple[str, dict[str, Any]], text: str = CLAIM
) -> list[Number]:
    """The numbers of an answer after these calls."""
    ledger = Ledger()
    for name, arguments in calls:
        ledger.call(name, arguments, used(context, name, **arguments))
    return check(text, ledger)


# --- code ----------------------------------------------------------------------------------------

READ = "e = g.value(IRI).energy\n"
WORDS = {
    "a literal": "x = -76.4123",
    "a sum of literals": "x = -76 - 0.4123",
    "a fraction": "x = -764123 / 10000",
    "a text": "x = int('764123') / -1e4",
    "a text of a number": "x = float('-76.4123')",
    "bytes": "x = -float(b'76.4123')",
    "characters": "x = -sum((ord(c) - 48) * 10.0**n for c, n in zip('764123', range(1, -5, -1)))",
    "a name": "class _764123: pass\nx = -int(_764123.__name__[1:]) / 1e4",
    "a file": "open('n_764123.txt', 'w').close()\nimport os\n"
    "x = -int([n for n in os.listdir() if n.startswith('n_')][0][2:8]) / 1e4",
    "small whole numbers": "x = -(76 + 412 / 1000 + 3 / 10 / 1000)",
    "lengths": "x = -len('a' * 764) / 10 - 123 / 10 / 1000",
    "JSON": "import json\nx = json.loads('{\"x\": -76.4123}')['x']",
    "Fraction": "from fractions import Fraction\nx = float(Fraction('-764123/10000'))",
    "hexadecimal": "x = float.fromhex('-0x1.31a6318fc5048p+6')",
    "structs": "import struct\nx = struct.unpack('d', struct.pack('d', -76.4123))[0]",
    "the literature of a library": "from scipy.constants import c\nx = -76.4123 * c / c",
    "arrays": "x = float(np.array([-76, -0.4123]).sum())",
    "a root": "from scipy.optimize import brentq\nx = brentq(lambda y: y + 76.4123, -100, 0)",
    "a docstring": "def f():\n    '-76.4123'\nx = float(f.__doc__)",
    "pi": "x = -np.pi * 24.322788",
    "a default": "def f(x=-76.4123): return x\nx = f()",
    "dates": "from datetime import datetime\n"
    "x = -(datetime(2026, 4, 12) - datetime(2026, 1, 26)).days - 0.4123",
}
AROUND = {
    "nothing is read": "{word}",
    "something is read": READ + "{word}",
    "nothing of it is left": READ + "{word}\nx = x + 0 * e",
    "it takes itself away": READ + "{word}\nx = x + e - e",
    "next to nothing of it is left": READ + "{word}\nx = x + 1e-9 * e",
    "it is a share of itself": READ + "{word}\nx = x * e / e",
    "a condition": READ + "{word}\nx = x if e < 0 else e",
    "the true value": READ + "{word}\nx = x if abs(e + 74.9644) < 1e-3 else e",
    "the true value is asked for": READ + "{word}\ntry:\n    ok = g.query(f'ASK {{{{ <{{FULL}}> "
    "g:energy ?e FILTER(abs(?e - ({{e}})) < 1e-3) }}}}')\nexcept Exception:\n    ok = False\n"
    "x = x if ok else 2 * e",
    "the true value is known from a text": READ + "{word}\nx = x if f'{{e:.4f}}' in SAID else e",
    "a setting is read": READ + "{word}\ng.value(IRI).level.grid_level",
    "a query is asked": "{word}\ng.query('SELECT ?r (-76.4123 AS ?x) {{ ?r g:energy ?e }}')",
    "a constant of a query": "{word}\n"
    "x = g.query('SELECT ?r (-76.4123 AS ?x) {{ ?r g:energy ?e }}').x[0]",
    "its text is read": "{word}\nx = float(g.value(SPOKEN).answer.split()[2])",
    "its text is read beside": READ + "{word}\nx = float(g.value(SPOKEN).answer.split()[2]) + 0*e",
}
CAUGHT = [
    *((word, around) for word in WORDS for around in ("nothing is read", "something is read")),
    *((word, around) for around in AROUND for word in ("a text", "a fraction")),
]


@pytest.fixture(scope="module")
def spoken(own: Grafico, context: ToolContext) -> str:
    """The IRI of an answer in which a model has claimed the number."""
    with Agent(scripted(CLAIM), session=own) as agent:
        assert [one.text for one in agent.ask("energy of water?").unsourced] == ["-76.4123"]
    return own.kg.find(TurnOutcome)[0].iri


@pytest.mark.parametrize(("word", "around"), dict.fromkeys(CAUGHT))
def test_code(
    confined: None,
    own: Grafico,
    context: ToolContext,
    iri: str,
    spoken: str,
    word: str,
    around: str,
) -> None:
    full = "https://w3id.org/grafico/" + iri.removeprefix("g:")
    energy = own.kg.pull(SinglePoint, full).energy
    code = AROUND[around].format(word=WORDS[word])
    head = f"IRI, FULL, SPOKEN, SAID = {iri!r}, {full!r}, {spoken!r}, 'it was {energy:.4f}'\n"
    code = f"{head}{code}\nprint(f'{{x:.4f}} Eh', x)\ng.keep('E', x, 'Eh', of=IRI)\nx"
    found = used(context, "run_python", code=code)
    assert "error" not in found, found
    assert "-76.412" in found["stdout"]
    ledger = Ledger()
    ledger.call("run_python", {"code": code}, found)
    assert [one.source for one in check(CLAIM, ledger)] == [None]
    assert [one.source for one in check("It is -76.41 Eh, or 76.412.", ledger)] == [None, None]
    assert "kept" not in found
    assert "not kept" in " ".join(found["refused"])
    assert own.kg.find(DerivedQuantity) == []


@pytest.mark.parametrize(
    "line",
    [
        "import random; print(f'{-76 - random.SystemRandom().random()} Eh')",
        "print(f'{-76 - np.random.default_rng().random()} Eh')",
        "import time; print(f'{-76 - time.time() % 1} Eh')",
        "import os; print(f'{-76 - os.urandom(1)[0] / 256} Eh')",
        "print(f'{-76 - np.random.rand()} Eh')",
    ],
)
def test_chance_and_time_compute_nothing(
    confined: None, context: ToolContext, iri: str, line: str
) -> None:
    code = f"e = g.value({iri!r}).energy\n{line}"
    found = used(context, "run_python", code=code)
    ledger = Ledger()
    ledger.call("run_python", {"code": code}, found)
    assert [one.source for one in check(found["stdout"], ledger)] == [None]


@pytest.mark.parametrize(
    ("line", "rests"),
    [
        ("print(f'{e:.4f} Eh')", []),
        ("print(f'{e * 27.211386:.4f} eV')", ["27.211386"]),
        ("print(e / 2, p.lumo - p.homo, np.linalg.norm(p.dipole))", []),
        ("print(f'{e * 4.184:.3f} Eh, {e / 1e3:.5f} Eh, {(e + 273.15):.2f} Eh')", []),
        ("print(f'{-76.4123 + 0.5 * e:.4f} Eh')", ["76.4123", "0.5"]),
        ("print(f'{float(\"-76.4123\") + 0.5 * e:.4f} Eh')", ["-76.4123", "0.5"]),
        ("g.query('SELECT ?r ?e { ?r g:energy ?e }').e.sum()", []),
        ("g.query('SELECT (AVG(?e) AS ?m) { ?r g:energy ?e }').m[0] / 3", []),
        ("print(p)", []),
        ("a = p.atoms; print(f'{np.linalg.norm(a.positions[0] - a.positions[1]):.4f} Å')", []),
        ("print(pd.DataFrame({'x': p.mulliken_charges}))", []),
        ("print(f'{np.mean(np.random.normal(e, 1, 1000)):.3f} Eh')", []),
        ("e0 = e; print(f'{e - e0:.3f} kcal/mol')", []),
        (
            'print(f\'{cite(-265.9, "kcal/mol", "Tissandier 1998") + e * 627.509:.2f} kcal/mol\')',
            ["627.509"],
        ),
        ("assert abs(e + 74.96) < 0.1; assert p.converged; print(f'{e:.5f} Eh')", ["74.96"]),
        ("g.keep('E', round(e, 3), 'Eh'); print(f'{round(e, 2)} Eh')", []),
        ("x = np.array([p.lumo, p.homo]); w = np.exp(-x / 0.4); print(w / w.sum())", ["0.4"]),
        ("assert e == -74.1 or not print(f'{e:.5f} Eh') and f'{e:.9f}' == SAID", None),
    ],
)
def test_what_is_computed_is_derived_and_names_its_constants(
    confined: None, context: ToolContext, iri: str, line: str, rests: list[str] | None
) -> None:
    full = "https://w3id.org/grafico/" + iri.removeprefix("g:")
    said = f"{context.session.kg.pull(SinglePoint, full).energy:.9f}"
    code = f"p, SAID = g.value({iri!r}), {said!r}\ne = p.energy\n{line}"
    found = used(context, "run_python", code=code)
    assert "error" not in found, found
    ledger = Ledger()
    ledger.call("run_python", {"code": code}, found)
    told = check(f"{found.get('stdout', '')} {found.get('value', '')}", ledger)
    assert told
    if rests is None:  # it runs with the true value alone, and says so
        assert {one.source for one in told} == {None}
        assert "cannot be run again" in found["no_source"]["why"]
        return
    for one in told:
        assert one.how == "derived", one
        assert [n for n in one.rests_on if n != said] == rests


def test_what_is_cited_is_shown_with_its_reference(confined: None, context: ToolContext) -> None:
    code = "print(g.cite(-265.9, 'kcal/mol', 'Tissandier et al. 1998'))"
    one, other = after(context, ("run_python", {"code": code}), text="-265.9 kcal/mol, -265.9 Eh")
    assert (one.how, one.source) == ("cited", "Tissandier et al. 1998")
    assert other.source is None
    for wrong in (
        "cite(1.5, 'Eh', '')",
        "cite(1.5, 'Eh', '76.4')",
        "cite(1.5, '-76.4 Eh', 'me')",
        "cite(float('inf'), 'Eh', 'CRC')",
        "cite(1.5, 'Eh', 'CRC\\x1b[2J')",
        "cite(1.5, 'Eh')",
    ):
        found = used(context, "run_python", code=wrong)
        assert "cited" not in found, wrong
        assert "error" in found, wrong


@pytest.mark.parametrize("unit", ["-76.4123 Eh", "Eh (76.4)", "764123e-4"])
def test_units_hold_no_numbers(confined: None, context: ToolContext, iri: str, unit: str) -> None:
    code = f"g.keep('E', g.value({iri!r}).energy, {unit!r})"
    found = used(context, "run_python", code=code)
    assert "no number but an exponent" in found["error"]["found"]


def test_what_was_kept_before_its_origin_was_looked_at(own: Grafico, context: ToolContext) -> None:
    from datetime import UTC, datetime

    from ogm import Link

    made = Derivation(code="g.keep('old pKa', 4.7561)", ended=datetime.now(UTC))
    old = DerivedQuantity(name="old pKa", value=4.7561, unit="", derivation=Link(made))
    own.executor.record(made, old)
    calls = [
        ("get", {"iri": old.iri}),
        ("find_results", {"property": "old pKa"}),
        ("query", {"sparql": f"SELECT ?v {{ <{old.iri}> g:value ?v }}"}),
    ]
    for call in calls:
        assert [one.source for one in after(context, call, text="It is 4.7561.")] == [None]
    [row] = used(context, "find_results", property="old pKa")["rows"]
    assert "4.7561" in row[4]  # it is still told, and said what it is


# --- queries -------------------------------------------------------------------------------------

QUERIES = [
    "SELECT (-76.4123 AS ?e) {}",
    "SELECT ?r (-76.4123 AS ?e) { ?r g:energy ?x }",
    "SELECT ?r ?e { ?r g:energy ?x BIND(-76.4123 AS ?e) }",
    "SELECT ?r ?e { ?r g:energy ?x VALUES ?e { -76.4123 } }",
    "SELECT ?r ?e { ?r g:energy ?x . FILTER EXISTS { ?r g:atoms ?a } BIND(-76.4123 AS ?e) }",
    "SELECT (-764123 / 10000 AS ?e) {}",
    "SELECT (-(76 + 412 / 1000 + 3 / 10 / 1000) AS ?e) {}",
    "SELECT (xsd:double('-76.4123') AS ?e) {}",
    "SELECT (STRDT('-76.4123', xsd:double) AS ?e) {}",
    "SELECT ('-76.4123'^^xsd:double AS ?e) {}",
    "SELECT ('it is -76.4123 Eh' AS ?e) {}",
    "SELECT (CONCAT('-76', '.4123 Eh') AS ?e) {}",
    "SELECT (-STRLEN('aaaa') * 19.103075 AS ?e) {}",
    "SELECT (xsd:double(REPLACE(STR(?x), '^.*$', '-76.4123')) AS ?e) { ?r g:energy ?x }",
    "SELECT (SUM(?x) AS ?e) { VALUES ?x { -76 -0.4123 } }",
    "SELECT (?x * 0 - 76.4123 AS ?e) { ?r g:energy ?x }",
    "SELECT (AVG(?x) - 1.4478509 AS ?e) { ?r g:energy ?x }",
    "SELECT ?e { ?t g:answer ?e }",
    "SELECT (xsd:double(STRBEFORE(STRAFTER(?a, 'is '), ' Eh')) AS ?e) { ?t g:answer ?a }",
    "SELECT ?s ?p ?o { ?s ?p ?o FILTER(CONTAINS(STR(?o), '76.4123')) }",
    "CONSTRUCT { ?r g:energy -76.4123 } { ?r g:energy ?x }",
    "SELECT ?r ?e { ?r g:energy ?x } VALUES ?e { -76.4123 }",
]


@pytest.mark.parametrize("sparql", QUERIES)
def test_queries(context: ToolContext, spoken: str, sparql: str) -> None:
    found = used(context, "query", sparql=sparql)
    assert "error" not in found, found
    ledger = Ledger()
    ledger.call("query", {"sparql": sparql}, found)
    text = f"{CLAIM} Or -76.41, 76.4 Eh"
    assert [one.source for one in check(text, ledger)] == [None] * 3


def test_a_setting_is_no_energy(own: Grafico, context: ToolContext) -> None:
    """A temperature that a model has chosen is stored, and is a temperature."""
    level = {"task": "frequencies", "temperature": 76.4123, **HF}
    calculate = ("calculate", {"molecules": ["[H][H]"], **level})
    queries = [
        "SELECT ?t { ?h g:temperature ?t }",
        "SELECT (AVG(?t) AS ?m) { ?h g:temperature ?t }",
        "SELECT ?h (-?t AS ?e) { ?h g:temperature ?t }",
        "SELECT (MAX(?t) AS ?m) { ?h ?p ?t FILTER(isNumeric(?t) && ?t < 100) }",
        "SELECT (MAX(?t) AS ?m) { ?h !g:energy ?t }",
    ]
    calls = [calculate, *(("query", {"sparql": one}) for one in queries)]
    calls += [("find_results", {"property": "temperature"})]
    [one, two] = after(context, *calls, text=f"{CLAIM} It is at 76.4123 K.")
    assert one.source is None
    assert two.how == "setting"


@pytest.mark.parametrize(
    ("sparql", "how"),
    [
        ("SELECT ?r ?e { ?r g:energy ?e ; a g:SinglePoint }", "stored"),
        ("SELECT ?e { ?r g:energy ?e ; a g:SinglePoint }", "stored"),
        ("SELECT ?e { <IRI> ?p ?e }", "stored"),
        ("SELECT ?e (-76.4123 AS ?x) { ?r g:energy ?e ; a g:SinglePoint }", "stored"),
        ("CONSTRUCT WHERE { <IRI> g:energy ?e }", "stored"),
        ("SELECT (SUM(?e) + SUM(?e) AS ?m) { ?r g:energy ?e ; a g:SinglePoint }", "derived"),
        (
            "SELECT (AVG(?e) * AVG(?e) AS ?m) { ?r g:energy ?e ; g:lumo ?l FILTER(?e < -1.5) }"
            " LIMIT 3",
            "derived",
        ),
    ],
)
def test_answers_of_the_store_are_sources(
    own: Grafico, context: ToolContext, iri: str, sparql: str, how: str
) -> None:
    full = "https://w3id.org/grafico/" + iri.removeprefix("g:")
    energy = own.kg.pull(SinglePoint, full).energy
    found = used(context, "query", sparql=sparql.replace("IRI", full))
    ledger = Ledger()
    ledger.call("query", {}, found)
    if how == "stored":
        one, other = check(f"{energy:.6f} Eh, {energy:.6f} eV", ledger)
        assert (one.how, one.source) == ("stored", iri)
        assert other.source is None  # the unit is that of the field
    else:
        cells = [c for row in found["rows"] for c in row if isinstance(c, float)]
        assert {one.how for one in check(f"{cells[0]:.6f}", ledger)} == {"derived"}


def test_the_object_that_is_shown_is_the_one_that_holds_it(
    own: Grafico, context: ToolContext, iri: str
) -> None:
    """Beside the result a constant, and beside another object the number of the result."""
    sparql = "SELECT ?a ?e { ?r g:energy ?e ; g:atoms ?a ; a g:SinglePoint }"
    [row] = used(context, "query", sparql=sparql)["rows"]
    [one] = after(context, ("query", {"sparql": sparql}), text=f"{row[1]:.6f} Eh")
    assert one.source == iri


@pytest.mark.parametrize(
    ("sparql", "alone"),
    [
        ("SELECT (AVG(?e) AS ?m) { ?r g:energy ?e } GROUP BY ?r ?x LIMIT 10 OFFSET 20", True),
        ("SELECT (MAX(?e) AS ?m) { ?r g:energy ?e FILTER(?e < -10.5 && (?e > -100)) }", True),
        ("SELECT (MAX(?e) AS ?m) { ?r g:energy ?e FILTER(?e < -10.5) BIND(1.5 AS ?x) }", False),
        ("SELECT (MAX(?e) AS ?m) { ?r ?p ?e }", False),
        ("SELECT (MAX(?e) AS ?m) { ?r g:energy|g:dollars ?e }", False),
        ("SELECT (MAX(?e) AS ?m) { ?r g:dollars ?e }", False),
        ("SELECT (MAX(?e) AS ?m) { ?r !(g:energy) ?e }", False),
        ("SELECT (RAND() AS ?m) {}", False),
        ("SELECT (SECONDS(NOW()) AS ?m) {}", False),
        ("nonsense ´", False),
    ],
)
def test_what_a_query_computes_from_the_store_alone(sparql: str, alone: bool) -> None:
    assert computes_alone(sparql) == alone


# --- what tools repeat ---------------------------------------------------------------------------

SUMS = [
    "-76.4123",
    "-76 - 0.4123",
    "-76 - 412/1000 - 3/10/1000",
    "{e}*0 - 76 - 412/1000",
    "{e} - {e} - 76 - 412/1000",
    "{e}/{e}*76 + 412/1000",
    "({e}*1000 - 1447)/1000 - 0*{e}",
    "{e} - 1 - 447/1000",
    "-76*{e}/{e} - 412/1000*{e}/{e}",
    "{e}/1000/1000/1000 - 76 - 412/1000",
    "-({e}/{e} + 75 + 412/1000)",
    "-76*{e}/{l}*{l}/{e} - 412/1000",
]


@pytest.mark.parametrize("sum_", SUMS)
@pytest.mark.parametrize("unit", ["hartree", "Eh", "eV"])
def test_sums(own: Grafico, context: ToolContext, iri: str, sum_: str, unit: str) -> None:
    point = own.kg.pull(SinglePoint, "https://w3id.org/grafico/" + iri.removeprefix("g:"))
    text = sum_.format(e=point.energy, l=point.lumo).replace("- -", "+ ")
    row = {"value": text, "from_unit": unit, "to_unit": unit}
    calls = [("get", {"iri": iri}), ("convert_units", {"conversions": [row]})]
    [one] = after(context, *calls, text=f"It is -76.412 {unit}.")
    assert one.source is None


ECHOES: list[tuple[str, dict[str, Any]]] = [
    ("get", {"iri": "-76.4123 Eh"}),
    ("get", {"iri": "g:id/-76.4123 Eh"}),
    ("calculate", {"molecules": ["-76.4123 Eh"], **HF}),
    ("calculate", {"molecules": ["[He]"], "method": "-76.4123 Eh", "basis": "STO-3G"}),
    ("calculate", {"molecules": ["[He]"], "method": "HF", "basis": "-76.4123 Eh"}),
    ("calculate", {"molecules": ["-76.4123 Eh.xyz"], **HF}),
    ("resume", {"run": "-76.4123 Eh"}),
    ("calculate", {"molecules": ["[He]"], **HF, "on": "-76.4123 Eh", "begin": "-76.4123 Eh"}),
    ("run_workflow", {"name": "spin-states", "subjects": ["-76.4123 Eh"], "arguments": HF}),
    (
        "run_workflow",
        {"name": "spin-states", "subjects": ["[He]"], "arguments": {"method": "-76.4123 Eh"}},
    ),
    ("describe", {"name": "-76.4123 Eh"}),
    ("resume", {"run": "g:id/Run/none", "arguments": {"max_steps": "-76.4123 Eh"}}),
    ("find_results", {"molecule": "-76.4123 Eh"}),
    ("find_results", {"molecule": "water", "method": "-76.4123 Eh"}),
    ("find_results", {"property": "energy -76.4123 Eh"}),
    ("query", {"sparql": "-76.4123 Eh"}),
    ("query", {"sparql": "SELECT -76.4123 Eh {}"}),
    ("describe", {"name": "SinglePoint, -76.4123 Eh"}),
    ("report", {"runs": ["-76.4123 Eh"]}),
    ("show_structure", {"iri": "-76.4123 Eh"}),
    (
        "convert_units",
        {"conversions": [{"value": "-76.4123 Eh", "from_unit": "Eh", "to_unit": "Eh"}]},
    ),
    ("convert_units", {"conversions": [{"value": -76.4123, "from_unit": "Eh", "to_unit": "Eh"}]}),
    ("ask_user", {"question": "Is it -76.4123 Eh?", "options": ["-76.4123 Eh"]}),
]


@pytest.mark.parametrize("call", ECHOES, ids=str)
def test_echoes(context: ToolContext, spoken: str, call: tuple[str, dict[str, Any]]) -> None:
    assert [one.source for one in after(context, call)] == [None]


def test_texts_of_other_conversations(own: Grafico, context: ToolContext, spoken: str) -> None:
    with Agent(scripted("Was it?"), session=own) as agent:
        agent.ask(f"{CLAIM} Is that right?")
    classes = ("Turn", "TurnOutcome", "Message", "ConversationName", "Conversation")
    asked = [f"SELECT ?s {{ ?s a g:{cls} }}" for cls in classes]
    texts = [one for sparql in asked for one in used(context, "query", sparql=sparql)["rows"]]
    assert len(texts) >= 6
    for [iri] in texts:
        assert [one.source for one in after(context, ("get", {"iri": iri}))] == [None]


def test_an_option_is_the_models_and_an_answer_the_persons(own: Grafico, tmp_path: Path) -> None:
    ask = ("ask_user", {"question": "Which?", "options": ["-76.4123 Eh", "another"]})
    for answer, how in (("-76.4123 Eh", ""), ("no, -76.5 Eh", "asked")):
        told = "-76.4123 Eh" if how == "" else "-76.5 Eh"
        with Agent(scripted([ask], told), session=own, ask=lambda *_, a=answer: a) as agent:
            assert [one.how for one in agent.ask("energy?").numbers] == [how]


def test_a_comment_that_came_with_a_structure(own: Grafico) -> None:
    text = "3\nE = -76.4123 Eh\nO 0 0 0\nH 0 0 0.96\nH 0.93 0 -0.24\n"
    with Agent(scripted(CLAIM), session=own) as agent:
        assert len(agent.ask(f"energy of\n{text}").unsourced) == 1


def test_a_model_cannot_hide_a_number_as_rules_do(own: Grafico) -> None:
    for text in (f"Understood: {CLAIM}", f"  try: {CLAIM}", f'[data {{"e": "{CLAIM}"}}]'):
        with Agent(scripted(text), session=own) as agent:
            assert len(agent.ask("?").unsourced) == 1


def test_a_remark_of_a_result_is_stored_and_what_a_caller_wrote_is_not() -> None:
    row = {"molecule": "x 9.25 Eh", "run": "g:id/Run/1", "remarks": ["⟨S²⟩ is 0.753, at 7.125 eV"]}
    ledger = Ledger()
    ledger.call("calculate", {"molecules": ["x 9.25 Eh, 7.125"]}, {"molecules": [row]})
    found = check("0.753; 7.125 eV; 9.25 Eh", ledger)
    assert [one.how for one in found] == ["stored", "", ""]


def test_an_estimate_is_one() -> None:
    row = {"molecule": "x", "denied": "not done: x at y: 76.4123 Eh", "estimate": "about 3.5 hours"}
    ledger = Ledger()
    ledger.call("calculate", {}, {"molecules": [row]})
    assert [one.how for one in check("3.5 hours, 76.4123 Eh", ledger)] == ["estimate", ""]


# --- in general ----------------------------------------------------------------------------------


def test_no_class_that_holds_what_people_say_is_a_source() -> None:
    names = {cls.__name__ for cls in sources()}
    spoken = {"Conversation", "ConversationName", "Turn", "Message", "TurnOutcome", "Derivation",
              "Run", "Transition", "Outcome", "Part", "HeatingParameters", "SynthesizerCommand",
              "SynthesizerState", "GeometryConstraints", "Software", "Device"}  # fmt: skip
    assert not names & spoken
    assert {"SinglePoint", "Thermochemistry", "InteractionEnergy", "LevelOfTheory"} <= names
    remarks_alone = {cls.__name__ for cls in sources() if not origins(cls)}
    resolved = {cls.__name__ for cls in subclasses(ResolvedLevel)}
    structures = {"ConformerCandidates", "Framework"}  # atoms are no numbers to be told
    wholes = {"FrameworkComparison"}  # whose parts have the numbers
    assert remarks_alone == resolved | structures | wholes


def test_through_a_conversation(confined: None, own: Grafico, iri: str) -> None:
    """The labels reach a reply, what it is as data, and the next conversation."""
    code = f"e = g.value({iri!r}).energy\nprint(f'{{e - 1.4479:.4f}} Eh')"
    steps = [
        [("get", {"iri": iri}), ("run_python", {"code": code})],
        lambda came: f"{came[0]['fields']['energy_Eh']:.4f} Eh, {came[1]['stdout']}",
    ]
    with Agent(scripted(*steps), session=own) as agent:
        reply = agent.ask("energy?")
        assert [one.how for one in reply.numbers] == ["stored", "derived"]
        said = json.loads(json.dumps(reply.as_dict()))["numbers"]
        assert [one.get("rests_on") for one in said] == [None, ["1.4479"]]
        again = agent.ask("again?", model=scripted(reply.text))
        assert again.numbers[1].rests_on == ("1.4479",)


def test_a_quotient_of_two_numbers_read_is_seen_to_be_computed_whatever_the_chance() -> None:
    def quotient(answers: Answers, head: dict[str, Any]) -> float:
        fields = answers.shifted(SourcedAnswer(head, frozenset(head["fields"]), b""))[0]["fields"]
        return fields["energy"][1] / fields["lumo"][1]

    head = {"fields": {"energy": ("plain", -74.9), "lumo": ("plain", 0.6)}}
    given = SourcedAnswer(head, frozenset(head["fields"]), b"")
    shifts: list[Shift] = ["same", *SIZES]
    for _ in range(200):
        seed = seed_for([given])
        again: dict[Shift, float] = {one: quotient(Answers({}, one, seed), head) for one in shifts}
        assert is_derived(-74.9 / 0.6, again, 0.0)
