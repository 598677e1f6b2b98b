#include "lint/kustomization.h"

#include "base/contains.h"
#include "base/files_read.h"
#include "base/path.h"
#include "base/text.h"
#include "lint/paths.h"

#include <algorithm>
#include <utility>

namespace previct::lint {
namespace {

auto is_remote(std::string_view path) -> bool {
  return path.find("://") != std::string_view::npos || path.starts_with("git@") || path.starts_with("github.com/") ||
         path.find("?ref=") != std::string_view::npos;
}

auto name_of(const Kustomization& kustomization) -> std::string {
  return kustomization.folder.empty() ? "." : kustomization.folder;
}

/// The entry with which one kustomization includes another.
auto entry_of(const Kustomization& from, const Kustomization& to) -> Value {
  for (const char* list : {"bases", "resources", "components"}) {
    for (const Value& entry : (*from.manifest)[list]) {
      if (resolved(from.folder, entry.text()) == to.folder) return entry;
    }
  }
  return from.manifest->root();
}

auto is_object(const Manifest& manifest) -> bool {
  return manifest.kind != "Kustomization" || manifest.group != "kustomize.config.k8s.io";
}

// Whatever in a kustomization is the name of a file (`envs`, `files` as `key=name`, plugins, charts' values): kustomize
// reads it, and so it is an input, although nothing here looks into it.
void note_named_files(const Manifest& kustomization) {
  constexpr std::size_t kLongestName = 4096;
  const std::string& path = kustomization.source->path;
  if (path.empty()) return;
  const std::string folder = path.substr(0, path.rfind('/') + 1);  // npos + 1 is 0
  const Tape& tape = kustomization.tape;
  for (std::uint32_t i = 0; i < tape.size(); ++i) {
    if (tape[i].type != EventType::scalar) continue;
    const std::string_view text = tape.text(tape[i]);
    if (text.empty() || text.size() > kLongestName || text.find('\n') != std::string_view::npos) continue;
    const std::string_view name = text.substr(text.find('=') + 1);
    if (!name.empty()) note_read(is_absolute(name) ? std::string(name) : folder + std::string(name));
  }
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
    // Components have the kind Component and are recognized by their file.
    if (manifest.kind == "Component" && manifest.group == "kustomize.config.k8s.io" &&
        by_folder_.emplace(folder_of(manifest.source->name), all_.size()).second) {
      all_.push_back({.manifest = &manifest, .folder = folder_of(manifest.source->name), .is_component = true});
      objects_.erase(manifest.source->name);
    }
  }
  for (Kustomization& each : all_) read(each);
  find_cycles();
  for (Kustomization& each : all_) {
    for (const std::size_t base : each.bases) all_[base].is_taken_in = true;
  }
}

// Follows the bases, and removes the entry that closes a cycle.
void Kustomizations::find_cycles() {
  enum class Seen : std::uint8_t { no, open, done };
  std::vector<Seen> seen(all_.size(), Seen::no);
  std::vector<bool> taken_in(all_.size(), false);
  for (const Kustomization& each : all_) {
    for (const std::size_t base : each.bases) taken_in[base] = true;
  }
  struct Step {
    std::size_t index;
    std::size_t next = 0;  // index of the next base
  };
  std::vector<Step> open;
  const auto walk_from = [&](std::size_t root) {
    if (seen[root] != Seen::no) return;
    seen[root] = Seen::open;
    open.push_back({root});
    while (!open.empty()) {
      Step& step = open.back();
      Kustomization& here = all_[step.index];
      if (step.next == here.bases.size()) {
        seen[step.index] = Seen::done;
        order_.push_back(step.index);
        open.pop_back();
        continue;
      }
      const std::size_t base = here.bases[step.next];
      if (seen[base] == Seen::open) {
        const auto from = std::find_if(open.begin(), open.end(), [&](const Step& each) { return each.index == base; });
        std::vector<std::string> folders;
        for (auto each = from; each != open.end(); ++each) folders.push_back(name_of(all_[each->index]));
        folders.push_back(name_of(all_[base]));
        cycles_.push_back({entry_of(here, all_[base]), joined(folders, ", ")});
        here.bases.erase(here.bases.begin() + static_cast<std::ptrdiff_t>(step.next));
        here.is_partial = true;
        continue;
      }
      ++step.next;
      if (seen[base] != Seen::no) continue;
      seen[base] = Seen::open;
      open.push_back({base});
    }
  };
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (!taken_in[i]) walk_from(i);
  }
  for (std::size_t i = 0; i < all_.size(); ++i) walk_from(i);
}

void Kustomizations::read(Kustomization& kustomization) {
  const Manifest& manifest = *kustomization.manifest;
  note_named_files(manifest);
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
  // The values that replacements in separate files write are unknown.
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
      base.is_component = base.is_component || components;
      if (!contains(kustomization.bases, found->second)) kustomization.bases.push_back(found->second);
    } else if (objects_.find(at) != objects_.end()) {
      if (!contains(kustomization.files, at)) kustomization.files.push_back(at);
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

auto Kustomizations::build(const Kustomization& kustomization, std::deque<Manifest>& rendered)
    -> std::vector<const Manifest*> {
  const std::size_t wanted = by_folder_.find(kustomization.folder)->second;
  std::set<std::size_t> needed = {wanted};
  for (std::vector<std::size_t> open = {wanted}; !open.empty();) {
    const std::size_t each = open.back();
    open.pop_back();
    for (const std::size_t base : all_[each].bases) {
      if (needed.insert(base).second) open.push_back(base);
    }
  }
  for (const std::size_t each : order_) {
    if (needed.contains(each) && !built_.contains(each)) built_[each] = made_by(all_[each], rendered);
  }
  return built_[wanted];
}

auto Kustomizations::made_by(const Kustomization& kustomization, std::deque<Manifest>& rendered)
    -> std::vector<const Manifest*> {
  std::vector<const Manifest*> objects;
  std::set<const Manifest*> there;  // objects so far; kustomize refuses an unchanged object that is included twice
  const auto add = [&](const std::vector<const Manifest*>& more) {
    for (const Manifest* each : more) {
      if (there.insert(each).second && work_.spend(KustomizeWork::kOfPassing + each->name.size()))
        objects.push_back(each);
    }
  };
  for (const std::size_t base : kustomization.bases) {
    if (!all_[base].is_component) add(built_[base]);
  }
  for (const std::string& file : kustomization.files) add(objects_.find(file)->second);
  // A component transforms the objects so far.
  for (const std::size_t base : kustomization.bases) {
    if (!all_[base].is_component) continue;
    add(built_[base]);
    transform(*all_[base].manifest, patches_of(all_[base]), objects, rendered, work_);
  }
  if (!kustomization.is_component)
    transform(*kustomization.manifest, patches_of(kustomization), objects, rendered, work_);
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

}  // namespace previct::lint
