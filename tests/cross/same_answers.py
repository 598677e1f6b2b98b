#!/usr/bin/env python3
"""Compares the answers of a program for another system with those of the native one, about all fixtures.

    tests/cross/same_answers.py --bin build/dev/previct --other 'qemu-aarch64-static build/linux-arm64/previct'

Exit status, standard output and standard error must be the same, byte for byte. --every N: only every Nth file. An answer
that differs is asked for again: about one process in 2,000 ends early in Wine, also if it only prints its version. Those that
are the same then are counted.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

COMMANDS = {
    "explain": ["explain", "-f"],
    "sequence": ["sequence", "-f"],
    "fleet": ["fleet", "-f"],
    "lint": ["lint"],
}
INPUTS = re.compile(r"\.(yaml|json|jsonl|zst|gz|zip|tar)$")
SECONDS = 300
# Wine's own services write to the stream of the program that starts them.
WORDS_OF_WINE = re.compile(rb"^wine: .*\n", re.MULTILINE)


def inputs_below(folder):
    for path, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if INPUTS.search(name) and name not in ("case.json", "expected.json"):
                yield os.path.join(path, name)


def answer(program, words, folder):
    done = subprocess.run(program + words, cwd=folder, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, WORDS_OF_WINE.sub(b"", done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--other", required=True, help="with the emulator that runs it")
    parser.add_argument("--fixtures", default=os.path.join(os.path.dirname(__file__), "../../fixtures"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    given = parser.parse_args()
    one = [os.path.abspath(given.bin)]
    *emulator, program = shlex.split(given.other)
    other = [*emulator, os.path.abspath(program)]

    def compare(task):
        path, command = task
        words = [*COMMANDS[command], os.path.basename(path), "-o", "json"]
        folder = os.path.dirname(path)
        wanted = answer(one, words, folder)
        asked = [answer(other, words, folder)]
        if asked[0] != wanted:
            asked.append(answer(other, words, folder))
        return path, command, asked[-1] == wanted, len(asked)

    files = list(inputs_below(given.fixtures))[:: given.every]
    tasks = [(path, command) for path in files for command in COMMANDS]
    with ThreadPoolExecutor(given.threads) as pool:
        results = list(pool.map(compare, tasks))
    for command in COMMANDS:
        own = [(path, same, times) for path, name, same, times in results if name == command]
        differ = [path for path, same, _ in own if not same]
        again = sum(same and times > 1 for _, same, times in own)
        print(f"{command}: {len(own)} files, {len(differ)} differ" + (f", {again} only the first time" if again else ""))
        for path in differ:
            print(f"  {path}")
    sys.exit(any(not same for _, _, same, _ in results))


if __name__ == "__main__":
    main()
