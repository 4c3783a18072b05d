"""The former place of `Definition` and what belongs to it, for one release."""

from workflows.engine import Definition as Definition
from workflows.engine import Given as Given
from workflows.engine import Prepared as Prepared
from workflows.engine import Subject as Subject
