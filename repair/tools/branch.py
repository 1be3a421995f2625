"""What the branch of a work tree is about."""

from pathlib import Path

from repair.tools.git import Git, GitError

_MOST_DIFF = 200_000


def diff_against_base_branch(root: Path) -> str:
    """What the branch changed against where it left its upstream or main branch; empty when unknown."""
    git = Git(root)
    for branch in ("@{upstream}", "origin/HEAD", "origin/main", "origin/master", "main", "master"):
        try:
            fork = git.text("merge-base", "HEAD", branch)
            if fork != git.text("rev-parse", "HEAD"):
                return git.text("diff", "--no-color", "--no-ext-diff", "--no-textconv", fork, "HEAD")[:_MOST_DIFF]
        except GitError:  # no such branch
            continue
    return ""
