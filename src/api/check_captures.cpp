#include "api/check_captures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace previct {
namespace {

auto held_in(const Objects& objects, FileId file, std::string_view kind) -> std::int64_t {
  const KindInfo* const wanted = kind_of_key(kind);
  std::int64_t held = 0;
  objects.each_store([&](std::string_view store_kind, const auto& store) {
    if (wanted == nullptr || store_kind != wanted->store_name) return;
    held =
        std::count_if(store.begin(), store.end(), [&](const auto& object) { return object.meta.source.file == file; });
  });
  return held;
}

}  // namespace

auto check_captures(bool keep_going, Objects& objects) -> Result<void> {
  std::map<std::pair<FileId, std::string>, std::int64_t> promised;  // a file may hold several captures in sequence
  for (const Capture& capture : objects.captures) {
    for (const CapturedKind& each : capture.kinds) promised[{capture.source.file, each.kind}] += each.count;
  }
  for (const auto& [of, count] : promised) {
    const auto& [file, kind] = of;
    const std::int64_t held = held_in(objects, file, kind);
    if (held == count) continue;
    const std::string message =
        fmt::format("the capture should contain {} of {}, but contains {}: it may be cut short", count, kind, held);
    if (!keep_going) return fail(message, {file}, "copy it again; if it was edited, remove its first line");
    objects.inputs_skipped = true;
    objects.diagnostics.warn("capture-cut", message, {file});
  }
  return {};
}

}  // namespace previct
