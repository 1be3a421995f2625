"""Everything that touches the world, or knows a tool, a language or a format."""
