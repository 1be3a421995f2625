"""The facts about the code around an error, collected without a model."""
