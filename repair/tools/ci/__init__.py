"""The checks of a repository: from its settings, or from its workflows."""
