#include "engine/versions.h"

#include "base/go.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {

auto minor_of(std::string_view version, int major) -> std::optional<int> {
  if (version.starts_with('v')) version.remove_prefix(1);
  const std::string begin = fmt::format("{}.", major);
  if (!version.starts_with(begin)) return {};
  version.remove_prefix(begin.size());
  const std::string_view digits = version.substr(0, version.find_first_not_of("0123456789"));
  const std::string_view rest = version.substr(digits.size());
  if (!rest.empty() && rest.front() != '.' && rest.front() != '-' && rest.front() != '+') return {};
  const auto minor = go::parse_int(digits, 16);
  return minor ? std::optional(static_cast<int>(*minor)) : std::nullopt;
}

auto patch_of(std::string_view version, int major) -> std::optional<int> {
  if (!minor_of(version, major)) return {};
  version.remove_prefix(version.find('.') + 1);
  const std::size_t dot = version.find_first_not_of("0123456789");
  if (dot == std::string_view::npos || version[dot] != '.') return {};
  version.remove_prefix(dot + 1);
  const auto patch = go::parse_int(version.substr(0, version.find_first_not_of("0123456789")), 16);
  return patch ? std::optional(static_cast<int>(*patch)) : std::nullopt;
}

auto minor_asked_for(std::string_view flag, std::string_view version, const KnownReleases& known) -> Result<int> {
  if (const auto minor = minor_of(version, known.major)) return *minor;
  return fail(fmt::format("{}: \"{}\" names no release; the rules of {}.{} to {}.{} are known", flag, version,
                          known.major, known.oldest, known.major, known.newest));
}

void Versions::see(std::string_view version) {
  const auto minor = minor_of(version, major_);
  if (!minor) return;
  const bool first = empty();
  if (first || *minor < oldest_) {
    oldest_ = *minor;
    oldest_text_ = version;
  }
  if (first || *minor > newest_) {
    newest_ = *minor;
    newest_text_ = version;
    patch_ = patch_of(version, major_);
  } else if (*minor == newest_) {
    patch_ = std::min(patch_, patch_of(version, major_));
  }
}

auto Versions::text() const -> std::string {
  return differ() ? fmt::format("{} to {}", oldest_text_, newest_text_) : std::string(newest_text_);
}

}  // namespace previct
