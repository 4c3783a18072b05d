"""What can be asked and computed: workflows, levels, properties, and how they are found."""

from typing import TYPE_CHECKING

from triplestore.lazy import lazily

if TYPE_CHECKING:
    from .catalogue import Action as Action
    from .catalogue import Declared as Declared
    from .catalogue import SubjectKind as SubjectKind
    from .catalogue import Workflow as Workflow
    from .catalogue import Workflows as Workflows
    from .catalogue import Wrapper as Wrapper
    from .catalogue import subject_kinds as subject_kinds
    from .catalogue import subject_of as subject_of
    from .catalogue import subjects as subjects
    from .catalogue import workflows as workflows
    from .readers import Reader as Reader
    from .readers import Taken as Taken

CATALOGUE = (
    *("Action", "Declared", "SubjectKind", "Workflow", "Workflows", "Wrapper"),
    *("subject_kinds", "subject_of", "subjects", "workflows"),
)

READERS = dict.fromkeys(("Reader", "Taken"), "readers")

__getattr__ = lazily(__name__, dict.fromkeys(CATALOGUE, "catalogue") | READERS)
