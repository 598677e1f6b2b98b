#include "lint/kustomization.h"

#include "lint/paths.h"

namespace previct::lint {
// NOLINTBEGIN(misc-no-recursion): no deeper than kDeepest
namespace {

constexpr std::size_t kDeepest = 32;

auto is_remote(std::string_view path) -> bool {
  return path.find("://") != std::string_view::npos || path.starts_with("git@") || path.starts_with("github.com/") ||
         path.find("?ref=") != std::string_view::npos;
}

auto is_object(const Manifest& manifest) -> bool {
  return manifest.kind != "Kustomization" || manifest.group != "kustomize.config.k8s.io";
}

}  // namespace

Kustomizations::Kustomizations(const std::deque<Manifest>& manifests) {
  for (const Manifest& manifest : manifests) {
    const std::string& file = manifest.source->name;
    if (is_object(manifest)) {
      objects_[file].push_back(&manifest);
    } else if (manifest.wrapper == nullptr && by_folder_.emplace(folder_of(file), all_.size()).second) {
      all_.push_back({.manifest = &manifest, .folder = folder_of(file)});
    }
  }
  for (const Manifest& manifest : manifests) {
    // Components are of kind Component; they are told by their file.
    if (manifest.kind == "Component" && manifest.group == "kustomize.config.k8s.io" &&
        by_folder_.emplace(folder_of(manifest.source->name), all_.size()).second) {
      all_.push_back({.manifest = &manifest, .folder = folder_of(manifest.source->name), .is_component = true});
      objects_.erase(manifest.source->name);
    }
  }
  for (Kustomization& each : all_) read(each);
}

void Kustomizations::read(Kustomization& kustomization) {
  const Manifest& manifest = *kustomization.manifest;
  used_.insert(manifest.source->name);
  take_in(kustomization, manifest["bases"], false);
  take_in(kustomization, manifest["resources"], false);
  take_in(kustomization, manifest["components"], true);
  const auto uses = [&](std::string_view path) {
    if (path.empty() || path.find('\n') != std::string_view::npos) return;
    const std::string file = resolved(kustomization.folder, path);
    kustomization.other_files.push_back(file);
    used_.insert(file);
  };
  for (const char* list : {"patches", "patchesJson6902", "replacements"}) {
    for (const Value& each : manifest[list]) uses(each["path"].text());
  }
  for (const char* list : {"patchesStrategicMerge", "configurations", "transformers", "validators", "generators"}) {
    for (const Value& each : manifest[list]) uses(each.text());
  }
  for (const char* list : {"helmCharts", "helmChartInflationGenerator"}) {
    for (const Value& each : manifest[list]) {
      uses(each["valuesFile"].text());
      for (const Value& file : each["additionalValuesFiles"]) uses(file.text());
    }
  }
  // The values that replacements in separate files write are not known.
  for (const Value& each : manifest["replacements"]) {
    kustomization.is_partial = kustomization.is_partial || each["path"];
  }
  for (const char* list : {"generators", "helmCharts", "helmChartInflationGenerator", "transformers"}) {
    kustomization.is_partial = kustomization.is_partial || manifest[list].size() > 0;
  }
}

void Kustomizations::take_in(Kustomization& kustomization, const Value& list, bool components) {
  for (const Value& entry : list) {
    const std::string_view path = entry.text();
    if (path.empty()) continue;
    const std::string at = resolved(kustomization.folder, path);
    if (const auto found = by_folder_.find(at); found != by_folder_.end() && !is_remote(path)) {
      Kustomization& base = all_[found->second];
      base.is_taken_in = true;
      base.is_component = base.is_component || components;
      kustomization.bases.push_back(found->second);
    } else if (objects_.find(at) != objects_.end()) {
      kustomization.files.push_back(at);
      used_.insert(at);
    } else {
      used_.insert(at);
      kustomization.is_partial = true;
    }
  }
}

auto Kustomizations::in(std::string_view folder) const -> const Kustomization* {
  const auto found = by_folder_.find(folder);
  return found == by_folder_.end() ? nullptr : &all_[found->second];
}

auto Kustomizations::is_partial(const Kustomization& kustomization) const -> bool {
  std::set<std::size_t> seen;
  std::vector<const Kustomization*> open = {&kustomization};
  while (!open.empty()) {
    const Kustomization* each = open.back();
    open.pop_back();
    if (each->is_partial) return true;
    for (const std::size_t base : each->bases) {
      if (seen.insert(base).second) open.push_back(&all_[base]);
    }
  }
  return false;
}

auto Kustomizations::build(const Kustomization& kustomization, std::deque<Manifest>& rendered) const
    -> std::vector<const Manifest*> {
  return build(by_folder_.find(kustomization.folder)->second, rendered, 0);
}

auto Kustomizations::build(std::size_t index, std::deque<Manifest>& rendered, std::size_t depth) const
    -> std::vector<const Manifest*> {
  const Kustomization& kustomization = all_[index];
  std::vector<const Manifest*> objects;
  if (depth > kDeepest) return objects;
  std::vector<std::size_t> components;
  for (const std::size_t base : kustomization.bases) {
    if (all_[base].is_component) {
      components.push_back(base);
      continue;
    }
    for (const Manifest* each : build(base, rendered, depth + 1)) objects.push_back(each);
  }
  for (const std::string& file : kustomization.files) {
    for (const Manifest* each : objects_.find(file)->second) objects.push_back(each);
  }
  // A component works on what is there so far.
  for (const std::size_t component : components) {
    for (const Manifest* each : build(component, rendered, depth + 1)) objects.push_back(each);
    transform(*all_[component].manifest, patches_of(all_[component]), objects, rendered);
  }
  if (!kustomization.is_component) transform(*kustomization.manifest, patches_of(kustomization), objects, rendered);
  return objects;
}

auto Kustomizations::patches_of(const Kustomization& kustomization) const -> PatchFiles {
  PatchFiles files;
  for (const std::string& file : kustomization.other_files) {
    const auto found = objects_.find(file);
    if (found != objects_.end()) files[file] = found->second;
  }
  return files;
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::lint
