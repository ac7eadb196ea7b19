"""Measuring a server: crowds of guests, load, kills, memory over time."""
