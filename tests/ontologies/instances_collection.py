"""Objects of the classes of `ontologies.collection`."""

from ogm import GraphModel, Link
from ontologies.collection import Batch, Collection, Entry

LIBRARY = Collection(source_name="library.csv", digest="0" * 64, kind="molecule", reading="{}")
WATER = Entry(
    collection=Link(LIBRARY),
    index=0,
    name="water",
    place="line 2",
    text="O",
    columns='{"shelf": "1"}',
    arguments='{"charge": 0}',
    size=3,
    notes=("as it is",),
)
BROKEN = Entry(
    collection=Link(LIBRARY), index=1, name="broken", place="line 3", problem="a ring is open"
)
SCREENED = Batch(collection=Link(LIBRARY), workflow="dft", settings=('{"method": "HF"}',))
EVERYTHING: list[GraphModel] = [LIBRARY, WATER, BROKEN, SCREENED]
