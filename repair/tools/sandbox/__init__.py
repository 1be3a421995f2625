"""Where the repository's commands run."""

from repair.tools.sandbox.seam import Sandbox, SandboxUnavailable

__all__ = ["Sandbox", "SandboxUnavailable"]
