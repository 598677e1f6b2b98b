#include "api/overtaken.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace previct {
namespace {

/// Lists of pods, by the files that they are in.
class Dumps {
 public:
  explicit Dumps(const Objects& objects) {
    for (const Pod& pod : objects.pods) {
      const FileId file = pod.meta.source.file;
      if (objects.lists.contains(file) && !objects.files.live(file)) files_.insert(file);
    }
    if (files_.size() < 2) return;
    for (const Pod& pod : objects.pods) {
      see(pod.meta);
      covered_.emplace(pod.meta.source.file, pod.meta.ns);
      held_.emplace(pod.meta.source.file, std::pair(pod.meta.ns, pod.meta.name));
    }
    for (const Node& node : objects.nodes) see(node.meta);
    for (const auto& [uid, states] : states_) compare(states);
  }

  /// Is there a later dump that has pods of its namespace, and not this one?
  [[nodiscard]] auto overtaken(const Pod& pod) const -> bool {
    const FileId file = pod.meta.source.file;
    return std::any_of(files_.begin(), files_.end(), [&](FileId other) {
      return later_.contains({file, other}) && !later_.contains({other, file}) &&
             covered_.contains({other, pod.meta.ns}) && !held_.contains({other, std::pair(pod.meta.ns, pod.meta.name)});
    });
  }

 private:
  using States = std::map<FileId, std::int64_t>;

  void see(const ObjectMeta& meta) {
    if (!meta.uid || meta.resource_version == 0 || !files_.contains(meta.source.file)) return;
    states_[meta.uid.index][meta.source.file] = meta.resource_version;
  }
  void compare(const States& states) {
    for (const auto& [file, version] : states) {
      for (const auto& [other, its] : states) {
        if (version < its) later_.emplace(file, other);
      }
    }
  }

  std::set<FileId> files_;
  std::unordered_map<std::uint32_t, States> states_;  // by uid
  std::set<std::pair<FileId, FileId>> later_;         // an earlier one, and a later one
  std::set<std::pair<FileId, Symbol>> covered_;       // with the namespaces of their pods
  std::set<std::pair<FileId, std::pair<Symbol, Symbol>>> held_;
};

}  // namespace

void note_overtaken_pods(Objects& objects) {
  objects.overtaken_pods = {};
  const Dumps dumps(objects);
  for (const Pod& pod : objects.pods) {
    const std::string_view phase = objects.symbols.text(pod.status.phase);
    if (!pod.spec.node_name || phase == "Succeeded" || phase == "Failed" || !dumps.overtaken(pod)) continue;
    objects.overtaken_pods.add({1, pod.meta.source});
  }
}

}  // namespace previct
