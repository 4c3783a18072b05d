"""Settings: command line, environment, project file, user file, site file, default, in this order.

What a project's file says beyond the calculation itself (programs, addresses, keys, places) counts
when a person has trusted it, see `trust`; who reads it otherwise is told so.
"""

from __future__ import annotations

import difflib
import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import platformdirs
from pydantic import Field, PrivateAttr, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from triplestore import QueryLimits
from triplestore.errors import InputError
from triplestore.remote.address import read_address
from triplestore.store import is_remote
from workflows.engine.runners.cluster import Cluster
from workflows.show.units import EnergyUnit
from workflows.trust.book import SITE
from workflows.trust.powers import (
    ALLOWS,
    ASKS,
    PAYS,
    PLAIN,
    READS,
    WRITES,
    Can,
    Power,
    Sections,
    can,
)
from workflows.trust.withholding import WITHHELD, Reason, Withholding

from .layers import Layer, merged
from .settings_file import SettingsFile, read_file

PROJECT_FILE = "grafico.toml"

STORES = Can(
    (Power.ADDRESS, Power.WRITES),
    keys=("GRAFICO_STORE_USER", "GRAFICO_STORE_PASSWORD", "GRAFICO_STORE_TOKEN"),
)
TRACES = Can(
    (Power.WRITES, Power.ADDRESS, Power.KEY),
    keys=(
        "OTEL_EXPORTER_OTLP_HEADERS",
        "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
        "OTEL_EXPORTER_OTLP_CLIENT_KEY",
        "OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY",
    ),
    named_by=("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"),
)
ANSWERS = Can(
    (Power.ADDRESS, Power.KEY),
    keys=("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_CUSTOM_HEADERS"),
    named_by=("OPENAI_BASE_URL",),
)


def default_store() -> str:
    """Return the folder of the default store, under the user's data directory."""
    return str(platformdirs.user_data_path("grafico") / "store")


def user_file() -> Path:
    """Return where the user's settings lie."""
    return platformdirs.user_config_path("grafico") / PROJECT_FILE


Origin: TypeAlias = Annotated[str, Field(pattern=r"^https?://[^\s/?#@]+/?$")]
"""Of a server: scheme, host and port."""


class Settings(Withholding, BaseSettings):
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
        accept: what was not computed here and may answer requests all the same, by name, such as
            `imported`: results that were read from files of other programs.
        energy_unit: in which reaction energies and the like are shown to people, `kJ/mol` or
            `kcal/mol`; empty for the usual one of each. JSON, tables in files and what is stored
            keep theirs.
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
        skill_folder: of your own skills for language models, a folder each with a `SKILL.md`; empty
            for none.
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
        key_origins: where keys and passwords of the environment may be sent although nothing but
            a trusted file of a project names the address, such as `https://sparql.example.org`. It
            counts in the environment and in one's own file alone.
        allowed_hosts: servers by name, such as `api.example.org`, to which steps may send something
            without asking. This and the next two count in the environment and in one's own file
            alone, whether or not a project is trusted.
        allowed_spending: US dollars that steps may spend within a day without asking.
        trusted_clients: of MCP, by the names that they give themselves, which put what a device
            does, or cannot be undone, to a person and pass on what that one has said.
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

    _withheld_sections: Mapping[str, Mapping[str, Reason]] = PrivateAttr(
        default_factory=dict[str, dict[str, Reason]]
    )

    store: Annotated[str, STORES] = Field(default_factory=default_store, min_length=1)
    blobs: Annotated[Path | None, WRITES] = None
    threads_per_calculation: Annotated[Annotated[int, Field(ge=1)] | None, PLAIN] = None
    slots: Annotated[Annotated[int, Field(ge=1)] | None, PLAIN] = None
    total_cores: Annotated[Annotated[int, Field(ge=1)] | None, PLAIN] = None
    memory: Annotated[Annotated[int, Field(ge=100)] | None, PLAIN] = None
    hours: Annotated[float, Field(gt=0), PLAIN] = 24.0
    patience: Annotated[Annotated[float, Field(ge=1, allow_inf_nan=False)] | None, PLAIN] = None
    method: Annotated[str, PLAIN] = "B3LYP"
    basis: Annotated[str, PLAIN] = "def2-SVP"
    accept: Annotated[tuple[str, ...], ALLOWS] = ()
    energy_unit: Annotated[EnergyUnit, PLAIN] = ""
    online: Annotated[bool, ASKS] = False
    pubchem: Annotated[str, ASKS] = "https://pubchem.ncbi.nlm.nih.gov/rest/pug"
    crystal_folder: Annotated[str, READS] = ""
    crystal_url: Annotated[
        str, Field(pattern=r"^(https?://[^\s?#@{}]*\{code\}[^\s?#@{}]*)?$"), ASKS
    ] = ""
    trace: Annotated[str, Field(min_length=1), TRACES] = "off"
    agent_model: Annotated[str, PAYS] = ""
    agent_base_url: Annotated[str, Field(pattern=r"^(https?://\S+)?$"), ANSWERS] = ""
    skill_folder: Annotated[str, READS] = ""
    router_model: Annotated[str, PAYS] = ""
    agent_temperature: Annotated[
        Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] | None, PLAIN
    ] = None
    agent_effort: Annotated[
        Literal["minimal", "low", "medium", "high", "xhigh", "max"] | None, PLAIN
    ] = None
    agent_cost_limit: Annotated[Annotated[float, Field(gt=0, allow_inf_nan=False)] | None, PAYS] = (
        None
    )
    agent_token_limit: Annotated[Annotated[int, Field(ge=1)] | None, PAYS] = None
    agent_request_limit: Annotated[int, Field(ge=1, le=1000), PAYS] = 50
    agent_history_tokens: Annotated[int, Field(ge=4000), PLAIN] = 60_000
    agent_web: Annotated[bool, ASKS] = False
    key_origins: Annotated[tuple[Origin, ...], PAYS] = ()
    allowed_hosts: Annotated[tuple[str, ...], ALLOWS] = ()
    allowed_spending: Annotated[Annotated[float, Field(ge=0, allow_inf_nan=False)], ALLOWS] = 0.0
    trusted_clients: Annotated[tuple[str, ...], ALLOWS] = ()
    query_size: Annotated[int, Field(ge=1, le=1_000_000), PLAIN] = QueryLimits.size
    query_triples: Annotated[int, Field(ge=0, le=80), PLAIN] = QueryLimits.triples
    query_groups: Annotated[int, Field(ge=0, le=50), PLAIN] = QueryLimits.groups
    query_optional_depth: Annotated[int, Field(ge=0, le=20), PLAIN] = QueryLimits.optional_depth
    query_union_branches: Annotated[int, Field(ge=0, le=50), PLAIN] = QueryLimits.union_branches
    query_nesting: Annotated[int, Field(ge=1, le=40), PLAIN] = QueryLimits.nesting
    query_operators: Annotated[int, Field(ge=1, le=400), PLAIN] = QueryLimits.operators
    query_seconds: Annotated[float, Field(gt=0, le=86_400), PLAIN] = 45.0
    query_rows: Annotated[int, Field(ge=1), PLAIN] = 100_000
    query_bytes: Annotated[int, Field(ge=1), PLAIN] = 64_000_000
    query_memory: Annotated[Annotated[int, Field(ge=100, le=10_000_000)] | None, PLAIN] = None
    clusters: Annotated[dict[str, Cluster], Sections(Cluster)] = Field(
        default_factory=dict[str, Cluster]
    )

    def __init__(self, **given: Any) -> None:
        found = merged(_layers(type(self), given), type(self).model_fields, str(user_file()))
        super().__init__(**found.everything)  # what cannot be is told, whether it counts or not
        super().__init__(**found.counting)
        self.withhold(found.withheld)
        self._withheld_sections = found.withheld_sections

    @property
    def withheld_clusters(self) -> Mapping[str, Reason]:
        """Why some clusters may not be used, by name."""
        return self._withheld_sections.get("clusters", {})

    def check_places(self) -> None:
        """Check that the places count which every session uses.

        Raises:
            TrustError: one stands in a file that nobody has trusted.
        """
        for name in ("store", "blobs", "trace"):
            getattr(self, name)

    @property
    def defaults(self) -> dict[str, Any]:
        """What forms are filled in with where nobody says anything, by field."""
        names = {
            "method",
            "basis",
            "online",
            "pubchem",
            "crystal_folder",
            "crystal_url",
            "query_seconds",
        }
        said = self.model_dump(include=names - self._withheld.keys())
        if reasons := {name: why for name, why in self._withheld.items() if name in names}:
            said[WITHHELD] = reasons
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
        """Return what was found in all sources: they are read and put in order before."""
        return (init_settings,)


def _layers(settings: type[Settings], given: Mapping[str, Any]) -> list[Layer]:
    """Return the sources of the settings, the first that counts first."""
    me = os.geteuid()
    project = read_file(Path(PROJECT_FILE), {me})
    own, site = read_file(user_file(), {me, 0}), read_file(SITE / PROJECT_FILE, {0})
    mine = {one.identity for one in (own, site) if one is not None}
    here = project is not None and project.identity not in mine  # who is at home in that folder
    return [
        Layer(dict(given)),
        Layer(EnvSettingsSource(settings)()),
        *([_of_file(project, personal=False)] if project is not None and here else []),
        *(_of_file(one, personal=True) for one in (own, site) if one is not None),
    ]


def _of_file(file: SettingsFile, *, personal: bool) -> Layer:
    return Layer(file.data, file, personal)


def _refused(item: ErrorDetails) -> str:
    """Return what is wrong with a setting, in words."""
    name, message = ".".join(map(str, item["loc"])), item["msg"]
    if item["type"] == "extra_forbidden":
        known = Cluster if item["loc"][0] == "clusters" else Settings
        near = difflib.get_close_matches(str(item["loc"][-1]), known.model_fields, 1)
        return f"there is no setting {name}" + "".join(f"; did you mean {one}?" for one in near)
    if item["type"] == "string_too_short":
        return f"{name} is empty: give it a value, or unset GRAFICO_{name.upper()}"
    if message.startswith("Input should ") and can(Settings.model_fields.get(name)).powers:
        return f"{name}: it must {message.removeprefix('Input should ')}"  # it may be a secret
    if message.startswith("Input should "):
        return f"{name}={item['input']!r}: it must {message.removeprefix('Input should ')}"
    return f"{name}: {message.removeprefix('Value error, ')}"


def read_settings(**given: Any) -> Settings:
    """Return the settings, with what was given on the command line or in the call first.

    Raises:
        InputError: a value that cannot be, or a file that is not TOML.
    """
    said = {name: value for name, value in given.items() if value is not None}
    return _made(lambda: Settings(**said), said)


def check_settings(file: SettingsFile) -> None:
    """Check that what a file says can be, whether or not it counts.

    Raises:
        InputError: a name or a value that cannot be.
    """
    data = _of_file(file, personal=False).data
    _made(lambda: Settings(**data), {})


def _made(make: Callable[[], Settings], given: Mapping[str, Any]) -> Settings:
    try:
        return make()
    except ValidationError as error:
        problem = "; ".join(map(_refused, error.errors()))
        names = {str(item["loc"][0]) for item in error.errors() if item["loc"]}
        if names and names <= set(given):
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
