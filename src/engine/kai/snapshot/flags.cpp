#include "engine/kai/snapshot/flags.h"

#include "base/contains.h"
#include "base/duration.h"
#include "base/go.h"

#include <fmt/format.h>

namespace previct::kai {
namespace {

// Flags that change no decision; their values must still parse.
constexpr std::array<std::string_view, 7> kBooleans = {"leader-elect",        "version",
                                                       "enable-profiler",     "log-json",
                                                       "detailed-fit-errors", "update-pod-eviction-condition",
                                                       "schedule-csi-storage"};
constexpr std::array<std::string_view, 7> kIntegers = {"v",
                                                       "qps",
                                                       "burst",
                                                       "plugin-server-port",
                                                       "pyroscope-mutex-profiler-rate",
                                                       "pyroscope-block-profiler-rate",
                                                       "num-of-status-recording-workers"};
constexpr std::string_view kPeriod = "schedule-period";
// All other flags. Source: cmd/scheduler/app/options/options.go AddFlags.
constexpr std::array<std::string_view, 24> kOthers = {"namespace",
                                                      "metrics-namespace",
                                                      "queue-label-key",
                                                      "listen-address",
                                                      "profiler-port",
                                                      "pyroscope-address",
                                                      "feature-gates",
                                                      "partition-label-value",
                                                      "scheduler-conf",
                                                      "max-consolidation-preemptees",
                                                      "allow-consolidating-reclaim",
                                                      "full-hierarchy-fairness",
                                                      "use-scheduling-signatures",
                                                      "restrict-node-scheduling",
                                                      "default-staleness-grace-period",
                                                      "stuck-in-releasing-threshold",
                                                      "resource-reservation-app-label",
                                                      "cpu-worker-node-label-key",
                                                      "gpu-worker-node-label-key",
                                                      "mig-worker-node-label-key",
                                                      "scheduler-name",
                                                      "nodepool-label-key",
                                                      kPeriod,
                                                      "help"};

class Flags {
 public:
  Flags(const Snapshot& cluster, const SymbolMap& args, Settings& out) : cluster_(cluster), args_(args), out_(out) {}

  void apply() {
    const auto integer = [](std::string_view from) { return go::parse_int(from, 64); };
    const auto any = [](std::string_view from) { return std::optional(std::string(from)); };
    for (const std::string_view name : kBooleans) check(name, go::parse_bool);
    for (const std::string_view name : kIntegers) check(name, integer);
    check(kPeriod, parse_go_duration);
    set("max-consolidation-preemptees", integer, out_.max_consolidation_preemptees);
    set("allow-consolidating-reclaim", go::parse_bool, out_.consolidating_reclaim);
    set("full-hierarchy-fairness", go::parse_bool, out_.full_hierarchy);
    set("use-scheduling-signatures", go::parse_bool, out_.signatures);
    set("restrict-node-scheduling", go::parse_bool, out_.restrict_nodes);
    set("schedule-csi-storage", go::parse_bool, out_.storage_capacity);
    set("default-staleness-grace-period", parse_go_duration, out_.stale_grace);
    set("stuck-in-releasing-threshold", parse_go_duration, out_.stuck_threshold);
    if (out_.stuck_threshold <= 0) out_.stuck_threshold = Settings().stuck_threshold;  // 0 does not disable it
    set("resource-reservation-app-label", any, out_.reservation_app);
    set("cpu-worker-node-label-key", any, out_.cpu_worker_key);
    set("gpu-worker-node-label-key", any, out_.gpu_worker_key);
    set("mig-worker-node-label-key", any, out_.mig_worker_key);
    set("scheduler-name", any, out_.scheduler_name);
    set("nodepool-label-key", any, out_.pool_key);
    if (const auto node_pool = value("partition-label-value")) {
      out_.node_pool = node_pool->empty() ? Symbol{} : cluster_.symbols().intern(*node_pool);
    }
    if (value("scheduler-conf")) {
      out_.gaps.push_back({GapRule::kai_scheduler_conf, {}, true});
    }
    for (const auto& [key, given] : args_) {
      const std::string_view name = cluster_.text(key);
      if (!contains(kBooleans, name) && !contains(kIntegers, name) && !contains(kOthers, name))
        out_.pass_over(fmt::format("flag --{}", name), cluster_.text(given));
    }
  }

 private:
  [[nodiscard]] auto value(std::string_view key) const -> std::optional<std::string_view> {
    const Symbol symbol = cluster_.symbol(key);
    if (!symbol || !args_.has(symbol)) return {};
    return cluster_.text(args_.get(symbol));
  }

  template <class Parse>
  auto check(std::string_view name, Parse parse) -> decltype(parse(name)) {
    const auto given = value(name);
    if (!given) return {};
    auto parsed = parse(*given);
    if (!parsed) out_.refuse(fmt::format("invalid argument \"{}\" for \"--{}\" flag", *given, name));
    return parsed;
  }

  template <class Parse, class Out>
  void set(std::string_view name, Parse parse, Out& out) {
    if (const auto parsed = check(name, parse)) out = *parsed;
  }

  const Snapshot& cluster_;
  const SymbolMap& args_;
  Settings& out_;
};

}  // namespace

void apply_flags(const Snapshot& cluster, const SymbolMap& args, Settings& out) {
  Flags(cluster, args, out).apply();
}

}  // namespace previct::kai
