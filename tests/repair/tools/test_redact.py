"""No secret leaves, and nothing else is touched."""

import base64
import json
import string
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import repair.tools.redact
from repair.tools.redact import Redactor, secrets_of

MARK = "[redacted]"
BY_PATTERN = Redactor(())


def letters(seed: str, length: int) -> str:
    """Reproducible characters that look like a token's."""
    return (base64.b64encode(seed.encode() * 99).decode().replace("+", "x").replace("/", "y") * 9)[:length]


PEM_BODY = "\n".join([letters("k1", 64)] * 3 + [letters("k2", 20)])
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{PEM_BODY}\n-----END RSA PRIVATE KEY-----"
JWT = f"eyJ{letters('h', 30)}.eyJ{letters('p', 80)}.{letters('s', 43)}"

SHAPES = {
    "GitHub classic": "ghp_" + letters("a1", 36),
    "GitHub OAuth": "gho_" + letters("b1", 36),
    "GitHub user": "ghu_" + letters("c1", 36),
    "GitHub refresh": "ghr_" + letters("d1", 76),
    "GitHub installation": "ghs_" + letters("e1", 36),
    "GitHub installation with a JWT": f"ghs_123456_{JWT}",
    "GitHub fine-grained": f"github_pat_{letters('f1', 22)}_{letters('g1', 59)}",
    "GitLab": "glpat-" + letters("h1", 20),
    "OpenAI legacy": "sk-" + letters("i1", 48),
    "OpenAI project": f"sk-proj-{letters('j1', 40)}-{letters('j2', 40)}_x",
    "Anthropic": f"sk-ant-api03-{letters('k1', 40)}-{letters('k2', 40)}",
    "Stripe": "sk_live_" + letters("l1", 24),
    "AWS key id": "AKIA" + "QWERTYUIOP234567",
    "AWS session key id": "ASIA" + "QWERTYUIOP234567",
    "Google": "AIza" + letters("m1", 35),
    "Slack": "xoxb-123456789012-" + letters("n1", 24),
    "npm": "npm_" + letters("o1", 36),
    "PyPI": "pypi-AgEIcHlwaS5vcmc" + letters("p1", 120),
    "Hugging Face": "hf_" + letters("q1", 34),
    "Vault": "hvs." + letters("r1", 24),
    "JWT": JWT,
    "PEM": PEM,
    "PEM in JSON": json.dumps(PEM)[1:-1],
    "PEM without its end": PEM.partition("-----END")[0].rstrip(),
    "PEM indented": PEM.replace("\n", "\n    "),
    "PEM encrypted": PEM.replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,1F2E3D\n\n", 1),
}

SURROUNDINGS = [
    "{}",
    "a {} b",
    "x={}\ny",
    '"{}"',
    "'{}',",
    "<{}>",
    "({})",
    "https://h/?q={}&r=1",
    "\\n{}\\n",
    "%20{}%20",
]

NAMED = [
    ("GITHUB_TOKEN={}", "abcdefgh"),
    ("export DB_PASSWORD={}", "correcthorse"),
    ("-e API_KEY={} -e X=1", "a1b2c3d4"),
    ('SECRET_KEY="{}"', "correct(horse)"),
    ("ENCRYPTION_KEY={};", "Zm9vYmFyYmF6"),
    ("DEPLOY_SECRET={}", "p@ss/w0rd+x=="),
    ("MYSQL_PWD={}", "swordfish"),
    ("https://h/cb?access_token={}&state=1", "a1b2c3d4e5"),
    ("password={}", "hunter2"),
    ('"password": "{}"', "hunter2"),
    ('{{\\"api_key\\": \\"{}\\"}}', "a1b2c3d4"),
    ("api-key = '{}'", "a1b2c3d4"),
    ("password: {}", "hunter2"),
    ("X-Api-Key: {}\r", "a1b2c3d4"),
    ("//registry/:_authToken={}", "a1b2c3d4-e5f6"),
    ('"clientSecret" => "{}"', "a1b2c3d4"),
    ('os.environ["TOKEN"] = "{}"', "a1b2c3d4"),
    ("Authorization: Bearer {}", "Abcdefgh"),
    ('"Authorization": "Basic {}"', "dXNlcjpwYXNz"),
    ("-H 'authorization: token {}'", "0123456789abcdef"),
    ("Authorization: {}", "a1b2c3d4e5f6a7b8"),
    ("sent Bearer {} to it", "a1b2c3d4e5f6a7b8"),
    ("git clone https://x-access-token:{}@host/a/b.git", "a1b2c3"),
    ("postgres://user:{}@db:5432/app", "swordfish"),
    ("https://{}@host/a/b.git", "0123456789abcdef0123"),
]

ORDINARY = [
    "token = get_token()",
    "token = self.token",
    "password: str",
    "password: str = ''",
    "def login(user: str, password: str | None = None, token: Token2 = NONE) -> Session:",
    "secret: Uint8Array;",
    "  secret: Uint8Array",
    "    token: uint64",
    "api_key=os.environ['API_KEY_1']",
    "client = Client(token=token1, password=password2)",
    "client = Client(token=token, password=settings.db1.password)",
    "SECRET_KEY=settings.SECRET_KEY",
    "TOKEN=$GITHUB_TOKEN",
    "TOKEN=${{ secrets.TOKEN1 }}",
    "PASSWORD=$(cat file1)",
    "TOKEN=get_token1()",
    'headers = {"Authorization": f"Bearer {token}"}',
    'headers["Authorization"] = "Bearer " + token',
    "Authorization: Bearer ${TOKEN1}",
    "Authorization: Basic authentication is required",
    "Basic authentication, Bearer authentication and basic understanding_of_things",
    'f"postgres://{user}:{password}@{host}/db"',
    '"mysql://%s:%s@%s/db" % (a, b, c)',
    '"authorization": client1.cachedAuthHeader,',
    'SIGNED = ("authorization", "x-amz-content-sha256")',
    'CHALLENGE_PASSWORD: "challengePasswordAttribute",',
    'Session(access_token="access_token_2", password="test_password1")',
    "git@github.com:acme/shop.git",
    "ssh://git@github.com/acme/shop.git",
    "https://github.com/acme/shop@v1.2.3",
    "see http://localhost:8080/path?x=1:2@3",
    "commit d41d8cd98f00b204e9800998ecf8427e1a2b3c4d",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "123e4567-e89b-12d3-a456-426614174000",
    'if token == "(" or tokens[1] == ")":',
    "max_tokens: 4096",
    "token_type = 'Bearer1'",
    "TOKEN_URL = 'https://host1/token'",
    "'token': 'access_token',",
    "key = 'user.id1'",
    "password = 'password'",
    "risk-management-service-configuration-2 task-0123456789-abcdef-ghijkl",
    ".sk-folding-cube-container1",
    "highs_and_lows_of_the_market_1 = ghs_rate",
    "npm_config_registry npm_package_version_1_and_more_of_the_same",
    'assert text.startswith("-----BEGIN RSA PRIVATE KEY-----") and text.endswith("-----END RSA PRIVATE KEY-----")',
    "-----BEGIN CERTIFICATE-----",
    "PRIMARY_KEY=id",
    "for token in tokenize(source): yield token.string",
    "secret = None  # password= token: api_key",
    '<input type="password" name="password" id="password1">',
    "git config credential.helper store",
    "self.assertEqual(token, expected_token_1)",
]


@pytest.mark.parametrize("around", SURROUNDINGS)
@pytest.mark.parametrize("secret", SHAPES.values(), ids=SHAPES)
def test_a_secret_is_known_by_its_shape_wherever_it_stands(secret: str, around: str) -> None:
    before, after = around.split("{}")
    assert BY_PATTERN.redact(before + secret + after) == before + MARK + after


@pytest.mark.parametrize(("line", "value"), NAMED, ids=lambda part: part)
def test_a_secret_is_known_by_the_name_before_it(line: str, value: str) -> None:
    assert BY_PATTERN.redact(line.format(value)) == line.format(MARK)


@pytest.mark.parametrize("kind", ["GitHub classic", "GitHub installation with a JWT"])
def test_a_github_token_is_known_even_glued_to_a_word(kind: str) -> None:
    assert BY_PATTERN.redact(f"word{SHAPES[kind]}") == f"word{MARK}"


def test_a_secret_is_known_behind_a_terminal_colour() -> None:
    assert BY_PATTERN.redact(f"\x1b[31m{SHAPES['OpenAI legacy']}\x1b[0m") == f"\x1b[31m{MARK}\x1b[0m"


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert BY_PATTERN.redact(text) == text
    assert BY_PATTERN.redact(f"    {text}\n") == f"    {text}\n"


def test_ordinary_text_is_left_alone_as_a_whole() -> None:
    text = "\n".join(ORDINARY)
    assert BY_PATTERN.redact(text) == text


def test_the_sources_of_this_very_module_survive() -> None:
    text = Path(repair.tools.redact.__file__).read_text(encoding="utf-8")
    assert BY_PATTERN.redact(text) == text


SECRETS = st.text(
    alphabet=st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=8
).filter(lambda text: text == text.strip() and len(text) >= 8)
PROSE = st.text(alphabet=string.ascii_letters + string.digits + " .,_-()'\"\n=:/@+", max_size=60)


@given(SECRETS, PROSE, PROSE)
def test_a_known_value_never_survives(secret: str, before: str, after: str) -> None:
    assume(secret not in MARK)
    redacted = Redactor([secret]).redact(before + secret + after)
    assert secret not in redacted.replace(MARK, "\0")


@given(SECRETS, PROSE, PROSE)
@example('pa"ss\\wo rd', "", "")
@example("p\u00e4ssw\u00f6rter/+=", "", "")
def test_a_known_value_does_not_survive_encoded(secret: str, before: str, after: str) -> None:
    redactor = Redactor([secret])
    content = secret.encode()
    for encoded in (
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        quote(secret),
        quote(secret, safe=""),
        quote_plus(secret),
    ):
        assert encoded not in redactor.redact(f"{before} {encoded} {after}").replace(MARK, "\0")
    for prefix in (b"", b"u:", b"x-access-token:", b"user:"):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            encoded = encode(prefix + content + b":end").decode()
            shown = redactor.redact(f"{before} {encoded} {after}")
            assert MARK in shown
            assert encoded not in shown


def test_a_key_of_several_lines_is_known_line_by_line() -> None:
    redactor = Redactor([PEM])
    assert redactor.redact(f"tail: {PEM_BODY.splitlines()[1]} end") == f"tail: {MARK} end"
    assert redactor.redact("-----BEGIN RSA PRIVATE KEY-----") == "-----BEGIN RSA PRIVATE KEY-----"


def test_the_longer_of_two_values_goes_first() -> None:
    assert Redactor(["abcdefgh", "abcdefgh-and-more"]).redact("(abcdefgh-and-more)") == f"({MARK})"


@pytest.mark.parametrize("value", ["", " ", "abc", "none", "\n"])
def test_a_value_too_short_to_be_told_from_words_is_not_looked_for(value: str) -> None:
    assert Redactor([value]).redact("abc and\nnone so on") == "abc and\nnone so on"


PIECES = [
    "token=",
    "PASSWORD=",
    '"',
    "'",
    "=",
    ": ",
    " ",
    "\n",
    "://",
    "@",
    "a:",
    "eyJ",
    ".",
    "ghp_",
    "Bearer ",
    "-----",
    "[",
    "]",
]
FRAGMENTS = st.sampled_from(
    [*SHAPES.values(), *(line.format(value) for line, value in NAMED), *ORDINARY, *PIECES, MARK, "own-s3cret-value"]
)


@given(st.lists(FRAGMENTS, max_size=12).map("".join))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    redactor = Redactor(["own-s3cret-value", "redacted"])
    once = redactor.redact(text)
    assert redactor.redact(once) == once


@given(st.lists(st.sampled_from([*SHAPES.values(), "own-s3cret-value"]), min_size=1, max_size=5), PROSE)
def test_no_secret_survives_among_others(secrets: list[str], prose: str) -> None:
    redacted = Redactor(["own-s3cret-value"]).redact(f"\n{prose}\n".join(["", *secrets, ""]))
    assert not [secret for secret in secrets if secret in redacted]


@given(st.text(alphabet=string.ascii_lowercase + " ()[]{}.,;+*#\n\t", max_size=300))
def test_text_without_secrets_is_unchanged(text: str) -> None:
    assert Redactor(["own-s3cret-value"]).redact(text) == text


HOSTILE = [
    "a", "A", "-", ".", " ", "\n", '"', "=", ":", "/", "@", "\\n", "\\", "0m", "_KEY=", "[31m",
    "eyJ", ".eyJ", "eyJaaaaaaaaaa.", "-eyJaaaaaaaa", "\\neyJ", "ghp_", "-ghp_", "ghs_1", "sk-", "sk-proj-", "-sk-", "AKIA", "AIza", "xoxb-", "npm_", "pypi-",
    "github_pat_", "glpat-", "-----BEGIN PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----\n" + "A" * 16, "-----BEGIN ",
    "\nAAAAAAAAAAAAAAAA", "Proc-Type: ", "://", "://a:", "://a:b", "://" + "a" * 300, "Authorization: ", "authorization=bearer ", "Bearer ", "basic aaaaaaaa",
    "token", "token=", 'token="', "token='a", "token: ", "TOKEN=a", "password = ", "api_key", "secret_key=x.", "passwordpassword:", "TOKEN=a.b",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE, ids=lambda piece: piece[:20])
@pytest.mark.timeout(60)
def test_a_megabyte_of_hostile_text_is_no_trouble(piece: str) -> None:
    for opening in ("", "-----BEGIN PRIVATE KEY-----\n", 'token="', "://", "eyJ"):
        text = opening + piece * (1_000_000 // len(piece))
        assert len(BY_PATTERN.redact(text)) <= len(text) * 3


def test_secrets_of_an_environment_are_the_values_of_secret_names() -> None:
    environ = {
        "GITHUB_TOKEN": "token-value",
        "OPENAI_API_KEY": "api-key-value\n",
        "GITHUB_PRIVATE_KEY": PEM,
        "GITHUB_WEBHOOK_SECRET": "hook-value",
        "db_password": "db-value-1",
        "MYSQL_PWD": "mysql-value",
        "DATABASE_URL": "postgres://user:url-value@db/app",
        "SHORT_TOKEN": "short",
    }
    assert secrets_of(environ) == tuple(
        sorted(["token-value", "api-key-value", PEM, "hook-value", "db-value-1", "mysql-value", "url-value"])
    )


def test_an_environment_without_secrets_has_none() -> None:
    environ = {
        "PATH": "/usr/bin:/bin",
        "PWD": "/home/someone/work",
        "OLDPWD": "/home/someone",
        "SSH_AUTH_SOCK": "/tmp/agent.socket",
        "GITHUB_PRIVATE_KEY_FILE": "/run/keys/app.pem",
        "KEYBOARD": "qwerty-layout",
        "TOKEN_URL": "https://host/token",
    }
    assert secrets_of(environ) == ()
