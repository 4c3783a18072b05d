"""How blocks are rendered: as HTML, for a notebook, and by the terminal, JSON and models."""
