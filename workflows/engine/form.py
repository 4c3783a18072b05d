"""The former place of `Form`, for one release."""

from workflows.engine import Form as Form
