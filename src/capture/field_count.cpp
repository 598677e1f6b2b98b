#include "capture/field_count.h"

#include "api/configurations.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_set>

namespace previct::capture {
// NOLINTBEGIN(misc-no-recursion): as deep as what the reader lets through (kMaxDepth)
namespace {

// Maps whose keys are names, not fields.
constexpr std::array<std::string_view, 19> kMaps = {
    "labels",   "annotations", "matchLabels", "nodeSelector", "requests",        "limits",        "allocatable",
    "capacity", "overhead",    "data",        "stringData",   "binaryData",      "disruptedPods", "allocatedResources",
    "args",     "arguments",   "hard",        "parameters",   "volumeAttributes"};

/// Collects the path of every value.
class Census final : public InputSink {
 public:
  auto take(const FoundObject& found, FileId /*file*/) -> Result<void> override {
    const std::uint32_t at = found.tape.find(found.index, "kind");
    const std::string_view kind = at < found.tape.size()  ? found.tape.text(found.tape[at])
                                  : found.list != nullptr ? std::string_view(found.list->kind)
                                                          : std::string_view();
    if (kind != "Capture" && !is_configuration(found))
      walk(found.tape, found.index, std::hash<std::string_view>{}(kind.substr(0, kind.rfind("List"))));
    return {};
  }
  void take_list(const EnclosingList& /*list*/, FileId /*file*/) override {}
  [[nodiscard]] auto size() const -> std::size_t { return paths_.size(); }

 private:
  // Paths are identified by their hashes. A collision among a few thousand would only lower the count by one.
  static auto step(std::uint64_t path, std::string_view key) -> std::uint64_t {
    constexpr std::uint64_t kFactor = 1'099'511'628'211U;
    return (path ^ std::hash<std::string_view>{}(key)) * kFactor;
  }

  void walk(const Tape& tape, std::uint32_t index, std::uint64_t path) {
    const Tape::Entry& entry = tape[index];
    if (entry.type == EventType::begin_map) {
      for (std::uint32_t i = index + 1; i < entry.next; i = tape[i + 1].next) {
        const std::string_view key = tape.text(tape[i]);
        const bool names = std::find(kMaps.begin(), kMaps.end(), key) != kMaps.end();
        names || key == "fieldsV1" ? static_cast<void>(paths_.insert(step(path, key)))
                                   : walk(tape, i + 1, step(path, key));
      }
    } else if (entry.type == EventType::begin_list) {
      for (std::uint32_t i = index + 1; i < entry.next; i = tape[i].next) walk(tape, i, path);
    } else {
      paths_.insert(path);
    }
  }

  std::unordered_set<std::uint64_t> paths_;
};

}  // namespace

auto count_fields(const std::vector<std::string>& paths, const LoadOptions& options) -> Result<std::size_t> {
  Objects unused;
  Census census;
  PREVICT_CHECK(read_objects(paths, options, unused, census));
  return census.size();
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::capture
