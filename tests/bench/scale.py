#!/usr/bin/env python3
"""What the commands cost on a cluster of many pods: processor time, clock time and peak memory of each, beside the time
that it takes to read the dump and look for its line ends. `--dump` is a dump of yours; else ../shared/perf/gen_dump.py
makes one of `--pods` pods, a thirtieth as many nodes, and one pending pod in a hundred."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GENERATOR = Path(__file__).resolve().parents[3] / "shared/perf/gen_dump.py"


def generated(pods):
    folder = Path(tempfile.gettempdir()) / "previct-bench"
    folder.mkdir(exist_ok=True)
    path = folder / f"cluster-{pods}.yaml"
    if not path.exists():
        subprocess.run([sys.executable, GENERATOR, "--pods", str(pods), "--out", folder, "--name", path.stem, "--no-json"],
                       check=True)
    return path


def a_pending_pod(path):
    """The first pod that is on no node, as NAMESPACE/NAME."""
    item = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("- "):
                text = "".join(item)
                name = re.search(r"^    name: (\S+)\n    namespace: (\S+)$", text, re.M)
                if "\n  kind: Pod\n" in text and "\n    nodeName: " not in text and name:
                    return f"{name[2]}/{name[1]}"
                item = []
            item.append(line)
    sys.exit(f"{path}: no pod is pending")


def cost(words):
    begin = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, time.monotonic() - begin, used.ru_maxrss / 1024, child.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--scan", help="bench_load, for the line scan")
    parser.add_argument("--dump", type=Path)
    parser.add_argument("--pods", type=int, default=30000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if not options.dump and not GENERATOR.exists():
        print(f"scale.py: no {GENERATOR}, and no --dump")
        return
    dump = str(options.dump or generated(options.pods))
    pod = a_pending_pod(dump)
    rows = {
        f"explain {pod}": ["explain", pod],
        f"explain {pod} --threads 1": ["explain", pod, "--threads", "1"],
        "explain": ["explain"],
        "fleet": ["fleet"],
        "sequence": ["sequence"],
    }
    commands = {name: [options.bin, *words, "-f", dump] for name, words in rows.items()}
    if options.scan:
        commands = {"line scan": [options.scan, "--scan", dump], **commands}
    best = {}
    for _ in range(options.rounds):
        for name, words in commands.items():
            cpu, wall, peak, status = cost(words)
            before = best.get(name, (cpu, wall, peak))
            best[name] = (min(before[0], cpu), min(before[1], wall), max(before[2], peak))
            if status != 0:
                sys.exit(f"scale.py: {' '.join(words)} ended with {status}")
    print(f"{os.path.getsize(dump) / 1e6:.0f} MB")
    print(f"{'':<60} {'CPU s':>8} {'clock s':>8} {'peak MB':>8}")
    for name, (cpu, wall, peak) in best.items():
        print(f"{name:<60} {cpu:>8.2f} {wall:>8.2f} {peak:>8.0f}")


main()
