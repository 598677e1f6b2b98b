#include "lint/dumps.h"

#include "lint/paths.h"
#include "lint/tree.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace previct::lint {
namespace {

/// More than half of the objects that have a name come from an API server.
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

/// Where the paths of two files part: the folder they share, and those just below it.
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
  if (parting.one.empty() || parting.other.empty()) return {};  // a file lies beside the folder of the other
  return parting;
}

/// Folders that hold several dumps beside each other: an object that an API server has had is in several of them.
class Partings {
 public:
  explicit Partings(const Tree& tree) {
    for (const Manifest& manifest : tree.manifests()) {
      if (manifest.kind != "Node" || !manifest.stored) continue;
      for (std::string at = folder_of(manifest.source->name); !at.empty(); at = folder_of(at)) with_nodes_.insert(at);
    }
    for (const Manifest& manifest : tree.manifests()) {
      if (manifest.stored && manifest.wrapper == nullptr && !manifest.name.empty()) add(manifest);
    }
  }

  /// The folder of the dump that a file is of: below the innermost of them. Empty: of all.
  [[nodiscard]] auto dump_of(const std::string& file) const -> std::string {
    for (std::string at = folder_of(file); !at.empty(); at = folder_of(at)) {
      if (shared_.find(folder_of(at)) != shared_.end()) return at;
    }
    return {};
  }

 private:
  void add(const Manifest& manifest) {
    const auto [last, added] = last_.emplace(manifest.key(), &manifest);
    const Manifest& before = *last->second;
    last->second = &manifest;
    if (added || before.source == manifest.source) return;
    const auto parting = parting_of(before.source->name, manifest.source->name);
    if (!parting) return;
    // One dump may hold an object twice, as a must-gather does with pods, which may be recreated while it is taken; but
    // its nodes once, and one UID.
    const Value uid = manifest.in("metadata.uid");
    const Value uid_before = before.in("metadata.uid");
    const bool recreated = manifest.kind == "Pod";
    const bool another = !recreated && uid && uid_before && uid.text() != uid_before.text();
    if (another || (has_nodes(parting->one) && has_nodes(parting->other))) shared_.insert(parting->shared);
  }
  [[nodiscard]] auto has_nodes(const std::string& folder) const -> bool {
    return with_nodes_.find(folder) != with_nodes_.end();
  }

  std::set<std::string> with_nodes_;
  std::set<std::string> shared_;
  std::map<std::string, const Manifest*> last_;  // by key(): files come by their names, dump after dump
};

}  // namespace

auto dumps_of(const Tree& tree) -> std::vector<Scope> {
  if (!is_dump(tree)) return {};
  const Partings partings(tree);
  std::map<std::string, Scope> dumps;
  for (const Manifest& manifest : tree.manifests()) {
    const std::string folder = partings.dump_of(manifest.source->name);
    Scope& dump = dumps.try_emplace(folder, Scope{.kind = Scope::Kind::dump, .name = folder}).first->second;
    dump.manifests.push_back(&manifest);
  }
  std::vector<const Manifest*> common;
  if (const auto rest = dumps.find(""); rest != dumps.end() && dumps.size() > 1) {
    common = std::move(rest->second.manifests);
    dumps.erase(rest);
  }
  std::vector<Scope> scopes;
  // Each of many dumps would get a copy of many objects.
  constexpr std::size_t kMostShared = 200'000;
  const bool apart = dumps.size() * common.size() > kMostShared;
  if (apart) {
    scopes.push_back({.kind = Scope::Kind::dump, .name = ".", .manifests = std::move(common), .partial = true});
    common.clear();
  }
  for (auto& [folder, dump] : dumps) {
    dump.partial = dump.partial || apart;
    if (folder.empty()) dump.name = ".";
    dump.manifests.insert(dump.manifests.end(), common.begin(), common.end());
    scopes.push_back(std::move(dump));
  }
  return scopes;
}

}  // namespace previct::lint
