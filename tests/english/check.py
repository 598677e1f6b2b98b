#!/usr/bin/env python3
"""Counts the words of docs/style.md's table in comments and test names; fails if there are more than the page allows."""

import argparse
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALLOWED = 100


def words():
    """The first column of the table: words and phrases that comments and test names do not use."""
    page = (ROOT / "docs/style.md").read_text()
    table = page.split("| Word | Use instead |")[1].split("\n\n")[0]
    cells = [row.split("|")[1] for row in table.splitlines()[2:]]
    phrases = [phrase.strip() for cell in cells for phrase in cell.split(",")]
    return re.compile(r"\b(" + "|".join(re.escape(phrase) for phrase in phrases) + r")\b", re.IGNORECASE)


def texts(path):
    """Comments and test names of a source file, each with its line."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        comment = re.search(r"(?:^|\s)//+<?\s?(.*)", line)
        if comment:
            yield number, comment.group(1)
        name = re.match(r'(?:TEST_CASE|SECTION)\("((?:[^"\\]|\\.)*)"', line.strip())
        if name:
            yield number, name.group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", default=["src", "cli", "tests"])
    parser.add_argument("--list", action="store_true", help="print each place")
    arguments = parser.parse_args()
    pattern, counts = words(), collections.Counter()
    for folder in arguments.folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".def", ".inc"):
                continue
            for number, text in texts(path):
                for word in pattern.findall(text):
                    counts[word.lower()] += 1
                    if arguments.list:
                        print(f"{path.relative_to(ROOT)}:{number}: {word}: {text}")
    total = sum(counts.values())
    print(f"{total} words of docs/style.md's table in comments and test names ({ALLOWED} are allowed):",
          ", ".join(f"{word} {count}" for word, count in counts.most_common()))
    return total > ALLOWED


if __name__ == "__main__":
    sys.exit(main())
