#include "api/kai_queue_label.h"

namespace previct::kai {

auto queue_label(const Objects& objects) -> std::string_view {
  std::string_view key = "kai.scheduler/queue";
  for (const Config& config : objects.kai_configs) {
    if (config.spec.global.queue_label_key) key = objects.symbols.text(config.spec.global.queue_label_key);
  }
  return key;
}

auto queue_of_labels(const Objects& objects, const SymbolMap& labels) -> std::string {
  const auto value_of = [&](std::string_view key) {
    const Symbol symbol = objects.symbols.find(key);
    return std::string(symbol ? objects.symbols.text(labels.get(symbol)) : std::string_view());
  };
  if (std::string named = value_of(queue_label(objects)); !named.empty()) return named;
  const std::string project = value_of("project");
  if (project.empty()) return "default-queue";
  const std::string node_pool = value_of("kai.scheduler/node-pool");
  return node_pool.empty() ? project : project + "-" + node_pool;
}

}  // namespace previct::kai
