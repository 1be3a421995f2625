"""Triage of cargo, go, C compilers, java, shells and make, on what they really print."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.triage.native import TRIAGERS
from repair.values.checks import Category, Check, Finding, Origin, Stage
from repair.values.triage import Transcript, Triage


def transcript(output: str, run: str = "ci", exit_code: int = 1) -> Transcript:
    return Transcript(
        check=Check(name="native", stage=Stage.UNIT, run=run), exit_code=exit_code, output=output, root="/repo"
    )


def read(output: str, run: str = "ci", exit_code: int = 1) -> Triage:
    given_run = transcript(output, run, exit_code)
    triages = [one.triage(given_run) for one in TRIAGERS if one.recognises(given_run)]
    return next((triage for triage in triages if triage.findings), triages[0] if triages else Triage())


def only(triage: Triage) -> Finding:
    assert len(triage.findings) == 1, triage.findings
    return triage.findings[0]


BORROW = """\
error[E0502]: cannot borrow `self.entries` as mutable because it is also borrowed as immutable
  --> src/lib.rs:25:13
   |
21 |         let cached = self.entries.get(item);
   |                      ------------ immutable borrow occurs here
...
25 |             self.entries.insert(item.to_string(), Entry::new(price, now));
   |             ^^^^^^^^^^^^^^^^^^^^^ mutable borrow occurs here

For more information about this error, try `rustc --explain E0502`.
error: could not compile `pricecache` (lib) due to 1 previous error
"""
RUSTC = """\
error[E0432]: unresolved import `std::collections::HashMapp`
 --> src/lib.rs:1:5
  |
1 | use std::collections::HashMapp;
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^ no `HashMapp` in `collections`

error: cannot find macro `nope` in this scope
 --> src/lib.rs:4:32
  |

error[E0425]: cannot find value `foo` in this scope
 --> src/lib.rs:2:34
  |

error: this file contains an unclosed delimiter
 --> src/other.rs:1:14
  |

warning: unused variable: `w`
 --> src/lib.rs:3:51
  |

error: unused variable: `x`
 --> src/lib.rs:1:17
  |
  = note: `-D unused-variables` implied by `-D warnings`

error: unclosed array, expected `]`
 --> Cargo.toml:7:7
  |

error: no matching package named `nonexist-zzz` found
location searched: crates.io index

error: could not compile `demo` (lib) due to 5 previous errors; 2 warnings emitted
"""


def test_a_borrow_error_is_one_finding_with_its_excerpt() -> None:
    found = only(read(BORROW, "cargo test -q", 101))
    assert (found.place, found.column, found.code, found.category) == ("src/lib.rs:25", 13, "E0502", Category.TYPE)
    assert found.symbol == "self.entries"
    assert "immutable borrow occurs here" in found.detail
    assert "could not compile" not in found.detail


def test_the_errors_of_rustc_have_their_categories_and_its_summaries_are_none() -> None:
    assert [(one.place, one.category, one.symbol) for one in read(RUSTC).findings] == [
        ("src/lib.rs:1", Category.IMPORT_DEPENDENCY, "std::collections::HashMapp"),
        ("src/lib.rs:4", Category.NAME_UNRESOLVED, "nope"),
        ("src/lib.rs:2", Category.NAME_UNRESOLVED, "foo"),
        ("src/other.rs:1", Category.SYNTAX, None),
        ("src/lib.rs:1", Category.LINT_STYLE, "x"),
        ("Cargo.toml:7", Category.SCHEMA_CONFIG, None),
        ("", Category.IMPORT_DEPENDENCY, "nonexist-zzz"),
    ]


def test_a_lint_made_an_error_is_known_by_its_name() -> None:
    assert next(one.code for one in read(RUSTC).findings if one.category is Category.LINT_STYLE) == "unused-variables"


def test_the_short_and_the_json_form_tell_the_same_place() -> None:
    span = {"is_primary": True, "file_name": "src/lib.rs", "line_start": 2, "column_start": 34}
    message = {
        "level": "error",
        "message": "cannot find value `foo` in this scope",
        "code": {"code": "E0425"},
        "spans": [span],
        "rendered": "error[E0425]",
    }
    output = (
        json.dumps({"reason": "compiler-message", "message": message})
        + "\nerror: could not compile `demo` (lib) due to 1 previous error\n"
    )
    short = "src/lib.rs:2:34: error[E0425]: cannot find value `foo` in this scope\n"
    told = [only(read(one, "cargo check")) for one in (output, short)]
    assert {(one.place, one.column, one.code, one.category, one.symbol) for one in told} == {
        ("src/lib.rs:2", 34, "E0425", Category.NAME_UNRESOLVED, "foo")
    }
    assert told[0].origin is Origin.STRUCTURED


CARGO_TEST = """\

running 6 tests
test tests::bad ... FAILED
test tests::idx ... FAILED
test tests::later ... ignored
test tests::ok ... ok
test tests::res ... FAILED
test tests::sp - should panic ... FAILED

failures:

---- tests::bad stdout ----

thread 'tests::bad' (12402) panicked at src/lib.rs:7:24:
assertion `left == right` failed: f is wrong for 1
  left: 2
 right: 3
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

---- tests::idx stdout ----

thread 'tests::idx' (12403) panicked at /rustc/59807616e1/library/core/src/slice/index.rs:18:9:
index out of bounds: the len is 1 but the index is 3
stack backtrace:
   0: rust_begin_unwind
             at /rustc/59807616e1/library/std/src/panicking.rs:689:5
   3: demo::z
             at ./src/lib.rs:2:30
   4: demo::tests::idx
             at ./src/lib.rs:8:24

---- tests::res stdout ----
Error: "nothing"

---- tests::sp stdout ----
note: test did not panic as expected at src/lib.rs:11:32

failures:
    tests::bad
    tests::idx
    tests::res
    tests::sp

test result: FAILED. 1 passed; 4 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `--lib`
"""
QUIET = """\

running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s


running 3 tests
fetches_again_when_ttl_has_passed --- FAILED
..
failures:

---- fetches_again_when_ttl_has_passed stdout ----

thread 'fetches_again_when_ttl_has_passed' (11193) panicked at tests/cache.rs:18:5:
assertion `left == right` failed
  left: 101
 right: 102

failures:
    fetches_again_when_ttl_has_passed

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.08s

error: test failed, to rerun pass `--test cache`
"""


def test_a_failed_rust_test_is_told_at_its_panic_or_at_the_first_frame_of_ours() -> None:
    assert [(one.test, one.place.removeprefix("./"), one.category) for one in read(CARGO_TEST).findings] == [
        ("tests::bad", "src/lib.rs:7", Category.TEST_ASSERTION),
        ("tests::idx", "src/lib.rs:2", Category.TEST_ERROR),
        ("tests::res", "", Category.TEST_ERROR),
        ("tests::sp", "src/lib.rs:11", Category.TEST_ASSERTION),
    ]
    assert read(CARGO_TEST).findings[0].message == "assertion `left == right` failed: f is wrong for 1 left: 2 right: 3"


def test_rust_tests_are_counted_over_all_binaries() -> None:
    verbose, quiet = read(CARGO_TEST), read(QUIET)
    assert (verbose.counters.collected, verbose.counters.skipped, len(verbose.tests)) == (6, 1, 6)
    assert (quiet.counters.collected, quiet.tests) == (3, ()), "a quiet run names only what failed"
    assert only(quiet).place == "tests/cache.rs:18"


def test_a_documentation_test_is_told_in_the_file_that_holds_it() -> None:
    output = "running 1 test\nsrc/lib.rs - doc (line 13) --- FAILED\n\nfailures:\n\n---- src/lib.rs - doc (line 13) stdout ----\nTest executable failed (exit status: 101).\n\nstderr:\n\nthread 'main' (12433) panicked at src/lib.rs:5:1:\nassertion `left == right` failed\n  left: 2\n right: 5\n\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured\n"
    assert only(read(output)).place == "src/lib.rs:13"


def test_what_cargo_itself_could_not_do_is_the_build_tools() -> None:
    found = only(read("error: failed to run `rustc` to learn about target-specific information\n", "cargo check", 101))
    assert found.category is Category.BUILD_TOOL


def test_a_panic_outside_of_tests_and_the_older_form_are_read() -> None:
    found = only(
        read("thread 'main' panicked at 'it broke', src/main.rs:3:5\nnote: run with RUST_BACKTRACE=1\n", "cargo run")
    )
    assert (found.place, found.message, found.test) == ("src/main.rs:3", "it broke", None)


def test_rustfmt_names_each_file_once() -> None:
    output = "Diff in /repo/src/lib.rs:1:\n-pub fn  f(){}\n+pub fn f() {}\nDiff in /repo/src/lib.rs:9:\n-x\n+y\n"
    assert only(read(output, "cargo fmt --check")).category is Category.FORMAT


GO_BUILD = """\
# example.com/demo
./a.go:4:2: "fmt" imported and not used
./a.go:8:37: undefined: c
./a.go:9:31: cannot use "s" (untyped string constant) as int value in variable declaration
./b.go:3:1: syntax error: unexpected }, expected expression
FAIL\texample.com/demo [build failed]
FAIL
"""


def test_the_errors_of_go_have_their_categories() -> None:
    assert [(one.place, one.category, one.symbol) for one in read(GO_BUILD).findings] == [
        ("./a.go:4", Category.LINT_STYLE, "fmt"),
        ("./a.go:8", Category.NAME_UNRESOLVED, "c"),
        ("./a.go:9", Category.TYPE, "s"),
        ("./b.go:3", Category.SYNTAX, None),
    ]


def test_vet_tells_a_compile_error_or_its_own_remark() -> None:
    compiled = only(read("# example.com/demo\nvet: ./a.go:8:37: undefined: c\n", "go vet ./..."))
    remark = only(read('a.go:7:38: fmt.Printf format %d has arg "x" of wrong type string\n', "go vet ./..."))
    assert (compiled.category, remark.category) == (Category.NAME_UNRESOLVED, Category.LINT_STYLE)


def test_an_absent_go_module_is_a_dependency() -> None:
    found = only(
        read(
            "a.go:6:2: no required module provides package github.com/none/none; to add it:\n\tgo get github.com/none/none\n"
        )
    )
    assert (found.category, found.symbol) == (Category.IMPORT_DEPENDENCY, "github.com/none/none")


def test_the_rule_of_a_go_linter_is_the_code() -> None:
    found = only(read("a.go:7:2: Error return value is not checked (errcheck)\n", "golangci-lint run"))
    assert (found.code, found.message, found.category) == (
        "errcheck",
        "Error return value is not checked",
        Category.LINT_STYLE,
    )


GO_TEST = """\
--- FAIL: TestAdd (0.00s)
    a_test.go:7: Add(1,2) = -1
        want 3
--- FAIL: TestTable (0.00s)
    --- FAIL: TestTable/two_words (0.00s)
        a_test.go:12: info
        a_test.go:12: bad two words
--- FAIL: TestZPanic (0.00s)
panic: runtime error: index out of range [5] with length 0 [recovered, repanicked]

goroutine 25 [running]:
testing.tRunner.func1.2({0x5754e0, 0xcd3f9bdc108})
\t/usr/local/go/src/testing/testing.go:1974 +0x232
example.com/demo.Idx(...)
\t/repo/a.go:6
example.com/demo.TestZPanic(0xcd3f9ba7208?)
\t/repo/a_test.go:17 +0xa
FAIL\texample.com/demo\t0.005s
--- FAIL: TestSub (0.00s)
    s_test.go:5: sub is wrong
FAIL
FAIL\texample.com/demo/sub\t0.002s
?   \texample.com/demo/none\t[no test files]
FAIL
"""


def test_a_failed_go_test_is_told_in_the_folder_of_its_package() -> None:
    triage = read(GO_TEST)
    assert [(one.test, one.place, one.message, one.category) for one in triage.findings] == [
        ("example.com/demo.TestAdd", "a_test.go:7", "Add(1,2) = -1 want 3", Category.TEST_ASSERTION),
        ("example.com/demo.TestTable/two_words", "a_test.go:12", "bad two words", Category.TEST_ASSERTION),
        (
            "example.com/demo.TestZPanic",
            "/repo/a.go:6",
            "runtime error: index out of range [5] with length 0",
            Category.TEST_ERROR,
        ),
        ("example.com/demo/sub.TestSub", "sub/s_test.go:5", "sub is wrong", Category.TEST_ASSERTION),
    ]
    assert (triage.counters.collected, triage.tests) == (None, ()), "go names its tests only when asked to"


def test_verbose_go_names_and_counts_its_tests() -> None:
    output = "=== RUN   TestAdd\n    a_test.go:7: Add(1,2) = -1\n        want 3\n--- FAIL: TestAdd (0.00s)\n=== RUN   TestSkip\n    a_test.go:16: not now\n--- SKIP: TestSkip (0.00s)\nFAIL\nFAIL\texample.com/demo\t0.005s\n"
    triage = read(output)
    assert only(triage).message == "Add(1,2) = -1 want 3"
    assert (triage.tests, triage.counters.skipped) == (("example.com/demo.TestAdd", "example.com/demo.TestSkip"), 1)


def test_the_json_of_go_tells_the_same() -> None:
    name = {"Package": "example.com/demo", "Test": "TestAdd"}
    events = [
        {"Action": "run", **name},
        {"Action": "output", **name, "Output": "    a_test.go:7: Add(1,2) = -1\n"},
        {"Action": "output", **name, "Output": "        want 3\n"},
        {"Action": "output", **name, "Output": "--- FAIL: TestAdd (0.00s)\n"},
        {"Action": "fail", **name, "Elapsed": 0},
        {"Action": "fail", "Package": "example.com/demo"},
    ]
    found = only(read("\n".join(json.dumps(event) for event in events), "go test -json ./..."))
    assert (found.test, found.place, found.message, found.origin) == (
        "example.com/demo.TestAdd",
        "a_test.go:7",
        "Add(1,2) = -1 want 3",
        Origin.STRUCTURED,
    )


def test_packages_without_tests_collected_none() -> None:
    assert read("?   \texample.com/demo\t[no test files]\n", "go test ./...", 0).counters.collected == 0
    assert read("ok  \texample.com/demo\t0.005s\n", "go test ./...", 0).counters.collected is None


def test_a_go_test_out_of_time_is_named() -> None:
    found = only(
        read(
            "panic: test timed out after 300ms\n\trunning tests:\n\t\tTestSlow (0s)\n\ngoroutine 5 [running]:\nFAIL\texample.com/demo\t0.305s\n",
            "go test ./...",
        )
    )
    assert (found.category, found.test) == (Category.RESOURCE_TIMEOUT, "TestSlow")


GCC = """\
b.c: In function 'f':
b.c:2:34: error: 'zz' undeclared (first use in this function)
    2 | int f(int a) { int u; return a + zz; }
      |                                  ^~
b.c:2:34: note: each undeclared identifier is reported only once for each function it appears in
b.c:2:20: error: unused variable 'u' [-Werror=unused-variable]
b.c: In function 'main':
b.c:3:28: warning: initialization of 'char *' from 'int' makes pointer from integer without a cast [-Wint-conversion]
b.c:3:38: error: expected ';' before 'return'
a.c:2:10: fatal error: missing.h: No such file or directory
d.cpp: In function 'int main()':
d.cpp:4:36: error: 'class std::vector<int>' has no member named 'push'
"""


def test_the_errors_of_gcc_have_category_symbol_and_function() -> None:
    assert [(one.place, one.category, one.symbol, one.scope) for one in read(GCC).findings] == [
        ("b.c:2", Category.NAME_UNRESOLVED, "zz", "f"),
        ("b.c:2", Category.LINT_STYLE, "u", "f"),
        ("b.c:3", Category.SYNTAX, "return", "main"),
        ("a.c:2", Category.IMPORT_DEPENDENCY, "missing.h", "main"),
        ("d.cpp:4", Category.NAME_UNRESOLVED, "push", "main"),
    ]
    assert "a + zz" in read(GCC).findings[0].detail


def test_the_linker_is_read_too() -> None:
    output = "/usr/bin/ld: /tmp/cc5v5mPp.o: in function `main':\nl.c:(.text+0xa): undefined reference to `gone'\ncollect2: error: ld returned 1 exit status\n"
    found = only(read(output))
    assert (found.file, found.symbol, found.category) == ("l.c", "gone", Category.NAME_UNRESOLVED)


@pytest.mark.parametrize(
    ("output", "category", "symbol", "place"),
    [
        ("gcc -Wall -c b.c\nmake: *** [Makefile:7: fail] Error 1\n", Category.BUILD_TOOL, "fail", "Makefile:7"),
        ("make: *** No rule to make target 'nope'.  Stop.\n", Category.BUILD_TOOL, "nope", ""),
        ("bad.mk:2: *** missing separator.  Stop.\n", Category.SYNTAX, None, "bad.mk:2"),
    ],
)
def test_make_speaks_where_nobody_else_does(output: str, category: Category, symbol: str | None, place: str) -> None:
    found = only(read(output, "make all", 2))
    assert (found.category, found.symbol, found.place) == (category, symbol, place)


def test_make_is_silent_about_what_a_compiler_explained() -> None:
    run = transcript(GCC + "make: *** [Makefile:3: b.o] Error 1\n", "make", 2)
    make = next(one for one in TRIAGERS if one.name == "make")
    assert make.recognises(run)
    assert make.triage(run).findings == ()


JAVAC = """\
A.java:1: error: cannot find symbol
import java.util.Lisst;
                ^
  symbol:   class Lisst
  location: package java.util
A.java:3: error: incompatible types: String cannot be converted to int
  int f() { return "s"; }
                   ^
2 errors
"""
MAVEN = """\
[INFO] --- maven-compiler-plugin:3.1:compile (default-compile) @ b ---
[ERROR] COMPILATION ERROR :
[ERROR] /repo/src/main/java/A.java:[1,17] cannot find symbol
  symbol:   class Lisst
  location: package java.util
[INFO] BUILD FAILURE
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.1:compile
[ERROR] /repo/src/main/java/A.java:[1,17] cannot find symbol
[ERROR]   symbol:   class Lisst
[ERROR]   location: package java.util
"""
SUREFIRE = """\
Running ATest
Tests run: 4, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.039 sec <<< FAILURE!
adds(ATest)  Time elapsed: 0.007 sec  <<< FAILURE!
java.lang.AssertionError: expected:<3> but was:<-1>
\tat org.junit.Assert.fail(Assert.java:89)
\tat ATest.adds(ATest.java:3)
\tat java.base/java.lang.reflect.Method.invoke(Method.java:569)

booms(ATest)  Time elapsed: 0.004 sec  <<< ERROR!
java.lang.NullPointerException: Cannot invoke "String.length()" because "s" is null
\tat A.boom(A.java:1)
\tat ATest.booms(ATest.java:4)

Tests run: 4, Failures: 1, Errors: 1, Skipped: 1

[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:2.12.4:test: There are test failures.
"""


def test_javac_and_maven_name_place_and_symbol() -> None:
    assert [(one.place, one.column, one.category, one.symbol) for one in read(JAVAC).findings] == [
        ("A.java:1", 17, Category.NAME_UNRESOLVED, "Lisst"),
        ("A.java:3", 20, Category.TYPE, None),
    ]
    found = only(read(MAVEN))
    assert (found.place, found.column, found.message) == (
        "/repo/src/main/java/A.java:1",
        17,
        "cannot find symbol: Lisst",
    )


def test_the_tests_of_maven_are_read_with_their_own_frames() -> None:
    triage = read(SUREFIRE)
    assert [(one.test, one.place, one.category) for one in triage.findings] == [
        ("ATest.adds", "ATest.java:3", Category.TEST_ASSERTION),
        ("ATest.booms", "A.java:1", Category.TEST_ERROR),
    ]
    assert (triage.counters.collected, triage.counters.skipped) == (4, 1)
    assert triage.findings[0].message == "AssertionError: expected:<3> but was:<-1>"


SHELLCHECK = """\

In rotate.sh line 11:
for f in $(ls $folder/*.log); do
         ^-----------------^ SC2045 (error): Iterating over ls output is fragile. Use globs.
              ^-----^ SC2086 (info): Double quote to prevent globbing and word splitting.

Did you mean:
for f in $(ls "$folder"/*.log); do


In lib/y.sh line 4:
echo $x
^-- SC1072 (error): Expected 'fi'. Fix any mentioned problems and try again.

For more information:
  https://www.shellcheck.net/wiki/SC2045 -- Iterating over ls output is fragi...
"""


def test_every_remark_of_shellcheck_is_a_finding_at_its_caret() -> None:
    found = read(SHELLCHECK).findings
    assert [(one.place, one.column, one.code, one.category) for one in found] == [
        ("rotate.sh:11", 10, "SC2045", Category.LINT_STYLE),
        ("rotate.sh:11", 15, "SC2086", Category.LINT_STYLE),
        ("lib/y.sh:4", 1, "SC1072", Category.SYNTAX),
    ]
    assert "for f in $(ls $folder/*.log); do" in found[1].detail


def test_the_other_forms_of_shellcheck_tell_the_same() -> None:
    said = "x is referenced but not assigned."
    gcc = f"x.sh:5:6: warning: {said} [SC2154]\n"
    rows = [{"file": "x.sh", "line": 5, "column": 6, "level": "warning", "code": 2154, "message": said}]
    told = [only(read(one, "shellcheck x.sh")) for one in (gcc, json.dumps(rows), json.dumps({"comments": rows}))]
    assert {(one.place, one.column, one.code, one.symbol, one.category) for one in told} == {
        ("x.sh:5", 6, "SC2154", "x", Category.NAME_UNRESOLVED)
    }


@pytest.mark.parametrize(
    ("output", "place", "category", "symbol"),
    [
        ("y.sh: line 4: syntax error: unexpected end of file\n", "y.sh:4", Category.SYNTAX, None),
        (
            "w.sh: line 1: syntax error near unexpected token `)'\nw.sh: line 1: `echo )'\n",
            "w.sh:1",
            Category.SYNTAX,
            None,
        ),
        ("q.sh: line 2: unexpected EOF while looking for matching `\"'\n", "q.sh:2", Category.SYNTAX, None),
        ("start\nz.sh: line 4: nosuchcmd: command not found\n", "z.sh:4", Category.NAME_UNRESOLVED, "nosuchcmd"),
        ("z2.sh: line 5: UNSETVAR: unbound variable\n", "z2.sh:5", Category.NAME_UNRESOLVED, "UNSETVAR"),
        ('y.sh: 4: Syntax error: end of file unexpected (expecting "fi")\n', "y.sh:4", Category.SYNTAX, "fi"),
        ("z.sh: 4: nosuchcmd: not found\n", "z.sh:4", Category.NAME_UNRESOLVED, "nosuchcmd"),
        ("mv: cannot stat '/repo/my:': No such file or directory\n", "", Category.TEST_ERROR, "my:"),
    ],
)
def test_an_error_of_a_shell_is_told_in_the_script(
    output: str, place: str, category: Category, symbol: str | None
) -> None:
    found = only(read(output))
    assert (found.place, found.category, found.symbol) == (place, category, symbol)


SAMPLES = (BORROW, RUSTC, CARGO_TEST, QUIET, GO_BUILD, GO_TEST, GCC, JAVAC, MAVEN, SUREFIRE, SHELLCHECK)


@given(st.lists(st.one_of(st.text(), st.sampled_from("\n".join(SAMPLES).split("\n"))), max_size=80))
def test_no_shuffled_or_random_output_raises(lines: list[str]) -> None:
    hostile = transcript(
        "\n".join(lines).encode("utf-8", "replace").decode(), "make && gofmt -l . && cargo fmt && mvn test"
    )
    for one in TRIAGERS:
        one.recognises(hostile)
        assert all(len(found.detail) <= 2000 for found in one.triage(hostile).findings)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    ["reason", "message", "level", "spans", "code", "Action", "Test", "Package", "Output", "comments"]
                ),
                inner,
            )
        ),
    )
)
def test_no_document_of_another_shape_raises(document: object) -> None:
    for one in TRIAGERS:
        one.triage(transcript(json.dumps(document)))
