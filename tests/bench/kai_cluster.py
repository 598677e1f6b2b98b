#!/usr/bin/env python3
"""Writes a full cluster of the KAI Scheduler as one JSON List: 1,000 nodes of 8 GPUs, 8,000 pods of one GPU and 2,000
of none, each a group of its own, in 99 leaf queues below 10 parents; a hundredth leaf holds the pending group.

    kai_cluster.py {one,eight,shuffled,preempt,gang,half,half-gang} > cluster.json
    one       1 pod of 1 GPU reclaims
    eight     1 pod of 8 GPUs reclaims; the newest groups of a queue share a node
    shuffled  the same, ages shuffled
    preempt   1 pod of 8 GPUs in a queue whose lower groups are scattered: no solution
    gang      4 pods of 8 GPUs reclaim, ages shuffled
    half      half of the pods share GPUs (3 of the 8 of a node), ages shuffled; 1 pod of half a GPU reclaims
    half-gang the same; 4 pods of 8 GPUs reclaim
The question is podgroup/default/want at 2026-03-02T10:00:00Z.
"""
import json
import random
import sys

NODES, GPUS, QUEUES, CPU_PODS = 1000, 8, 99, 2000
LABELS = {"nvidia.com/gpu.count": "8", "nvidia.com/gpu.memory": "40960"}
# What the ten pods of a node have, and of which device, where half of them share.
HALVES = [(1, None)] * 5 + [(0.75, 0), (0.75, 1), (0.75, 2), (0.25, 0), (0.25, 1)]


def meta(name, created, **more):
    return {"name": name, "uid": "uid-" + name, "creationTimestamp": created, **more}


def at(second):
    return "2026-03-%02dT%02d:%02d:%02dZ" % (1, second // 3600 % 24, second // 60 % 60, second % 60)


def pod(name, created, node, gpus, device=None):
    whole = {"nvidia.com/gpu": str(gpus)} if gpus and gpus == int(gpus) else {}
    request = {"cpu": "1", "memory": "1Gi", **whole}
    spec = {"containers": [{"name": "main", "resources": {"requests": request}}], "schedulerName": "kai-scheduler"}
    if node:
        spec["nodeName"] = node
    notes = {"pod-group-name": name if node else "want", **({"gpu-fraction": str(gpus)} if gpus and not whole else {})}
    labels = {"labels": {"runai-gpu-group": "%s-%d" % (node, device)}} if device is not None else {}
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": meta(name, created, namespace="default", annotations=notes, **labels),
            "spec": spec, "status": {"phase": "Running" if node else "Pending"}}


def group(name, created, queue, minimum=1, start=None, priority="train"):
    notes = {"annotations": {"kai.scheduler/last-start-timestamp": start}} if start else {}
    return {"apiVersion": "scheduling.run.ai/v2alpha2", "kind": "PodGroup",
            "metadata": meta(name, created, namespace="default", **notes),
            "spec": {"queue": queue, "minMember": minimum, "priorityClassName": priority}}


def queue(name, parent, gpus):
    free = {"quota": -1, "limit": -1, "overQuotaWeight": 1}
    spec = {"resources": {"cpu": free, "memory": free, "gpu": {"quota": gpus, "limit": -1, "overQuotaWeight": 1}}}
    if parent:
        spec["parentQueue"] = parent
    return {"apiVersion": "scheduling.run.ai/v2", "kind": "Queue", "metadata": meta(name, at(0)), "spec": spec}


def main(case):
    rng = random.Random(7)
    items = []
    for name, value in (("train", 50), ("build-preemptible", 75), ("build", 100)):
        items.append({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": meta(name, at(0)), "value": value})
    for n in range(NODES):
        items.append({"apiVersion": "v1", "kind": "Node", "metadata": meta("node-%04d" % n, at(0), labels=LABELS), "spec": {},
                      "status": {"allocatable": {"cpu": "64", "memory": "512Gi", "nvidia.com/gpu": str(GPUS), "pods": "110"},
                                 "conditions": [{"type": "Ready", "status": "True"}]}})
    for p in range(10):
        items.append(queue("top-%d" % p, None, 800 if case.startswith("half") else 400))
    for q in range(QUEUES + 1):
        items.append(queue("leaf-%02d" % q, "top-%d" % (q % 10), 40))
    total = NODES * GPUS + CPU_PODS
    ages = list(range(total))
    halves = case.startswith("half")
    scattered = halves or case in ("shuffled", "gang", "preempt")
    if scattered:
        rng.shuffle(ages)
    for i in range(total):
        gpus, device = HALVES[i // NODES] if halves else (1 if i < NODES * GPUS else 0, None)
        node = i // GPUS if gpus and not halves else i % NODES
        home = i % QUEUES if scattered else node % QUEUES
        name = "run-%05d" % i
        created = at(3600 + ages[i] * 5)
        items.append(group(name, created, "leaf-%02d" % (home + 1), start=created))
        items.append(pod(name, created, "node-%04d" % node, gpus, device))
    pods, size = {"one": (1, 1), "eight": (1, 8), "shuffled": (1, 8), "preempt": (1, 8), "gang": (4, 8),
                  "half": (1, 0.5), "half-gang": (4, 8)}[case]
    own = "leaf-01" if case == "preempt" else "leaf-00"
    items.append(group("want", "2026-03-02T09:59:00Z", own, pods, priority="build-preemptible" if case == "preempt" else "train"))
    for p in range(pods):
        items.append(pod("want-%d" % p, "2026-03-02T09:59:0%dZ" % p, None, size))
    json.dump({"apiVersion": "v1", "kind": "List", "items": items}, sys.stdout, separators=(",", ":"))


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in (
            "one", "eight", "shuffled", "preempt", "gang", "half", "half-gang"):
        sys.exit(__doc__)
    main(sys.argv[1])
