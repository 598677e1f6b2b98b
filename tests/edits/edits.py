#!/usr/bin/env python3
"""`lint --fix` and `test --update` over mutated files: do they change the value, and nothing else? `make edits`.

    edits.py --bin build/dev/previct [--files N] [--suites N] [--seed S] [--jobs J] [--more DIR]… [--keep DIR]

Sources of `lint --fix`: the bad manifest of each rule, all YAML and JSON below fixtures, ../shared/wild where it is
there, and `--more` folders. Mutants of them get misspelt fields, numbers without quotes, documents with findings; and
anchors, aliases, tags, other quotes, block scalars, flow style, comments, other line ends, line breaks of YAML 1.1, byte
order marks, and damage. Sources of `test --update`: the suites below fixtures/policy, with other expected victims.

What must hold of each file, as libyaml reads it (PyYAML):
  - it can be parsed if it could before, and no key of a map stands there twice that did not
  - all events are the same, with their anchors, tags and styles, but for scalars that are no more than the findings
    that are said to be fixed (or the lists `exactly` that are said to be rewritten); in texts that hold YAML likewise
  - all bytes outside of those are the same
  - no finding is left that offers a fix, and those that were fixed are fewer, unless the file is named as left
  - a file that is not named as fixed has the same bytes; no other file appears

Prints a line for each failure and the counts. Exit status 1 if there was one.
"""
import argparse, collections, concurrent.futures, json, os, random, re, shutil, subprocess, sys, tarfile, tempfile, time

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WILD = os.path.join(os.path.dirname(ROOT), "shared", "wild", "manifests.tar.zst")
BATCH = 200
LARGEST = 12_000


# ---------------------------------------------------------------- what stands in a file
class Written:
    """The events of a text, each scalar with whether it is a key, and the path of maps and lists around it."""

    def __init__(self, text):
        self.text, self.events, self.scalars, self.twice, self.broken = text, [], [], 0, None
        stack = []  # [is a map, its keys, the key whose value comes]
        try:
            for event in yaml.parse(text, Loader=yaml.CSafeLoader):
                self.events.append(event)
                if isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                    stack.pop()
                    self.step(stack, None)
                elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                    stack.append([isinstance(event, yaml.MappingStartEvent), set(), None, True])
                elif isinstance(event, yaml.ScalarEvent):
                    key = bool(stack) and stack[-1][0] and stack[-1][3]
                    self.scalars.append((event, key, tuple(each[2] for each in stack)))
                    self.step(stack, event)
                elif isinstance(event, yaml.AliasEvent):
                    self.step(stack, None)
        except (yaml.YAMLError, ValueError) as error:
            self.broken = str(error)

    def step(self, stack, event):
        if not stack or not stack[-1][0]:
            return
        top = stack[-1]
        if top[3]:
            top[2] = event.value if event else None
            if event:
                self.twice += event.value in top[1] and event.value != "<<"
                top[1].add(event.value)
        top[3] = not top[3]

    def span(self, event):
        """Where the scalar stands, without anchor and tag, and without the line breaks behind a block scalar."""
        begin, end = event.start_mark.index, event.end_mark.index
        while end > begin and self.text[end - 1] in " \t\r\n\x85\u2028\u2029" and event.style in ("|", ">", None, ""):
            end -= 1
        return begin, end


def shape(event):
    kind = type(event).__name__
    if isinstance(event, yaml.ScalarEvent):
        return (kind, event.anchor, event.tag, event.value, event.style)
    if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
        return (kind, event.anchor, event.tag, event.flow_style)
    return (kind, getattr(event, "anchor", None))


def damage(before, after, most, depth=0):
    """What is wrong with `after`, of which no more than `most` scalars may be others than `before`; else ""."""
    old, new = Written(before), Written(after)
    if old.broken:
        a, b = re.split(r"\r?\n", before), re.split(r"\r?\n", after)
        return "" if len(a) == len(b) and sum(x != y for x, y in zip(a, b)) <= most else "lines changed in broken YAML"
    if new.broken:
        return f"cannot be parsed: {new.broken}"
    if new.twice > old.twice:
        return "a key stands there twice"
    if len(old.events) != len(new.events):
        return f"{len(old.events)} events, then {len(new.events)}"
    rest_old, rest_new, at_old, at_new, changed = [], [], 0, 0, 0
    for a, b in zip(old.events, new.events):
        if shape(a) == shape(b):
            continue
        if not isinstance(a, yaml.ScalarEvent) or shape(a)[:3] != shape(b)[:3]:
            return f"{shape(a)} is now {shape(b)}"
        changed += 1
        if depth < 3 and a.style == b.style and "\n" in a.value and "\n" in b.value:
            inner = damage(a.value, b.value, most, depth + 1)
            if inner:
                return "in a text: " + inner
        (begin, end), (from_, to) = old.span(a), new.span(b)
        rest_old.append(before[at_old:begin])
        rest_new.append(after[at_new:from_])
        if a.style in ("|", ">") and b.style not in ("|", ">"):
            # A comment behind the indicator stays behind the value.
            tail = re.search(r"[|>][0-9+-]*([^\n\r]*)", before[begin:end])[1]
            if after[to:to + len(tail)] != tail:
                return "a comment of a block scalar is lost"
            at_old, at_new = end, to + len(tail)
            continue
        at_old, at_new = end, to
    if changed > most:
        return f"{changed} scalars changed, {most} fixed"
    if rest_old + [before[at_old:]] != rest_new + [after[at_new:]]:
        return "bytes outside of the values changed"
    return ""


# ---------------------------------------------------------------- mutants
BREAKS = ["\r\n", "\x85", "\u2028", "\r", "\n\n", "\n\t\n", "\n# c\n", "\n  # previct:ignore DU011\n"]
PLANTED = """---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: planted
  annotations:
    preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: "10000"
    preemption-toleration.scheduling.x-k8s.io/toleration-seconds: "30m"
value: 8000
preemptionPolicy: never
"""


def misspelt(word, rng):
    at = rng.randrange(1, len(word) - 1)
    return rng.choice([word[:at] + word[at + 1:], word[:at] + word[at + 1] + word[at] + word[at + 2:], word[:at] + word[at] + word[at:],
                       word.lower(), word[:at] + "_" + word[at:]])


def put(text, begin, end, new):
    return text[:begin] + new + text[end:]


def folded(value, style, indent, rng):
    pad = " " * indent
    chomp = rng.choice(["", "-", "+", "2", "-2"])
    if style == ">":
        value = value.replace(" ", "\n", rng.randrange(2))
    return f"{style}{chomp}{rng.choice(['', ' # c', '  '])}\n" + "\n".join(pad + line for line in value.split("\n"))


def mutated_scalar(text, rng):
    """One scalar written in another way, or with another name."""
    written = Written(text)
    if not written.scalars:
        return text
    plain = [s for s in written.scalars if s[2] and s[2][-1] == "annotations" and not s[1]]
    event, key, path = rng.choice(plain if plain and rng.random() < 0.4 else written.scalars)
    begin, end = written.span(event)
    inside, value, indent = text[begin:end], event.value, event.start_mark.column
    if event.style in ("|", ">"):
        return put(text, begin, end, rng.choice(["&b1 ", "!!str ", "&b1 !!str ", "!x "]) + inside)
    way = rng.randrange(14)
    quoted = [json.dumps(value, ensure_ascii=rng.random() < 0.5), "'" + value.replace("'", "''") + "'"]
    if way < 3 and key and len(value) > 4:
        return put(text, begin, end, inside.replace(value, misspelt(value, rng)))
    if way < 3 and not key:
        return put(text, begin, end, rng.choice(["5", "true", "1_000", "0x1F", "30m", "007", "1.10", "~", "", "-0", "1e3", "never", "2026-01-01"]))
    if way == 3:
        return put(text, begin, end, rng.choice(["&b1 ", "&b2 !!str ", "!!str ", "!local ", "! ", "!!int ", "&b1\n" + " " * (indent + 2)]) + inside)
    if way == 4:
        return put(text, begin, end, rng.choice(quoted))
    if way == 5 and not key:
        column = indent - len(text[:begin].rsplit("\n", 1)[-1].lstrip(" -"))
        return put(text, begin, end, folded(value, rng.choice("|>"), max(2, column + 2 if column > 0 else 4), rng))
    if way == 6:
        # An anchor here, an alias for some scalar behind it.
        later = [s for s in written.scalars if s[0].start_mark.index > end and not s[1]]
        same = [s for s in later if s[0].value == value]
        if later:
            other = written.span(rng.choice(same or later)[0])
            text = put(text, *other, "*b3")
            return put(text, begin, begin, "&b3 ")
    if way == 7 and key:
        return put(text, begin, end, rng.choice(["? " + inside + "\n" + " " * indent, inside + " ", inside + "\t", quoted[0], quoted[1]]))
    if way == 8:
        return put(text, end, end, rng.choice([" # c", "  ", "\t", " #previct:ignore DU011", " \u2028", " é"]))
    if way == 9 and " " in value and not key:
        return put(text, begin, end, inside.replace(" ", "\n" + " " * (indent + 2), 1))
    if way == 10 and not key:
        return put(text, begin, end, rng.choice(["[", "{a: "]) + inside + rng.choice(["]", "}", ", ]", ",}"]))
    if way == 11:
        return put(text, begin, end, '"' + "".join(rng.choice([c, f"\\u{ord(c):04x}", "\\\n" + " " * (indent + 2) + c]) if ord(c) < 0xd800
                                                   and c.isalnum() and rng.random() < 0.3 else json.dumps(c)[1:-1] for c in value) + '"')
    if way == 12:
        return put(text, begin, begin, rng.choice(["é", "\U0001f600", "\t", "  "]))
    return put(text, begin, end, rng.choice(["\u00e9", "x" * 300, "a: b", "- a", "#", "*b1", "<<", "annotation", "priorityClassname", "v1beta1"]))


def mutated_file(text, rng, others):
    way = rng.randrange(15)
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    if way == 0:
        return text.rstrip("\n") + "\n" + rng.choice(others)
    if way == 1:
        return rng.choice(others).rstrip("\n") + "\n---\n" + text
    if way == 2:
        return text.replace("\r\n", "\n").replace("\n", "\r\n")
    if way == 3:
        return "\n".join(lines[:at]) + rng.choice(BREAKS) + "\n".join(lines[at:])
    if way == 4:
        lines.insert(at, lines[at])
    elif way == 5:
        del lines[at]
    elif way == 6:
        lines[at] += rng.choice([" ", "\t", "  # é \U0001f600", "#", ":", "\\"])
    elif way == 7:
        return rng.choice(["%YAML 1.1\n---\n", "--- &b0\n", "--- # c\n", "\n\n", "# c\n", "...\n---\n", "--- !!map\n", "\t\n"]) + text
    elif way == 8:
        return text.rstrip("\n") + rng.choice(["", "\n...", "\n...\n", " ", "\n\n\n", "\n# c", "\r", "\n---", "\n--- ~\n"])
    elif way in (9, 10):
        try:
            documents = [d for d in yaml.load_all(text, Loader=yaml.CSafeLoader) if d is not None]
            if way == 9 and rng.random() < 0.5:
                item = documents[0] if len(documents) == 1 else {"apiVersion": "v1", "kind": "List", "items": documents}
                return json.dumps(item, indent=rng.choice([None, 1, 2]), default=str) + "\n"
            if rng.random() < 0.3 and len(documents) > 1:
                documents = [{"apiVersion": "v1", "kind": "List", "items": documents}]
            if rng.random() < 0.3:
                for each in documents:
                    if isinstance(each, dict) and isinstance(each.get("metadata"), dict):
                        each["again"] = each["metadata"]  # an anchor and an alias
            style = rng.choice([None, False, True, None])
            return yaml.dump_all(documents, Dumper=yaml.CSafeDumper, default_flow_style=style, width=rng.choice([20, 80, 1000]),
                                 indent=rng.choice([2, 4]), default_style=rng.choice([None, None, '"', "'"]), allow_unicode=True)
        except (yaml.YAMLError, ValueError, TypeError, RecursionError):
            return text
    elif way == 11:
        # The whole as a text in a ConfigMap.
        pad = " " * rng.choice([2, 4])
        held = rng.choice(["|", "|-", "|+", "| # c", "&b9 |", "!!str |"])
        name = rng.choice(["config.yaml", "queues.yaml", "a.yml"])
        tail = "  again: *b9\n" if held.startswith("&") and rng.random() < 0.5 else ""
        body = "\n".join(pad + "  " + line if line else line for line in lines)
        return f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: held\ndata:\n{pad}{name}: {held}\n{body}\n" + tail.replace("  ", pad, 1)
    elif way == 12:
        position = rng.randrange(len(text) + 1)
        return text[:position] + rng.choice(["", " ", "\n", ":", "'", '"', "\x85", "\u2029", "{", "\ufeff", "&b7 ", "*b1"]) + text[position + 1:]
    elif way == 13:
        # An anchor on a map, and a merge of it elsewhere.
        heads = [i for i, line in enumerate(lines) if re.fullmatch(r" *[A-Za-z]+:", line)]
        if heads:
            head = rng.choice(heads)
            lines[head] += " &b5"
            later = [i for i in heads if i > head]
            if later:
                target = rng.choice(later)
                if target + 1 < len(lines) and rng.random() < 0.5:
                    pad = re.match(r" *", lines[target + 1]).group()
                    lines.insert(target + 1, pad + "<<: *b5")
                else:
                    lines.insert(target, re.match(r" *", lines[target]).group() + "again: *b5")
    else:
        return text.replace("  ", rng.choice(["    ", "  "])) if rng.random() < 0.5 else text.replace(": ", ":   ")
    return "\n".join(lines)


def mutant(sources, others, rng):
    name, text = ("rule.yaml", rng.choice(others)) if rng.random() < 0.4 else rng.choice(sources)
    if rng.random() < 0.6 and not name.endswith(".json"):
        text = text.rstrip("\n") + "\n" + rng.choice(others)
    for _ in range(rng.randrange(1, 6)):
        text = mutated_scalar(text, rng) if rng.random() < 0.65 else mutated_file(text, rng, others)
        if len(text) > 4 * LARGEST:
            break
    data = text.encode("utf-8", "surrogatepass")
    marked = rng.random()
    if marked < 0.04:
        data = b"\xef\xbb\xbf" + data
    elif marked < 0.05:
        data = b"\xff\xfe" + text.encode("utf-16-le", "surrogatepass")
    return name, data


# ---------------------------------------------------------------- sources
def texts_below(folder):
    for base, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            path = os.path.join(base, name)
            if name.endswith((".yaml", ".yml", ".json")) and name != "kustomization.yaml" and os.path.getsize(path) <= LARGEST:
                with open(path, "rb") as file:
                    try:
                        yield os.path.splitext(name)[1], file.read().decode()
                    except UnicodeDecodeError:
                        pass


def sources_of(options, scratch):
    found = [("file" + ext, text) for ext, text in texts_below(os.path.join(ROOT, "fixtures"))]
    counts = {"fixtures": len(found)}
    if os.path.exists(WILD):
        unpacked = os.path.join(scratch, "wild")
        os.mkdir(unpacked)
        subprocess.run(["tar", "-xf", WILD, "-C", unpacked], check=True)
        found += [("file" + ext, text) for ext, text in texts_below(unpacked)]
        shutil.rmtree(unpacked)
        counts["wild"] = len(found) - counts["fixtures"]
    for folder in options.more:
        more = [("file" + ext, text) for ext, text in texts_below(folder)]
        counts[os.path.basename(folder)] = len(more)
        found += more
    rules = json.loads(subprocess.run([options.bin, "rules", "-o", "json"], capture_output=True, check=True).stdout)
    bad = [PLANTED] + [text if text.startswith("---") else "---\n" + text for text in (rule.get("bad") for rule in rules["items"]) if text]
    # Those that offer a fix ten times as often.
    offers = []
    for text in bad:
        done = subprocess.run([options.bin, "lint", "-", "-o", "json"], input=text.encode(), capture_output=True)
        offers += [text] * 9 if b'"fixes"' in done.stdout else []
    counts["rules"] = len(bad)
    return found, bad + offers, counts


def text_of(data):
    for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return mark, data[len(mark):].decode(name)
    return b"", data.decode()


# ---------------------------------------------------------------- runs
class Edits:
    def __init__(self, options):
        self.options, self.counts, self.failures = options, collections.Counter(), 0

    def run(self, folder, *args):
        return subprocess.run([self.options.bin, *args], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                              env={**{k: v for k, v in os.environ.items() if k not in ("CI", "PREVICT_FILES")}, "LC_ALL": "C.UTF-8"})

    def fail(self, what, name, before=None, after=None):
        self.failures += 1
        self.counts["FAILED"] += 1
        print(f"FAIL {name}: {what}", flush=True)
        if self.options.keep and before is not None:
            os.makedirs(self.options.keep, exist_ok=True)
            stem = os.path.join(self.options.keep, name.replace("/", "-"))
            for end, data in (("before", before), ("after", after)):
                with open(f"{stem}.{end}", "wb") as file:
                    file.write(data)

    # ---- lint --fix
    def batch(self, index, size, sources, others):
        rng = random.Random(self.options.seed * 1_000_003 + index)
        with tempfile.TemporaryDirectory() as folder:
            before = {}
            for number in range(size):
                name, data = mutant(sources, others, rng)
                where = f"b{index}-{number}/{name}"
                os.mkdir(os.path.join(folder, os.path.dirname(where)))
                with open(os.path.join(folder, where), "wb") as file:
                    file.write(data)
                before[where] = data
            found = self.findings(folder, "before the fix", index)
            done = self.run(folder, "lint", "--fix", "-v", "--fail-on", "never", ".")
            if done.returncode != 0:
                return self.fail(f"--fix: exit {done.returncode}: {done.stderr[-300:]!r}", f"batch {index}")
            said = done.stderr.decode("utf-8", "replace")
            fixed = {m[1]: int(m[2]) for m in re.finditer(r"warning: (\S+): (\d+) findings? fixed", said)}
            left = dict(re.findall(r"warning: (\S+): left as it is: (.*)", said))
            now = self.findings(folder, "after the fix", index)
            there = {os.path.relpath(os.path.join(base, name), folder) for base, _, files in os.walk(folder) for name in files}
            for name in there - set(before):
                self.fail("appeared", name)
            if found is None or now is None:
                return
            for where, old in before.items():
                with open(os.path.join(folder, where), "rb") as file:
                    new = file.read()
                self.judge(where, old, new, fixed.get(where, 0), left.get(where), found[where], now[where])
            return

    def findings(self, folder, when, index):
        """By file: (rule, object) of each finding, and of those that offer a fix."""
        done = self.run(folder, "lint", "-o", "json", "--fail-on", "never", ".")
        if done.returncode != 0:
            self.fail(f"{when}: exit {done.returncode}: {done.stderr[-300:]!r}", f"batch {index}")
            return None
        by_file = collections.defaultdict(lambda: (collections.Counter(), collections.Counter()))
        for each in json.loads(done.stdout)["findings"]:
            every, fixable = by_file[each["place"]["path"]]
            every[each["rule"], each.get("object")] += 1
            if each.get("fixes") and not each.get("suppressed") and not each.get("suppression"):
                fixable[each["rule"], each.get("object")] += 1
        return by_file

    def judge(self, where, old, new, fixes, left, found, now):
        self.counts["files"] += 1
        self.counts["with a finding that offers a fix"] += bool(found[1])
        self.counts["left, and named"] += left is not None
        if left is not None:
            self.counts[f"  left: {re.sub(r'^[A-Z]{2}[0-9]{3}', 'ID', left)}"[:90]] += 1
        if old == new:
            if fixes:
                self.fail("said to be fixed, with the same bytes", where, old, new)
            if found[1] and left is None:
                self.fail(f"not fixed, and not named: {dict(found[1])}", where, old, new)
            return
        self.counts["changed"] += 1
        self.counts["findings fixed"] += fixes
        if not fixes:
            return self.fail("changed, and not named", where, old, new)
        try:
            (mark, before), (mark_now, after) = text_of(old), text_of(new)
        except UnicodeDecodeError as error:
            return self.fail(str(error), where, old, new)
        wrong = "other byte order mark" if mark != mark_now else damage(before, after, fixes)
        if wrong:
            self.counts["damaged"] += 1
            return self.fail(wrong, where, old, new)
        if now[1] and left is None:
            return self.fail(f"a fix is left: {dict(now[1])}", where, old, new)
        rules = collections.Counter()
        for (rule, _), count in found[1].items():
            rules[rule] += count
        if left is None and fixes < sum(rules.values()) and sum(now[0].values()) >= sum(found[0].values()):
            self.fail(f"{fixes} fixed of {sum(rules.values())}", where, old, new)
        for each in found[1]:
            # A fix in a later round may have shown another one of the same name.
            if left is None and fixes == sum(rules.values()) and now[0][each] and now[0][each] >= found[0][each]:
                self.fail(f"still found: {each}", where, old, new)

    # ---- test --update
    def suites(self, index, size, sources):
        rng = random.Random(self.options.seed * 1_000_033 + index)
        with tempfile.TemporaryDirectory() as folder:
            before = {}
            shutil.copytree(os.path.join(ROOT, "fixtures"), os.path.join(folder, "fixtures"),
                            ignore=lambda base, names: [n for n in names if base.endswith("fixtures") and n not in ("kai", "policy", "yunikorn")])
            for number in range(size):
                home, text = rng.choice(sources)
                where = f"fixtures/policy/{home}/s{index}-{number}.previct-test.yaml"
                data = suite_mutant(text, rng).encode()
                with open(os.path.join(folder, where), "wb") as file:
                    file.write(data)
                before[where] = data
            for base, _, files in os.walk(os.path.join(folder, "fixtures")):
                for name in files:
                    if name.endswith("previct-test.yaml") and not name.startswith(f"s{index}-"):
                        os.remove(os.path.join(base, name))
            there = {os.path.join(base, name) for base, _, files in os.walk(folder) for name in files}
            done = self.run(folder, "test", ".", "--update", "-v")
            if done.returncode not in (0, 1):
                return self.fail(f"--update: exit {done.returncode}: {done.stderr[-300:]!r}", f"suites {index}")
            said = done.stdout.decode("utf-8", "replace")
            rewritten = collections.Counter(re.findall(r"^(\S+):\d+ [^\n]*\n- ", said, re.M))
            left = collections.Counter(re.findall(r"^(\S+?):\d+ [^\n]*: left as it is", said, re.M))
            again = self.run(folder, "test", ".", "--update", "-v").stdout.decode("utf-8", "replace")
            for where in set(re.findall(r"^(\S+):\d+ [^\n]*\n- ", again, re.M)):
                self.fail("rewritten again by a second --update", where)
            for path in {os.path.join(base, name) for base, _, files in os.walk(folder) for name in files} ^ there:
                self.fail("appeared, or is gone", path)
            for where, old in before.items():
                with open(os.path.join(folder, where), "rb") as file:
                    new = file.read()
                self.counts["suites"] += 1
                self.counts["suites with lists that are left, and named"] += where in left
                if old == new:
                    self.counts["suites left as they are"] += 1
                    if rewritten[where]:
                        self.fail("said to be rewritten, with the same bytes", where, old, new)
                    continue
                self.counts["suites changed"] += 1
                self.counts["lists rewritten"] += rewritten[where]
                if not rewritten[where]:
                    self.fail("changed, and not named", where, old, new)
                    continue
                wrong = damaged_suite(old.decode().removeprefix("\ufeff"), new.decode().removeprefix("\ufeff"), rewritten[where])
                if wrong:
                    self.counts["suites damaged"] += 1
                    self.fail(wrong, where, old, new)


def events_by_list(text):
    """The events outside of the values of `exactly`, those values, and comments with the lines that hold nothing of them."""
    written = Written(text)
    if written.broken:
        return None, written.broken, []
    outside, lists, spans, depth, key, at = [], [], [], 0, False, None
    for event in written.events:
        if depth or key:
            if not depth:
                lists.append([])
                at = event.start_mark.index
                outside.append(("list", getattr(event, "anchor", None) if not isinstance(event, yaml.AliasEvent) else "*", getattr(event, "tag", None)))
            lists[-1].append(getattr(event, "value", None) or type(event).__name__)
            depth += isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent))
            depth -= isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent))
            key = False
            if not depth:
                spans.append((at, event.end_mark.index))
            continue
        outside.append(shape(event))
        key = isinstance(event, yaml.ScalarEvent) and event.value == "exactly"
    return outside, lists, spans


def damaged_suite(before, after, most):
    old, old_lists, old_spans = events_by_list(before)
    new, new_lists, new_spans = events_by_list(after)
    if old is None:
        return "changed, and could not be parsed before"
    if new is None:
        return f"cannot be parsed: {new_lists}"
    if old != new:
        return "events outside of the lists changed"
    changed = sum(a != b for a, b in zip(old_lists, new_lists))
    if changed > most:
        return f"{changed} lists changed, {most} said"
    # A list in block style ends where the next thing begins, so blanks and comments at the edges of the cuts do not count;
    # all comments that have a line to themselves do.
    own = re.compile(r"(?m)^[ \t]*(#.*)$")
    if own.findall(before) != own.findall(after):
        return "comments changed"

    def rest(text, spans):
        out, at = [], 0
        for begin, end in spans:
            out.append(text[at:begin])
            at = end
        return [own.sub("", piece).strip() for piece in out + [text[at:]]]
    return "" if rest(before, old_spans) == rest(after, new_spans) else "bytes outside of the lists changed"


def suite_sources():
    found = []
    for home in ("kai", "kep205", "yunikorn"):
        base = os.path.join(ROOT, "fixtures", "policy", home)
        for name in sorted(os.listdir(base)):
            if name.endswith("previct-test.yaml"):
                with open(os.path.join(base, name)) as file:
                    text = file.read()
                text = re.sub(r"(?ms)^- name: nothing below.*\Z", "", text)  # forall: slow, and without a list
                if "exactly" not in text:
                    text = re.sub(r"expect: \{outcome: preempts", "expect: {victims: {exactly: [ml/none]}, outcome: preempts", text)
                if "exactly" in text:
                    found.append((home, text))
    return found


def suite_mutant(text, rng):
    names = ["ml/none", "ml/batch-7", "ml/epoch-3", "'ml/x'", '"ml/y"', "&n ml/z", "!!str ml/w", "ml/license-sim"]

    def other(match):
        picked = rng.sample(names, rng.randrange(4))
        way = rng.randrange(7)
        if way == 0:
            return "exactly: [" + ", ".join(picked) + rng.choice(["]", ", ]" if picked else "]", " ]"])
        if way == 1:
            return "exactly: " + rng.choice(["&e ", "!!seq ", "&e !!seq ", ""]) + "[" + ",".join(picked) + "]"
        if way == 2:
            return "exactly: [ # c\n      " + ",\n      ".join(picked) + "\n      ]"
        if way == 3:
            return "exactly: " + (rng.choice(names))
        if way == 4:
            return '"exactly": [' + ", ".join(picked) + "]"
        return "exactly: [" + "  ,  ".join(picked) + "]"

    text = re.sub(r"exactly: \[[^\]]*\]", other, text)
    if rng.random() < 0.5:
        # In block style, as people write it.
        try:
            text = yaml.dump(yaml.safe_load(text), Dumper=yaml.CSafeDumper, sort_keys=False, default_flow_style=False,
                             indent=rng.choice([2, 4]), width=rng.choice([30, 80, 200]))
            if rng.random() < 0.5:
                text = re.sub(r"(?m)^( *)exactly:\n", lambda m: m[0].rstrip("\n") + rng.choice([" # c\n", " &e\n", " !!seq\n", "\n" + m[1] + "# c\n", "\n\n", "  \n"]), text)
            if rng.random() < 0.5:
                text = re.sub(r"(?m)^( *- ml/.*)$", lambda m: m[1] + rng.choice(["", " # c", "  ", "\n" + " " * 40 + "# c"]), text)
        except yaml.YAMLError:
            pass
    if rng.random() < 0.2:
        text = re.sub(r"(&e .*?)exactly: \[.*?\]", r"\1exactly: *e", text, count=1, flags=re.S)
    for _ in range(rng.randrange(3)):
        text = mutated_scalar(text, rng) if rng.random() < 0.5 else mutated_file(text, rng, ["# c\n"])
    return "\ufeff" + text if rng.random() < 0.03 else text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "dev", "previct"))
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--suites", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--more", action="append", default=[], help="a folder of other YAML (repeatable)")
    parser.add_argument("--keep", default="", help="a folder for the files that fail, before and after")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    edits, began = Edits(options), time.time()
    with tempfile.TemporaryDirectory() as scratch:
        sources, others, counts = sources_of(options, scratch)
    print("sources: " + ", ".join(f"{count} of {name}" for name, count in counts.items()), flush=True)
    work = [("file", n // BATCH, min(BATCH, options.files - n)) for n in range(0, options.files, BATCH)]
    work += [("suite", n // BATCH, min(BATCH, options.suites - n)) for n in range(0, options.suites, BATCH)]
    SOURCES.extend([sources, others, suite_sources()])  # which the processes of the pool inherit
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        waits = [pool.submit(done_work, options, *each) for each in work]
        for each in concurrent.futures.as_completed(waits):
            counted, failures = each.result()
            edits.counts.update(counted)
            edits.failures += failures
    print(f"{options.files} files, {options.suites} suites in {time.time() - began:.0f} s")
    for what, count in sorted(edits.counts.items()):
        print(f"  {count} × {what}")
    return 1 if edits.failures else 0


SOURCES = []


def done_work(options, what, index, size):
    edits = Edits(options)
    if what == "file":
        edits.batch(index, size, SOURCES[0], SOURCES[1])
    else:
        edits.suites(index, size, SOURCES[2])
    return edits.counts, edits.failures


if __name__ == "__main__":
    sys.exit(main())
