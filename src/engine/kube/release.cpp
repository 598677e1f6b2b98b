#include "engine/kube/release.h"

#include "base/go.h"
#include "base/text.h"
#include "engine/kube/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::kube {
namespace {

/// A gate that kube-scheduler knows: its default in 1.34, 1.35 and 1.36, and whether previct follows the setting.
/// Source: pkg/features/kube_features.go, v1.36.
struct Gate {
  std::string_view name;
  std::array<bool, 3> on;
  bool followed;
};

constexpr std::array kGates = {
    Gate{"SchedulerAsyncPreemption", {true, true, true}, true},
    Gate{"PodLevelResources", {true, true, true}, false},
    Gate{"InPlacePodVerticalScaling", {true, true, true}, false},
    Gate{"MatchLabelKeysInPodAffinity", {true, true, true}, false},
    Gate{"MatchLabelKeysInPodTopologySpread", {true, true, true}, false},
    Gate{"NodeInclusionPolicyInPodTopologySpread", {true, true, true}, false},
    Gate{"SidecarContainers", {true, true, true}, false},
    Gate{"NominatedNodeNameForExpectation", {true, true, true}, false},
    Gate{"DynamicResourceAllocation", {true, true, true}, false},
    Gate{"OpportunisticBatching", {false, true, true}, true},
    Gate{"SchedulerQueueingHints", {true, true, true}, true},
    Gate{"SchedulerAsyncAPICalls", {false, false, false}, true},
    Gate{"StorageCapacityScoring", {false, false, false}, true},
    Gate{"InPlacePodLevelResourcesVerticalScaling", {false, false, true}, false},
    Gate{"DRAExtendedResource", {false, false, true}, false},
    Gate{"NodeDeclaredFeatures", {false, false, true}, false},
    Gate{"GangScheduling", {false, false, false}, false},
    Gate{"GenericWorkload", {false, false, false}, false},
    Gate{"WorkloadAwarePreemption", {false, false, false}, false},
    Gate{"TopologyAwareWorkloadScheduling", {false, false, false}, false},
    Gate{"VolumeLimitScaling", {false, false, false}, false},
    Gate{"TaintTolerationComparisonOperators", {false, false, false}, false},
};
constexpr std::array<std::string_view, 3> kVersions = {"1.34", "1.35", "1.36"};

auto trimmed(std::string_view text) -> std::string_view {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// 1.35, v1.35 and v1.35.4 name one release.
auto version_index(std::string_view text) -> std::optional<std::size_t> {
  if (!text.empty() && text.front() == 'v') text.remove_prefix(1);
  for (std::size_t i = 0; i < kVersions.size(); ++i) {
    const bool same = text.substr(0, kVersions[i].size()) == kVersions[i];
    const std::string_view rest = same ? text.substr(kVersions[i].size()) : std::string_view();
    if (same && (rest.empty() || rest.front() == '.')) return i;
  }
  return {};
}

// The minor release of `1.33`, `v1.33.4` and `1.37.0-rc.1`.
auto minor_of(std::string_view text) -> std::optional<std::int64_t> {
  if (text.starts_with('v')) text.remove_prefix(1);
  if (!text.starts_with("1.")) return {};
  text.remove_prefix(2);
  return go::parse_int(text.substr(0, text.find('.')), 16);
}

auto set_gate(std::string_view setting, std::size_t version, Release& release) -> Result<void> {
  const std::size_t equals = setting.find('=');
  const std::string_view name = trimmed(setting.substr(0, equals));
  const std::string_view value = equals == std::string_view::npos ? "" : trimmed(setting.substr(equals + 1));
  if (value != "true" && value != "false") {
    return fail(fmt::format("--feature-gates: expected {}=true or {}=false, found \"{}\"", name, name, setting));
  }
  const auto gate = std::find_if(kGates.begin(), kGates.end(), [&](const Gate& g) { return g.name == name; });
  if (gate == kGates.end()) {
    std::vector<std::string> known;
    for (const Gate& g : kGates) known.emplace_back(g.name);
    const auto meant = nearest(name, known);
    return fail(fmt::format("--feature-gates: unknown gate \"{}\"", name), {},
                meant ? fmt::format("did you mean {}?", *meant) : std::string());
  }
  const bool on = value == "true";
  if (gate->name == "SchedulerAsyncPreemption") release.asynchronous_preemption = on;
  if (!gate->followed && on != gate->on[version]) {
    release.unmodelled.push_back(fmt::format("{}={}", gate->name, value));
  }
  return {};
}

}  // namespace

auto read_release(const Question& question) -> Result<Release> {
  Release release;
  if (!question.k8s_version.empty()) {
    auto index = version_index(question.k8s_version);
    const auto minor = index ? std::nullopt : minor_of(question.k8s_version);
    if (minor && *minor >= 0) {
      index = *minor < *minor_of(kVersions.front()) ? 0 : kVersions.size() - 1;
      release.stands_for = question.k8s_version;
    }
    if (!index) {
      return fail(fmt::format("--k8s-version: \"{}\" names no release; the rules of {} are known", question.k8s_version,
                              fmt::join(kVersions, ", ")));
    }
    release.version = kVersions[*index];
  }
  const std::size_t version = *version_index(release.version);
  std::string_view rest = question.feature_gates;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    PREVICT_CHECK(set_gate(rest.substr(0, comma), version, release));
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  return release;
}

auto release_of(const Question& question) -> Release {
  return read_release(question).value_or(Release{});
}

auto behaves(const Release& release, const Profile* profile) -> std::string {
  if (profile == nullptr) return release.version;
  std::string text = release.version;
  for (const PostFilter& plugin : profile->post_filters) {
    if (plugin.kind == PostFilter::Kind::default_preemption) text += " + DefaultPreemption";
    if (plugin.kind == PostFilter::Kind::preemption_toleration) text += " + PreemptionToleration";
  }
  return profile->preempts() ? text : text + ", no preemption";
}

}  // namespace previct::kube
