"""Settings: command line, environment, project file, user file, default, in this order."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import platformdirs
from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from triplestore.errors import InputError

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
        store: folder of the store, `memory:` for one that is forgotten.
        cores: threads of a calculation; None for all that the machine has.
        method: of a calculation that names none.
        basis: likewise.
    """

    model_config = SettingsConfigDict(env_prefix="GRAFICO_", extra="forbid", frozen=True)

    store: str = Field(default_factory=default_store, min_length=1)
    cores: Annotated[int, Field(ge=1)] | None = None
    method: str = "B3LYP"
    basis: str = "def2-SVP"

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
            TomlConfigSettingsSource(settings_cls, path)
            for path in (Path(PROJECT_FILE), user_file())
            if path.is_file()
        ]
        return (init_settings, env_settings, *files)


def read_settings(**given: Any) -> Settings:
    """Return the settings, with what was given on the command line or in the call first.

    Raises:
        InputError: a value that cannot be, or a file that is not TOML.
    """
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        found = "; ".join(
            f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()
        )
        raise InputError(
            "the settings cannot be used", found, f"see GRAFICO_… , {PROJECT_FILE}, {user_file()}"
        ) from error
    except (ValueError, OSError) as error:
        raise InputError(
            "the settings cannot be read", str(error), f"see {PROJECT_FILE} and {user_file()}"
        ) from error
