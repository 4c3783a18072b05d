"""How people ask the microwave synthesizer: "heat vial 3 to 100 °C for 50 min at 3 atm".

A sentence is about it where it says what becomes of its lid, its vial, its parameters or its
conversion. What else is said has to be understood, too: words that are left refuse it.
"""

from __future__ import annotations

import re

from workflows.registry.spoken import FIGURE, Sentence, figure

_IT = (
    r"(?:microwave(?: (?:synthesi[sz]er|reactor|oven))?|synthesi[sz]er|reactor|device|machine|"
    r"instrument)"
)
_IN = rf"(?: (?:(?:in)?to|in|inside|of|on|with|from|out of) (?:the |a )?{_IT})?"
_VIAL = r"(?:the |a )?(?:reaction )?vial(?: (?:number|no\.?|nr\.?))?(?: ?#?(\d{1,3}))?(?![\w.])"
_LID = r"(?:the |its )?(?:lid|cover)"
_THE = r"(?:the |its |these |a )?(?:new )?(?:heating |reaction )?"
_WHAT = r"(?:parameters?|conditions?|settings?|temperature|duration|time|pressure)"


def _any(*ways: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{'|'.join(ways)})")


LID = {
    "open": _any(
        rf"(?:open|raise|lift|unlock)(?: up)? {_LID}(?: up)?{_IN}",
        rf"{_LID} (?:is |be |to be )?(?:open(?:ed)?|up)\b{_IN}",
        rf"open(?: up)? (?:the )?{_IT}",
    ),
    "closed": _any(
        rf"(?:close|shut|lower|lock)(?: down)? {_LID}(?: down)?{_IN}",
        rf"{_LID} (?:is |be |to be )?(?:closed|shut|down)\b{_IN}",
        rf"(?:close|shut)(?: down)? (?:the )?{_IT}",
    ),
}
OPEN, CLOSE = _any(r"open(?:ed|ing)?\b"), _any(r"clos(?:e|ed|ing)\b", r"shut\b")
UNLOAD = _any(
    rf"(?:unload|remove|eject|take out|take|withdraw) {_VIAL}(?: out)?{_IN}",
    rf"(?:empty (?:the )?{_IT}|(?:have|leave|with) no vial{_IN})",
)
LOAD = _any(
    rf"(?:load|insert|put|place|use|mount|introduce)(?: in)? {_VIAL}(?: in(?:side)?\b)?{_IN}",
    rf"{_VIAL} (?:is |be )?(?:inside|loaded)\b{_IN}",
)
HEAT = _any(
    rf"(?:heat|warm|irradiate|microwave)(?: up)? {_VIAL}(?: up)?{_IN}",
    rf"(?:heat|warm|irradiate)(?: up)? (?:it|its contents?)(?: up)?{_IN}",
    rf"(?:start|begin|run|carry out|perform) (?:the )?heating(?: (?:of )?{_VIAL})?{_IN}",
)
PARAMETERS = _any(
    rf"(?:set|update|change|adjust|configure|use|program) {_THE}{_WHAT}(?: (?:as|to|at|of))?\b:?"
    rf"{_IN}",
    rf"(?:heating |reaction )?(?:parameters|conditions|settings)\b:?{_IN}",
    rf"(?:set|program) (?:the )?{_IT} to\b",
)
CONVERSION = _any(
    r"(?:read|get|check|measure|tell me|give me|show me|report|what is|what's|determine|find) "
    r"(?:the )?(?:per ?cent(?:age)? )?conversion(?: percent(?:age)?)?\b"
    r"(?: of (?:the )?(?:vial|reaction))?"
)
SESSION = _any(
    r"(?:allocate|start|open|begin|reserve|get|create) (?:a |the |me a )?(?:new )?session\b" + _IN
)
_MINUTES = r"[ -]?(?:minutes?|mins?\.?)(?!\w)"
_HOURS = r"[ -]?(?:hours?|hrs?|h)(?!\w)"
_FOR = r"(?:(?:a )?(?:duration|time) (?:of |to )?)?(?:(?:for|of|during|over) )?"
NUMBERS = {
    "temperature": (
        re.compile(
            rf"(?i)(?:\b(?:a )?temperature (?:of |to )?)?(?:\b(?:to|at|of) )?({FIGURE}) ?"
            r"(?:(?:°|deg(?:rees?)?\.?) ?(?:C(?:elsius)?)?|C(?:elsius)?)(?!\w)"
        ),
        1.0,
    ),
    "duration": (re.compile(rf"(?i)(?<!\w){_FOR}({FIGURE}){_MINUTES}"), 1.0),
    "hours": (re.compile(rf"(?i)(?<!\w){_FOR}({FIGURE}){_HOURS}"), 60.0),
    "pressure": (
        re.compile(
            rf"(?i)(?:\b(?:a )?pressure (?:of |to )?)?(?:\b(?:at|under|of) )?({FIGURE}) ?"
            r"atm(?:ospheres?)?\.?(?!\w)(?: (?:of )?pressure)?"
        ),
        1.0,
    ),
}
HOUR = re.compile(r"(?i)\b(?:for |during )?(?:an|half an) hour\b")
SAID = re.compile(
    r"(?i)[;,]? ?\b(?:but )?(?:do not|don't) (?:start|heat)(?: it| yet)*\b|"
    rf"\b(?:using|in|of|on|with) (?:the |a )?{_IT}\b|\b(?:then|afterwards|ready|go ahead and|"
    r"make sure(?: that)?|you|can|could|would|want|need|have|leave|keep|let|should|and|with)\b"
)
ELSEWHERE = re.compile(r"(?i)\b(?:clamp|rack|heats? of|heat capacit)")
"""Of a film station's vial, and of what is computed."""
QUESTION = re.compile(r"(?i)^\W*(?:is|are|was|were|why|when|where|who|how|did|does|has|have you)\b")
ASK = "heat vial 3 to 100 °C for 50 min at 3 atm"


def wholes(at: Sentence) -> None:
    """Read what the synthesizer is asked for, where that is all that a sentence says."""
    text = at.rest
    numbers = [found for found, _ in NUMBERS.values() if found.search(text)]
    sets = bool(PARAMETERS.search(text)) and bool(numbers)
    loads = any(_number(one) for one in LOAD.finditer(text))
    others = (UNLOAD, HEAT, CONVERSION, SESSION, *LID.values())
    if ELSEWHERE.search(text) or not (sets or loads or any(one.search(text) for one in others)):
        return
    at.workflow = "microwave"
    if QUESTION.search(at.text):
        at.refuse("that is a question on how it stands", "grafico microwave --status")
    for name, found in (("session", SESSION), ("conversion", CONVERSION), ("unload", UNLOAD)):
        if at.take(found):
            at.ask(name, True)
    heated = at.take(HEAT)
    if heated:
        at.ask("heat", True)
    vials = {number for one in (*heated, *at.take(LOAD)) if (number := _number(one))}
    if vials:
        at.ask("vial", min(vials))
    if len(vials) > 1:
        at.refuse("several vials are named, and one is inside at a time", "ask in turn")
    if OPEN.search(text) and CLOSE.search(text):
        at.refuse("the lid is to be open and closed", "say how it is to be in the end")
    for word, found in LID.items():
        if at.take(found):
            at.ask("lid", word)
    at.take(PARAMETERS)
    _take_numbers(at)
    at.take(SAID)


def _number(found: re.Match[str]) -> int | None:
    """Return the number of the vial that words name."""
    said = next(filter(None, found.groups()), None)
    return None if said is None else int(said)


def _take_numbers(at: Sentence) -> None:
    """Take out temperature in °C, duration in min and pressure in atm."""
    said: dict[str, set[float]] = {}
    for name, (found, unit) in NUMBERS.items():
        for one in at.take(found):
            value = figure(one[1]) * unit
            said.setdefault("duration" if name == "hours" else name, set()).add(value)
    for one in at.take(HOUR):
        said.setdefault("duration", set()).add(30.0 if "half" in one[0].lower() else 60.0)
    for name, values in said.items():
        at.ask(name, min(values))
        if len(values) > 1:
            at.refuse(f"several values of the {name} were given", "say it once")


def settle(at: Sentence) -> None:
    """Refuse what is computed, in a sentence that asks a device for something."""
    if at.workflow == "microwave" and at.reads:
        at.refuse("a device computes nothing; ask for one of the two", ASK)
