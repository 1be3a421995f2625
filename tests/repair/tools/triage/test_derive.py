"""Which findings follow from another."""

from hypothesis import given
from hypothesis import strategies as st

from repair.tools.triage.derive import mark_derived
from repair.values.checks import Category, Finding, Stage


def finding(message: str = "m", category: Category = Category.LINT_STYLE, **fields: object) -> Finding:
    base = {"check": "c", "stage": Stage.LINT, "category": category, "message": message}
    return Finding.model_validate({**base, **fields})


def name_error(file: str, line: int) -> Finding:
    return finding("Undefined name", Category.NAME_UNRESOLVED, file=file, line=line, symbol="gone", code="F821")


def derived(*findings: Finding) -> list[bool]:
    return [found.derived for found in mark_derived(findings)]


def test_what_follows_a_files_first_parse_error_is_derived() -> None:
    syntax = [finding(f"expected {n}", Category.SYNTAX, file="a.py", line=n) for n in (3, 4, 9)]
    assert derived(*syntax, finding(file="a.py", line=20), finding(file="b.py", line=20)) == [
        *(False, True, True),
        *(True, False),
    ]


def test_what_stands_before_the_parse_error_is_not() -> None:
    assert derived(finding(file="a.py", line=1), finding("x", Category.SYNTAX, file="a.py", line=3)) == [False, False]


def test_one_symbol_missing_in_many_files_has_one_root() -> None:
    each = [name_error(f"{name}.py", 1) for name in "abc"]
    assert derived(*each) == [False, True, True]


def test_two_uses_of_a_missing_name_in_one_file_are_two_errors() -> None:
    each = [name_error("a.py", line) for line in (1, 2)]
    assert derived(*each) == [False, False]


def test_the_same_unused_import_in_many_files_is_as_many_errors() -> None:
    assert derived(*(finding("unused", file=f"{n}.py", line=1, symbol="os", code="F401") for n in "abc")) == [False] * 3


def test_one_failed_import_shared_by_many_tests_has_one_root() -> None:
    each = [
        finding(
            "No module named 'x'", Category.IMPORT_DEPENDENCY, file=f"test_{n}.py", line=1, symbol="x", test=f"t{n}"
        )
        for n in range(3)
    ]
    assert derived(*each) == [False, True, True]


def test_one_exception_in_one_place_shared_by_many_tests_has_one_root() -> None:
    each = [finding("KeyError: 1", Category.TEST_ERROR, file="a.py", line=4, test=f"t{n}") for n in range(3)]
    assert derived(*each) == [False, True, True]


def test_assertions_in_a_shared_helper_may_have_different_causes() -> None:
    each = [finding("assert False", Category.TEST_ASSERTION, file="a.py", line=4, test=f"t{n}") for n in range(3)]
    assert derived(*each) == [False, False, False]


FINDINGS = st.lists(
    st.builds(
        finding,
        st.sampled_from(["a", "b"]),
        st.sampled_from(Category),
        file=st.sampled_from([None, "a.py", "b.py"]),
        line=st.sampled_from([None, 1, 2]),
        symbol=st.sampled_from([None, "x"]),
        code=st.sampled_from([None, "C"]),
    )
)


@given(FINDINGS)
def test_marking_keeps_the_findings_their_order_and_at_least_one_root(findings: list[Finding]) -> None:
    marked = mark_derived(findings)
    assert [found.model_copy(update={"derived": False}) for found in marked] == findings
    assert not findings or not all(found.derived for found in marked)
    assert mark_derived(marked) == marked
