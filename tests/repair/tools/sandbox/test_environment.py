"""What a check sees of the person's variables."""

import pytest

from repair.tools.redact import secrets_of
from repair.tools.sandbox.environment import check_environment

SECRET = [
    "GITHUB_TOKEN",
    "SIGNING_KEY",
    "MY_PAT",
    "KEY_PASSPHRASE",
    "MYSQL_PWD",
    "SENTRY_DSN",
    "DB_PASS",
    "API_KEY",
    "SESSION_COOKIE",
    "NPM_CONFIG__AUTH",
]
HARMLESS = ["PATH", "PWD", "OLDPWD", "GIT_AUTHOR_NAME", "KEYBOARD", "TOKENIZERS_PARALLELISM", "MONKEY", "LANG", "PATCH"]


@pytest.mark.parametrize("name", SECRET)
def test_a_secret_is_kept_from_checks_and_out_of_texts(name: str) -> None:
    environ = {name: "value-of-it"}

    assert name not in check_environment(environ)
    assert secrets_of(environ) == ("value-of-it",)


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_variables_stay(name: str) -> None:
    environ = {name: "value-of-it"}

    assert check_environment(environ)[name] == "value-of-it"
    assert secrets_of(environ) == ()


@pytest.mark.parametrize("name", ["SSH_AUTH_SOCK", "KUBECONFIG", "DOCKER_HOST", "GITHUB_PRIVATE_KEY_FILE"])
def test_what_opens_doors_is_kept_from_checks_though_it_is_no_secret_text(name: str) -> None:
    assert name not in check_environment({name: "/somewhere/else"})
