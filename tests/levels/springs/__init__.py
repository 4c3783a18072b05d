"""A package that brings levels of its own: springs between all atoms."""

LEVELS = {"Springs": "springs.program:SPRINGS"}
