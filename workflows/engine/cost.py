"""The former place of `Cost` and `Granted`, for one release."""

from workflows.engine import Cost as Cost
from workflows.engine import Granted as Granted
