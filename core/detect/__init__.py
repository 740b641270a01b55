"""Finding what an animator would mark in a motion: contacts, keytimes, cycles, left and right, and the feet' bones."""
