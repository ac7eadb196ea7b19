"""Charioteer: matching cards, chosen by all at once and in secret. Rules: docs/rules/charioteer.md."""
