"""The three roles around the blackboard: orchestrator, analyzer and repairer."""
