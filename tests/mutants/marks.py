"""The places of a source file at which tests/mutants/mutate.py can break it."""
import re

KEYWORDS = ("return", "const", "auto", "using", "static", "constexpr", "case", "else", "for", "while", "if", "throw", "typename",
            "template", "struct", "class", "decltype", "PREVICT_", "namespace", "friend", "public", "private", "default", "delete", "enum")
OPERATOR = re.compile(r" (<|<=|>|>=|==|!=|\+|-) (?=[\w(*!&\"'-])")
STATEMENT = re.compile(r"^(\s*)((?:\+\+|--)?\*?[a-z_][\w.:>\[\]()*-]*?(?:\(|\+\+|--|\s[+\-|&*/]?=\s).*|break|continue);$")


class Site:
    """`kind` tells several of one kind in a line apart: compare, compare.1, …"""

    def __init__(self, path, line, kind, text):
        self.path, self.line, self.kind, self.text = path, line, kind, text.strip()
        self.number = None

    def key(self):
        return self.path, self.line, self.kind


def outside_literals(text, start=0):
    """The characters that are no part of a literal: where, which, and how deep in brackets."""
    depth, quote, i = 0, "", start
    while i < len(text):
        c = text[i]
        if quote:
            i += c == "\\"
            quote = "" if c == quote else quote
        elif c == '"' or c == "'" and not text[i - 1:i].isalnum():  # not the ' within 1'000
            quote = c
        else:
            depth += (c in "([{") - (c in ")]}")
            yield i, c, depth
        i += 1


def end_of(text, start):
    """Behind the bracket that closes the one at `start`; None if it does not within the text."""
    return next((i + 1 for i, c, depth in outside_literals(text, start) if c in ")]}" and depth == 0), None)


def parts(text):
    """The operands of && or || at the top of an expression, and which; one operand if it is neither or both."""
    found, begin, operators = [], 0, set()
    for i, c, depth in outside_literals(text):
        if depth == 0 and i >= begin and text[i:i + 2] in ("&&", "||"):
            found.append(text[begin:i])
            operators.add(text[i:i + 2])
            begin = i + 2
        elif depth == 0 and c in "?;":
            return [text], None
    found.append(text[begin:])
    return (found, operators.pop()) if len(operators) == 1 else ([text], None)


def quoted(text, at):
    """Does this place lie in a literal?"""
    quote, i = "", 0
    while i < at:
        if quote and text[i] == "\\":
            i += 1
        elif quote and text[i] == quote:
            quote = ""
        elif not quote and text[i] == '"':
            quote = text[i]
        i += 1
    return bool(quote)


class File:
    """One source with its sites. Statements and conditions are taken from whole lines; what they span is joined first."""

    def __init__(self, path, text):
        self.path, self.sites, self.out = path, [], []
        self.text = text

    def site(self, line, kind, text, skip):
        before = sum(1 for s in self.sites if s.line == line and s.kind.split(".")[0] == kind)
        site = Site(self.path, line, f"{kind}.{before}" if before else kind, text)
        self.sites.append(site)
        return None if site.key() in skip else site

    def mark(self, numbered, skip):
        """The text with its sites marked; `numbered` gives a site its number, `skip` are sites that do not compile."""
        self.sites = []
        lines, out, i = self.text.split("\n"), [], 0
        before, raw = "{", False
        while i < len(lines):
            line, first = lines[i], i + 1
            code = line.strip()
            if "R\"" in line and ")\"" not in line.split("R\"", 1)[1]:
                raw = True
            if raw:
                raw = ")\"" not in line or "R\"" in line.split(")\"")[-1]
                out.append(line)
                i += 1
                continue
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
            if quoted(text, match.start()):
                return match.group(0)
            line = first + text.count("\n", 0, match.start())
            # Texts are put together, too: nothing else can be done with them.
            if match.group(1) == "+" and ("\"" in text or "to_string" in text or "std::string" in text):
                return match.group(0)
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
            at = max((i + 1 for i, c, depth in outside_literals(condition) if c == ";" and depth == 0), default=0)
            initial, condition = condition[:at], condition[at:]
            if re.match(r"^\s*(const )?(auto|[\w:<>]+)[&*\s]+(const )?\w+ = ", condition):
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
