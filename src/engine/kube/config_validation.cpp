#include "engine/kube/config_validation.h"

#include "api/upstream.h"
#include "base/base64.h"
#include "base/duration.h"
#include "base/go.h"
#include "base/text.h"
#include "cluster/label_syntax.h"
#include "engine/kube/plugins.h"
#include "engine/kube/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace previct::kube {
namespace {

class Validation {
 public:
  Validation(const Snapshot& cluster, const ReadConfiguration& c, Diagnostics& diagnostics)
      : cluster_(cluster), c_(c), config_(c.config), diagnostics_(diagnostics) {}

  auto run() -> Result<std::vector<ProfileArguments>> {
    PREVICT_CHECK(check_durations());
    PREVICT_CHECK(check_certificates());
    // Arguments are decoded with the rest, before anything is validated.
    std::vector<ProfileArguments> arguments;
    for (std::size_t i = 0; i < config_.profiles.size(); ++i) {
      PREVICT_TRY(ProfileArguments each, read_arguments(cluster_, c_, i, diagnostics_));
      arguments.push_back(std::move(each));
    }
    PREVICT_CHECK(check_process());
    for (std::size_t i = 0; i < config_.profiles.size(); ++i) PREVICT_CHECK(check_profile(i));
    PREVICT_CHECK(check_percentage("percentageOfNodesToScore", config_.percentage_of_nodes_to_score));
    PREVICT_CHECK(check_back_off());
    PREVICT_CHECK(check_extenders());
    PREVICT_CHECK(check_extender_clients());
    for (std::size_t i = 0; i < config_.profiles.size(); ++i) PREVICT_CHECK(check_plugins(i));
    return arguments;
  }

 private:
  [[nodiscard]] auto bad(const std::string& path, std::int64_t value, std::string_view reason) const
      -> tl::unexpected<Failure> {
    return invalid(c_, path, fmt::format("{}", value), reason);
  }
  [[nodiscard]] auto other_fault(const std::string& path, std::string_view reason) const -> tl::unexpected<Failure> {
    return fail(fmt::format("{}: {}", path, reason), c_.place_of(path));
  }

  // A duration that is not a pointer cannot be null: metav1.Duration reads null as an empty text.
  // Source: apimachinery pkg/apis/meta/v1/duration.go UnmarshalJSON.
  [[nodiscard]] auto check_durations() const -> Result<void> {
    const auto check = [&](std::uint32_t map, std::string_view key, const std::string& path) -> Result<void> {
      const std::uint32_t at = c_.tape.find(map, key);
      const bool null =
          at < c_.tape.size() && c_.tape[at].type == EventType::scalar && c_.tape[at].scalar == ScalarType::null;
      return null ? Result<void>(other_fault(path, "time: invalid duration \"\"")) : Result<void>();
    };
    const std::uint32_t election = c_.tape.find(0, "leaderElection");
    for (const char* field : {"leaseDuration", "renewDeadline", "retryPeriod"})
      PREVICT_CHECK(check(election, field, fmt::format("leaderElection.{}", field)));
    const std::uint32_t extenders = c_.tape.find(0, "extenders");
    if (extenders >= c_.tape.size() || c_.tape[extenders].type != EventType::begin_list) return {};
    std::size_t i = 0;
    for (std::uint32_t at = extenders + 1; at < c_.tape[extenders].next; at = c_.tape[at].next, ++i)
      PREVICT_CHECK(check(at, "httpTimeout", fmt::format("extenders[{}].httpTimeout", i)));
    return {};
  }

  // A Go []byte is base64 in JSON. Source: encoding/json.
  [[nodiscard]] auto check_certificates() const -> Result<void> {
    std::string bytes;
    for (std::size_t i = 0; i < config_.extenders.size(); ++i) {
      const ExtenderTlsConfig& tls = config_.extenders[i].tls;
      for (const auto& [field, text] : {std::pair("certData", &tls.cert_data), std::pair("keyData", &tls.key_data),
                                        std::pair("caData", &tls.ca_data)}) {
        if (!decode_base64(*text, bytes))
          return other_fault(fmt::format("extenders[{}].tlsConfig.{}", i, field), "illegal base64 data");
      }
    }
    return {};
  }

  // -- fields of the process as a whole

  [[nodiscard]] auto check_process() const -> Result<void> {
    if (config_.client_connection.burst < 0)
      return bad("clientConnection.burst", config_.client_connection.burst, "must be non-negative");
    PREVICT_CHECK(check_leader_election());
    if (config_.parallelism && *config_.parallelism <= 0)
      return bad("parallelism", *config_.parallelism, "should be an integer value greater than zero");
    return {};
  }

  [[nodiscard]] auto check_leader_election() const -> Result<void> {
    const LeaderElectionConfig& e = config_.leader_election;
    if (!e.leader_elect.value_or(true)) return {};
    const auto or_default = [](Duration given, std::int64_t seconds) {
      return given.nanos == 0 ? seconds * go::kNanosPerSecond : given.nanos;
    };
    const std::int64_t lease = or_default(e.lease_duration, 15);
    const std::int64_t renew = or_default(e.renew_deadline, 10);
    const std::string positive = "Invalid value: must be greater than zero";
    if (lease <= 0) return other_fault("leaderElection.leaseDuration", positive);
    if (renew <= 0) return other_fault("leaderElection.renewDeadline", positive);
    if (or_default(e.retry_period, 2) <= 0) return other_fault("leaderElection.retryPeriod", positive);
    if (lease <= renew)
      return other_fault("leaderElection.leaseDuration", "Invalid value: must be greater than `RenewDeadline`");
    if (e.resource_lock.empty() || e.resource_lock == "leases") return {};
    return invalid(c_, "leaderElection.resourceLock", fmt::format("\"{}\"", e.resource_lock),
                   "resourceLock value must be \"leases\"");
  }

  [[nodiscard]] auto check_percentage(const std::string& path, std::optional<std::int32_t> value) const
      -> Result<void> {
    if (!value || (*value >= 0 && *value <= 100)) return {};
    return bad(path, *value, "not in valid range [0-100]");
  }

  [[nodiscard]] auto check_back_off() const -> Result<void> {
    const std::int64_t initial = config_.initial_backoff.value_or(1);
    const std::int64_t longest = config_.max_backoff.value_or(10);
    if (initial <= 0) return bad("podInitialBackoffSeconds", initial, "must be greater than 0");
    if (longest >= initial) return {};
    const std::string path = config_.max_backoff ? "podMaxBackoffSeconds" : "podInitialBackoffSeconds";
    return fail(fmt::format("podMaxBackoffSeconds: Invalid value: {}: must be greater than or equal to "
                            "PodInitialBackoffSeconds",
                            longest),
                c_.place_of(path), fmt::format("podInitialBackoffSeconds is {}", initial));
  }

  [[nodiscard]] auto check_extenders() const -> Result<void> {
    std::size_t binders = 0;
    std::set<std::string_view> managed;
    for (std::size_t i = 0; i < config_.extenders.size(); ++i) {
      const ExtenderConfig& extender = config_.extenders[i];
      const std::string path = fmt::format("extenders[{}]", i);
      if (!extender.prioritize_verb.empty() && extender.weight <= 0)
        return bad(path + ".weight", extender.weight, "must have a positive weight applied to it");
      binders += extender.bind_verb.empty() ? 0U : 1U;
      for (std::size_t k = 0; k < extender.managed_resources.size(); ++k) {
        const std::string& name = extender.managed_resources[k].name;
        const std::string at = fmt::format("{}.managedResources[{}].name", path, k);
        const std::string value = fmt::format("\"{}\"", name);
        if (!is_qualified_name(name) || !upstream::is_extended_resource(name))
          return invalid(c_, at, value, "is an invalid extended resource name");
        if (!managed.insert(name).second) return invalid(c_, at, value, "duplicate extender managed resource name");
      }
    }
    if (binders <= 1) return {};
    return invalid(c_, "extenders", fmt::format("\"found {} extenders implementing bind\"", binders),
                   "only one extender can implement bind");
  }

  // Source: pkg/scheduler/extender.go makeTransport; client-go transport/transport.go TLSConfigFor.
  [[nodiscard]] auto check_extender_clients() const -> Result<void> {
    for (std::size_t i = 0; i < config_.extenders.size(); ++i) {
      const ExtenderTlsConfig& tls = config_.extenders[i].tls;
      if (tls.insecure && !(tls.ca_file.empty() && tls.ca_data.empty()))
        return other_fault(fmt::format("extenders[{}].tlsConfig", i),
                           "specifying a root certificates file with the insecure flag is not allowed");
    }
    return {};
  }

  // -- profiles as written

  [[nodiscard]] auto check_profile(std::size_t i) const -> Result<void> {
    const ProfileConfig& profile = config_.profiles[i];
    const std::string path = fmt::format("profiles[{}]", i);
    const bool one_of_several = config_.profiles.size() > 1;
    if (profile.scheduler_name ? profile.scheduler_name->empty() : one_of_several)
      return other_fault(path + ".schedulerName", "Required value");
    PREVICT_CHECK(check_percentage(path + ".percentageOfNodesToScore", profile.percentage_of_nodes_to_score));
    PREVICT_CHECK(check_plugin_config(path, profile));
    for (std::size_t k = 0; k < i; ++k) {
      if (name_of(config_.profiles[k]) != name_of(profile)) continue;
      return other_fault(path + ".schedulerName", fmt::format("Duplicate value: \"profiles[{}].schedulerName\"; two "
                                                              "profiles cannot share the schedulerName \"{}\"",
                                                              k, name_of(profile)));
    }
    return check_queue_sort(i);
  }

  [[nodiscard]] auto check_plugin_config(const std::string& path, const ProfileConfig& profile) const -> Result<void> {
    const std::string_view gone = "was invalid in version \"kubescheduler.config.k8s.io/v1\"";
    for (const PointInfo& point : points()) {
      const auto& enabled = (profile.plugins.*point.set).enabled;
      for (std::size_t k = 0; k < enabled.size(); ++k) {
        if (!is_gone(enabled[k].name)) continue;
        return invalid(c_, fmt::format("{}.plugins.{}.enabled[{}]", path, point.field, k),
                       fmt::format("\"{}\"", enabled[k].name), gone);
      }
    }
    std::set<std::string_view> seen;
    for (std::size_t k = 0; k < profile.plugin_config.size(); ++k) {
      const std::string& name = profile.plugin_config[k].name;
      const std::string at = fmt::format("{}.pluginConfig[{}]", path, k);
      if (!seen.insert(name).second) return other_fault(at, fmt::format("Duplicate value: \"{}\"", name));
      if (is_gone(name)) return invalid(c_, at, fmt::format("\"{}\"", name), gone);
      // Upstream's list of validators contains this name instead of the plugin's.
      if (name == "NodeResourcesFitArgs") return other_fault(at + ".args", "Invalid value: has to match plugin args");
    }
    return {};
  }

  [[nodiscard]] auto check_queue_sort(std::size_t i) const -> Result<void> {
    const PluginSet& first = config_.profiles.front().plugins.queue_sort;
    const PluginSet& own = config_.profiles[i].plugins.queue_sort;
    if (i == 0 && own.enabled.size() > 1)
      return bad("profiles[0].plugins.queueSort.enabled", static_cast<std::int64_t>(own.enabled.size()),
                 "only one queue sort plugin can be enabled");
    if (own == first) return {};
    return other_fault(fmt::format("profiles[{}].plugins.queueSort", i),
                       "Invalid value: must be the same for all profiles");
  }

  // -- profiles as the framework creates them

  [[nodiscard]] auto check_plugins(std::size_t i) const -> Result<void> {
    const ProfileConfig& profile = config_.profiles[i];
    const std::string path = fmt::format("profiles[{}].plugins", i);
    for (const PointInfo& point : points()) {
      const auto& enabled = (profile.plugins.*point.set).enabled;
      std::set<std::string_view> seen;
      for (std::size_t k = 0; k < enabled.size(); ++k) {
        const std::string at = fmt::format("{}.{}.enabled[{}].name", path, point.field, k);
        const std::string& name = enabled[k].name;
        PREVICT_CHECK(check_exists(at, name, point));
        const PluginInfo* plugin = find_plugin(name);
        // The extension points of a plugin of another repository depend on its release.
        const bool may_move =
            plugin != nullptr && plugin->home == PluginInfo::Home::published && plugin->name != "PreemptionToleration";
        if (plugin != nullptr && !may_move && !plugin->may_stand_at(point.point, c_.release))
          return other_fault(at, fmt::format("plugin \"{}\" does not extend {} plugin", name, point.interface));
        if (!seen.insert(name).second)
          return other_fault(at, fmt::format("plugin \"{}\" already registered as \"{}\"", name, point.interface));
      }
    }
    PREVICT_CHECK(check_multi_point(i));
    PREVICT_CHECK(check_weights(i));
    const std::string name = name_of(profile);
    const auto sorts = plugins_at(profile.plugins, Point::queue_sort, c_.release);
    if (sorts.size() != 1) {
      return other_fault(path, fmt::format("only one queue sort plugin required for profile with scheduler name "
                                           "\"{}\", but got {}",
                                           name, sorts.size()));
    }
    if (plugins_at(profile.plugins, Point::bind, c_.release).empty())
      return other_fault(
          path, fmt::format("at least one bind plugin is needed for profile with scheduler name \"{}\"", name));
    const auto first = plugins_at(config_.profiles.front().plugins, Point::queue_sort, c_.release);
    if (first == sorts) return {};
    return other_fault(path, fmt::format("different queue sort plugins for profile \"{}\": \"{}\", first: \"{}\"", name,
                                         sorts[0], first.empty() ? "" : first[0]));
  }

  // The sum is an int64 that wraps. If it is negative, which a negative weight can cause, it counts as too large.
  // Source: framework/runtime/framework.go getScoreWeights.
  [[nodiscard]] auto check_weights(std::size_t i) const -> Result<void> {
    const ProfilePlugins& plugins = config_.profiles[i].plugins;
    std::vector<PluginRef> refs = plugins.score.enabled;
    const std::vector<PluginRef> everywhere = merged_multi_point(plugins, c_.release);
    refs.insert(refs.end(), everywhere.begin(), everywhere.end());
    std::set<std::string_view> seen;
    std::int64_t total = 0;
    for (const PluginRef& ref : refs) {
      const PluginInfo* plugin = find_plugin(ref.name);
      if (plugin == nullptr || !plugin->runs_at(Point::score, c_.release) || !seen.insert(plugin->name).second)
        continue;
      // A plugin that a profile names has the weight given there, else 1; default plugins have their own weights.
      const std::int64_t weight = ref.weight.value_or(0) == 0 ? 1 : *ref.weight;
      if (weight * kMaxNodeScore > go::subtract(INT64_MAX, total))
        return other_fault(fmt::format("profiles[{}].plugins", i), "total score of Score plugins could overflow");
      total += weight * kMaxNodeScore;
    }
    return {};
  }

  // A plugin of a published repository, or of a custom build of the scheduler, may be built in.
  [[nodiscard]] auto check_exists(const std::string& at, const std::string& name, const PointInfo& point) const
      -> Result<void> {
    if (find_plugin(name) != nullptr || std::find(own_.begin(), own_.end(), name) != own_.end()) return {};
    std::vector<std::string> known;
    for (const PluginInfo& plugin : plugins()) known.emplace_back(plugin.name);
    const auto meant = nearest(name, known);
    return fail(fmt::format("{}: unknown plugin \"{}\": {} \"{}\" does not exist", at, name, point.interface, name),
                c_.place_of(at),
                meant         ? fmt::format("did you mean {}?", *meant)
                : name == "*" ? "only `disabled` takes `*`"
                              : "if your scheduler is a custom build with additional plugins, remove them from the "
                                "file that you pass to previct");
  }

  [[nodiscard]] auto check_multi_point(std::size_t i) const -> Result<void> {
    const ProfilePlugins& plugins = config_.profiles[i].plugins;
    const auto& enabled = plugins.multi_point.enabled;
    const auto at = [&](std::size_t k) {
      return fmt::format("profiles[{}].plugins.multiPoint.enabled[{}].name", i, k);
    };
    for (std::size_t k = 0; k < enabled.size(); ++k)
      PREVICT_CHECK(check_exists(at(k), enabled[k].name, info(Point::pre_filter)));
    for (std::size_t k = 0; k < enabled.size(); ++k) {
      const bool again = std::any_of(enabled.begin(), enabled.begin() + static_cast<std::ptrdiff_t>(k),
                                     [&](const PluginRef& ref) { return ref.name == enabled[k].name; });
      if (!again) continue;
      const PluginInfo* plugin = find_plugin(enabled[k].name);
      if (plugin == nullptr) continue;
      for (const PointInfo& point : points()) {
        const PluginSet& set = plugins.*point.set;
        const auto names = [&](const std::vector<PluginRef>& refs, std::string_view name) {
          return std::any_of(refs.begin(), refs.end(), [&](const PluginRef& ref) { return ref.name == name; });
        };
        const bool expanded = plugin->runs_at(point.point, c_.release) && !names(set.disabled, "*") &&
                              !names(set.disabled, plugin->name) && !names(set.enabled, plugin->name);
        if (expanded)
          return other_fault(at(k),
                             fmt::format("plugin \"{}\" already registered as \"{}\"", plugin->name, point.interface));
      }
    }
    return {};
  }

  const Snapshot& cluster_;
  const ReadConfiguration& c_;
  const SchedulerConfig& config_;
  Diagnostics& diagnostics_;
  std::vector<std::string> own_ = own_plugins(config_, c_.any_build);
};

}  // namespace

auto invalid(const ReadConfiguration& configuration, const std::string& path, const std::string& value,
             std::string_view reason) -> tl::unexpected<Failure> {
  return fail(fmt::format("{}: Invalid value: {}: {}", path, value, reason), configuration.place_of(path));
}

auto is_made(const ProfilePlugins& plugins, const Release& release, std::string_view name) -> bool {
  const auto names = [&](const std::vector<PluginRef>& refs) {
    return std::any_of(refs.begin(), refs.end(), [&](const PluginRef& ref) { return ref.name == name; });
  };
  return names(merged_multi_point(plugins, release)) ||
         std::any_of(points().begin(), points().end(),
                     [&](const PointInfo& point) { return names((plugins.*point.set).enabled); });
}

auto is_gone(std::string_view plugin) -> bool {
  constexpr std::array<std::string_view, 4> kGone = {"AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"};
  return std::find(kGone.begin(), kGone.end(), plugin) != kGone.end();
}

auto name_of(const ProfileConfig& profile) -> std::string {
  return profile.scheduler_name.value_or(std::string(upstream::kDefaultScheduler));
}

auto validate(const Snapshot& cluster, const ReadConfiguration& configuration, Diagnostics& diagnostics)
    -> Result<std::vector<ProfileArguments>> {
  return Validation(cluster, configuration, diagnostics).run();
}

}  // namespace previct::kube
