"""Tables in memory: documents, commands and what they do, clocks, agreement, execution. Nothing here is sent to anybody."""
