"""The multiplicity of molecules: a table of ground states first, then rules for free electrons.

`ground_states` has the tables, `atoms` what is known of a lone atom or ion, `free_electrons` the
rules; `reading` puts them together for bonds, `structures` for positions; `recheck` reads again
what was read before.
"""

from .reading import Spin, read_spin
from .structures import ground_multiplicity

__all__ = ["Spin", "ground_multiplicity", "read_spin"]
