"""Which names of variables say that the value is a secret: one list, for what is kept back and for what is redacted."""

import re

_SECRET_NAME = re.compile(
    r"TOKEN(?!IZ)|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|_PASS$|_PWD$|"
    r"(?:API|ACCESS|PRIVATE|SIGNING|SESSION)_?KEY|_KEY$|CREDENTIAL|AUTHORIZATION|_AUTH$|COOKIE|"
    r"(?:^|_)PAT$|(?:^|_)DSN$",
    re.IGNORECASE,
)


def is_secret_name(name: str) -> bool:
    """Whether a variable of that name is likely to hold a secret; `PATH`, `AUTHOR` and `PWD` are no such names."""
    return _SECRET_NAME.search(name) is not None
