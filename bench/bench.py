"""Run `make bench`: the engine and its peers, pages and moves, the leaderboard, page weight and paint latency."""

import subprocess
import sys

BENCHMARKS = ["bench.engine", "bench.site", "bench.leaderboard", "bench.page_weight", "bench.paint_latency"]

if __name__ == "__main__":
    for benchmark in BENCHMARKS:
        print(f"== {benchmark}", flush=True)
        subprocess.run([sys.executable, "-m", benchmark], check=True)  # noqa: S603
