#!/usr/bin/env python3
"""How the time of each command grows with its input: for many kinds of input, the processor time for n, 2n and 4n of
what there may be much of, and the exponent by which the time grows with the bytes of the input between the last two.
One above 1.5 is marked, or KNOWN has the reason. `--only PART` runs the kinds with that in their name."""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.5
KNOWN = {
    "pods that wait, explain all": "each pod that waits is decided on all pods that run",
    "sequence, pods that wait": "each cycle looks at the whole cluster; the work has a bound",
    "KAI: sequence, groups that wait": "each cycle looks at the whole cluster; the work has a bound",
    "YuniKorn: sequence, applications": "each cycle looks at the whole cluster; the work has a bound",
    "sequence, terms of affinity and pods": "each term is held against each pod; the work has a bound",
    "sequence --every, arrivals": "each cycle looks at the whole cluster; the work has a bound",
    "kustomize, patches and objects": "each patch looks for its targets among all objects; the work has a bound",
    "constraints on spread": "each constraint looks for its key among all labels of a node",
}
# What the program takes no more of.
MOST = {"one long text": 3_200_000, "kustomize, a chain of bases": 2_000, "sweep, replicas": 10_000, "sequence --every, arrivals": 800}
KINDS = []


def kind(name, n, *args):
    """Registers a function that writes the input for a number into a folder; `args`: the command."""

    def register(make):
        KINDS.append((name, n, list(args), make))
        return make

    return register


# ---- objects


def pod(name, node=None, cpu="1", ns="d", labels=None, priority=0, scheduler=None, **spec):
    meta = {"name": name, "namespace": ns, "creationTimestamp": "2026-01-01T00:00:00Z", "uid": f"u-{ns}-{name}"}
    if labels:
        meta["labels"] = labels
    body = {"priority": priority, "containers": [{"name": "c", "resources": {"requests": {"cpu": cpu}}}], **spec}
    if scheduler:
        body["schedulerName"] = scheduler
    status = {"phase": "Pending"}
    if node:
        body["nodeName"] = node
        status = {"phase": "Running", "startTime": "2026-01-01T00:01:00Z",
                  "conditions": [{"type": "PodScheduled", "status": "True",
                                  "lastTransitionTime": "2026-01-01T00:01:00Z"}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": body, "status": status}


def node(name, cpu="8", labels=None, pods="110", **spec):
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **(labels or {})}},
            "spec": spec, "status": {"allocatable": {"cpu": cpu, "memory": "64Gi", "pods": pods}}}


def full(n):
    """n nodes, each with one pod that fills it."""
    out = [node(f"n{i}", "1") for i in range(n)]
    return out + [pod(f"p{i}", f"n{i}") for i in range(n)]


def budget(name, labels, ns="d"):
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": name, "namespace": ns},
            "spec": {"minAvailable": 1, "selector": {"matchLabels": labels}}, "status": {"disruptionsAllowed": 0}}


def dump(folder, items, name="s.json"):
    (folder / name).write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))


WAITS = ["explain", "-f", "s.json", "d/w"]
SEQUENCE = ["sequence", "-f", "s.json"]

# ---- input


@kind("pods that run, explain one", 2000, *WAITS)
def _(folder, n):
    dump(folder, full(n) + [pod("w", priority=9)])


@kind("equal nodes that fit, explain one", 3000, *WAITS)
def _(folder, n):
    dump(folder, [node(f"n{i}") for i in range(n)] + [pod("w")])


@kind("pods that wait, explain all", 100, "explain", "-f", "s.json", "-o", "jsonl")
def _(folder, n):
    dump(folder, full(n) + [pod(f"w{i}", priority=9) for i in range(n)])


@kind("YAML of many objects", 3000, "inspect", "s.yaml")
def _(folder, n):
    text = "".join(f"---\napiVersion: v1\nkind: Node\nmetadata: {{name: n{i}}}\n"
                   "status: {allocatable: {cpu: '1', pods: '9'}}\n" for i in range(n))
    (folder / "s.yaml").write_text(text)


@kind("YAML of many aliases", 1000, "inspect", "s.yaml")
def _(folder, n):
    # No more of it is aliases than Kubernetes allows.
    (folder / "s.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\nx: &a {b: c}\ny:\n" +
                                   ("- *a\n- [" + "x, " * 40 + "x]\n") * n)


@kind("one long text", 200000, "inspect", "s.yaml")
def _(folder, n):
    (folder / "s.yaml").write_text("apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n  annotations:\n    a: '" +
                                   "x''y " * n + "'\n")


@kind("tolerations and taints", 100, *WAITS)
def _(folder, n):
    taints = [{"key": f"k{i}", "effect": "NoSchedule"} for i in range(n)]
    tolerations = [{"key": f"k{i}", "operator": "Exists"} for i in range(n)]
    dump(folder, [node(f"n{i}", "1", taints=taints) for i in range(n // 4)] + [pod("w", tolerations=tolerations)])


@kind("labels of a node, terms of an affinity", 100, *WAITS)
def _(folder, n):
    labels = {f"l{i}": "x" for i in range(n)}
    terms = [{"matchExpressions": [{"key": f"m{i}", "operator": "In", "values": ["a", "b"]}]} for i in range(n)]
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
    dump(folder, [node(f"n{i}", "1", labels) for i in range(n // 4)] + [pod("w", affinity=affinity)])


def apart(n, terms, key="app"):
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"labelSelector": {"matchLabels": {key: f"x{i}"}}, "topologyKey": "kubernetes.io/hostname"}
        for i in range(terms)]}}


@kind("pods that keep others away", 500, *WAITS)
def _(folder, n):
    out = [node(f"n{i}", "2") for i in range(n)]
    out += [pod(f"p{i}", f"n{i}", labels={"app": f"x{i % 7}"}, affinity=apart(n, 3)) for i in range(n)]
    dump(folder, out + [pod("w", priority=9, labels={"app": "x1"}, affinity=apart(n, 3))])


@kind("terms that keep others away", 200, *WAITS)
def _(folder, n):
    out = [node(f"n{i}", "2") for i in range(20)] + [pod(f"p{i}", f"n{i % 20}", "10m", labels={"app": f"x{i}"}) for i in range(400)]
    dump(folder, out + [pod("w", priority=9, affinity=apart(n, n))])


@kind("constraints on spread", 50, *WAITS)
def _(folder, n):
    spread = [{"maxSkew": 1, "topologyKey": f"t{i}", "whenUnsatisfiable": "DoNotSchedule",
               "labelSelector": {"matchLabels": {"app": "x"}}} for i in range(n)]
    out = [node(f"n{i}", "2", {f"t{j}": str(i % 3) for j in range(n)}) for i in range(40)]
    out += [pod(f"p{i}", f"n{i % 40}", "10m", labels={"app": "x"}) for i in range(300)]
    dump(folder, out + [pod("w", priority=9, labels={"app": "x"}, topologySpreadConstraints=spread)])


@kind("budgets and pods, explain", 500, *WAITS)
def _(folder, n):
    out = [node(f"n{i}", "1") for i in range(n)]
    out += [pod(f"p{i}", f"n{i}", labels={"app": f"x{i}"}) for i in range(n)]
    dump(folder, out + [budget(f"b{i}", {"app": f"x{i}"}) for i in range(n)] + [pod("w", priority=9)])


@kind("budgets and workloads, lint", 500, "lint", "s.json", "-o", "jsonl")
def _(folder, n):
    out = [budget(f"b{i}", {"app": f"y{i}"}) for i in range(n)]
    for i in range(n):
        template = {"metadata": {"labels": {"app": f"x{i}"}}, "spec": {"containers": [{"name": "c"}]}}
        out.append({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": f"d{i}", "namespace": "d"},
                    "spec": {"selector": {"matchLabels": {"app": f"x{i}"}}, "template": template}})
    dump(folder, out)


@kind("volumes and claims", 500, *WAITS)
def _(folder, n):
    out = [node("n", "8")]
    for i in range(n):
        out.append({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": f"v{i}"},
                    "spec": {"capacity": {"storage": f"{i + 1}Gi"}, "accessModes": ["ReadWriteOnce"],
                             "storageClassName": "s", "hostPath": {"path": "/x"}}})
        out.append({"apiVersion": "v1", "kind": "PersistentVolumeClaim",
                    "metadata": {"name": f"c{i}", "namespace": "d"},
                    "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s",
                             "resources": {"requests": {"storage": "1Gi"}}}})
    out.append({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "s"},
                "provisioner": "kubernetes.io/no-provisioner", "volumeBindingMode": "WaitForFirstConsumer"})
    volumes = [{"name": f"v{i}", "persistentVolumeClaim": {"claimName": f"c{i}"}} for i in range(16)]
    dump(folder, out + [pod("w", volumes=volumes)])


@kind("devices and selectors", 200, *WAITS)
def _(folder, n):
    devices = [{"name": f"g{i}", "attributes": {"model": {"string": f"m{i}"}}} for i in range(n)]
    out = [node("n", "8")]
    for i in range(0, n, 100):
        out.append({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": f"s{i}"},
                    "spec": {"driver": "g.com", "nodeName": "n", "devices": devices[i:i + 100],
                             "pool": {"name": f"p{i}", "generation": 1, "resourceSliceCount": 1}}})
    out.append({"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "dc"},
                "spec": {"selectors": [{"cel": {"expression": 'device.attributes["g.com"].model == "none"'}}]}})
    request = {"name": "r", "exactly": {"deviceClassName": "dc"}}
    out.append({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
                "metadata": {"name": "cl", "namespace": "d"}, "spec": {"devices": {"requests": [request]}}})
    dump(folder, out + [pod("w", resourceClaims=[{"name": "x", "resourceClaimName": "cl"}])])


@kind("a long selector", 50, *WAITS)
def _(folder, n):
    expression = "&&".join(['device.driver != "a"'] * n)
    out = [node("n", "8")]
    out.append({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "s"},
                "spec": {"driver": "g.com", "nodeName": "n",
                         "devices": [{"name": f"g{i}", "attributes": {}} for i in range(100)],
                         "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}}})
    out.append({"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "dc"},
                "spec": {"selectors": [{"cel": {"expression": expression + "&& false"}}]}})
    request = {"name": "r", "exactly": {"deviceClassName": "dc"}}
    out.append({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
                "metadata": {"name": "cl", "namespace": "d"}, "spec": {"devices": {"requests": [request]}}})
    dump(folder, out + [pod("w", resourceClaims=[{"name": "x", "resourceClaimName": "cl"}])])


# ---- simulations


@kind("sequence, pods that wait", 100, *SEQUENCE)
def _(folder, n):
    dump(folder, full(n) + [pod(f"w{i}", priority=i) for i in range(n)])


@kind("sequence, terms of affinity and pods", 30, *SEQUENCE)
def _(folder, n):
    out = [node(f"n{i}", "4") for i in range(20)]
    out += [pod(f"p{i}", f"n{i % 20}", "10m", labels={"app": f"x{i}"}) for i in range(n)]
    dump(folder, out + [pod(f"w{i}", priority=9, labels={"app": f"y{i}"}, affinity=apart(n, n)) for i in range(10)])


@kind("sequence --every, arrivals", 100, *SEQUENCE, "--horizon", "100h")
def _(folder, n):
    dump(folder, [node(f"n{i}", "1") for i in range(5)] + [pod("w", cpu="10m")])


@kind("fit --replicas", 50, "fit", "-f", "s.json", "d/w", "--replicas", "@")
def _(folder, n):
    dump(folder, [node(f"n{i}", "64") for i in range(100)] + [pod("w", cpu="10m")])


@kind("sweep, replicas", 30, "sweep", "-f", "s.json", "--vary", "replicas:d/w=@", "--horizon", "10m")
def _(folder, n):
    dump(folder, [node(f"n{i}", "2") for i in range(20)] + [pod("w", cpu="1")])


@kind("fit, nodes", 100, "fit", "-f", "s.json", "d/w")
def _(folder, n):
    dump(folder, full(n) + [pod("w", cpu="2")])


@kind("fleet, pods", 1000, "fleet", "-f", "s.json")
def _(folder, n):
    dump(folder, full(n) + [pod(f"w{i}", priority=9) for i in range(5)])


@kind("tolerations, classes and pods", 300, "tolerations", "-f", "s.json")
def _(folder, n):
    out = [node(f"n{i}", "1") for i in range(n)] + [pod(f"p{i}", f"n{i}", priorityClassName=f"c{i}") for i in range(n)]
    key = "preemption-toleration.scheduling.x-k8s.io/"
    for i in range(n):
        out.append({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass",
                    "metadata": {"name": f"c{i}", "annotations": {key + "minimum-preemptable-priority": "1000",
                                                                  key + "toleration-seconds": "3600"}}, "value": i})
    dump(folder, out)


# ---- KAI Scheduler


def kai(n, queues):
    out = [node(f"n{i}", "8") for i in range(max(4, n // 8))]
    resources = {r: {"quota": 10, "limit": -1, "overQuotaWeight": 1} for r in ("cpu", "gpu", "memory")}
    for i in range(queues):
        spec = {"resources": resources}
        if i:
            spec["parentQueue"] = "q0"
        out.append({"apiVersion": "scheduling.run.ai/v2", "kind": "Queue", "metadata": {"name": f"q{i}"}, "spec": spec})
    for i in range(n):
        out.append({"apiVersion": "scheduling.run.ai/v2alpha2", "kind": "PodGroup",
                    "metadata": {"name": f"g{i}", "namespace": "d", "creationTimestamp": "2026-01-01T00:00:00Z"},
                    "spec": {"minMember": 1, "queue": f"q{1 + i % (queues - 1)}"}})
        p = pod(f"p{i}", f"n{i % max(4, n // 8)}" if i % 2 else None, "2", scheduler="kai-scheduler",
                labels={"kai.scheduler/queue": f"q{1 + i % (queues - 1)}"})
        p["metadata"]["annotations"] = {"pod-group-name": f"g{i}"}
        out.append(p)
    return out


@kind("KAI: explain, groups", 100, "explain", "-f", "s.json", "d/p0")
def _(folder, n):
    dump(folder, kai(n, 5))


@kind("KAI: explain, queues", 200, "explain", "-f", "s.json", "d/p0")
def _(folder, n):
    dump(folder, kai(40, n))


@kind("KAI: sequence, groups that wait", 30, *SEQUENCE)
def _(folder, n):
    dump(folder, kai(n, 5))


# ---- YuniKorn


def yunikorn(n, queues):
    lines = "".join(f"    - name: q{i}\n      resources:\n        guaranteed: {{vcore: 2}}\n" for i in range(queues))
    config = "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n" + lines
    out = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "yunikorn-configs", "namespace": "yunikorn"},
            "data": {"queues.yaml": config}}]
    out += [node(f"n{i}", "4") for i in range(max(4, n // 8))]
    for i in range(n):
        out.append(pod(f"p{i}", f"n{i % max(4, n // 8)}" if i % 2 else None, "1", scheduler="yunikorn",
                       labels={"applicationId": f"a{i}", "queue": f"root.q{i % queues}"}))
    return out


@kind("YuniKorn: explain, applications", 300, "explain", "-f", "s.json", "d/p0")
def _(folder, n):
    dump(folder, yunikorn(n, 5))


@kind("YuniKorn: explain, queues", 300, "explain", "-f", "s.json", "d/p0")
def _(folder, n):
    dump(folder, yunikorn(40, n))


@kind("YuniKorn: sequence, applications", 50, *SEQUENCE)
def _(folder, n):
    dump(folder, yunikorn(n, 5))


# ---- Kueue


def kueue(queues, workloads):
    out = [{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor", "metadata": {"name": "default"}}]
    for i in range(queues):
        quota = {"name": "cpu", "nominalQuota": "2"}
        spec = {"cohortName": f"t{i // 10}", "namespaceSelector": {},
                "preemption": {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"},
                "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [{"name": "default", "resources": [quota]}]}]}
        out.append({"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": f"q{i}"}, "spec": spec})
        out.append({"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
                    "metadata": {"name": f"l{i}", "namespace": "d"}, "spec": {"clusterQueue": f"q{i}"}})
    for i in range(workloads):
        template = {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}
        out.append({"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
                    "metadata": {"name": f"w{i}", "namespace": "d", "uid": f"u{i}", "creationTimestamp": "2026-01-01T00:00:00Z"},
                    "spec": {"queueName": f"l{i % queues}", "active": True, "priority": i % 5,
                             "podSets": [{"name": "main", "count": 1, "template": template}]}})
    return out


@kind("Kueue: explain, workloads", 200, "explain", "-f", "s.json", "workload/d/w0")
def _(folder, n):
    dump(folder, kueue(20, n))


@kind("Kueue: explain, queues", 100, "explain", "-f", "s.json", "workload/d/w0")
def _(folder, n):
    dump(folder, kueue(n, 200))


# ---- lint, tests, copies

CLASS = ("---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: c{0}\n  annotations:\n"
         "    preemption-toleration.scheduling.x-k8s.io/toleration-seconds: \"30m\"\nvalue: {0}\n")


@kind("lint, findings in one file", 300, "lint", "s.yaml", "-o", "jsonl")
def _(folder, n):
    (folder / "s.yaml").write_text("".join(CLASS.format(i) for i in range(n)))


@kind("lint --fix, findings in one file", 200, "lint", "--fix", "s.yaml")
def _(folder, n):
    (folder / "s.yaml").write_text("".join(CLASS.format(i) for i in range(n)))


@kind("lint --fix, values on one line", 100, "lint", "--fix", "s.json")
def _(folder, n):
    key = "preemption-toleration.scheduling.x-k8s.io/toleration-seconds"
    dump(folder, [{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "value": i,
                   "metadata": {"name": f"c{i}", "annotations": {key: "30m"}}} for i in range(n)])


@kind("lint, queues of KAI", 300, "lint", "s.json", "-o", "jsonl")
def _(folder, n):
    queues = [{"apiVersion": "scheduling.run.ai/v2", "kind": "Queue", "metadata": {"name": f"q{i}"},
               "spec": {"parentQueue": f"q{i // 10}"} if i else {}} for i in range(n)]
    dump(folder, queues + [pod(f"p{i}", labels={"kai.scheduler/queue": f"q{i}"}) for i in range(n)])


@kind("lint, objects of Kueue", 200, "lint", "s.json", "-o", "jsonl")
def _(folder, n):
    dump(folder, kueue(n, n))


@kind("lint, classes and pods", 300, "lint", "s.json", "-o", "jsonl")
def _(folder, n):
    classes = [{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": f"c{i}"}, "value": i}
               for i in range(n)]
    dump(folder, classes + [pod(f"p{i}", f"n{i}", priority=i, priorityClassName=f"c{i}") for i in range(n)])


@kind("lint, files", 300, "lint", ".")
def _(folder, n):
    for i in range(n):
        (folder / f"s{i}.yaml").write_text(CLASS.format(i))


@kind("lint, documents in a ConfigMap", 2000, "lint", "s.yaml", "-o", "jsonl")
def _(folder, n):
    (folder / "s.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yunikorn-configs\n"
                                   "  namespace: yunikorn\ndata:\n  queues.yaml: |\n" + "    ---\n    a: 1\n" * n)


@kind("lint, a baseline", 300, "lint", "s.yaml", "--baseline", "b.json")
def _(folder, n):
    (folder / "s.yaml").write_text("".join(CLASS.format(i) for i in range(n)))
    subprocess.run([OPTIONS.bin, "lint", "s.yaml", "--write-baseline", "b.json"], cwd=folder, capture_output=True)


@kind("kustomize, a chain of bases", 30, "lint", "b0")
def _(folder, n):
    for i in range(n):
        (folder / f"b{i}").mkdir()
        next_ = f"../b{i + 1}" if i + 1 < n else "c.yaml"
        (folder / f"b{i}/kustomization.yaml").write_text(f"resources: [{next_}]\nnamePrefix: a\n")
    (folder / f"b{n - 1}/c.yaml").write_text(CLASS.format(1))


@kind("kustomize, patches and objects", 50, "lint", "k")
def _(folder, n):
    (folder / "k").mkdir()
    (folder / "k/c.yaml").write_text("".join(CLASS.format(i) for i in range(n)))
    patches = "".join(f"- target: {{name: c{i}}}\n  patch: '[{{\"op\": \"add\", \"path\": \"/value\", \"value\": 3}}]'\n"
                      for i in range(n))
    (folder / "k/kustomization.yaml").write_text("resources: [c.yaml]\npatches:\n" + patches)


@kind("anonymize", 500, "anonymize", "s.json", "--to", "o.jsonl")
def _(folder, n):
    dump(folder, full(n) + [pod("w", priority=9)])


@kind("capture", 500, "capture", "-f", "s.json", "--to", "o.jsonl")
def _(folder, n):
    dump(folder, full(n) + [pod("w", priority=9)])


@kind("diff", 500, "diff", "-f", "s.json", "--with", "t.json", "d/w")
def _(folder, n):
    dump(folder, full(n) + [pod("w", priority=9)])
    dump(folder, [pod(f"p{i}", f"n{i}", "500m") for i in range(n)], "t.json")


@kind("why-preempted, events", 500, "why-preempted", "-f", "s.json", "d/v0")
def _(folder, n):
    out = full(20)
    for i in range(n):
        out.append({"apiVersion": "v1", "kind": "Event", "metadata": {"name": f"e{i}", "namespace": "d"},
                    "involvedObject": {"kind": "Pod", "name": f"v{i}", "namespace": "d", "uid": f"x{i}"},
                    "reason": "Preempted", "type": "Normal", "lastTimestamp": "2026-01-01T00:00:00Z",
                    "message": f"Preempted by pod u{i} on node n1"})
    dump(folder, out)


@kind("why-preempted, messages of KAI", 300, "why-preempted", "-f", "s.json")
def _(folder, n):
    out = kai(40, 5)
    for i in range(n):
        out.append({"apiVersion": "v1", "kind": "Event", "metadata": {"name": f"e{i}", "namespace": "d"},
                    "involvedObject": {"kind": "Pod", "name": f"p{i}", "namespace": "d", "uid": f"x{i}"},
                    "reason": "Evict", "type": "Normal", "lastTimestamp": "2026-01-01T00:00:00Z",
                    "message": f"Pod d/p{i} was reclaimed by workload d/g{i}."})
    dump(folder, out)


@kind("explain --message, reasons", 2000, "explain", "--message", "-", "<", "m.txt")
def _(folder, n):
    (folder / "m.txt").write_text(f"0/{n} nodes are available: " + ", ".join(f"1 Insufficient r{i}" for i in range(n)) + ".")


@kind("test, suites", 50, "test", ".")
def _(folder, n):
    dump(folder, full(20) + [pod("w", priority=9)])
    for i in range(n):
        (folder / f"s{i}.previct-test.yaml").write_text(
            "apiVersion: previct/v1alpha1\nkind: TestSuite\nmetadata: {name: s}\ntests:\n- name: a\n  state: [s.json]\n"
            "  pod: d/w\n  expect: {outcome: preempts}\n")


@kind("test, forall over pods", 50, "test", ".")
def _(folder, n):
    dump(folder, full(n))
    (folder / "s.previct-test.yaml").write_text(
        "apiVersion: previct/v1alpha1\nkind: TestSuite\nmetadata: {name: s}\ndefaults: {state: [s.json]}\ntests:\n- name: a\n"
        "  forall: {preemptor: {priority: [0, 9], request: {cpu: [100m, '4']}}, nodes: all, at: [+0m]}\n"
        "  expect: {neverVictim: {selector: app=x}}\n")


# ---- measuring


def measured(args, n, make):
    """Seconds, and bytes of the input."""
    best = math.inf
    for _ in range(OPTIONS.rounds):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            make(folder, n)
            size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            words = [OPTIONS.bin] + [a.replace("@", str(n) if a == "@" else f"1,{n}") for a in args]
            if "sequence" in args and "--horizon" in args:
                words += ["--every", f"d/w={360000 // n}s"]
            read = open(folder / words.pop(), "rb") if "<" in words else subprocess.DEVNULL
            words = [word for word in words if word != "<"]
            child = subprocess.Popen(words, cwd=folder, stdin=read, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            error = child.stderr.read()
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode not in (0, 1):
                sys.exit(f"growth.py: {' '.join(words)}: exit {child.returncode}: {error.decode()[-300:]}")
            best = min(best, used.ru_utime + used.ru_stime)
    return best, size


def main():
    start, _ = measured(["version"], 1, lambda folder, n: None)
    failed = 0
    print(f"{'n, 2n, 4n':40} {'n':>7} {'s':>7} {'s':>7} {'s':>7}  exponent")
    for name, n, args, make in KINDS:
        if OPTIONS.only not in name:
            continue
        # The numbers are raised until there is something to measure.
        runs = [measured(args, n * k, make) for k in (1, 2, 4)]
        while runs[2][0] - start < OPTIONS.least and n < MOST.get(name, 100_000_000) / 8:
            n *= 2
            runs = runs[1:] + [measured(args, n * 4, make)]
        times = [max(seconds - start, 1e-3) for seconds, _ in runs]
        # Where a flag has the number, the input stays as it is.
        growth = math.log2(runs[2][1] / runs[1][1]) or 1
        exponent = math.log2(times[2] / times[1]) / (growth if growth > 0.5 else 1)
        if exponent > LIMIT and name not in KNOWN:
            # A step, such as from the fast reader to the general one, is no growth: does it go on?
            more = measured(args, n * 8, make)
            growth = math.log2(more[1] / runs[2][1]) or 1
            exponent = math.log2(max(more[0] - start, 1e-3) / times[2]) / (growth if growth > 0.5 else 1)
        mark = KNOWN.get(name, "grows fast") if exponent > LIMIT else ""
        failed += mark == "grows fast"
        print(f"{name:40} {n:7} " + " ".join(f"{t:7.2f}" for t in times) + f"  {exponent:5.2f}  {mark}".rstrip(), flush=True)
    print(f"{failed} grow fast" if failed else "none grows fast but those that are named")
    sys.exit(1 if failed else 0)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--bin", required=True, type=lambda text: str(Path(text).resolve()))
parser.add_argument("--only", default="")
parser.add_argument("--rounds", type=int, default=2)
parser.add_argument("--least", type=float, default=0.2, help="seconds that 4n must take to be measured")
OPTIONS = parser.parse_args()
main()
