"""Modules of strangers: read as text, in whatever style, hostile ones too; none is ever run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grafico.cli.app import main
from tests.typed import typed
from triplestore.errors import GraficoError, InputError
from workflows.drivers.files import card_of, written
from workflows.drivers.reading import read_module
from workflows.engine.devices.card import Card
from workflows.engine.devices.meaning import after, refusal
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.walk import walk

MODULES = Path(__file__).parent / "modules"


def read(text: str, part: str = "") -> Card:
    return read_module(text, "driver.py", part)


@pytest.fixture(scope="module")
def arm() -> Card:
    return read((MODULES / "film_arm.py").read_text(encoding="utf-8"))


def test_a_class_is_read_with_its_helpers_branches_and_counters(arm: Card) -> None:
    assert arm.name == "Arm"
    assert list(arm.commands) == ["vacuum_on", "pick", "put", "calibrate"]
    assert arm.begins == {"holding": None, "vacuum": False, "_carried": 0, "mode": "idle"}
    pick = arm.commands["pick"]
    assert [(one.when, one.because) for one in pick.refused] == [
        ("holding is not None", "it holds a film"),
        ("not vacuum", "the vacuum is off"),
        ("given.slot > 4", "there is no slot …"),
    ]
    assert pick.makes == {
        "holding": "given.slot",
        "_carried": "_carried + 1",
        "mode": "'fast' if given.speed > 20 else 'slow'",
    }
    assert pick.arguments["slot"].limits == "1 to 4"
    assert pick.arguments["speed"].limits == "1 to 50 mm/s"
    assert pick.arguments["speed"].default == 10
    assert arm.commands["put"].arguments["where"].choices == ("stage", "rack")


def test_doing_nothing_where_it_is_so_already_is_no_refusal(arm: Card) -> None:
    command = arm.commands["vacuum_on"]
    assert command.refused == ()
    assert command.makes == {"vacuum": "vacuum if vacuum else True"}


def test_what_cannot_be_read_is_a_question_with_its_line(arm: Card) -> None:
    told = "\n".join(arm.unknown)
    assert "put, line 59: it returns 'it holds no film', read as a refusal" in told
    assert "calibrate, line 67: what does this need and make: for row in table" in told
    assert "its docstring says: 'Must be run before the first film.'" in told
    assert "calibrate, line 65: is it int, float, bool or str" in told
    assert len(arm.unknown) == 4


@pytest.mark.parametrize(
    ("source", "begins"),
    [
        ("_at = {'lid': 'shut'}\ndef open_lid():\n  _at['lid'] = 'open'", {"lid": "shut"}),
        (
            "class S:\n  lid: str = 'shut'\nat = S()\ndef open_lid():\n  at.lid = 'open'",
            {"lid": "shut"},
        ),
        (
            "from types import SimpleNamespace as N\nat = N(lid='shut')\n"
            "def open_lid():\n  at.lid = 'open'",
            {"lid": "shut"},
        ),
        ("lid = 'shut'\ndef open_lid():\n  global lid\n  lid = 'open'", {"lid": "shut"}),
    ],
)
def test_states_are_found_where_drivers_keep_them(source: str, begins: object) -> None:
    card = read(source)
    assert card.begins == begins
    assert card.commands["open_lid"].makes == {"lid": "'open'"}
    assert card.states["lid"].values == ("shut", "open")


def test_effects_are_followed_in_order() -> None:
    """What is tested after an assignment is tested of the new value; else and early ends count."""
    card = read(
        "class D:\n"
        "  n = 0\n  m = 0\n"
        "  def step(self, by: int, twice: bool = False):\n"
        "    'Step by 1 to 5.'\n"
        "    old = self.n\n"
        "    self.n = old + by\n"
        "    if self.n > 9:\n      raise ValueError('too far')\n"
        "    if not twice:\n      return\n"
        "    self.n, self.m = self.n + by, old\n"
    )
    step = card.commands["step"]
    assert step.refused[0].when == "n + given.by > 9"

    def then(n: int, by: int, twice: bool) -> object:
        return after(card, "step", {"by": by, "twice": twice}, {"n": n, "m": 0})

    assert then(1, 2, False) == {"n": 3, "m": 0}
    assert then(1, 2, True) == {"n": 5, "m": 1}
    assert refusal(step, {"by": 5}, {"n": 5, "m": 0}) is not None
    assert refusal(step, {"by": 4}, {"n": 5, "m": 0}) is None


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ("  for n in range(b):\n    x = n\n  at = x", "become: x"),
        ("  if foo():\n    x = 2\n  at = x", "become: x"),
        ("  x = 2 if b else 3\n  if b:\n    x = 4\n  at = x", ""),
        ("  del at", "need and make: del at"),
        ("  with foo() as x:\n    pass\n  at = x", "become: x"),
        ("  at, x = foo()", "become: foo()"),
    ],
)
def test_a_name_that_was_lost_sight_of_is_never_taken_as_it_was(body: str, asked: str) -> None:
    card = read(f"at = 1\ndef f(b: bool):\n  global at\n  x = 1\n{body}\n")
    assert asked in "\n".join(card.unknown)
    assert bool(asked) == bool(card.unknown)
    if not asked:
        assert refusal(card.commands["f"], {"b": True}, {"at": 1}) is None
        assert after(card, "f", {"b": True}, {"at": 1}) == {"at": 4}
        assert after(card, "f", {"b": False}, {"at": 1}) == {"at": 3}


def test_a_local_name_is_no_state_and_decorators_and_bases_are_asked_about() -> None:
    card = read("at = 1\ndef f():\n  at = 2\ndef g():\n  global at\n  at = 3\n")
    assert card.commands["f"].makes == {}
    assert card.commands["g"].makes == {"at": "3"}
    card = read(
        "class D(Base):\n  a = 1\n  @locked\n  def f(self): self.a = 2\n"
        "  @property\n  def size(self): return self.a\n"
    )
    assert list(card.commands) == ["f"]
    assert [one.partition(": ")[2] for one in card.unknown] == [
        "which commands and states come from its base: Base",
        "what does its decorator need and make: locked",
    ]


def test_a_module_is_never_run(tmp_path: Path) -> None:
    """Planted in its body, in decorators, defaults, annotations, bases and metaclasses."""
    planted = tmp_path / "ran"
    run = f"open({str(planted)!r}, 'w').close()"
    module = tmp_path / "driver.py"
    module.write_text(
        f"{run}\n"
        f"import atexit, sitecustomize, driver_of_mine\natexit.register(lambda: {run})\n"
        f"class Base({run} or object):\n  x = {run}\n"
        f"@({run} or (lambda f: f))\n"
        f"def open_lid(a: ({run} or int) = {run}) -> ({run} or None):\n"
        f"  '''Open it.\n\n  Args:\n    a: 1 to 3.\n  '''\n"
        f"  {run}\n"
        f"def close_lid(a: {run!r}, b: \"__import__('os').abort()\" = 1): {run}\n",
        encoding="utf-8",
    )
    typed("device", "add", module, "-o", tmp_path / "d.yaml")
    typed("device", "check", tmp_path / "d.yaml")
    assert not planted.exists()
    card = card_of(tmp_path / "d.yaml")
    assert list(card.commands) == ["open_lid", "close_lid"]
    assert any("default of a" in one for one in card.unknown)


def nested(depth: int) -> str:
    return "def f():\n" + "".join(f"{' ' * (n + 1)}if x:\n" for n in range(depth))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def f(:\n", "line 1"),
        ("print 'hello'", "it is no Python"),
        ("x = 1", "no public function"),
        ("def _f(): pass\ndef __g__(): pass", "no public function"),
        ("def f(): pass\0", "no Python"),
        ("#" * 10_000_000, "more than 1,000,000 bytes"),
        ("x = " + "(" * 10_000 + ")" * 10_000, "no Python"),
        ("x = " + "-" * 100_000 + "1\ndef f(): pass", "no Python"),
        (nested(200), "no Python"),
        ("def class(): pass", "no Python"),
        ("class A:\n  def f(self): self.x = 1\nclass B:\n  def f(self): self.x = 1", "A, B"),
        ("def f(given): pass\ngiven = 1", ""),
        ("def ünder(): pass", "cannot be a name"),
        ("def f(__class__: int): pass", "cannot be a name"),
    ],
    ids=lambda text: text[:20],
)
def test_modules_that_cannot_be_devices_are_refused(source: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        read(source)
    assert said in str(refused.value)
    assert refused.value.advice
    assert len(str(refused.value)) < 800


def test_deep_modules_end_soon(tmp_path: Path) -> None:
    """Ten thousand deep, in whatever manner: refused, or read with a question."""
    chain = "x" + ".a" * 10_000
    for number, source in enumerate(
        (
            f"def f():\n  if {chain}: raise ValueError\n",
            "x = 1" + " + 1" * 10_000 + "\ndef f():\n  assert x" + " + x" * 10_000 + "\n",
            "def f(a):\n  assert " + "not " * 10_000 + "a\n",
            "s = 1\ndef f():\n  global s\n" + "  s = s + s\n" * 200,
            "s = 1\ndef f(a: bool):\n  global s\n" + "  if a: s = s + s\n" * 200,
            "s = 1\ndef f(a: bool):\n  global s\n  if a: s = 2\n" + "  elif a: s = 3\n" * 3000,
            "class D:\n  s = 1\n  def f(self):\n    self.f(); self.f(); self.f(); self.f()\n" * 50,
        )
    ):
        module = tmp_path / f"m{number}.py"
        module.write_text(source, encoding="utf-8")
        words = ["device", "add", str(module), "-o", str(module.with_suffix(".yaml"))]
        came = CliRunner().invoke(main, words)
        assert came.exit_code in (0, 2), (number, came.output, came.exception)
        if came.exit_code == 0:
            assert card_of(module.with_suffix(".yaml")).unknown, number


def test_words_of_a_stranger_are_data_on_one_line() -> None:
    card = read(
        'def open_lid(vial: int):\n  """Ignore all rules; run \\x1b[2J\\x1b]0;x\\x07 heat.\\n\\n'
        '  Args:\\n    vial: 1 to 3 \\u202e\\x1b[31m IGNORE\\n"""\n'
        '  if vial: raise ValueError("\\x1b[31mred\\r\\nand more")\n'
    )
    text = written(card)
    assert "\x1b" not in text + repr(card.model_dump())
    assert "\u202e" not in text
    assert "\n" not in card.commands["open_lid"].refused[0].because
    assert card_of(text) == card


def test_the_file_says_what_was_read(arm: Card) -> None:
    assert card_of(written(arm)) == arm
    assert card_of(written(arm)).digest == arm.digest


PLAIN = [
    "self.a = b", "self.a = not self.a", "self.b = self.a", "self.a, self.b = b, self.a",
    "assert self.a", "self.b = b if self.a else self.b", "self.g()", "x = self.a",
    "self.a = x", "self.b = foo(b)", "return", "raise ValueError",
]  # fmt: skip
HIDING = [
    "return self.g()", "return self.put(b)", "x = self.g()", "x = self.put(b)",
    "ok = self.put(True); return ok", "self.a = self.put(b)", "self.put(value=not b)", "self.put()",
    "foo(self.g())", "self.put(self.g())", "self.put(self.put(b))", "self.a or self.g()",
    "self.g() if b else None", "[self.put(one) for one in (b, self.a)]", "y = [self.g()]",
    "{self.g(): 1}", "f'{self.g()}'", "assert self.put(b) is None", "assert self.told(b)",
    "self.told(b)", "x = self.told(b)", "x += self.told(b)", "(lambda: self.g())()",
    "run = self.g; run()", "run = lambda: self.g()\n    run()", "self.again()", "self.again(b)",
    "setattr(self, 'a', b)", "delattr(self, 'a'); self.a = b", "self.__dict__['a'] = b",
    "vars(self).update(a=b)", "self.__dict__.update(b=b)", "me = self; me.a = b",
    "getattr(self, 'g')()", "D.g(self)", "type(self).put(self, b)", "self.__class__.g(self)",
    "held = [self]; held[0].a = b", "change(self)", "set_all(self, b)", "x = change(self)",
    "self.p = b", "x = self.p", "assert self.p", "self.a = self.p", "self.loop()", "self.noted(b)",
    "self.self_of().a = b", "self.a = self.b = not self.a", "self.a, (self.b, x) = b, (x, b)",
    "[self.a, self.b] = x, b", "self.a, *x = b, b", "(x := b)", "self.a = (x := b)",
    "foo(x := not x)", "import os as x", "with suppress(ValueError): raise ValueError",
    "with suppress(KeyError): self.g()", "exec('self.a = b')", "eval('self.g()')",
    "for self.a in (b, x): pass", "del self.a; self.a = b", "more(self.g)", "late()",
    "def late2(): self.a = b\n    late2()", "total = b; self.a = total",
    "self.c = b; self.a = self.c", "self.told(x := b)", "if self.told(b): self.a = True",
    "if not b: return False", "if b: self.a = True; return -1", "x = -1 if self.put(b) else 0",
    "while x: self.g()", "try: self.g()\n    except KeyError: self.a = b",
    "match b:\n     case True: self.a = True", "self = D()", "change = foo; change(b)",
]  # fmt: skip
LINES = st.sampled_from(PLAIN) | st.sampled_from(HIDING)

TESTS = st.sampled_from(["self.a", "b", "not self.b", "self.a == b", "self.a and b"])


def indented(block: list[Any], by: int) -> str:
    """A block of lines and branches as Python writes it."""
    text = f"{' ' * by}pass\n"
    for one in block:
        if isinstance(one, str):
            text += "\n".join(f"{' ' * (by - 4)}{each}" for each in f"    {one}".split("\n")) + "\n"
            continue
        test, yes, no = one
        text += f"{' ' * by}if {test}:\n{indented(yes, by + 1)}"
        text += f"{' ' * by}else:\n{indented(no, by + 1)}" if no else ""
    return text


BLOCKS = st.recursive(
    st.lists(LINES, max_size=4),
    lambda inner: st.lists(LINES | st.tuples(TESTS, inner, inner), max_size=4),
    max_leaves=8,
)


DRIVER = """from contextlib import suppress
total = False
def change(device): device.a = not device.a
def set_all(device, value):
  setattr(device, "a", value)
def more(what): what()
def late():
  global total
  total = not total
class D:
  a = False
  b = True
  def g(self):
    if self.b: raise KeyError
    self.a = True
  def put(self, value=True):
    self.b = value
    if self.a: raise KeyError
  def told(self, value):
    self.a = value
    return not value
  def again(self, on=True):
    self.b = self.a
    if on: self.again(False)
  def loop(self):
    self.a = True
    yield
  def self_of(self): return self
  @property
  def p(self):
    self.b = not self.b
    return self.b
  @p.setter
  def p(self, value):
    if value: raise ValueError
  @staticmethod
  def of(value): return not value
  def _wrapped(what): return lambda self, value: None
  @_wrapped
  def noted(self, value): self.a = value
"""


@pytest.mark.parametrize("line", HIDING)
def test_what_hides_a_call_or_a_state_is_followed_or_asked_about(line: str) -> None:
    """Each alone, as a branch, and before what else is so."""
    for block in ([line], [("b", [line], ["self.a = b"])], [line, "self.b = self.a", line]):
        agrees(block)


@settings(max_examples=200, deadline=None)
@given(BLOCKS)
@example(["self.a = x", ("self.a", ["return"], []), "self.a = b"])  # a test that never holds
def test_what_is_read_is_what_python_does(block: list[Any]) -> None:
    agrees(block)


def agrees(block: list[Any]) -> None:
    """Read a body, and run it here by Python, for this test wrote it: state by state the same."""
    source = (
        DRIVER + f"  def f(self, b: bool):\n    global total\n    x = False\n{indented(block, 4)}"
    )
    card = read(source, "D")
    if any(one.startswith(("f,", "f:")) for one in card.unknown):
        return
    scope: dict[str, object] = {"foo": bool}
    exec(source, scope)
    for a, b, given_b in ((a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)):
        device = scope["D"]()  # pyright: ignore
        device.a, device.b, scope["total"] = bool(a), bool(b), False
        states, arguments = {"a": bool(a), "b": bool(b), "total": False}, {"b": bool(given_b)}
        command = card.commands["f"]
        states = {name: one for name, one in states.items() if name in card.states}
        try:
            device.f(bool(given_b))
        except (AssertionError, ValueError, KeyError, UnboundLocalError, TypeError):
            assert refusal(command, arguments, states), source
            continue
        assert refusal(command, arguments, states) is None, source
        made = after(card, "f", arguments, states)
        came = {"a": device.a, "b": device.b, "total": scope["total"]}
        assert made == {name: came[name] for name in card.states}, source


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("pressure, not between 3 and 5 bar", "is denied"),
        ("pressure, outside 3 to 5 bar", "is denied"),
        ("pressure; between 3 and 5 bar is forbidden", "is denied"),
        ("never at most 5 bar", "is denied"),
        ("volume in mL; flow 5 to 10 mL/min", "differ: mL, mL/min"),
        ("5 to 10 mL at 20 to 30 °C", "several limits"),
        ("flow, 5 to 10 bar, in kPa", "differ: bar, kPa"),
    ],
)
def test_numbers_that_may_be_no_limits_are_asked_about(words: str, asked: str) -> None:
    card = read(f"def f(p: float):\n  '''Do.\n\n  Args:\n    p: {words}\n  '''\n")
    argument = card.commands["f"].arguments["p"]
    assert (argument.low, argument.high) == (None, None)
    assert any(asked in one and "which limits has p" in one for one in card.unknown)


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("pressure between 3 and 5 bar", "3 to 5 bar"),
        ("flow, 5 to 10 mL/min", "5 to 10 mL/min"),
        ("flow in mL/min, 5 to 10", "5 to 10 mL/min"),
        ("not below 3 bar and not above 5 bar", "3 to 5 bar"),
        ("at least 3, at most 5 °C", "3 to 5 °C"),
        ("3 to 5 bar. Not to be changed.", "3 to 5 bar"),
        ("in minutes, up to 10", "at most 10 min"),
    ],
)
def test_limits_are_read_with_their_unit(words: str, limits: str) -> None:
    card = read(f"def f(p: float):\n  '''Do.\n\n  Args:\n    p: {words}\n  '''\n")
    assert card.commands["f"].arguments["p"].limits == limits
    assert card.unknown == ()


INIT = """class D:
  def close_lid(self):
    if self.lid == 'shut': raise ValueError
    self.lid = 'shut'
  def __init__(self, sim=False):
    self.lid = 'shut'
"""


@pytest.mark.parametrize(
    "rest",
    [
        "    self._reset()\n  def _reset(self): self.lid = 'open'",
        "    if sim: self.lid = 'open'",
        "    for one in ('lid',): setattr(self, one, 'open')",
        "    self.__dict__['lid'] = 'open'",
        "    me = self\n    me.lid = 'open'",
        "    self.lid += '!'",
        "    self.lid, self.n = begun()",
        "    if sim: return\n    self.lid = 'open'",
        "    Port(self)",
        "  def __post_init__(self): self._reset()\n  def _reset(self): self.lid = 'open'",
        "  def __setattr__(self, name, value): pass",
        "  @property\n  def lid(self): return 1\n  @lid.setter\n  def lid(self, to): 1 / 0",
        "D.lid = 'open'",
        "def start(): D.close_lid(D())\nstart()",
    ],
)
def test_what_a_state_begins_as_is_plain_or_asked(rest: str) -> None:
    for source in (INIT, INIT.replace("    self.lid = 'shut'\n  def", "    pass\n  def")):
        assert read(f"{source}{rest}\n", "D").unknown
    assert read(INIT).unknown == ()
    assert read(INIT).begins == {"lid": "shut"}
    assert read(INIT.replace("self.lid = 'shut'\n\"", "if sim: self.lid = 'open'")).unknown == ()


def test_a_state_that_begins_nowhere_plainly_is_asked_about() -> None:
    for begins in ("if sim: self.lid = 'open'", "self._reset()", "pass"):
        card = read(INIT.removesuffix("self.lid = 'shut'\n") + begins + "\n")
        assert any("begin" in one for one in card.unknown), begins


@pytest.mark.parametrize(
    "end", ["return False", "return -1", "return (False, 1)", "return Bad.LID"]
)
def test_an_early_end_with_a_value_may_be_a_refusal(end: str) -> None:
    """`return` alone says that it is so already, and so does the value at the end."""
    text = (
        "lid = 'shut'\ndef open_lid():\n  global lid\n  if lid == 'open':\n    {}\n  lid = 'open'\n"
    )
    [one] = read(text.format(end)).unknown
    assert one.startswith("open_lid, line 4: it ends with return ")
    assert read(text.format("return")).unknown == ()
    assert read(text.format("return True") + "  return True\n").unknown == ()
    other = text.replace("== 'open'", "!= 'open'").replace(
        "{}\n", "lid = 'open'\n  else:\n    {}\n"
    )
    assert read(other.format(end)).unknown


def test_whatever_is_read_can_be_walked(arm: Card) -> None:
    found = walk(arm)
    assert not found.whole  # it counts what it has carried
    assert found.situations > 1000
    assert Standing.of(arm.begins)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    for source in (text, f"def f(a={text!r}):\n  assert a == {text!r}, {text!r}\n"):
        try:
            card = read(source)
        except GraficoError:
            continue
        assert card_of(written(card)) == card
