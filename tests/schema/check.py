#!/usr/bin/env python3
"""Validates what previct prints with -o json, and the suites it reads, against schema/.

    check.py SOURCE_DIR

Runs every `previct … -o json` of the transcripts and some more, so that each kind of output is met. Exit status 77: no
jsonschema or no yaml here.
"""

import json
import pathlib
import re
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError:
    sys.exit(77)

ROOT = pathlib.Path(sys.argv[1])
MORE = [
    "previct backtest --series fixtures/backtest/states --with fixtures/backtest/policy.yaml -o json",
    "previct backtest --series fixtures/backtest/states --with fixtures/backtest/policy.yaml --shard 2/3 -o json",
    "previct explain -f fixtures/demo/tolerations.yaml -o json",
    "previct explain -f fixtures/demo/tolerations.yaml --with fixtures/whatif/agent.yaml -o json",
    "previct explain -f fixtures/demo/tolerations.yaml --horizon 1h -o json",
    "previct explain -f fixtures/demo/tolerations.yaml --at +5m,+20m -o json",
    "previct explain -f fixtures/yunikorn/examples/logging-daemonset/dump.yaml -o json",
    "previct explain -f fixtures/kai/seed/preempt-leaf1-age299/dump.yaml -o json --engine kai",
    "previct explain -f fixtures/kai/seed/reclaim-leaf1-from-leaf2-age180/dump.yaml -o json --engine kai",
    "previct tolerations -f fixtures/kai/seed-trees/reclaim.yaml --now 2026-03-02T09:57:30Z -o json",
    "previct tolerations -f fixtures/kai/examples/queue-tree/queues.yaml -o json",
    "previct tolerations -f fixtures/kai/examples/queue-tree/queues.yaml -f fixtures/kai/examples/queue-tree/rbac.yaml -o json",
    "previct diff -f fixtures/kai/examples/queue-tree/queues.yaml --with fixtures/kai/examples/queue-tree/longer.yaml -o json",
    "previct tolerations -f fixtures/demo/tolerations.yaml --ended -o json",
    "previct tolerations -f fixtures/demo/tolerations.yaml a-10min -o json",
    "previct diff -f fixtures/demo/tolerations.yaml --with fixtures/whatif/longer.yaml -o json",
    "previct diff -f fixtures/demo/tolerations.yaml --with fixtures/whatif/job.yaml -o json",
    "previct fit -f fixtures/fit/cluster.yaml ml/picky -o json",
    "previct fit -f fixtures/fit/cluster.yaml ml/claimant -o json",
    "previct fit -f fixtures/fit/cluster.yaml ml/urgent --replicas 9 -o json",
    "previct sequence -f fixtures/sequence/thrashing.yaml -o json",
    "previct sequence -f fixtures/sequence/controllers.yaml -o json",
    "previct sequence -f fixtures/sequence/middle-priority.yaml -o json",
    "previct sweep -f fixtures/sequence/epochs.yaml --now 2026-03-02T12:00:00Z --every ml/eval=20m --lasts ml/eval=5m "
    "--epoch 15m --until 2h --vary toleration-seconds:low-non-preempted-10min=14m..15m -o json",
    "previct prove -f fixtures/policy/kep205 --never-victim app=license-sim --below 10000 -o json",
    "previct prove -f fixtures/policy/kep205 --with fixtures/whatif/hasty.yaml --never-victim app=license-sim --below "
    "critical -o json",
    "previct prove -f fixtures/policy/kep205 --who-can-evict ml/epoch-3 -o json",
    "previct prove -f fixtures/prove/sets.yaml --smallest-set ml/train -o json",
    "previct prove -f fixtures/prove/sets.yaml --smallest-set ml/small -o json",
    "previct prove -f fixtures/yunikorn/queue-named/q-01-docs-normal/dump.yaml --now 2026-05-01T12:00:00Z "
    "--never-victim default/a-9 --engine yunikorn -o json",
    "previct prove -f fixtures/yunikorn/queue-named/q-01-docs-normal/dump.yaml --now 2026-05-01T12:00:00Z "
    "--never-victim default/b-0 --engine yunikorn -o json",
    "previct failures -f fixtures/failures/shop.yaml --drain all -o json",
    "previct failures -f fixtures/failures/shop.yaml -o json",
    "previct test fixtures/policy --coverage -o json",
    "previct lint fixtures/lint/policies -o json",
    "previct lint fixtures/lint/policies --scopes -o json",
    "previct lint fixtures/lint/policies --fix --dry-run -o json",
    "previct rules -o json",
    "previct rules PT004 -o json",
    "previct inspect fixtures/demo/tolerations.yaml -o json",
    "previct sequence -f fixtures/sequence/kep-4832.yaml -o json",
    "previct completion bash -o json",
    "previct help explain -o json",
    "previct version -o json",
    "previct why-preempted -f fixtures/history/pdb-guarded-node-avoided.yaml free-79ccdf9786-p6gpt -o json",
    "previct why-preempted -f fixtures/history/toleration-ended.yaml -o json",
    "previct why-preempted -f fixtures/manual/incident.yaml batch/resize-img-2kq8x --hide-foreign -o json",
    "previct why-preempted -f fixtures/manual/incident.yaml ml/web-0 -o json",
    "previct fleet -f fixtures/manual/dump.yaml -o json",
    "previct fleet -f fixtures/demo/tolerations.yaml -o json",
    "previct fleet -f fixtures/kai/examples/gpu-sharing/dump.yaml --now 2026-05-01T12:00:00Z -o json",
    "previct fleet -f fixtures/yunikorn/queue-named/q-01-docs-normal/dump.yaml -o json",
    "previct explain -f fixtures/kueue/examples/two-teams.yaml workload/vision/job-train -o json",
    "previct explain -f fixtures/kueue/examples/two-teams.yaml -o json",
    "previct fleet -f fixtures/kueue/examples/two-teams.yaml -o json",
    "previct sequence -f fixtures/kueue/examples/two-teams.yaml -o json",
    "previct tolerations -f fixtures/kueue/examples/two-teams.yaml -o json",
    "previct fit -f fixtures/kueue/examples/two-teams.yaml workload/speech/job-asr-next -o json",
    "previct why-preempted -f fixtures/kueue/examples/preempted.yaml -o json",
    "previct capture -f fixtures/demo/tolerations.yaml --to /dev/null -o json",
    "previct capture -f fixtures/demo/tolerations.yaml --to /dev/stdout -o text=/dev/null | head -1",
    "previct anonymize fixtures/demo/tolerations.yaml --to /dev/null -o json",
    "previct anonymize fixtures/demo/tolerations.yaml --to /dev/null --map /dev/stdout -o text=/dev/null",
]


def commands():
    found = list(MORE)
    for path in [ROOT / "README.md", *sorted((ROOT / "tests/transcripts").glob("*.transcript"))]:
        for line in path.read_text().splitlines():
            # Whole commands that print a document: no pipe behind, no file as target.
            if line.startswith("$ previct ") and re.search(r"-o json(\s|$)", line) and not re.search(r"[|<>;&]", line):
                found.append(line[2:])
    return list(dict.fromkeys(found))


def main():
    schemas = {}
    for path in sorted((ROOT / "schema").glob("*.json")):
        schema = json.loads(path.read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        schemas[path.stem] = jsonschema.Draft202012Validator(schema)
    wrong = []
    met = set()

    def check(document, where):
        kind = document.get("kind")
        met.add(kind)
        if kind not in schemas:
            wrong.append(f"{where}: no schema for kind {kind}")
            return
        for error in list(schemas[kind].iter_errors(document))[:5]:
            wrong.append(f"{where}: {error.json_path}: {error.message[:300]}")

    for command in commands():
        done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode not in (2, 3) or done.stdout:
            check(json.loads(done.stdout), command)
    for path in sorted(ROOT.glob("fixtures/**/*previct-test.yaml")):
        check(yaml.safe_load(path.read_text()), str(path.relative_to(ROOT)))
    met.update({"Assumptions", "Config", "Baseline"})  # read, never printed
    wrong += [f"schema/{kind}.json: no output of this kind was met" for kind in schemas if kind not in met]
    print("\n".join(wrong) if wrong else f"{len(commands())} outputs, {len(schemas)} schemas")
    return 1 if wrong else 0


sys.exit(main())
