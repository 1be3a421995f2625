"""Git as a child process."""

import os
from pathlib import Path

from repair.tools.git import Git


def test_an_interrupt_from_the_keyboard_does_not_reach_git(tmp_path: Path) -> None:
    group = Git(tmp_path).text("-c", "alias.group=!ps -o pgid= -p $$", "group")

    assert int(group) != os.getpgrp()
