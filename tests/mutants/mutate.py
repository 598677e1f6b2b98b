#!/usr/bin/env python3
"""Which rule could be broken without a test noticing? `make mutants`.

    mutate.py [--build build/dev] [--below src/engine…] [--files N | --only WORD… | --since COMMIT] [--mutants N | --again FILE | --unmet] [--tags TAGS] [--seed S]

Marks in source files the places where they can be broken (marks.py), compiles them once with all their mutants (mutants.h;
the files of a folder together), links the tests once, and runs them for one mutant after the other, up to the first that
fails. The environment tells which mutant is alive: to break a hundred rules costs no more to build than one. A run without
any tells first which tests, and which cases of the real schedulers, meet which mutant (listener.cpp): the others are not run
for it; a few cases come first, then the quick tests, then all the rest. What none of them notices is left to the tests that
run the program, with the same mutants, and to those of documents, if a process of the program, or of theirs, has met it.

Kinds: a condition is always or never true (`always`, `never`), a part of one does not count (`ignored`), a comparison
takes in its bound or leaves it out, an equality is turned round (`compare`), plus and minus are exchanged (`add`), the
smaller one is the larger one (`extreme`), a statement is left out (`dropped`).

With --tags, only the tests in C++ that have them are linked, learned from and run, and without --mutants every mutant is
tried: all of a file takes a minute or two, once it is compiled. `--only src/sequence/queue.cpp --tags '[sequence]'`. What
survives here, the program may still notice, and, without `[golden]` among the tags, the cases of the real schedulers.

Prints for each folder, with --tags for each file, how many were killed; writes the
survivors with their places to --out, which --again takes. Equivalent mutants are listed in tests/mutants/equivalent.txt
(`FILE: LINE's text: KIND # why`).
"""
import argparse, collections, concurrent.futures, json, os, random, re, resource, shlex, shutil, signal, subprocess, sys, tempfile, threading

from marks import File

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.dirname(os.path.abspath(__file__))
NUMBERS = 4096  # for each unit; all together must stay below kMost in mutants.h
GOLDEN = "previct says what the real schedulers said"  # how the names of those tests begin that run their cases
TESTS = "".join("~" + tag for tag in (
    "[transcript]", "[manual]", "[packages]", "[layering]", "[badinputs]", "[fuzz]", "[schema]", "[timelines]", "[watch]",
    "[#prefixes_test]", "[#fast_load_test]", "[#parallel_load_test]", "[#canary_test]", "[queueing-hints]"))  # of the program, or of no rule, or long, or of recorded answers that a variable names
MAINS = [os.path.join(ROOT, "cli", name) for name in ("main.cpp", "reactor.cpp")]  # of a program each: they cannot be compiled together
PATIENCE = 1200  # seconds: a transcript waits for the program, and a mutant may do nothing for ever
RUNNING, STOPPED = set(), threading.Event()  # the groups of processes of tests
OF_PROGRAM = "[transcript]", "[manual],[badinputs],[schema],[timelines],[watch]"


def short(path):
    return os.path.relpath(path, ROOT)


class Build:
    def __init__(self, folder, scratch):
        self.folder, self.scratch = folder, scratch
        self.headers = max(os.path.getmtime(os.path.join(at, name)) for below in (HERE, os.path.join(ROOT, "src"))
                           for at, _, names in os.walk(below) for name in names if name.endswith((".h", ".def", "listener.cpp")))
        with open(os.path.join(folder, "compile_commands.json")) as file:
            commands = [c["command"] for c in json.load(file)]
        # Of any file of the library: where several are compiled together, a single one has none of its own.
        self.words = next(shlex.split(c) for c in commands if "/previct_lib.dir/" in c and "/registry/" not in c and "c++-header" not in c)

    def compile(self, name, text):
        """(object, what the compiler says)"""
        path, made = os.path.join(self.scratch, name + ".cpp"), os.path.join(self.scratch, name + ".o")
        if os.path.exists(made):
            with open(path) as file:
                if file.read() == text and os.path.getmtime(made) > self.headers:
                    return made, ""
            os.remove(made)
        with open(path, "w") as file:
            file.write(text)
        words = self.words[next((i + 1 for i, w in enumerate(self.words) if os.path.basename(w) == "ccache"), 0):]
        words[words.index("-o") + 1] = made
        words = [w for w in words if not w.startswith(("-W", "-M"))]
        words[words.index("-c") + 1] = path
        done = subprocess.run(words + ["-w", "-fmax-errors=0", "-I", HERE, "-I", ROOT], cwd=self.folder, capture_output=True, text=True)
        return (made if done.returncode == 0 else None), done.stderr

    def link(self, objects, name, *more):
        target = subprocess.run(["ninja", "-t", "commands", name], cwd=self.folder, capture_output=True, text=True, check=True)
        words = shlex.split(target.stdout.strip().split("\n")[-1].split("&&")[1])
        made = os.path.join(self.scratch, os.path.basename(name))
        words[words.index("-o") + 1] = made
        words = [w for w in words if not w.endswith(".o") or os.path.exists(os.path.join(self.folder, w))]
        # Before the libraries: a file comes a second time, with the others of its folder, and the first one counts.
        at = min(i for i, w in enumerate(words) if w.startswith("libprevict_"))
        subprocess.run(words[:at] + ["-Wl,--allow-multiple-definition", "-Wl,--strip-debug", *more] + objects + words[at:], cwd=self.folder, check=True)
        return made


def marked(build, paths, name, base, sites):
    """The object of these files, with their sites appended to `sites`; None if they cannot be compiled with marks."""
    known = os.path.join(build.scratch, name + ".skip")  # what an earlier run found not to compile
    skip = set()
    if os.path.exists(known):
        with open(known) as file:
            skip = {tuple(key) for key in json.load(file)}
    for _ in range(8):
        here, text = [], '#include "mutants.h"\n'

        def numbered(site):
            if site.number is None:
                site.number = base + len(here)
                here.append(site)
            return site.number
        files = []
        for path in paths:
            with open(path) as source:
                files.append(File(path, source.read()))
            text += f'#line 1 "{path}"\n{files[-1].mark(numbered, skip)}\n'
        made, said = build.compile(name, text)
        if made:
            with open(known, "w") as file:
                json.dump(sorted(skip), file)
            sites += here
            return made
        # An error of syntax causes others, up to the end of its file.
        for error in r"error: expected", r"(?:error|fatal error|required)":
            wrong = {(path, int(line)) for path, line in re.findall(rf"([^\s:]+):(\d+):\d+:\s+{error}", said)}
            if wrong:
                break
        every = [s for f in files for s in f.sites]
        bad = {s.key() for s in every if any((s.path, n) in wrong for n in range(s.line, s.line + s.text.count("\n") + 2))}
        if not bad - skip:
            print(said[:2000])
            return None
        skip |= bad
    return None


def equivalent():
    with open(os.path.join(HERE, "equivalent.txt")) as file:
        return {line.split(" # ")[0].strip() for line in file if line.strip() and not line.startswith("#")}


def name_of(site):
    return f"{short(site.path)}: {site.text.splitlines()[0].strip()}: {site.kind}"


def run(tests, arguments, seconds, **environment):
    def limit():  # Of the processor, not of the clock: a machine that is busy is no mutant that hangs.
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    if STOPPED.is_set():
        return 1
    with subprocess.Popen([tests, "-#", "--abort", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT,
                          env={**os.environ, **environment}, preexec_fn=limit, start_new_session=True) as process:
        RUNNING.add(process.pid)
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return 1
        finally:
            RUNNING.discard(process.pid)


def end_with_tests(number, _):
    STOPPED.set()
    for group in list(RUNNING):
        os.killpg(group, signal.SIGKILL)
    sys.exit(128 + number)


class Meetings:
    """Which tests and which cases meet a mutant; runs them. `parts`: what Catch is given to select tests, by processes."""

    def __init__(self, tests, program, scratch, seed, parts):
        self.tests, self.program, self.scratch, self.seed, self.parts = tests, program, scratch, seed, parts
        self.cases, self.names, self.seconds = collections.defaultdict(list), collections.defaultdict(list), {}
        self.of_program = {tags: set() for tags in OF_PROGRAM}

    def learn(self, pool):
        """What fails without any mutant; empty: nothing."""
        paths = [os.path.join(self.scratch, f"seen{i}") for i in range(len(self.parts))]
        for path in paths:
            open(path, "w").close()
        program = pool.submit(self.learn_program)
        statuses = list(pool.map(lambda part, path: run(self.tests, [part], 7200, PREVICT_MUTANTS_SEEN=path), self.parts, paths))
        seen = [open(path).readlines() for path in paths]
        for line in sum(seen, []):
            kind, name, seconds, numbers = line.rstrip("\n").split("\t")
            if kind == "test" and name.startswith(GOLDEN):
                continue
            self.seconds[name] = float(seconds)
            for number in numbers.split():
                (self.cases if kind == "case" else self.names)[int(number)].append(name)
        # The last test of a run that ends at the first failure is the one that failed.
        failed = [lines[-1].split("\t")[1] for lines, status in zip(seen, statuses) if status != 0 and lines]
        return failed + (["tests of the program"] if program.result() else [])

    def learn_program(self):
        """Whether the tests of the program fail without any mutant."""
        if self.program is None:
            return False
        return any([self.learn_program_of(tags, os.path.join(self.scratch, f"seen_of_program{i}")) for i, tags in enumerate(OF_PROGRAM)])

    def learn_program_of(self, tags, seen):
        shutil.rmtree(seen, ignore_errors=True)
        os.makedirs(seen)
        status = self.run_program(-1, tags, seen)
        for name in os.listdir(seen):
            with open(os.path.join(seen, name)) as file:
                for line in file:
                    self.of_program[tags].update(map(int, line.rstrip("\n").split("\t")[-1].split()))
        return status != 0

    def met(self, number):
        return self.cases[number] or self.names[number] or self.met_by_program(number)

    def met_by_program(self, number):
        return any(number in met for met in self.of_program.values())

    def folder(self, number):
        path = os.path.join(self.scratch, "runs", str(number))
        os.makedirs(path, exist_ok=True)
        return path

    def fails(self, number, kind, names):
        seconds = 3 + int(5 * sum(self.seconds[n] for n in names))
        listed = os.path.join(self.folder(number), "listed")
        with open(listed, "w") as file:
            file.writelines((n if kind == "case" else n.replace(",", "\\,")) + "\n" for n in names)
        if kind == "case":
            return run(self.tests, ["[#golden_test]"], seconds, PREVICT_MUTANT=str(number), PREVICT_ONLY_CASES=listed) != 0
        return run(self.tests, ["-f", listed], seconds, PREVICT_MUTANT=str(number)) != 0

    def program_fails(self, number):
        return any(number in met and self.run_program(number, tags) != 0 for tags, met in self.of_program.items())

    def run_program(self, number, tags, seen=""):
        """`seen`: a folder for what is met: a file for each process, and one for the tests."""
        folder = self.folder(number)
        path = os.path.join(folder, "previct")
        with open(path, "w") as file:  # the transcripts start from an empty environment
            file.write("#!/bin/bash\n" + (f"export PREVICT_MUTANTS_SEEN={shlex.quote(seen)}/$$\n" if seen else "") +
                       f"PREVICT_MUTANT={number} exec -a \"$0\" {shlex.quote(self.program)} \"$@\"\n")
        os.chmod(path, 0o755)
        return run(self.tests, [tags], 1200 if seen else 120, PREVICT_OTHER_BINARY_DIR=folder, PREVICT_MUTANT=str(number),
                   **({"PREVICT_MUTANTS_SEEN": os.path.join(seen, "tests")} if seen else {}))

    def kill(self, number):
        """What notices the mutant: `case`, `test` or `program`; None if nothing does."""
        cases, names = list(self.cases[number]), sorted(self.names[number], key=lambda n: self.seconds[n])
        random.Random(self.seed + number).shuffle(cases)
        quick = [n for n in names if self.seconds[n] < 0.1]
        for kind, some in (("case", cases[:20]), ("test", quick), ("case", cases[20:]), ("test", names[len(quick):])):
            if some and self.fails(number, kind, some):
                return kind
        # What a process computes once is met by its first test only: others that need it are those with the same tags.
        if len(names) == 1 and self.like_fails(number, names[0]):
            return "test"
        return "program" if self.program_fails(number) else None

    def like_fails(self, number, name):
        listed = subprocess.run([self.tests, "--list-tests", name.replace(",", "\\,")], capture_output=True, text=True).stdout
        tags = set(re.findall(r"\[[^\]\s]+\]", "".join(re.findall(r"^ +(\[.*\])$", listed, re.M))))
        return bool(tags) and run(self.tests, [",".join(tag + TESTS for tag in sorted(tags))], 120, PREVICT_MUTANT=str(number)) != 0


def unit_of(path):
    """What is compiled together: a folder, but for plugins that fill in the same few names (cmake/unity.cmake)."""
    return re.sub(r"\W", "_", short(path if os.path.basename(os.path.dirname(path)) == "filters" else os.path.dirname(path)))


def all_files(below):
    return sorted(os.path.join(folder, name) for top in below for folder, _, names in os.walk(os.path.join(ROOT, top)) for name in names
                  if name.endswith(".cpp") and not any(w in name for w in ("words", "gaps", "assumptions", "rules.cpp"))
                  and os.path.join(folder, name) not in MAINS)


def changed_lines(since):
    """The lines of each file that changed since a commit."""
    said = subprocess.run(["git", "diff", "-U0", "--no-color", since], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    lines, path = collections.defaultdict(set), ""
    for line in said.split("\n"):
        if line.startswith("+++ "):
            path = line[6:]
        elif hunk := re.match(r"@@ \S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(hunk.group(1)), int(hunk.group(2) or 1)
            lines[path].update(range(first, first + count))
    return lines


def parts_of(tags):
    """The tests, by processes: the cases of the real schedulers, and the others; all, or only those with one of the tags."""
    cases = ["[golden]" + TESTS]
    if not tags:
        return cases + ["~[golden]" + TESTS]
    others = [tag for tag in tags.split(",") if tag != "[golden]"]
    return cases * ("[golden]" in tags) + [",".join(tag + "~[golden]" + TESTS for tag in others)] * bool(others)


def chosen_files(every, options, rng):
    if options.only:
        return [p for p in every if any(w in p for w in options.only)]
    if options.since:
        changed = changed_lines(options.since)
        return [p for p in every if short(p) in changed]
    folders = collections.defaultdict(list)
    for path in every:
        folders[os.path.dirname(path)].append(path)
    # Of each folder its share.
    return sorted(p for f in folders.values() for p in rng.sample(f, min(len(f), max(1, round(options.files * len(f) / len(every))))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "dev"))
    parser.add_argument("--below", nargs="*", default=["src/engine"])
    parser.add_argument("--files", type=int, default=12, help="so many files, chosen by the seed")
    parser.add_argument("--only", nargs="*", default=[], help="files whose path holds one of these words")
    parser.add_argument("--since", default="", help="only lines that changed since this commit")
    parser.add_argument("--mutants", type=int, help="so many, chosen by the seed; otherwise 200, or with --tags all")
    parser.add_argument("--again", default="", help="only the mutants that this file lists, as --out writes it")
    parser.add_argument("--unmet", action="store_true", help="only list the mutants that no test meets")
    parser.add_argument("--tags", default="", help="only with the tests in C++ that have one of these tags: '[kai],[sequence]'")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="so many mutants at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="")
    parser.add_argument("--work", default="", help="a folder for what is compiled, to be used again")
    options = parser.parse_args()
    for each in signal.SIGINT, signal.SIGTERM:
        signal.signal(each, end_with_tests)
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = options.work or scratch
        os.makedirs(scratch, exist_ok=True)
        build, objects, sites = Build(os.path.abspath(options.build), scratch), [], []
        # Numbers do not depend on what else is chosen, so that what is compiled can be used again.
        every, together = all_files(options.below), collections.defaultdict(list)
        units = sorted({unit_of(path) for path in every})
        for path in chosen_files(every, options, rng):
            together[unit_of(path)].append(path)
        for name, paths in together.items():
            made = marked(build, paths, name, units.index(name) * NUMBERS, sites)
            print(f"{name}: " + (f"{sum(s.path in paths for s in sites)} mutants in {len(paths)} files" if made else "cannot be marked"), flush=True)
            objects += [made] if made else []
        if options.since and not sites:
            print(f"nothing to break has changed since {options.since}")
            return 0
        if any(s.number >= (units.index(unit_of(s.path)) + 1) * NUMBERS for s in sites) or len(units) * NUMBERS > 1 << 18:
            sys.exit("too many mutants for their numbers: a smaller --below is needed")
        built, said = build.compile("meetings", '#include "listener.cpp"\n')
        if built is None:
            sys.exit(said)
        pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        program = None
        if not options.tags:
            ending, said = build.compile("end", '#include "at_exit.cpp"\n')
            if ending is None:
                sys.exit(said)
            program = build.link(objects + [ending], "previct", "-Wl,--wrap=_exit,--wrap=_Exit")
        meetings = Meetings(build.link(objects + [built], "tests/unit_tests"), program, scratch, options.seed, parts_of(options.tags))
        if failed := meetings.learn(pool):
            print(f"without any mutant, tests fail: {', '.join(failed)}")
            return 2
        print(f"{sum(meetings.seconds.values()):.0f} s of the processor for the tests", flush=True)
        known = equivalent()
        sample = [s for s in sites if name_of(s) not in known]
        left_out = len(sites) - len(sample)
        if options.since:
            changed = changed_lines(options.since)
            sample = [s for s in sample if changed[short(s.path)] & set(range(s.line, s.line + s.text.count("\n") + 1))]
        if options.unmet:
            counts = collections.defaultdict(collections.Counter)
            for s in sample:
                folder = counts[short(os.path.dirname(s.path))]
                folder["sites"] += 1
                if not meetings.met(s.number):
                    folder["unmet"] += 1
                    print(f"{short(s.path)}:{s.line}: {s.kind}: {' '.join(s.text.split())}")
                elif not meetings.cases[s.number] and not meetings.names[s.number]:
                    folder["program"] += 1
            for folder, c in sorted(counts.items()):
                print(f"{folder}: {c['unmet']} of {c['sites']} mutants are met by no test, {c['program']} only by tests of the program")
            return 0
        if options.again:
            with open(options.again) as file:
                listed = {tuple(line.split(": ")[:2]) for line in file}
            sample = [s for s in sample if (f"{short(s.path)}:{s.line}", s.kind) in listed]
        most = options.mutants or (len(sample) if options.tags else 200)
        if not options.again and len(sample) > most:
            sample = sorted(rng.sample(sample, most), key=lambda s: s.number)
        counts, survivors = collections.defaultdict(collections.Counter), []

        def group_of(site):
            return short(site.path if options.tags else os.path.dirname(site.path))
        for site in sites:
            counts[group_of(site)]["sites"] += 1
        for count, (site, by) in enumerate(zip(sample, pool.map(lambda site: meetings.kill(site.number), sample))):
            group = counts[group_of(site)]
            group["tried"] += 1
            if by:
                group[by] += 1
            else:
                met = f"survives {len(meetings.cases[site.number])} cases, {len(meetings.names[site.number])} tests"
                survivors.append(f"{short(site.path)}:{site.line}: {site.kind}: {met}: {' '.join(site.text.split())}")
                print(survivors[-1], flush=True)
            if count % 20 == 19:
                print(f"… {count + 1} of {len(sample)}, {len(survivors)} survive", flush=True)
            if options.out:
                with open(options.out, "w") as file:
                    file.writelines(line + "\n" for line in survivors)
        for group, c in sorted(counts.items()):
            print(f"{group}: {c['sites']} places, {c['tried']} tried, killed by cases of the real schedulers {c['case']}, by other tests {c['test']}, by tests of the program {c['program']}")
        print(f"{len(sample) - len(survivors)} of {len(sample)} mutants killed (of {len(sites)}; {left_out} equivalent), seed {options.seed}")
        return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
