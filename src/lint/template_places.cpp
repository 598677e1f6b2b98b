#include "lint/template_places.h"

#include "base/files_read.h"
#include "base/trimmed.h"
#include "lint/parse.h"
#include "lint/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace previct::lint {
namespace {

/// For `# Source: web/templates/pdb.yaml`, returns the path after the name of the chart, from the last such comment
/// above a line. Helm writes it above each object.
auto template_above(const SourceText& source, std::uint32_t line) -> std::string_view {
  constexpr std::string_view kSource = "# Source: ";
  for (std::uint32_t at = std::min<std::uint32_t>(line, static_cast<std::uint32_t>(source.line_starts.size())); at > 0;
       --at) {
    const std::string_view text = source.line(at);
    if (!text.starts_with(kSource)) continue;
    const std::size_t slash = text.find('/');
    return slash == std::string_view::npos ? std::string_view() : trimmed(text.substr(slash + 1));
  }
  return {};
}

/// `- minAvailable: 1` has the key `minAvailable`.
auto key_on(std::string_view line) -> std::string_view {
  while (line.starts_with("- ")) line = trimmed(line.substr(2));
  const std::size_t colon = line.find(':');
  return colon == std::string_view::npos ? std::string_view() : line.substr(0, colon + 1);
}

/// The only line for which `is_meant` holds; 0: none, or several.
template <typename IsMeant>
auto only_line(const SourceText& source, const IsMeant& is_meant) -> std::uint32_t {
  std::uint32_t found = 0;
  for (std::uint32_t line = 1; line <= source.line_starts.size(); ++line) {
    if (!is_meant(trimmed(source.line(line)))) continue;
    if (found != 0) return 0;
    found = line;
  }
  return found;
}

}  // namespace

auto TemplatePlaces::text_of(const std::string& file) -> const SourceText* {
  const auto [known, added] = read_.try_emplace(file);
  if (added) {
    const auto& texts = tree_.texts();
    const auto found = std::find_if(texts.begin(), texts.end(), [&](const SourceText& t) { return t.name == file; });
    std::error_code error;
    if (found != texts.end()) {
      known->second = *found;
    } else if (std::filesystem::is_regular_file(file, error) && !std::filesystem::is_symlink(file, error)) {
      note_read(file);
      std::ifstream in(file, std::ios::binary);
      SourceText& text = known->second.emplace();
      text.text.assign(std::istreambuf_iterator<char>(in), {});
      text.line_starts = line_starts_of(text.text);
    }
  }
  return known->second ? &*known->second : nullptr;
}

auto TemplatePlaces::of(const TextRange& rendered) -> std::optional<TextRange> {
  const std::string* chart = tree_.chart_of(rendered.file);
  if (chart == nullptr) return {};
  const SourceText* source = text_of(rendered.file);
  const std::string_view name = source == nullptr ? std::string_view() : template_above(*source, rendered.line);
  if (name.empty()) return {};
  const std::string file = resolved(*chart, name);
  if (!is_below(file, *chart)) return {};
  const SourceText* written = text_of(file);
  if (written == nullptr) return {};
  const std::string_view line = trimmed(source->line(rendered.line));
  TextRange place{.file = file};
  place.line = only_line(*written, [&](std::string_view each) { return each == line; });
  const std::string_view key = key_on(line);
  if (place.line == 0 && !key.empty())
    place.line = only_line(*written, [&](std::string_view each) { return key_on(each) == key; });
  place.end_line = place.line;
  return place;
}

}  // namespace previct::lint
