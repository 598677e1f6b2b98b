#include "lint/repository.h"

#include "api/upstream.h"
#include "base/go.h"

#include <algorithm>

namespace previct::lint {

auto PodShape::scheduler() const -> std::string_view {
  const std::string_view name = spec["schedulerName"].text();
  return name.empty() ? upstream::kDefaultScheduler : name;
}

Repository::Repository(const Tree& tree, const Scope& scope) : tree_(tree), scope_(scope), manifests_(scope.manifests) {
  for (const Manifest& manifest : manifests_) {
    const std::string kind = kind_of(manifest);
    by_kind_[kind].push_back(&manifest);
    add_pods_of(manifest);
    if (kind == kind::kPriorityClass) add_class(manifest);
  }
  for (const upstream::SystemClass& each : {upstream::kClusterCritical, upstream::kNodeCritical}) {
    if (find_class(each.name) == nullptr) classes_.push_back({.name = std::string(each.name), .value = each.value});
  }
  for (const PriorityClassShape& each : classes_) {
    if (each.manifest == nullptr || each.never_preempts || !each.value) continue;
    const auto rank = [](const PriorityClassShape& of) { return std::pair(-*of.value, std::string_view(of.name)); };
    if (highest_ == nullptr || rank(each) < rank(*highest_)) highest_ = &each;
  }
}

void Repository::add_pods_of(const Manifest& manifest) {
  if (manifest.kind == "CustomResourceDefinition") return;
  const bool owned = static_cast<bool>(manifest.in("metadata.ownerReferences"));
  if (manifest.kind == "Pod" && manifest.group.empty()) {
    const Value spec = manifest["spec"];
    const std::string_view phase = manifest.in("status.phase").text();
    const bool finished = phase == "Succeeded" || phase == "Failed";
    const bool bound = spec["nodeName"] && !finished;
    running_ = running_ || bound;
    pods_.push_back({&manifest, manifest["metadata"], spec, true, owned, bound, finished});
    return;
  }
  const Tape& tape = manifest.tape;
  for (std::uint32_t i = 0; i + 1 < tape.size(); ++i) {
    if (tape[i].type != EventType::scalar || tape[i + 1].type != EventType::begin_map ||
        tape.text(tape[i]) != "template")
      continue;
    const Value at(manifest, i + 1, i);
    if (at["spec"]["containers"].is_list()) {
      pods_.push_back({&manifest, at["metadata"], at["spec"], false, owned, false, false});
    }
  }
}

void Repository::add_class(const Manifest& manifest) {
  PriorityClassShape shape{.manifest = &manifest, .name = manifest.name};
  const Value value = manifest["value"];
  shape.value = value ? go::parse_int(value.is_string() ? "" : value.text(), 32) : std::int64_t{0};
  shape.global_default = manifest["globalDefault"].is("true");
  shape.never_preempts = manifest["preemptionPolicy"].is("Never");
  classes_.push_back(std::move(shape));
}

auto Repository::is_whole() const -> bool {
  const Scope::Kind kind = scope_.kind;
  return running_ || kind == Scope::Kind::input || kind == Scope::Kind::dump || kind == Scope::Kind::named;
}

auto Repository::of(std::string_view kind) const -> const std::vector<const Manifest*>& {
  static const std::vector<const Manifest*> kNoManifests;
  const auto found = by_kind_.find(kind);
  return found == by_kind_.end() ? kNoManifests : found->second;
}

auto Repository::find_class(std::string_view name) const -> const PriorityClassShape* {
  const auto found =
      std::find_if(classes_.begin(), classes_.end(), [&](const PriorityClassShape& c) { return c.name == name; });
  return found == classes_.end() ? nullptr : &*found;
}

auto Repository::default_class() const -> const PriorityClassShape* {
  const PriorityClassShape* lowest = nullptr;
  for (const PriorityClassShape& each : classes_) {
    if (each.global_default && each.value && (lowest == nullptr || *each.value < *lowest->value)) lowest = &each;
  }
  return lowest;
}

auto Repository::class_above(std::int64_t priority) const -> const PriorityClassShape* {
  return highest_ != nullptr && *highest_->value > priority ? highest_ : nullptr;
}

auto Repository::priority_of(const PodShape& pod) const -> std::optional<std::int64_t> {
  if (pod.is_pod && (pod.bound || pod.manifest->stored)) {
    if (const Value priority = pod.spec["priority"]) return go::parse_int(priority.text(), 32);
  }
  if (const std::string_view name = pod.class_name(); !name.empty()) {
    const PriorityClassShape* of = find_class(name);
    return of == nullptr ? std::nullopt : of->value;
  }
  const PriorityClassShape* of = default_class();
  return of == nullptr ? std::int64_t{0} : *of->value;
}

}  // namespace previct::lint
