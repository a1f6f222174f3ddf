"""`make bench`: the engine beside its peers, what the site's pages and moves cost, the leaderboard's size,
the table's weight in a browser, and how soon a pressed tile is painted."""

import subprocess
import sys

PARTS = ["bench.engine", "bench.site", "bench.leaderboard", "bench.light", "bench.paint"]

if __name__ == "__main__":
    for part in PARTS:
        print(f"== {part}", flush=True)
        subprocess.run([sys.executable, "-m", part], check=True)  # noqa: S603
