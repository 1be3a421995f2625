"""Where secrets lie that a command in the box must not see."""

from collections.abc import Iterator
from pathlib import Path

from repair.tools.git import Git, GitError

SECRETS_AT_HOME = (
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".config/gh",
    ".config/hub",
    ".config/gcloud",
    ".config/git",
    ".config/op",
    ".local/share/keyrings",
    ".password-store",
    ".mozilla",
    ".netrc",
    ".git-credentials",
    ".gitconfig",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".vault-token",
    ".terraform.d/credentials.tfrc.json",
    ".terraformrc",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".bash_history",
    ".zsh_history",
    ".1password",
    ".config/containers",
    ".config/rclone",
    ".config/pypoetry",
    ".config/configstore",
    ".cache/huggingface/token",
    ".gradle/gradle.properties",
    ".databrickscfg",
    ".snowflake",
    ".python_history",
)
# Remotes and extra headers may hold credentials; checks need neither.
PLAIN_GIT_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"


def git_configs(root: Path) -> Iterator[Path]:
    """The settings of the repository at `root` and of its submodules, also when it is a linked worktree."""
    if not (root / ".git").exists():
        return
    try:
        common = Path(root, Git(root).text("rev-parse", "--git-common-dir")).resolve()
    except GitError:  # not a repository after all: no program will take it for one either
        common = root / ".git"
    modules = (head.parent / "config" for head in common.glob("modules/**/HEAD"))
    yield from (config for config in (common / "config", *modules) if config.is_file())
