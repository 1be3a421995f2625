"""The GitHub App around the engine: web hooks, jobs and delivery."""
