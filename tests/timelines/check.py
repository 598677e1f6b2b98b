#!/usr/bin/env python3
"""check.py FOLDER...: plays `previct sequence` on dumps that were taken before a real control plane was let loose, and compares the ends with
what happened: which pods are bound, to which node and when (2 s), and how often each was tried (1 more or less). Where previct lists several
courses, one of them must be right. Each FOLDER holds one folder a timeline: dump.yaml (and arrive.json), play.json or case.json (args), expected.json
(bound, gone, attempts, observed)."""
import json
import os
import subprocess
import sys
from pathlib import Path

SECONDS = 2


def differences(course, want):
    found = []
    ends = {end["pod"]: end for end in course["ends"]}
    for pod, end in ends.items():
        if "-new-" in pod:
            continue
        seen = want["bound"].get(pod, [])
        if end["end"] == "bound":
            if not seen:
                found.append(f"{pod}: bound at {end['at']}, really never")
                continue
            if seen[0].get("node", end.get("node")) != end.get("node"):
                found.append(f"{pod}: on {end.get('node')}, really on {seen[0]['node']}")
            if abs(seen[0]["at"] - end["at"]) > SECONDS:
                found.append(f"{pod}: bound at {end['at']}, really at {seen[0]['at']}")
        elif seen and end["end"] not in ("evicted", "finished", "removed"):
            found.append(f"{pod}: {end['end']}, really bound at {seen[0]['at']}")
        tried = want["attempts"].get(pod)
        if tried is not None and abs(tried - end.get("attempts", 0)) > 1:
            found.append(f"{pod}: tried {end.get('attempts')} times, really {tried}")
    # Controllers give their pods names that end at random.
    last = want["observed"] + SECONDS
    made = sorted(e["at"] for e in course["ends"] if "-new-" in e["pod"] and e["end"] == "bound" and e["at"] <= last)
    real = sorted(each["at"] for pod, times in want["bound"].items()
                  if pod not in ends and pod not in want["gone"] for each in times)
    if len(made) != len(real) or any(abs(a - b) > SECONDS for a, b in zip(made, real)):
        found.append(f"new pods bound at {made}, really at {real}")
    return found


def main():
    checked = 0
    wrong = 0
    for folder in (path for root in sys.argv[1:] for path in sorted(Path(root).iterdir())):
        if not (folder / "expected.json").exists():
            continue
        play = folder / "play.json"
        case = json.loads((play if play.exists() else folder / "case.json").read_text())
        if case.get("skip"):
            continue
        checked += 1
        done = subprocess.run(["previct", "sequence", *case["args"], "-o", "json"], cwd=folder, capture_output=True, text=True,
                              env={**os.environ, "NO_COLOR": "1"})
        try:
            got = json.loads(done.stdout)
        except ValueError:
            found = [f"status {done.returncode}: {done.stderr[:300]}"]
        else:
            found = min((differences(course, json.loads((folder / "expected.json").read_text()))
                         for course in got.get("endings") or [got]), key=len)
        wrong += bool(found)
        for each in found:
            print(f"{folder}: {each}")
    print(f"{checked - wrong} of {checked} timelines played as they went")
    sys.exit(1 if wrong or not checked else 0)


main()
