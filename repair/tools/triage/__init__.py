"""From the words of a tool to findings: one module per family of tools."""
