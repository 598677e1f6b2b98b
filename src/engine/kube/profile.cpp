#include "engine/kube/profile.h"

#include "api/quantity.h"
#include "base/contains.h"
#include "base/duration.h"
#include "base/go.h"
#include "base/instant.h"
#include "base/text.h"
#include "engine/kube/client_limits.h"
#include "engine/kube/config_validation.h"
#include "engine/kube/known.h"
#include "engine/kube/mapped_configurations.h"
#include "engine/kube/plugin_names.h"
#include "engine/kube/plugins.h"
#include "engine/kube/running_release.h"
#include "engine/kube/seen_release.h"
#include "engine/kube/seen_words.h"
#include "engine/kube/tolerance.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace previct::kube {
namespace {

using Names = std::vector<std::string>;

// A client without a rate uses its own default. Source: client-go rest/config.go RESTClientForConfigAndClient.
void heed_flags(const ObservedRelease& seen, RateLimits& pace) {
  constexpr double kDefaultQps = 5;
  constexpr std::int64_t kDefaultBurst = 10;
  if (seen.configured) return;
  if (seen.flags.qps.starts_with('-')) {
    pace.qps = -1;  // no limit
  } else if (const auto qps = Quantity::parse(seen.flags.qps)) {
    pace.qps = static_cast<double>(qps->milli()) / 1000;
    if (pace.qps == 0) pace.qps = kDefaultQps;
  }
  if (const auto burst = go::parse_int(seen.flags.burst, 32)) pace.burst = *burst <= 0 ? kDefaultBurst : *burst;
}

// A plugin named at the score point has the weight given there, where 0 means 1.
// Source: framework/runtime/framework.go getScoreWeights, v1.35.4.
auto score_plugins(const ProfilePlugins& plugins, const Release& release) -> std::vector<ScorePlugin> {
  std::vector<PluginRef> weighed = plugins.score.enabled;
  for (PluginRef& ref : merged_multi_point(plugins, release)) weighed.push_back(std::move(ref));
  const Names prepared = plugins_at(plugins, Point::pre_score, release);
  std::vector<ScorePlugin> out;
  for (const std::string& name : plugins_at(plugins, Point::score, release)) {
    ScorePlugin& plugin = out.emplace_back(ScorePlugin{.name = name, .info = find_score(name)});
    const auto ref = std::find_if(weighed.begin(), weighed.end(), [&](const PluginRef& r) { return r.name == name; });
    if (ref != weighed.end() && ref->weight.value_or(0) != 0) plugin.weight = *ref->weight;
    const auto at = std::find(prepared.begin(), prepared.end(), name);
    if (at != prepared.end()) plugin.pre_score = static_cast<std::size_t>(at - prepared.begin());
  }
  return out;
}

// Source: framework/runtime/framework.go RunPreScorePlugins.
auto only_pre_scored(const ProfilePlugins& plugins, const Release& release) -> std::vector<ScorePlugin> {
  const Names scored = plugins_at(plugins, Point::score, release);
  const Names prepared = plugins_at(plugins, Point::pre_score, release);
  std::vector<ScorePlugin> out;
  for (std::size_t i = 0; i < prepared.size(); ++i) {
    const ScoreInfo* const info = find_score(prepared[i]);
    if (info == nullptr || contains(scored, prepared[i])) continue;
    out.push_back({.name = prepared[i], .info = info, .pre_score = i});
  }
  return out;
}

/// Creates the profile from one entry of a valid configuration.
class ProfileMaker {
 public:
  ProfileMaker(const Snapshot& cluster, const Release& release, const SchedulerConfig& config, const ProfileConfig& raw,
               const ProfileArguments& arguments)
      : cluster_(cluster), release_(release), config_(config), raw_(raw), arguments_(arguments) {}

  auto make() -> Profile {
    profile_.scheduler_name = name_of(raw_);
    for (const ProfileConfig& other : config_.profiles) {
      if (name_of(other) != profile_.scheduler_name) profile_.others_in_queue.push_back(name_of(other));
    }
    set_pre_enqueue();
    profile_.pre_filters = filters_at(Point::pre_filter);
    profile_.filters = filters_at(Point::filter);
    set_post_filters();
    set_scores();
    profile_.percentage_of_nodes =
        raw_.percentage_of_nodes_to_score.value_or(config_.percentage_of_nodes_to_score.value_or(0));
    profile_.takes_first = plugins_at(raw_.plugins, Point::score, release_).empty() && config_.extenders.empty();
    for (const auto& [point, kind] : {std::pair(Point::permit, "Permit"), std::pair(Point::reserve, "Reserve")}) {
      for (const std::string& name : plugins_at(raw_.plugins, point, release_)) {
        if (takes_part(name)) unmodelled(Unmodelled::Part::later, fmt::format("{} plugin {}", kind, name));
      }
    }
    set_arguments();
    set_extenders();
    set_own_plugins();
    return std::move(profile_);
  }

 private:
  void unmodelled(Unmodelled::Part part, std::string what, std::vector<std::string> resources = {}) {
    const bool known = std::any_of(profile_.unmodelled.begin(), profile_.unmodelled.end(),
                                   [&](const Unmodelled& u) { return u.what == what && u.part == part; });
    if (!known) profile_.unmodelled.push_back({part, std::move(what), std::move(resources)});
  }

  // NodeName never rejects a pending pod.
  static auto takes_part(std::string_view name) -> bool {
    const PluginInfo* plugin = find_plugin(name);
    return plugin == nullptr || plugin->home == PluginInfo::Home::published;
  }

  void set_pre_enqueue() {
    for (const std::string& name : plugins_at(raw_.plugins, Point::pre_enqueue, release_)) {
      if (!works_in(release_, name)) continue;
      if (contains({"SchedulingGates", "DynamicResources", "DefaultPreemption", "GangScheduling"}, name)) {
        profile_.pre_enqueue.push_back(name);
      } else if (takes_part(name)) {
        unmodelled(Unmodelled::Part::queueing, fmt::format("PreEnqueue plugin {}", name));
      }
    }
  }

  auto filters_at(Point point) -> std::vector<const FilterInfo*> {
    std::vector<const FilterInfo*> out;
    for (const std::string& name : plugins_at(raw_.plugins, point, release_)) {
      if (!works_in(release_, name)) continue;
      if (const FilterInfo* info = find_filter(name)) {
        out.push_back(info);
      } else if (takes_part(name)) {
        unmodelled(Unmodelled::Part::filter, fmt::format("filter plugin {}", name));
      }
    }
    return out;
  }

  // It is not known which extension points a custom plugin has that is named in multiPoint.
  void set_own_plugins() {
    for (const PluginRef& ref : merged_multi_point(raw_.plugins, release_)) {
      if (find_plugin(ref.name) == nullptr) unmodelled(Unmodelled::Part::filter, fmt::format("plugin {}", ref.name));
    }
  }

  void set_post_filters() {
    using enum PostFilter::Kind;
    for (const std::string& name : plugins_at(raw_.plugins, Point::post_filter, release_)) {
      if (!works_in(release_, name)) continue;
      PostFilter plugin;
      if (name == "DynamicResources") {
        plugin.kind = dynamic_resources;
      } else if (name == kDefaultPreemption || name == kPreemptionToleration) {
        const bool standard = name == kDefaultPreemption;
        const PreemptionArgs& args = standard ? arguments_.default_preemption : arguments_.preemption_toleration;
        plugin.kind = standard ? default_preemption : preemption_toleration;
        plugin.candidate_percentage = args.percentage.value_or(10);
        plugin.candidate_absolute = args.absolute.value_or(100);
      } else {
        plugin.kind = PostFilter::Kind::unmodelled;
        plugin.name = name;
      }
      profile_.post_filters.push_back(std::move(plugin));
    }
  }

  void set_scores() {
    profile_.scores = score_plugins(raw_.plugins, release_);
    profile_.only_pre_scored = only_pre_scored(raw_.plugins, release_);
    for (const ScorePlugin& plugin : profile_.scores) {
      if (plugin.info == nullptr) unmodelled(Unmodelled::Part::scores, fmt::format("score plugin {}", plugin.name));
    }
  }

  void set_arguments() {
    FilterSettings& settings = profile_.settings;
    settings.added_affinity = arguments_.node_affinity.added.required;
    settings.ignored_resources = arguments_.node_resources_fit.ignored_resources;
    settings.ignored_resource_groups = arguments_.node_resources_fit.ignored_resource_groups;
    if (const auto& timeout = arguments_.dynamic_resources.binding_timeout)
      settings.binding_seconds = timeout->nanos / 1'000'000'000;
    const Symbol hard = cluster_.symbol("DoNotSchedule");
    for (const TopologySpreadConstraint& c : arguments_.pod_topology_spread.default_constraints) {
      const bool refuses = hard && c.when_unsatisfiable == hard;
      (refuses ? settings.default_spread : profile_.score_settings.default_spread).push_back(c);
    }
    set_score_arguments();
  }

  void set_score_arguments() {
    ScoreSettings& settings = profile_.score_settings;
    settings.strategy = arguments_.node_resources_fit.scoring_strategy.value_or(ScoringStrategy());
    settings.balanced = arguments_.balanced_allocation.resources;
    settings.added_affinity = arguments_.node_affinity.added;
    settings.system_spread = arguments_.pod_topology_spread.defaulting_type != "List";
    const InterPodAffinityArgs& affinity = arguments_.inter_pod_affinity;
    settings.hard_pod_affinity_weight = affinity.hard_pod_affinity_weight.value_or(1);
    settings.ignores_preferred_terms_of_others = affinity.ignore_preferred_terms_of_existing_pods;
    settings.volume_shape = arguments_.volume_binding.shape;
    settings.complete(cluster_);
  }

  // The resources that extenders make NodeResourcesFit ignore replace those in its arguments.
  // Source: pkg/scheduler/scheduler.go buildExtenders, v1.35.4.
  void set_extenders() {
    Names ignored;
    for (const ExtenderConfig& extender : config_.extenders) {
      Names managed;
      for (const ManagedResource& resource : extender.managed_resources) {
        managed.push_back(resource.name);
        if (resource.ignored_by_scheduler) ignored.push_back(resource.name);
      }
      const std::string what = fmt::format("extender {}", extender.url);
      if (!extender.filter_verb.empty()) unmodelled(Unmodelled::Part::fits, what, managed);
      if (!extender.preempt_verb.empty()) unmodelled(Unmodelled::Part::victims, what, managed);
      if (!extender.prioritize_verb.empty()) unmodelled(Unmodelled::Part::scores, what, managed);
    }
    if (!ignored.empty()) profile_.settings.ignored_resources = std::move(ignored);
  }

  const Snapshot& cluster_;
  const Release& release_;
  const SchedulerConfig& config_;
  const ProfileConfig& raw_;
  const ProfileArguments& arguments_;
  Profile profile_;
};

/// A valid configuration; a default profile is added if it has none.
struct Checked {
  ReadConfiguration read;
  std::vector<ProfileArguments> arguments;
};

auto checked(const Snapshot& cluster, const Release& release, const ConfigFile& file, Diagnostics& diagnostics)
    -> Result<Checked> {
  PREVICT_TRY(ReadConfiguration read, read_configuration(cluster, release, file, diagnostics));
  PREVICT_TRY(std::vector<ProfileArguments> arguments, validate(cluster, read, diagnostics));
  if (read.config.profiles.empty()) {
    read.config.profiles.emplace_back();
    arguments.emplace_back();
  }
  return Checked{std::move(read), std::move(arguments)};
}

// Returns a PriorityClass with the plugin's annotations, which shows that the plugin is meant to run; null if there is
// none. It is the first by name, because the order of the input means nothing.
auto annotated_class(const Snapshot& cluster) -> const PriorityClass* {
  const PriorityClass* first = nullptr;
  for (const PriorityClass& c : cluster.objects().priority_classes) {
    const bool carries = std::any_of(c.meta.annotations.begin(), c.meta.annotations.end(), [&](const auto& each) {
      return cluster.text(each.first) == kMinimumAnnotation || cluster.text(each.first) == kSecondsAnnotation;
    });
    if (carries && (first == nullptr || cluster.text(c.meta.name) < cluster.text(first->meta.name))) first = &c;
  }
  return first;
}

// Returns whether PreemptionToleration runs, and the evidence. What a preemption plugin wrote on the scheduler's pods
// is better evidence than annotated classes, which may exist without the plugin. If both plugins wrote, one of them no
// longer runs, and it is not known which.
auto toleration_seen(const Snapshot& cluster, std::string_view scheduler) -> std::pair<bool, std::optional<Gap>> {
  const PriorityClass* annotated = annotated_class(cluster);
  const std::string name(annotated == nullptr ? std::string_view() : cluster.text(annotated->meta.name));
  const MessageEvidence::Of& words = cluster.derived<MessageEvidence>().of(scheduler);
  const bool by_default = !words.default_preemption.empty();
  const bool by_other = !words.other_preemption.empty();
  if (by_other && !by_default) return {true, Gap{GapRule::tolerates_by_words, {words.other_preemption}}};
  if (annotated == nullptr) return {false, {}};
  if (by_default && !by_other) {
    return {false, Gap{GapRule::tolerates_not_by_words, {name, words.default_preemption}}};
  }
  return {true, Gap{GapRule::tolerates_by_annotations, {name}}};
}

// A configuration takes precedence, whatever the scheduler wrote before it was in force.
void doubt_for_words(const MessageEvidence::Of& words, Profile& profile) {
  const auto runs = [&](PostFilter::Kind kind) {
    return std::any_of(profile.post_filters.begin(), profile.post_filters.end(),
                       [&](const PostFilter& plugin) { return plugin.kind == kind; });
  };
  const auto doubt = [&](const std::string& where, std::string plugin) {
    profile.gaps.push_back({GapRule::words_of_other_plugin, {where, std::move(plugin)}});
  };
  if (!words.default_preemption.empty() && !runs(PostFilter::Kind::default_preemption))
    doubt(words.default_preemption, "DefaultPreemption");
  if (!words.other_preemption.empty() && !profile.tolerates() && !runs(PostFilter::Kind::unmodelled))
    doubt(words.other_preemption, "PreemptionToleration");
}

auto names_toleration(const ConfigFile& configuration) -> bool {
  return configuration.bytes.find("PreemptionToleration") != std::string::npos;
}

void doubt_for_release(const Release& release, Profile& profile) {
  if (profile.tolerates() && release.minor() > kNewestWithToleration)
    profile.gaps.push_back({GapRule::toleration_not_released, {release.name()}});
}

// Replaces the first preemption plugin by the requested one and removes the others.
void switch_plugin(Profile& profile, bool toleration) {
  bool there = false;
  std::vector<PostFilter> kept;
  for (PostFilter plugin : profile.post_filters) {
    if (plugin.preempts()) {
      if (there) continue;
      there = true;
      plugin.kind = toleration ? PostFilter::Kind::preemption_toleration : PostFilter::Kind::default_preemption;
    }
    kept.push_back(std::move(plugin));
  }
  profile.post_filters = std::move(kept);
}

}  // namespace

auto Profile::tolerates() const -> bool {
  return std::any_of(post_filters.begin(), post_filters.end(),
                     [](const PostFilter& plugin) { return plugin.kind == PostFilter::Kind::preemption_toleration; });
}

auto Profile::preempts() const -> bool {
  return std::any_of(post_filters.begin(), post_filters.end(),
                     [](const PostFilter& plugin) { return plugin.preempts(); });
}

auto Profile::preempting() const -> Preempting {
  if (!preempts()) return Preempting::never;
  const bool by_priority = std::any_of(post_filters.begin(), post_filters.end(), [](const PostFilter& plugin) {
    return plugin.kind == PostFilter::Kind::default_preemption;
  });
  return by_priority ? Preempting::by_priority : Preempting::with_tolerations;
}

auto Profile::runs_before_queue(std::string_view plugin) const -> bool {
  return contains(pre_enqueue, plugin);
}

auto Profile::standard(const Snapshot& cluster, bool toleration, const Release& release) -> Profile {
  Profile profile;
  profile.pre_enqueue = {"SchedulingGates", "DefaultPreemption"};
  for (const FilterInfo* info : kube::filters()) {
    if (!works_in(release, info->name)) continue;
    profile.filters.push_back(info);
    const PluginInfo* plugin = find_plugin(info->name);
    if (plugin != nullptr && plugin->implements(Point::pre_filter)) profile.pre_filters.push_back(info);
  }
  if (works_in(release, "DynamicResources")) {
    profile.pre_enqueue.insert(profile.pre_enqueue.begin() + 1, "DynamicResources");
    profile.post_filters.push_back({.kind = PostFilter::Kind::dynamic_resources, .name = {}});
  }
  profile.scores = score_plugins({}, release);
  profile.score_settings = ScoreSettings::standard(cluster);
  if (works_in(release, "GangScheduling")) profile.pre_enqueue.emplace_back("GangScheduling");
  profile.post_filters.push_back({.kind = PostFilter::Kind::default_preemption, .name = {}});
  switch_plugin(profile, toleration);
  return profile;
}

auto toleration_may_run(const Snapshot& cluster, const Question& question) -> bool {
  if (question.toleration_switch() != Switch::automatic) return question.toleration_switch() == Switch::on;
  if (question.scheduler_config) return names_toleration(*question.scheduler_config);
  const Result<std::vector<std::string>> schedulers = preemptors_schedulers(cluster, question);
  const auto may_run = [&](const std::string& name) {
    const auto mapped = cluster.derived<MappedConfigurations>().of(name);
    if (mapped.empty()) return toleration_seen(cluster, name).first;
    return std::any_of(mapped.begin(), mapped.end(), [](const auto* each) { return names_toleration(each->file); });
  };
  return schedulers && std::any_of(schedulers->begin(), schedulers->end(), may_run);
}

auto is_foreign(std::string_view scheduler_name) -> bool {
  return contains({"volcano", "kube-batch", "koord-scheduler", "godel-scheduler", "runai-scheduler"}, scheduler_name);
}

// Of a scheduler that previct models, with rules of its own.
auto is_of_another_engine(std::string_view scheduler_name) -> bool {
  return std::any_of(engines().begin(), engines().end(), [&](const Engine* engine) {
    return !engine->scheduler_name().empty() && engine->scheduler_name() != upstream::kDefaultScheduler &&
           engine->scheduler_name() == scheduler_name;
  });
}

auto check_profiles(const Snapshot& cluster, const Question& question) -> Result<void> {
  if (!question.scheduler_config) return {};
  PREVICT_TRY(const RunningRelease running, running_release(cluster, question));
  PREVICT_CHECK(checked(cluster, running.release, *question.scheduler_config, cluster.diagnostics()));
  return {};
}

auto profile_names(const Snapshot& cluster, const Question& question) -> Result<std::vector<std::string>> {
  if (!question.scheduler_config) return std::vector<std::string>{};
  PREVICT_TRY(const RunningRelease running, running_release(cluster, question));
  Diagnostics told_before;  // already reported by check_profiles()
  PREVICT_TRY(const Checked configuration, checked(cluster, running.release, *question.scheduler_config, told_before));
  std::vector<std::string> names;
  for (const ProfileConfig& profile : configuration.read.config.profiles) names.push_back(name_of(profile));
  return names;
}

namespace {

// Returns the profile from the configuration in a ConfigMap; none if there is no such ConfigMap, or with a gap if none
// can be applied.
auto mapped_profile(const Snapshot& cluster, const std::string& name, const Question& question,
                    std::optional<Gap>& not_applied) -> std::optional<Profile> {
  const auto found = cluster.derived<MappedConfigurations>().of(name);
  if (found.empty()) return {};
  const bool decides = !question.engine_is_chosen();
  if (found.size() > 1) {
    std::vector<std::string> maps;
    for (const MappedConfiguration* each : found) maps.push_back(each->name);
    not_applied = Gap{GapRule::config_maps_differ, {name, joined(maps, ", ")}, decides};
    return {};
  }
  Question asked = question;
  asked.scheduler_config = found.front()->file;
  Result<std::optional<Profile>> profile = profile_for(cluster, name, asked);
  if (!profile) {
    not_applied = Gap{GapRule::config_map_refused, {name, found.front()->name, profile.error().message}, decides};
    return {};
  }
  (*profile)->gaps.push_back({GapRule::config_map_in_force, {found.front()->name, name}});
  return std::move(*profile);
}

}  // namespace

auto profile_for(const Snapshot& cluster, const std::string& name, const Question& question)
    -> Result<std::optional<Profile>> {
  PREVICT_TRY(const RunningRelease running, running_release(cluster, question));
  if (question.scheduler_config) {
    Diagnostics told_before;  // already reported by check_profiles()
    PREVICT_TRY(const Checked configuration,
                checked(cluster, running.release, *question.scheduler_config, told_before));
    const SchedulerConfig& config = configuration.read.config;
    for (std::size_t i = 0; i < config.profiles.size(); ++i) {
      if (name_of(config.profiles[i]) != name) continue;
      Profile profile =
          ProfileMaker(cluster, running.release, config, config.profiles[i], configuration.arguments[i]).make();
      if (question.toleration_switch() != Switch::automatic) {
        switch_plugin(profile, question.toleration_switch() == Switch::on);
      } else {
        doubt_for_words(cluster.derived<MessageEvidence>().of(name), profile);
      }
      doubt_for_release(running.release, profile);
      profile.configured = true;
      return std::optional(std::move(profile));
    }
    return std::optional<Profile>();
  }
  std::optional<Gap> not_applied;
  if (auto profile = mapped_profile(cluster, name, question, not_applied)) return profile;
  const bool automatic = question.toleration_switch() == Switch::automatic;
  const auto [seen, gap] = automatic ? toleration_seen(cluster, name) : std::pair(false, std::optional<Gap>());
  Profile profile =
      Profile::standard(cluster, automatic ? seen : question.toleration_switch() == Switch::on, running.release);
  profile.scheduler_name = name;
  if (gap) profile.gaps.push_back(*gap);
  doubt_for_release(running.release, profile);
  if (not_applied) {
    profile.gaps.push_back(*not_applied);
  } else if (is_foreign(name)) {
    profile.gaps.push_back({GapRule::foreign_scheduler, {std::string(name)}, true});
  } else if (is_of_another_engine(name)) {
    profile.gaps.push_back({GapRule::other_decides,
                            {fmt::format("{} decides about it, and only kube-scheduler is simulated here", name)},
                            !question.engine_is_chosen()});
  } else if (name != upstream::kDefaultScheduler) {
    profile.gaps.push_back({GapRule::default_profile, {std::string(name)}, !question.engine_is_chosen()});
  }
  return std::optional(std::move(profile));
}

auto flush_seconds(const Snapshot& cluster, const Question& question) -> std::int64_t {
  if (question.flush_seconds) return *question.flush_seconds;
  const auto own = parse_go_duration(cluster.derived<ObservedRelease>().flags.flush);
  return own && *own >= 0 ? *own / go::kNanosPerSecond : RateLimits().flush;
}

auto read_rate_limits(const Snapshot& cluster, const Question& question) -> Result<RateLimits> {
  RateLimits pace;
  pace.flush = flush_seconds(cluster, question);
  if (!question.scheduler_config) {
    heed_flags(cluster.derived<ObservedRelease>(), pace);
    return pace;
  }
  Diagnostics told_before;
  PREVICT_TRY(const RunningRelease running, running_release(cluster, question));
  PREVICT_TRY(const Checked configuration, checked(cluster, running.release, *question.scheduler_config, told_before));
  const SchedulerConfig& config = configuration.read.config;
  if (config.client_connection.qps != 0) pace.qps = config.client_connection.qps;
  if (config.client_connection.burst != 0) pace.burst = config.client_connection.burst;
  // About thirty years: a longer time never ends, and would not fit in nanoseconds.
  constexpr std::int64_t kLongest = 1'000'000'000;
  pace.initial_backoff = std::min(config.initial_backoff.value_or(pace.initial_backoff), kLongest);
  pace.max_backoff = std::min(config.max_backoff.value_or(pace.max_backoff), kLongest);
  return pace;
}

}  // namespace previct::kube
