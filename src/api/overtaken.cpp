#include "api/overtaken.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace previct {
namespace {

/// Compares lists of pods by age; each file is one dump.
class Dumps {
 public:
  explicit Dumps(const Objects& objects) {
    for (const Pod& pod : objects.pods) {
      const FileId file = pod.meta.source.file;
      if (objects.lists.contains(file) && !objects.files.live(file)) files_.insert(file);
    }
    if (files_.size() > 1) put_in_order(objects);
    if (later_.empty()) return;
    for (const Pod& pod : objects.pods) {
      covered_.emplace(pod.meta.source.file, pod.meta.ns);
      held_.emplace(pod.meta.source.file, std::pair(pod.meta.ns, pod.meta.name));
    }
  }

  /// Returns true if no dump is earlier than another, which is nearly always so.
  [[nodiscard]] auto of_one_moment() const -> bool { return later_.empty(); }

  /// Returns true if a later dump has pods of the pod's namespace, but not this pod.
  [[nodiscard]] auto overtaken(const Pod& pod) const -> bool {
    const FileId file = pod.meta.source.file;
    return std::any_of(files_.begin(), files_.end(), [&](FileId other) {
      return later_.contains({file, other}) && !later_.contains({other, file}) &&
             covered_.contains({other, pod.meta.ns}) && !held_.contains({other, std::pair(pod.meta.ns, pod.meta.name)});
    });
  }

 private:
  /// An object in one of the dumps.
  struct Seen {
    std::uint32_t uid = 0;
    FileId file;
    std::int64_t version = 0;
  };

  void put_in_order(const Objects& objects) {
    std::vector<Seen> seen;
    const auto see = [&](const ObjectMeta& meta) {
      if (meta.uid && meta.resource_version != 0 && files_.contains(meta.source.file))
        seen.push_back({meta.uid.index, meta.source.file, meta.resource_version});
    };
    for (const Pod& pod : objects.pods) see(pod.meta);
    for (const Node& node : objects.nodes) see(node.meta);
    // The last version of an object in a file counts.
    const auto place = [](const Seen& each) { return std::pair(each.uid, each.file); };
    std::stable_sort(seen.begin(), seen.end(), [&](const Seen& a, const Seen& b) { return place(a) < place(b); });
    const auto same = [&](const Seen& a, const Seen& b) { return place(a) == place(b); };
    seen.erase(seen.begin(), std::unique(seen.rbegin(), seen.rend(), same).base());
    for (auto first = seen.begin(); first != seen.end();) {
      const auto end = std::find_if(first, seen.end(), [&](const Seen& each) { return each.uid != first->uid; });
      for (auto a = first; a != end; ++a) {
        for (auto b = first; b != end; ++b) {
          if (a->version < b->version) later_.emplace(a->file, b->file);
        }
      }
      first = end;
    }
  }

  std::set<FileId> files_;
  std::set<std::pair<FileId, FileId>> later_;    // pairs of an earlier and a later file
  std::set<std::pair<FileId, Symbol>> covered_;  // files with the namespaces of their pods
  std::set<std::pair<FileId, std::pair<Symbol, Symbol>>> held_;
};

}  // namespace

void note_overtaken_pods(Objects& objects) {
  objects.overtaken_pods = {};
  const Dumps dumps(objects);
  if (dumps.of_one_moment()) return;
  for (const Pod& pod : objects.pods) {
    const std::string_view phase = objects.symbols.text(pod.status.phase);
    if (!pod.spec.node_name || phase == "Succeeded" || phase == "Failed" || !dumps.overtaken(pod)) continue;
    objects.overtaken_pods.add({1, pod.meta.source});
  }
}

}  // namespace previct
