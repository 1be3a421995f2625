"""The environment variables a check sees: the person's own, without secrets, made repeatable."""

import os
import re
from collections.abc import Mapping

_SECRET_NAME = re.compile(
    r"TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|PRIVATE_KEY|API_?KEY|ACCESS_KEY|AUTH(?!OR)|COOKIE|SESSION_KEY|"
    r"^SSH_|^GPG_|^AWS_|^AZURE_|^GOOGLE_APPLICATION|^GH_|^GITHUB_|^REGOMENDER_|^OPENAI_|^ANTHROPIC_|^DBUS_|"
    r"^PGPASS|^KUBECONFIG$|^DOCKER_|^NPM_CONFIG_.*AUTH",
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
        if not _SECRET_NAME.search(name) and name not in _UNREPEATABLE and not _CREDENTIALS_IN_ADDRESS.search(value)
    }
    return kept | _REPEATABLE
