"""Worker processes that answer one question at a time, and pools of them."""
