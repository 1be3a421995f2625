"""Which checks a repair runs: from a configuration file, else from the workflows of the tree."""

from dataclasses import dataclass, field
from pathlib import Path

from repair.tools.ci.checks import checks_from_settings
from repair.tools.ci.workflows import checks_from_workflows, merge_jobs, select_job
from repair.tools.folder import safe_read
from repair.tools.settings import SettingsError, load_settings
from repair.values.checks import Check
from repair.values.settings import Settings

CONFIGURATION = ".regomender.yml"
_WORKFLOWS = ".github/workflows"


@dataclass(frozen=True)
class Chosen:
    """The settings and checks of a tree; `notes` say what was left out."""

    settings: Settings
    checks: tuple[Check, ...]
    notes: tuple[str, ...] = field(default=())

    def required_some(self) -> tuple[Check, ...]:
        """The checks in the order they run. Raises `SettingsError` when there are none."""
        if self.checks:
            return tuple(sorted(self.checks, key=lambda check: check.stage))
        raise SettingsError(
            f"no checks found. Name them in {CONFIGURATION}, for example:\n"
            "  version: 1\n  checks:\n    - {name: unit, kind: semantic, run: pytest -q}\n"
            f"or keep a workflow with `run:` steps under {_WORKFLOWS}."
            + "".join(f"\nnote: {note}" for note in self.notes)
        )


def choose_checks(root: Path, config: Path | None, job: str | None) -> Chosen:
    """The checks of `config`, or of the tree's own configuration, or of its workflows; `job` asks for a workflow's.

    Raises `SettingsError` or `UnknownJobError`.
    """
    settings = _settings(root, config)
    if settings.checks and job is None:
        return Chosen(settings=settings, checks=checks_from_settings(settings))
    jobs = checks_from_workflows(_workflows(root))
    found = select_job(jobs, job) if job is not None else merge_jobs(jobs)
    return Chosen(settings=settings, checks=found.checks, notes=found.notes)


def _settings(root: Path, config: Path | None) -> Settings:
    if config is not None:
        try:
            return load_settings(config.read_text(encoding="utf-8", errors="replace"), str(config))
        except OSError as error:
            raise SettingsError(f"{config} cannot be read: {error.strerror}") from error
    content = safe_read(root, CONFIGURATION)
    return Settings() if content is None else load_settings(content.decode("utf-8", errors="replace"), CONFIGURATION)


def _workflows(root: Path) -> dict[str, str]:
    folder = root / _WORKFLOWS
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    contents = {f"{_WORKFLOWS}/{name}": safe_read(root, f"{_WORKFLOWS}/{name}") for name in names}
    return {
        path: content.decode("utf-8", errors="replace") for path, content in contents.items() if content is not None
    }
