"""Liquid handling: designs of experiments, from which protocols are planned."""

from __future__ import annotations

from ogm import GraphModel


class LiquidDesign(GraphModel, key=("text",)):
    """A typed design of samples that are weighed, pipetted and treated in vials.

    Attributes:
        name: what the experiment is called.
        text: the whole design as JSON; each number stands with its unit.
    """

    name: str
    text: str
