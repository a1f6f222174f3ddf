"""`make bench`: the engine beside its peers, what the site's pages and moves cost, the leaderboard's size, and
the table's weight in a browser."""

import subprocess
import sys

PARTS = ["bench.engine", "bench.site", "bench.leaderboard", "bench.light"]

if __name__ == "__main__":
    for part in PARTS:
        print(f"== {part}", flush=True)
        subprocess.run([sys.executable, "-m", part], check=True)  # noqa: S603
