#include "engine/kai/snapshot/settings.h"

#include "base/duration.h"
#include "cluster/where_read.h"
#include "engine/kai/snapshot/flags.h"
#include "engine/kai/snapshot/plugin_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kai {
namespace {

constexpr std::array<std::string_view, kActions> kActionNames = {"allocate", "consolidation", "reclaim", "preempt",
                                                                 "stalegangeviction"};

auto action_of(std::string_view name) -> std::optional<Action> {
  const auto found = std::find(kActionNames.begin(), kActionNames.end(), name);
  if (found == kActionNames.end()) return {};
  return static_cast<Action>(found - kActionNames.begin());
}

// Source: actions/common/solvers/search_budget.go; framework ValidateScenarioGeneratorBudgetKeys;
// operands/scheduler validateScenarioSearchBudgets.
void read_budgets(const Snapshot& cluster, const SearchBudgets& from, Settings& out) {
  constexpr std::int64_t kDefaultAction = 300'000'000'000;
  constexpr std::array<std::string_view, kGenerators> kGeneratorNames = {"NodeLocalGreedy", "MultiNodeGang"};
  Budgets& budgets = out.budgets;
  if (!out.running.release.has(Change::search_budgets)) {
    budgets = {.group = 0, .generator = {}};
    const bool given = !from.max_action.empty() || !from.max_generator.empty() || from.max_job || from.min_job;
    if (given) out.pass_over("field scenarioSearchBudgets of its shard");
    return;
  }
  budgets.action.fill(kDefaultAction);
  const auto each = [&](const MapOf<Duration>& map, bool defaults, auto visit) {
    for (const auto& [name, limit] : map) {
      if ((cluster.text(name) == "default") == defaults) visit(cluster.text(name), limit.nanos);
    }
  };
  each(from.max_action, true, [&](std::string_view, std::int64_t nanos) { budgets.action.fill(nanos); });
  each(from.max_action, false, [&](std::string_view name, std::int64_t nanos) {
    const auto action = action_of(name);
    if (action && *action != Action::allocate && *action != Action::stalegangeviction) {
      budgets.action[static_cast<std::size_t>(*action)] = nanos;
    } else {
      out.refuse(fmt::format("maxActionSearchDuration contains invalid action key \"{}\"", name));
    }
  });
  // These two generators have their own defaults; the default in the input is only for other generators.
  each(from.max_generator, false, [&](std::string_view name, std::int64_t nanos) {
    const auto known = std::find(kGeneratorNames.begin(), kGeneratorNames.end(), name);
    if (known == kGeneratorNames.end()) {
      out.refuse(fmt::format("unknown scenario generator budget key \"{}\"", name));
    } else {
      budgets.generator[static_cast<std::size_t>(known - kGeneratorNames.begin())] = nanos;
    }
  });
  if (from.max_job) budgets.group = from.max_job->nanos;
  if (from.min_job) budgets.at_least = from.min_job->nanos;
  budgets.contradictory = budgets.group != 0 && budgets.at_least >= budgets.group;
}

class Reading {
 public:
  Reading(const Snapshot& cluster, const SchedulingShardSpec& spec, Settings& out)
      : cluster_(cluster), spec_(spec), out_(out) {}

  void read() {
    out_.node_pool = spec_.partition_label_value;
    const auto spreads = [&](const std::optional<Symbol>& given) { return given && text(*given) == "spread"; };
    consolidation_by_default_ = !spreads(spec_.placement.gpu) && !spreads(spec_.placement.cpu);
    read_actions();
    apply_plugins(cluster_, plugins_of(cluster_, spec_, out_.running.release), out_);
    read_budgets(cluster_, spec_.search_budgets, out_);
    check_budgets();
    apply_flags(cluster_, spec_.args, out_);
    read_depths();
    for (const Symbol field : spec_.unknown_fields) {
      // Sizes of the scheduler process only. Source: pkg/apis/kai/v1/schedulingshard_types.go.
      const std::string_view name = cluster_.text(field);
      if (name != "goMemLimit" && name != "goMemLimitRatio") out_.pass_over(fmt::format("field {} of its shard", name));
    }
    if (spec_.has_usage_db) out_.gaps.push_back({GapRule::kai_usage, {}, true});
  }

 private:
  static auto index(Action action) -> std::size_t { return static_cast<std::size_t>(action); }

  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view { return cluster_.text(symbol); }

  // What the operator refuses. Source: pkg/operator/operands/scheduler/resources_for_shard.go
  // validateScenarioSearchBudgets (d5bc503a).
  void check_budgets() {
    if (!out_.running.release.has(Change::search_budgets)) return;
    const auto check = [&](std::string_view field, const MapOf<Duration>& limits) {
      for (const auto& [name, limit] : limits) {
        if (limit.nanos < 0) out_.refuse(fmt::format("{}[\"{}\"] must be non-negative", field, text(name)));
      }
    };
    check("maxActionSearchDuration", spec_.search_budgets.max_action);
    check("maxGeneratorSearchDuration", spec_.search_budgets.max_generator);
    if (out_.budgets.group < 0) return out_.refuse("maxJobSearchDuration must be non-negative");
    if (out_.budgets.at_least < 0) return out_.refuse("minJobSearchDuration must be non-negative");
    if (out_.budgets.contradictory) out_.refuse("minJobSearchDuration must be less than maxJobSearchDuration");
  }

  void read_actions() {
    struct Listed {
      std::string name;
      bool enabled = true;
      std::int64_t priority = 0;
    };
    std::vector<Listed> rows;
    for (std::size_t i = 0; i < kActions; ++i) {
      rows.push_back({std::string(kActionNames[i]), true, 500 - 100 * static_cast<std::int64_t>(i)});
    }
    rows[index(Action::consolidation)].enabled = consolidation_by_default_;
    for (const auto& [name, config] : spec_.actions) {
      auto row =
          std::find_if(rows.begin(), rows.end(), [&, key = name](const Listed& r) { return r.name == text(key); });
      if (row == rows.end()) row = rows.insert(rows.end(), {std::string(text(name))});
      if (config.enabled) row->enabled = *config.enabled;
      if (config.priority) row->priority = *config.priority;
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Listed& a, const Listed& b) {
      return a.priority != b.priority ? a.priority > b.priority : a.name < b.name;
    });
    for (const Listed& row : rows) {
      if (!row.enabled) continue;
      if (const auto action = action_of(row.name)) {
        out_.actions.push_back(*action);
      } else {
        out_.refuse(fmt::format("failed to find Action {} as given in the config", row.name));
      }
    }
    if (out_.actions.empty()) out_.refuse("no action is enabled");
  }

  // The operator creates no configuration for a shard that sets a depth for an action that does not run there.
  // Source: pkg/operator/operands/scheduler/resources_for_shard.go validateJobDepthMap.
  void read_depths() {
    for (const auto& [name, depth] : spec_.queue_depth_per_action) {
      const auto action = action_of(text(name));
      if (action && std::find(out_.actions.begin(), out_.actions.end(), *action) != out_.actions.end()) {
        out_.queue_depth[index(*action)] = depth;
      } else {
        out_.refuse(fmt::format("queueDepthPerAction names {}, which is not one of the enabled actions", text(name)));
      }
    }
  }

  const Snapshot& cluster_;
  const SchedulingShardSpec& spec_;
  Settings& out_;
  bool consolidation_by_default_ = true;
};

// Reads the settings from the scheduler's own snapshot; nothing is derived.
class ReadingRunning {
 public:
  ReadingRunning(const Snapshot& cluster, const RunningScheduler& from, Settings& out)
      : cluster_(cluster), config_(from.config), params_(from.params), out_(out) {}

  void read() {
    out_.shard = "of the snapshot";
    out_.shard_given = true;
    out_.node_pool = params_.partition.label_value;
    if (params_.partition.label_key) out_.pool_key = text(params_.partition.label_key);
    if (params_.scheduler_name) out_.scheduler_name = text(params_.scheduler_name);
    out_.max_consolidation_preemptees = params_.max_consolidation_preemptees;
    out_.consolidating_reclaim = params_.consolidating_reclaim;
    out_.full_hierarchy = params_.full_hierarchy;
    out_.signatures = params_.signatures;
    out_.stale_grace = params_.stale_grace;
    if (params_.stuck_threshold > 0) out_.stuck_threshold = params_.stuck_threshold;
    out_.restrict_nodes = params_.restrict_nodes;
    read_actions();
    read_plugins();
    read_budgets(cluster_, config_.search_budgets, out_);
    for (const auto& [name, depth] : config_.queue_depth_per_action) {
      const auto found = std::find(kActionNames.begin(), kActionNames.end(), text(name));
      if (found != kActionNames.end()) out_.queue_depth[static_cast<std::size_t>(found - kActionNames.begin())] = depth;
    }
    if (config_.has_usage_db) out_.gaps.push_back({GapRule::kai_usage, {}, true});
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
      } else {
        out_.refuse(fmt::format("failed to find Action {} as given in the config", name));
      }
    }
  }

  void read_plugins() {
    std::vector<ActivePlugin> plugins;
    for (const Tier& tier : config_.tiers) {
      for (const PluginOption& plugin : tier.plugins) plugins.push_back({text(plugin.name), plugin.arguments});
    }
    apply_plugins(cluster_, plugins, out_);
  }

  const Snapshot& cluster_;
  const SchedulerConfiguration& config_;
  const SchedulerParams& params_;
  Settings& out_;
};

// Leaves out what the release does not read of a shard.
auto as_read(SchedulingShardSpec spec, std::string_view shard, Settings& settings) -> SchedulingShardSpec {
  const Release& release = settings.running.release;
  if (!release.has(Change::shards)) {
    settings.pass_over(fmt::format("SchedulingShard {}", shard));
    return {};
  }
  if (!release.has(Change::plugins_of_shards) && !(spec.plugins.empty() && spec.actions.empty())) {
    settings.pass_over("fields plugins and actions of its shard");
    spec.plugins = {};
    spec.actions = {};
  }
  return spec;
}

}  // namespace

auto effective_settings(const Snapshot& cluster, const std::string& shard, const std::string& version)
    -> Result<Settings> {
  Settings settings;
  PREVICT_TRY(settings.running, running_release(cluster, version));
  settings.gaps = settings.running.gaps;
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
    set(settings.reservation_app, config.spec.binder.resource_reservation.app_label);
  }
  if (!settings.running.release.has(Change::node_pools)) settings.pool_key.clear();
  SchedulingShardSpec spec;
  for (const SchedulingShard& candidate : cluster.objects().kai_shards) {
    if (cluster.text(candidate.meta.name) != settings.shard) continue;
    spec = as_read(candidate.spec, settings.shard, settings);
    settings.shard_given = true;
  }
  if (!shard.empty() && !settings.shard_given) {
    return fail(fmt::format("no SchedulingShard \"{}\" {}", shard, where_read(cluster.objects())));
  }
  Reading(cluster, spec, settings).read();
  return settings;
}

// Such a setting affects every decision of the scheduler.
void Settings::refuse(std::string why) {
  if (cannot_start.empty()) cannot_start = std::move(why);
}

void Settings::pass_over(std::string what, std::string_view value) {
  gaps.push_back({GapRule::kai_setting_unknown, {std::move(what)}, value != "false" && !running.surely_compared()});
}

auto Budgets::for_group(Action of) const -> std::int64_t {
  std::int64_t limit = action[static_cast<std::size_t>(of)];
  if (group != 0 && (limit == 0 || group < limit)) limit = group;
  return limit == 0 ? 0 : std::max(limit, at_least);
}

auto argument_duration(std::string_view text) -> std::int64_t {
  return std::max<std::int64_t>(0, go::parse_duration(text, go::Units::weeks).value_or(0));
}

auto go_duration(std::int64_t nanos) -> std::string {
  if (nanos == 0) return "0s";
  const bool negative = nanos < 0;
  const std::string sign = negative ? "-" : "";
  const std::uint64_t rest = negative ? 0 - static_cast<std::uint64_t>(nanos) : static_cast<std::uint64_t>(nanos);
  const auto decimal = [](std::uint64_t amount, std::uint64_t unit, int digits) {
    std::string out = fmt::format("{}", amount / unit);
    if (amount % unit == 0) return out;
    std::string part = fmt::format(".{:0{}}", amount % unit, digits);
    part.erase(part.find_last_not_of('0') + 1);
    return out.append(part);
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
