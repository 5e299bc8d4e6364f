"""The version of this package."""

import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def _read_version() -> str:
    """That of the installed package, or of the folder that it is run from without an install.

    The Node-RED package carries the source and puts it on the path of a virtual environment, so
    that nothing is built and the code is never older than the nodes.
    """
    try:
        return version("schedule-bridge")
    except PackageNotFoundError:
        document = Path(__file__).parents[3] / "pyproject.toml"
        return str(tomllib.loads(document.read_text("utf-8"))["project"]["version"])


VERSION = _read_version()
