#include "lint/scope.h"

#include "base/ascii.h"
#include "base/glob.h"
#include "lint/dumps.h"
#include "lint/kinds.h"
#include "lint/kustomization.h"
#include "lint/paths.h"
#include "lint/settings.h"
#include "lint/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace previct::lint {
namespace {

using ByFile = std::map<std::string, std::vector<const Manifest*>>;

/// `pdb.patch.yaml`, `patches.yaml`, but not `dispatcher.yaml`.
auto is_patch_name(std::string_view file) -> bool {
  constexpr std::string_view kPatch = "patch";
  const std::string_view name = base_name(file);
  for (std::size_t at = name.find(kPatch); at != std::string_view::npos; at = name.find(kPatch, at + 1)) {
    const std::string_view rest = name.substr(at + kPatch.size());
    const bool begins = at == 0 || !is_letter(name[at - 1]);
    if (begins && (rest.empty() || rest.starts_with("es") || rest.starts_with("ed") || !is_letter(rest.front())))
      return true;
  }
  return false;
}

class Builder {
 public:
  Builder(const Tree& tree, Rendered& rendered) : tree_(tree), kustomizations_(tree.manifests()), rendered_(rendered) {
    for (const KustomizationCycle& cycle : kustomizations_.cycles()) {
      const Manifest& manifest = cycle.entry.manifest();
      const Tape::Entry& place = manifest.tape[cycle.entry.index()];
      rendered.broken.push_back(
          {manifest.source, place.line, place.column, fmt::format("kustomize refuses this cycle: {}", cycle.folders)});
    }
    for (const std::string& file : tree.templates()) templated_.insert(folder_of(file));
    for (const Manifest& manifest : tree.manifests()) {
      if (is_for_kustomize(manifest)) continue;
      files_[manifest.source->name].push_back(&manifest);
    }
  }

  auto build(const std::vector<NamedScope>& named) -> std::vector<Scope> {
    for (const NamedScope& each : named) add_named(each);
    for (const Kustomization& each : kustomizations_.all()) add_kustomization(each);
    for (const std::string& file : kustomizations_.used()) taken_.insert(file);
    add_applications();
    add_charts();
    add_folders();
    std::stable_sort(scopes_.begin(), scopes_.end(), [](const Scope& a, const Scope& b) { return a.name < b.name; });
    return std::move(scopes_);
  }

 private:
  /// Returns true for files of kustomize that are not objects.
  static auto is_for_kustomize(const Manifest& manifest) -> bool {
    return manifest.group == "kustomize.config.k8s.io" || manifest.kind == kind::kOperations;
  }

  void add(Scope scope) {
    if (!scope.manifests.empty()) scopes_.push_back(std::move(scope));
  }

  /// Adds all objects of a file to a scope, and marks the file as used.
  void take(const std::string& file, Scope& scope) {
    const auto found = files_.find(file);
    if (found == files_.end()) return;
    scope.manifests.insert(scope.manifests.end(), found->second.begin(), found->second.end());
    taken_.insert(file);
  }

  void add_named(const NamedScope& named) {
    Scope scope{.kind = Scope::Kind::named, .name = named.name};
    for (const auto& [file, manifests] : files_) {
      const bool meant =
          std::any_of(named.paths.begin(), named.paths.end(), [&, &name = file](const std::string& path) {
            return is_below(name, resolved("", path)) || matches_glob(path, name);
          });
      if (meant) take(file, scope);
    }
    add(std::move(scope));
  }

  /// Returns false if the folder was not rendered.
  auto add_rendered(Scope::Kind kind, const std::string& folder) -> bool {
    const std::string* text = tree_.rendered_of(folder);
    if (text == nullptr) return false;
    Scope scope{.kind = kind, .name = folder.empty() ? "." : folder};
    take(*text, scope);
    add(std::move(scope));
    return true;
  }

  void add_kustomization(const Kustomization& each) {
    if (each.is_taken_in || add_rendered(Scope::Kind::kustomization, each.folder) ||
        taken_.find(each.manifest->source->name) != taken_.end())
      return;
    Scope scope{.kind = Scope::Kind::kustomization, .name = each.folder.empty() ? "." : each.folder};
    scope.manifests = kustomizations_.build(each, rendered_.objects);
    rendered_.exceeded = kustomizations_.exceeded();
    scope.kustomized = true;
    scope.partial = each.is_component || kustomizations_.is_partial(each) || rendered_.exceeded;
    add(std::move(scope));
  }

  /// Flux and Argo CD apply the folder in their spec, unless it contains a kustomization.
  void add_applications() {
    for (const Manifest& manifest : tree_.manifests()) {
      if (manifest.kind == "Kustomization" && manifest.group == "kustomize.toolkit.fluxcd.io") {
        add_application(manifest, manifest.in("spec.path"), true, true);
      } else if (manifest.kind == "Application" && manifest.group == "argoproj.io") {
        const Value source = manifest.in("spec.source");
        add_application(manifest, source["path"], source.in("directory.recurse").is("true"), false);
        for (const Value& each : manifest.in("spec.sources")) {
          add_application(manifest, each["path"], each.in("directory.recurse").is("true"), false);
        }
      }
    }
  }

  /// `kustomized`: by Flux, which generates a kustomization for all files below the folder.
  void add_application(const Manifest& manifest, const Value& path, bool deep, bool kustomized) {
    const std::string folder = resolved("", path.text());
    if (folder.empty() || folder.starts_with("..") || !applied_.insert(folder).second) return;
    Scope scope{.kind = Scope::Kind::application, .name = folder, .kustomized = kustomized};
    // Paths are relative to the root of the repository: that is the input, or a folder above the application.
    for (std::string root = folder_of(manifest.source->name);; root = folder_of(root)) {
      const std::string at = resolved(root, folder);
      if (kustomizations_.in(at) == nullptr && tree_.charts().find(at) == tree_.charts().end()) {
        for (const auto& [file, manifests] : files_) {
          const bool inside = deep ? is_below(file, at) : folder_of(file) == at;
          if (inside && taken_.find(file) == taken_.end()) take(file, scope);
        }
      }
      if (!scope.manifests.empty() || root.empty()) break;
    }
    scope.partial = true;  // other applications belong to the same cluster
    add(std::move(scope));
  }

  void add_charts() {
    for (const std::string& chart : tree_.charts()) {
      if (!add_rendered(Scope::Kind::chart, chart)) continue;
      const std::string templates = resolved(chart, "templates");
      for (const auto& [file, manifests] : files_) {
        if (is_below(file, templates)) taken_.insert(file);  // the rendered text replaces them
      }
    }
    // A file belongs to its innermost chart.
    std::map<std::string, std::vector<std::string>> charts;
    for (const auto& [file, manifests] : files_) {
      if (taken_.find(file) != taken_.end()) continue;
      for (std::string folder = folder_of(file);; folder = folder_of(folder)) {
        if (tree_.charts().find(folder) != tree_.charts().end()) {
          charts[folder].push_back(file);
          break;
        }
        if (folder.empty()) break;
      }
    }
    for (const auto& [folder, files] : charts) {
      ByFile of;
      for (const std::string& file : files) of.emplace(file, files_.find(file)->second);
      add_together(Scope::Kind::chart, folder, of, true);
    }
  }

  /// Returns true for a patch that the kustomization of its folder does not use, or no longer uses.
  [[nodiscard]] auto is_stray_patch(const std::string& file) const -> bool {
    return is_patch_name(file) && kustomizations_.in(folder_of(file)) != nullptr;
  }

  void add_folders() {
    std::map<std::string, ByFile> folders;
    for (const auto& [file, manifests] : files_) {
      if (taken_.find(file) != taken_.end() || is_stray_patch(file)) continue;
      folders[folder_of(file)].emplace(file, manifests);
    }
    for (const auto& [folder, files] : folders) add_together(Scope::Kind::folder, folder, files, false);
  }

  void add_together(Scope::Kind kind, const std::string& folder, const ByFile& files, bool partial) {
    const std::set<std::string> variants = variants_of(files);
    Scope common{.kind = kind, .name = folder.empty() ? "." : folder};
    for (const auto& [file, manifests] : files) {
      if (variants.find(file) == variants.end()) take(file, common);
    }
    common.partial = partial || templated_.find(folder) != templated_.end();
    // Each variant is combined with the other files, up to a limit: a folder of samples is no cluster.
    constexpr std::size_t kMostCompared = 20'000;
    const bool many = common.manifests.size() * variants.size() > kMostCompared;
    if (many) add(common);
    if (many) common.manifests.clear();
    for (const std::string& file : variants) {
      Scope scope{.kind = Scope::Kind::file, .name = file, .manifests = common.manifests, .partial = common.partial};
      take(file, scope);
      add(std::move(scope));
    }
    if (variants.empty()) add(std::move(common));
  }

  /// Files that define an object that another file defines too: variants, of which one is applied.
  static auto variants_of(const ByFile& files) -> std::set<std::string> {
    std::map<std::string, const std::string*> first;
    std::set<std::string> variants;
    for (const auto& [file, manifests] : files) {
      for (const Manifest* manifest : manifests) {
        if (manifest->wrapper != nullptr || manifest->name.empty()) continue;
        const auto [other, added] = first.emplace(manifest->key(), &file);
        if (added || other->second == &file) continue;
        variants.insert(file);
        variants.insert(*other->second);
      }
    }
    return variants;
  }

  const Tree& tree_;
  Kustomizations kustomizations_;
  Rendered& rendered_;
  ByFile files_;
  std::set<std::string> taken_;
  std::set<std::string> applied_;
  std::set<std::string> templated_;  // folders that contain templates
  std::vector<Scope> scopes_;
};

/// An unreadable file may contain objects that are applied together with the files of its folder.
void mark_partial(std::vector<Scope>& scopes, const std::vector<BrokenText>& broken) {
  std::set<std::string> folders;
  for (const BrokenText& each : broken) folders.insert(folder_of(each.source->name));
  if (folders.empty()) return;
  for (Scope& scope : scopes) {
    scope.partial =
        scope.partial || std::any_of(scope.manifests.begin(), scope.manifests.end(), [&](const Manifest* m) {
          return folders.find(folder_of(m->source->name)) != folders.end();
        });
  }
}

}  // namespace

auto scope_kind_name(Scope::Kind kind) -> std::string_view {
  switch (kind) {
    case Scope::Kind::named: return "named";
    case Scope::Kind::kustomization: return "kustomization";
    case Scope::Kind::chart: return "chart";
    case Scope::Kind::application: return "application";
    case Scope::Kind::folder: return "folder";
    case Scope::Kind::file: return "file";
    case Scope::Kind::dump: return "dump";
    case Scope::Kind::input: return "input";
  }
  return {};
}

auto scopes_of(const Tree& tree, const std::vector<NamedScope>& named, Rendered& rendered) -> std::vector<Scope> {
  std::vector<Scope> scopes = named.empty() ? dumps_of(tree) : std::vector<Scope>();
  if (scopes.empty()) scopes = Builder(tree, rendered).build(named);
  mark_partial(scopes, tree.broken());
  return scopes;
}

}  // namespace previct::lint
