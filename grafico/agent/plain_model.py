"""The former place of `plain_model`, for one release."""

from .rules.model import plain_model as plain_model
