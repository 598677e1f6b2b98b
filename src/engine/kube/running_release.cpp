#include "engine/kube/running_release.h"

#include "api/upstream.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "engine/kube/mapped_configurations.h"
#include "engine/kube/profile.h"
#include "engine/kube/seen_release.h"
#include "engine/versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace previct::kube {
namespace {

// Returns why kube-scheduler would not start with the gate, because it does not know it or has it locked; empty if it
// would.
// Source: component-base: featuregate/feature_gate.go SetFromMap.
auto refusal(const Gate& gate, bool on, int minor) -> std::string {
  if (minor < gate.known) return fmt::format("1.{} does not know it; 1.{} introduced it", minor, gate.known);
  if (gate.gone != 0 && minor >= gate.gone) return fmt::format("1.{} no longer knows it", minor);
  if (gate.locked != 0 && minor >= gate.locked && !on) return fmt::format("in 1.{} it is locked to on", minor);
  return {};
}

// How to treat a gate that is not in releases.def. A user may have misspelled it. A running scheduler cannot have, and
// all components share the flag, so there it belongs to the kubelet or the API server, unless the release is newer than
// all known ones.
enum class UnknownGates : std::uint8_t { told, passed_over };

auto set_gate(std::string_view setting, UnknownGates unknown, RunningRelease& running) -> Result<void> {
  const std::size_t equals = setting.find('=');
  const std::string_view name = trimmed(setting.substr(0, equals));
  const std::string_view value = equals == std::string_view::npos ? "" : trimmed(setting.substr(equals + 1));
  if (value != "true" && value != "false") {
    return fail(fmt::format("--feature-gates: expected {}=true or {}=false, found \"{}\"", name, name, setting));
  }
  const Gate* gate = find_gate(name);
  if (gate == nullptr) {
    const bool newer = running.release.meant() > running.release.minor();
    if (unknown == UnknownGates::passed_over && !newer) return {};
    std::vector<std::string> known;
    for (const Gate& each : gates()) known.emplace_back(each.name);
    if (const auto meant = nearest(name, known); meant && unknown == UnknownGates::told) {
      return fail(fmt::format("--feature-gates: unknown gate \"{}\"", name), {},
                  fmt::format("did you mean {}?", *meant));
    }
    running.gaps.push_back({GapRule::gate_unknown, {std::string(name), std::string(value)}, true});
    return {};
  }
  const bool on = value == "true";
  const bool known = running.release.meant() == running.release.minor();
  if (const std::string refused = refusal(*gate, on, running.release.minor()); known && !refused.empty()) {
    return fail(fmt::format("--feature-gates: kube-scheduler would refuse {}={}: {}", name, value, refused));
  }
  if (gate->effect == Gate::Effect::open && on != running.release.is_on(*gate))
    running.gaps.push_back({GapRule::gate_unmodelled, {std::string(name), std::string(value)}});
  if (gate->effect == Gate::Effect::beside && unknown == UnknownGates::told && on != running.release.is_on(*gate))
    running.gaps.push_back({GapRule::gate_beside, {std::string(name), std::string(value)}});
  running.release.set(*gate, on);
  return {};
}

auto set_gates(std::string_view settings, UnknownGates unknown, RunningRelease& running) -> Result<void> {
  for (const auto part : std::views::split(settings, ',')) {
    const std::string_view setting(part.begin(), part.end());
    if (!trimmed(setting).empty()) PREVICT_CHECK(set_gate(setting, unknown, running));
  }
  const auto unmet = running.release.unmet();
  if (!unmet || running.release.meant() != running.release.minor()) return {};
  return fail(fmt::format("--feature-gates: kube-scheduler {} would refuse {}=true: it needs {}, which is disabled",
                          running.release.name(), unmet->gate->name, unmet->needs->name));
}

// The gates in the flags of the scheduler's own pod apply if the question sets none.
void set_gates_seen(const ObservedRelease& seen, RunningRelease& running) {
  if (set_gates(seen.gates, UnknownGates::passed_over, running)) return;
  running.gaps.push_back({GapRule::gates_unsuitable, {std::string(seen.gates)}});
}

void add_release_gaps(RunningRelease& running) {
  const Release& release = running.release;
  if (release.meant() != release.minor()) {
    running.gaps.push_back({GapRule::release_unknown, {release_name(release.meant()), release.name()}});
  }
  if (!release.measured()) running.gaps.push_back({GapRule::release_not_measured, {release.name()}});
}

/// Settings of feature gates, and where they come from.
struct SetGates {
  std::string_view settings;
  std::string_view by;
};

// Each component has its own --feature-gates.
auto turns_off(std::string_view settings, std::string_view gate) -> bool {
  bool off = false;
  for (const auto part : std::views::split(settings, ',')) {
    const std::string_view setting(part.begin(), part.end());
    const std::size_t equals = std::min(setting.find('='), setting.size());
    if (trimmed(setting.substr(0, equals)) == gate) off = trimmed(setting.substr(equals)) == "=false";
  }
  return off;
}

// The API server drops or refuses such a field while its gate is off: the cluster has turned the gate on, or the input
// is from a newer cluster. The scheduler ignores the field if its own flag turns the gate off.
void add_contradiction_gaps(const ObservedRelease& seen, const SetGates& set, RunningRelease& running) {
  for (const ObservedRelease::Gated& field : seen.gated_fields) {
    const Gate* gate = find_gate(field.gate);
    if (gate == nullptr || running.release.has(field.change)) continue;
    if (turns_off(set.settings, field.gate)) {
      running.gaps.push_back(
          {GapRule::gated_off,
           {running.release.name(), std::string(field.field), std::string(gate->name), std::string(set.by)}});
      continue;
    }
    running.gaps.push_back(
        {gate->on == 0 ? GapRule::gated_operator : GapRule::gated_field,
         {running.release.name(), std::string(field.field), std::string(gate->name), release_name(gate->on)}});
  }
}

auto asked_for(const Question& question) -> Result<RunningRelease> {
  const KnownReleases known{1, oldest_minor(), newest_minor()};
  PREVICT_TRY(const int minor, minor_asked_for("--k8s-version", question.k8s_version, known));
  return RunningRelease{
      .release = Release(minor), .patch = patch_of(question.k8s_version, known.major), .known_by = {}, .gaps = {}};
}

auto seen_in(const ObservedRelease& seen) -> RunningRelease {
  RunningRelease running;
  running.known_by = seen.minor ? seen.known_by : "assumed";
  if (seen.minor) running.release = Release(*seen.minor);
  running.patch = seen.patch;
  if (seen.doubt) running.gaps.push_back(*seen.doubt);
  if (seen.by_nodes) {
    running.oldest = seen.newest_kubelet - 1;
    running.newest = seen.oldest_kubelet + 3;
  } else if (seen.doubt) {
    running.oldest = seen.oldest;
    running.newest = seen.newest;
  }
  return running;
}

}  // namespace

auto running_release(const Snapshot& cluster, const Question& question) -> Result<RunningRelease> {
  RunningRelease running;
  const ObservedRelease& seen = cluster.derived<ObservedRelease>();
  if (question.k8s_version.empty()) {
    running = seen_in(seen);
    // If nothing shows the release, use one in which the plugin can run.
    if (!seen.minor && assumed_minor() > kNewestWithToleration && toleration_may_run(cluster, question))
      running.release = Release(kNewestWithToleration);
  } else {
    PREVICT_TRY(running, asked_for(question));
  }
  SetGates set{question.feature_gates, "--feature-gates"};
  if (question.feature_gates.empty()) {
    if (question.k8s_version.empty()) {
      set_gates_seen(seen, running);
      set = {seen.gates, "--feature-gates of its pod"};
    }
  } else {
    PREVICT_CHECK(set_gates(question.feature_gates, UnknownGates::told, running));
  }
  if (seen.configured && !question.scheduler_config &&
      cluster.derived<MappedConfigurations>().of(upstream::kDefaultScheduler).empty()) {
    running.gaps.push_back({GapRule::config_not_given});
  }
  add_contradiction_gaps(seen, set, running);
  add_release_gaps(running);
  return running;
}

auto names_running_releases(const Gap& gap) -> bool {
  return gap.rule == GapRule::schedulers_differ || gap.rule == GapRule::api_servers_differ;
}

auto side_by_side(const RunningRelease& running) -> bool {
  return std::any_of(running.gaps.begin(), running.gaps.end(), names_running_releases);
}

auto other_releases(const RunningRelease& running, bool devices) -> std::vector<int> {
  std::vector<int> others;
  const int newest = std::min(running.newest, side_by_side(running) ? newest_minor() : assumed_minor());
  for (int minor = std::max(running.oldest, oldest_minor()); minor <= newest; ++minor) {
    if (!Release(minor).decides_like(running.release, devices)) others.push_back(minor);
  }
  return others;
}

auto asked_of(int minor, const Snapshot& cluster, const Question& question) -> Question {
  Question asked = question;
  asked.k8s_version = release_name(minor);
  if (question.feature_gates.empty()) asked.feature_gates = cluster.derived<ObservedRelease>().gates;
  if (!running_release(cluster, asked)) asked.feature_gates = question.feature_gates;
  return asked;
}

void add_other_releases(const RunningRelease& running, const std::vector<std::string>& others, std::vector<Gap>& gaps) {
  if (others.empty()) return;
  const auto differ = std::find_if(gaps.begin(), gaps.end(), names_running_releases);
  if (differ == gaps.end()) {
    gaps.push_back(
        {GapRule::other_releases_differ,
         {running.release.name(), release_name(running.oldest), release_name(running.newest), joined(others, "; ")}});
    return;
  }
  differ->operands.push_back(joined(others, "; "));
  differ->decides = true;
}

auto preemption_words(const Profile& profile) -> std::string {
  std::string text;
  for (const PostFilter& plugin : profile.post_filters) {
    if (plugin.kind == PostFilter::Kind::default_preemption) text += " + DefaultPreemption";
    if (plugin.kind == PostFilter::Kind::preemption_toleration) text += " + PreemptionToleration";
  }
  return profile.preempts() ? text : ", no preemption";
}

auto behaves(const RunningRelease& running, const std::string& preemption) -> std::string {
  const std::string text = running.release.name() + preemption;
  return running.known_by.empty() ? text : fmt::format("{} ({})", text, running.known_by);
}

auto behaves(const RunningRelease& running, const Profile* profile) -> std::string {
  return behaves(running, profile == nullptr ? std::string() : preemption_words(*profile));
}

}  // namespace previct::kube
