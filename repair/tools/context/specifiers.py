"""Which files an import may mean, language by language, from the text of the import alone."""

import posixpath
import re

_SCRIPT_ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json")
_COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_RUST_ROOTS = ("lib.rs", "main.rs", "mod.rs")
_RUST_LIBRARIES = frozenset(("std", "core", "alloc"))
_MOST_NAMES = 200


def beside(path: str, specifier: str) -> str | None:
    """A relative specifier as a path from the root; `None` when it leaves the root."""
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), specifier))
    return None if joined.startswith(("..", "/")) else joined


def python_module(path: str, module: str, level: int, name: str = "") -> tuple[str, ...]:
    """Files for `from <level dots><module> import <name>`: the submodule of that name first, then the module."""
    base = module.replace(".", "/")
    if level:
        anchor = posixpath.dirname(path)
        for _ in range(min(level, _MOST_NAMES) - 1):
            anchor = posixpath.dirname(anchor)
        base = posixpath.join(anchor, base).strip("/")
    prefix = "" if level else "**/"
    stems = [posixpath.join(base, name), base] if name and name != "*" else [base]
    endings = (".py", ".pyi", "/__init__.py")
    files = tuple(f"{prefix}{stem}{ending}" for stem in stems if stem for ending in endings)
    return files if base else (*files, "__init__.py")


def script(path: str, specifier: str) -> tuple[str, ...]:
    """Files for a relative JavaScript or TypeScript specifier, then files of that name wherever they are.

    The last ones find the source of compiled output (`../dist/x.js`) and of aliased paths (`@/x`).
    """
    bare = re.sub(r"^[@~]/", "", specifier)
    if not specifier.startswith(".") and bare == specifier:
        return ()
    stem, ending = posixpath.splitext(bare)
    endings = (ending, *_COMPILED.get(ending, ())) if ending in _SCRIPT_ENDINGS else ()
    stem = stem if endings else bare
    tails = endings or ("", *_SCRIPT_ENDINGS, *(f"/index{ending}" for ending in _SCRIPT_ENDINGS))
    near = beside(path, stem) if specifier.startswith(".") else None
    exact = [near + tail for tail in tails if near]
    name = posixpath.basename(stem)
    return tuple(exact + [f"**/{name}{tail}" for tail in tails if name not in ("", ".", "..")])


def go_package(specifier: str) -> tuple[str, ...]:
    """Folders whose path ends like the import path, the longest ending first."""
    parts = [part for part in specifier.split("/") if part][:20]
    if "." not in specifier and len(parts) < 2:
        return ()
    return tuple(f"**/{'/'.join(parts[start:])}/" for start in range(len(parts)))


def java_class(name: str) -> tuple[str, ...]:
    """The file of a class, or of the class that holds an imported member."""
    parts = name.split(".")
    return tuple(f"**/{'/'.join(parts[:end])}.java" for end in (len(parts), len(parts) - 1) if end > 1)


def rust_module(path: str, name: str) -> tuple[str, ...]:
    """Files for `mod name;` in the file at `path`."""
    folder = _rust_folder(path)
    return (posixpath.join(folder, f"{name}.rs"), posixpath.join(folder, name, "mod.rs"))


def rust_use(path: str, parts: list[str]) -> tuple[str, ...]:
    """Files for a `use` path, deepest module first, down to the root of the crate."""
    head, rest = parts[0], parts[1:]
    if head in _RUST_LIBRARIES:
        return ()
    if head in ("self", "super"):
        folder = _rust_folder(path)
        for _ in range(parts.count("super")):
            folder = posixpath.dirname(folder)
        return _rust_files([folder], [part for part in rest if part != "super"])
    roots = [_crate_source(path)]
    if head != "crate":
        within = _rust_files([_rust_folder(path)], parts, roots=False)
        return (*within, *_rust_files([f"**/{head}/src", f"**/{head.replace('_', '-')}/src", *roots], rest))
    return _rust_files(roots, rest)


def uses(argument: str) -> list[list[str]]:
    """The paths of a `use` argument with its braces expanded and `as` names dropped: `a::{b, c::d}`."""
    found: list[list[str]] = []
    prefixes: list[list[str]] = [[]]
    current: list[str] = []
    for token in re.findall(r"\w+|[{},]", re.sub(r"\bas\s+\w+", "", argument)[:5000]):
        if token == "{" and len(prefixes) < _MOST_NAMES:
            prefixes.append([*prefixes[-1], *current])
            current = []
        elif token in ("}", ","):
            if current:
                found.append([*prefixes[-1], *current])
            current = []
            if token == "}" and len(prefixes) > 1:
                prefixes.pop()
        elif token != "{":
            current.append(token)
    return [*found, [*prefixes[-1], *current]] if current else found


def _rust_folder(path: str) -> str:
    """Where the modules of the file at `path` are."""
    folder, name = posixpath.split(path)
    return folder if name in _RUST_ROOTS else posixpath.join(folder, name.removesuffix(".rs"))


def _crate_source(path: str) -> str:
    parts = path.split("/")[:-1]
    for index in range(len(parts) - 1, -1, -1):
        if parts[index] == "src":
            return "/".join(parts[: index + 1])
        if parts[index] in ("tests", "benches", "examples"):
            return "/".join((*parts[:index], "src"))
    return "src"


def _rust_files(folders: list[str], parts: list[str], *, roots: bool = True) -> tuple[str, ...]:
    depths = range(len(parts), 0, -1)
    stems = [posixpath.join(folder, *parts[:depth]) for folder in folders for depth in depths]
    files = [file for stem in stems for file in (f"{stem}.rs", f"{stem}/mod.rs")]
    return tuple(files + [posixpath.join(folder, root) for folder in folders for root in _RUST_ROOTS if roots])
