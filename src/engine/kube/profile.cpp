#include "engine/kube/profile.h"

#include "api/decode.h"
#include "api/scheduler_config.h"
#include "base/text.h"
#include "engine/kube/pace.h"
#include "engine/kube/tolerance.h"
#include "input/yaml_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::kube {
namespace {

using Names = std::vector<std::string>;

/// The default profile's plugins in their order. Source: apis/config/v1/default_plugins.go, v1.35.
const std::array kMultiPoint = {"SchedulingGates",
                                "PrioritySort",
                                "NodeUnschedulable",
                                "NodeName",
                                "TaintToleration",
                                "NodeAffinity",
                                "NodePorts",
                                "NodeResourcesFit",
                                "VolumeRestrictions",
                                "NodeVolumeLimits",
                                "VolumeBinding",
                                "VolumeZone",
                                "PodTopologySpread",
                                "InterPodAffinity",
                                "DynamicResources",
                                "DefaultPreemption",
                                "NodeResourcesBalancedAllocation",
                                "ImageLocality",
                                "DefaultBinder"};
/// Known, but not in the default profile.
const std::array kAlsoKnown = {"PreemptionToleration", "NodeDeclaredFeatures", "GangScheduling",
                               "DeferredPodScheduling"};

auto contains(const Names& names, std::string_view name) -> bool {
  return std::find(names.begin(), names.end(), name) != names.end();
}

auto names_of(const std::vector<PluginRef>& refs) -> Names {
  Names names;
  for (const PluginRef& ref : refs) names.push_back(ref.name);
  return names;
}

/// Which of the default plugins take part at an extension point.
auto takes_part(std::string_view plugin, std::string_view point) -> bool {
  const bool is_filter = find_filter(plugin) != nullptr || plugin == "NodeName" || plugin == "DynamicResources";
  if (point == "filter") return is_filter;
  if (point == "preFilter") {
    return is_filter && plugin != "NodeUnschedulable" && plugin != "NodeName" && plugin != "TaintToleration";
  }
  return plugin == "DynamicResources" || plugin == "DefaultPreemption" || plugin == "PreemptionToleration";
}

/// The plugins of one extension point, in the order in which they run.
auto settled(const PluginSet& multi_point, const PluginSet& at_point, std::string_view point) -> Names {
  const Names globally_off = names_of(multi_point.disabled);
  Names everywhere;  // multiPoint as the profile leaves it
  if (!contains(globally_off, "*")) {
    for (const char* name : kMultiPoint) {
      if (!contains(globally_off, name)) everywhere.emplace_back(name);
    }
  }
  for (const std::string& name : names_of(multi_point.enabled)) {
    if (!contains(everywhere, name)) everywhere.push_back(name);
  }
  std::erase_if(everywhere, [&](const std::string& name) {
    return !takes_part(name, point) && contains(Names(kMultiPoint.begin(), kMultiPoint.end()), name);
  });
  const Names on = names_of(at_point.enabled);
  const Names off = names_of(at_point.disabled);
  if (contains(off, "*")) return on;
  Names result;
  for (const std::string& name : on) {  // named again at the point itself: first
    if (contains(everywhere, name) && !contains(off, name)) result.push_back(name);
  }
  for (const std::string& name : everywhere) {
    if (!contains(off, name) && !contains(result, name)) result.push_back(name);
  }
  for (const std::string& name : on) {
    if (!contains(result, name)) result.push_back(name);
  }
  return result;
}

class Configuration {
 public:
  Configuration(const Snapshot& cluster, const ConfigFile& file, Diagnostics& diagnostics)
      : cluster_(cluster), file_(file), diagnostics_(diagnostics) {}

  [[nodiscard]] auto check() -> Result<void> {
    PREVICT_CHECK(read(file_.bytes, 0));
    PREVICT_CHECK(check_profiles());
    for (const ProfileConfig& profile : config_.profiles) PREVICT_CHECK(make(profile));
    return {};
  }

  [[nodiscard]] auto profile_of(std::string_view scheduler_name) -> Result<std::optional<Profile>> {
    PREVICT_CHECK(read(file_.bytes, 0));
    PREVICT_CHECK(check_profiles());
    if (config_.profiles.empty()) config_.profiles.emplace_back();
    for (const ProfileConfig& profile : config_.profiles) {
      if (name_of(profile) == scheduler_name) {
        PREVICT_TRY(Profile made, make(profile));
        return std::optional(std::move(made));
      }
    }
    return std::optional<Profile>();
  }

  [[nodiscard]] auto pace() -> Result<Pace> {
    PREVICT_CHECK(read(file_.bytes, 0));
    const ClientConnectionConfig& client = config_.client_connection;
    Pace pace;
    if (client.qps != 0) pace.qps = client.qps;
    if (client.burst != 0) pace.burst = client.burst;
    pace.initial_backoff = config_.initial_backoff.value_or(pace.initial_backoff);
    pace.max_backoff = config_.max_backoff.value_or(pace.max_backoff);
    if (pace.burst < 0) {
      return fail("clientConnection.burst: must be non-negative", place(tape_.find(0, "clientConnection")));
    }
    if (pace.initial_backoff <= 0) {
      return fail("podInitialBackoffSeconds: must be greater than 0", place(tape_.find(0, "podInitialBackoffSeconds")));
    }
    if (pace.max_backoff < pace.initial_backoff) {
      const std::string_view key = config_.max_backoff ? "podMaxBackoffSeconds" : "podInitialBackoffSeconds";
      return fail("podMaxBackoffSeconds: must be greater than or equal to podInitialBackoffSeconds",
                  place(tape_.find(0, key)), fmt::format("they are {} and {}", pace.max_backoff, pace.initial_backoff));
    }
    // Thirty years: what is longer is never over, and would not fit in nanoseconds.
    constexpr std::int64_t kLongest = 1'000'000'000;
    pace.initial_backoff = std::min(pace.initial_backoff, kLongest);
    pace.max_backoff = std::min(pace.max_backoff, kLongest);
    return pace;
  }

 private:
  [[nodiscard]] auto place(std::uint32_t index) const -> Place {
    return {file_.file, tape_[index].line + line_offset_, tape_[index].column};
  }

  // The configuration itself, or the one inside a ConfigMap.
  auto read(std::string_view bytes, std::uint32_t line_offset) -> Result<void> {
    line_offset_ = line_offset;
    tape_.clear();
    const auto source = yaml_source(bytes, file_.file);
    PREVICT_TRY(const Event first, moved(source->next()));
    if (first.type != EventType::begin_map) {
      return fail("expected a KubeSchedulerConfiguration", {file_.file, first.line + line_offset, first.column});
    }
    PREVICT_CHECK(moved(record(*source, first, tape_)));
    if (text_of("kind") == "ConfigMap" && line_offset == 0) return read_config_map();
    if (const Result<void> known = check_kind(); !known) return known;
    Decoder decoder(tape_, file_.file, cluster_.symbols(), diagnostics_);
    decoder.strict();
    return moved(decoder.decode(0, config_));
  }

  [[nodiscard]] auto read_config_map() -> Result<void> {
    const std::uint32_t data = tape_.find(0, "data");
    if (data < tape_.size() && tape_[data].type == EventType::begin_map) {
      for (std::uint32_t key = data + 1; key < tape_[data].next; key = tape_[key + 1].next) {
        const std::string text(tape_.text(tape_[key + 1]));
        // Without the tail: a policy or a kubeconfig may stand beside it under another key.
        if (text.find("KubeSchedulerConfiguration") == std::string::npos) continue;
        embedded_ = text;
        return read(embedded_, tape_[key + 1].line);
      }
    }
    return fail("this ConfigMap holds no KubeSchedulerConfiguration", place(0));
  }

  [[nodiscard]] auto text_of(std::string_view key) const -> std::string_view {
    const std::uint32_t index = tape_.find(0, key);
    return index < tape_.size() && tape_[index].type == EventType::scalar ? tape_.text(tape_[index]) : "";
  }

  [[nodiscard]] auto check_kind() const -> Result<void> {
    if (text_of("kind") != "KubeSchedulerConfiguration") {
      return fail(fmt::format("expected kind KubeSchedulerConfiguration, found \"{}\"", text_of("kind")), place(0));
    }
    const std::string_view version = text_of("apiVersion");
    if (version == "kubescheduler.config.k8s.io/v1") return {};
    return fail(fmt::format("apiVersion \"{}\" is not one that kube-scheduler 1.34 to 1.36 reads", version),
                place(tape_.find(0, "apiVersion")), "use kubescheduler.config.k8s.io/v1");
  }

  template <class T>
  auto moved(Result<T> result) const -> Result<T> {
    if (!result && line_offset_ > 0 && result.error().place.line > 0) result.error().place.line += line_offset_;
    return result;
  }

  static auto name_of(const ProfileConfig& profile) -> std::string {
    return profile.scheduler_name.empty() ? "default-scheduler" : profile.scheduler_name;
  }

  [[nodiscard]] auto check_profiles() const -> Result<void> {
    const std::uint32_t list = tape_.find(0, "profiles");
    Names seen;
    std::uint32_t at = list + 1;
    for (const ProfileConfig& profile : config_.profiles) {
      if (contains(seen, name_of(profile))) {
        return fail(fmt::format("duplicate schedulerName \"{}\": two profiles cannot share it", name_of(profile)),
                    place(at));
      }
      seen.push_back(name_of(profile));
      for (const PluginSet* set : {&profile.plugins.multi_point, &profile.plugins.pre_filter, &profile.plugins.filter,
                                   &profile.plugins.post_filter, &profile.plugins.pre_enqueue}) {
        PREVICT_CHECK(check_names(*set, place(at)));
      }
      at = tape_[at].next;
    }
    return {};
  }

  // A name within two edits of a known plugin is a slip, not a plugin of its own.
  static auto check_names(const PluginSet& set, Place where) -> Result<void> {
    Names known(kMultiPoint.begin(), kMultiPoint.end());
    known.insert(known.end(), kAlsoKnown.begin(), kAlsoKnown.end());
    for (const std::vector<PluginRef>* list : {&set.enabled, &set.disabled}) {
      for (const PluginRef& ref : *list) {
        if (ref.name == "*" || contains(known, ref.name)) continue;
        if (const auto meant = nearest(ref.name, known)) {
          return fail(fmt::format("unknown plugin \"{}\"", ref.name), where, fmt::format("did you mean {}?", *meant));
        }
      }
    }
    return {};
  }

  [[nodiscard]] auto make(const ProfileConfig& raw) -> Result<Profile> {
    Profile profile;
    profile.scheduler_name = name_of(raw);
    set_filters(raw.plugins, profile);
    set_post_filters(raw.plugins, profile);
    for (const PluginConfig& config : raw.plugin_config) PREVICT_CHECK(apply_arguments(config, profile));
    for (const ExtenderConfig& extender : config_.extenders) {
      profile.gaps.push_back(
          {Gap::Kind::unmodelled, fmt::format("extender {}", extender.url), "it may refuse nodes or change victims"});
    }
    return profile;
  }

  static void set_filters(const ProfilePlugins& plugins, Profile& profile) {
    const Names before = settled(plugins.multi_point, plugins.pre_filter, "preFilter");
    const Names run = settled(plugins.multi_point, plugins.filter, "filter");
    for (const std::string& name : run) {
      if (const FilterInfo* info = find_filter(name)) {
        profile.filters.push_back({info, contains(before, name), true});
      } else if (!contains({"NodeName", "DynamicResources"}, name)) {
        profile.gaps.push_back({Gap::Kind::unmodelled, fmt::format("filter plugin {}", name), "it may refuse nodes"});
      }
    }
    for (const std::string& name : before) {
      const FilterInfo* info = find_filter(name);
      if (info != nullptr && !contains(run, name)) profile.filters.push_back({info, true, false});
    }
  }

  static void set_post_filters(const ProfilePlugins& plugins, Profile& profile) {
    profile.post_filters.clear();
    for (const std::string& name : settled(plugins.multi_point, plugins.post_filter, "postFilter")) {
      if (name == "DynamicResources") {
        profile.post_filters.push_back(PostFilter::dynamic_resources);
      } else if (name == "DefaultPreemption") {
        profile.post_filters.push_back(PostFilter::default_preemption);
      } else if (name == "PreemptionToleration") {
        profile.post_filters.push_back(PostFilter::preemption_toleration);
      } else {
        profile.gaps.push_back({Gap::Kind::unmodelled, fmt::format("PostFilter plugin {}", name),
                                "it may evict other pods, or keep preemption from running"});
      }
    }
  }

  auto apply_arguments(const PluginConfig& config, Profile& profile) -> Result<void> {
    if (config.args == 0) return {};
    Decoder decoder(tape_, file_.file, cluster_.symbols(), diagnostics_);
    decoder.strict();
    const std::string_view active = profile.tolerates() ? "PreemptionToleration" : "DefaultPreemption";
    if (config.name == active) {
      PreemptionArgs args;
      PREVICT_CHECK(moved(decoder.decode(config.args, args)));
      profile.candidate_percentage = args.percentage.value_or(10);
      profile.candidate_absolute = args.absolute.value_or(100);
      return check_preemption_args(profile, place(config.args));
    }
    if (config.name == "NodeAffinity") {
      NodeAffinityArgs args;
      PREVICT_CHECK(moved(decoder.decode(config.args, args)));
      profile.settings.added_affinity = args.added.required;
    } else if (config.name == "NodeResourcesFit") {
      NodeResourcesFitArgs args;
      PREVICT_CHECK(moved(decoder.decode(config.args, args)));
      profile.settings.ignored_resources = args.ignored_resources;
      profile.settings.ignored_resource_groups = args.ignored_resource_groups;
    } else if (config.name == "PodTopologySpread") {
      PodTopologySpreadArgs args;
      PREVICT_CHECK(moved(decoder.decode(config.args, args)));
      note_default_spread(args, profile);
    }
    return {};
  }

  static auto check_preemption_args(const Profile& profile, Place where) -> Result<void> {
    if (profile.candidate_percentage < 0 || profile.candidate_percentage > 100) {
      return fail("minCandidateNodesPercentage must lie between 0 and 100", where);
    }
    if (profile.candidate_absolute < 0) return fail("minCandidateNodesAbsolute must not be negative", where);
    if (profile.candidate_percentage == 0 && profile.candidate_absolute == 0) {
      return fail("minCandidateNodesPercentage and minCandidateNodesAbsolute cannot both be 0", where);
    }
    return {};
  }

  // Default constraints select by the services and controllers of a pod, which a dump rarely holds.
  void note_default_spread(const PodTopologySpreadArgs& args, Profile& profile) const {
    const Symbol hard = cluster_.symbol("DoNotSchedule");
    for (const TopologySpreadConstraint& c : args.default_constraints) {
      if (hard && c.when_unsatisfiable == hard) {
        profile.gaps.push_back({Gap::Kind::unmodelled, "default DoNotSchedule spread constraints",
                                "they may refuse nodes to pods without constraints of their own"});
        return;
      }
    }
  }

  const Snapshot& cluster_;
  const ConfigFile& file_;
  Diagnostics& diagnostics_;
  Tape tape_;
  std::string embedded_;
  std::uint32_t line_offset_ = 0;
  SchedulerConfig config_;
};

// Does any PriorityClass carry the plugin's annotations? Then somebody means to run it.
auto annotated_class(const Snapshot& cluster) -> const PriorityClass* {
  for (const PriorityClass& c : cluster.objects().priority_classes) {
    for (const auto& [key, value] : c.meta.annotations) {
      if (cluster.text(key) == kMinimumAnnotation || cluster.text(key) == kSecondsAnnotation) return &c;
    }
  }
  return nullptr;
}

void switch_plugin(Profile& profile, bool toleration) {
  for (PostFilter& plugin : profile.post_filters) {
    if (plugin == PostFilter::dynamic_resources) continue;
    plugin = toleration ? PostFilter::preemption_toleration : PostFilter::default_preemption;
  }
}

}  // namespace

auto Profile::tolerates() const -> bool {
  return std::find(post_filters.begin(), post_filters.end(), PostFilter::preemption_toleration) != post_filters.end();
}

auto Profile::standard(bool toleration) -> Profile {
  Profile profile;
  for (const FilterInfo* info : kube::filters()) profile.filters.push_back({info});
  switch_plugin(profile, toleration);
  return profile;
}

auto check_profiles(const Snapshot& cluster, const Question& question) -> Result<void> {
  if (!question.scheduler_config) return {};
  return Configuration(cluster, *question.scheduler_config, cluster.diagnostics()).check();
}

auto profile_for(const Snapshot& cluster, const Pod& pod, const Question& question) -> Result<std::optional<Profile>> {
  const std::string name(pod.spec.scheduler_name ? cluster.text(pod.spec.scheduler_name) : "default-scheduler");
  if (question.scheduler_config) {
    Diagnostics told_before;  // by check_profiles()
    Configuration configuration(cluster, *question.scheduler_config, told_before);
    PREVICT_TRY(std::optional<Profile> profile, configuration.profile_of(name));
    if (profile && question.toleration_plugin != Switch::automatic) {
      switch_plugin(*profile, question.toleration_plugin == Switch::on);
    }
    return profile;
  }
  const PriorityClass* annotated = annotated_class(cluster);
  const bool on = question.toleration_plugin == Switch::on ||
                  (question.toleration_plugin == Switch::automatic && annotated != nullptr);
  Profile profile = Profile::standard(on);
  profile.scheduler_name = name;
  if (question.toleration_plugin == Switch::automatic && annotated != nullptr) {
    profile.gaps.push_back({Gap::Kind::assumption,
                            fmt::format("PreemptionToleration runs, because PriorityClass {} carries its annotations "
                                        "(--scheduler-config or --toleration-plugin says otherwise)",
                                        cluster.text(annotated->meta.name)),
                            "", false});
  }
  if (name != "default-scheduler") {
    profile.gaps.push_back({Gap::Kind::assumption,
                            fmt::format("scheduler {} works like kube-scheduler's default profile", name), "", true});
  }
  return std::optional(std::move(profile));
}

auto read_pace(const Snapshot& cluster, const Question& question) -> Result<Pace> {
  if (!question.scheduler_config) return Pace{};
  Diagnostics told_before;
  return Configuration(cluster, *question.scheduler_config, told_before).pace();
}

}  // namespace previct::kube
