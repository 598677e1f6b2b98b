#include "report/text_layout.h"

#include <catch2/catch.hpp>

using namespace previct;

namespace {

auto pods() -> Table {
  return {{{.head = "VICTIM"},
           {.head = "PRIORITY", .numeric = true},
           {.head = "RULE", .only_wide = true},
           {.head = "CLASS", .optional = true},
           {.head = "WHY IT GOES"}},
          {{{"ml/nightly-eval-7f9c4", Tone::danger}, {"8000"}, {"r1"}, {"low"}, {"lower priority, no toleration"}},
           {{"batch/resize", Tone::danger}, {"-5"}, {"r2"}, {"low-10min"}, {"toleration ended 22:36:55, 4m12s ago"}}},
          {}};
}

auto shown(const Block& block, const Style& style, bool wide = false) -> std::string {
  return text_of(Report{{block}, {}, {}}, style, wide);
}

}  // namespace

TEST_CASE("text layout: a table looks like kubectl's") {
  CHECK(shown(pods(), {}) ==
        "VICTIM                  PRIORITY   CLASS       WHY IT GOES\n"
        "ml/nightly-eval-7f9c4       8000   low         lower priority, no toleration\n"
        "batch/resize                  -5   low-10min   toleration ended 22:36:55, 4m12s ago\n");
}

TEST_CASE("text layout: heads are escaped like other input, in tables and records") {
  const Table table{{{"WHO"}, {"a\x1b[31m\nb"}}, {{{"low"}, {"1"}}}, {}};
  CHECK(shown(table, {}) == "WHO   a\\x1b[31m\\nb\nlow   1\n");
  CHECK(shown(Table{{{"\x1b"}, {"\n"}, {"N"}}, {{{std::string(30, 'x')}, {"1"}, {"2"}}}, {}}, {.width = 30}) ==
        "\\x1b\n  \\n   N\n" + std::string(30, 'x') + "\n  1    2\n");
}

TEST_CASE("text layout: a manifest is unchanged on a narrow page") {
  const Paragraph manifest{"BAD", {Line{{{"kind: A of a kind"}}}, Line{{{"  name:   one two three four"}}}}};
  CHECK(shown(manifest, {.width = 12}) == "BAD\n  kind: A of a kind\n    name:   one two three four\n");
}

TEST_CASE("text layout: wide adds columns, never lines") {
  CHECK(shown(pods(), {.heads = false}, true) ==
        "ml/nightly-eval-7f9c4   8000   r1   low         lower priority, no toleration\n"
        "batch/resize              -5   r2   low-10min   toleration ended 22:36:55, 4m12s ago\n");
}

TEST_CASE("text layout: a narrow terminal omits optional columns first") {
  CHECK(shown(pods(), {.width = 75}) ==
        "VICTIM                  PRIORITY   WHY IT GOES\n"
        "ml/nightly-eval-7f9c4       8000   lower priority, no toleration\n"
        "batch/resize                  -5   toleration ended 22:36:55, 4m12s ago\n"
        "columns hidden: CLASS (--width 0 shows all)\n");
}

TEST_CASE("text layout: empty columns are omitted first, silently") {
  const Table table{{{"POD"}, {.head = "SOURCE", .optional = true}, {.head = "NODE", .optional = true}},
                    {{{"a"}, {"-"}, {"n1"}}, {{"b"}, {""}, {"n2"}}},
                    {}};
  CHECK(shown(table, {.width = 12}) == "POD   NODE\na     n1\nb     n2\n");
}

TEST_CASE("text layout: then the last column is wrapped") {
  CHECK(shown(pods(), {.width = 62}) ==
        "VICTIM                  PRIORITY   WHY IT GOES\n"
        "ml/nightly-eval-7f9c4       8000   lower priority, no\n"
        "                                   toleration\n"
        "batch/resize                  -5   toleration ended 22:36:55,\n"
        "                                   4m12s ago\n"
        "columns hidden: CLASS (--width 0 shows all)\n");
}

TEST_CASE("text layout: then long names get their own lines, with the rest of the table below") {
  CHECK(shown(pods(), {.width = 42}) ==
        "VICTIM\n"
        "  PRIORITY   WHY IT GOES\n"
        "ml/nightly-eval-7f9c4\n"
        "      8000   lower priority, no toleration\n"
        "batch/resize\n"
        "        -5   toleration ended 22:36:55,\n"
        "             4m12s ago\n"
        "columns hidden: CLASS (--width 0 shows\n"
        "all)\n");
}

TEST_CASE("text layout: if that is too wide, a table is one block per record") {
  CHECK(shown(pods(), {.width = 26}) ==
        "VICTIM\n"
        "ml/nightly-eval-7f9c4\n"
        "  priority     8000\n"
        "  class        low\n"
        "  why it goes  lower\n"
        "               priority,\n"
        "               no\n"
        "               toleration\n"
        "batch/resize\n"
        "  priority     -5\n"
        "  class        low-10min\n"
        "  why it goes  toleration\n"
        "               ended\n"
        "               22:36:55,\n"
        "               4m12s ago\n");
}

TEST_CASE("text layout: a sentence in the middle is wrapped, and heads stay above their columns") {
  const Table table{
      {{"ACTION"}, {"WHAT IT FOUND HERE"}, {.head = "N", .numeric = true}},
      {{{"reclaim"}, {"one two three four five six seven eight nine"}, {"12"}}, {{"allocate"}, {"no"}, {"3"}}},
      {}};
  // 40 columns: 8 + 3 + 24 + 3 + 2.
  CHECK(shown(table, {.width = 40}) ==
        "ACTION     WHAT IT FOUND HERE          N\n"
        "reclaim    one two three four five    12\n"
        "           six seven eight nine\n"
        "allocate   no                          3\n");
}

TEST_CASE("text layout: a wide matrix is split, each part with the first column") {
  const Table table{{{"BY"},
                     {.head = "aaaaaaaa", .numeric = true},
                     {.head = "bbbbbbbb", .numeric = true},
                     {.head = "cc", .numeric = true}},
                    {{{"x"}, {"1"}, {"2"}, {"3"}}},
                    {}};
  CHECK(shown(table, {.width = 20}) == "BY   aaaaaaaa\nx           1\n\nBY   bbbbbbbb   cc\nx           2    3\n");
}

TEST_CASE("text layout: a table that fits stays a table, however narrow the terminal") {
  const Table small{{{"A"}, {"B"}}, {{{"1"}, {"2"}}}, {}};
  CHECK(shown(small, {.width = 20}) == "A   B\n1   2\n");
}

TEST_CASE("text layout: text breaks at blanks, never inside a word or before its period") {
  const Line line{{{"ml/train-big-0 (high, 9000)", Tone::verdict}, {" would preempt 2 pods on node gpu-2"}, {"."}}};
  CHECK(shown(line, {.width = 30}) ==
        "ml/train-big-0 (high, 9000)\n"
        "would preempt 2 pods on node\n"
        "gpu-2.\n");
  CHECK(shown(line, {}) == "ml/train-big-0 (high, 9000) would preempt 2 pods on node gpu-2.\n");
}

TEST_CASE("text layout: indented text stays indented after a break") {
  CHECK(shown(Line{{{"  = mend: one two three"}}}, {.width = 16}) == "  = mend: one\n  two three\n");
  const Paragraph paragraph{"", {Line{{{"    because     one two three"}}}}, true};
  CHECK(shown(paragraph, {.width = 24}) == "    because     one two\n                three\n");
}

TEST_CASE("text layout: a command has its own line, and is never broken") {
  const Paragraph steps{
      "NEXT STEPS", {Line{{{"find changes that let it in: ", Tone::dim}, {"previct fit -f a.yaml ml/b", Tone::code}}}}};
  const std::string text = "NEXT STEPS\n  find changes that let it in:\n    previct fit -f a.yaml ml/b\n";
  CHECK(shown(steps, {}) == text);
  CHECK(shown(steps, {.width = 30}) == text);
}

TEST_CASE("text layout: colours support words and use no space") {
  const Table table{{{"VICTIM"}, {"UNTIL"}}, {{{"a", Tone::danger}, {"never", Tone::safe}}}, {}};
  CHECK(shown(table, {.color = true}) == "VICTIM   UNTIL\n\x1b[31ma\x1b[0m        \x1b[32mnever\x1b[0m\n");
}

TEST_CASE("text layout: a colour is switched on once for its words") {
  const Line line{{{"assumed: ", Tone::dim}, {"one two three", Tone::dim}, {" four"}}};
  CHECK(shown(line, {.width = 18, .color = true}) == "\x1b[2massumed: one two\x1b[0m\n\x1b[2mthree \x1b[0mfour\n");
}

TEST_CASE("text layout: lines are adjacent, tables and paragraphs are separated") {
  const Table table{{{"A"}}, {{{"1"}}}, {}};
  const Line line{{{"line"}}};
  const Paragraph paragraph{"heading", {line}};
  CHECK(text_of({{line, line, table, line, paragraph}, {}, {}}, {}, false) ==
        "line\nline\n\nA\n1\n\nline\n\nheading\n  line\n");
  CHECK(text_of({{line, Table{{{"A"}}, {}, {}}, line}, {}, {}}, {}, false) == "line\nline\n");
}

TEST_CASE("text layout: no line ends with a blank") {
  const Table table{{{"A"}, {"B"}, {"C"}}, {{{"1"}, {""}, {""}}, {{""}, {""}, {"3"}}}, {}};
  CHECK(shown(table, {}) == "A   B   C\n1\n        3\n");
}

TEST_CASE("text layout: a terminal without UTF-8 gets escapes") {
  CHECK(shown(Line{{{"caf\xc3\xa9 \xf0\x9f\x99\x82"}}}, {.utf8 = false}) == "caf\\u00e9 \\U0001f642\n");
}

TEST_CASE("text layout: if the last column is too narrow for a word, names get their own lines") {
  // 100 columns: 30 + 3 + 30 + 3 leave 34 for the last column, whose longest word has 40.
  const std::string pod(30, 'p');
  const std::string node(30, 'n');
  const std::string word(40, 'w');
  const Table table{{{.head = "POD"}, {.head = "NODE"}, {.head = "WHY"}}, {{{pod}, {node}, {"for " + word}}}, {}};
  CHECK(shown(table, {.width = 100}) ==
        "POD\n  NODE                             WHY\n" + pod + "\n  " + node + "   for " + word + "\n");
  // If it fits without wrapping, nothing changes.
  CHECK(shown(table, {.width = 0}).find(pod + "   " + node + "   for " + word) != std::string::npos);
}
