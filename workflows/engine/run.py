"""The former place of `Journey`, for one release."""

from workflows.engine import Journey as Journey
