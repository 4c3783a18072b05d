"""``python -m triplestore.blazegraph`` of before, for one release; see `remote.blazegraph`."""

from __future__ import annotations

import sys

from triplestore.remote.blazegraph import main

if __name__ == "__main__":
    print("warning: it is called python -m triplestore.remote.blazegraph now", file=sys.stderr)
    sys.exit(main())
