#include "engine/kai/snapshot/plugin_list.h"

#include "base/contains.h"
#include "base/go.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace previct::kai {
namespace {

struct Default {
  std::string_view name;
  std::int64_t priority;
};
constexpr std::array kDefaults = {
    Default{"predicates", 1900},       Default{"proportion", 1800},        Default{"priority", 1700},
    Default{"nodeavailability", 1600}, Default{"resourcetype", 1500},      Default{"podaffinity", 1400},
    Default{"elastic", 1300},          Default{"kubeflow", 1200},          Default{"ray", 1100},
    Default{"subgrouporder", 1000},    Default{"taskorder", 900},          Default{"nominatednode", 800},
    Default{"dynamicresources", 700},  Default{"minruntime", 600},         Default{"topology", 500},
    Default{"snapshot", 400},          Default{"sg-nodelocalgreedy", 360}, Default{"sg-multinodegang", 350},
    Default{"gpupack", 300},           Default{"gpuspread", 300},          Default{"nodeplacement", 200},
    Default{"gpusharingorder", 100}};

// The arguments that plugins read. Source: pkg/scheduler/plugins, GetFloat64, GetDuration, GetBool, GetString.
constexpr std::string_view kInQuota = "queuePriorityInQuotaReclaim";
struct Argument {
  std::string_view plugin;
  std::string_view name;
};
constexpr std::array kArguments = {Argument{"proportion", "kValue"},
                                   Argument{"proportion", "relcaimerSaturationMultiplier"},
                                   Argument{"proportion", kInQuota},
                                   Argument{"minruntime", "defaultReclaimMinRuntime"},
                                   Argument{"minruntime", "defaultPreemptMinRuntime"},
                                   Argument{"minruntime", "reclaimResolveMethod"},
                                   Argument{"nodeplacement", "gpu"},
                                   Argument{"nodeplacement", "cpu"}};

// Releases without plugins for generators have one generator built in.
auto is_generator(std::string_view plugin) -> bool {
  return plugin.starts_with("sg-");
}

// Source: pkg/scheduler/plugins/factory.go InitDefaultPlugins.
auto is_known(std::string_view plugin, const Release& release) -> bool {
  if (is_generator(plugin) && !release.has(Change::node_local_scenarios)) return false;
  return contains({"numa", "reflectjoborder"}, plugin) ||
         std::any_of(kDefaults.begin(), kDefaults.end(), [&](const Default& each) { return each.name == plugin; });
}

struct Row {
  ActivePlugin plugin;
  bool enabled = true;
  std::int64_t priority = 0;
};

class Applying {
 public:
  Applying(const Snapshot& cluster, Settings& out) : cluster_(cluster), out_(out) {}

  void add(const ActivePlugin& plugin) {
    Plugins& on = out_.plugins;
    const std::string_view name = plugin.name;
    struct Flag {
      std::string_view name;
      bool Plugins::*member;
    };
    constexpr std::array kFlags = {Flag{"predicates", &Plugins::predicates},
                                   Flag{"proportion", &Plugins::proportion},
                                   Flag{"minruntime", &Plugins::min_runtime},
                                   Flag{"nodeavailability", &Plugins::node_availability},
                                   Flag{"resourcetype", &Plugins::resource_type},
                                   Flag{"podaffinity", &Plugins::pod_affinity},
                                   Flag{"subgrouporder", &Plugins::sub_group_order},
                                   Flag{"nominatednode", &Plugins::nominated_node},
                                   Flag{"topology", &Plugins::topology},
                                   Flag{"nodeplacement", &Plugins::node_placement},
                                   Flag{"gpupack", &Plugins::gpu_pack},
                                   Flag{"gpuspread", &Plugins::gpu_spread},
                                   Flag{"gpusharingorder", &Plugins::gpu_sharing_order}};
    for (const Flag& flag : kFlags) {
      if (flag.name == name) on.*flag.member = true;
    }
    if (name == "priority") out_.group_order.push_back(GroupOrder::priority);
    if (name == "elastic") out_.group_order.push_back(GroupOrder::elastic);
    if (name == "kubeflow") out_.task_order.push_back(TaskOrder::kubeflow);
    if (name == "ray") out_.task_order.push_back(TaskOrder::ray);
    if (name == "taskorder") out_.task_order.push_back(TaskOrder::label);
    const Release& release = out_.running.release;
    if (is_known(name, release)) {
      if (name == "sg-nodelocalgreedy") out_.generators.push_back(Generator::node_local);
      if (name == "sg-multinodegang") out_.generators.push_back(Generator::multi_node);
    }
    if (name == "minruntime") read_min_runtime(plugin.arguments);
    if (name == "proportion") read_proportion(plugin.arguments);
    if (name == "nodeplacement") {
      out_.gpu_spread = value(plugin.arguments, "gpu") == "spread";
      out_.cpu_spread = value(plugin.arguments, "cpu") == "spread";
    }
    if (name == "numa") {
      out_.gaps.push_back({GapRule::kai_numa, {}, true});
    } else if (!is_known(name, release)) {
      out_.pass_over(fmt::format("plugin {}", name));
    } else {
      note_unknown(plugin);
    }
  }

 private:
  [[nodiscard]] auto value(const SymbolMap& map, std::string_view key) const -> std::optional<std::string_view> {
    const Symbol symbol = cluster_.symbol(key);
    if (!symbol || !map.has(symbol)) return {};
    return cluster_.text(map.get(symbol));
  }

  void note_unknown(const ActivePlugin& plugin) {
    for (const auto& [key, given] : plugin.arguments) {
      const std::string_view argument = cluster_.text(key);
      const bool known = std::any_of(kArguments.begin(), kArguments.end(), [&](const Argument& each) {
        return each.plugin == plugin.name && each.name == argument;
      });
      const bool newer = argument == kInQuota && !out_.running.release.has(Change::reclaim_in_quota_by_priority);
      if (!known || newer)
        out_.pass_over(fmt::format("argument {} of plugin {}", argument, plugin.name), cluster_.text(given));
    }
  }

  void read_min_runtime(const SymbolMap& arguments) {
    out_.default_reclaim = argument_duration(value(arguments, "defaultReclaimMinRuntime").value_or("0s"));
    out_.default_preempt = argument_duration(value(arguments, "defaultPreemptMinRuntime").value_or("0s"));
    if (value(arguments, "reclaimResolveMethod") == "queue") out_.method = ResolveMethod::queue;
  }

  void read_proportion(const SymbolMap& arguments) {
    if (const auto k = value(arguments, "kValue")) out_.k_value = argument_number(*k).value_or(out_.k_value);
    out_.k_value = std::max(0.0, out_.k_value);
    // The spelling is upstream's (spec §13).
    if (const auto m = value(arguments, "relcaimerSaturationMultiplier"))
      out_.saturation_multiplier = argument_number(*m).value_or(out_.saturation_multiplier);
    out_.saturation_multiplier = std::max(1.0, out_.saturation_multiplier);
    const bool knows = out_.running.release.has(Change::reclaim_in_quota_by_priority);
    const auto in_quota = go::parse_bool(value(arguments, kInQuota).value_or("false"));
    out_.reclaims_in_quota = knows && in_quota.value_or(false);
    if (out_.reclaims_in_quota) out_.gaps.push_back({GapRule::kai_in_quota_not_measured});
  }

  const Snapshot& cluster_;
  Settings& out_;
};

}  // namespace

auto argument_number(std::string_view text) -> std::optional<double> {
  double read = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), read);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return {};
  return read;
}

auto plugins_of(const Snapshot& cluster, const SchedulingShardSpec& spec, const Release& release)
    -> std::vector<ActivePlugin> {
  const auto set = [&](SymbolMap& map, std::string_view key, std::string_view text) {
    map.set(cluster.symbols().intern(key), cluster.symbols().intern(text));
  };
  const auto strategy = [&](const std::optional<Symbol>& given) {
    return given ? cluster.text(*given) : std::string_view("binpack");
  };
  const bool pack = strategy(spec.placement.gpu) == "binpack";
  std::vector<Row> rows;
  for (const auto& [name, priority] : kDefaults) {
    if (!is_known(name, release)) continue;
    Row row{{name, {}}, true, priority};
    if (name == "gpusharingorder" || name == "gpupack") row.enabled = pack;
    if (name == "gpuspread") row.enabled = !pack;
    if (name == "proportion" && spec.k_value) set(row.plugin.arguments, "kValue", fmt::format("{}", *spec.k_value));
    if (name == "minruntime" && spec.min_runtime.reclaim)
      set(row.plugin.arguments, "defaultReclaimMinRuntime", cluster.text(*spec.min_runtime.reclaim));
    if (name == "minruntime" && spec.min_runtime.preempt)
      set(row.plugin.arguments, "defaultPreemptMinRuntime", cluster.text(*spec.min_runtime.preempt));
    if (name == "nodeplacement") {
      set(row.plugin.arguments, "gpu", strategy(spec.placement.gpu));
      set(row.plugin.arguments, "cpu", strategy(spec.placement.cpu));
    }
    rows.push_back(std::move(row));
  }
  for (const auto& [symbol, config] : spec.plugins) {
    const std::string_view name = cluster.text(symbol);
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.plugin.name == name; });
    if (row == rows.end()) row = rows.insert(rows.end(), Row{{name, {}}, true, 0});
    row->enabled = config.enabled.value_or(row->enabled);
    row->priority = config.priority.value_or(row->priority);
    if (config.arguments) row->plugin.arguments = *config.arguments;
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.priority != b.priority ? a.priority > b.priority : a.plugin.name < b.plugin.name;
  });
  std::vector<ActivePlugin> active;
  for (Row& row : rows) {
    if (row.enabled) active.push_back(std::move(row.plugin));
  }
  return active;
}

void apply_plugins(const Snapshot& cluster, const std::vector<ActivePlugin>& plugins, Settings& settings) {
  Applying applying(cluster, settings);
  for (const ActivePlugin& plugin : plugins) applying.add(plugin);
  const Release& release = settings.running.release;
  if (release.has(Change::node_local_scenarios)) return;
  settings.generators = {release.has(Change::multi_node_scenarios) ? Generator::multi_node : Generator::node_by_node};
}

}  // namespace previct::kai
