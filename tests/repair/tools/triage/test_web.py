"""Triage of tsc, eslint, prettier, node, node:test, jest and vitest, on what these tools really print."""

import json

from hypothesis import given
from hypothesis import strategies as st

from repair.tools.triage.web import TRIAGERS
from repair.values.checks import Category, Check, Finding, Origin, Stage
from repair.values.triage import Transcript, Triage


def transcript(output: str, run: str = "ci", exit_code: int = 1) -> Transcript:
    return Transcript(
        check=Check(name="web", stage=Stage.UNIT, run=run), exit_code=exit_code, output=output, root="/repo"
    )


def read(output: str, run: str = "ci", exit_code: int = 1) -> Triage:
    given_run = transcript(output, run, exit_code)
    triages = [one.triage(given_run) for one in TRIAGERS if one.recognises(given_run)]
    return next((triage for triage in triages if triage.findings), triages[0] if triages else Triage())


def only(triage: Triage) -> Finding:
    assert len(triage.findings) == 1, triage.findings
    return triage.findings[0]


TSC = """\
src/a.ts(1,22): error TS2307: Cannot find module './missing' or its corresponding type declarations.
src/a.ts(3,39): error TS2304: Cannot find name 'foo'.
src/balance.ts(6,59): error TS2339: Property 'cents' does not exist on type 'Adjustment | Refund'.
  Property 'cents' does not exist on type 'Adjustment'.
src/b.ts(1,18): error TS1109: Expression expected.
error TS6053: File 'nope.ts' not found.
  The file is in the program because:
    Root file specified for compilation
"""


def test_each_error_of_tsc_has_its_place_code_and_category() -> None:
    found = read(TSC).findings
    assert [(one.place, one.code, one.category, one.symbol) for one in found] == [
        ("src/a.ts:1", "TS2307", Category.IMPORT_DEPENDENCY, "./missing"),
        ("src/a.ts:3", "TS2304", Category.NAME_UNRESOLVED, "foo"),
        ("src/balance.ts:6", "TS2339", Category.TYPE, "cents"),
        ("src/b.ts:1", "TS1109", Category.SYNTAX, None),
        ("", "TS6053", Category.SCHEMA_CONFIG, "nope.ts"),
    ]
    assert found[2].column == 59
    assert "Property 'cents' does not exist on type 'Adjustment'." in found[2].detail


def test_a_finding_carries_the_name_and_the_stage_of_its_check() -> None:
    found = read(TSC).findings[0]
    assert (found.check, found.stage, found.origin) == ("web", Stage.UNIT, Origin.STABLE_TEXT)


def test_the_pretty_form_of_tsc_is_read_with_its_excerpt() -> None:
    pretty = "src/b.ts:1:18 - error TS1109: Expression expected.\n\n1 export const x = ;\n                   ~\n\n\nFound 1 error in src/b.ts:1\n"
    found = only(read(pretty))
    assert (found.place, found.column, found.code) == ("src/b.ts:1", 18, "TS1109")
    assert "export const x = ;" in found.detail


STYLISH = """
/repo/src/bad.js
  1:7   warning  'a' is assigned a value but never used  no-unused-vars
  2:5   error    'b' is not defined                      no-undef
  2:7   error    Expected '===' and instead saw '=='     eqeqeq

/repo/src/syn.js
  2:1  error  Parsing error: Unexpected token

\N{HEAVY MULTIPLICATION X} 4 problems (3 errors, 1 warning)
"""


def test_only_the_errors_of_eslint_are_findings_where_it_has_any() -> None:
    assert [(one.place, one.code, one.category, one.symbol) for one in read(STYLISH).findings] == [
        ("/repo/src/bad.js:2", "no-undef", Category.NAME_UNRESOLVED, "b"),
        ("/repo/src/bad.js:2", "eqeqeq", Category.LINT_STYLE, None),
        ("/repo/src/syn.js:2", None, Category.SYNTAX, None),
    ]


def test_warnings_of_eslint_are_findings_where_they_alone_fail_the_run() -> None:
    output = "\n/repo/w.js\n  1:7  warning  'zz' is assigned a value but never used  no-unused-vars\n\nESLint found too many warnings (maximum: 0).\n"
    found = only(read(output, "eslint --max-warnings 0 ."))
    assert (found.code, found.message) == ("no-unused-vars", "'zz' is assigned a value but never used")


def test_every_format_of_eslint_tells_the_same() -> None:
    unix = "/repo/src/bad.js:2:5: 'b' is not defined. [Error/no-undef]\n/repo/src/syn.js:2:1: Parsing error: Unexpected token [Error]\n\n2 problems\n"
    compact = (
        "/repo/src/bad.js: line 2, col 5, Error - 'b' is not defined. (no-undef)\n"
        "/repo/src/syn.js: line 2, col 1, Error - Parsing error: Unexpected token\n\n2 problems\n"
    )
    document = [
        {
            "filePath": "/repo/src/bad.js",
            "messages": [
                {"ruleId": "no-undef", "severity": 2, "message": "'b' is not defined.", "line": 2, "column": 5}
            ],
        },
        {
            "filePath": "/repo/src/syn.js",
            "messages": [
                {
                    "ruleId": None,
                    "fatal": True,
                    "severity": 2,
                    "message": "Parsing error: Unexpected token",
                    "line": 2,
                    "column": 1,
                }
            ],
        },
    ]
    told = [read(output, "eslint .").findings for output in (unix, compact, json.dumps(document))]
    assert (
        len({tuple((one.place, one.column, one.code, one.category, one.message) for one in found) for found in told})
        == 1
    )
    assert [found[0].origin for found in told] == [Origin.STABLE_TEXT, Origin.STABLE_TEXT, Origin.STRUCTURED]


def test_a_broken_configuration_of_eslint_is_told_by_its_reason() -> None:
    output = '\nOops! Something went wrong! :(\n\nESLint: 10.15.0\n\nA configuration object specifies rule "nope/x", but could not find plugin "nope".\n'
    found = only(read(output))
    assert found.category is Category.SCHEMA_CONFIG
    assert found.message.startswith("A configuration object specifies rule")


PRETTIER = """\
Checking formatting...
[warn] src/a.ts
[error] src/b.ts: SyntaxError: Expression expected. (1:18)
[error] > 1 | export const x = ;
[error]     |                  ^
[error]   2 |
[warn] Code style issues found in 2 files. Run Prettier with --write to fix.
"""


def test_prettier_names_the_files_it_would_format_and_those_it_cannot_parse() -> None:
    assert {(one.place, one.category) for one in read(PRETTIER).findings} == {
        ("src/a.ts", Category.FORMAT),
        ("src/b.ts:1", Category.SYNTAX),
    }


def test_a_list_of_unformatted_files_is_read_as_one() -> None:
    assert [one.file for one in read("src/a.ts\nsrc/bad.js\n", "prettier -l src").findings] == [
        "src/a.ts",
        "src/bad.js",
    ]


REQUIRE = """\
file:///repo/lib/index.js:1
const fs = require("fs");
           ^

ReferenceError: require is not defined in ES module scope, you can use import instead
This file is being treated as an ES module because it has a '.js' file extension and '/repo/package.json' contains "type": "module".
    at file:///repo/lib/index.js:1:12
    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)
    at async file:///repo/[eval1]:1:1

Node.js v20.20.2
"""
NO_EXPORT = """\
file:///repo/test/mail.test.js:4
import { names, render } from "../lib/index.js";
         ^^^^^
SyntaxError: The requested module '../lib/index.js' does not provide an export named 'names'
    at ModuleJob._instantiate (node:internal/modules/esm/module_job:213:21)

Node.js v20.20.2
"""
NO_PACKAGE = """\
node:internal/modules/esm/resolve:873
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from /repo/m.mjs
    at packageResolve (node:internal/modules/esm/resolve:873:9) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v20.20.2
"""
NO_FILE = """\
node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module './nope'
Require stack:
- /repo/x.cjs
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Object.<anonymous> (/repo/x.cjs:1:1) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/repo/x.cjs' ]
}

Node.js v20.20.2
"""
SYNTAX = "/repo/y.cjs:2\n\n\n\nSyntaxError: Unexpected end of input\n    at wrapSafe (node:internal/modules/cjs/loader:1464:18)\n\nNode.js v20.20.2\n"
THROWN = """\
/repo/node_modules/lib/index.js:1
null.foo
     ^

TypeError: Cannot read properties of null (reading 'foo')
    at Object.<anonymous> (/repo/node_modules/lib/index.js:1:6)
    at main (/repo/src/n.cjs:7:3)
    at node:internal/main/run_main_module:28:49

Node.js v20.20.2
"""


def test_an_error_that_ends_node_is_told_at_the_innermost_place_of_ours() -> None:
    told = [only(read(output)) for output in (REQUIRE, NO_EXPORT, NO_PACKAGE, NO_FILE, SYNTAX, THROWN)]
    assert [(one.place, one.column, one.category, one.symbol) for one in told] == [
        ("/repo/lib/index.js:1", 12, Category.IMPORT_DEPENDENCY, "require"),
        ("/repo/test/mail.test.js:4", 10, Category.IMPORT_DEPENDENCY, "names"),
        ("/repo/m.mjs", None, Category.IMPORT_DEPENDENCY, "left-pad"),
        ("/repo/x.cjs:1", 1, Category.IMPORT_DEPENDENCY, "./nope"),
        ("/repo/y.cjs:2", None, Category.SYNTAX, None),
        ("/repo/src/n.cjs:7", 3, Category.TEST_ERROR, "foo"),
    ]
    assert read(REQUIRE).first_error_only


def test_a_message_does_not_depend_on_where_the_tree_stood() -> None:
    moved = transcript(NO_PACKAGE.replace("/repo", "/elsewhere/clone")).model_copy(update={"root": "/elsewhere/clone"})
    there = next(one.triage(moved).findings for one in TRIAGERS if one.recognises(moved))
    assert there[0].message == only(read(NO_PACKAGE)).message


TAP = """\
TAP version 13
# Subtest: sums
    # Subtest: adds
    not ok 1 - adds
      ---
      duration_ms: 1.734171
      location: '/repo/test/a.test.js:5:3'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:

        -1 !== 3

      code: 'ERR_ASSERTION'
      name: 'AssertionError'
      stack: |-
        TestContext.<anonymous> (file:///repo/test/a.test.js:5:29)
        Test.runInAsyncScope (node:async_hooks:206:9)
      ...
    # Subtest: booms
    not ok 2 - booms
      ---
      duration_ms: 0.106226
      location: '/repo/test/a.test.js:7:3'
      failureType: 'testCodeFailure'
      error: 'undefinedThing is not defined'
      code: 'ERR_TEST_FAILURE'
      name: 'ReferenceError'
      stack: |-
        boom (file:///repo/dist/a.js:2:26)
        boom (file:///repo/lib/a.js:4:2)
        TestContext.<anonymous> (file:///repo/test/a.test.js:7:23)
      ...
    # Subtest: skipped one
    ok 3 - skipped one # SKIP
      ---
      duration_ms: 0.074214
      ...
    1..3
not ok 1 - sums
  ---
  duration_ms: 3.017555
  type: 'suite'
  location: '/repo/test/a.test.js:4:1'
  failureType: 'subtestsFailed'
  error: '2 subtests failed'
  code: 'ERR_TEST_FAILURE'
  ...
# Subtest: top todo
not ok 2 - top todo # TODO
  ---
  duration_ms: 0.15821
  location: '/repo/test/a.test.js:10:1'
  failureType: 'testCodeFailure'
  error: 'later'
  code: 'ERR_TEST_FAILURE'
  ...
# Subtest: slow
not ok 3 - slow
  ---
  duration_ms: 21.265273
  location: '/repo/test/a.test.js:12:1'
  failureType: 'testTimeoutFailure'
  error: 'test timed out after 20ms'
  code: 'ERR_TEST_FAILURE'
  ...
# file:///repo/test/c.test.js:3
# }
# ^
# SyntaxError: Unexpected token '}'
#     at compileSourceTextModule (node:internal/modules/esm/utils:346:16)
#     at \\#translate (node:internal/modules/esm/loader:497:12)
# Node.js v20.20.2
# Subtest: /repo/test/c.test.js
not ok 4 - /repo/test/c.test.js
  ---
  duration_ms: 72.732239
  location: '/repo/test/c.test.js:1:1'
  failureType: 'testCodeFailure'
  exitCode: 1
  signal: ~
  error: 'test failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..4
# tests 6
# suites 1
# pass 0
# fail 4
# cancelled 0
# skipped 1
# todo 1
"""
FAILED = [
    ("sums > adds", "test/a.test.js:5", Category.TEST_ASSERTION),
    ("sums > booms", "lib/a.js:4", Category.TEST_ERROR),
    ("slow", "test/a.test.js:12", Category.RESOURCE_TIMEOUT),
    ("test/c.test.js", "test/c.test.js:3", Category.SYNTAX),
]


def failed(triage: Triage) -> list[tuple[str | None, str, Category]]:
    return [(one.test, one.place.removeprefix("/repo/"), one.category) for one in triage.findings]


def test_a_failed_test_of_node_is_told_once_at_its_innermost_source_line() -> None:
    triage = read(TAP, "node --test test/")
    assert failed(triage) == FAILED
    assert triage.findings[0].message == "Expected values to be strictly equal: -1 !== 3"
    assert triage.findings[1].symbol == "undefinedThing"


def test_suites_are_no_tests_and_counters_come_from_the_summary() -> None:
    triage = read(TAP, "node --test test/")
    assert triage.tests == ("sums > adds", "sums > booms", "sums > skipped one", "top todo", "slow", "test/c.test.js")
    assert (triage.counters.collected, triage.counters.skipped) == (6, 2)


def test_a_passing_run_keeps_its_tests_and_has_no_findings() -> None:
    passing = "TAP version 13\n# Subtest: fine\nok 1 - fine\n  ---\n  duration_ms: 1.2\n  ...\n1..1\n# tests 1\n# skipped 0\n# todo 0\n"
    triage = read(passing, exit_code=0)
    assert (triage.tests, triage.counters.collected, triage.findings) == (("fine",), 1, ())


GOOD, BAD, HEAD, SKIP, INFO = "\u2714", "\u2716", "\u25b6", "\ufe63", "\u2139"
SPEC = f"""\
{HEAD} sums
  {BAD} adds (1.740928ms)
    AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

    -1 !== 3

        at TestContext.<anonymous> (file:///repo/test/a.test.js:5:29) {{
      code: 'ERR_ASSERTION',
    }}

  {BAD} booms (0.088649ms)
    ReferenceError [Error]: undefinedThing is not defined
        at boom (file:///repo/lib/a.js:4:2)

  {SKIP} skipped one (0.075086ms) # SKIP
{BAD} sums (3.015065ms)
{BAD} top todo (0.147947ms) # TODO
  Error: later

{BAD} slow (21.129339ms)
  'test timed out after 20ms'

file:///repo/test/c.test.js:3
}}
^

SyntaxError: Unexpected token '}}'
    at compileSourceTextModule (node:internal/modules/esm/utils:346:16)

Node.js v20.20.2
{BAD} /repo/test/c.test.js (71.471112ms)
  'test failed'

{INFO} tests 6
{INFO} suites 1
{INFO} pass 0
{INFO} fail 4
{INFO} cancelled 0
{INFO} skipped 1
{INFO} todo 1
{INFO} duration_ms 436.114306

{BAD} failing tests:

test at test/a.test.js:5:3
{BAD} adds (1.740928ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  -1 !== 3

      at TestContext.<anonymous> (file:///repo/test/a.test.js:5:29)
      at Test.run (node:internal/test_runner/test:796:25) {{
    code: 'ERR_ASSERTION',
  }}

test at test/a.test.js:7:3
{BAD} booms (0.088649ms)
  ReferenceError [Error]: undefinedThing is not defined
      at boom (file:///repo/lib/a.js:4:2)

test at test/a.test.js:10:1
{BAD} top todo (0.147947ms) # TODO
  Error: later

test at test/a.test.js:12:1
{BAD} slow (21.129339ms)
  'test timed out after 20ms'

test at test/c.test.js:1:1
{BAD} /repo/test/c.test.js (71.471112ms)
  'test failed'
"""


def test_the_spec_reporter_tells_the_same_as_tap() -> None:
    spec, tap = read(SPEC, "node --test test/"), read(TAP, "node --test test/")
    assert failed(spec) == FAILED
    assert (spec.tests, spec.counters) == (tap.tests, tap.counters)
    assert [one.message for one in spec.findings] == [one.message for one in tap.findings]


JEST = """\
FAIL j/sum.test.js
  \u25cf sum \u203a adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 3
    Received: -1

    > 3 |   test("adds", () => { expect(sum(1, 2)).toBe(3); });
        |                                          ^

      at Object.toBe (j/sum.test.js:3:42)

  \u25cf sum \u203a booms

    ReferenceError: nope is not defined

    > 2 | exports.boom = () => { return nope.x; };

      at exports.boom (j/sum.js:2:24)
      at Object.boom (j/sum.test.js:6:25)

FAIL j/load.test.js
  \u25cf Test suite failed to run

    Cannot find module './gone' from 'j/load.test.js'

      at Resolver._throwModNotFoundError (node_modules/jest-resolve/build/index.js:1031:11)
      at Object.require (j/load.test.js:1:11)

FAIL j/syn.test.js
  \u25cf Test suite failed to run

    Jest encountered an unexpected token

    Out of the box Jest supports Babel, which will be used to transform your files into valid JS.

    Details:

    SyntaxError: /repo/j/syn.test.js: Unexpected token (2:0)

      1 | test("a", () => {
    > 2 |

      at constructor (node_modules/@babel/parser/src/parse-error.ts:96:45)

Test Suites: 3 failed, 3 total
Tests:       2 failed, 1 skipped, 1 passed, 4 total
"""


def test_jest_is_read_test_by_test_and_file_by_file() -> None:
    triage = read(JEST)
    assert failed(triage) == [
        ("j/sum.test.js > sum > adds", "j/sum.test.js:3", Category.TEST_ASSERTION),
        ("j/sum.test.js > sum > booms", "j/sum.js:2", Category.TEST_ERROR),
        ("j/load.test.js", "j/load.test.js:1", Category.IMPORT_DEPENDENCY),
        ("j/syn.test.js", "j/syn.test.js:2", Category.SYNTAX),
    ]
    assert (triage.counters.collected, triage.counters.skipped) == (4, 1)
    assert triage.findings[0].message.endswith("Expected: 3 Received: -1")


VITEST = """\
 FAIL  v/load.test.js [ v/load.test.js ]
Error: Cannot find module './gone' imported from /repo/v/load.test.js
 \u276f v/load.test.js:1:1
      1| import x from "./gone";

\u23af\u23af\u23af\u23af[1/2]\u23af

\u23af\u23af\u23af Failed Tests 1 \u23af\u23af\u23af

 FAIL  v/sum.test.js > sum > adds
AssertionError: expected -1 to be 3 // Object.is equality

- Expected
+ Received

 \u276f v/sum.test.js:4:42

\u23af\u23af\u23af\u23af[2/2]\u23af

 Test Files  2 failed (2)
      Tests  1 failed | 1 passed | 1 skipped (3)
"""


def test_vitest_is_read_likewise() -> None:
    triage = read(VITEST)
    assert failed(triage) == [
        ("v/load.test.js", "v/load.test.js:1", Category.IMPORT_DEPENDENCY),
        ("v/sum.test.js > sum > adds", "v/sum.test.js:4", Category.TEST_ASSERTION),
    ]
    assert (triage.counters.collected, triage.counters.skipped) == (3, 1)


def test_the_json_of_jest_names_every_test() -> None:
    cases = [
        {
            "ancestorTitles": ["sum"],
            "title": "adds",
            "status": "failed",
            "failureMessages": [
                "Error: expect(received).toBe(expected)\n\nExpected: 3\nReceived: -1\n    at Object.toBe (/repo/j/sum.test.js:3:42)"
            ],
        },
        {"ancestorTitles": ["sum"], "title": "zero", "status": "passed", "failureMessages": []},
    ]
    document = {
        "numTotalTests": 2,
        "numPendingTests": 0,
        "numTotalTestSuites": 1,
        "testResults": [{"name": "/repo/j/sum.test.js", "status": "failed", "assertionResults": cases}],
    }
    triage = read(json.dumps(document))
    assert failed(triage) == [("j/sum.test.js > sum > adds", "j/sum.test.js:3", Category.TEST_ASSERTION)]
    assert triage.tests == ("j/sum.test.js > sum > adds", "j/sum.test.js > sum > zero")


SAMPLES = (TSC, STYLISH, PRETTIER, REQUIRE, NO_EXPORT, NO_PACKAGE, NO_FILE, TAP, SPEC, JEST, VITEST)


@given(st.lists(st.one_of(st.text(), st.sampled_from("\n".join(SAMPLES).split("\n"))), max_size=60))
def test_no_shuffled_or_random_output_raises(lines: list[str]) -> None:
    hostile = transcript("\n".join(lines).encode("utf-8", "replace").decode())
    for one in TRIAGERS:
        one.recognises(hostile)
        assert all(len(found.detail) <= 2000 for found in one.triage(hostile).findings)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "messages",
                        "testResults",
                        "filePath",
                        "line",
                        "assertionResults",
                        "title",
                        "message",
                        "results",
                        "x",
                    ]
                ),
                inner,
            )
        ),
    )
)
def test_no_document_of_another_shape_raises(document: object) -> None:
    hostile = transcript(json.dumps(document))
    for one in TRIAGERS:
        one.triage(hostile)
