#include "engine/kai/snapshot/settings.h"

#include "base/duration.h"
#include "base/go.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace previct::kai {
namespace {

constexpr std::array<std::string_view, kActions> kActionNames = {"allocate", "consolidation", "reclaim", "preempt",
                                                                 "stalegangeviction"};

// Plugins without which the rules of this engine are not those of the scheduler. The others only score or observe
// things that are gaps of their own.
constexpr std::array<std::string_view, 10> kNeeded = {
    "predicates",    "proportion",    "priority",     "nodeavailability",   "elastic",
    "subgrouporder", "nodeplacement", "resourcetype", "sg-nodelocalgreedy", "sg-multinodegang"};

auto go_bool(std::string_view text) -> std::optional<bool> {
  for (const std::string_view yes : {"1", "t", "T", "TRUE", "true", "True"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"0", "f", "F", "FALSE", "false", "False"}) {
    if (text == no) return false;
  }
  return {};
}

// Leaves `out` as it is if the text is no number.
void read_number(std::string_view from, double& out) {
  double read = 0;
  const auto result = std::from_chars(from.data(), from.data() + from.size(), read);
  if (result.ec == std::errc() && result.ptr == from.data() + from.size()) out = read;
}

void unmodelled(Settings& settings, std::string what, std::string weakens) {
  settings.gaps.push_back({Gap::Kind::unmodelled, std::move(what), std::move(weakens)});
}

class Reading {
 public:
  Reading(const Snapshot& cluster, const SchedulingShardSpec& spec, Settings& out)
      : cluster_(cluster), spec_(spec), out_(out) {}

  void read() {
    out_.pool = spec_.partition_label_value;
    read_placement();
    read_actions();
    read_min_runtime();
    read_proportion();
    read_args();
    for (const auto& [name, depth] : spec_.queue_depth_per_action) {
      if (const auto action = action_of(text(name))) out_.queue_depth[index(*action)] = depth;
    }
    for (const std::string_view name : kNeeded) {
      if (!plugin_enabled(name)) {
        unmodelled(out_, fmt::format("plugin {} is switched off", name), "its rules are applied all the same");
      }
    }
    if (spec_.has_usage_db) unmodelled(out_, "usageDBConfig", "fair shares ignore past usage, which no dump contains");
  }

 private:
  static auto index(Action action) -> std::size_t { return static_cast<std::size_t>(action); }

  static auto action_of(std::string_view name) -> std::optional<Action> {
    const auto found = std::find(kActionNames.begin(), kActionNames.end(), name);
    if (found == kActionNames.end()) return {};
    return static_cast<Action>(found - kActionNames.begin());
  }

  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view { return cluster_.text(symbol); }

  [[nodiscard]] auto plugin(std::string_view name) const -> const PluginConfig* {
    const Symbol symbol = cluster_.symbol(name);
    return symbol ? spec_.plugins.find(symbol) : nullptr;
  }

  [[nodiscard]] auto plugin_enabled(std::string_view name) const -> bool {
    const PluginConfig* config = plugin(name);
    return config == nullptr || config->enabled.value_or(true);
  }

  // The given arguments of a plugin; null if the defaults hold.
  [[nodiscard]] auto arguments(std::string_view name) const -> const SymbolMap* {
    const PluginConfig* config = plugin(name);
    return config == nullptr || !config->arguments ? nullptr : &*config->arguments;
  }

  [[nodiscard]] auto value(const SymbolMap& map, std::string_view key) const -> std::optional<std::string_view> {
    const Symbol symbol = cluster_.symbol(key);
    if (!symbol || !map.has(symbol)) return {};
    return text(map.get(symbol));
  }

  void read_placement() {
    const auto strategy = [&](const std::optional<Symbol>& given) {
      return given ? std::string(text(*given)) : std::string("binpack");
    };
    std::string gpu = strategy(spec_.placement.gpu);
    std::string cpu = strategy(spec_.placement.cpu);
    consolidation_by_default_ = gpu != "spread" && cpu != "spread";
    if (const SymbolMap* given = arguments("nodeplacement")) {
      gpu = value(*given, "gpu").value_or("binpack");
      cpu = value(*given, "cpu").value_or("binpack");
    }
    out_.gpu_spread = gpu == "spread";
    out_.cpu_spread = cpu == "spread";
  }

  void read_actions() {
    struct Row {
      std::string name;
      bool enabled = true;
      std::int64_t priority = 0;
    };
    std::vector<Row> rows;
    for (std::size_t i = 0; i < kActions; ++i) {
      rows.push_back({std::string(kActionNames[i]), true, 500 - 100 * static_cast<std::int64_t>(i)});
    }
    rows[index(Action::consolidation)].enabled = consolidation_by_default_;
    for (const auto& [name, config] : spec_.actions) {
      auto row = std::find_if(rows.begin(), rows.end(), [&, key = name](const Row& r) { return r.name == text(key); });
      if (row == rows.end()) row = rows.insert(rows.end(), {std::string(text(name))});
      if (config.enabled) row->enabled = *config.enabled;
      if (config.priority) row->priority = *config.priority;
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      return a.priority != b.priority ? a.priority > b.priority : a.name < b.name;
    });
    for (const Row& row : rows) {
      if (!row.enabled) continue;
      if (const auto action = action_of(row.name)) {
        out_.actions.push_back(*action);
      } else {
        unmodelled(out_, fmt::format("action {}", row.name), "it is left out of the cycle");
      }
    }
  }

  void read_min_runtime() {
    out_.min_runtime = plugin_enabled("minruntime");
    const auto set = [](std::int64_t& out, std::optional<std::string_view> given) {
      if (given) out = argument_duration(*given);
    };
    if (const SymbolMap* given = arguments("minruntime")) {
      set(out_.default_reclaim, value(*given, "defaultReclaimMinRuntime"));
      set(out_.default_preempt, value(*given, "defaultPreemptMinRuntime"));
      if (value(*given, "reclaimResolveMethod") == "queue") out_.method = ResolveMethod::queue;
      return;
    }
    if (spec_.min_runtime.reclaim) set(out_.default_reclaim, text(*spec_.min_runtime.reclaim));
    if (spec_.min_runtime.preempt) set(out_.default_preempt, text(*spec_.min_runtime.preempt));
  }

  void read_proportion() {
    if (spec_.k_value) out_.k_value = *spec_.k_value;
    if (const SymbolMap* given = arguments("proportion")) {
      out_.k_value = 1;
      if (const auto k = value(*given, "kValue")) read_number(*k, out_.k_value);
      // Upstream spells the argument so (spec §13).
      if (const auto m = value(*given, "relcaimerSaturationMultiplier")) read_number(*m, out_.saturation_multiplier);
    }
    out_.saturation_multiplier = std::max(1.0, out_.saturation_multiplier);
  }

  void read_args() {
    const auto flag = [&](std::string_view name, auto parse, auto& out) {
      const auto given = value(spec_.args, name);
      if (!given) return;
      if (const auto parsed = parse(*given)) {
        out = *parsed;
      } else {
        unmodelled(out_, fmt::format("args.{} \"{}\" does not parse", name, *given),
                   "the scheduler would not start; the default is used");
      }
    };
    const auto integer = [](std::string_view from) { return go::parse_int(from, 64); };
    flag("max-consolidation-preemptees", integer, out_.max_consolidation_preemptees);
    flag("allow-consolidating-reclaim", go_bool, out_.consolidating_reclaim);
    flag("full-hierarchy-fairness", go_bool, out_.full_hierarchy);
    flag("use-scheduling-signatures", go_bool, out_.signatures);
    flag("default-staleness-grace-period", parse_go_duration, out_.stale_grace);
    flag("stuck-in-releasing-threshold", parse_go_duration, out_.stuck_threshold);
    if (const auto name = value(spec_.args, "scheduler-name")) out_.scheduler_name = *name;
    if (const auto key = value(spec_.args, "nodepool-label-key")) out_.pool_key = *key;
    if (value(spec_.args, "restrict-node-scheduling").value_or("false") != "false") {
      unmodelled(out_, "args.restrict-node-scheduling", "pods are placed on any node, whatever its worker label");
    }
  }

  const Snapshot& cluster_;
  const SchedulingShardSpec& spec_;
  Settings& out_;
  bool consolidation_by_default_ = true;
};

// A scheduler's own snapshot says what it runs with; nothing is derived.
class ReadingRunning {
 public:
  ReadingRunning(const Snapshot& cluster, const RunningScheduler& from, Settings& out)
      : cluster_(cluster), config_(from.config), params_(from.params), out_(out) {}

  void read() {
    out_.shard = "of the snapshot";
    out_.shard_given = true;
    out_.pool = params_.partition.label_value;
    if (params_.partition.label_key) out_.pool_key = text(params_.partition.label_key);
    if (params_.scheduler_name) out_.scheduler_name = text(params_.scheduler_name);
    out_.max_consolidation_preemptees = params_.max_consolidation_preemptees;
    out_.consolidating_reclaim = params_.consolidating_reclaim;
    out_.full_hierarchy = params_.full_hierarchy;
    out_.signatures = params_.signatures;
    out_.stale_grace = params_.stale_grace;
    if (params_.stuck_threshold > 0) out_.stuck_threshold = params_.stuck_threshold;
    read_actions();
    read_plugins();
    for (const auto& [name, depth] : config_.queue_depth_per_action) {
      const auto found = std::find(kActionNames.begin(), kActionNames.end(), text(name));
      if (found != kActionNames.end()) out_.queue_depth[static_cast<std::size_t>(found - kActionNames.begin())] = depth;
    }
    if (config_.has_usage_db)
      unmodelled(out_, "usageDBConfig", "fair shares ignore past usage, which no dump contains");
  }

 private:
  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view { return cluster_.text(symbol); }

  void read_actions() {
    std::string_view rest = text(config_.actions);
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      std::string_view name = rest.substr(0, comma);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      while (name.starts_with(' ')) name.remove_prefix(1);
      while (name.ends_with(' ')) name.remove_suffix(1);
      const auto found = std::find(kActionNames.begin(), kActionNames.end(), name);
      if (found != kActionNames.end()) {
        out_.actions.push_back(static_cast<Action>(found - kActionNames.begin()));
      } else if (!name.empty()) {
        unmodelled(out_, fmt::format("action {}", name), "it is left out of the cycle");
      }
    }
  }

  void read_plugins() {
    out_.min_runtime = false;
    for (const Tier& tier : config_.tiers) {
      for (const PluginOption& plugin : tier.plugins) {
        const auto value = [&](std::string_view key) -> std::string_view {
          const Symbol symbol = cluster_.symbol(key);
          return symbol ? text(plugin.arguments.get(symbol)) : std::string_view();
        };
        const std::string_view name = text(plugin.name);
        if (name == "minruntime") {
          out_.min_runtime = true;
          out_.default_reclaim = argument_duration(value("defaultReclaimMinRuntime"));
          out_.default_preempt = argument_duration(value("defaultPreemptMinRuntime"));
          if (value("reclaimResolveMethod") == "queue") out_.method = ResolveMethod::queue;
        } else if (name == "nodeplacement") {
          out_.gpu_spread = value("gpu") == "spread";
          out_.cpu_spread = value("cpu") == "spread";
        } else if (name == "proportion") {
          read_number(value("kValue"), out_.k_value);
          read_number(value("relcaimerSaturationMultiplier"), out_.saturation_multiplier);
          out_.saturation_multiplier = std::max(1.0, out_.saturation_multiplier);
        }
      }
    }
  }

  const Snapshot& cluster_;
  const SchedulerConfiguration& config_;
  const SchedulerParams& params_;
  Settings& out_;
};

}  // namespace

auto effective_settings(const Snapshot& cluster, const std::string& shard) -> Result<Settings> {
  Settings settings;
  if (const auto& running = cluster.objects().kai_scheduler; running && shard.empty()) {
    ReadingRunning(cluster, *running, settings).read();
    return settings;
  }
  if (!shard.empty()) settings.shard = shard;
  for (const Config& config : cluster.objects().kai_configs) {
    const auto set = [&](std::string& out, Symbol given) {
      if (given) out = cluster.text(given);
    };
    set(settings.scheduler_name, config.spec.global.scheduler_name);
    set(settings.pool_key, config.spec.global.node_pool_label_key);
  }
  static const SchedulingShardSpec kDefaults;
  const SchedulingShardSpec* spec = &kDefaults;
  for (const SchedulingShard& candidate : cluster.objects().kai_shards) {
    if (cluster.text(candidate.meta.name) != settings.shard) continue;
    spec = &candidate.spec;
    settings.shard_given = true;
  }
  if (!shard.empty() && !settings.shard_given) {
    return fail(fmt::format("no SchedulingShard \"{}\" in the input", shard));
  }
  Reading(cluster, *spec, settings).read();
  return settings;
}

auto argument_duration(std::string_view text) -> std::int64_t {
  return std::max<std::int64_t>(0, go::parse_duration(text, go::Units::weeks).value_or(0));
}

auto go_duration(std::int64_t nanos) -> std::string {
  if (nanos == 0) return "0s";
  const std::string sign = nanos < 0 ? "-" : "";
  auto rest = nanos < 0 ? 0 - static_cast<std::uint64_t>(nanos) : static_cast<std::uint64_t>(nanos);
  const auto decimal = [](std::uint64_t amount, std::uint64_t unit, int digits) {
    std::string out = fmt::format("{}", amount / unit);
    if (amount % unit == 0) return out;
    std::string part = fmt::format(".{:0{}}", amount % unit, digits);
    part.erase(part.find_last_not_of('0') + 1);
    return out + part;
  };
  if (rest < 1'000) return fmt::format("{}{}ns", sign, rest);
  if (rest < 1'000'000) return sign + decimal(rest, 1'000, 3) + "\xc2\xb5s";
  if (rest < 1'000'000'000) return sign + decimal(rest, 1'000'000, 6) + "ms";
  constexpr std::uint64_t kMinute = 60'000'000'000;
  const std::uint64_t minutes = rest / kMinute;
  std::string out = sign;
  if (minutes >= 60) out += fmt::format("{}h", minutes / 60);
  if (minutes > 0) out += fmt::format("{}m", minutes % 60);
  return out + decimal(rest % kMinute, 1'000'000'000, 9) + "s";
}

auto action_name(Action action) -> std::string_view {
  return kActionNames[static_cast<std::size_t>(action)];
}

}  // namespace previct::kai
