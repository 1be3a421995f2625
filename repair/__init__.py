"""The repair engine: a red work tree goes in, a verified fix and its blackboard come out.

The engine knows no GitHub, no web server and no job queue. Its parts, from the inside out:
values (frozen models), rules (pure decisions), tools (everything that touches the world),
roles (orchestrator, analyzer, repairer) and faces (command line, reports).
"""
