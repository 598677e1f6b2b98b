#include "support/differential.h"

#include "api/fast_load.h"
#include "api/store_sink.h"
#include "input/yaml_source.h"
#include "support/input.h"
#include "support/objects_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>

namespace previct::test {
namespace {

auto first_difference(const std::string& fast, const std::string& general) -> std::string {
  const auto [a, b] = std::mismatch(fast.begin(), fast.end(), general.begin(), general.end());
  const auto at = std::max<std::ptrdiff_t>(0, a - fast.begin() - 60);
  return fmt::format("fast:    …{}\ngeneral: …{}", fast.substr(static_cast<std::size_t>(at), 160),
                     general.substr(static_cast<std::size_t>(at), 160));
}

/// Returns the items of kubectl's lists in the fixtures, sorted by name.
auto fixture_items() -> std::vector<std::string> {
  constexpr std::size_t kLargest = 4000;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PREVICT_SOURCE_DIR "/fixtures")) {
    if (entry.path().extension() == ".yaml" && entry.file_size() < 30'000) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> items;
  for (const std::string& file : files) {
    const std::string text = fixture(file.substr(std::string_view(PREVICT_SOURCE_DIR "/fixtures/").size()));
    std::size_t at = text.find("\nitems:\n- ");
    if (at == std::string::npos) continue;
    at += 8;
    for (std::size_t i = 0; i < 6 && text.compare(at, 2, "- ") == 0; ++i) {
      std::size_t end = text.find('\n', at) + 1;
      while (end < text.size() && text[end] == ' ') end = text.find('\n', end) + 1;
      if (end - at < kLargest) items.push_back(text.substr(at, end - at));
      at = end;
    }
  }
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

/// Returns each text of the battery as kubectl prints it as an element of a list, if it fits on one line.
auto battery_scalars() -> std::vector<std::string> {
  std::vector<std::string> scalars;
  for (const auto& row : nlohmann::json::parse(fixture("input/emitter-battery.json"))) {
    if (row["Place"] != "item" || row["Err"] != "") continue;
    const std::string yaml = row["Yaml"];
    const std::size_t begin = yaml.find("  - ") + 4;
    const std::size_t end = yaml.find('\n', begin);
    if (yaml.compare(end, 9, "\n  - end\n") == 0) scalars.push_back(yaml.substr(begin, end - begin));
  }
  return scalars;
}

}  // namespace

auto compared(std::string_view text, std::size_t window) -> Compared {
  Objects fast;
  Objects general;
  StoreSink sink(FileId{0}, fast);
  Compared result;
  result.fast = read_fast(*memory_source(text), FileId{0}, fast, sink, {}, window).has_value();
  const auto done = read_text(text, general);
  result.read = done.has_value();
  if (!result.fast) return result;
  if (!result.read) {
    result.difference = fmt::format("the general path refuses it: {}:{} {}", done.error().place.line,
                                    done.error().place.column, done.error().message);
    return result;
  }
  const std::string ours = objects_text(fast);
  const std::string theirs = objects_text(general);
  if (ours != theirs) result.difference = first_difference(ours, theirs);
  Objects in_full;
  StoreSink in_full_sink(FileId{0}, in_full);
  const bool read =
      read_fast(*memory_source(text), FileId{0}, in_full, in_full_sink, {.patterns = false}, window).has_value();
  if (!read || objects_text(in_full) != theirs)
    result.difference = "without patterns, the fast path reads something else";
  return result;
}

DumpMaker::DumpMaker(std::uint32_t seed) : random_(seed), items_(fixture_items()), scalars_(battery_scalars()) {}

auto DumpMaker::list() -> std::string {
  std::string text = "apiVersion: v1\nitems:\n";
  for (std::size_t n = 0; n <= below(2); ++n) {
    const std::string& item = items_[below(items_.size())];
    for (std::size_t twins = 0; twins <= below(3); ++twins) text += item;
  }
  return text + "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
}

auto DumpMaker::yaml() -> std::string {
  std::string text = list();
  for (std::size_t n = below(4); n > 0; --n) change(text);
  return text;
}

auto DumpMaker::json() -> std::string {
  // A deliberately broken list has no JSON.
  std::optional<nlohmann::json> read;
  while (!read) read = json_of(*yaml_source(list(), FileId{0}));
  nlohmann::ordered_json list = nlohmann::ordered_json::parse(read->dump());
  std::string text;
  switch (below(4)) {
    case 0: text = list.dump(4) + "\n"; break;
    case 1: text = list.dump(); break;
    case 2: {
      nlohmann::ordered_json typed;
      typed["kind"] = list["items"][0].value("kind", "Pod") + "List";
      typed["apiVersion"] = list["items"][0].value("apiVersion", "v1");
      typed["metadata"]["resourceVersion"] = "1";
      typed["items"] = list["items"];
      for (auto& item : typed["items"]) {
        if (below(8) > 0) item.erase("kind");
        if (below(8) > 0) item.erase("apiVersion");
      }
      text = typed.dump();
      break;
    }
    default:
      for (const auto& item : list["items"]) text += item.dump() + "\n";
  }
  for (std::size_t n = below(4); n > 0; --n) change(text);
  return text;
}

void DumpMaker::change(std::string& text) {
  constexpr std::array<std::string_view, 60> kWords = {": ",
                                                       ":\n",
                                                       " #",
                                                       "#",
                                                       "- ",
                                                       "-\n",
                                                       "\"",
                                                       "'",
                                                       "|",
                                                       "|-",
                                                       "|2+",
                                                       ">",
                                                       "\n",
                                                       "\n\n",
                                                       " ",
                                                       "  ",
                                                       "{}",
                                                       "[]",
                                                       "{",
                                                       "]",
                                                       "&a ",
                                                       "*a",
                                                       "!!str ",
                                                       "null",
                                                       "~",
                                                       "yes",
                                                       "012",
                                                       "1e3",
                                                       "0x1f",
                                                       "\\",
                                                       "\\n",
                                                       "\\x",
                                                       "\t",
                                                       "\xc3\xa9",
                                                       "\xe2\x80\xa8",
                                                       "\xef\xbb\xbf",
                                                       "? ",
                                                       "<<: ",
                                                       "...\n",
                                                       "---\n",
                                                       "\r\n",
                                                       "\x7f",
                                                       "\x01",
                                                       "\xff",
                                                       "''",
                                                       "\"\"",
                                                       "%",
                                                       "@",
                                                       "`",
                                                       ",",
                                                       "-",
                                                       ".5",
                                                       "\\u00e9",
                                                       "\\ud83d\\ude00",
                                                       "\\ud800",
                                                       "\"kind\":",
                                                       "\"a\":1,",
                                                       "true",
                                                       "}",
                                                       "\\\""};
  const std::size_t at = below(text.size());
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
  const std::size_t indent = text.find_first_not_of(' ', line) - line;
  switch (below(9)) {
    case 0: text[at] = static_cast<char>(below(256)); break;
    case 1: text.insert(at, kWords[below(kWords.size())]); break;
    case 2:
      text.replace(at, std::min<std::size_t>(1 + below(3), text.size() - at), kWords[below(kWords.size())]);
      break;
    case 3: text.erase(at, 1 + below(3)); break;
    case 4: text.insert(line, below(3) + 1, ' '); break;
    case 5: text.erase(line, std::min(indent, below(3) + 1)); break;
    case 6: text.insert(line, text.substr(line, end - line)); break;
    case 7: text.erase(line, end - line); break;
    case 8: {
      const std::size_t colon = text.find(": ", line);
      if (colon < end) text.replace(colon + 2, end - colon - 3, scalars_[below(scalars_.size())]);
      break;
    }
  }
  if (text.empty()) text = "\n";
}

}  // namespace previct::test
