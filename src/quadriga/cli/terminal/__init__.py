"""The race as a full-screen terminal program, at this keyboard (`local`) or at a server's table (`remote`)."""
