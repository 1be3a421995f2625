"""Reading `.regomender.yml`: what is wrong in it is said with the key and the line."""

from collections.abc import Iterator
from difflib import get_close_matches
from math import isfinite
from pathlib import PurePosixPath
from typing import Final, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from repair.tools.documents import Document, DocumentError, Path, Plain, mapping_of, read_document, shown
from repair.values.base import Value
from repair.values.settings import Settings

MAX_PROBLEMS: Final = 10
_WORDS: Final = {
    "missing": "is required",
    "string_type": "must be text",
    "tuple_type": "must be a list",
    "model_type": "must be a mapping of keys",
    "model_attributes_type": "must be a mapping of keys",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number",
    "float_type": "must be a number",
    "string_too_short": "must not be empty",
}


class SettingsError(Exception):
    """The configuration is wrong; the text is for people: one line per problem, with its place."""


def load_settings(text: str, name: str = ".regomender.yml") -> Settings:
    """The settings in the text; an empty text gives the defaults. Raises `SettingsError` alone."""
    try:
        document = read_document(text)
    except DocumentError as error:
        raise SettingsError(f"{name}:{error.line or 1}: {error}") from error
    if document.value is None:
        return Settings()
    if not isinstance(document.value, dict):
        raise SettingsError(f"{name}:1: the file must be a mapping of keys such as `checks:`")
    _require_version(document, name)
    settings = _validated(document, name)
    if problems := [_at(document, name, path, words) for path, words in _misfits(settings)]:
        raise SettingsError("\n".join(problems[:MAX_PROBLEMS]))
    return settings


def _require_version(document: Document, name: str) -> None:
    version = mapping_of(document.value).get("version")
    if version is not None and version != "1":
        words = f"this release reads version 1, not {shown(version)}"
        raise SettingsError(_at(document, name, ("version",), words))


def _validated(document: Document, name: str) -> Settings:
    fields = _without_empty(document.value)
    if isinstance(fields, dict):
        fields.pop("version", None)
    try:
        return Settings.model_validate(fields)
    except ValidationError as error:
        details = sorted(error.errors(include_url=False), key=lambda detail: document.line(detail["loc"]))
        problems = [_at(document, name, detail["loc"], _words(detail)) for detail in details]
        raise SettingsError("\n".join(problems[:MAX_PROBLEMS])) from error


def _without_empty(value: Plain) -> Plain:
    """A key without a value means its default, as if it were not there."""
    if isinstance(value, dict):
        return {key: _without_empty(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_empty(item) for item in value]
    return value


def _words(detail: ErrorDetails) -> str:
    kind, path = detail["type"], detail["loc"]
    if kind == "extra_forbidden":
        return _unknown_key(path)
    if kind == "missing":
        return _WORDS[kind]
    expected = _WORDS.get(kind) or detail["msg"].replace("Input should be", "must be")
    given = detail["input"]
    return f"{expected}, not `{shown(given)}`" if isinstance(given, str) and given else expected


def _unknown_key(path: Path) -> str:
    known = list(_model_at(path[:-1]).model_fields)
    near = get_close_matches(str(path[-1])[:100], known, n=1)
    return f"unknown key; did you mean `{near[0]}`?" if near else f"unknown key; known are {', '.join(known)}"


def _model_at(path: Path) -> type[Value]:
    """The model whose fields the keys below the path are."""
    model: type[Value] = Settings
    for key in path:
        if isinstance(key, str):
            annotation = model.model_fields[key].annotation
            model = next((part for part in (annotation, *get_args(annotation)) if _is_model(part)), model)
    return model


def _is_model(part: object) -> bool:
    return isinstance(part, type) and issubclass(part, Value)


def _misfits(settings: Settings) -> Iterator[tuple[Path, str]]:
    """What the types let through and a run could not live with."""
    taken: set[str] = set()
    for index, check in enumerate(settings.checks):
        if not is_inside(check.cwd):
            yield ("checks", index, "cwd"), "must be a folder inside the repository"
        if not isfinite(check.timeout):
            yield ("checks", index, "timeout"), "must be a finite number of seconds"
        if check.name in taken:
            yield ("checks", index, "name"), f"the name `{shown(check.name)}` is taken by an earlier check"
        taken.add(check.name)
    for key in ("seconds", "usd"):
        if not isfinite(getattr(settings.limits, key)):
            yield ("limits", key), "must be a finite number"


def is_inside(path: str) -> bool:
    """Whether the relative path of a folder, taken as text, stays inside the tree."""
    parts = PurePosixPath(path)
    return not parts.is_absolute() and ".." not in parts.parts


def _at(document: Document, name: str, path: Path, words: str) -> str:
    return f"{name}:{document.line(path)}: {_shown_path(path)}: {words}"


def _shown_path(path: Path) -> str:
    """A path of keys as a person writes it: `checks[0].run`."""
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{shown(key)}" for key in path)
    return text.removeprefix(".")
