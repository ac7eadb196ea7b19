"""Chances, grades, luck and reasons: what a race teaches. docs/explanation/analysis.md says how it is computed."""
