"""The environment variables a check sees: the person's own, without secrets, made repeatable."""

import os
import re
from collections.abc import Mapping

from repair.tools.secret_names import is_secret_name

# Agents, files and logins that open doors, though the value itself is no secret.
_OPENS_DOORS = re.compile(
    r"AUTH(?!OR)|^SSH_|^GPG_|^AWS_|^AZURE_|^GOOGLE_APPLICATION|^GH_|^GITHUB_|^REGOMENDER_|^OPENAI_|^ANTHROPIC_|"
    r"^DBUS_|^PGPASS|^KUBECONFIG$|^DOCKER_",
    re.IGNORECASE,
)
_CREDENTIALS_IN_ADDRESS = re.compile(r"://[^/\s]*@")
_UNREPEATABLE = ("FORCE_COLOR", "CLICOLOR_FORCE", "PYTEST_ADDOPTS", "PYTHONSTARTUP", "BASH_ENV", "ENV", "PYTHONPATH")
_REPEATABLE = {
    "CI": "true",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
    "COLUMNS": "200",
    "NO_COLOR": "1",
    "PY_COLORS": "0",
    "CARGO_TERM_COLOR": "never",
    "TF_IN_AUTOMATION": "1",
    "TF_CLI_ARGS": "-no-color",
    "PYTHONHASHSEED": "0",
    # A .pyc is trusted when second and size of its source agree; two quick edits can fool that.
    "PYTHONDONTWRITEBYTECODE": "1",
    # On SIGABRT a hanging interpreter then prints where it stands.
    "PYTHONFAULTHANDLER": "1",
    "GIT_TERMINAL_PROMPT": "0",
}


def check_environment(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables for the commands of a repository; tokens, agents and registries' credentials are left out."""
    kept = {
        name: value
        for name, value in environ.items()
        if not (is_secret_name(name) or _OPENS_DOORS.search(name) or _CREDENTIALS_IN_ADDRESS.search(value))
        and name not in _UNREPEATABLE
    }
    return kept | _REPEATABLE
