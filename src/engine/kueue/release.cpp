#include "engine/kueue/release.h"

#include "base/go.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::kueue {

auto read_release(std::string_view text) -> Result<Release> {
  if (text.empty()) return kMeasured;
  const auto wrong = fail(fmt::format("\"{}\" is not a release of Kueue; expected one such as 0.19.0", text));
  std::string_view rest = text;
  if (rest.starts_with('v')) rest.remove_prefix(1);
  if (!rest.starts_with("0.")) return wrong;
  rest.remove_prefix(2);
  const std::size_t dot = rest.find('.');
  const auto minor = go::parse_int(rest.substr(0, dot), 16);
  const std::string_view patch = dot == std::string_view::npos ? "0" : rest.substr(dot + 1);
  const auto number = go::parse_int(patch.substr(0, patch.find('-')), 16);
  if (!minor || !number || *minor < 0 || *number < 0) return wrong;
  return Release{static_cast<int>(*minor), static_cast<int>(*number)};
}

auto last_known(Release release) -> Release {
  constexpr std::array kPatches = {Release{17, 8}, Release{18, 6}, Release{19, 2}};
  const auto* const found =
      std::find_if(kPatches.begin(), kPatches.end(), [&](Release each) { return each.minor >= release.minor; });
  return found == kPatches.end() ? kPatches.back() : *found;
}

namespace {

// A fix of 0.18.5 and 0.19.1.
auto has_fixes_of_0_19_1(Release release) -> bool {
  constexpr Release kIn18{18, 5};
  constexpr Release kIn19{19, 1};
  return release >= (release.minor == kIn18.minor ? kIn18 : kIn19);
}

}  // namespace

auto has_flavor_fixes(Release release) -> bool {
  return has_fixes_of_0_19_1(release);
}

auto compares_all_resources(Release release) -> bool {
  return release >= Release{19, 1};
}

auto sums_transformations(Release release) -> bool {
  return has_fixes_of_0_19_1(release);
}

auto rounds_transformed(Release release) -> bool {
  constexpr Release kIn17{17, 7};
  constexpr Release kIn18{18, 3};
  return release < (release.minor <= kIn17.minor ? kIn17 : kIn18);
}

auto release_text(Release release) -> std::string {
  return fmt::format("0.{}.{}", release.minor, release.patch);
}

}  // namespace previct::kueue
