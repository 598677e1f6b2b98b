#!/usr/bin/env python3
"""Makes a series of states from a recording of a real control plane, and compares `previct backtest` with it.

    tests/bench/recorded_series.py --previct build/dev/previct --every 2 RECORDING...

A recording is a folder with dump.yaml (the state at its beginning), timeline.json (what a watch reported: pods that
were created, nominated, bound, marked, deleted and gone, and events) and case.json (the flags for the scheduler). Each
state is the dump with the changes up to then. Pods that controllers create are copies of a pod of the same name without
its last part. Prints, for each recording and for all, how many decisions fit the next state, how many preemptions
happened, and in how many of them the rules named the victim before.
"""

import argparse
import copy
import json
import os
import subprocess
import tempfile
from datetime import datetime, timedelta, timezone

import yaml

FLAGS = ("--k8s-version", "--scheduler-config", "--feature-gates")


def stamp(at):
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


class State:
    def __init__(self, folder, start):
        with open(os.path.join(folder, "dump.yaml"), encoding="utf-8") as file:
            self.objects = yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["items"]
        self.start = start
        self.pods = {self.key(each): each for each in self.objects if each["kind"] == "Pod"}
        self.objects = [each for each in self.objects if each["kind"] != "Pod"]
        self.events = []
        self.templates = dict(self.pods)
        self.arrivals = {}
        path = os.path.join(folder, "arrive.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.arrivals = {self.key(each): each for each in json.load(file)["items"]}
        self.classes = {each["metadata"]["name"]: each for each in self.objects if each["kind"] == "PriorityClass"}

    @staticmethod
    def key(pod):
        return f'{pod["metadata"].get("namespace", "default")}/{pod["metadata"]["name"]}'

    def created(self, key, at):
        like = self.arrivals.get(key)
        if like is None:
            prefix = key.rsplit("-", 1)[0]
            like = next((pod for name, pod in self.templates.items() if name.rsplit("-", 1)[0] == prefix), None)
        if like is None:
            return None
        pod = copy.deepcopy(like)
        meta = pod["metadata"]
        for field in ("deletionTimestamp", "deletionGracePeriodSeconds", "resourceVersion"):
            meta.pop(field, None)
        meta.update(namespace=key.split("/")[0], name=key.split("/")[1], uid=f"uid-{key.replace('/', '-')}-{at.timestamp()}",
                    creationTimestamp=stamp(at))
        pod["spec"].pop("nodeName", None)
        pod["spec"].setdefault("schedulerName", "default-scheduler")
        of = self.classes.get(pod["spec"].get("priorityClassName"))
        if of:
            pod["spec"].update(priority=of["value"], preemptionPolicy=of.get("preemptionPolicy", "PreemptLowerPriority"))
        pod["spec"].setdefault("priority", 0)
        pod["status"] = {"phase": "Pending"}
        return pod

    @staticmethod
    def condition(pod, **condition):
        conditions = pod["status"].setdefault("conditions", [])
        conditions[:] = [each for each in conditions if each["type"] != condition["type"]] + [condition]

    def apply(self, change):
        at = self.start + timedelta(seconds=change["t"])
        what, key, note = change["what"], change["pod"], change["note"]
        if what == "created":
            pod = self.created(key, at)
            if pod:
                self.pods[key] = self.templates[key] = pod
            return
        pod = self.pods.get(key) or self.templates.get(key)
        if pod is None:
            return
        status = pod["status"]
        if what == "nominated":
            status["nominatedNodeName"] = change["node"]
        elif what == "nomination cleared":
            status.pop("nominatedNodeName", None)
        elif what == "bound":
            pod["spec"]["nodeName"] = change["node"]
            status.update(phase="Running", startTime=stamp(at))
            status.pop("nominatedNodeName", None)
            self.condition(pod, type="PodScheduled", status="True", lastTransitionTime=stamp(at))
        elif what == "unschedulable":
            self.condition(pod, type="PodScheduled", status="False", reason="Unschedulable", message=note,
                           lastTransitionTime=stamp(at))
        elif what == "disruption-target":
            self.condition(pod, type="DisruptionTarget", status="True", reason="PreemptionByScheduler", message=note,
                           lastTransitionTime=stamp(at))
        elif what == "deleting":
            grace = pod["spec"].get("terminationGracePeriodSeconds", 30)
            pod["metadata"].update(deletionTimestamp=stamp(at + timedelta(seconds=grace)), deletionGracePeriodSeconds=grace)
        elif what == "gone":
            self.pods.pop(key, None)
        elif what.startswith("event "):
            meta = pod["metadata"]
            namespace = meta.get("namespace", "default")
            self.events.append({
                "apiVersion": "v1", "kind": "Event", "reason": what.split()[1], "message": note,
                "metadata": {"name": f"event-{len(self.events)}", "namespace": namespace},
                "eventTime": at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
                "involvedObject": {"kind": "Pod", "namespace": namespace, "name": meta["name"], "uid": meta["uid"]}})

    def write(self, folder, at):
        items = self.objects + list(self.pods.values()) + self.events
        now = {"apiVersion": "v1", "kind": "Event", "reason": "Scheduled", "message": "", "eventTime": stamp(at),
               "metadata": {"name": "now", "namespace": "default"}, "involvedObject": {"kind": "Node", "name": "none"}}
        with open(os.path.join(folder, at.strftime("%Y%m%dT%H%M%SZ") + ".yaml"), "w", encoding="utf-8") as file:
            json.dump({"apiVersion": "v1", "kind": "List", "items": items + [now]}, file, default=str, indent=0)


def flags_of(arguments, folder):
    flags = []
    for name, value in zip(arguments, arguments[1:]):
        if name in FLAGS:
            flags += [name, os.path.join(folder, value) if name == "--scheduler-config" else value]
    return flags


def make(folder, to, every):
    with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
        arguments = json.load(file)["args"]
    start = datetime.strptime(arguments[arguments.index("--now") + 1], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    with open(os.path.join(folder, "timeline.json"), encoding="utf-8") as file:
        changes = sorted(json.load(file), key=lambda each: each["t"])
    state = State(folder, start)
    state.write(to, start)
    end = changes[-1]["t"] + every if changes else 0
    at = 0
    while at < end:
        at += every
        while changes and changes[0]["t"] <= at:
            state.apply(changes.pop(0))
        state.write(to, start + timedelta(seconds=at))
    return flags_of(arguments, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("recordings", nargs="+")
    parser.add_argument("--previct", required=True)
    parser.add_argument("--every", type=int, default=2, help="seconds between two states")
    parser.add_argument("--keep", help="write the states below this folder, and keep them")
    arguments = parser.parse_args()
    total = dict.fromkeys(("states", "agree", "decisions", "preemptions", "expected", "unseen", "again"), 0)
    for folder in arguments.recordings:
        name = os.path.basename(folder.rstrip("/"))
        with tempfile.TemporaryDirectory() as scratch:
            to = os.path.join(arguments.keep or scratch, name)
            os.makedirs(to, exist_ok=True)
            flags = make(folder, to, arguments.every)
            done = subprocess.run([arguments.previct, "backtest", "--series", to, "-o", "json", *flags],
                                  capture_output=True, text=True, check=False)
            if not done.stdout:
                print(f"{name}: {done.stderr.strip()}")
                continue
            report = json.loads(done.stdout)
        agreement = report["agreement"]
        found = {"states": len(report["items"]), "agree": agreement["agree"],
                 "decisions": agreement["agree"] + len(agreement["differ"]), "preemptions": agreement["preemptions"],
                 "expected": agreement["expected"], "unseen": report["unseen"],
                 "again": report["before"].get("evictedAgain", 0)}
        print(name, *(f"{key} {value}" for key, value in found.items()))
        for each in agreement["differ"]:
            print("   ", each["at"], each["pod"], each["rules"], "->", each["happened"])
        for key, value in found.items():
            total[key] += value
    print("all", *(f"{key} {value}" for key, value in total.items()))


if __name__ == "__main__":
    main()
