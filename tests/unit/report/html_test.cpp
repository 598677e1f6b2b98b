#include "report/format.h"
#include "report/html_columns.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

using namespace previct;

namespace {

auto html(const Report& report) -> std::string {
  return find_format("html")->render(report, {});
}

auto count(const std::string& text, std::string_view part) -> std::size_t {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

// Returns a report with `text` in every position that can hold input.
auto filled_with(const std::string& text) -> Report {
  Report report;
  report.blocks.emplace_back(Line{{{text, Tone::danger}, {text}}});
  report.blocks.emplace_back(Line{{{text}}});
  report.blocks.emplace_back(Table{{{text}, {text}}, {{{text, Tone::safe}, {text}}}, {Line{{{text}}}}});
  report.blocks.emplace_back(Paragraph{text, {Line{{{text}}}}});
  report.blocks.emplace_back(Picture{text,
                                     {{text, {{0, 5'000, text, text, Tone::danger}}, {{50, text}}, 2}},
                                     {{100, text}},
                                     {{Tone::danger, text}},
                                     text,
                                     {text}});
  report.evidence.push_back({{{text}, {text}}, {{{text}, {text}}}, {}});
  return report;
}

auto base64(const std::string& bytes) -> std::string {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k > bytes.size() ? '=' : kDigits[group >> (18U - 6U * static_cast<unsigned>(k)) & 63U];
    }
  }
  return out;
}

// Returns the digest from the system's sha256sum.
auto sha256(const std::string& text) -> std::string {
  std::string file = (std::filesystem::temp_directory_path() / "previct-style-XXXXXX").string();
  const int descriptor = mkstemp(file.data());
  REQUIRE(descriptor >= 0);
  std::ofstream(file, std::ios::binary) << text;
  std::FILE* said = popen(("sha256sum < '" + file + "'").c_str(), "r");
  std::string hex(64, '0');
  REQUIRE(std::fread(hex.data(), 1, hex.size(), said) == hex.size());
  pclose(said);
  std::filesystem::remove(file);
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

}  // namespace

TEST_CASE("HTML: treats no input as markup", "[html]") {
  for (const std::string text : {"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='alert(1)",
                                 "</title></style></svg>", "&lt;b&gt;", "javascript:alert(1)"}) {
    // It has the same length and the same blanks, because a table may break there.
    std::string name = text;
    for (char& c : name) c = c == ' ' ? c : 'n';
    const std::string plain = html(filled_with(name));
    const std::string page = html(filled_with(text));
    INFO(text);
    CHECK(count(page, "<") == count(plain, "<"));
    CHECK(count(page, ">") == count(plain, ">"));
    CHECK(count(page, "\"") == count(plain, "\""));
    CHECK(count(page, "'") == count(plain, "'"));
    CHECK(page.find("href=\"javascript") == std::string::npos);
  }
}

TEST_CASE("HTML: a page of findings has the details below the totals", "[html]") {
  Report report;
  report.findings.emplace();
  report.blocks.emplace_back(Paragraph{"", {Line{{{"no findings"}}}, Line{{{"with the settings of a<b.yaml"}}}}});
  CHECK(count(html(report), "with the settings of a&lt;b.yaml") == 1);
}

TEST_CASE("HTML: a page needs no network and no script, and says so", "[html]") {
  const std::string page = html(filled_with("name"));
  for (const char* part : {"<script", "src=", "http:", "https:", "url(", "@import", " style=", " on"}) {
    INFO(part);
    CHECK(page.find(part) == std::string::npos);
  }
  CHECK(count(page, "default-src 'none'") == 1);
  const std::size_t begin = page.find("<style>") + 7;
  const std::string style = page.substr(begin, page.find("</style>") - begin);
  CHECK(page.find("style-src 'sha256-" + base64(sha256(style)) + "'") != std::string::npos);
}

TEST_CASE("HTML: a pod's name links to its evidence", "[html]") {
  Report report;
  report.blocks.emplace_back(Line{{{"verdict"}}});
  report.blocks.emplace_back(Table{{{"VICTIM"}}, {{{"ml/a"}}, {{"ml/other"}}}, {}});
  report.evidence.push_back({{{"POD"}, {"FIELD"}}, {{{"ml/a"}, {"spec.priority"}}, {{"ml/a"}, {"x"}}}, {}});
  const std::string page = html(report);
  CHECK(count(page, "<a href=\"#e1\">ml/a</a>") == 1);
  CHECK(count(page, "id=\"e1\"") == 1);
  CHECK(count(page, "<a ") == 1);
}

TEST_CASE("HTML: a page with the folded rows does not name the flag that shows them", "[html]") {
  const Table whole{{{"POD"}}, {{{"ml/a"}}, {{"ml/b"}}}, {}};
  Table first = whole;
  first.rows.pop_back();
  first.footer.push_back(folded_line("+ 1 more victim", Tone::dim));
  first.footer.push_back({{{"a note about --show all"}}});
  Report report;
  report.blocks.emplace_back(Line{{{"verdict"}}});
  report.blocks.emplace_back(first);
  // Without the other rows, the page needs the whole line.
  CHECK(count(html(report), "+ 1 more victim (--show all lists them)") == 1);
  first.full.push_back(whole);
  report.blocks.back() = first;
  const std::string page = html(report);
  CHECK(count(page, "<summary>+ 1 more victim</summary>") == 1);
  CHECK(count(page, "--show all lists them") == 0);
  CHECK(count(page, "a note about --show all") == 1);
}

TEST_CASE("HTML: bars are drawn to scale", "[html]") {
  Report report;
  report.blocks.emplace_back(
      Picture{"node", {{"cpu", {{0, 2'500, "a", "1", Tone::danger}, {2'500, 10'000, "free", "3"}}}}, {}});
  const std::string page = html(report);
  CHECK(page.find("<svg x=\"0.00%\" width=\"25.00%\"") != std::string::npos);
  CHECK(page.find("<svg x=\"25.00%\" width=\"75.00%\"") != std::string::npos);
}

TEST_CASE("HTML: explains its colours, and folds long lists", "[html]") {
  Report report;
  report.blocks.emplace_back(Line{{{"verdict"}}});
  report.blocks.emplace_back(Picture{"bars",
                                     {{"a", {{0, 10'000, "a", "1", Tone::safe}}, {{5'000, "quota 2"}}, 1}},
                                     {},
                                     {{Tone::safe, "protected"}},
                                     "without an end: 1 pod",
                                     {"ml/x"}});
  const std::string page = html(report);
  CHECK(page.find("<span class=\"swatch s-safe\"></span>protected") != std::string::npos);
  CHECK(page.find("<summary>without an end: 1 pod</summary>\n<ul>\n<li>ml/x</li>") != std::string::npos);
  CHECK(page.find("<line class=\"own\" x1=\"50.00%\" x2=\"50.00%\"") != std::string::npos);
  CHECK(page.find("<div class=\"label d1\">a</div>") != std::string::npos);
}

TEST_CASE("HTML: a page of findings begins with the totals, errors first", "[html]") {
  Report report;
  report.blocks.emplace_back(Line{{{"a.yaml:1:2: warning[X2]: second"}}});
  report.blocks.emplace_back(Line{{{"1 error, 1 warning"}}});
  report.findings.emplace();
  report.findings->items = {{.rule = "X2", .severity = Severity::warning, .message = "second"},
                            {.rule = "X1", .severity = Severity::error, .message = "first"}};
  const std::string page = html(report);
  CHECK(page.find("<title>1 error, 1 warning</title>") != std::string::npos);
  CHECK(page.find("<h1>1 error, 1 warning</h1>") != std::string::npos);
  CHECK(page.find("<h2>first</h2>") < page.find("<h2>second</h2>"));
}

TEST_CASE("HTML: a table of numbers with heat is a map", "[html]") {
  Report report;
  report.blocks.emplace_back(Line{{{"verdict"}}});
  report.blocks.emplace_back(Table{{{"BY"}, {.head = "A", .numeric = true}}, {{{"x"}, {"3", Tone::plain, 5}}}, {}});
  const std::string page = html(report);
  CHECK(page.find("<table class=\"matrix\">") != std::string::npos);
  CHECK(page.find("<td class=\"number h5\" data-head=\"A\">3</td>") != std::string::npos);
}

TEST_CASE("HTML: a page of findings links to more information below the totals", "[html]") {
  Report report;
  report.blocks.emplace_back(Paragraph{"", {Line{{{"1 error"}, {"; for details, run previct rules X1"}}}}});
  report.findings.emplace();
  const std::string page = html(report);
  CHECK(page.find("<title>1 error</title>") != std::string::npos);
  CHECK(page.find("<h1>1 error</h1>\n<p>for details, run previct rules X1</p>") != std::string::npos);
}

TEST_CASE("HTML: only a terminal needs headings in capitals", "[html]") {
  Report report;
  report.blocks.emplace_back(Paragraph{"NEXT STEPS", {Line{{{"x"}}}}});
  report.blocks.emplace_back(Paragraph{"FAIL suite A", {Line{{{"y"}}}}});
  const std::string page = html(report);
  CHECK(page.find("<h2>Next steps</h2>") != std::string::npos);
  CHECK(page.find("<h2>FAIL suite A</h2>") != std::string::npos);
}

TEST_CASE("HTML: a table has a heading", "[html]") {
  Report report;
  report.blocks.emplace_back(Table{{{"MOST AT RISK"}}, {{{"a"}}}, {}});
  CHECK(html(report).find("<h2>Most at risk</h2>\n<table>") != std::string::npos);
}

TEST_CASE("HTML: on paper, only the columns with the longest words are broken, so that the table fits", "[html]") {
  const std::vector<bool> all(3, true);
  Table table{{{"POD"}, {"FIELD"}, {"WHY"}}, {{{"a"}, {std::string(60, 'x')}, {"short words"}}}, {}};
  CHECK(columns_to_break(table, all) == std::vector<bool>{false, false, false});
  table.rows.push_back({{std::string(50, 'y')}, {"z"}, {"-"}});  // 60 + 50 + 6 letters, more than A4 has
  CHECK(columns_to_break(table, all) == std::vector<bool>{false, true, false});
  CHECK(columns_to_break(table, {true, false, true}) == std::vector<bool>{false, false, false});
  table.rows.push_back({{"x"}, {"z"}, {std::string(90, 'w')}});
  CHECK(columns_to_break(table, all) == std::vector<bool>{false, true, true});
}

TEST_CASE("HTML: a legend explains exactly the colours that are used", "[html]") {
  Report report;
  report.blocks.emplace_back(Picture{"bars",
                                     {{"a", {{0, 10'000, "a", "1", Tone::safe}}}},
                                     {},
                                     {{Tone::safe, "protected"}, {Tone::danger, "protection has ended"}}});
  const std::string page = html(report);
  CHECK(count(page, "<li><span class=\"swatch s-safe\"></span>protected</li>") == 1);
  CHECK(page.find("protection has ended") == std::string::npos);
}
