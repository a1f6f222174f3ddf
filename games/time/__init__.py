"""What runs while nobody moves: clocks and their deadline, outages, presence, vacations, and how long a match took."""
