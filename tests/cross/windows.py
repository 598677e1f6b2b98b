#!/usr/bin/env python3
"""Uses previct.exe as people on Windows do, and compares it with the program of this machine.

    tests/cross/windows.py --bin build/dev/previct --exe build/windows-amd64/previct.exe --zig build/cross/zig/zig

Needs Wine (Debian: wine64). Prints one line for each check; exit status 1 if one fails.
"""

import argparse
import bz2
import gzip
import json
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

from same_answers import WORDS_OF_WINE

WINE = shutil.which("wine64") or "/usr/lib/wine/wine64"
SECONDS = 120
FIXTURES = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../fixtures"))
DUMP = os.path.join(FIXTURES, "demo/tolerations.yaml")
CONFIG = os.path.join(FIXTURES, "demo/scheduler.yaml")
PACKED = os.path.join(FIXTURES, "demo/full-cluster.yaml.zst")


class Checks:
    def __init__(self, given):
        self.native = os.path.abspath(given.bin)
        self.exe = os.path.abspath(given.exe)
        self.zig = os.path.abspath(given.zig)
        self.cache = os.path.join(os.path.dirname(self.zig), "../cache")  # as cmake/cross/build.sh has it
        self.failed = []

    def run(self, words, *, exe=True, folder=None, text=b"", variables=None):
        command = [WINE, self.exe, *words] if exe else [self.native, *words]
        environment = {**os.environ, "WINEDEBUG": "-all", **(variables or {})}
        done = subprocess.run(command, cwd=folder, input=text, capture_output=True, timeout=SECONDS, env=environment)
        return done.returncode, done.stdout, WORDS_OF_WINE.sub(b"", done.stderr)

    def check(self, name, holds, shown=""):
        print(f"{'ok    ' if holds else 'FAILED'} {name}", flush=True)
        if not holds:
            self.failed.append(name)
            print(f"       {shown}"[:2000])

    def same(self, name, words, windows_words=None, **how):
        one = self.run(words, exe=False, **how)
        other = self.run(windows_words or words, **how)
        self.check(name, one == other and one[1] + one[2] != b"", f"{one[0]} {one[2]!r} / {other[0]} {other[2]!r} {other[1][:300]!r}")

    def all(self, folder):
        explain = ["explain", "-o", "json", "--scheduler-config", "scheduler.yaml", "-f"]
        shutil.copy(DUMP, os.path.join(folder, "dump.yaml"))
        shutil.copy(CONFIG, os.path.join(folder, "scheduler.yaml"))
        with open(DUMP, "rb") as file:
            text = file.read()

        self.same("--version", ["--version"])
        self.same("--help", ["--help"])
        for command in ("explain", "capture", "lint", "mcp"):
            self.same(f"{command} -h", [command, "-h"])

        os.makedirs(os.path.join(folder, "dumps/über uns"))
        for name in ("dumps/a.yaml", "dumps/über uns/größe.yaml"):
            shutil.copy(DUMP, os.path.join(folder, name))
        self.same("a path with backslashes", [*explain, "dumps/a.yaml"], [*explain, "dumps\\a.yaml"], folder=folder)
        self.same("a path with umlauts and blanks", [*explain, "dumps/über uns/größe.yaml"], [*explain, "dumps\\über uns\\größe.yaml"], folder=folder)
        drive = "Z:" + os.path.join(folder, "dumps/a.yaml").replace("/", "\\")
        status, out, errors = self.run([*explain, drive], folder=folder)
        self.check("a path with a drive", status == 0 and out != b"", errors)
        self.same("standard input", [*explain, "-"], folder=folder, text=text)
        self.same("lines that end with CR and LF", [*explain, "-"], folder=folder, text=text.replace(b"\n", b"\r\n"))
        self.same("no such file", [*explain, "missing.yaml"], folder=folder)
        self.same("an error with its line", [*explain, "-"], folder=folder, text=b"apiVersion: v1\nkind: [\n")
        self.same("a folder in place of a file", ["explain", "--scheduler-config", "dumps", "-f", "dump.yaml"], folder=folder)
        self.same("a flag that does not exist", ["explain", "--namspace", "x"], folder=folder)

        shutil.copy(PACKED, os.path.join(folder, "full.yaml.zst"))
        with gzip.open(os.path.join(folder, "dump.yaml.gz"), "wb") as file:
            file.write(text)
        for name, pack in (("dump.yaml.xz", lzma.compress), ("dump.yaml.bz2", bz2.compress)):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(pack(text))
            self.same(name, [*explain, name], folder=folder)
        with tarfile.open(os.path.join(folder, "dump.tar.gz"), "w:gz") as file:
            file.add(os.path.join(folder, "dump.yaml"), "inside/dump.yaml")
        self.same("zstd", ["explain", "-o", "json", "-f", "full.yaml.zst", "payments-prod/urgent"], folder=folder)
        self.same("gzip", [*explain, "dump.yaml.gz"], folder=folder)
        self.same("tar and gzip", [*explain, "dump.tar.gz"], folder=folder)

        two = os.path.join(folder, "two")
        os.makedirs(two)
        objects = text.split(b"\n---\n")
        for name, half in (("a.yaml", objects[: len(objects) // 2]), ("b.yaml", objects[len(objects) // 2 :])):
            with open(os.path.join(two, name), "wb") as file:
                file.write(b"\n---\n".join(half))
        self.same("two dumps in one folder", [*explain, "two"], folder=folder)
        self.same("folders, recursively", [*explain, "two", "-R"], folder=folder)
        self.same("one file, named twice", [*explain, "dump.yaml", "-f", "./dump.yaml"], [*explain, "dump.yaml", "-f", ".\\dump.yaml"], folder=folder)
        self.same("lint of a folder", ["lint", "two", "-o", "json"], folder=folder)
        self.same("lint as SARIF", ["lint", "two", "-o", "sarif"], folder=folder)

        below = os.path.join(folder, "project/below")
        os.makedirs(below)
        os.makedirs(os.path.join(folder, "project/.git"))
        shutil.copy(CONFIG, os.path.join(folder, "project/scheduler.yaml"))
        with open(os.path.join(folder, "project/.previct.yaml"), "w", encoding="utf-8") as file:
            file.write("cluster:\n  scheduler-config: scheduler.yaml\n")
        self.same("settings in a folder above", ["explain", "-o", "json", "-f", "../../dump.yaml"], folder=below)

        for target in ("new.json", "new.json", "über.json"):
            status, out, errors = self.run([*explain, "dump.yaml", "-o", f"json=dumps\\{target}"], folder=folder)
            wanted = self.run([*explain, "dump.yaml"], exe=False, folder=folder)[1]
            with open(os.path.join(folder, "dumps", target), "rb") as file:
                self.check(f"write {target}", file.read() == wanted and len(os.listdir(os.path.join(folder, "dumps"))) <= 4, errors)
        status, out, errors = self.run(["capture", "-f", "dump.yaml", "--force", "--to", "dump.yaml"], folder=folder)
        self.check("an input is not overwritten", status == 2 and b"is an input" in errors, errors)
        status, out, errors = self.run(["capture", "-f", "dump.yaml", "--to", "missing\\state.jsonl"], folder=folder)
        self.check("a folder that does not exist", status == 2 and b"No such file or directory" in errors, errors)
        reader, writer = os.pipe()
        os.close(reader)
        command = [WINE, self.exe, *explain, "dump.yaml"]
        done = subprocess.run(command, cwd=folder, stdout=writer, stderr=subprocess.PIPE, timeout=SECONDS, env={**os.environ, "WINEDEBUG": "-all"})
        os.close(writer)
        self.check("nobody reads the output", done.returncode == 141 and WORDS_OF_WINE.sub(b"", done.stderr) == b"", (done.returncode, done.stderr))
        self.series(folder)
        self.fixes(folder)
        self.live(folder)
        self.agents(folder)

    def series(self, folder):
        """States are added, and the first one is not replaced."""
        status, out, errors = self.run(["capture", "-f", "full.yaml.zst", "--series", "states"], folder=folder)
        files = os.listdir(os.path.join(folder, "states")) if status == 0 else []
        again = self.run(["capture", "-f", "full.yaml.zst", "--series", "states"], folder=folder)
        self.check("capture --series", status == 0 and len(files) == 1 and again[0] == 2, (errors, again))

    def fixes(self, folder):
        """lint --fix changes a file in place as on this machine."""
        source = os.path.join(FIXTURES, "lint")
        candidates = []
        for path, _, names in sorted(os.walk(source)):
            candidates += [os.path.join(path, name) for name in sorted(names) if name.endswith(".yaml")]
        for candidate in candidates:
            shutil.copy(candidate, os.path.join(folder, "one.yaml"))
            self.run(["lint", "one.yaml", "--fix"], exe=False, folder=folder)
            with open(candidate, "rb") as before, open(os.path.join(folder, "one.yaml"), "rb") as after:
                fixed = after.read()
                if fixed == before.read():
                    continue
            shutil.copy(candidate, os.path.join(folder, "one.yaml"))
            status, out, errors = self.run(["lint", "one.yaml", "--fix"], folder=folder)
            with open(os.path.join(folder, "one.yaml"), "rb") as file:
                self.check("lint --fix", file.read() == fixed, (status, out, errors))
            return
        self.check("lint --fix", False, "no fixture has a finding that it fixes")

    def live(self, folder):
        """A cluster through a kubectl.exe in PATH."""
        cluster = os.path.join(folder, "cluster")
        tools = os.path.join(folder, "tools and more")
        os.makedirs(cluster)
        os.makedirs(tools)
        subprocess.run([self.zig, "cc", "-target", "x86_64-windows-gnu", "-g0", "-o", os.path.join(tools, "kubectl.exe"),
                        os.path.join(os.path.dirname(os.path.abspath(__file__)), "kubectl.c")],
                       check=True, env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": self.cache, "ZIG_LOCAL_CACHE_DIR": self.cache})
        node = {"metadata": {"name": "n1"}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}}}
        pod = {"metadata": {"name": "web", "namespace": "default", "uid": "1"}, "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}
        for name, kind, items in (("nodes", "Node", [node]), ("pods", "Pod", [pod])):
            with open(os.path.join(cluster, f"api.v1.{name}"), "w", encoding="utf-8") as file:
                json.dump({"apiVersion": "v1", "kind": f"{kind}List", "metadata": {"resourceVersion": "7"}, "items": items}, file)
        windows = lambda path: "Z:" + path.replace("/", "\\")
        variables = {"FAKE_CLUSTER": windows(cluster), "WINEPATH": windows(tools)}
        status, out, errors = self.run(["capture", "--to", "live.jsonl", "--context", 'a "b\\'], folder=folder, variables=variables)
        self.check("capture through kubectl.exe", status == 0 and os.path.exists(os.path.join(folder, "live.jsonl")), (status, out, errors))
        with open(os.path.join(cluster, "argv"), encoding="utf-8") as file:
            words = file.read().split("\n")
        self.check("words of kubectl with quotes, blanks and backslashes", 'a "b\\' in words or '--context=a "b\\' in words, words)
        with open(os.path.join(tools, "helm.cmd"), "w", encoding="utf-8") as file:
            file.write("@echo off\r\n")
        status, out, errors = self.run(["explain", "--kubectl", windows(os.path.join(tools, "helm.cmd"))], folder=folder, variables=variables)
        self.check("a script in place of kubectl.exe", status == 2 and b"not available on Windows" in errors, errors)

    def agents(self, folder):
        """The server for agents, over standard input and output."""
        def call(number, name, arguments):
            return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}})

        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        lines = [json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}),
                 call(1, "inspect", {"files": ["dump.yaml"]}), call(2, "explain", {"files": ["dump.yaml"]}),
                 call(3, "explain", {"files": ["../secret.yaml"]})]
        text = ("\n".join(lines) + "\n").encode()
        answers = []
        for exe in (False, True):
            status, out, errors = self.run(["mcp", "--root", "."], exe=exe, folder=folder, text=text)
            found = [json.loads(line) for line in out.decode().splitlines()]
            answers.append(sorted(found, key=lambda each: each["id"]))
        self.check("mcp", answers[0] == answers[1] and len(answers[1]) == 4, answers)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--exe", required=True)
    parser.add_argument("--zig", required=True)
    checks = Checks(parser.parse_args())
    with tempfile.TemporaryDirectory() as folder:
        checks.all(folder)
    print(f"{len(checks.failed)} failed")
    sys.exit(bool(checks.failed))


if __name__ == "__main__":
    main()
