"""What the user sees: sidebar panels and lists; nothing here writes."""
