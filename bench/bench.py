"""`make bench`: the engine beside its peers, what the site's pages and moves cost, and the leaderboard's size."""

import subprocess
import sys

PARTS = ["bench.engine", "bench.site", "bench.leaderboard"]

if __name__ == "__main__":
    for part in PARTS:
        print(f"== {part}", flush=True)
        subprocess.run([sys.executable, "-m", part], check=True)  # noqa: S603
