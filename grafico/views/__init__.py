"""How blocks are rendered: as HTML, for a notebook, and by the terminal, JSON and models.

No module here knows a domain: what there is to show, `workflows.object_blocks` and the domains say.
"""
