#!/usr/bin/env python3
"""Which rule of an engine could be broken without a test noticing? `make mutants`.

    mutate.py [--build build/dev] [--files N | --only WORD…] [--mutants N] [--seed S] [--tests TAGS] [--out FILE]

Marks in source files below src/engine the places where they can be broken, compiles each file once with all its mutants
(tests/mutants/mutants.h), links the tests once, and runs them for one mutant after the other, up to the first test that
fails. The environment tells which mutant is alive: to break a hundred rules costs no more to build than one.

Kinds: a condition is always or never true (`always`, `never`), a part of one does not count (`ignored`), a comparison
takes in its bound or leaves it out, an equality is turned round (`compare`), plus and minus are exchanged (`add`), the
smaller one is the larger one (`extreme`), a statement is left out (`dropped`).

Mutants that no test reaches count as survivors, and need no run. Prints for each folder how many were killed; writes the
survivors with their places to --out. Equivalent mutants are listed in tests/mutants/equivalent.txt (`FILE: LINE's text: KIND`).
"""
import argparse, collections, json, os, random, re, shlex, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.dirname(os.path.abspath(__file__))
KEYWORDS = ("return", "const", "auto", "using", "static", "constexpr", "case", "else", "for", "while", "if", "throw", "typename",
            "template", "struct", "class", "PREVICT_", "namespace", "friend", "public", "private", "default", "delete", "enum")
OPERATOR = re.compile(r" (<|<=|>|>=|==|!=|\+|-) (?=[\w(*!&\"'-])")
STATEMENT = re.compile(r"^(\s*)((?:\+\+|--)?\*?[a-z_][\w.:>\[\]()*-]*?(?:\(|\+\+|--|\s[+\-|&*/]?=\s).*|break|continue);$")


class Site:
    def __init__(self, path, line, kind, text):
        self.path, self.line, self.kind, self.text = path, line, kind, text.strip()
        self.number = None


def end_of(text, start):
    """Behind the bracket that closes the one at `start`; None if it does not within the text."""
    depth, quote, i = 0, "", start
    while i < len(text):
        c = text[i]
        if quote:
            if c == "\\":
                i += 1
            elif c == quote:
                quote = ""
        elif c in "\"'":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return None


def parts(text):
    """The operands of && or || at the top of an expression, and which; one operand if it is neither or both."""
    found, depth, quote, begin, i, operators = [], 0, "", 0, 0, set()
    while i < len(text):
        c = text[i]
        if quote:
            if c == "\\":
                i += 1
            elif c == quote:
                quote = ""
        elif c in "\"'":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif depth == 0 and text[i:i + 2] in ("&&", "||"):
            found.append(text[begin:i])
            operators.add(text[i:i + 2])
            begin = i + 2
            i += 1
        elif depth == 0 and c in "?;":
            return [text], None
        i += 1
    found.append(text[begin:])
    return (found, operators.pop()) if len(operators) == 1 else ([text], None)


class File:
    """One source with its sites. Statements and conditions are taken from whole lines; what they span is joined first."""

    def __init__(self, path, text):
        self.path, self.sites, self.out = path, [], []
        self.text = text

    def site(self, line, kind, text, skip):
        site = Site(self.path, line, kind, text)
        key = (line, kind, sum(1 for s in self.sites if s.line == line and s.kind == kind))
        self.sites.append(site)
        site.key = key
        return None if key in skip else site

    def mark(self, numbered, skip):
        """The text with its sites marked; `numbered` gives a site its number, `skip` are sites that do not compile."""
        self.sites = []
        lines, out, i = self.text.split("\n"), [], 0
        before = "{"
        while i < len(lines):
            line, first = lines[i], i + 1
            code = line.strip()
            if not code or code.startswith(("//", "#", "///")) or "R\"" in line or "static_assert" in line or "constexpr" in line:
                out.append(line)
                i += 1
                continue
            opening = re.match(r"^(\s*(?:\} else )?if (?:constexpr )?)\(", line)
            if (opening or code.startswith("return ")) and "constexpr" not in line:
                while i + 1 < len(lines) and (end_of(line, opening.end() - 1) is None if opening else not line.rstrip().endswith((";", "{"))):
                    i += 1
                    line += "\n" + lines[i]
            comment = line.find("  // ")
            tail = ""
            if comment >= 0 and "\n" not in line:
                line, tail = line[:comment], line[comment:]
            out.append(self.marked(line, first, opening, before, numbered, skip) + tail)
            before = line.rstrip()[-1:] if line.strip() else before
            i += 1
        return "\n".join(out)

    def conjuncts(self, expression, first, numbered, skip):
        found, operator = parts(expression)
        if operator is None:
            return self.operators(expression, first, numbered, skip)
        marked = []
        for part in found:
            site = self.site(first, "ignored", part, skip)
            inner = self.operators(part, first, numbered, skip)
            if site is None or "[" in part and "](" in part and "\n" in part:
                marked.append(inner)
            else:
                mutant = f"previct::mutants::on({numbered(site)})"
                lead = re.match(r"\s*", inner).group(0)
                marked.append(f"{lead}({mutant} || ({inner.strip()})) " if operator == "&&" else
                              f"{lead}(!{mutant} && ({inner.strip()})) ")
        return operator.join(marked)

    def operators(self, text, first, numbered, skip):
        def with_site(match):
            line = first + text.count("\n", 0, match.start())
            kind = "add" if match.group(1) in "+-" else "compare"
            site = self.site(line, kind, text.split("\n")[line - first], skip)
            if site is None:
                return match.group(0)
            return f" {match.group(1)} previct::mutants::Operator<{numbered(site)}>() {match.group(1)} "
        text = OPERATOR.sub(with_site, text)
        def extreme(match):
            site = self.site(first, "extreme", text, skip)
            if site is None:
                return match.group(0)
            other = "max" if match.group(1) == "min" else "min"
            return f"[&](const auto&... x) {{ return previct::mutants::on({numbered(site)}) ? std::{other}(x...) : std::{match.group(1)}(x...); }}("
        return re.sub(r"std::(min|max)\(", extreme, text)

    def marked(self, line, first, opening, before, numbered, skip):
        if opening and "constexpr" not in opening.group(1):
            end = end_of(line, opening.end() - 1)
            if end is None:
                return line
            condition, rest = line[opening.end():end - 1], line[end:]
            initial = ""
            if ";" in condition and parts(condition) == ([condition], None):
                at = condition.rfind(";") + 1
                initial, condition = condition[:at], condition[at:]
            if re.match(r"^\s*(const )?(auto|[\w:<>]+)[&*\s]+\w+ = ", condition):
                return line
            always, never = self.site(first, "always", line, skip), self.site(first, "never", line, skip)
            inner = self.conjuncts(condition, first, numbered, skip)
            if never is not None:
                inner = f"!previct::mutants::on({numbered(never)}) && ({inner})"
            if always is not None:
                inner = f"previct::mutants::on({numbered(always)}) || ({inner})"
            tail = rest.strip()
            if tail and tail.endswith(";"):
                rest = " " + self.statement(tail, first, numbered, skip)
            return f"{opening.group(1)}({initial} {inner}){rest}"
        if line.strip().startswith("return "):
            head = re.match(r"^\s*return ", line).group(0)
            if "{" in line or "[" in line and "](" in line:
                return head + self.operators(line[len(head):], first, numbered, skip)
            body = line[len(head):].rstrip()
            if body.endswith(";"):
                return head + self.conjuncts(body[:-1], first, numbered, skip) + ";"
            return line
        if "\n" not in line and before in ("{", "}", ";", ":", "") or before == ")":
            changed = self.statement(line, first, numbered, skip)
            if changed != line:
                return changed
        return self.operators(line, first, numbered, skip)

    def statement(self, line, first, numbered, skip):
        match = STATEMENT.match(line)
        word = re.match(r"\s*([\w:]*)", line).group(1)
        if not match or word.startswith(KEYWORDS) or end_of("(" + line + ")", 0) is None:
            return line
        site = self.site(first, "dropped", line, skip)
        return line if site is None else f"{match.group(1)}if (!previct::mutants::on({numbered(site)})) {match.group(2)};"


class Build:
    def __init__(self, folder, scratch):
        self.folder, self.scratch = folder, scratch
        with open(os.path.join(folder, "compile_commands.json")) as file:
            commands = [c["command"] for c in json.load(file)]
        # Of any file of the library: where several are compiled together, a single one has none of its own.
        self.words = next(shlex.split(c) for c in commands if "/previct_lib.dir/" in c and "/registry/" not in c and "c++-header" not in c)

    def compile(self, source, text, name):
        """(object, lines of errors)"""
        path, made = os.path.join(self.scratch, name + ".cpp"), os.path.join(self.scratch, name + ".o")
        relative = os.path.relpath(source, self.folder)
        whole = f'#include "{os.path.join(HERE, "mutants.h")}"\n#line 1 "{source}"\n{text}'
        if os.path.exists(made):
            with open(path) as file:
                if file.read() == whole:
                    return made, set()
            os.remove(made)
        with open(path, "w") as file:
            file.write(whole)
        words = list(self.words)
        if os.path.basename(words[0]) == "ccache":
            words = words[1:]
        words[words.index("-o") + 1] = made
        words = [w for w in words if not w.startswith(("-W", "-g", "-M"))]
        words[words.index("-c") + 1] = path
        done = subprocess.run(words + ["-w", "-g0", "-fmax-errors=0", "-I", os.path.dirname(source)], cwd=self.folder, capture_output=True, text=True)
        if done.returncode == 0:
            return made, set()
        here = re.escape(os.path.basename(source))
        return None, {int(n) for n in re.findall(here + r":(\d+):\d+:\s+(?:error|fatal error|required)", done.stderr)}

    def link(self, objects):
        target = subprocess.run(["ninja", "-t", "commands", "tests/unit_tests"], cwd=self.folder, capture_output=True, text=True, check=True)
        words = shlex.split(target.stdout.strip().split("\n")[-1].split("&&")[1])
        made = os.path.join(self.scratch, "unit_tests")
        words[words.index("-o") + 1] = made
        words = [w for w in words if not w.endswith(".o") or os.path.exists(os.path.join(self.folder, w))]
        at = words.index("libprevict_lib.a")
        # A file that was compiled together with others comes a second time, with these.
        subprocess.run(words[:at] + ["-Wl,--allow-multiple-definition"] + objects + words[at:], cwd=self.folder, check=True)
        return made


def equivalent():
    path = os.path.join(HERE, "equivalent.txt")
    if not os.path.exists(path):
        return set()
    with open(path) as file:
        return {line.split("#")[0].strip() for line in file if line.strip() and not line.startswith("#")}


def name_of(site):
    return f"{os.path.relpath(site.path, ROOT)}: {site.text.splitlines()[0].strip()}: {site.kind}"


def run(tests, tags, seconds, **environment):
    started = time.time()
    try:
        done = subprocess.run([tests, "-#", "--abort", *tags], capture_output=True, timeout=seconds, cwd=ROOT,
                              env={**os.environ, **environment})
        return done.returncode, time.time() - started
    except subprocess.TimeoutExpired:
        return "hangs", time.time() - started


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "dev"))
    parser.add_argument("--files", type=int, default=12, help="so many files, chosen by the seed")
    parser.add_argument("--only", nargs="*", default=[], help="files whose path holds one of these words")
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", nargs="*", default=["[golden]", "~[golden]~[transcript]~[manual]~[packages]~[layering]~[#prefixes_test]~[#fast_load_test]~[#parallel_load_test]"], help="runs of the tests, the quickest first")
    parser.add_argument("--out", default="")
    parser.add_argument("--work", default="", help="a folder for what is compiled, to be used again")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    every = sorted(os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(ROOT, "src", "engine")) for name in names
                   if name.endswith(".cpp") and not any(w in name for w in ("words", "config", "gaps", "assumptions", "rules.cpp")))
    chosen = [p for p in every if any(w in p for w in options.only)] if options.only else sorted(rng.sample(every, options.files))
    with tempfile.TemporaryDirectory() as scratch:
        if options.work:
            os.makedirs(options.work, exist_ok=True)
        build, numbers, objects, sites = Build(os.path.abspath(options.build), options.work or scratch), [0], [], []
        for path in chosen:
            with open(path) as source:
                text = source.read()
            skip, base = set(), numbers[0]
            for _ in range(8):
                numbers[0] = base
                file = File(path, text)
                def numbered(site):
                    site.number = numbers[0]
                    numbers[0] += 1
                    return site.number
                marked = file.mark(numbered, skip)
                made, wrong = build.compile(path, marked, re.sub(r"\W", "_", os.path.relpath(path, ROOT)))
                if made:
                    break
                bad = {s.key for s in file.sites if any(s.line <= n <= s.line + s.text.count("\n") + 1 for n in wrong)}
                skip |= bad if bad - skip else {s.key for s in file.sites}
            if made is None:
                print(f"cannot be marked: {path}", flush=True)
                numbers[0] = base
                continue
            here = [s for s in file.sites if s.number is not None]
            print(f"{os.path.relpath(path, ROOT)}: {len(here)} mutants", flush=True)
            objects.append(made)
            sites += here
        tests = build.link(objects)
        seen_file = os.path.join(scratch, "seen")
        reached, length = set(), {}
        for tags in options.tests:
            status, length[tags] = run(tests, [tags], 3600, PREVICT_MUTANTS_SEEN=seen_file)
            if status != 0:
                print(f"without any mutant, the tests {tags} fail")
                return 2
            with open(seen_file) as file:
                reached |= {int(n) for n in file}
        known = equivalent()
        sample = [s for s in sites if name_of(s) not in known]
        left_out = len(sites) - len(sample)
        if len(sample) > options.mutants:
            sample = sorted(rng.sample(sample, options.mutants), key=lambda s: s.number)
        killed, survivors = collections.Counter(), []
        total = collections.Counter()
        for count, site in enumerate(sample):
            folder = os.path.relpath(os.path.dirname(site.path), os.path.join(ROOT, "src", "engine"))
            total[folder] += 1
            dead = False
            if site.number in reached:
                for tags in options.tests:
                    status, _ = run(tests, [tags], 60 + 10 * length[tags], PREVICT_MUTANT=str(site.number))
                    if status != 0:
                        dead = True
                        break
            if dead:
                killed[folder] += 1
            else:
                how = "survives" if site.number in reached else "is not reached"
                survivors.append(f"{os.path.relpath(site.path, ROOT)}:{site.line}: {site.kind} {how}: {site.text}")
                print(survivors[-1], flush=True)
            if count % 20 == 19:
                print(f"… {count + 1} of {len(sample)}, {sum(killed.values())} killed", flush=True)
        for folder in sorted(total):
            print(f"{folder}: {killed[folder]} of {total[folder]} killed")
        print(f"{sum(killed.values())} of {len(sample)} mutants killed (of {len(sites)}; {left_out} equivalent), seed {options.seed}")
        if options.out:
            with open(options.out, "w") as file:
                file.write("\n".join(survivors) + "\n")
        return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
