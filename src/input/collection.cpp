#include "input/collection.h"

#include <array>

namespace previct {
namespace {

constexpr std::array<std::string_view, 6> kEndings = {".yaml", ".yml", ".json", ".jsonl", ".ndjson", ".kyaml"};
constexpr std::array<std::string_view, 4> kCompressed = {".gz", ".zst", ".xz", ".bz2"};

auto ends_with_one_of(std::string_view name, const auto& endings) -> std::string_view {
  for (const std::string_view ending : endings) {
    if (name.size() > ending.size() && name.ends_with(ending)) return ending;
  }
  return {};
}

}  // namespace

auto has_dump_name(std::string_view path) -> bool {
  std::string_view name = path.substr(path.rfind('/') + 1);
  name.remove_suffix(ends_with_one_of(name, kCompressed).size());
  return !ends_with_one_of(name, kEndings).empty();
}

auto begins_like_dump(std::string_view head) -> bool {
  head = head.substr(0, kHead);
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return false;
  if (head[begin] == '{') {
    return head.find("\"apiVersion\"") != std::string_view::npos || head.find("\"kind\"") != std::string_view::npos;
  }
  for (std::size_t line = begin; line < head.size();) {
    const std::string_view rest = head.substr(line);
    if (rest.starts_with("apiVersion: ")) return true;
    if (rest.starts_with("kind: ")) return rest.find("\napiVersion: ") != std::string_view::npos;
    if (!rest.starts_with("---") && !rest.starts_with('#') && !rest.starts_with('\n')) return false;
    const std::size_t feed = rest.find('\n');
    line = feed == std::string_view::npos ? head.size() : line + feed + 1;
  }
  return false;
}

}  // namespace previct
