"""The former place of `plan`, for one release."""

from .rules.reader import plan as plan
