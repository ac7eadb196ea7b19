"""Files of strangers, checked in worker processes with limits of time and memory."""
