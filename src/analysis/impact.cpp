#include "analysis/impact.h"

#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "cluster/pod_request.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct {
namespace {

constexpr std::int64_t kDefaultGrace = 30;
constexpr double kSecondsPerHour = 3600;

// True for controllers of Kubernetes, and for the kubelet with static pods; what other controllers do is unknown.
auto is_made_again(std::string_view kind) -> bool {
  const auto kinds = all_kinds();
  return kind == kinds::nodes.name || std::any_of(kinds.begin(), kinds.end(), [&](const KindInfo* each) {
           return each->makes_pods && each->name == kind;
         });
}

auto seconds_of_run(const Pod& pod, Instant now) -> std::int64_t {
  if (!pod.status.start_time || now == Instant{} || now < *pod.status.start_time) return 0;
  return seconds_between(*pod.status.start_time, now);
}

void add_victim(Impact& impact, const Victim& victim, const Snapshot& cluster, Instant now) {
  const Pod& pod = cluster.pod(victim.pod);
  impact.victims.push_back(victim.pod);
  impact.certain = impact.certain && victim.certain;
  impact.grace_seconds = std::max(impact.grace_seconds, pod.spec.termination_grace_seconds.value_or(kDefaultGrace));
  const std::int64_t run = seconds_of_run(pod, now);
  impact.run_seconds = std::max(impact.run_seconds, run);
  impact.lost.add(cluster, pod, static_cast<double>(run) / kSecondsPerHour);
}

}  // namespace

auto impact_of(const Verdict& verdict, const Snapshot& cluster, Instant now) -> std::vector<Impact> {
  std::map<PodOwner, Impact> by_workload;
  std::vector<Victim> victims = verdict.victims;
  std::vector<std::vector<PodId>> ends = verdict.ends;
  // Of tied nodes, one is chosen.
  for (const PossibleNode& each : verdict.odds ? verdict.odds->nodes : std::vector<PossibleNode>()) {
    if (!each.best) continue;
    std::vector<PodId>& end = ends.emplace_back();
    for (const Victim& victim : each.victims) end.push_back(victim.pod);
    if (cluster.name(each.node) != verdict.node)
      victims.insert(victims.end(), each.victims.begin(), each.victims.end());
  }
  struct Counted {
    Impact* impact = nullptr;
    std::size_t times = 0;
  };
  std::map<PodId, Counted> counted;
  for (const Victim& victim : victims) {
    if (cluster.pod(victim.pod).meta.deleting) continue;
    const PodOwner owner = owner_of_pod(cluster, cluster.pod(victim.pod));
    Impact& impact = by_workload[owner];
    impact.ns = owner.ns;
    impact.kind = owner.kind;
    impact.name = owner.name;
    const NewPod made = new_pod_after(cluster, cluster.pod(victim.pod));
    impact.is_recreated =
        is_made_again(impact.kind) && made == NewPod::yes && (impact.victims.empty() || impact.is_recreated);
    impact.is_final = impact.is_final && made == NewPod::no;
    add_victim(impact, victim, cluster, now);
    counted[victim.pod].impact = &impact;
    ++counted[victim.pod].times;
  }
  if (by_workload.empty()) return {};
  for (std::vector<PodId>& end : ends) {
    std::sort(end.begin(), end.end());
    end.erase(std::unique(end.begin(), end.end()), end.end());
    std::map<Impact*, std::size_t> loses;
    for (const PodId pod : end) {
      const auto victim = counted.find(pod);
      if (victim != counted.end()) loses[victim->second.impact] += victim->second.times;
    }
    for (const auto& [impact, count] : loses) impact->most = std::max(impact->most, count);
  }
  std::vector<Impact> impacts;
  for (auto& [owner, impact] : by_workload) {
    if (ends.empty()) impact.most = impact.victims.size();
    impact.running = running_pods(cluster, owner);
    // If an object is evicted instead of its pods, its Job is suspended, and does not count the pods as failed.
    if (verdict.evicted.empty()) {
      JobFailure failure = job_failure_after(cluster, impact.victims, impact.most);
      impact.may_fail = !failure.certain;
      impact.fails_because = std::move(failure.why);
    }
    if (!impact.fails_because.empty()) {
      impact.is_recreated = false;
      impact.is_final = !impact.may_fail;
    }
    impacts.push_back(std::move(impact));
  }
  std::stable_sort(impacts.begin(), impacts.end(),
                   [](const Impact& a, const Impact& b) { return a.victims.size() > b.victims.size(); });
  return impacts;
}

static auto impact_row(const std::vector<Impact>& impacts, const Snapshot* cluster) {
  const bool devices =
      std::any_of(impacts.begin(), impacts.end(), [](const Impact& each) { return !each.lost.device_hours.empty(); });
  return [=](Row& row, const Impact& impact) {
    const LostWork& lost = impact.lost;
    const auto if_run = [&](auto value) { return impact.run_seconds > 0 ? Json(value) : Json(); };
    Json device_hours;
    for (const auto& [name, hours] : lost.device_hours) device_hours[name] = rounded_hours(hours);
    // A node has no namespace, but its static pods do.
    row.text("WORKLOAD", impact.kind == "Node" ? fmt::format("Node {} (static pods in {})", impact.name, impact.ns)
                                               : fmt::format("{} {}/{}", impact.kind, impact.ns, impact.name));
    row.key("kind", impact.kind).key("namespace", impact.ns).key("name", impact.name);
    row.number("LOSES", {fmt::format("{}{}", impact.certain ? "" : "up to ", impact.most), Tone::danger});
    row.number("OF", impact.running).key("runningPods").key("certain", impact.certain);
    row.text("NEW PODS", impact.is_recreated ? impact.kind == "Node" ? "from the kubelet" : "from the controller"
                         : impact.is_final   ? "none"
                                             : "not known");
    row.key("madeAgain", impact.is_recreated).key("gracePeriodSeconds", impact.grace_seconds);
    row.key("jobFails", impact.fails_because.empty() || impact.may_fail ? Json() : Json(impact.fails_because));
    row.number("LONGEST RUN", impact.run_seconds == 0 ? "-" : format_age(impact.run_seconds)).optional();
    row.key("longestRunSeconds", if_run(impact.run_seconds));
    row.number("CPU HOURS", hours_words(lost.cpu_hours)).optional();
    row.key("cpuHours", if_run(rounded_hours(lost.cpu_hours)));
    row.number("MEMORY GIB HOURS", hours_words(lost.memory_gib_hours)).only_wide().optional();
    row.key("memoryGiBHours", if_run(rounded_hours(lost.memory_gib_hours)));
    row.number("GRACE", fmt::format("{}s", impact.grace_seconds)).optional();
    if (devices) row.number("DEVICE HOURS", hours_words(lost.all_device_hours())).optional();
    row.key("deviceHours", if_run(std::move(device_hours)));
    if (cluster == nullptr) return;
    Json victims;
    for (const PodId victim : impact.victims) victims.push_back(cluster->key(victim));
    row.key("victims", std::move(victims));
  };
}

auto impact_table(const std::vector<Impact>& impacts) -> Table {
  Table table = table_of(impacts, impact_row(impacts, nullptr));
  for (const Impact& impact : impacts) {
    if (impact.fails_because.empty()) continue;
    const std::size_t others = impact.running - std::min(impact.running, impact.most);
    table.footer.push_back(
        {{{fmt::format("{} {}/{} {}: {}{}", impact.kind, impact.ns, impact.name,
                       impact.certain && !impact.may_fail ? "fails" : "may fail", impact.fails_because,
                       others == 0 ? ""
                                   : fmt::format("; {} deletes its {}", impact.may_fail ? "if it fails, it" : "it",
                                                 counted(others, "other pod", "other pods"))),
           Tone::danger}}});
  }
  return table;
}

auto impact_json(const std::vector<Impact>& impacts, const Snapshot& cluster) -> Json {
  return list_of(impacts, impact_row(impacts, &cluster));
}

}  // namespace previct
