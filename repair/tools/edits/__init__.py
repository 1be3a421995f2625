"""From a model's answer to new file contents, and from two trees to the smallest difference between them."""
