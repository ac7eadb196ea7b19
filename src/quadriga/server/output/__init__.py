"""All output to clients is built here: views from allow-lists, and who gets them when."""
