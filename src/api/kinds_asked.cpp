#include "api/kinds_asked.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <tuple>

namespace previct {
namespace {

// The range of places of all objects of one kind in one file; none if there are no objects, or if they are in several
// files.
struct Stretch {
  FileId file;
  std::tuple<std::uint32_t, std::uint32_t> first;
  std::tuple<std::uint32_t, std::uint32_t> last;
};

template <class Store>
auto stretch_of(const Store& store) -> std::optional<Stretch> {
  std::optional<Stretch> found;
  for (const auto& object : store) {
    const Source& source = object.meta.source;
    const std::tuple at(source.line, source.column);
    if (!found) found = Stretch{source.file, at, at};
    if (found->file != source.file) return {};
    found->first = std::min(found->first, at);
    found->last = std::max(found->last, at);
  }
  return found;
}

// Returns true if the first objects are in one file, in this order: the others are not looked at without need.
template <class... Stores>
auto begin_in_order(const Stores&... stores) -> bool {
  std::vector<std::tuple<FileId, std::uint32_t, std::uint32_t>> begins;
  const auto note = [&](const auto& store) {
    if (store.empty()) return;
    const Source& source = store.begin()->meta.source;
    begins.emplace_back(source.file, source.line, source.column);
  };
  (note(stores), ...);
  return begins.size() == sizeof...(stores) && std::is_sorted(begins.begin(), begins.end()) &&
         std::get<FileId>(begins.front()) == std::get<FileId>(begins.back());
}

}  // namespace

auto requested_kinds_without_objects(const Objects& objects) -> std::vector<const KindInfo*> {
  if (!objects.captures.empty()) return {};  // a capture records which kinds were requested
  if (!begin_in_order(objects.pods, objects.nodes, objects.namespaces, objects.priority_classes, objects.csi_nodes))
    return {};
  const std::array stretches = {stretch_of(objects.pods), stretch_of(objects.nodes), stretch_of(objects.namespaces),
                                stretch_of(objects.priority_classes), stretch_of(objects.csi_nodes)};
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (!stretches[i]) return {};
    if (i > 0 && (stretches[i]->file != stretches[0]->file || stretches[i]->first < stretches[i - 1]->last)) return {};
  }
  std::vector<const KindInfo*> missing;
  const auto note = [&](std::initializer_list<const KindInfo*> kinds) {
    std::copy_if(kinds.begin(), kinds.end(), std::back_inserter(missing), [&](const KindInfo* kind) {
      const std::string key(kind->key);
      return !objects.counts.contains(key) && !objects.listed.contains(key);
    });
  };
  note({&kinds::disruption_budgets, &kinds::persistent_volumes, &kinds::persistent_volume_claims,
        &kinds::storage_classes, &kinds::csi_drivers});
  const auto services = stretch_of(objects.services);
  if (!services || services->file != stretches[0]->file || services->first < stretches.back()->last) return missing;
  note({&kinds::replication_controllers, &kinds::replica_sets, &kinds::stateful_sets});
  return missing;
}

void mark_as_listed(const KindInfo& kind, Objects& objects) {
  objects.listed.try_emplace(std::string(kind.key), 0);
}

}  // namespace previct
