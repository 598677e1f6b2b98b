#!/usr/bin/env python3
"""Every command in every format over many inputs, whole and mutated: `make soak`.

What must hold of each run, whatever the input:
  - it ends by itself within --seconds, and never by a signal; status 70 (internal error) counts as a failure, too
  - JSON, JSON lines and SARIF can be parsed; JUnit is well-formed XML
  - the status is the same in every format
  - the bytes are the same with one and two threads

Inputs: the dumps below fixtures and, where it is there, ../shared/cases and ../shared/badinputs (each case with its own
flags). Mutants are made of captures: values to extremes, lists emptied or doubled, fields and whole kinds left out,
scheduler configurations with plugins off and arguments at their limits. The same --seed makes the same mutants.

    soak.py --bin build/dev/previct [--mutants N] [--whole N] [--seed S] [--jobs J] [--keep DIR]

Prints a line for each failure, with the command that shows it again, and the counts. Exit status 1 if there was one.
"""
import argparse, collections, concurrent.futures, copy, json, os, random, shlex, subprocess, sys, tempfile, time
import xml.etree.ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.path.join(os.path.dirname(ROOT), "shared")
FORMATS = ["text", "wide", "json", "jsonl", "yaml", "name", "md", "html", "junit", "sarif", "github"]


# ---------------------------------------------------------------- inputs
def cases():
    """(dump, flags, pod) of every case; other dumps have no flags and no pod."""
    found = []
    for base in [os.path.join(ROOT, "fixtures"), os.path.join(SHARED, "cases"), os.path.join(SHARED, "cases-next")]:
        for folder, _, files in sorted(os.walk(base)):
            for name in sorted(files):
                if not name.endswith((".yaml", ".json")) or not name.startswith("dump"):
                    continue
                flags, pod = [], None
                config = os.path.join(folder, "scheduler-config.yaml")
                if os.path.exists(config):
                    flags += ["--scheduler-config", config]
                if os.path.exists(os.path.join(folder, "case.json")):
                    with open(os.path.join(folder, "case.json")) as file:
                        case = json.load(file)
                    pod = case.get("pod") or case.get("pending")
                    if case.get("podgroup"):
                        pod = "podgroup/" + case["podgroup"]
                    if case.get("mode") == "yunikorn-design":
                        flags += ["--yunikorn-mode", "design-1.5.1"]
                found.append((os.path.join(folder, name), flags, pod))
    return found


def bad_inputs():
    folder = os.path.join(SHARED, "badinputs", "dev")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [(os.path.join(folder, name), [], None) for name in names]


def questions(dump, flags, pod, scratch):
    """The command lines that are asked of one input, without a format."""
    read = ["-f", dump]
    yield ["explain", *read, *flags]
    yield ["explain", *read, *flags, "--show", "all", "--fail-on", "pending", "--strict"]
    if pod:
        yield ["explain", *read, *flags, pod]
        yield ["explain", *read, *flags, pod, "--horizon", "1h"]
        yield ["fit", *read, *flags, pod]
        yield ["sequence", *read, *flags]
        if not pod.startswith("podgroup/"):
            yield ["tolerations", *read, *flags, pod]
    yield ["tolerations", *read, *flags]
    yield ["fleet", *read, *flags]
    yield ["inspect", dump]
    yield ["lint", dump]
    yield ["why-preempted", *read]
    yield ["diff", "--from", dump, "--to", dump, *flags]
    yield ["capture", *read, "--to", os.path.join(scratch, "capture.jsonl"), "--force"]
    yield ["anonymize", *read, "--to", os.path.join(scratch, "anonymous.jsonl"), "--force", "--verify"]


# ---------------------------------------------------------------- mutants
EXTREMES = [0, -1, 1, 2**31 - 1, -2**31, 2**31, 2**63 - 1, -2**63, 2**64, 1e308, -0.5, "", "0", "-1", "1e9999", "9" * 40,
            "100m", "-5Gi", "1n", "\u202e", "a/b", "::error::x", "<b>&\"'", "\x1b[31m", "x" * 300, None, True, [], {},
            "2026-05-01T12:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]


def places(value, path=()):
    if isinstance(value, dict):
        for key in value:
            yield path + (key,)
            yield from places(value[key], path + (key,))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield path + (index,)
            yield from places(value[index], path + (index,))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def like(value, rng):
    """Another value, most often of the same kind: what is refused by its type alone shows little."""
    if rng.random() < 0.25:
        return rng.choice(EXTREMES)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([0, -1, 1, value + 1, value - 1, 2**31 - 1, -2**31, 2**63 - 1, -2**63])
    if isinstance(value, str):
        return rng.choice(["", value * 2, value[:-1], value + "0", "0", "1", "-1", "9" * 18, "1Ei", "1u", "Never", "Always",
                           "default", "9999-12-31T23:59:59Z", "1969-12-31T23:59:59Z"])
    if isinstance(value, list):
        return rng.choice([[], value * 2, value[::-1], value[:1]])
    if isinstance(value, dict):
        return rng.choice([{}, {key: value[key] for key in list(value)[:1]}])
    return rng.choice(EXTREMES)


def mutate(objects, rng):
    objects = copy.deepcopy(objects)
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        kind = rng.randrange(8)
        if not objects:
            break
        if kind == 0:  # without a kind
            gone = rng.choice([o.get("kind") for o in objects if isinstance(o, dict)] or [None])
            objects = [o for o in objects if not isinstance(o, dict) or o.get("kind") != gone]
        elif kind == 1:  # an object twice, or gone
            index = rng.randrange(len(objects))
            objects[index:index + 1] = rng.choice([[], [objects[index], copy.deepcopy(objects[index])]])
        else:
            target = rng.choice(objects)
            paths = list(places(target)) if isinstance(target, dict) else []
            paths = [p for p in paths if p not in (("kind",), ("apiVersion",))] if rng.random() < 0.95 else paths
            if not paths:
                continue
            path = rng.choice(paths)
            parent = at(target, path[:-1])
            if kind == 2:
                del parent[path[-1]]
            elif kind == 3 and isinstance(parent, list):
                parent.append(copy.deepcopy(parent[path[-1]]))
            else:
                parent[path[-1]] = like(parent[path[-1]], rng)
    return objects


PLUGINS = ["SchedulingGates", "PrioritySort", "NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodePorts",
           "NodeResourcesFit", "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone", "PodTopologySpread",
           "InterPodAffinity", "DefaultPreemption", "PreemptionToleration", "DynamicResources", "NodeResourcesBalancedAllocation",
           "ImageLocality", "DefaultBinder", "*", "Mine", ""]
POINTS = ["preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "preScore", "score", "reserve", "permit", "preBind",
          "bind", "postBind", "multiPoint"]


def configuration(rng):
    def names():
        return [{"name": rng.choice(PLUGINS), **({"weight": rng.choice([0, 1, -1, 2**31])} if rng.random() < 0.1 else {})}
                for _ in range(rng.choice([0, 1, 1, 2, 3]))]

    plugins = {}
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        plugins[rng.choice(POINTS)] = {side: names() for side in rng.sample(["enabled", "disabled"], rng.choice([1, 1, 2]))}
    number = lambda: rng.choice([0, 1, 10, 100, 101, -1, 2**31 - 1, 2**31, None, "5"])
    arguments = []
    for _ in range(rng.choice([0, 0, 1, 2])):
        name = rng.choice(["DefaultPreemption", "PreemptionToleration", "NodeResourcesFit", "PodTopologySpread", "NodeAffinity"])
        args = {"DefaultPreemption": {"minCandidateNodesPercentage": number(), "minCandidateNodesAbsolute": number()},
                "PreemptionToleration": {"minCandidateNodesPercentage": number(), "minCandidateNodesAbsolute": number()},
                "NodeResourcesFit": {"ignoredResources": rng.choice([[], ["example.com/a"], ["*"]])},
                "PodTopologySpread": {"defaultingType": "List", "defaultConstraints": [
                    {"maxSkew": number(), "topologyKey": "kubernetes.io/hostname",
                     "whenUnsatisfiable": rng.choice(["DoNotSchedule", "ScheduleAnyway", ""])}]},
                "NodeAffinity": {"addedAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                    {"matchExpressions": [{"key": "a", "operator": rng.choice(["In", "Exists", "Gt", "x"]),
                                           "values": rng.choice([[], ["1"], ["x", "y"]])}]}]}}}}[name]
        arguments.append({"name": name, "args": args})
    profiles = []
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        profile = {"schedulerName": rng.choice(["default-scheduler", "default-scheduler", "other", ""]), "plugins": plugins,
                   "pluginConfig": arguments}
        profiles.append({k: v for k, v in profile.items() if rng.random() < 0.9})
    return {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "profiles": profiles}


# ---------------------------------------------------------------- runs
class Soak:
    def __init__(self, options):
        self.bin, self.seconds, self.keep = options.bin, options.seconds, options.keep
        self.counts, self.failures = collections.Counter(), []

    def run(self, args):
        self.counts["runs"] += 1
        environment = {**os.environ, "PREVICT_FILES": "", "LC_ALL": "C.UTF-8"}
        environment.pop("PREVICT_FILES")
        try:
            done = subprocess.run([self.bin, *args], stdin=subprocess.DEVNULL, capture_output=True, timeout=self.seconds,
                                  env=environment)
        except subprocess.TimeoutExpired:
            self.fail("hangs", args, b"")
            return None
        if done.returncode < 0 or done.returncode == 70:
            self.fail("signal" if done.returncode < 0 else "internal error", args, done.stderr)
        return done

    def fail(self, what, args, said):
        self.counts[what] += 1
        self.failures.append((what, args, said[-300:].decode("utf-8", "replace")))
        if self.counts[what] <= 20:
            print(f"FAIL {what}: previct {shlex.join(args)}\n     {self.failures[-1][2].strip()}", flush=True)

    def parse(self, form, done, args):
        try:
            if form in ("json", "sarif"):
                json.loads(done.stdout)
            elif form == "jsonl":
                for line in done.stdout.splitlines():
                    json.loads(line)
            elif form == "junit":
                xml.etree.ElementTree.fromstring(done.stdout)
        except (ValueError, xml.etree.ElementTree.ParseError) as error:
            self.fail(f"no {form}", args, str(error).encode())

    def ask(self, question, forms):
        first = None
        for form in forms:
            args = question + ["-o", form]
            done = self.run(args)
            if done is None:
                return
            if done.returncode in (0, 1, 3) and done.stdout:
                self.parse(form, done, args)
            if done.returncode == 2 and done.stdout:
                self.fail("stdout beside status 2", args, done.stderr)
            refused = done.returncode == 2 and b"-o " in done.stderr  # a format that this command does not have
            if refused:
                continue
            if first is None:
                first = (form, done)
            elif done.returncode != first[1].returncode:
                self.fail(f"status {done.returncode}, with -o {first[0]} {first[1].returncode}", args, done.stderr)
        if first is not None and question[0] in ("explain", "fleet", "fit"):
            args = question + ["-o", first[0], "--threads"]
            one, two = self.run(args + ["1"]), self.run(args + ["2"])
            if one and two and (one.stdout, one.returncode) != (two.stdout, two.returncode):
                self.fail("other bytes with 2 threads", args + ["2"], two.stderr)

    def whole(self, case, index):
        with tempfile.TemporaryDirectory() as scratch:
            for number, question in enumerate(questions(*case, scratch)):
                turn = index + number
                self.ask(question, [FORMATS[turn % 11], FORMATS[(turn + 4) % 11], "json"])

    def mutant(self, base, seed):
        rng = random.Random(seed)
        dump, flags, pod = base
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "mutant.json")
            taken = subprocess.run([self.bin, "capture", "-f", dump, "--to", os.path.join(scratch, "base.jsonl"), "-q"],
                                   capture_output=True)
            if taken.returncode not in (0, 1):
                return
            with open(os.path.join(scratch, "base.jsonl")) as file:
                objects = [json.loads(line) for line in file]
            objects = [o for o in objects if isinstance(o, dict) and o.get("kind") != "Capture"]
            with open(path, "w") as file:
                json.dump({"apiVersion": "v1", "kind": "List", "items": mutate(objects, rng)}, file)
            if rng.random() < 0.3:
                flags = ["--scheduler-config", os.path.join(scratch, "config.json")]
                with open(flags[1], "w") as file:
                    json.dump(configuration(rng), file)
            asked = list(questions(path, flags, pod, scratch))
            before = len(self.failures)
            for question in rng.sample(asked, min(3, len(asked))):
                self.ask(question, [rng.choice(FORMATS), "json"])
            if len(self.failures) > before and self.keep:
                os.makedirs(self.keep, exist_ok=True)
                for name in ("mutant.json", "config.json"):
                    if os.path.exists(os.path.join(scratch, name)):
                        with open(os.path.join(scratch, name)) as source:
                            with open(os.path.join(self.keep, f"{seed}-{name}"), "w") as target:
                                target.write(source.read())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "dev", "previct"))
    parser.add_argument("--whole", type=int, default=10**9, help="so many inputs as they are")
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--keep", default="", help="a folder for the mutants that fail")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    soak, began = Soak(options), time.time()
    every = cases()
    rng = random.Random(options.seed)
    inputs = every + bad_inputs()
    if options.whole < len(inputs):
        inputs = rng.sample(inputs, options.whole)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = [pool.submit(soak.whole, case, index) for index, case in enumerate(inputs)]
        work += [pool.submit(soak.mutant, rng.choice(every), options.seed * 1_000_000 + n) for n in range(options.mutants)]
        for each in concurrent.futures.as_completed(work):
            each.result()
    failed = len(soak.failures)
    print(f"{len(inputs)} inputs whole, {options.mutants} mutants, {soak.counts['runs']} runs in {time.time() - began:.0f} s")
    for what, count in sorted(soak.counts.items()):
        if what != "runs":
            print(f"  {count} × {what}")
    print(f"{soak.counts['runs'] - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
