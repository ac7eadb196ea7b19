"""One websocket per browser."""
