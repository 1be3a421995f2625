"""Commands that let a tool repair what the tool itself complains about."""
