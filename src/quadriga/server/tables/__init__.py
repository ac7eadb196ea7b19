"""Tables in memory: documents, commands and what they do, clocks, agreement, execution. Nothing is sent from here."""
