// The manual agrees with the program: the parts of man/*.1 between `.\" begin NAME` and `.\" end` are generated from
// the same tables as the help, those of man/*.5 from schema/. PREVICT_UPDATE=1 unit_tests "[manual]" writes them, and a
// page for a command that has none; everything else in a page is written by hand.

#include "cli/command.h"
#include "cli/help.h"
#include "lint/rule.h"
#include "support/program.h"
#include "support/skipped.h"
#include "support/source.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>

using namespace previct::cli;
using previct::test::kSource;
using previct::test::read_all;

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = ".\\\" begin ";
constexpr std::string_view kEnd = ".\\\" end\n";

auto lines_of(std::string_view text) -> std::vector<std::string> {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Escapes running text for mdoc: hyphens stay hyphens, and no line is read as a macro.
auto mdoc(std::string_view text) -> std::string {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

// Puts each sentence on a new line, as mdoc recommends.
auto broken(std::string text) -> std::string {
  for (std::size_t at = 0; (at = text.find(". ", at)) != std::string::npos; ++at) text[at + 1] = '\n';
  return text;
}
auto sentences(std::string_view text) -> std::string {
  return broken(mdoc(text));
}

// Capitalizes a sentence such as `one row a class`; `auto: …` and `-v: …` name something and stay.
auto sentence(std::string_view text) -> std::string {
  std::string out = mdoc(text);
  const std::size_t word_end = out.find_first_of(" :;,");
  if (word_end == std::string::npos || out[word_end] != ':') {
    out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  }
  return out;
}

auto upper(std::string text) -> std::string {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

auto capital(std::string text) -> std::string {
  for (std::size_t i = 1; i < text.size(); ++i) {
    text[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  }
  return text;
}

struct Example {
  std::string command;  // without the program's name
  std::string what;
};

// Splits `explain -f x     what it does` at two or more blanks.
auto examples_of(const Command& command) -> std::vector<Example> {
  std::vector<Example> examples;
  for (const std::string& line : lines_of(command.examples)) {
    const std::size_t gap = line.find("  ");
    const std::size_t what = line.find_first_not_of(' ', gap);
    examples.push_back({line.substr(0, gap), what == std::string::npos ? "" : line.substr(what)});
  }
  return examples;
}

// ---- the parts generated from the program

auto name_part(const Command& command) -> std::string {
  std::string text = fmt::format(".Nm previct-{}\n.Nd {}\n.Sh SYNOPSIS\n.Nm previct {}\n", command.name,
                                 mdoc(command.what), command.name);
  if (!command.arguments.empty() && command.arguments.front() == '[') {
    text += fmt::format(".Op Ar {}\n", command.arguments.substr(1, command.arguments.size() - 2));
  } else if (!command.arguments.empty()) {
    text += fmt::format(".Ar {}\n", command.arguments);
  }
  return text + ".Op Ar flags\n";
}

auto description_part(const Command& command) -> std::string {
  std::string text;
  for (const std::string& line : lines_of(command.more)) text += sentences(line) + "\n.Pp\n";
  return text;
}

auto options_part(const Command& command) -> std::string {
  std::string text;
  for (const Group group : command.groups) {
    text += fmt::format(".Ss {}\n.Bl -tag -width Ds\n", capital(std::string(group_title(group))));
    for (const Flag& flag : flags()) {
      if (flag.group != group) continue;
      text += ".It";
      if (flag.letter != 0) text += fmt::format(" Fl {}", flag.letter);
      if (!flag.name.empty()) text += fmt::format("{} Fl \\-{}", flag.letter != 0 ? " ," : "", mdoc(flag.name));
      if (!flag.value.empty()) text += fmt::format(" Ar {}", mdoc(flag.value));
      text += fmt::format("\n{}.\n", sentence(meaning_of(flag, command)));
      if (!flag.more.empty()) text += sentences(flag.more) + '\n';
    }
    text += ".El\n";
  }
  return text;
}

auto examples_part(const Command& command) -> std::string {
  std::string text;
  for (const Example& example : examples_of(command)) {
    if (!text.empty()) text += ".Pp\n";
    if (!example.what.empty()) text += fmt::format("{}:\n", sentence(example.what));
    text += fmt::format(".Dl $ previct {}\n", mdoc(example.command));
  }
  return text;
}

auto commands_part() -> std::string {
  std::string text = ".Bl -tag -width Ds\n";
  for (const Command* command : commands()) {
    text += fmt::format(".It Xr previct-{} 1\n{}.\n", command->name, sentence(command->what));
  }
  return text + ".El\n";
}

// Returns every rule of lint: what it finds, why that matters, and how to fix it.
auto rules_part() -> std::string {
  std::string text = ".Bl -tag -width Ds\n";
  for (const previct::lint::Rule* rule : previct::lint::rules()) {
    text += fmt::format(".It {} {}\n{}.\n", rule->id, previct::severity_name(rule->severity), sentence(rule->title));
    for (const std::string_view paragraph : {rule->why, rule->how_to_fix}) {
      for (const std::string& line : lines_of(paragraph)) {
        if (!line.empty()) text += sentences(line) + '\n';
      }
    }
  }
  return text + ".El\n";
}

// ---- the parts generated from schema/

using Schema = nlohmann::ordered_json;

auto schema_of(const std::string& kind) -> Schema {
  return Schema::parse(read_all(kSource / "schema" / (kind + ".json")));
}

auto all_kinds() -> std::vector<std::string> {
  std::vector<std::string> kinds;
  for (const auto& entry : fs::directory_iterator(kSource / "schema")) kinds.push_back(entry.path().stem().string());
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

// The fields of one kind of document, one item each, by path: `victims[].pod`.
class FieldList {
 public:
  FieldList(const Schema& document, const Schema& shared) : document_(document), shared_(shared) {}

  auto text(const Schema& of, const std::string& path = "") -> std::string {
    add(of, path);
    return ".Bl -tag -width Ds\n" + out_ + ".El\n";
  }

 private:
  // These are the same in all documents, so they are described once.
  static auto is_common(const std::string& path, const Schema& field) -> bool {
    return path == "apiVersion" || path == "kind" || (path == "metadata" && field.contains("$ref"));
  }

  static auto is_open(const Schema& of) -> bool { return of.contains("properties") || of.contains("items"); }

  // Returns the schema to which `of` refers, and sets `elsewhere` to its name if another page describes it.
  auto resolved(const Schema& of, std::string& elsewhere) -> const Schema& {
    if (!of.contains("$ref")) return of;
    const std::string name = of["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
    const Schema& target = document_["$defs"][name];
    const bool a_kind = target.contains("properties") && target["properties"].contains("kind") &&
                        target["properties"]["kind"].contains("const");
    if (a_kind) elsewhere = target["properties"]["kind"]["const"];
    if (!a_kind && is_open(target) && shared_.contains(name) && shared_[name] == target) elsewhere = name;
    return target;
  }

  void add(const Schema& of, const std::string& path) {
    std::string elsewhere;
    const Schema& target = resolved(of, elsewhere);
    if (!elsewhere.empty()) return;
    if (target.contains("properties")) {
      for (const auto& [name, field] : target["properties"].items()) {
        const std::string at = path.empty() ? name : path + '.' + name;
        if (!is_common(at, field)) item(field, at);
      }
    }
    if (target.contains("items")) add(target["items"], path + "[]");
    for (const char* alternatives : {"allOf", "anyOf", "oneOf"}) {
      if (!target.contains(alternatives)) continue;
      for (const Schema& each : target[alternatives]) add(each, path);
    }
  }

  void item(const Schema& field, const std::string& path) {
    std::string elsewhere;
    const Schema& target = resolved(field, elsewhere);
    const std::string what = field.value("description", target.value("description", ""));
    INFO("schema: " << document_.value("title", "") << ' ' << path << " has no description");
    CHECK_FALSE(what.empty());
    const Schema* values = target.contains("enum") ? &target["enum"] : nullptr;
    const Schema* items = target.contains("items") ? &target["items"] : nullptr;
    if (items != nullptr && items->contains("$ref")) items = &resolved(*items, elsewhere);
    const std::string stop = values != nullptr ? ":" : elsewhere.empty() ? "." : "";
    out_ += fmt::format(".It Va {}\n{}{}\n", mdoc(path), broken(sentence(what)), stop);
    if (values != nullptr) {
      for (std::size_t i = 0; i < values->size(); ++i) {
        out_ += fmt::format(".Ql {} {}\n", mdoc((*values)[i].get<std::string>()), i + 1 < values->size() ? "," : ".");
      }
    }
    if (!elsewhere.empty()) out_ += fmt::format(".Pq see Va {} .\n", elsewhere);
    add(field, path);
  }

  const Schema& document_;
  const Schema& shared_;
  std::string out_;
};

// Parts that documents share are described in the page of Explanation.
auto shared_parts() -> Schema {
  return schema_of("Explanation")["$defs"];
}

auto kind_part(const std::string& kind) -> std::string {
  const Schema document = schema_of(kind);
  const Schema shared = shared_parts();
  return FieldList(document, shared).text(document);
}

auto shared_part() -> std::string {
  const Schema document = schema_of("Explanation");
  const Schema none = Schema::object();
  std::string text;
  for (const auto& [name, part] : document["$defs"].items()) {
    if (!part.contains("properties") && !part.contains("items")) continue;
    text += fmt::format(".Ss {}\n", name);
    if (part.contains("description")) text += sentence(part["description"].get<std::string>()) + ".\n";
    const bool list = part.contains("items");
    text += FieldList(document, none).text(list ? part["items"] : part);
  }
  return text;
}

// These have their own pages because users write them.
const std::set<std::string> kWritten = {"Assumptions", "Baseline", "Config", "TestSuite"};

auto kinds_part() -> std::string {
  std::string text;
  for (const std::string& kind : all_kinds()) {
    if (kWritten.contains(kind)) continue;
    text += fmt::format(".Ss {}\n{}\n{}", kind, broken(sentence(schema_of(kind).value("description", ""))),
                        kind_part(kind));
  }
  return text;
}

auto page_of(const Command& command) -> std::string {
  std::string text =
      fmt::format(".Dd November 21, 2026\n.Dt PREVICT-{} 1\n.Os previct\n.Sh NAME\n", upper(std::string(command.name)));
  text += fmt::format("{}name\n{}.Sh DESCRIPTION\n{}description\n{}", kBegin, kEnd, kBegin, kEnd);
  text += fmt::format("The flags are:\n{}options\n{}", kBegin, kEnd);
  text += ".Sh EXIT STATUS\nAs in\n.Xr previct 1 .\n";
  text += fmt::format(".Sh EXAMPLES\n{}examples\n{}.Sh SEE ALSO\n.Xr previct 1\n", kBegin, kEnd);
  return text;
}

// Returns `text` with its generated parts up to date; an unknown part is left unchanged and added to `unknown`.
auto refreshed(const std::string& text, const Command* command, std::vector<std::string>& unknown) -> std::string {
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = text.find(kBegin, at);
    if (begin == std::string::npos) return out + text.substr(at);
    const std::size_t line_end = text.find('\n', begin) + 1;
    const std::size_t end = text.find(kEnd, line_end);
    if (end == std::string::npos) return out + text.substr(at);
    const std::string part = text.substr(begin + kBegin.size(), line_end - 1 - begin - kBegin.size());
    out += text.substr(at, line_end - at);
    if (part == "commands") {
      out += commands_part();
    } else if (part == "rules") {
      out += rules_part();
    } else if (part == "kinds") {
      out += kinds_part();
    } else if (part == "shared") {
      out += shared_part();
    } else if (part == "suite") {  // printed, and run by a test
      out += text.substr(line_end, end - line_end);
    } else if (part.starts_with("kind ") && fs::exists(kSource / "schema" / (part.substr(5) + ".json"))) {
      out += kind_part(part.substr(5));
    } else if (command != nullptr && part == "name") {
      out += name_part(*command);
    } else if (command != nullptr && part == "description") {
      out += description_part(*command);
    } else if (command != nullptr && part == "options") {
      out += options_part(*command);
    } else if (command != nullptr && part == "examples") {
      out += examples_part(*command);
    } else {
      unknown.push_back(part);
    }
    out += kEnd;
    at = end + kEnd.size();
  }
}

auto pages() -> std::vector<fs::path> {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kSource / "man")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

auto command_of(const fs::path& page) -> const Command* {
  const std::string name = page.stem().string();
  const auto all = commands();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Command* c) {
    return page.extension() == ".1" && name == fmt::format("previct-{}", c->name);
  });
  return found == all.end() ? nullptr : *found;
}

struct Ran {
  int status = 0;
  std::string out;
  std::string err;
};

// Runs in a copy of fixtures/manual, which holds `dump.yaml` and everything else that the examples name; kubectl uses
// the same cluster.
auto run_example(const std::string& command, const fs::path& folder) -> Ran {
  const std::string line = "cd '" + folder.string() + "/work' && env -i PATH='" PREVICT_SOURCE_DIR "/tests/live':'" +
                           previct::test::program_folder() + "':/usr/bin:/bin FAKE_CLUSTER=cluster HOME=/nonexistent " +
                           "LC_ALL=C.UTF-8 sh -c '" + command + "' > ../out 2> ../err < /dev/null";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, read_all(folder / "out"), read_all(folder / "err")};
}

// Returns true if the program succeeds without output.
auto silent(const std::string& program, const std::string& arguments, const fs::path& page) -> bool {
  const std::string check = "test -z \"$(" + program + ' ' + arguments + " '" + page.string() + "' 2>&1)\"";
  return std::system(("cd '" + kSource.string() + "/man' && " + check).c_str()) == 0;
}

}  // namespace

TEST_CASE("manual: every command has a page, with the flags and examples of its help", "[manual]") {
  const bool update = std::getenv("PREVICT_UPDATE") != nullptr;
  for (const Command* command : commands()) {
    const fs::path path = kSource / "man" / fmt::format("previct-{}.1", command->name);
    if (update && !fs::exists(path)) std::ofstream(path) << page_of(*command);
    INFO(path.filename().string() << ": PREVICT_UPDATE=1 unit_tests \"[manual]\" writes it");
    CHECK(fs::exists(path));
  }
  for (const fs::path& path : pages()) {
    const std::string text = read_all(path);
    std::vector<std::string> unknown;
    const std::string wanted = refreshed(text, command_of(path), unknown);
    INFO(path.filename().string() << " differs from the program: PREVICT_UPDATE=1 unit_tests \"[manual]\" writes it");
    CHECK(unknown.empty());
    if (update && wanted != text) {
      std::ofstream(path, std::ios::binary) << wanted;
      continue;
    }
    CHECK((wanted == text));
    if (command_of(path) == nullptr) continue;
    for (const char* part : {"name", "options", "examples"}) {
      CHECK(text.find(std::string(kBegin) + part + '\n') != std::string::npos);
    }
  }
}

TEST_CASE("manual: every file that users write has its own page", "[manual]") {
  std::string all;
  for (const fs::path& path : pages()) all += read_all(path);
  for (const std::string& kind : kWritten) {
    INFO(kind);
    CHECK(all.find(fmt::format("{}kind {}\n", kBegin, kind)) != std::string::npos);
  }
}

TEST_CASE("manual: every example of the help and the manual runs", "[manual]") {
  std::set<std::string> examples;
  for (const Command* command : commands()) {
    for (const Example& example : examples_of(*command)) examples.insert("previct " + example.command);
  }
  for (const fs::path& path : pages()) {
    for (const std::string& line : lines_of(read_all(path))) {
      if (!line.starts_with(".Dl $ previct ")) continue;
      std::string command;
      for (std::size_t i = 6; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size()) ++i;
        command += line[i];
      }
      examples.insert(command);
    }
  }
  std::string folder = (fs::temp_directory_path() / "previct-manual-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  fs::copy(kSource / "fixtures/manual", fs::path(folder) / "work", fs::copy_options::recursive);
  for (const std::string& example : examples) {
    const Ran ran = run_example(example, folder);
    INFO(example << "\nin a copy of fixtures/manual: " << ran.err);
    CHECK(ran.status < 2);
    CHECK((!ran.out.empty() || example.find('=') != std::string::npos));
  }
  fs::remove_all(folder);
}

TEST_CASE("manual: its example suite holds for the cluster of its examples", "[manual]") {
  const std::string page = read_all(kSource / "man/previct-test.5");
  const std::size_t begin = page.find('\n', page.find(".Bd", page.find(std::string(kBegin) + "suite"))) + 1;
  std::string suite = page.substr(begin, page.find(".Ed", begin) - begin);
  suite.erase(std::remove(suite.begin(), suite.end(), '\\'), suite.end());
  std::string folder = (fs::temp_directory_path() / "previct-manual-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  fs::copy(kSource / "fixtures/manual", fs::path(folder) / "work", fs::copy_options::recursive);
  std::ofstream(fs::path(folder) / "work/shown.previct-test.yaml") << suite;
  const Ran ran = run_example("previct test shown.previct-test.yaml", folder);
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  fs::remove_all(folder);
}

TEST_CASE("manual: its pages are valid mdoc and refer to existing pages", "[manual]") {
  const bool mandoc = previct::test::has_program("mandoc");
  const bool groff = previct::test::has_program("groff");
  for (const fs::path& path : pages()) {
    if (read_all(path).starts_with(".so ")) continue;
    INFO(path.filename().string());
    CHECK((!mandoc || silent("mandoc", "-T lint -W warning", path)));
    CHECK((!groff || silent("groff", "-mandoc -ww -z -T utf8", path)));
    for (const std::string& line : lines_of(read_all(path))) {
      const std::size_t at = line.find("Xr ");
      if (at == std::string::npos || !line.starts_with('.') || line.find("previct", at) != at + 3) continue;
      std::istringstream words(line.substr(at + 3));
      std::string name;
      std::string section;
      words >> name >> section;
      INFO(line);
      CHECK(fs::exists(kSource / "man" / (name + '.' + section)));
    }
  }
}
