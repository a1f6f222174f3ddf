"""A whole night played by the real services, with faults; `manage.py simulate_night` runs it."""
