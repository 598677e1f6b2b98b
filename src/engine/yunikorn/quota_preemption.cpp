#include "engine/yunikorn/quota_preemption.h"

#include "base/contains.h"
#include "engine/yunikorn/orders.h"
#include "engine/yunikorn/quota_usage.h"
#include "engine/yunikorn/quota_victims.h"

#include <algorithm>
#include <map>
#include <set>

namespace previct::yunikorn {
namespace {

auto delay_of(const Release& release, const Queue& queue) -> std::int64_t {
  return release.has(Change::quota_delay_renamed) ? queue.policy.quota_preemption_delay
                                                  : queue.policy.old_quota_preemption_delay;
}

/// Returns true if the scheduler can ever start the delay of the queue.
auto can_start(const Release& release, const Queue& queue) -> bool {
  if (queue.dynamic || delay_of(release, queue) <= 0) return false;
  return release.has(Change::quota_loop) || (queue.parent && queue.sets_old_quota_delay);
}

/// The result of one order.
struct QuotaResult {
  std::map<QueueId, std::vector<PodId>> victims;  ///< by the queue because of which they are evicted
  QueueId crashed;                                ///< none: the scheduler did not crash
};

/// Lets the scheduler act until nothing is left to do.
class QuotaRun {
 public:
  QuotaRun(const PartitionContext& core, std::set<QueueId> started,
           std::map<QueueId, std::vector<const Allocation*>> pods, Random& random)
      : core_(core),
        release_(core.keys().release),
        usage_(core),
        started_(std::move(started)),
        pods_(std::move(pods)),
        random_(random) {}

  /// `victims_end`: victims end before the next delay is over, and the scheduler tries again after the last.
  auto run(bool victims_end) -> QuotaResult {
    std::set<std::int64_t> delays;
    for (const QueueId id : started_) delays.insert(delay_of(release_, core_.queues()[id]));
    for (const std::int64_t delay : delays) {
      passed_ = delay;
      act_repeatedly();
      if (victims_end) end_victims();
    }
    if (victims_end) act_repeatedly();
    return std::move(result_);
  }

 private:
  void act_repeatedly() {
    do {
      changed_ = false;
      pass();
    } while (changed_ && !result_.crashed);
  }

  void pass() {
    std::vector<QueueId> waiting = {core_.queues().root()};
    while (!waiting.empty() && !result_.crashed) {
      const QueueId at = waiting.back();
      waiting.pop_back();
      if (!usage_.above_max(at)) started_.erase(at);
      if (started_.contains(at) && delay_of(release_, core_.queues()[at]) <= passed_) {
        act(at);
        continue;
      }
      std::vector<QueueId> children = core_.queues()[at].children;
      random_.shuffle(children);
      waiting.insert(waiting.end(), children.rbegin(), children.rend());
    }
  }

  void act(QueueId at) {
    const MaybeResources excess = usage_.excess(at);
    if (core_.queues()[at].leaf) {
      if (excess) take(at, {at, *excess});
    } else if (excess) {
      for (const QuotaShare& share : usage_.shares(at, *excess)) {
        take(at, share);
        if (!release_.has(Change::quota_parents_try_once)) started_.erase(share.queue);
      }
    } else if (!usage_.contributors(at).empty()) {
      result_.crashed = at;  // there are no amounts to share, and the scheduler reads them
    }
    if (!core_.queues()[at].leaf && !release_.has(Change::quota_parents_try_once)) return;
    if (started_.erase(at) > 0) changed_ = true;
  }

  void take(QueueId because, const QuotaShare& share) {
    const Queue& leaf = core_.queues()[share.queue];
    std::vector<const Allocation*> left;
    for (const Allocation* pod : pods_[share.queue]) {
      if (!marked_.contains(pod)) left.push_back(pod);
    }
    const auto victims =
        quota_victims(release_, {share.amount, leaf.max, leaf.guaranteed, usage_.allocated(share.queue)}, left);
    if (!victims) result_.crashed = because;
    if (!victims || victims->empty()) return;
    changed_ = true;
    for (const Allocation* pod : *victims) {
      marked_.insert(pod);
      usage_.mark(share.queue, pod->size);
      result_.victims[because].push_back(pod->pod);
    }
  }

  void end_victims() {
    for (const Allocation* pod : marked_) {
      if (ended_.insert(pod).second) usage_.end(pod->queue, pod->size);
    }
  }

  const PartitionContext& core_;
  const Release& release_;
  QuotaUsage usage_;
  std::set<QueueId> started_;
  std::map<QueueId, std::vector<const Allocation*>> pods_;  // by leaf queue
  Random& random_;
  std::int64_t passed_ = 0;  // nanoseconds since the delays started
  std::set<const Allocation*> marked_;
  std::set<const Allocation*> ended_;
  bool changed_ = false;
  QuotaResult result_;
};

void sort_by_name(const Snapshot& cluster, std::vector<PodId>& pods) {
  std::sort(pods.begin(), pods.end(), [&](PodId a, PodId b) { return cluster.key(a) < cluster.key(b); });
}

/// Returns all running pods, grouped by queue.
auto running_pods(const PartitionContext& core) -> std::vector<Allocation> {
  std::map<QueueId, std::vector<PodId>> by_queue;
  for (const PodId pod : core.cluster().pods().ids()) {
    if (core.known(pod) && core.cluster().node_of(pod)) by_queue[core.app(core.app_of(pod)).queue].push_back(pod);
  }
  std::vector<Allocation> all;
  for (const auto& [queue, pods] : by_queue) {
    for (const PodId pod : pods) all.push_back(core.allocation(pod));
  }
  return all;
}

/// Returns true if a pod of the queue, or of one below it, is pending.
auto has_pending(const PartitionContext& core, QueueId queue) -> bool {
  for (const PodId pod : core.cluster().pods().ids()) {
    if (!core.known(pod) || !core.cluster().pending(pod)) continue;
    QueueId at = core.app(core.app_of(pod)).queue;
    while (at && at != queue) at = core.queues()[at].parent;
    if (at) return true;
  }
  return false;
}

auto above_maxima(const PartitionContext& core) -> std::vector<QuotaPreemption> {
  std::vector<QuotaPreemption> found;
  const Release& release = core.keys().release;
  const QuotaUsage usage(core);
  for (const QueueId id : core.queues().ids()) {
    const Queue& queue = core.queues()[id];
    if (!can_start(release, queue) || !usage.above_max(id)) continue;
    QuotaPreemption& one = found.emplace_back();
    one.queue = id;
    one.delay = delay_of(release, queue);
    const MaybeResources left = less_in_common(queue.max, queue.allocated);
    for (const Resources::Entry& each : *left) {
      if (each.amount < 0) one.over.set(each.type, -each.amount);
    }
    one.idle = !release.has(Change::quota_loop) && !has_pending(core, id);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const QuotaPreemption& a, const QuotaPreemption& b) { return a.delay < b.delay; });
  return found;
}

/// Notes which pods are in every set, and which in some. Pods that the scheduler does not distinguish share their fate,
/// even if no order that was tried shows it.
void note_fates(const PartitionContext& core, const std::vector<Allocation>& pods, QuotaPreemption& one) {
  std::map<PodId, std::size_t> sets_with;
  for (const std::vector<PodId>& set : one.sets) {
    for (const PodId pod : set) ++sets_with[pod];
  }
  const auto in_all = [&](const Allocation& pod) {
    const auto found = sets_with.find(pod.pod);
    return found != sets_with.end() && found->second == one.sets.size();
  };
  const Release& release = core.keys().release;
  std::vector<bool> settled(pods.size());
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (settled[i] || !sets_with.contains(pods[i].pod)) continue;
    bool all = in_all(pods[i]);
    std::vector<PodId> twins;
    for (std::size_t j = 0; j < pods.size(); ++j) {
      if (pods[j].app != pods[i].app || !alike_for_quota(release, pods[i], pods[j])) continue;
      settled[j] = true;
      twins.push_back(pods[j].pod);
      all = all && in_all(pods[j]);
    }
    std::vector<PodId>& share = all ? one.always : one.sometimes;
    share.insert(share.end(), twins.begin(), twins.end());
  }
  sort_by_name(core.cluster(), one.always);
  sort_by_name(core.cluster(), one.sometimes);
}

auto pods_by_queue(const std::vector<const Allocation*>& order) -> std::map<QueueId, std::vector<const Allocation*>> {
  std::map<QueueId, std::vector<const Allocation*>> pods;
  for (const Allocation* pod : order) pods[pod->queue].push_back(pod);
  return pods;
}

/// The pods of an application of which any may be its originator, because they are its oldest and equally old; first
/// the one that the input suggests. A placeholder never is. Source: apache/yunikorn-k8shim 1.9 pkg/cache/context.go
/// InitializeState, ensureAppAndTaskCreated.
auto possible_originators(const PartitionContext& core) -> std::vector<std::vector<PodId>> {
  std::vector<std::vector<PodId>> found;
  for (const Application& app : core.apps()) {
    if (app.as_old.empty() || !app.queue) continue;
    std::vector<PodId> pods = {app.first};
    pods.insert(pods.end(), app.as_old.begin(), app.as_old.end());
    const bool has_place = std::any_of(pods.begin(), pods.end(), [&](PodId pod) { return core.holds_place(pod); });
    if (!has_place) found.push_back(std::move(pods));
  }
  return found;
}

/// Draws the originators of these applications.
void draw_originators(const PartitionContext& core, const std::vector<std::vector<PodId>>& possible, Random& random,
                      std::vector<Allocation>& pods) {
  std::map<AppId, PodId> drawn;
  for (std::vector<PodId> of_app : possible) {
    random.shuffle(of_app);
    drawn.emplace(core.app_of(of_app.front()), of_app.front());
  }
  if (drawn.empty()) return;
  for (Allocation& pod : pods) {
    if (const auto found = drawn.find(pod.app); found != drawn.end()) pod.originator = pod.pod == found->second;
  }
}

/// Tries random orders, and originators. Without `idle`, the idle queues do not act, and the results of the others are
/// noted; with it, all act, and those of the idle ones are.
void try_orders(const PartitionContext& core, std::vector<Allocation> pods, bool idle,
                std::vector<QuotaPreemption>& found) {
  constexpr std::size_t kWork = 400'000;  // number of pods looked at, over all orders
  const std::size_t draws = std::clamp<std::size_t>(kWork / std::max<std::size_t>(1, pods.size()), 4, 256);
  std::set<QueueId> started;
  for (const QuotaPreemption& one : found) {
    if (idle || !one.idle) started.insert(one.queue);
  }
  const Orders orders(pods);
  const std::vector<std::vector<PodId>> originators = possible_originators(core);
  std::map<QueueId, std::set<std::vector<PodId>>> sets;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    Random random(draw);
    draw_originators(core, originators, random, pods);
    const auto order = pods_by_queue(orders.draw(random).first);
    QuotaResult result = QuotaRun(core, started, order, random).run(draw % 2 == 1);
    for (QuotaPreemption& one : found) {
      if (one.idle != idle) continue;
      std::vector<PodId>& victims = result.victims[one.queue];
      sort_by_name(core.cluster(), victims);
      sets[one.queue].insert(victims);
      one.crashes = one.crashes || result.crashed == one.queue;
    }
  }
  for (QuotaPreemption& one : found) {
    if (one.idle == idle) one.sets.assign(sets[one.queue].begin(), sets[one.queue].end());
  }
}

}  // namespace

auto quota_preemptions(const PartitionContext& core) -> std::vector<QuotaPreemption> {
  if (!core.config().quota_preemption_enabled || !core.keys().release.has(Change::quota_preemption)) return {};
  std::vector<QuotaPreemption> found = above_maxima(core);
  if (found.empty()) return found;
  const std::vector<Allocation> pods = running_pods(core);
  try_orders(core, pods, false, found);
  const bool some_idle = std::any_of(found.begin(), found.end(), [](const QuotaPreemption& one) { return one.idle; });
  if (some_idle) try_orders(core, pods, true, found);
  for (QuotaPreemption& one : found) note_fates(core, pods, one);
  return found;
}

auto evicts_for_quota(const std::vector<QuotaPreemption>& all, PodId pod, bool& certain) -> const QuotaPreemption* {
  for (const QuotaPreemption& one : all) {
    certain = contains(one.always, pod);
    if (certain || contains(one.sometimes, pod)) return &one;
  }
  return nullptr;
}

}  // namespace previct::yunikorn
