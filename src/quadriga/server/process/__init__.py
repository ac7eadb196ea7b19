"""Running a server: start and stop, limits below ASGI, watchdog, logs."""
