#include "api/known_class.h"

#include "api/upstream.h"

namespace previct {

auto known_class(Symbol name, const Objects& objects) -> std::optional<KnownClass> {
  for (const PriorityClass& each : objects.priority_classes) {
    if (each.meta.name == name) return KnownClass{each.value, each.preemption_policy};
  }
  for (const upstream::SystemClass& each : upstream::kSystemClasses) {
    if (each.name == objects.symbols.text(name)) return KnownClass{each.value, {}};
  }
  return {};
}

auto default_class(const Objects& objects) -> const PriorityClass* {
  const PriorityClass* lowest = nullptr;
  for (const PriorityClass& each : objects.priority_classes) {
    if (each.global_default && (lowest == nullptr || each.value < lowest->value)) lowest = &each;
  }
  return lowest;
}

auto default_class(const PersistentVolumeClaim& claim, const Objects& objects) -> const StorageClass* {
  if (claim.spec.storage_class_name || claim.spec.volume_name) return nullptr;
  const Symbol old_name = objects.symbols.find("volume.beta.kubernetes.io/storage-class");
  if (old_name && claim.meta.annotations.has(old_name)) return nullptr;
  const auto is_default = [&](const StorageClass& each) {
    for (const char* key :
         {"storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"}) {
      const Symbol symbol = objects.symbols.find(key);
      if (symbol && objects.symbols.text(each.meta.annotations.get(symbol)) == "true") return true;
    }
    return false;
  };
  const StorageClass* best = nullptr;
  for (const StorageClass& each : objects.storage_classes) {
    if (!is_default(each)) continue;
    const auto text = [&](const StorageClass& c) { return objects.symbols.text(c.meta.name); };
    const bool better = best == nullptr || each.meta.created > best->meta.created ||
                        (each.meta.created == best->meta.created && text(each) < text(*best));
    if (better) best = &each;
  }
  return best;
}

}  // namespace previct
