"""How sure is each number, where is the evaluation wrong, and what would help."""
