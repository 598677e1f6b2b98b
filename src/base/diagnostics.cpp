#include "base/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace previct {
namespace {

// The warnings that report what was done to a file, or why nothing was done: they are kept for every file.
auto says_each(std::string_view id) -> bool {
  return id == "fixed" || id == "not-fixed";
}

}  // namespace

auto Diagnostics::count_of(std::string_view id) -> Count& {
  const auto count = std::find_if(counts_.begin(), counts_.end(), [&](const Count& c) { return c.id == id; });
  return count != counts_.end() ? *count : counts_.emplace_back(Count{std::string(id)});
}

void Diagnostics::warn(std::string_view id, std::string message, Place place) {
  shared_.before_adding();
  if (++count_of(id).seen <= kLimit || says_each(id)) warnings_.push_back({std::string(id), std::move(message), place});
}

void Diagnostics::add(const Diagnostics& others) {
  for (const Warning& warning : others.warnings_) warn(warning.id, warning.message, warning.place);
  for (const Count& count : others.counts_) {
    if (count.seen > kLimit && !says_each(count.id)) count_of(count.id).seen += count.seen - kLimit;
  }
}

auto Diagnostics::sorted() const -> std::vector<Warning> {
  std::vector<Warning> result = warnings_;
  std::stable_sort(result.begin(), result.end(), [](const Warning& a, const Warning& b) {
    return std::tie(a.place, a.id) < std::tie(b.place, b.id);
  });
  for (const Count& count : counts_) {
    if (count.seen > kLimit && !says_each(count.id)) {
      result.push_back({count.id, fmt::format("{} more like the {} shown", count.seen - kLimit, kLimit), {}});
    }
  }
  return result;
}

}  // namespace previct
