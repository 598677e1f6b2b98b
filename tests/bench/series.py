#!/usr/bin/env python3
"""Makes a series of states from one capture, for `previct backtest`: pods end, arrive, wait and are preempted.

    previct capture -f nodes.json.zst,others.json.zst,pods.json.zst --to base.jsonl
    tests/bench/series.py base.jsonl states --states 2016 --seed 1

Every state has the whole cluster, and follows the one before by five minutes. In each, the kubelets have reported to
all nodes, some pods have ended, and as many have arrived on their nodes. Some pods of a high class arrive and find no
room: one state later, pods of lower priority are being evicted for them, and one more state later, they run. The same
seed makes the same series. Needs the program zstd.
"""

import argparse
import json
import os
import random
import re
import subprocess
from datetime import datetime, timedelta, timezone

WHOLE_EVERY = 72
CORES = 29


def stamp(at):
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


class Cluster:
    def __init__(self, lines, seed):
        self.random = random.Random(seed)
        self.manifest = json.loads(lines[0])
        self.lines = {}  # by kind, namespace and name, in the order of the capture
        self.pods = []  # those that may end or be evicted: not those of DaemonSets
        for line in lines[1:]:
            found = re.match(r'\{"apiVersion":"[^"]*","kind":"([^"]*)","metadata":\{"name":"([^"]*)"(?:,"namespace":"([^"]*)")?', line)
            key = (found[1], found[3] or "", found[2])
            self.lines[key] = line
            if key[0] == "Pod" and '"priorityClassName":"system-' not in line:
                self.pods.append(key)
        self.number = 0
        self.waiting = []  # pods without a node
        self.evicting = []  # pairs of a preemptor and its victims

    def next(self, at):
        self.finish_evictions()
        self.begin_evictions(at)
        self.replace_pods(at, self.random.randrange(10, 21))
        for _ in range(self.random.choice((0, 0, 1, 1, 2, 3))):
            self.arrive(at)
        self.report_nodes(at)

    def copy_of(self, key, at):
        pod = json.loads(self.lines[key])
        self.number += 1
        meta = pod["metadata"]
        meta["name"] = f"{meta.get('generateName', meta['name'] + '-')}x{self.number:05x}"
        meta["uid"] = f"{self.random.getrandbits(128):032x}"
        meta["creationTimestamp"] = stamp(at - timedelta(seconds=self.random.randrange(20, 280)))
        meta["resourceVersion"] = str(1_000_000 + self.number)
        return pod

    def put(self, pod):
        meta = pod["metadata"]
        key = ("Pod", meta["namespace"], meta["name"])
        self.lines[key] = json.dumps(pod, separators=(",", ":"), ensure_ascii=False)
        return key

    def take_any(self):
        while True:
            key = self.pods[self.random.randrange(len(self.pods))]
            if key in self.lines:
                return key

    def replace_pods(self, at, count):
        for _ in range(count):
            old = self.take_any()
            pod = self.copy_of(old, at)
            pod["status"]["startTime"] = pod["metadata"]["creationTimestamp"]
            del self.lines[old]
            self.pods.append(self.put(pod))

    def arrive(self, at):
        pod = self.copy_of(self.take_any(), at)
        spec = pod["spec"]
        spec.update(priorityClassName="serving-high", priority=9000, preemptionPolicy="PreemptLowerPriority")
        spec["containers"] = [{"name": "app", "resources": {"requests": {"cpu": str(CORES), "memory": "1073741824"}}}]
        for field in ("nodeName", "topologySpreadConstraints", "affinity", "nodeSelector", "initContainers"):
            spec.pop(field, None)
        pod["status"] = {"phase": "Pending", "conditions": [
            {"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
             "lastTransitionTime": pod["metadata"]["creationTimestamp"]}]}
        self.waiting.append(self.put(pod))

    def begin_evictions(self, at):
        waiting, self.waiting = self.waiting, []
        for key in waiting:
            node, victims = self.victims()
            preemptor = json.loads(self.lines[key])
            preemptor["status"]["nominatedNodeName"] = node
            self.put(preemptor)
            for victim in victims:
                pod = json.loads(self.lines[victim])
                pod["metadata"]["deletionTimestamp"] = stamp(at + timedelta(seconds=30))
                pod["metadata"]["deletionGracePeriodSeconds"] = 30
                pod["status"].setdefault("conditions", []).append(
                    {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler",
                     "message": "default-scheduler: preempting to accommodate a higher priority pod",
                     "lastTransitionTime": stamp(at)})
                self.put(pod)
            self.evicting.append((key, node, victims, at))

    def victims(self):
        """The pods of lower priority on some node."""
        while True:
            node = json.loads(self.lines[self.take_any()])["spec"]["nodeName"]
            found = [key for key in self.pods if key in self.lines and f'"nodeName":"{node}"' in self.lines[key]
                     and re.search(r'"priority":(100|8000|8200),', self.lines[key])]
            if found:
                return node, found[:6]

    def finish_evictions(self):
        evicting, self.evicting = self.evicting, []
        for key, node, victims, at in evicting:
            for victim in victims:
                self.lines.pop(victim, None)
            pod = json.loads(self.lines[key])
            pod["spec"]["nodeName"] = node
            pod["status"] = {"phase": "Running", "startTime": stamp(at), "conditions": [
                {"type": "PodScheduled", "status": "True", "lastTransitionTime": stamp(at)}]}
            self.pods.append(self.put(pod))

    def report_nodes(self, at):
        for key, line in self.lines.items():
            if key[0] != "Node":
                continue
            now = stamp(at - timedelta(seconds=self.random.randrange(300)))
            self.lines[key] = re.sub(r'"lastHeartbeatTime":"[^"]*"', f'"lastHeartbeatTime":"{now}"', line)

    def text(self, at):
        counts = {}
        for kind, _, _ in self.lines:
            counts[kind] = counts.get(kind, 0) + 1
        for each in self.manifest["kinds"]:
            each["count"] = counts.get(each["kind"].split("/")[-1], 0)
        self.manifest["taken"] = stamp(at)
        head = json.dumps(self.manifest, separators=(",", ":"))
        return "\n".join([head, *self.lines.values()]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("base", help="a capture as JSON lines")
    parser.add_argument("folder")
    parser.add_argument("--states", type=int, default=2016)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with open(arguments.base, encoding="utf-8") as file:
        cluster = Cluster(file.read().splitlines(), arguments.seed)
    os.makedirs(arguments.folder, exist_ok=True)
    at = datetime.strptime(cluster.manifest["taken"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    now, before = (os.path.join(arguments.folder, name) for name in ("now.jsonl", "before.jsonl"))
    for i in range(arguments.states):
        at += timedelta(minutes=5)
        cluster.next(at)
        with open(now, "w", encoding="utf-8") as file:
            file.write(cluster.text(at))
        whole = i % WHOLE_EVERY == 0
        name = at.strftime("%Y%m%dT%H%M%SZ") + (".jsonl.zst" if whole else ".patch.zst")
        base = [] if whole else [f"--patch-from={before}"]
        subprocess.run(["zstd", "-qf", "-3", *base, now, "-o", os.path.join(arguments.folder, name)], check=True)
        os.replace(now, before)
    os.remove(before)


if __name__ == "__main__":
    main()
