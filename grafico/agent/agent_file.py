"""Agents as files: what one is for, what it may use, whom it may ask, and what it may spend.

A file says what a language model is told and may do, so that it counts when a person has trusted
it, as settings of a folder do. Nothing in it widens what its reader, or an agent that asks it, may.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from grafico.session.models import NO_MODEL
from grafico.session.settings_file import SettingsFile, read_file
from grafico.session.trust import digest_of, powerful, why_not
from ogm.validation_errors import readable
from triplestore.errors import InputError, NotFoundError, ResourceError, TrustError
from workflows.registry import Action, workflows
from workflows.text.names import nearest
from workflows.text.safe_text import printable
from workflows.trust.powers import INSTRUCTS, PAYS, PLAIN, READS

from .toolbox import Found, Tool
from .workflow_tools import MANY

if TYPE_CHECKING:
    from pydantic_ai.usage import RunUsage

DEEPEST = 3
"""Agents that ask each other, the first among them."""

RUNS = "run_workflow"
"""The tool whose workflows a file names."""

AgentName: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
ToolName: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9 _-]{0,59}$")]
FileName: TypeAlias = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}\.toml$")
]
ModelName: TypeAlias = Annotated[
    str, StringConstraints(pattern=r"^([a-z0-9-]{1,40}:)?[\w.-]+(/[\w.-]+)*(:[\w.-]+)?$")
]


class Stated(BaseModel):
    """Takes nothing that it does not know, and repeats nothing of what it refuses."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Budget(Stated):
    """What one question may cost, what is spent by those who are asked for it among it.

    Attributes:
        requests: to models.
        tokens: in and out; None for no limit of its own.
        dollars: where the price is known; likewise.
    """

    requests: Annotated[int, Field(ge=1, le=1000, strict=True)] = 20
    tokens: Annotated[int, Field(ge=1, strict=True)] | None = None
    dollars: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None

    def within(self, other: Budget) -> Budget:
        """Return the smaller one, limit by limit."""
        return Budget(
            requests=min(self.requests, other.requests),
            tokens=_least(self.tokens, other.tokens),
            dollars=_least(self.dollars, other.dollars),
        )

    def after(self, spent: RunUsage, name: str) -> Budget:
        """Return what is left of it.

        Args:
            spent: so far.
            name: of whoever is to be asked.

        Raises:
            ResourceError: nothing is.
        """
        used, cost = spent.input_tokens + spent.output_tokens, float(spent.cost or 0)
        try:
            return Budget(
                requests=self.requests - spent.requests,
                tokens=None if self.tokens is None else self.tokens - used,
                dollars=None if self.dollars is None else self.dollars - cost,
            )
        except ValidationError:
            found = "nothing is left of what this question may cost"
            raise ResourceError(f"{name} was asked", found, "answer with what is there") from None

    @property
    def cost(self) -> Decimal | None:
        """US dollars, exactly as they are written."""
        return None if self.dollars is None else Decimal(str(self.dollars))


def _least(one: Any, other: Any) -> Any:
    given = [value for value in (one, other) if value is not None]
    return min(given) if given else None


class AgentFile(Stated):
    """What a file says of an agent.

    Attributes:
        name: others ask it by.
        purpose: what it is for, as it and those who ask it are told.
        tools: that it may use, by name.
        workflows: that it may run by the tool `run_workflow`.
        asks: files of agents beside this one that it may ask.
        model: as pydantic-ai names it; that of whoever asks if empty. No address, no key.
        budget: of a question.
    """

    name: Annotated[AgentName, PLAIN]
    purpose: Annotated[str, Field(min_length=1, max_length=600), INSTRUCTS]
    tools: Annotated[tuple[ToolName, ...], Field(max_length=40), INSTRUCTS] = ()
    workflows: Annotated[tuple[ToolName, ...], Field(max_length=80), INSTRUCTS] = ()
    asks: Annotated[tuple[FileName, ...], Field(max_length=8), READS] = ()
    model: Annotated[ModelName, PAYS] = ""
    budget: Annotated[Budget, PAYS] = Budget()


@dataclass(frozen=True)
class Rights:
    """What an agent may use.

    Attributes:
        tools: by name.
        workflows: that `run_workflow` may run, by command.
    """

    tools: frozenset[str]
    workflows: frozenset[str]

    def within(self, other: Rights) -> Rights:
        """Return what both have."""
        return Rights(self.tools & other.tools, self.workflows & other.workflows)

    def of(self, tools: Mapping[str, Tool]) -> dict[str, Tool]:
        """Return the tools that may be used, in their order."""
        found = {name: one for name, one in tools.items() if name in self.tools}
        if RUNS in found:
            found[RUNS] = _limited(found[RUNS], self.workflows)
        return found


@dataclass(frozen=True)
class Role:
    """An agent as it was read, with those that it may ask.

    Attributes:
        file: what it says.
        digest: of that.
        rights: what it may use.
        asks: whom it may ask.
    """

    file: AgentFile
    digest: str
    rights: Rights
    asks: tuple[Role, ...] = ()

    def within(self, asker: Role) -> Role:
        """Return the same with no more rights than whoever asks it has."""
        return replace(self, rights=self.rights.within(asker.rights))

    def check(self, by_rules: bool) -> None:
        """Refuse rules in its place: they follow no instructions.

        Raises:
            InputError: that is who would answer.
        """
        if by_rules:
            asked = f"the agent {self.file.name} was asked for"
            raise InputError(asked, "it needs a language model", NO_MODEL)

    @property
    def told(self) -> str:
        """What it is told of itself."""
        return f"You are the agent {self.file.name}. {' '.join(self.file.purpose.split())}"


def read_agent(path: str | Path, tools: Mapping[str, Tool]) -> Role:
    """Return the agent of a file, with all that it may ask.

    Args:
        path: of the file; those that it may ask lie beside it.
        tools: that there are.

    Raises:
        NotFoundError: there is no such file.
        InputError: it says what cannot be, asks itself by way of others, or more than `DEEPEST` of
            them would ask each other.
        TrustError: nobody has trusted it.
    """
    return _read(Path(path), tools, {})


def _read(path: Path, tools: Mapping[str, Tool], before: Mapping[tuple[int, int], str]) -> Role:
    asked = f"the agent in {printable(str(path))[:200]} was asked for"
    file = read_file(path, {os.geteuid()})
    if file is None:
        raise NotFoundError(asked, "there is no such file", "check its name")
    said = agent_of(file)
    chain = " asks ".join([*before.values(), said.name])
    if file.identity in before:
        raise InputError(asked, f"{chain}: that has no end", "take one out of `asks`")
    if len(before) >= DEEPEST:
        raise InputError(asked, f"{chain}; at most {DEEPEST} follow each other", "ask fewer")
    fields = powerful(file.data, AgentFile.model_fields)
    if why := why_not(file, fields):
        raise TrustError(
            asked, why, f"look at what it says, and trust it: grafico trust {path.name}"
        )
    there = {**before, file.identity: said.name}
    others = tuple(_read(path.parent / one, tools, there) for one in said.asks)
    names = [one.file.name for one in others]
    if twice := {name for name in names if names.count(name) > 1}:
        raise InputError(asked, f"two that it asks are called {min(twice)}", "rename one")
    return Role(said, digest_of(fields), _rights(said, tools, asked), others)


def agent_of(file: SettingsFile) -> AgentFile:
    """Return what a file says of an agent.

    Raises:
        InputError: that cannot be; repeats none of its values.
    """
    try:
        return AgentFile.model_validate(file.data)
    except ValidationError as error:
        names = ", ".join(AgentFile.model_fields)
        told = "; ".join(one[:200] for one in readable(error)[:5])
        raise InputError(
            f"the agent in {file.path} was asked for", told, f"it takes {names}"
        ) from None


def _rights(said: AgentFile, tools: Mapping[str, Tool], asked: str) -> Rights:
    for name in said.tools:
        if name not in tools:
            near = nearest(name, {one: one for one in tools}) or list(tools)
            found = f"there is no tool {name!r}"
            raise InputError(asked, found, f"there are: {', '.join(near)}")
    known = workflows()
    commands = set[str]()
    for name in said.workflows:
        one = known.verb(name) or known.wrapper(name) or known.named(name)
        commands.add(one.command)
    if (RUNS in said.tools) != bool(commands):
        found = "it names workflows without the tool run_workflow, or that without them"
        raise InputError(asked, found, "give both, or neither")
    return Rights(frozenset(said.tools), frozenset(commands))


def _limited(tool: Tool, allowed: frozenset[str]) -> Tool:
    """Return the tool that runs workflows for some of them alone."""
    listed = ", ".join(sorted(allowed)) or "none"

    def check(context: Any, values: dict[str, Any]) -> Found:
        made = tool.check(context, values)
        name = _command(made["request"])
        if name not in allowed:
            advice = "do without it, and say so"
            raise InputError(f"{name} was asked for", f"you may run {listed} alone", advice)
        return made

    return replace(tool, check=check, description=f"{tool.description}. For you: {listed}")


def _command(request: Any) -> str:
    """Return what is run in the end: of a table what each of its rows is."""
    if isinstance(request, Action) or not hasattr(request, "workflow"):
        return str(request.command)
    if request.workflow.name != MANY:
        return str(request.workflow.command)
    each = request.arguments.get("each")
    return workflows().named(each).command if each else workflows().usual.command
