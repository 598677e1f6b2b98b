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

}  // namespace previct
