"""Settings: command line, environment, project file, user file, default, in this order."""

from __future__ import annotations

import difflib
import hashlib
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from triplestore import QueryLimits
from triplestore.errors import InputError
from triplestore.remote.address import read_address
from triplestore.store import is_remote
from workflows.engine.runners.cluster import Cluster

from .deprecated_settings import RENAMED, by_new_names

PROJECT_FILE = "grafico.toml"


def default_store() -> str:
    """Return the folder of the default store, under the user's data directory."""
    return str(platformdirs.user_data_path("grafico") / "store")


def user_file() -> Path:
    """Return where the user's settings lie."""
    return platformdirs.user_config_path("grafico") / PROJECT_FILE


class Settings(BaseSettings):
    """What can be set, by argument, by `GRAFICO_…`, in `grafico.toml` here or of the user.

    Attributes:
        store: folder of the store, `memory:` for one that is forgotten, or a server's URL.
        blobs: folder for large arrays, which several machines may share; None for one beside the
            quads, or of this user for a server's store.
        threads_per_calculation: of each calculation; None for a slot's share of the cores.
        slots: calculations at once: on each graphics card (None: 3), or where there is none on the
            cores (None: as many as wait, which share them).
        total_cores: that may be used in all; None for all that this machine lets us use.
        memory: MB that may be used in all, shared out by cores; None for four fifths of all.
        hours: a calculation that is estimated to take longer must be forced.
        patience: seconds without a sign of life after which a calculation is given up; None for
            half an hour.
        method: of a calculation that names none.
        basis: likewise.
        online: whether PubChem may be asked for names that are not known here.
        pubchem: address of its PUG REST, or of one that answers likewise.
        crystal_folder: of CIF files whose names begin with reference codes, such as an export of
            the CSD or CoRE MOF; empty for none.
        crystal_url: address of the CIF file of a reference code, with `{code}` in its place; it is
            recorded, so that it has no query and no password; empty for none.
        trace: where spans go: `off`, a file, `logfire`, or the URL of an OpenTelemetry collector.
        agent_model: the language model of `grafico ask`, by its name in pydantic-ai; empty for
            plain requests, which rules understand.
        agent_base_url: of a server that speaks as OpenAI's chat does; empty for the provider's own.
            Keys come from the provider's own variables (`OPENAI_API_KEY`, …) and from nowhere else.
        router_model: the language model that chooses the steps of what the agent runs; empty for
            the cheapest plan.
        agent_temperature: of the sampling; None for the model's own.
        agent_effort: how much a model thinks before it answers; None for its own way.
        agent_cost_limit: US dollars after which a conversation is given up; None for no limit.
        agent_token_limit: tokens, in and out, after which a conversation is given up; likewise.
        agent_request_limit: requests to the model after which one question is given up.
        agent_history_tokens: of a conversation that a model sees; of what is older, the IRIs.
        agent_web: whether the language model may ask public search engines; what it asks them
            leaves this machine.
        query_size: bytes of a query written by somebody else; the next six bound it likewise, as
            `triplestore.Limits` says. Their own bounds keep the check of a query quick.
        query_triples: triple patterns.
        query_groups: pairs of braces.
        query_optional_depth: OPTIONAL inside OPTIONAL.
        query_union_branches: branches of UNION.
        query_nesting: brackets open at once.
        query_operators: keywords, operators and parentheses.
        query_seconds: after which it is stopped.
        query_rows: rows or triples after which its answer is cut.
        query_bytes: bytes of text after which its answer is cut.
        query_memory: MB that the store's process may hold while it answers such queries; None for
            a quarter of the machine's, or of what this process may use if that is less.
        clusters: where jobs can go, by name: a section `[clusters.NAME]` each.
    """

    model_config = SettingsConfigDict(env_prefix="GRAFICO_", extra="forbid", frozen=True)

    store: str = Field(default_factory=default_store, min_length=1)
    blobs: Path | None = None
    threads_per_calculation: Annotated[int, Field(ge=1)] | None = None
    slots: Annotated[int, Field(ge=1)] | None = None
    total_cores: Annotated[int, Field(ge=1)] | None = None
    memory: Annotated[int, Field(ge=100)] | None = None
    hours: Annotated[float, Field(gt=0)] = 24.0
    patience: Annotated[float, Field(ge=1, allow_inf_nan=False)] | None = None
    method: str = "B3LYP"
    basis: str = "def2-SVP"
    online: bool = False
    pubchem: str = "https://pubchem.ncbi.nlm.nih.gov/rest/pug"
    crystal_folder: str = ""
    crystal_url: Annotated[str, Field(pattern=r"^(https?://[^\s?#@{}]*\{code\}[^\s?#@{}]*)?$")] = ""
    trace: Annotated[str, Field(min_length=1)] = "off"
    agent_model: str = ""
    agent_base_url: Annotated[str, Field(pattern=r"^(https?://\S+)?$")] = ""
    router_model: str = ""
    agent_temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] | None = None
    agent_effort: Literal["minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    agent_cost_limit: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    agent_token_limit: Annotated[int, Field(ge=1)] | None = None
    agent_request_limit: Annotated[int, Field(ge=1, le=1000)] = 50
    agent_history_tokens: Annotated[int, Field(ge=4000)] = 60_000
    agent_web: bool = False
    query_size: Annotated[int, Field(ge=1, le=1_000_000)] = QueryLimits.size
    query_triples: Annotated[int, Field(ge=0, le=80)] = QueryLimits.triples
    query_groups: Annotated[int, Field(ge=0, le=50)] = QueryLimits.groups
    query_optional_depth: Annotated[int, Field(ge=0, le=20)] = QueryLimits.optional_depth
    query_union_branches: Annotated[int, Field(ge=0, le=50)] = QueryLimits.union_branches
    query_nesting: Annotated[int, Field(ge=1, le=40)] = QueryLimits.nesting
    query_operators: Annotated[int, Field(ge=1, le=400)] = QueryLimits.operators
    query_seconds: Annotated[float, Field(gt=0, le=86_400)] = 45.0
    query_rows: Annotated[int, Field(ge=1)] = 100_000
    query_bytes: Annotated[int, Field(ge=1)] = 64_000_000
    query_memory: Annotated[int, Field(ge=100, le=10_000_000)] | None = None
    clusters: dict[str, Cluster] = Field(default_factory=dict[str, Cluster])

    @property
    def defaults(self) -> dict[str, Any]:
        """What forms are filled in with where nobody says anything, by field."""
        said = self.model_dump(include={
            "method", "basis", "online", "pubchem", "crystal_folder", "crystal_url",
            "query_seconds",
        })  # fmt: skip
        return {**said, "defaults": said}  # a batch hands them on to what it asks of each entry

    @property
    def home(self) -> Path | None:
        """The folder for what a server's store leaves on this machine; None for other stores."""
        if not is_remote(self.store):
            return None
        name = hashlib.sha256(read_address(self.store).url.encode()).hexdigest()[:16]
        return platformdirs.user_data_path("grafico") / "remote" / name

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources, first come, first served."""
        files = [
            _Renaming(_read(settings_cls, path), f"{{}} in {path}")
            for path in (Path(PROJECT_FILE), user_file())
            if path.is_file()
        ]
        given = _Renaming(init_settings, "{}=")
        return (given, _RenamingVariables(settings_cls), *files)


def _read(settings: type[BaseSettings], path: Path) -> TomlConfigSettingsSource:
    """Return what a file sets.

    Raises:
        InputError: it cannot be read, or is not TOML.
    """
    try:
        return TomlConfigSettingsSource(settings, path)
    except (ValueError, OSError) as error:
        raise InputError(
            f"cannot read the settings in {path}", str(error), "mend the file, or move it away"
        ) from error


class _Renaming(PydanticBaseSettingsSource):
    """Another source, whose old names are understood.

    Args:
        source: the other one.
        spelling: of a name in it.
    """

    def __init__(self, source: PydanticBaseSettingsSource, spelling: str) -> None:
        super().__init__(source.settings_cls)
        self._source = source
        self._spelling = spelling

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return self._source.get_field_value(field, field_name)

    def __call__(self) -> dict[str, Any]:
        return by_new_names(self._source(), self._spelling.format)


class _RenamingVariables(EnvSettingsSource):
    """The environment, whose old names are understood."""

    def __call__(self) -> dict[str, Any]:
        old = {name: self.env_vars.get(f"{self.env_prefix}{name}".lower()) for name in RENAMED}
        given = {name: value for name, value in old.items() if value is not None}
        return by_new_names(
            {**super().__call__(), **given}, lambda name: f"{self.env_prefix}{name}".upper()
        )


def _refused(item: ErrorDetails) -> str:
    """Return what is wrong with a setting, in words."""
    name, message = ".".join(map(str, item["loc"])), item["msg"]
    if item["type"] == "extra_forbidden":
        known = Cluster if item["loc"][0] == "clusters" else Settings
        near = difflib.get_close_matches(str(item["loc"][-1]), known.model_fields, 1)
        return f"there is no setting {name}" + "".join(f"; did you mean {one}?" for one in near)
    if message.startswith("Input should "):
        return f"{name}={item['input']!r}: it must {message.removeprefix('Input should ')}"
    return f"{name}: {message.removeprefix('Value error, ')}"


def read_settings(**given: Any) -> Settings:
    """Return the settings, with what was given on the command line or in the call first.

    Raises:
        InputError: a value that cannot be, or a file that is not TOML.
    """
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        problem = "; ".join(map(_refused, error.errors()))
        names = {str(item["loc"][0]) for item in error.errors() if item["loc"]}
        said = {RENAMED.get(n, (n,))[0] for n, value in given.items() if value is not None}
        if names and names <= said:
            raise InputError("the options cannot be used", problem, "give another value") from error
        raise InputError(
            "the settings cannot be used", problem, f"see GRAFICO_… , {PROJECT_FILE}, {user_file()}"
        ) from error
    except (ValueError, OSError) as error:
        raise InputError(
            "the settings cannot be read", str(error), f"see {PROJECT_FILE} and {user_file()}"
        ) from error


USUAL = {name: Settings.model_fields[name].default for name in ("method", "basis")}
"""What forms are filled in with where no setting says otherwise, as help shows it."""
