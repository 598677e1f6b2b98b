#include "engine/kai/snapshot/shard_values.h"

#include "api/locate.h"
#include "base/duration.h"
#include "engine/kai/snapshot/plugin_list.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

namespace previct::kai {
namespace {

class ShardValues {
 public:
  ShardValues(const Snapshot& cluster, const SchedulingShard& shard) : cluster_(cluster), shard_(shard) {}

  void check() const {
    const MinRuntime& given = shard_.spec.min_runtime;
    const auto text = [&](const std::optional<Symbol>& value) {
      return value ? std::optional(cluster_.text(*value)) : std::nullopt;
    };
    check_length("spec.minRuntime.", "reclaimMinRuntime", text(given.reclaim));
    check_length("spec.minRuntime.", "preemptMinRuntime", text(given.preempt));
    for (const std::string_view key : {"defaultReclaimMinRuntime", "defaultPreemptMinRuntime"})
      check_length("spec.plugins.minruntime.arguments.", key, argument("minruntime", key));
    if (const auto k = argument("proportion", "kValue")) {
      const auto number = argument_number(*k);
      if (!number) warn("argument-unreadable", "kValue", *k, "is not a number", "1");
      if (number && *number < 0) warn("argument-unreadable", "kValue", *k, "is negative", "0");
    }
    constexpr std::string_view kMultiplier = "relcaimerSaturationMultiplier";
    if (const auto m = argument("proportion", kMultiplier)) {
      const auto number = argument_number(*m);
      if (!number) warn("argument-unreadable", kMultiplier, *m, "is not a number", "1");
      if (number && *number < 1) warn("argument-unreadable", kMultiplier, *m, "is less than 1", "1");
    }
  }

 private:
  [[nodiscard]] auto argument(std::string_view plugin, std::string_view key) const -> std::optional<std::string_view> {
    const Symbol symbol = cluster_.symbol(key);
    for (const auto& [name, config] : shard_.spec.plugins) {
      if (cluster_.text(name) != plugin || !config.arguments || !symbol || !config.arguments->has(symbol)) continue;
      return cluster_.text(config.arguments->get(symbol));
    }
    return {};
  }

  void check_length(std::string_view where, std::string_view key, std::optional<std::string_view> text) const {
    if (!text) return;
    const auto nanos = go::parse_duration(*text, go::Units::weeks);
    if (nanos && *nanos >= 0) return;
    warn_at(nanos ? "min-runtime-negative" : "min-runtime-unreadable", key, *text,
            nanos ? "is negative" : "is not a duration", "0s", fmt::format("{}{}", where, key));
  }

  void warn(std::string_view id, std::string_view key, std::string_view text, std::string_view why,
            std::string_view instead) const {
    warn_at(id, key, text, why, instead, fmt::format("spec.plugins.proportion.arguments.{}", key));
  }

  void warn_at(std::string_view id, std::string_view key, std::string_view text, std::string_view why,
               std::string_view instead, std::string_view field) const {
    cluster_.diagnostics().warn(id,
                                fmt::format("SchedulingShard {}: {} \"{}\" {}: KAI uses {} instead",
                                            cluster_.text(shard_.meta.name), key, text, why, instead),
                                place(field));
  }

  [[nodiscard]] auto place(std::string_view field) const -> Place {
    return locate(cluster_.objects().sources, shard_.meta.source, field);
  }

  const Snapshot& cluster_;
  const SchedulingShard& shard_;
};

}  // namespace

void warn_of_shard_values(const Snapshot& cluster) {
  for (const SchedulingShard& shard : cluster.objects().kai_shards) ShardValues(cluster, shard).check();
}

}  // namespace previct::kai
