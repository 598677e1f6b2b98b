#include "api/kinds_asked.h"

#include <array>
#include <optional>
#include <tuple>

namespace previct {
namespace {

// Where the objects of one kind stand in one file; nothing if there are none, or if they are not all in one.
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

}  // namespace

auto kinds_asked_in_vain(const Objects& objects) -> std::vector<std::string> {
  if (!objects.captures.empty()) return {};  // it says itself what was asked for
  const std::array stretches = {stretch_of(objects.pods), stretch_of(objects.nodes), stretch_of(objects.namespaces),
                                stretch_of(objects.priority_classes), stretch_of(objects.csi_nodes)};
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (!stretches[i]) return {};
    if (i > 0 && (stretches[i]->file != stretches[0]->file || stretches[i]->first < stretches[i - 1]->last)) return {};
  }
  std::vector<std::string> kinds;
  for (const char* kind : {"policy/PodDisruptionBudget", "PersistentVolume", "PersistentVolumeClaim",
                           "storage.k8s.io/StorageClass", "storage.k8s.io/CSIDriver"}) {
    if (!objects.counts.contains(kind) && !objects.listed.contains(kind)) kinds.emplace_back(kind);
  }
  const auto services = stretch_of(objects.services);
  if (!services || services->file != stretches[0]->file || services->first < stretches.back()->last) return kinds;
  for (const char* kind : {"ReplicationController", "apps/ReplicaSet", "apps/StatefulSet"}) {
    if (!objects.counts.contains(kind) && !objects.listed.contains(kind)) kinds.emplace_back(kind);
  }
  return kinds;
}

void take_as_listed(std::string_view kind, Objects& objects) {
  objects.listed.try_emplace(std::string(kind), 0);
}

}  // namespace previct
