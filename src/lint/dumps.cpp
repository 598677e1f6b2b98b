#include "lint/dumps.h"

#include "lint/paths.h"
#include "lint/tree.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace previct::lint {
namespace {

/// Returns true if more than half of the named objects come from an API server.
auto is_dump(const Tree& tree) -> bool {
  std::size_t stored = 0;
  std::size_t named = 0;
  bool live = false;
  for (const Manifest& manifest : tree.manifests()) {
    if (manifest.wrapper != nullptr || manifest.name.empty()) continue;
    ++named;
    stored += manifest.in("metadata.uid") || manifest.in("metadata.resourceVersion") ? 1U : 0U;
    live = live || (manifest.kind == "Node" && manifest["status"]) ||
           (manifest.kind == "Pod" && manifest.in("spec.nodeName"));
  }
  return live && stored * 2 > named;
}

/// Where the paths of two files diverge: the folder they share, and the folders just below it.
struct Parting {
  std::string shared;
  std::string one;
  std::string other;
};

auto parting_of(const std::string& one, const std::string& other) -> std::optional<Parting> {
  std::string shared = folder_of(one);
  while (!is_below(folder_of(other), shared)) shared = folder_of(shared);
  const auto below = [&](const std::string& file) {
    const std::size_t end = file.find('/', shared.empty() ? 0 : shared.size() + 1);
    return end == std::string::npos ? std::string() : file.substr(0, end);
  };
  Parting parting{shared, below(one), below(other)};
  if (parting.one.empty() || parting.other.empty()) return {};  // one file is in a parent folder of the other
  return parting;
}

/// Folders that hold several dumps side by side: an object of one API server is in several of them.
class Partings {
 public:
  explicit Partings(const Tree& tree) {
    for (const Manifest& manifest : tree.manifests()) {
      if (manifest.kind != "Node" || !manifest.stored) continue;
      with_nodes_.insert(manifest.source->name);
      for (std::string at = folder_of(manifest.source->name); !at.empty(); at = folder_of(at)) with_nodes_.insert(at);
    }
    for (const Manifest& manifest : tree.manifests()) {
      if (manifest.stored && manifest.wrapper == nullptr && !manifest.name.empty()) add(manifest);
    }
  }

  /// The folder of the dump that a file belongs to, just below the innermost shared folder; the file itself, if it is
  /// one of several captures. Empty: the file belongs to all dumps.
  [[nodiscard]] auto dump_of(const std::string& file) const -> std::string {
    if (is_capture(file)) return file;
    for (std::string at = folder_of(file); !at.empty(); at = folder_of(at)) {
      if (shared_.find(folder_of(at)) != shared_.end()) return at;
    }
    return {};
  }

  [[nodiscard]] auto is_capture(const std::string& file) const -> bool {
    return captures_.find(file) != captures_.end();
  }
  [[nodiscard]] auto has_nodes(const std::string& path) const -> bool {
    return with_nodes_.find(path) != with_nodes_.end();
  }

 private:
  void add(const Manifest& manifest) {
    const Manifest*& last = last_.emplace(manifest.key(), &manifest).first->second;
    const Manifest& before = *std::exchange(last, &manifest);
    if (before.source == manifest.source) return;  // or it is the first of its key
    if (folder_of(before.source->name) == folder_of(manifest.source->name)) return add_captures(before, manifest);
    const auto parting = parting_of(before.source->name, manifest.source->name);
    if (!parting) return;
    // One dump may hold a pod twice with different UIDs, as a must-gather does if the pod is recreated meanwhile; but
    // any node only once, and any other object with one UID.
    const Value uid = manifest.in("metadata.uid");
    const Value uid_before = before.in("metadata.uid");
    const bool recreated = manifest.kind == "Pod";
    const bool another = !recreated && uid && uid_before && uid.text() != uid_before.text();
    if (another || (has_nodes(parting->one) && has_nodes(parting->other))) shared_.insert(parting->shared);
  }
  /// Recognizes two captures of one object, in two files of one folder: `before.yaml` and `after.yaml`. The same state
  /// may well be in two files of one dump, such as the nodes in `nodes.yaml` and `all.yaml`.
  void add_captures(const Manifest& before, const Manifest& manifest) {
    const bool changed = std::any_of(kIdentities.begin(), kIdentities.end(), [&](const char* path) {
      const Value was = before.in(path);
      const Value is = manifest.in(path);
      return was && is && was.text() != is.text();
    });
    if (changed) captures_.insert({before.source->name, manifest.source->name});
  }

  static constexpr std::array kIdentities = {"metadata.uid", "metadata.resourceVersion"};
  std::set<std::string> with_nodes_;  // folders and files
  std::set<std::string> shared_;
  std::set<std::string> captures_;
  std::map<std::string, const Manifest*> last_;  // by key(); files come in the order of their names, one dump at a time
};

/// Adds objects outside the dumps of a folder, such as classes common to all of them, to each dump.
void share(const std::string& folder, Scope& dump, std::vector<Scope>& scopes) {
  std::vector<Scope*> below;
  for (Scope& scope : scopes) {
    if (scope.name != folder && is_below(scope.name, folder)) below.push_back(&scope);
  }
  if (folder.empty()) dump.name = ".";
  // With many dumps, each would get a copy of many objects.
  constexpr std::size_t kMostShared = 200'000;
  const bool apart = below.size() * dump.manifests.size() > kMostShared;
  for (Scope* scope : below) {
    scope->partial = scope->partial || apart;
    if (!apart) scope->manifests.insert(scope->manifests.end(), dump.manifests.begin(), dump.manifests.end());
  }
  if (!below.empty() && !apart) return;
  dump.partial = dump.partial || apart;
  scopes.push_back(std::move(dump));
}

}  // namespace

auto dumps_of(const Tree& tree) -> std::vector<Scope> {
  if (!is_dump(tree)) return {};
  const Partings partings(tree);
  std::map<std::string, Scope> dumps;
  for (const Manifest& manifest : tree.manifests()) {
    const std::string path = partings.dump_of(manifest.source->name);
    Scope& dump = dumps.try_emplace(path, Scope{.kind = Scope::Kind::dump, .name = path}).first->second;
    // A capture without its own nodes may cover only a part of the cluster.
    dump.partial = partings.is_capture(path) && !partings.has_nodes(path);
    dump.manifests.push_back(&manifest);
  }
  std::vector<Scope> scopes;
  for (auto each = dumps.rbegin(); each != dumps.rend(); ++each) share(each->first, each->second, scopes);
  std::reverse(scopes.begin(), scopes.end());
  return scopes;
}

}  // namespace previct::lint
