#include "base/text.h"
#include "report/format.h"
#include "report/json_text.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace previct;

namespace {

// Input that could harm the reader of the answer.
const std::vector<std::string> kHostile = {"\x1b[31mred\x1b[0m",
                                           "\x1b]8;;http://x\x07link\x1b]8;;\x07",
                                           "a\nb",
                                           "a\rb",
                                           "a\tb",
                                           std::string("a\0b", 3),
                                           "\xc2\x9b"
                                           "31m",
                                           "\x7f",
                                           "\xe2\x80\xae"
                                           "evil",
                                           "\xe2\x81\xa6iso",
                                           "zero\xe2\x80\x8bwidth",
                                           "\xef\xbb\xbf"
                                           "bom",
                                           "\xff\xfe broken",
                                           "\xc0\xaf overlong",
                                           "\xed\xa0\x80 surrogate",
                                           "::error::x",
                                           "a\n::error file=x::y",
                                           "]]>",
                                           "<script>alert(1)</script>",
                                           "\"quoted\" \\ 'single'",
                                           "- a: [b, {c}] # d",
                                           "no",
                                           "null",
                                           "0x10",
                                           "2026-01-01",
                                           "&anchor *alias !!tag",
                                           " leading and trailing ",
                                           "",
                                           "\xf3\xa0\x80\xa1tag"};

auto hostile_report(const std::string& text) -> Report {
  Report report;
  report.blocks.emplace_back(Line{{{text, Tone::danger}, {text}}});
  report.blocks.emplace_back(Table{{{text}, {.head = "N", .numeric = true, .optional = true}, {"LAST"}},
                                   {{{text, Tone::safe}, {text}, {text + " " + text}}},
                                   {Line{{{text}}}}});
  report.blocks.emplace_back(Paragraph{text, {Line{{{text}}}}});
  report.blocks.emplace_back(Paragraph{text, {Line{{{text}}}, Line{{{"  ```" + text}}}}});
  report.data = {{"name", text}, {text.empty() ? "key" : text, 1}, {"list", {text, {{"in", text}}}}};
  report.names = {text};
  const TextRange place{text, 1, 2, 1, 4};
  Finding finding{.rule = "PT001",
                  .message = text,
                  .place = place,
                  .excerpt = {1, text, 0, text.size(), text},
                  .notes = {text},
                  .object = text,
                  .fingerprint = text,
                  .related = {{place, text}},
                  .fixes = {{text, {{place, text}}}}};
  report.blocks.emplace_back(finding.excerpt);
  report.findings.emplace();
  report.findings->rules = {{.id = "PT001", .title = text, .why = text, .how_to_fix = text, .bad = text}};
  report.findings->items = {finding, finding};
  report.findings->items.back().suppression = Suppression{true, text, place};
  report.tests = {
      {text,
       text,
       {{text, TestCase::Status::failed, text, escaped(text), place}, {text, TestCase::Status::passed, {}, {}, {}}}}};
  return report;
}

// Removes the colours that the text formats themselves write.
auto without_colors(std::string text) -> std::string {
  for (const char* code : {"\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[1m", "\x1b[2m", "\x1b[0m"}) {
    for (std::size_t at = 0; (at = text.find(code, at)) != std::string::npos;) text.erase(at, std::string(code).size());
  }
  return text;
}

// Returns true if escaping changes nothing except line ends, so the text has no hidden or active parts.
auto harmless(std::string text) -> bool {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return escaped(text) == text;
}

}  // namespace

TEST_CASE("formats: no format prints input raw") {
  for (const std::string& text : kHostile) {
    const Report report = hostile_report(text);
    for (const Format* format : formats()) {
      for (const std::size_t width : {0U, 30U, 70U}) {
        for (const bool color : {false, true}) {
          const std::string out =
              format->render(report, {.width = width, .color = color, .pictures = color, .excerpts = color});
          INFO(format->name << ' ' << width << ' ' << escaped(text));
          CHECK(harmless(color ? without_colors(out) : out));
          CHECK(out.find("\n::error file=x::y") == std::string::npos);
        }
      }
    }
  }
}

TEST_CASE("formats: JSON keeps all text that it can, and stays JSON") {
  CHECK(json_text("a\x1b\x7f\xc2\x9b\xe2\x80\xae\xff", -1) == R"("a\u001b\u007f\u009b\u202e\ufffd")");
  for (const std::string& text : kHostile) {
    const Json read = Json::parse(json_text(hostile_report(text).data, 2));
    CHECK(read.at("list").size() == 2);
    if (escaped(text) == text) CHECK(read.at("name") == text);
  }
}

TEST_CASE("formats: YAML equals JSON") {
  const Json data = {{"apiVersion", "previct/v1alpha1"},
                     {"yes", "no"},
                     {"n", 1},
                     {"ok", true},
                     {"empty", Json::array()},
                     {"none", Json::object()},
                     {"list", {"plain-word", "two words", "1.5", "", {{"a", {{"b", "\x1b"}}}, {"c", {1, 2}}}}}};
  CHECK(find_format("yaml")->render({{}, data, {}}, {}) ==
        "apiVersion: previct/v1alpha1\n"
        "\"yes\": \"no\"\n"
        "\"n\": 1\n"
        "ok: true\n"
        "empty: []\n"
        "none: {}\n"
        "list:\n"
        "- plain-word\n"
        "- \"two words\"\n"
        "- \"1.5\"\n"
        "- \"\"\n"
        "- a:\n"
        "    b: \"\\x1b\"\n"
        "  c:\n"
        "  - 1\n"
        "  - 2\n");
}

TEST_CASE("formats: jsonl prints each item of a list on a line") {
  const Json list = {{"kind", "ExplanationList"}, {"items", {{{"a", 1}}, {{"a", 2}}}}};
  CHECK(find_format("jsonl")->render({{}, list, {}}, {}) == "{\"a\":1}\n{\"a\":2}\n");
  CHECK(find_format("jsonl")->render({{}, {{"a", 1}}, {}}, {}) == "{\"a\":1}\n");
}

TEST_CASE("formats: name prints one name per line") {
  CHECK(find_format("name")->render({{}, {}, {"ml/a", "ml/b"}}, {}) == "ml/a\nml/b\n");
}

TEST_CASE("formats: a workflow sees only the intended commands") {
  for (const std::string& text : kHostile) {
    const std::string out = find_format("github")->render(hostile_report(text), {});
    // A finding, and a failed test.
    CHECK(std::count(out.begin(), out.end(), '\n') == 2);
    for (std::size_t at = 0; at < out.size(); at = out.find('\n', at) + 1) {
      CHECK(out.compare(at, 13, "::error file=") == 0);
      const std::string properties = out.substr(at, out.find("::", at + 2) - at);
      CHECK(std::count(properties.begin(), properties.end(), ',') == 5);
    }
  }
}

TEST_CASE("formats: an annotation has position, rule and message") {
  Report report;
  report.findings = Findings{{{.rule = "PT004",
                               .severity = Severity::warning,
                               .message = "100% gone: a, b",
                               .place = {"./a b.yaml", 3, 5, 3, 9}}},
                             {}};
  CHECK(find_format("github")->render(report, {}) ==
        "::warning file=a b.yaml,line=3,endLine=3,col=5,endColumn=9,title=PT004::100%25 gone: a, b\n");
  report.findings->items.resize(12, report.findings->items.front());
  const std::string many = find_format("github")->render(report, {});
  CHECK(std::count(many.begin(), many.end(), '\n') == 11);
  CHECK(many.ends_with("::notice title=previct::2 more findings not shown\n"));
}

TEST_CASE("formats: JUnit counts cases, and keeps the reasons of skipped ones") {
  Report report;
  report.findings = Findings{
      {{.rule = "PT004", .message = "<bad> & \x01", .place = {"a.yaml", 3, 5, 3, 9}, .object = "PriorityClass a"}},
      {{.id = "PT001", .title = "one"}, {.id = "PT004", .title = "four"}}};
  CHECK(
      find_format("junit")->render(report, {}) ==
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"previct\">\n"
      "  <testsuite name=\"previct lint PT\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0\">\n"
      "    <testcase classname=\"previct lint PT\" name=\"no PT001: one\" time=\"0\"/>\n"
      "    <testcase classname=\"previct lint PT\" name=\"PT004 PriorityClass a\" file=\"a.yaml\" line=\"3\" "
      "time=\"0\">\n"
      "      <failure message=\"&lt;bad&gt; &amp; \\x01\">a.yaml:3:5: error[PT004]: &lt;bad&gt; &amp; \\x01</failure>\n"
      "    </testcase>\n  </testsuite>\n</testsuites>\n");
}

TEST_CASE("formats: JUnit for Jenkins names places only in the text of a failure") {
  // junit-10.xsd of the xUnit plugin allows the attributes name, time, classname and group of a test case.
  Report report;
  report.findings =
      Findings{{{.rule = "PT004", .message = "m", .place = {"a.yaml", 3, 5, 3, 9}, .object = "PriorityClass a"}},
               {{.id = "PT004", .title = "four"}}};
  CHECK(find_format("jenkins")->render(report, {}) ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"previct\">\n"
        "  <testsuite name=\"previct lint PT\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0\">\n"
        "    <testcase classname=\"previct lint PT\" name=\"PT004 PriorityClass a\" time=\"0\">\n"
        "      <failure message=\"m\">a.yaml:3:5: error[PT004]: m</failure>\n"
        "    </testcase>\n  </testsuite>\n</testsuites>\n");
}

TEST_CASE("formats: JUnit gives each case its own name") {
  // GitLab keeps only the first of several cases that have the same name.
  Report report;
  const Finding finding{.rule = "PT004", .message = "m", .object = "PriorityClass a"};
  report.findings = Findings{{finding, finding, finding}, {{.id = "PT004", .title = "four"}}};
  const std::string xml = find_format("junit")->render(report, {});
  for (const char* name :
       {"\"PT004 PriorityClass a\"", "\"PT004 PriorityClass a (2)\"", "\"PT004 PriorityClass a (3)\""})
    CHECK(xml.find(name) != std::string::npos);
}

TEST_CASE("formats: SARIF has relative paths, real regions and stable fingerprints") {
  Report report;
  report.findings = Findings{{{.rule = "PT004",
                               .severity = Severity::info,
                               .message = "m",
                               .place = {"./a b/ä.yaml", 3, 5, 4, 9},
                               .fingerprint = "f",
                               .suppression = Suppression{true, "because", {}}}},
                             {{.id = "PT004", .title = "four"}}};
  const Json run = Json::parse(find_format("sarif")->render(report, {})).at("runs").at(0);
  const Json& result = run.at("results").at(0);
  const Json& physical = result.at("locations").at(0).at("physicalLocation");
  CHECK(physical.at("artifactLocation").at("uri") == "a%20b/%C3%A4.yaml");
  CHECK(physical.at("artifactLocation").at("uriBaseId") == "%SRCROOT%");
  CHECK(physical.at("region") == Json::parse(R"({"startLine":3,"startColumn":5,"endLine":4,"endColumn":9})"));
  CHECK(result.at("level") == "note");
  CHECK(result.at("ruleIndex") == 0);
  CHECK(result.at("partialFingerprints").at("previct/v1") == "f");
  CHECK(result.at("suppressions").at(0).at("kind") == "inSource");
  CHECK(run.at("columnKind") == "unicodeCodePoints");
}

TEST_CASE("formats: Markdown treats no input as markup") {
  Report report;
  report.blocks.emplace_back(Line{{{"a *b* <i> @team [x](http://y) `z`", Tone::plain}}});
  CHECK(find_format("md")->render(report, {}) == "a \\*b\\* &lt;i> @&#8203;team \\[x](http:&#8203;//y) \\`z\\`\n");
  report.blocks = {Table{{{"A"}, {.head = "N", .numeric = true}}, {{{"x|y"}, {"1"}}}, {}}};
  CHECK(find_format("md")->render(report, {}) == "#### A\n\n| A | N |\n| --- | ---: |\n| x\\|y | 1 |\n");
}

TEST_CASE("formats: Markdown escapes only characters that act") {
  const auto shown = [](const std::string& text) {
    Report report;
    report.blocks.emplace_back(Line{{{text}}});
    std::string out = find_format("md")->render(report, {});
    out.pop_back();
    return out;
  };
  for (const std::string plain :
       {"as of 2026-05-01 12:00:00 UTC (by --now); input complete", "priority >= 9000, 4 > 3 and a < 4",
        "my_pod-0.yaml:12:3", "5 * 3 {x} 'y' \"z\" (most important first)", "metadata.annotations[x] is 1", "a & b",
        "C# and #x", "a!b"}) {
    CHECK(shown(plain) == plain);
  }
  // Markup that would act is escaped: lists, headings, references, mentions, pictures, links, entities, quotes, math,
  // emphasis.
  CHECK(shown("- a") == "\\- a");
  CHECK(shown("# a") == "\\# a");
  CHECK(shown("1. a") == "1\\. a");
  CHECK(shown("> a") == "&gt; a");
  CHECK(shown("x#12") == "x#&#8203;12");
  CHECK(shown(":tada: a:100:b") == ":&#8203;tada: a:&#8203;100:b");
  CHECK(shown("![a](b)") == "!\\[a](b)");
  CHECK(shown("[a]: b") == "\\[a]: b");
  CHECK(shown("x [^1]") == "x \\[^1]");
  CHECK(shown("&lt;b&gt;") == "&amp;lt;b&amp;gt;");
  CHECK(shown("$a$") == "\\$a\\$");
  CHECK(shown("_a_ __b__ a_b") == "\\_a\\_ \\_\\_b\\_\\_ a_b");
  CHECK(shown("~~a~~") == "\\~\\~a\\~\\~");
  CHECK(shown("<b") == "&lt;b");
  CHECK(shown("WWW.evil.example") == "WWW.&#8203;evil.example");
}

TEST_CASE("formats: Markdown commands are code, whatever they contain") {
  Report report;
  report.blocks.emplace_back(Line{{{"run: "}, {"fit -f 'a`b'", Tone::code}}});
  CHECK(find_format("md")->render(report, {}) == "run: ``fit -f 'a`b'``\n");
  report.blocks = {Table{{{"A"}}, {{{"x|`", Tone::code}}}, {}}};
  CHECK(find_format("md")->render(report, {}) == "#### A\n\n| A |\n| --- |\n| `` x\\|` `` |\n");
}

TEST_CASE("formats: in Markdown, the first table is visible, the others are folded, each under its heading") {
  Report report;
  report.blocks.emplace_back(Line{{{"verdict", Tone::verdict}, {".", Tone::verdict}}});
  report.blocks.emplace_back(Table{{{"VICTIM"}}, {{{"a"}}}, {}});
  report.blocks.emplace_back(Table{{{"NODE"}}, {{{"n"}}}, {}});
  CHECK(find_format("md")->render(report, {}) ==
        "**verdict.**\n\n#### Victim\n\n| VICTIM |\n| --- |\n| a |\n\n<details><summary>Node (1 row)</summary>\n\n"
        "| NODE |\n| --- |\n| n |\n\n</details>\n");
}
