#!/usr/bin/env python3
"""What if the system fails? Every command, with the n-th call of the C library failing: `make faults`.

    faults.py --bin build/dev/previct [--runs N] [--seed S] [--only WORD] [--seconds T] [--show 20]

Each command runs once without a fault, which counts its calls; then with one of them failing, or all from there on, or
done by half. Then: signals at random moments, a full disk, files that may not grow, closed pipes and streams.

What must hold of each run:
  - it ends by itself within --seconds, with a status of 0 to 3, and never by a signal that nobody sent; a pipe that is
    closed, SIGINT, SIGTERM and SIGHUP may end it by that signal
  - status 0 or 1: the same bytes on stdout and in files as without the fault, or a warning says what is missing; `test`
    may say that a case is an ERROR
  - status 2: nothing on stdout, one error on stderr
  - a file that was to be written is what it was before, or as whole as without the fault; nothing is left beside it
    (after SIGKILL, a temporary file may be)

Prints a line for each kind of failure with the command that shows it again, and the counts. Exit status 1 if there was one.
"""
import argparse, collections, json, os, random, resource, shlex, shutil, signal, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BASE = os.path.join(ROOT, "tests", "badinputs", "base.yaml")
KUBECTL = os.path.join(ROOT, "tests", "live")
NOW = ["--now", "2026-01-02T00:05:00Z"]
HOWS = {"malloc": ["ENOMEM"], "read": ["EIO", "EINTR", "short", "ESTALE"], "write": ["EIO", "ENOSPC", "short", "EINTR", "EDQUOT", "TERM"],
        "open": ["EMFILE", "EACCES", "ENOENT"], "close": ["EIO", "EINTR", "ENOSPC", "TERM"], "fsync": ["EIO", "ENOSPC", "TERM"],
        "rename": ["EACCES", "ENOSPC", "EROFS", "TERM"], "stat": ["EIO", "EACCES", "ENOMEM"], "lseek": ["EIO"],
        "getrandom": ["EINTR", "EIO", "short"], "clock": ["jump"], "thread": ["EAGAIN"],
        "readdir": ["EIO", "untold"], "process": ["EAGAIN", "ENOENT"], "pipe": ["EMFILE"], "temporary": ["EACCES", "ENOSPC", "TERM"]}


def commands():
    """(name, words, the file it writes or None); {d} is the folder of the run, which holds base.yaml, base.yaml.gz …

    After `<`: what comes on stdin. A file that is edited in place has a copy beside it, FILE.before.
    """
    read = ["-f", "{d}/base.yaml", *NOW]
    yield "explain", ["explain", "default/urgent", *read], None
    yield "explain-json", ["explain", "default/urgent", *read, "-o", "json"], None
    yield "explain-file", ["explain", "default/urgent", *read, "-o", "json={d}/out", "-o", "text"], "out"
    yield "explain-html", ["explain", "default/urgent", *read, "-o", "html={d}/out"], "out"
    yield "explain-app", ["explain", "default/urgent", *read, "-o", "app={d}/out"], "out"
    yield "explain-gzip", ["explain", "-f", "{d}/base.yaml.gz", *NOW], None
    yield "explain-zstd", ["explain", "-f", "{d}/base.yaml.zst", *NOW, "-o", "jsonl"], None
    yield "explain-tar", ["explain", "-f", "{d}/base.tar", *NOW, "-o", "wide"], None
    yield "explain-folder", ["explain", "-R", "-f", "{d}/folder", *NOW], None
    yield "explain-config", ["explain", "default/urgent", *read, "--scheduler-config", "{d}/conf.yaml", "-o", "yaml"], None
    yield "horizon", ["explain", "default/urgent", *read, "--horizon", "1h"], None
    yield "with", ["explain", "default/urgent", *read, "--with", "{d}/with.yaml", "-o", "md"], None
    yield "fit", ["fit", "default/urgent", *read, "-o", "json"], None
    yield "sequence", ["sequence", *read, "-o", "json"], None
    yield "fleet", ["fleet", *read, "-o", "json"], None
    yield "sweep", ["sweep", *read, "--vary", "toleration-seconds:spare=0..1h", "-o", "json"], None
    yield "tolerations", ["tolerations", *read, "-o", "wide"], None
    yield "why", ["why-preempted", "-f", "{d}/base.yaml"], None
    yield "inspect", ["inspect", "{d}/base.yaml", "-o", "json"], None
    yield "lint", ["lint", "{d}/base.yaml"], None
    yield "lint-folder", ["lint", "{d}/folder"], None
    yield "lint-baseline", ["lint", "{d}/base.yaml", "--write-baseline", "{d}/out"], "out"
    yield "lint-fix", ["lint", "--fix", "{d}/fix.yaml"], "fix.yaml"
    yield "diff", ["diff", "--from", "{d}/base.yaml", "--to", "{d}/base.json", *NOW], None
    yield "capture", ["capture", "-f", "{d}/base.yaml", "--to", "{d}/out", "--force"], "out"
    yield "capture-packed", ["capture", "-f", "{d}/base.yaml", "--to", "{d}/out.gz", "--force"], "out.gz"
    yield "anonymize", ["anonymize", "{d}/base.yaml", "--to", "{d}/out", "--force", "--verify"], "out"
    yield "test", ["test", "{d}/policy"], None
    yield "test-update", ["test", "{d}/old", "--update"], "old/previct-test.yaml"
    yield "rules", ["rules"], None
    yield "completion", ["completion", "bash"], None
    yield "help", ["help", "explain"], None
    yield "version", ["version", "-v"], None
    yield "threads", ["explain", "default/urgent", "-f", "{d}/many.json", *NOW, "--threads", "4"], None
    yield "kai", ["explain", "-f", "{d}/kai.yaml", "--now", "2026-05-01T12:00:00Z", "-o", "json"], None
    yield "yunikorn", ["explain", "-f", "{d}/yunikorn.yaml", "--now", "2026-05-01T12:00:00Z", "-o", "json"], None
    yield "kueue", ["explain", "-f", "{d}/kueue.yaml", "--now", "2026-05-01T12:00:00Z", "-o", "json"], None
    yield "failures", ["failures", *read, "-o", "json"], None
    yield "prove", ["prove", *read, "--who-can-evict", "default/report", "-o", "json"], None
    yield "backtest", ["backtest", "--series", "{d}/states", "--with", "{d}/classes.yaml"], None
    yield "backtest-jsonl", ["backtest", "--series", "{d}/states", "--shard", "1/2", "-o", "jsonl={d}/out"], "out"
    yield "backtest-merge", ["backtest", "--merge", "{d}/part-1.jsonl,{d}/part-2.jsonl", "-o", "json"], None
    yield "mcp", ["mcp", "-f", "{d}/base.yaml", "<", "{d}/questions.jsonl"], None
    yield "live", ["explain", "train-big-0", "-n", "ml", "--now", "2026-11-20T22:41:07Z"], None
    yield "live-sequence", ["sequence", "--now", "2026-11-20T22:41:07Z", "-o", "json"], None


def many():
    """A cluster that several threads read (8 MiB), and search for victims (256 full nodes)."""
    def item(kind, name, meta, **fields):
        return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "creationTimestamp": "2026-01-02T00:00:00Z", **meta}, **fields}

    def pod(name, priority, node, note):
        spec = {"containers": [{"name": "main", "resources": {"requests": {"cpu": "2"}}}], "priority": priority,
                "schedulerName": "default-scheduler", **({"nodeName": node} if node else {})}
        status = {"phase": "Running", "startTime": "2026-01-02T00:00:01Z"} if node else {"phase": "Pending"}
        return item("Pod", name, {"namespace": "default", "annotations": {"example.com/note": note}}, spec=spec, status=status)
    items = [item("Node", f"node-{i}", {}, status={"allocatable": {"cpu": "2", "memory": "4Gi", "pods": "110"}}) for i in range(256)]
    items += [pod(f"job-{i}", 10 + i % 7, f"node-{i}", "x" * 36_000) for i in range(256)]
    return {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": items + [pod("urgent", 1000, None, "")]}


def prepare(folder, program):
    shutil.copy(BASE, folder)
    shutil.copy(BASE.replace(".yaml", ".json"), folder)
    shutil.copytree(os.path.join(ROOT, "fixtures", "policy", "kep205"), os.path.join(folder, "policy"))
    shutil.copytree(os.path.join(ROOT, "fixtures", "manual", "cluster"), os.path.join(folder, "cluster"))
    sub = os.path.join(folder, "folder")
    os.makedirs(sub)
    shutil.copy(BASE, sub)
    for words in (["gzip", "-k"], ["zstd", "-qk"]):
        subprocess.run(words + [os.path.join(folder, "base.yaml")], check=True)
    subprocess.run(["tar", "-cf", os.path.join(folder, "base.tar"), "-C", folder, "folder"], check=True)
    examples = {"kai": "half-taken", "yunikorn": "logging-daemonset"}
    for engine, example in examples.items():
        shutil.copy(os.path.join(ROOT, "fixtures", engine, "examples", example, "dump.yaml"), os.path.join(folder, engine + ".yaml"))
    with open(os.path.join(folder, "many.json"), "w") as file:
        json.dump(many(), file, indent=4)
    shutil.copy(os.path.join(ROOT, "fixtures", "kueue", "examples", "two-teams.yaml"), os.path.join(folder, "kueue.yaml"))
    shutil.copytree(os.path.join(ROOT, "fixtures", "backtest", "states"), os.path.join(folder, "states"))
    shutil.copy(os.path.join(ROOT, "fixtures", "backtest", "policy.yaml"), os.path.join(folder, "classes.yaml"))
    for part in ("1", "2"):
        subprocess.run([program, "backtest", "--series", os.path.join(folder, "states"), "--shard", part + "/2", "-o",
                        "jsonl=" + os.path.join(folder, f"part-{part}.jsonl")], check=True)
    shutil.copytree(os.path.join(folder, "policy"), os.path.join(folder, "old"))
    suite = os.path.join(folder, "old", "previct-test.yaml")
    with open(suite) as file:
        text = file.read()
    edited = {suite: text.replace("exactly: [ml/epoch-3]", "exactly: [ml/epoch-2]"),
              os.path.join(folder, "fix.yaml"): "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: a}}}\n"}
    for path, content in edited.items():
        for name in (path, path + ".before"):
            with open(name, "w") as file:
                file.write(content)
    open(os.path.join(folder, "cluster", "argv"), "w").close()  # tests/live/kubectl writes its words there
    texts = {"questions.jsonl": "".join(json.dumps(call) + "\n" for call in (
                 {"tool": "explain", "pod": "default/urgent"}, {"tool": "fit", "pod": "default/urgent"}, {"tool": "lint"})),
             "conf.yaml": "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n",
             "page.html": '<script type="application/json" id="data"></script>',
             "with.yaml": "apiVersion: v1\nkind: Node\nmetadata: {name: node-b}\nstatus: {allocatable: {cpu: 1, pods: 10}}\n"}
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)


class Faults:
    def __init__(self, options, library, folder):
        self.options, self.library, self.folder = options, library, folder
        self.counts, self.failures = collections.Counter(), collections.Counter()
        self.rng = random.Random(options.seed)
        self.kept = self.files()

    def files(self):
        return sorted(os.path.relpath(os.path.join(at, name), self.folder) for at, _, names in os.walk(self.folder) for name in names)

    def run(self, words, fault=None, counts=None, limit=None, stdout=None, after=None):
        """(status, stdout, stderr); `after`: (seconds, signal) that is sent."""
        environment = {"PATH": KUBECTL + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": self.folder, "TMPDIR": self.folder,
                       "FAKE_CLUSTER": os.path.join(self.folder, "cluster"), "PREVICT_PAGE": os.path.join(self.folder, "page.html")}
        if fault or counts:
            environment["LD_PRELOAD"] = self.library
        if fault:
            environment["PREVICT_FAULT"] = fault
        if counts:
            environment["PREVICT_FAULT_CALLS"] = counts

        def limits():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        words, stdin = (words[:-2], words[-1]) if "<" in words else (words, os.devnull)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(stdin, "rb") as given:
            process = subprocess.Popen([self.options.bin, *words], stdin=given, stdout=out if stdout is None else stdout,
                                       stderr=err, env=environment, cwd=self.folder, preexec_fn=limits)
            try:
                if after:
                    time.sleep(after[0])
                    process.send_signal(after[1])
                process.wait(self.options.seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                return "hangs", b"", b""
            out.seek(0)
            err.seek(0)
            return process.returncode, out.read(), err.read()

    def wrong(self, what, name, words, detail, said=b""):
        self.failures[what] += 1
        if self.failures[what] <= self.options.show:
            print(f"FAIL {what}: {name} {detail}\n     previct {shlex.join(words)}\n     {said[-300:].decode('utf-8', 'replace').strip()}",
                  flush=True)

    def left_behind(self, output, killed=False):
        extra = [n for n in self.files() if n not in self.kept and n != output]
        for name in extra:
            os.remove(os.path.join(self.folder, name))
        return [] if killed else extra

    def content(self, output):
        path = os.path.join(self.folder, output) if output else None
        if not path or not os.path.exists(path):
            return None
        with open(path, "rb") as file:
            return file.read()

    def set_content(self, output, content):
        path = os.path.join(self.folder, output)
        if content is None:
            if os.path.exists(path):
                os.remove(path)
        else:
            with open(path, "wb") as file:
                file.write(content)

    def attempt(self, name, words, output, usual, detail, allowed=(), killed=False, streams=True, **how):
        old = self.content(output + ".before") or self.rng.choice([None, b"as it was before\n"]) if output else None
        if output:
            self.set_content(output, old)
        status, out, err = self.run(words, **how)
        self.counts["runs"] += 1
        self.counts[f"status {status}"] += 1
        if status == "hangs":
            return self.wrong("hangs", name, words, detail)
        if status < 0 and -status not in allowed:
            return self.wrong(f"signal {-status}", name, words, detail, err)
        if status > 3:
            self.wrong(f"status {status}", name, words, detail, err)
        if status == 2:
            if streams and out and words[0] != "mcp":  # which writes one answer after the other
                self.wrong("stdout beside status 2", name, words, detail, out)
            # Where even a message cannot be written there is none.
            room = how.get("limit") is None or how["limit"] >= 1000  # stderr is a file, too
            if room and err.count(b"previct: error: ") != 1 and not how.get("fault", "").startswith(("write", "malloc")):
                self.wrong("no error, or several", name, words, detail, err)
        content = self.content(output)
        warned = status in (0, 1, 3) and err != usual[2] and b"previct: warning: " in err
        # The record of a state that cannot be read says so.
        warned = warned or (status in (0, 1, 3) and words[0] == "backtest" and b'"damage":"' in (content or b""))
        if output and content not in (old, usual[3]) and not warned:
            self.wrong("half-written", name, words, detail, err)
        unchanged = b"not changed:" in (err if words[0] == "lint" else out)  # of a file that is edited in place
        if output and status in (0, 1) and not unchanged and (content == old or (content != usual[3] and not warned)):
            self.wrong("not written, and nothing is said", name, words, detail, err)
        # A suite says on stdout which of its cases could not be run, and the server for agents which calls.
        told = err != usual[2] or (words[0] == "test" and status == 1 and (b"\n  ERROR " in out or unchanged))
        told = told or (words[0] == "mcp" and b'"error":"' in out) or (words[0] == "backtest" and b"Left out: " in out)
        if status in (0, 1, 3) and streams and (status, out) != usual[:2] and not told:
            self.wrong("another answer, and nothing is said", name, words, detail, out)
        if extra := self.left_behind(output, killed):
            self.wrong("left behind", name, words, detail, str(extra).encode())

    def usual(self, words, output):
        if output:
            self.set_content(output, self.content(output + ".before"))
        status, out, err = self.run(words)
        content = self.content(output)
        self.left_behind(output)
        return status, out, err, content

    def calls(self, words):
        path = os.path.join(self.folder, "calls")
        self.run(words, counts=path)
        with open(path) as file:
            counts = {name: int(number) for name, number in (line.split() for line in file)}
        self.left_behind(None)
        return counts

    def shared_out(self, every, most):
        """So many of them, as many of each call as can be: what a command calls twice is not lost among a hundred of another."""
        groups = collections.defaultdict(list)
        for each in every:
            groups[each[0]].append(each)
        chosen = []
        for left, group in zip(range(len(groups), 0, -1), sorted(groups.values(), key=len)):
            chosen += self.rng.sample(group, min(len(group), (most - len(chosen)) // left))
        return chosen

    def command(self, name, words, output, runs):
        words = [word.replace("{d}", self.folder) for word in words]
        usual = self.usual(words, output)
        if usual[0] not in (0, 1):
            print(f"cannot be asked: {name}: {usual[2][-200:]}")
            self.failures["cannot be asked"] += 1
            return
        self.counts["commands"] += 1
        every = []
        for call, count in self.calls(words).items():
            for how in HOWS[call]:
                every += [(call, n, how, many) for n in range(1, count + 1) for many in ((1, 0) if how not in ("jump", "EINTR", "TERM") else (1,))]
        few = [each for each in every if each[0] != "malloc"]
        memory = [each for each in every if each[0] == "malloc"]
        chosen = self.shared_out(few, runs // 2)
        chosen += memory if len(memory) <= runs - len(chosen) else self.rng.sample(memory, max(0, runs - len(chosen)))
        for call, n, how, many in chosen:
            self.counts[f"faults of {call}"] += 1
            ends = how == "TERM"
            self.attempt(name, words, output, usual, f"{call}:{n}:{how}:{many}", allowed=(signal.SIGTERM,) if ends else (),
                         streams=not ends, fault=f"{call}:{n}:{how}:{many}")
        for number in range(max(2, runs // 40)):
            what = self.rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
            self.counts["signals"] += 1
            self.attempt(name, words, output, usual, f"{what.name} after a moment", allowed=(what,), killed=what == signal.SIGKILL,
                         streams=False, after=(self.rng.random() * 0.05, what))
        if output:
            for limit in [0, 1, 100, 1000, *(self.rng.randrange(1, len(usual[3]) + 1) for _ in range(4))]:
                self.counts["files that may not grow"] += 1
                self.attempt(name, words, output, usual, f"no file beyond {limit} bytes", limit=limit, streams=False)
        elif usual[1]:
            with open("/dev/full", "wb") as full:
                self.counts["full disks"] += 1
                status, _, err = self.run(words, stdout=full)
                if status != 2 or err.count(b"previct: error: ") != 1:
                    self.wrong("a full disk", name, words, f"status {status}", err)
            reader, writer = os.pipe()
            os.close(reader)
            self.counts["closed pipes"] += 1
            status, _, err = self.run(words, stdout=writer)
            os.close(writer)
            if status not in (-signal.SIGPIPE, 2) or (status < 0 and err != usual[2]):
                self.wrong("a closed pipe", name, words, f"status {status}", err)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "dev", "previct"))
    parser.add_argument("--runs", type=int, default=2000, help="faults, shared among the commands")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--show", type=int, default=5)
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    asked = [each for each in commands() if options.only in each[0]]
    known = {name[:-4].replace("_", "-") for name in os.listdir(os.path.join(ROOT, "cli", "commands")) if name.endswith(".cpp")}
    if missing := known - {words[0] for _, words, _ in commands()}:
        sys.exit(f"commands() lacks {', '.join(sorted(missing))}")
    began = time.time()
    with tempfile.TemporaryDirectory() as scratch:
        library = os.path.join(scratch, "faults.so")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-o", library,
                        os.path.join(ROOT, "tests", "faults", "faults.c"), "-ldl"], check=True)
        folder = os.path.join(scratch, "run")
        os.makedirs(folder)
        prepare(folder, options.bin)
        faults = Faults(options, library, folder)
        for name, words, output in asked:
            faults.command(name, words, output, max(10, options.runs // len(asked)))
    failed = sum(faults.failures.values())
    print(f"{faults.counts['runs']} runs of {faults.counts['commands']} commands in {time.time() - began:.0f} s")
    for what, count in sorted(faults.counts.items()):
        if what not in ("runs", "commands"):
            print(f"  {count} {what}")
    for what, count in sorted(faults.failures.items()):
        print(f"  {count} × {what}")
    print(f"{failed} failed")
    return 1 if failed else 0


sys.exit(main())
