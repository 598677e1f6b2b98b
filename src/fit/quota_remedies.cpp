#include "api/amount_text.h"
#include "api/units.h"
#include "cluster/pod_request.h"
#include "fit/remedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace previct::fit {
namespace {

constexpr std::size_t kMostFinished = 200;  // workloads that are tried as finished, one at a time

class WorkloadRemedies {
 public:
  WorkloadRemedies(const Snapshot& cluster, std::size_t workload, std::vector<std::string>& not_searched)
      : cluster_(cluster),
        index_(workload),
        workload_(cluster.objects().kueue_workloads[workload]),
        not_searched_(not_searched) {}

  auto run() -> std::vector<Remedy> {
    activation();
    counts();
    priority();
    const bool is_queued = find_queue();
    stop_policies();
    if (is_queued) {
      policies();
      quotas();
      finished();
    }
    return std::move(remedies_);
  }

 private:
  [[nodiscard]] auto text(Symbol symbol) const -> std::string { return std::string(cluster_.text(symbol)); }
  [[nodiscard]] auto key(const ObjectMeta& meta) const -> std::string {
    return fmt::format("{}/{}", text(meta.ns), text(meta.name));
  }
  [[nodiscard]] auto queue() const -> const kueue::ClusterQueue& { return cluster_.objects().cluster_queues[queue_]; }

  [[nodiscard]] auto step_of_workload(Kind kind, std::string field) const -> Step {
    return {.kind = kind,
            .what = {},
            .object = "Workload/" + key(workload_.meta),
            .field = std::move(field),
            .source = workload_.meta.source};
  }
  [[nodiscard]] auto step_of_queue(Kind kind, std::string field) const -> Step {
    return {.kind = kind,
            .what = {},
            .object = "ClusterQueue/" + text(queue().meta.name),
            .field = std::move(field),
            .source = queue().meta.source};
  }
  static auto with_values(Step step, std::string_view what, std::string before, std::string after) -> Step {
    step.what = fmt::format("{} {} -> {}", what, before, after);
    step.before = std::move(before);
    step.after = std::move(after);
    return step;
  }

  auto find_queue() -> bool {
    const auto& local = cluster_.objects().local_queues;
    const auto found = std::find_if(local.begin(), local.end(), [&](const kueue::LocalQueue& each) {
      return each.meta.ns == workload_.meta.ns && each.meta.name == workload_.spec.queue_name;
    });
    if (found == local.end()) return false;
    local_queue_ = static_cast<std::size_t>(found - local.begin());
    const auto& queues = cluster_.objects().cluster_queues;
    const auto at = std::find_if(queues.begin(), queues.end(), [&](const kueue::ClusterQueue& each) {
      return each.meta.name == found->spec.cluster_queue;
    });
    queue_ = static_cast<std::size_t>(at - queues.begin());
    return at != queues.end();
  }

  // A deactivated workload is admitted again once spec.active is true.
  void activation() {
    if (workload_.spec.active.value_or(true)) return;
    const Step made = with_values(step_of_workload(Kind::active, "spec.active"), "active", "false", "true");
    remedies_.push_back({.kind = Kind::active,
                         .most = 1,
                         .turn = [index = index_](ChangedCluster& changed,
                                                  std::int64_t) { changed.kueue_workload(index).spec.active = true; },
                         .step = [made](std::int64_t) { return made; }});
  }

  // Resumes the LocalQueue and the ClusterQueue.
  void stop_policies() {
    const auto is_stopped = [&](Symbol policy) { return policy && text(policy) != "None"; };
    const auto& local = cluster_.objects().local_queues;
    const auto& queues = cluster_.objects().cluster_queues;
    const Symbol none = cluster_.symbols().intern("None");
    const auto add = [&](Step step, Symbol now, auto turn) {
      const Step made = with_values(std::move(step), "stopPolicy", text(now), "None");
      remedies_.push_back({.kind = Kind::stop_policy, .most = 1, .turn = std::move(turn), .step = [made](std::int64_t) {
                             return made;
                           }});
    };
    if (local_queue_ < local.size() && is_stopped(local[local_queue_].spec.stop_policy)) {
      const kueue::LocalQueue& of = local[local_queue_];
      add({.kind = Kind::stop_policy,
           .what = {},
           .object = "LocalQueue/" + key(of.meta),
           .field = "spec.stopPolicy",
           .source = of.meta.source},
          of.spec.stop_policy, [none, at = local_queue_](ChangedCluster& changed, std::int64_t) {
            changed.local_queue(at).spec.stop_policy = none;
          });
    }
    if (queue_ < queues.size() && is_stopped(queue().spec.stop_policy)) {
      add(step_of_queue(Kind::stop_policy, "spec.stopPolicy"), queue().spec.stop_policy,
          [none, at = queue_](ChangedCluster& changed, std::int64_t) {
            changed.cluster_queue(at).spec.stop_policy = none;
          });
    }
  }

  // Fewer pods, down to one.
  void counts() {
    for (std::size_t i = 0; i < workload_.spec.pod_sets.size(); ++i) {
      const kueue::PodSet& set = workload_.spec.pod_sets[i];
      const std::int64_t count = set.count.value_or(1);
      if (count < 2) continue;
      const std::string name = set.name ? text(set.name) : "main";
      const Step base = step_of_workload(Kind::count, fmt::format("spec.podSets[{}].count", i));
      remedies_.push_back({.kind = Kind::count,
                           .most = count - 1,
                           .turn =
                               [index = index_, i, count](ChangedCluster& changed, std::int64_t degree) {
                                 changed.kueue_workload(index).spec.pod_sets[i].count =
                                     static_cast<std::int32_t>(count - degree);
                               },
                           .step =
                               [base, name, count](std::int64_t degree) {
                                 return with_values(base, fmt::format("pods of pod set {}", name),
                                                    fmt::format("{}", count), fmt::format("{}", count - degree));
                               }});
    }
  }

  // Priorities above those of more and more other workloads, lowest first.
  void priority() {
    const std::int64_t own = workload_.spec.priority.value_or(0);
    std::set<std::int64_t> higher;
    for (const kueue::Workload& each : cluster_.objects().kueue_workloads) {
      const std::int64_t theirs = each.spec.priority.value_or(0);
      if (theirs >= own && theirs < INT32_MAX) higher.insert(theirs + 1);
    }
    if (higher.empty()) return;
    const std::vector<std::int64_t> steps(higher.begin(), higher.end());
    const Step base = step_of_workload(Kind::priority, "spec.priority");
    remedies_.push_back({.kind = Kind::priority,
                         .most = static_cast<std::int64_t>(steps.size()),
                         .turn =
                             [index = index_, steps](ChangedCluster& changed, std::int64_t degree) {
                               changed.kueue_workload(index).spec.priority =
                                   static_cast<std::int32_t>(steps[static_cast<std::size_t>(degree - 1)]);
                             },
                         .step =
                             [base, steps, own](std::int64_t degree) {
                               return with_values(base, "priority", fmt::format("{}", own),
                                                  fmt::format("{}", steps[static_cast<std::size_t>(degree - 1)]));
                             }});
  }

  void policies() {
    const kueue::PreemptionPolicies& given = queue().spec.preemption;
    const auto offer = [&](std::string_view field, Symbol now, std::string_view then, auto change) {
      const std::string before = now ? text(now) : "Never";
      if (before != "Never") return;
      const Symbol to = cluster_.symbols().intern(std::string(then));
      const Step made = with_values(step_of_queue(Kind::preemption, fmt::format("spec.preemption.{}", field)), field,
                                    before, std::string(then));
      remedies_.push_back({.kind = Kind::preemption,
                           .most = 1,
                           .turn = [queue = queue_, to, change](
                                       ChangedCluster& changed,
                                       std::int64_t) { change(changed.cluster_queue(queue).spec.preemption) = to; },
                           .step = [made](std::int64_t) { return made; }});
    };
    using Policies = kueue::PreemptionPolicies;
    offer("withinClusterQueue", given.within_cluster_queue, "LowerPriority",
          [](Policies& of) -> Symbol& { return of.within_cluster_queue; });
    if (!queue().spec.cohort) return;
    offer("reclaimWithinCohort", given.reclaim_within_cohort, "Any",
          [](Policies& of) -> Symbol& { return of.reclaim_within_cohort; });
    offer("borrowWithinCohort.policy", given.borrow_within_cohort.policy, "LowerPriority",
          [](Policies& of) -> Symbol& { return of.borrow_within_cohort.policy; });
  }

  // The total request for a resource, in the unit of the remedy.
  [[nodiscard]] auto requested(Symbol resource) const -> std::int64_t {
    std::int64_t sum = 0;
    for (const kueue::PodSet& set : workload_.spec.pod_sets) {
      if (resource == cluster_.known().pods) {
        sum += std::max(set.count.value_or(1), 1);
        continue;
      }
      Pod pod;
      pod.spec = set.pod_template.spec;
      const Quantity one = pod_request(cluster_, pod, RequestOf::incoming).get(resource).value_or(Quantity());
      sum += in_units(text(resource), one) * std::max(set.count.value_or(1), 1);
    }
    return sum;
  }

  // Increases the quota of one flavor, for all requested resources together, so that none of them is short.
  void quotas() {
    constexpr std::int64_t kHundredth = 100;
    constexpr std::int64_t kTimes = 4;  // other workloads may come first, and use the added quota
    for (std::size_t g = 0; g < queue().spec.resource_groups.size(); ++g) {
      const kueue::ResourceGroup& group = queue().spec.resource_groups[g];
      for (std::size_t f = 0; f < group.flavors.size(); ++f) {
        for (std::size_t r = 0; r < group.flavors[f].resources.size(); ++r) {
          const kueue::ResourceQuota& quota = group.flavors[f].resources[r];
          const std::int64_t want = requested(quota.name);
          if (want <= 0) continue;
          const std::string resource = text(quota.name);
          // In steps that a person would choose: whole devices and milli-CPU, hundredths of the request for bytes.
          const bool bytes = resource == "memory" || resource == "ephemeral-storage" || want > INT32_MAX;
          const std::int64_t unit = bytes ? std::max<std::int64_t>(want / kHundredth, 1) : 1;
          const std::string path = fmt::format("spec.resourceGroups[{}].flavors[{}].resources[{}]", g, f, r);
          const auto add = [&](Kind kind, std::string_view field, Quantity now, auto member) {
            const std::int64_t before = in_units(resource, now);
            const Step base = step_of_queue(kind, fmt::format("{}.{}", path, field));
            const std::string what = fmt::format("{} of {} on flavor {}", field, resource, text(group.flavors[f].name));
            remedies_.push_back({.kind = kind,
                                 .most = kTimes * (bytes ? kHundredth + 1 : want),
                                 .turn =
                                     [queue = queue_, g, f, r, resource, before, unit, member](ChangedCluster& changed,
                                                                                               std::int64_t degree) {
                                       auto& spec = changed.cluster_queue(queue).spec;
                                       member(spec.resource_groups[g].flavors[f].resources[r]) =
                                           of_units(resource, before + degree * unit);
                                     },
                                 .step =
                                     [base, what, resource, before, unit](std::int64_t degree) {
                                       return with_values(base, what, amount_text(resource, before),
                                                          amount_text(resource, before + degree * unit));
                                     }});
          };
          if (quota.borrowing_limit)
            add(Kind::borrowing_limit, "borrowingLimit", *quota.borrowing_limit,
                [](kueue::ResourceQuota& of) -> std::optional<Quantity>& { return of.borrowing_limit; });
          add(Kind::quota, "nominalQuota", quota.nominal,
              [](kueue::ResourceQuota& of) -> Quantity& { return of.nominal; });
        }
      }
    }
  }

  // The root cohort of each ClusterQueue, or the queue itself: quota is only shared within it.
  [[nodiscard]] auto roots() const -> std::map<Symbol, Symbol> {
    std::map<Symbol, Symbol> parents;
    for (const kueue::Cohort& each : cluster_.objects().cohorts) parents[each.meta.name] = each.spec.parent;
    std::map<Symbol, Symbol> roots;
    for (const kueue::ClusterQueue& each : cluster_.objects().cluster_queues) {
      Symbol at = each.spec.cohort;
      for (std::size_t depth = 0; depth < parents.size(); ++depth) {
        const auto parent = parents.find(at);
        if (parent == parents.end() || !parent->second) break;
        at = parent->second;
      }
      roots[each.meta.name] = at ? at : each.meta.name;
    }
    return roots;
  }

  // Workloads that hold quota, lowest priority first, then smallest first.
  void finished() {
    const auto& all = cluster_.objects().kueue_workloads;
    std::map<Symbol, Symbol> root_of = roots();
    std::vector<std::size_t> holding;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].status.admission || !all[i].spec.active.value_or(true)) continue;
      if (root_of[all[i].status.admission->cluster_queue] == root_of[queue().meta.name]) holding.push_back(i);
    }
    const auto pods = [&](std::size_t i) {
      std::int64_t sum = 0;
      for (const kueue::PodSet& set : all[i].spec.pod_sets) sum += set.count.value_or(1);
      return sum;
    };
    std::stable_sort(holding.begin(), holding.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(all[a].spec.priority.value_or(0), pods(a), key(all[a].meta)) <
             std::tuple(all[b].spec.priority.value_or(0), pods(b), key(all[b].meta));
    });
    if (holding.size() > kMostFinished) {
      not_searched_.push_back(fmt::format("the end of any of {} other workloads", holding.size() - kMostFinished));
      holding.resize(kMostFinished);
    }
    for (const std::size_t index : holding) {
      const Step made{.kind = Kind::finish,
                      .what = key(all[index].meta),
                      .object = "Workload/" + key(all[index].meta),
                      .source = all[index].meta.source};
      remedies_.push_back({.kind = Kind::finish,
                           .most = 1,
                           .turn = [index](ChangedCluster& changed,
                                           std::int64_t) { changed.kueue_workload(index).spec.active = false; },
                           .step = [made](std::int64_t) { return made; }});
    }
  }

  const Snapshot& cluster_;
  std::size_t index_;
  const kueue::Workload& workload_;
  std::vector<std::string>& not_searched_;
  std::size_t local_queue_ = SIZE_MAX;  // without such a queue, beyond the list
  std::size_t queue_ = SIZE_MAX;
  std::vector<Remedy> remedies_;
};

}  // namespace

auto remedies_of_workload(const Snapshot& cluster, std::string_view ns, std::string_view name,
                          std::vector<std::string>& not_searched) -> std::vector<Remedy> {
  const auto& all = cluster.objects().kueue_workloads;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (cluster.text(all[i].meta.ns) == ns && cluster.text(all[i].meta.name) == name)
      return WorkloadRemedies(cluster, i, not_searched).run();
  }
  return {};
}

}  // namespace previct::fit
