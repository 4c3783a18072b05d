"""Requests that go on with the one before: "the same in water", "and for ethanol"."""

from __future__ import annotations

import re

from workflows.registry import workflows
from workflows.registry.levels import LevelForm
from workflows.registry.spoken import Sentence

FOLLOWS = re.compile(
    r"(?i)(?:(?:ok|okay|thanks|thank you|great|good|fine)[,.!]? )?(?:(?:(?:and|then|now|also),? )*"
    r"(?:please )?(?:(?:could|can|would|will) (?:you|we|i) )?(?:(?:please|also|now|kindly) )*"
    r"(?:(?:do|repeat|re-?do|re-?run|run|compute|calculate|try|give me|show me|what is|what's|"
    r"express|report|convert|quote|put|give|show|use) )?"
    r"(?:the same|same|that|this|it|those|them|(?:what|how) about|ditto|likewise|similarly|idem|"
    r"once more|again)(?: (?:thing|molecule|job|calculation|again))?(?![\w-])(?:,? but(?= ))?"
    r"|(?:(?:and|then|now|also|repeat|redo|rerun),? )*(?:please )?(?:add|include) (?!\d)"
    r"|(?:sorry,? )?(?:I )?forgot to (?:say|mention)[,:]?(?: (?:that )?(?:it is|it's|this is|"
    r"it has)(?= ))?(?= )"
    r"|(?:and |but )?what if (?:it|this|that) (?:were|was|is|had)(?= )"
    r"|(?:(?:once more|again),? )(?:but )?(?=with|in|at|for)"
    r"|(?:(?:and|then|now|also|please|repeat|re-?do|re-?run|once more|again),? )+(?!\w+ as))"
)
ADDS = re.compile(r"(?i)\b(?:add|include) $")
WITH_IT = re.compile(
    r"(?i)\bcompar\w* (?:(?:it|this|that) )?(?:with|to|against)\b|\bversus\b|\bvs\b"
    r"|\bhow (?:much )?(?:do|does) (?:it|they|this|that|these|the \w+) "
    r"(?:change|differ|shift|vary)\b"
)
MADE = re.compile(
    r"(?i)\b(?:that|this|the (?:optimi[sz]ed|relaxed|resulting|same|final|lowest|second|first|"
    r"last)) "
    r"(?:structure|geometry|minimum|conformer|one)\b(?=.)"
)
"""What an earlier request came to."""
AGAIN = re.compile(
    r"(?i)^this time,? |,? (?:again|instead|this time|once more|(?:please )?re-?(?:do|run)(?: it)?)"
    r"(?=[ ?!.]*$)"
)


def go_on(at: Sentence, earlier: Sentence, unit: str, follows: re.Match[str] | None) -> None:
    """Let what a request leaves open be as in the one before it."""
    said = at.subjects and (at.reads or at.workflow)
    left = {n for n, some in earlier.asked.items() if [*some] != [{n: True}]} - {*at.asked}
    if ADDS.search(follows[0] if follows else "") and len(earlier.subjects) < 2:
        at.refuse("it is not clear to what that is added; say all of it")
    if said and (left or earlier.mentions) and follows and "same" not in follows[0]:
        alone = at.text[follows.end() :].strip()
        at.refuse("it is not clear whether the rest is as before", alone, f"the same: {alone}")
    if not (at.subjects or at.reads or at.asked or at.mentions or at.workflow or unit):
        at.refuse("it is not said what is to be different")
    quantity = {one[0] for one in earlier.mentions} <= earlier.spans and len(at.subjects) == 1
    if (at.subjects and earlier.mentions and not (quantity and len(earlier.subjects) == 1)) or (
        at.mentions and len(earlier.subjects) > 1
    ):
        at.refuse("it is not clear what is of which; say all of it")
    usual = [name for _, name in at.reads if name != "compare"]
    workflow = at.workflow or ("" if usual else earlier.workflow)
    whole = (workflows()[workflow] if workflow else workflows().usual).whole
    kinds = [(workflows()[n] if n else workflows().usual) for n in (workflow, earlier.workflow)]
    if not at.subjects and len({one.whole.subject.metavar for one in kinds}) > 1:
        at.refuse(f"that is not asked of a {kinds[1].whole.subject.name}; say all of it")
    there = LevelForm.offered() if workflow != earlier.workflow else whole.arguments
    adds = len(earlier.subjects) > 1 and follows is not None and ADDS.search(follows[0])
    both = (adds or WITH_IT.search(at.text)) and len(at.subjects) + len(at.asked) == 1
    for about in at.asked if both else ():  # what was asked before, and what it is compared with
        at.asked[about] = [*earlier.asked.get(about, [{}]), *at.asked[about]]
    if both and at.subjects:
        at.subjects = [*earlier.subjects, *at.subjects]
    for about, some in earlier.asked.items():
        kept = [one for one in some if {*one} <= {*there} & {*whole.arguments}]
        if about not in at.asked:
            at.asked |= {about: kept} if kept else {}
        elif len(some := [one for one in kept if one] or kept[:1]) == 1:  # {} to be compared with
            at.asked[about] = [some[0] | one for one in at.asked[about]] + [{}] * (len(kept) - 1)
        elif any({*one} - {*new} for one in kept for new in at.asked[about]):
            at.refuse("several things were asked before; say all of it")
    at.outside = at.outside or (earlier.outside if "charge" in at.asked or not usual else "")
    alike = {one[2] for one in at.mentions} & {one[2] for one in earlier.mentions}
    if alike and at.asked.keys() - earlier.asked.keys():  # an affinity after a vertical ionisation
        at.refuse("it is not clear whether the rest is as before; say all of it")
    if not at.subjects and at.reads and "compare" in {name for _, name in earlier.reads}:
        at.reads.append((len(at.text), "compare"))
    at.source = at.source or ("" if at.subjects else earlier.source)
    at.mentions = at.mentions or earlier.mentions
    at.subjects = at.subjects or earlier.subjects
    if not usual and workflow == earlier.workflow:
        at.reads += earlier.reads
    at.workflow = workflow
