"""Many races at once: what they tell, and how fast they run."""
