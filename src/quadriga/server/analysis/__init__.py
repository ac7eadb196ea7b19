"""Analysis of finished races, and advice from a seat's view, in processes of their own."""
