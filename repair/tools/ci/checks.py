"""The checks that the settings name."""

from repair.tools.ci.stages import stage_of
from repair.tools.settings import SettingsError
from repair.values.checks import Check
from repair.values.settings import CheckEntry, Settings


def checks_from_settings(settings: Settings) -> tuple[Check, ...]:
    """The checks in the order they are named. Raises `SettingsError` when two have one name."""
    names = [entry.name for entry in settings.checks]
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(f"checks: the name `{name}` is taken twice")
    return tuple(_check(entry) for entry in settings.checks)


def _check(entry: CheckEntry) -> Check:
    return Check(stage=stage_of(entry.run, entry.kind), **entry.model_dump(exclude={"kind"}))
