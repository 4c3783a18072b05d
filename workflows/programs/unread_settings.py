"""PySCF without the files of settings that it runs as Python when it is imported.

It looks for `.pyscf_conf.py` in the working folder, which may be somebody else's, and in the home;
both would change numbers behind a level of theory's back, as nothing of it is recorded.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

VARIABLE = "PYSCF_CONFIG_FILE"
"""By which the environment names such a file; that is the word of who runs this."""

NOTHING = Path(__file__).with_name("pyscf_no_settings.py")
"""What PySCF is given in their place."""

MODULE = "pyscf.__config__"


def load_without_files() -> None:
    """Load PySCF's own settings as it has them, unless PySCF is loaded already.

    It costs a millisecond, and PySCF itself is not imported.
    """
    if "pyscf" in sys.modules or MODULE in sys.modules or VARIABLE in os.environ:
        return
    package = importlib.util.find_spec("pyscf")
    if package is None or package.origin is None:
        return
    spec = importlib.util.spec_from_file_location(
        MODULE, Path(package.origin).with_name("__config__.py")
    )
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    os.environ[VARIABLE] = str(NOTHING)
    try:
        spec.loader.exec_module(module)
    finally:
        del os.environ[VARIABLE]
    sys.modules[MODULE] = module
