#include "api/decode.h"
#include "cluster/label_syntax.h"
#include "engine/kube/config_validation.h"
#include "engine/kube/plugin_names.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace previct::kube {
namespace {

constexpr std::string_view kVersion = "kubescheduler.config.k8s.io/v1";
constexpr std::string_view kNoName =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character";

auto in_quotes(std::string_view text) -> std::string {
  return fmt::format("\"{}\"", text);
}

/// Decodes and validates the arguments of one profile. Each check below is one of upstream's Validate…Args.
class Arguments {
 public:
  Arguments(const Snapshot& cluster, const ReadConfiguration& c, std::size_t index, Diagnostics& diagnostics)
      : cluster_(cluster), c_(c), profile_(c.config.profiles[index]), index_(index), diagnostics_(diagnostics) {}

  auto run() -> Result<ProfileArguments> {
    for (std::size_t i = 0; i < profile_.plugin_config.size(); ++i) {
      path_ = fmt::format("profiles[{}].pluginConfig[{}].args", index_, i);
      PREVICT_CHECK(one(profile_.plugin_config[i]));
    }
    return std::move(out_);
  }

 private:
  auto one(const PluginConfig& config) -> Result<void> {
    const std::string& name = config.name;
    if (name == kDefaultPreemption) return read(config, out_.default_preemption, &Arguments::check_preemption);
    if (name == kPreemptionToleration) {
      const bool made = is_made(profile_.plugins, c_.release, name);
      return read(config, out_.preemption_toleration, made ? &Arguments::check_preemption : nullptr);
    }
    if (name == "InterPodAffinity") return read(config, out_.inter_pod_affinity, &Arguments::check_inter_pod_affinity);
    if (name == "NodeAffinity") return read(config, out_.node_affinity, &Arguments::check_node_affinity);
    if (name == "NodeResourcesBalancedAllocation")
      return read(config, out_.balanced_allocation, &Arguments::check_balanced);
    if (name == "NodeResourcesFit") {
      // Upstream registers the validator under another name, so only the plugin itself checks its arguments.
      const bool made = is_made(profile_.plugins, c_.release, name);
      return read(config, out_.node_resources_fit, made ? &Arguments::check_fit : nullptr);
    }
    if (name == "PodTopologySpread") return read(config, out_.pod_topology_spread, &Arguments::check_spread);
    if (name == "VolumeBinding") return read(config, out_.volume_binding, &Arguments::check_volume_binding);
    if (name == "DynamicResources") {
      const bool made = is_made(profile_.plugins, c_.release, name);
      return read(config, out_.dynamic_resources, made ? &Arguments::check_dynamic_resources : nullptr);
    }
    return {};  // other plugins have no known arguments: anything is accepted
  }

  template <class Args>
  using Check = auto(Arguments::*)(const Args&) const -> Result<void>;

  template <class Args>
  auto read(const PluginConfig& config, Args& args, Check<Args> check) -> Result<void> {
    if (config.args == 0) return {};
    PREVICT_CHECK(check_kind(config));
    Decoder decoder(c_.tape, c_.file, cluster_.symbols(), diagnostics_);
    decoder.strict();
    if (Result<void> decoded = decoder.decode(config.args, args); !decoded) {
      Failure failure = std::move(decoded).error();
      failure.message = fmt::format("decoding args for plugin {}: {}", config.name, failure.message);
      if (failure.place.line > 0) failure.place.line += c_.line_offset;
      return tl::unexpected(std::move(failure));
    }
    return check == nullptr ? Result<void>() : (this->*check)(args);
  }

  [[nodiscard]] auto check_kind(const PluginConfig& config) const -> Result<void> {
    const auto given = [&](std::string_view key) { return c_.tape.string(c_.tape.find(config.args, key)); };
    const std::string kind = config.name + "Args";
    for (const char* field : {"apiVersion", "kind"}) {
      const std::uint32_t at = c_.tape.find(config.args, field);
      if (at >= c_.tape.size()) continue;
      const Tape::Entry& entry = c_.tape[at];
      const bool text =
          entry.type == EventType::scalar && (entry.scalar == ScalarType::string || entry.scalar == ScalarType::null);
      if (!text)
        return fail(
            fmt::format("decoding args for plugin {}: couldn't get version/kind: {} is no string", config.name, field),
            c_.place_of(fmt::format("{}.{}", path_, field)));
    }
    if (!given("apiVersion").empty() && given("apiVersion") != kVersion) {
      return fail(fmt::format("decoding args for plugin {}: no kind \"{}\" is registered for version \"{}\"",
                              config.name, given("kind").empty() ? kind : given("kind"), given("apiVersion")),
                  c_.place_of(path_ + ".apiVersion"), fmt::format("use {}", kVersion));
    }
    if (given("kind").empty() || given("kind") == kind) return {};
    return fail(fmt::format("args for plugin {} were not of type {}, got {}", config.name, kind, given("kind")),
                c_.place_of(path_ + ".kind"));
  }

  [[nodiscard]] auto bad(std::string_view field, const std::string& value, std::string_view reason) const
      -> tl::unexpected<Failure> {
    return invalid(c_, fmt::format("{}.{}", path_, field), value, reason);
  }
  [[nodiscard]] auto bad(const std::string& field, std::int64_t value, std::string_view reason) const
      -> tl::unexpected<Failure> {
    return bad(field, fmt::format("{}", value), reason);
  }
  [[nodiscard]] auto other_fault(std::string_view field, std::string_view reason) const -> tl::unexpected<Failure> {
    const std::string path = fmt::format("{}.{}", path_, field);
    return fail(fmt::format("{}: {}", path, reason), c_.place_of(path));
  }

  // Source: validation_pluginargs.go; scheduler-plugins uses the same.
  [[nodiscard]] auto check_preemption(const PreemptionArgs& args) const -> Result<void> {
    const std::int32_t percentage = args.percentage.value_or(10);
    const std::int32_t absolute = args.absolute.value_or(100);
    const std::string percentage_field = "minCandidateNodesPercentage";
    const std::string absolute_field = "minCandidateNodesAbsolute";
    if (percentage < 0 || percentage > 100) return bad(percentage_field, percentage, "not in valid range [0, 100]");
    if (absolute < 0) return bad(absolute_field, absolute, "not in valid range [0, inf)");
    if (percentage == 0 && absolute == 0)
      return bad(percentage_field, percentage, "cannot be zero at the same time as minCandidateNodesAbsolute");
    return {};
  }

  [[nodiscard]] auto check_inter_pod_affinity(const InterPodAffinityArgs& args) const -> Result<void> {
    const std::int32_t weight = args.hard_pod_affinity_weight.value_or(1);
    if (weight >= 0 && weight <= 100) return {};
    return bad("hardPodAffinityWeight", weight, "not in valid range [0, 100]");
  }

  [[nodiscard]] auto check_node_affinity(const NodeAffinityArgs& args) const -> Result<void> {
    const std::string base = "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
    if (args.added.required) {
      const auto& terms = args.added.required->terms;
      for (std::size_t i = 0; i < terms.size(); ++i)
        PREVICT_CHECK(check_term(fmt::format("{}[{}]", base, i), terms[i]));
    }
    const std::span<const WeightedNodeTerm> preferred = args.added.preferred_terms();
    for (std::size_t i = 0; i < preferred.size(); ++i) {
      if (preferred[i].weight == 0) continue;
      PREVICT_CHECK(
          check_term(fmt::format("addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[{}].preference", i),
                     preferred[i].term));
    }
    return {};
  }
  [[nodiscard]] auto check_term(const std::string& field, const NodeSelectorTerm& term) const -> Result<void> {
    const std::string_view fault = fault_of(term, cluster_.symbols());
    if (fault.empty()) return {};
    return other_fault(field, fmt::format("Invalid value: {}", fault));
  }

  [[nodiscard]] auto check_balanced(const BalancedAllocationArgs& args) const -> Result<void> {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < args.resources.size(); ++i) {
      const ResourceWeight& resource = args.resources[i];
      if (!seen.insert(resource.name).second)
        return other_fault(fmt::format("resources[{}].name", i), fmt::format("Duplicate value: \"{}\"", resource.name));
      if (resource.weight != 0 && resource.weight != 1)
        return bad(fmt::format("resources[{}].weight", i), resource.weight, "must be 1");
    }
    return {};
  }

  [[nodiscard]] auto check_fit(const NodeResourcesFitArgs& args) const -> Result<void> {
    for (std::size_t i = 0; i < args.ignored_resources.size(); ++i) {
      if (is_qualified_name(args.ignored_resources[i])) continue;
      return bad(fmt::format("ignoredResources[{}]", i), in_quotes(args.ignored_resources[i]), kNoName);
    }
    for (std::size_t i = 0; i < args.ignored_resource_groups.size(); ++i) {
      const std::string& group = args.ignored_resource_groups[i];
      const std::string field = fmt::format("ignoredResourceGroups[{}]", i);
      if (group.find('/') != std::string::npos)
        return bad(field, in_quotes(group), "resource group name can't contain '/'");
      if (!is_qualified_name(group)) return bad(field, in_quotes(group), kNoName);
    }
    if (!args.scoring_strategy) return {};
    const ScoringStrategy& strategy = *args.scoring_strategy;
    constexpr std::array kTypes = {"LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"};
    if (std::find(kTypes.begin(), kTypes.end(), strategy.type) == kTypes.end()) {
      return other_fault("scoringStrategy.type", fmt::format("Unsupported value: \"{}\": supported values: \"{}\"",
                                                             strategy.type, fmt::join(kTypes, "\", \"")));
    }
    for (std::size_t i = 0; i < strategy.resources.size(); ++i) {
      const ResourceWeight& resource = strategy.resources[i];
      if (resource.weight >= 0 && resource.weight <= 100) continue;  // 0 means 1
      return bad(fmt::format("scoringStrategy.resources[{}].weight", i), resource.weight,
                 fmt::format("resource weight of {} not in valid range (0, 100]", resource.name));
    }
    if (strategy.type == "RequestedToCapacityRatio" && !strategy.requested_to_capacity_ratio) {
      // Upstream dereferences the missing shape and panics.
      return other_fault("scoringStrategy.requestedToCapacityRatio",
                         "Required value: kube-scheduler crashes without it");
    }
    if (!strategy.requested_to_capacity_ratio) return {};
    return check_shape("scoringStrategy.requestedToCapacityRatio.shape", strategy.requested_to_capacity_ratio->shape);
  }

  [[nodiscard]] auto check_shape(const std::string& field, const std::vector<ShapePoint>& shape) const -> Result<void> {
    if (shape.empty()) return other_fault(field, "Required value: at least one point must be specified");
    for (std::size_t i = 1; i < shape.size(); ++i) {
      if (shape[i - 1].utilization < shape[i].utilization) continue;
      return bad(fmt::format("{}[{}].utilization", field, i), shape[i].utilization,
                 "values must be sorted in increasing order");
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i].utilization < 0 || shape[i].utilization > 100)
        return bad(fmt::format("{}[{}].utilization", field, i), shape[i].utilization, "not in valid range [0, 100]");
      if (shape[i].score < 0 || shape[i].score > 10)
        return bad(fmt::format("{}[{}].score", field, i), shape[i].score, "not in valid range [0, 10]");
    }
    return {};
  }

  [[nodiscard]] auto check_spread(const PodTopologySpreadArgs& args) const -> Result<void> {
    const std::string& type = args.defaulting_type;
    if (!type.empty() && type != "System" && type != "List") {
      return other_fault("defaultingType",
                         fmt::format("Unsupported value: \"{}\": supported values: \"System\", \"List\"", type));
    }
    if (type != "List" && !args.default_constraints.empty())
      return bad("defaultingType", "\"System\"", "when .defaultConstraints are not empty");
    std::set<std::pair<Symbol, Symbol>> seen;
    for (std::size_t i = 0; i < args.default_constraints.size(); ++i) {
      PREVICT_CHECK(check_constraint(fmt::format("defaultConstraints[{}]", i), args.default_constraints[i]));
      const TopologySpreadConstraint& c = args.default_constraints[i];
      if (seen.emplace(c.topology_key, c.when_unsatisfiable).second) continue;
      return other_fault(fmt::format("defaultConstraints[{}]", i),
                         fmt::format("Duplicate value: \"{{{}, {}}}\"", cluster_.text(c.topology_key),
                                     cluster_.text(c.when_unsatisfiable)));
    }
    return {};
  }
  [[nodiscard]] auto check_constraint(const std::string& field, const TopologySpreadConstraint& c) const
      -> Result<void> {
    if (c.max_skew <= 0) return bad(field + ".maxSkew", c.max_skew, "not in valid range (0, inf)");
    const std::string_view key = cluster_.text(c.topology_key);
    if (key.empty()) return other_fault(field + ".topologyKey", "Required value: can not be empty");
    if (!is_qualified_name(key)) return bad(field + ".topologyKey", in_quotes(key), kNoName);
    const std::string_view action = cluster_.text(c.when_unsatisfiable);
    if (action.empty()) return other_fault(field + ".whenUnsatisfiable", "Required value: can not be empty");
    if (action != "DoNotSchedule" && action != "ScheduleAnyway") {
      return other_fault(
          field + ".whenUnsatisfiable",
          fmt::format("Unsupported value: \"{}\": supported values: \"DoNotSchedule\", \"ScheduleAnyway\"", action));
    }
    if (!c.selector) return {};
    return other_fault(field + ".labelSelector",
                       "Forbidden: constraint must not define a selector, as they deduced for each pod");
  }

  [[nodiscard]] auto check_volume_binding(const VolumeBindingArgs& args) const -> Result<void> {
    const std::int64_t timeout = args.bind_timeout_seconds.value_or(600);
    if (timeout < 0)
      return bad("bindTimeoutSeconds", timeout, "invalid BindTimeoutSeconds, should not be a negative value");
    if (args.shape.empty()) return {};
    const bool scored =
        c_.release.has(Change::storage_capacity_scores) || c_.release.has(Change::static_storage_scores);
    if (scored) return check_shape("shape", args.shape);
    return other_fault("shape",
                       "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring");
  }

  // Feature gates decide which arguments may be set.
  // Source: ValidateDynamicResourcesArgs, called by the plugin's New.
  [[nodiscard]] auto check_dynamic_resources(const DynamicResourcesArgs& args) const -> Result<void> {
    if (args.filter_timeout) {
      if (!is_on("DRASchedulerFilterTimeout"))
        return other_fault("filterTimeout", "Forbidden: DRASchedulingFilterTimeout feature gate is disabled");
      if (args.filter_timeout->nanos < 0)
        return other_fault("filterTimeout", "Invalid value: must be zero or positive");
    }
    if (!args.binding_timeout) return {};
    if (!is_on("DRADeviceBindingConditions") || !is_on("DRAResourceClaimDeviceStatus")) {
      return other_fault(
          "bindingTimeout",
          "Forbidden: DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled");
    }
    if (args.binding_timeout->nanos >= 1'000'000'000) return {};
    return other_fault("bindingTimeout", "Invalid value: must be at least 1 second");
  }
  [[nodiscard]] auto is_on(std::string_view gate) const -> bool { return c_.release.is_on(*find_gate(gate)); }

  const Snapshot& cluster_;
  const ReadConfiguration& c_;
  const ProfileConfig& profile_;
  std::size_t index_;
  Diagnostics& diagnostics_;
  std::string path_;  // of the current arguments
  ProfileArguments out_;
};

}  // namespace

auto read_arguments(const Snapshot& cluster, const ReadConfiguration& configuration, std::size_t index,
                    Diagnostics& diagnostics) -> Result<ProfileArguments> {
  return Arguments(cluster, configuration, index, diagnostics).run();
}

}  // namespace previct::kube
