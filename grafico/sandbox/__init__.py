"""Python written by a language model, run confined, with values of the knowledge graph by IRI."""

from .jail import probe
from .limits import SandboxLimits
from .outcome import Artefact, Exceeded, Ran
from .session import Sandbox
from .values import Values

__all__ = ["Artefact", "Exceeded", "Ran", "Sandbox", "SandboxLimits", "Values", "probe"]
