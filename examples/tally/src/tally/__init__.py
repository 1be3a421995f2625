"""Where the money of a shared flat went."""
