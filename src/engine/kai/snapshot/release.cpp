#include "engine/kai/snapshot/release.h"

#include "api/schedulers.h"
#include "engine/own_release.h"
#include "engine/versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

namespace previct::kai {
namespace {

constexpr ComponentNames kParts = {
    .major = 0, .scheduler = schedulers::kai.own_image, .any = "kai-scheduler/", .chart = "kai-scheduler-"};

/// A field in the spec of a kind, and the releases whose CustomResourceDefinitions have it; 0: no bound.
struct FieldRow {
  std::string_view kind;
  std::string_view field;
  int since = 0;
  int until = 0;
};
constexpr std::array kFields = {
#define PREVICT_FIELD(kind, field, since, until) FieldRow{#kind, #field, since, until},
#include "engine/kai/releases.def"
};

/// The range of releases that the scheduler can be, derived from contents of the input that not every release knows.
class Bounds {
 public:
  explicit Bounds(const Snapshot& cluster) : cluster_(cluster) {
    for (const CustomResource& each : cluster.objects().custom_resources) by_schema(each);
    by_objects();
  }

  int first = 0;
  int last = std::numeric_limits<int>::max();
  std::string first_by;  ///< `PodGroups have preemptionDelay`
  std::string last_by;

 private:
  void at_least(int minor, std::string words) {
    if (minor <= first) return;
    first = minor;
    first_by = std::move(words);
  }
  void below(int minor, std::string words) {
    if (minor == 0 || minor > last) return;
    last = minor - 1;
    last_by = std::move(words);
  }

  // Compares the fields that the API server keeps of the kind: those of the versions that it serves.
  void by_schema(const CustomResource& custom) {
    const std::string_view kind = cluster_.text(custom.spec.names.kind);
    const auto has = [&](std::string_view field) {
      return std::any_of(custom.spec.versions.begin(), custom.spec.versions.end(), [&](const auto& version) {
        return version.served && std::any_of(version.fields().begin(), version.fields().end(),
                                             [&](Symbol each) { return cluster_.text(each) == field; });
      });
    };
    const bool has_schema = std::any_of(custom.spec.versions.begin(), custom.spec.versions.end(),
                                        [](const auto& version) { return !version.fields().empty(); });
    for (const FieldRow& row : kFields) {
      if (!has_schema || row.kind != kind) continue;
      if (has(row.field)) {
        at_least(row.since, fmt::format("the CRD of {}s has {}", kind, row.field));
        below(row.until, fmt::format("the CRD of {}s has {}", kind, row.field));
      } else if (row.since != 0) {
        below(row.since, fmt::format("the CRD of {}s lacks {}", kind, row.field));
      } else {
        at_least(row.until, fmt::format("the CRD of {}s lacks {}", kind, row.field));
      }
    }
  }

  // Compares fields of objects: an API server drops fields that its CRD does not have.
  void by_objects() {
    const auto see = [&](bool there, std::string_view kind, std::string_view field) {
      if (!there) return;
      const auto* const row = std::find_if(kFields.begin(), kFields.end(), [&](const FieldRow& each) {
        return each.kind == kind && each.field == field;
      });
      at_least(row->since, fmt::format("a {} has {}", kind, field));
    };
    for (const PodGroup& group : cluster_.objects().kai_pod_groups) {
      see(!group.spec.sub_groups.empty(), "PodGroup", "subGroups");
      see(bool{group.spec.topology.topology}, "PodGroup", "topologyConstraint");
      see(bool{group.spec.preemptibility}, "PodGroup", "preemptibility");
      // The CRDs of older releases do not have the value in their enum.
      if (cluster_.text(group.spec.preemptibility) == "semi-preemptible")
        at_least(ReleaseTable::changes[static_cast<std::size_t>(Change::semi_preemptible_groups)].since,
                 "a PodGroup is semi-preemptible");
      see(group.spec.min_sub_group.has_value(), "PodGroup", "minSubGroup");
      see(group.spec.preemption_delay.has_value(), "PodGroup", "preemptionDelay");
      see(group.spec.staleness_grace_period.has_value(), "PodGroup", "stalenessGracePeriod");
    }
    for (const SchedulingShard& shard : cluster_.objects().kai_shards) {
      see(true, "SchedulingShard", "partitionLabelValue");
      see(shard.spec.k_value.has_value(), "SchedulingShard", "kValue");
      see(!shard.spec.plugins.empty() || !shard.spec.actions.empty(), "SchedulingShard", "plugins");
      const SearchBudgets& budgets = shard.spec.search_budgets;
      see(!budgets.max_action.empty() || !budgets.max_generator.empty() || budgets.max_job || budgets.min_job,
          "SchedulingShard", "scenarioSearchBudgets");
    }
    see(!cluster_.objects().kai_topologies.empty(), "Topology", "levels");
  }

  const Snapshot& cluster_;
};

auto by_config(const Snapshot& cluster) -> DetectedRelease {
  Versions tags(kParts.major);
  for (const Config& config : cluster.objects().kai_configs) {
    if (const Symbol tag = config.spec.scheduler.service.image.tag) tags.see(cluster.text(tag));
  }
  if (tags.empty()) return {};
  return {tags.newest(), fmt::format("its Config sets the image {}", tags.text()), tags.differ(), tags.patch()};
}

/// The release seen in a cluster, determined once.
struct SeenRelease {
  explicit SeenRelease(const Snapshot& cluster) : running(seen_in(cluster)) {}

  RunningRelease running;

 private:
  static auto seen_in(const Snapshot& cluster) -> RunningRelease;
};

auto SeenRelease::seen_in(const Snapshot& cluster) -> RunningRelease {
  RunningRelease running;
  DetectedRelease own = detect_release(cluster, kParts);
  if (!own.minor) own = by_config(cluster);
  const Bounds bounds(cluster);
  if (own.minor) {
    running.release = Release(*own.minor);
    running.known_by = own.known_by;
    running.patch = own.patch;
    if (own.several) running.gaps.push_back({GapRule::kai_releases_differ, {own.known_by, release_name(*own.minor)}});
    if (*own.minor < bounds.first)
      running.gaps.push_back(
          {GapRule::kai_release_contradicted, {release_name(*own.minor), bounds.first_by, release_name(bounds.first)}});
  } else if (bounds.last < Release::newest() && bounds.first <= bounds.last) {
    running.release = Release(bounds.last);
    running.known_by = bounds.last_by;
  } else {
    running.known_by = "assumed";
  }
  return running;
}

}  // namespace

auto release_name(int minor) -> std::string {
  return fmt::format("0.{}", minor);
}

auto RunningRelease::surely_compared() const -> bool {
  return known_by != "assumed" && release.known() && release.whole() && release.minor() != Release::newest();
}

auto RunningRelease::expects_parents() const -> bool {
  constexpr int kFixedMinor = 16;
  constexpr int kFixedPatch = 5;
  return release.has(Change::parents_are_expected) || (release.minor() == kFixedMinor && patch && *patch < kFixedPatch);
}

auto RunningRelease::words() const -> std::string {
  return describe_release(release_name(release.meant()), known_by, release.compared_with());
}

auto running_release(const Snapshot& cluster, const std::string& version) -> Result<RunningRelease> {
  RunningRelease running;
  if (version.empty()) {
    running = cluster.derived<SeenRelease>().running;
  } else {
    PREVICT_TRY(const int minor, minor_asked_for("--kai-version", version,
                                                 KnownReleases{kParts.major, Release::oldest(), Release::newest()}));
    running.release = Release(minor);
    running.patch = patch_of(version, kParts.major);
  }
  const Release& release = running.release;
  // The newest release that was compared is a commit before the final release.
  if (release.minor() == Release::newest() && running.known_by != "assumed")
    running.gaps.push_back(
        {GapRule::kai_release_ahead, {release_name(release.meant()), std::string(release.compared_with())}});
  if (!release.known()) {
    running.gaps.push_back(
        {GapRule::kai_release_unknown, {release_name(release.meant()), release_name(release.minor())}});
  }
  return running;
}

}  // namespace previct::kai
