"""Who defines, uses and imports what."""

import pytest

from repair.tools.context.facts import FactCache
from repair.tools.context.index import Index


class Files(dict[str, str]):
    def paths(self) -> list[str]:
        return sorted(self)

    def read(self, path: str) -> bytes | None:
        text = self.get(path)
        return None if text is None else text.encode("utf-8", errors="surrogateescape")


IMPORTS = {
    "python, absolute, below src": (
        {"src/shop/cart.py": "def total(): ...", "tests/test_cart.py": "from shop.cart import total"},
        ("tests/test_cart.py", "src/shop/cart.py"),
    ),
    "python, a submodule by name": (
        {"shop/__init__.py": "", "shop/cart.py": "", "shop/pay.py": "from . import cart"},
        ("shop/pay.py", "shop/cart.py"),
    ),
    "python, two dots": (
        {"shop/cart.py": "", "shop/web/view.py": "from ..cart import total"},
        ("shop/web/view.py", "shop/cart.py"),
    ),
    "python, a package": (
        {"shop/__init__.py": "X = 1", "main.py": "import shop"},
        ("main.py", "shop/__init__.py"),
    ),
    "python that does not parse": (
        {"shop/cart.py": "", "shop/pay.py": "from .cart import total\ndef f(:\n"},
        ("shop/pay.py", "shop/cart.py"),
    ),
    "typescript, .js means .ts": (
        {"src/a.ts": "import { b } from './b.js';", "src/b.ts": "export const b = 1;"},
        ("src/a.ts", "src/b.ts"),
    ),
    "typescript, an index file": (
        {"src/a.tsx": "import b from './lib';", "src/lib/index.ts": ""},
        ("src/a.tsx", "src/lib/index.ts"),
    ),
    "javascript, require": (
        {"a.js": "const { b } = require('./b');", "b.js": ""},
        ("a.js", "b.js"),
    ),
    "javascript, compiled output": (
        {"test/a.test.js": "import { b } from '../dist/b.js';", "src/b.ts": ""},
        ("test/a.test.js", "src/b.ts"),
    ),
    "javascript, re-export": (
        {"index.js": "export * from './b.mjs';", "b.mjs": ""},
        ("index.js", "b.mjs"),
    ),
    "go": (
        {"main.go": 'package main\n\nimport "example.com/shop/cart"\n', "cart/cart.go": "package cart\n"},
        ("main.go", "cart/cart.go"),
    ),
    "rust, mod": (
        {"src/lib.rs": "mod cart;", "src/cart.rs": ""},
        ("src/lib.rs", "src/cart.rs"),
    ),
    "rust, use in braces": (
        {"src/pay.rs": "use crate::{cart::Cart, money};", "src/cart.rs": "", "src/money/mod.rs": ""},
        ("src/pay.rs", "src/cart.rs"),
    ),
    "rust, a test of the crate": (
        {"tests/all.rs": "use shop::Cart;", "src/lib.rs": "pub struct Cart;"},
        ("tests/all.rs", "src/lib.rs"),
    ),
    "java": (
        {"src/main/java/a/B.java": "package a;\nclass B {}", "src/main/java/c/D.java": "import a.B;\nclass D {}"},
        ("src/main/java/c/D.java", "src/main/java/a/B.java"),
    ),
    "terraform module": (
        {"main.tf": 'module "q" {\n  source = "./modules/q"\n}\n', "modules/q/out.tf": 'output "x" {\n  value = 1\n}\n'},
        ("main.tf", "modules/q/out.tf"),
    ),
    "bash, source": (
        {"run.sh": ". lib/names.sh\n", "lib/names.sh": "f() { :; }\n"},
        ("run.sh", "lib/names.sh"),
    ),
    "bash, through a variable": (
        {"tests/run.sh": 'bash "$root/rotate.sh" x\n', "rotate.sh": "echo\n"},
        ("tests/run.sh", "rotate.sh"),
    ),
    "rego": (
        {"a/zones.rego": "package net.zones\n\nzone := 1\n", "b.rego": "package b\n\nimport data.net.zones\n"},
        ("b.rego", "a/zones.rego"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", IMPORTS)
def test_imports_are_edges_both_ways(case):
    files, (importer, imported) = IMPORTS[case]
    index = Index(Files(files))
    assert imported in index.imported(importer)
    assert importer in index.importers(imported)


def test_a_glob_in_a_script_means_all_its_files():
    index = Index(
        Files({"up.sh": "for f in migrations/*.sql; do cat $f; done", "migrations/1.sql": "", "migrations/2.sql": ""})
    )
    assert index.imported("up.sh") == ("migrations/1.sql", "migrations/2.sql")


def test_what_is_outside_the_tree_is_no_edge():
    index = Index(
        Files(
            {"a.py": "import os\nfrom json import loads", "b.js": "import fs from 'node:fs';", "c.rs": "use std::fs;"}
        )
    )
    assert [index.imported(path) for path in ("a.py", "b.js", "c.rs")] == [(), (), ()]


def test_files_of_one_go_package_see_each_other():
    index = Index(Files({"p/a.go": "package p", "p/b.go": "package p", "q/c.go": "package q"}))
    assert index.neighbours("p/a.go") == ("p/b.go",)


def test_files_of_one_rego_package_see_each_other():
    index = Index(Files({"a.rego": "package p", "x/b.rego": "package p", "c.rego": "package q"}))
    assert index.neighbours("a.rego") == ("x/b.rego",)


def test_tables_and_views_are_known_by_their_create_statements():
    index = Index(
        Files(
            {"a.sql": "CREATE TABLE IF NOT EXISTS loan (id int);", "b.sql": "create view late as select id from loan;"}
        )
    )
    assert [place.path for place in index.defining("loan")] == ["a.sql"]
    assert ("b.sql", 1) in index.using("loan", ["b.sql"])


def test_a_name_is_resolved_through_the_import_before_a_namesake_elsewhere():
    files = Files({"a.py": "from b import go\n\ngo()\n", "b.py": "def go(): ...\n", "c.py": "def go(): ...\n"})
    assert [place.path for place in Index(files).resolve("a.py", "go")] == ["b.py"]


def test_a_name_of_an_outside_library_is_not_guessed():
    files = Files({"a.py": "from requests import fetch\n\nfetch()\n", "b.py": "def fetch(): ...\n"})
    assert Index(files).resolve("a.py", "fetch") == ()


def test_a_guess_is_less_sure_than_an_import():
    files = Files({"a.py": "def use(x):\n    return x.weigh()\n", "b.py": "class Box:\n    def weigh(self): ...\n"})
    assert [place.confidence for place in Index(files).resolve("a.py", "weigh")] == [0.5]


def test_an_output_of_a_module_is_resolved_in_the_module():
    files = Files({
        "main.tf": 'module "q" {\n  source = "./q"\n}\n\noutput "a" {\n  value = module.q.url\n}\n',
        "q/outputs.tf": 'output "url" {\n  value = var.name\n}\n',
    })  # fmt: skip
    index = Index(files)
    assert "output.url" in index.uses("main.tf", 5, 7)
    assert [place.path for place in index.resolve("main.tf", "output.url")] == ["q/outputs.tf"]


SECRET = [
    ".env",
    "config/.env.production",
    "deploy/key.pem",
    "id_rsa",
    ".ssh/config",
    ".npmrc",
    "terraform.tfstate",
    "secrets.yml",
]


@pytest.mark.parametrize("path", SECRET)
def test_secrets_are_never_read(path):
    assert Index(Files({path: "TOKEN=1"})).files.text(path) is None


def test_a_template_of_a_secret_is_no_secret():
    assert Index(Files({".env.example": "TOKEN="})).files.text(".env.example") == "TOKEN="


@pytest.mark.parametrize(
    "path", ["node_modules/a/b.js", "vendor/a.go", "dist/app.js", "a.min.js", "package-lock.json", "uv.lock"]
)
def test_vendored_files_are_not_searched_but_can_be_read(path):
    files = Index(Files({path: "x"})).files
    assert path not in files.searched
    assert files.text(path) == "x"


@pytest.mark.parametrize("text", ["a\0b", "x" * 500_001, "// Code generated by protoc. DO NOT EDIT.\n"])
def test_binary_huge_and_generated_files_are_not_read(text):
    assert Index(Files({"a.go": text})).files.text("a.go") is None


def test_hidden_files_folders_and_globs_are_as_good_as_absent():
    index = Index(Files({"a.py": "", "b.py": "", "c/d.py": "", "e.txt": ""}), hidden=["b.py", "c", "*.txt"])
    assert index.files.paths == ("a.py",)


def test_a_hidden_path_with_brackets_is_hidden_too():
    assert Index(Files({"app/[id]/page.tsx": ""}), hidden=["app/[id]/page.tsx"]).files.paths == ()


def test_facts_are_asked_once_for_one_content():
    cache = FactCache()
    assert cache.definitions("a.py", "def f(): ...") is cache.definitions("b.py", "def f(): ...")


def test_the_least_recently_used_facts_go_first():
    cache = FactCache(capacity=6)
    first = cache.definitions("a.py", "def a(): ...")
    second = cache.definitions("a.py", "def b(): ...")
    cache.definitions("a.py", "def a(): ...")
    for name in "cd":
        cache.definitions("a.py", f"def {name}(): ...")
        cache.definitions("a.py", "def a(): ...")
    assert cache.definitions("a.py", "def a(): ...") is first
    assert cache.definitions("a.py", "def b(): ...") is not second
