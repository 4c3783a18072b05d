"""The multiplicity of molecules: a table of ground states first, then rules for free electrons.

`ground_states` has the tables, `atoms` what is known of a lone atom or ion, `free_electrons` the
rules, `reading` puts them together, `recheck` finds what a store has read otherwise.
"""

from .ground_states import ground_multiplicity
from .reading import Spin, read_spin

__all__ = ["Spin", "ground_multiplicity", "read_spin"]
