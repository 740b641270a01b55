"""Detection of what an animator would mark in a motion: contacts, keytimes, cycles, left and right, and foot bones."""
