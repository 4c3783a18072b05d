"""Words that carry nothing of their own in a request: those of grammar, of asking and of manners.

What may change what is meant is none of them: negations, exceptions, comparisons, numbers, units.
"""

from __future__ import annotations

import re

_GRAMMAR = """
a an the of for and or to at with by on in as from about via upon because
is are was were be been being am do does did done can could would will should shall may might must
have has had having get gets got getting go goes going went gone
it its they them their these those this that each both all every some any such there here
i i'd i'll i'm i've me my mine myself we we'd we'll we're we've us our ours you you'd you'll you're
you've your yours he she who whose what what's whats only between what're how how's which when
whether let's that's there's here's they're it's one's one so then now also just too
very quite really actually simply please pls plz kindly first next finally afterwards subsequently
"""
_MANNERS = """
hello hi hey dear thanks thx cheers regards grafico folks everyone morning afternoon evening day
good ok okay alright sure yes mind kind fine great nice lovely wonderful excellent perfect helpful
handy useful grateful thankful glad happy keen eager curious able possible possibly perhaps maybe
quick quickly brief briefly rough roughly approximate approximately currently basically
bit soon asap somebody someone anybody anyone people reviewer referee boss supervisor colleague
colleagues student students professor teaching lecture course paper manuscript thesis talk poster
project seminar homework purpose
respective respectively corresponding accordingly
interested out large big much many value values number numbers figure figures result results
answer data info information details calc job task question need needs file files
computation computations simulation simulations estimation determination evaluation prediction
calculation calculations theoretical computational computationally purposes
"""
_VERBS = """
find compute calculate determine run perform show tell give return want let check evaluate take see
provide estimate predict obtain need like know simulate use report make produce generate display
print output list deliver supply send model examine investigate study describe assess quantify
characterise explore work carry build construct create prepare start launch execute apply employ
utilise adopt express quote present summarise collect gather appreciate thank wonder hope wish ask
request require try search retrieve extract derive inspect consider treat assist help
conduct undertake pursue seek acquire establish ascertain deduce elucidate specify offer
attempt begin proceed read
"""
IRREGULAR = """
found ran told shown gave given let taken took saw seen known made sent built sought began begun
knew
"""


def inflected(verb: str) -> set[str]:
    """Return a verb in all its regular forms, with both spellings of -ise."""
    stem = verb.removesuffix("e")
    if re.search(r"[^aeiou]y$", verb):
        forms = {f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"}
    elif re.fullmatch(r"[^aeiou]*[aeiou][bdglmnpt]", verb):  # run, get
        forms = {f"{verb}s", f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing"}
    else:
        es = "es" if re.search(r"(?:s|x|z|ch|sh)$", verb) else "s"
        forms = {f"{verb}{es}", f"{stem}ed", f"{stem}ing"}
    both = {verb, *forms}
    return both | {re.sub(r"is(?=e|ing$)", "iz", one) for one in both if "ise" in verb}


IDLE = frozenset(
    (
        *_GRAMMAR.split(),
        *_MANNERS.split(),
        *IRREGULAR.split(),
        *(form for verb in _VERBS.split() for form in inflected(verb)),
    )
)

_ASKING = """
a an the of for and or & what what's whats how which is are was does do can could you i we me us to
please give tell show find get list need want look up know see have has value values data all
between with if
"""
ASKING = frozenset(_ASKING.split())
"""Words of a sentence that asks for what is known of something; none says of what."""
