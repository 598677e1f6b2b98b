#include "tell/kai/pending.h"

#include "api/units.h"
#include "base/text.h"
#include "cluster/pod_request.h"
#include "engine/kai/actions/node_refusals.h"
#include "engine/kai/session/task_selection.h"
#include "engine/kai/snapshot/grouper.h"
#include "tell/kai/amounts.h"
#include "tell/kube/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace previct::kai {
namespace {

// `2 GPUs`, `500m cpu`
auto sized(double value, std::size_t resource) -> std::string {
  if (resource == kGpu) return fmt::format("{} GPU{}", amount_words(value, resource), value == 1 ? "" : "s");
  return fmt::format("{} {}", amount_words(value, resource), resource_word(resource));
}

class Pending {
 public:
  Pending(const Explained& e, const NextChange* next)
      : e_(e), next_(next), cluster_info_(e.cluster_info()), start_(e.decision.start()) {}

  [[nodiscard]] auto run() -> std::string {
    if (const std::string missing = missing_objects(); !missing.empty()) return "stays pending: " + missing;
    if (cluster_info_.shard_nodes().empty()) return "stays pending: " + no_shard_node_words();
    refusals_ = node_refusals(start_, e_.subject.group, !e_.question.brief);
    if (no_node_suits() && queue_bound().empty())
      return fmt::format("stays pending: no node takes it: {}; evicting pods does not change that",
                         refusal_words([](ShardNodeId) { return true; }));
    sort_groups();
    if (is_protected()) return fmt::format("stays pending{}: {}", until(), protected_words());
    if (const std::string bound = queue_bound(); !bound.empty()) return "stays pending: " + bound;
    std::vector<std::string> parts;
    for (const Reason& reason : eviction()) parts.push_back(reason.words);
    return fmt::format("stays pending{}: {}; {}", until(), capacity(), joined(parts, ", and "));
  }

  [[nodiscard]] auto cause() -> Cause {
    const QueueId queue = e_.group().queue;
    if (!queue) return of_rule(Rule::no_queue);
    if (!cluster_info_.queue(queue).is_leaf()) return of_rule(Rule::inner_queue);
    if (!is_ready(start_, e_.subject.group)) return of_rule(Rule::not_ready);
    if (cluster_info_.shard_nodes().empty()) return of_rule(Rule::no_shard_node);
    refusals_ = node_refusals(start_, e_.subject.group, !e_.question.brief);
    if (no_node_suits() && queue_bound().empty() && missing_objects().empty()) return most_frequent_refusal();
    sort_groups();
    if (is_protected())
      return {std::string(rule_id(Rule::min_runtime)), "min-runtime protects all groups that could be evicted"};
    if (!queue_bound().empty()) return of_rule(attempt(Action::allocate)->rule);
    const Reason first = eviction().front();
    if (first.rule == Rule::action_off) return {std::string(rule_id(first.rule)), first.words};
    return of_rule(first.rule);
  }

 private:
  [[nodiscard]] static auto of_rule(Rule rule) -> Cause { return {std::string(rule_id(rule)), of_it(rule)}; }

  [[nodiscard]] auto attempt(Action action) const -> const Attempt* {
    for (const Attempt& each : e_.decision.cycle.attempts()) {
      if (each.group == e_.subject.group && each.action == action) return &each;
    }
    return nullptr;
  }

  // Returns the time at which it is placed if only time passes.
  [[nodiscard]] auto until() const -> std::string {
    if (next_ == nullptr || next_->at.is_never() || next_->then == nullptr) return {};
    const Outcome then = fate_of(*next_->then, e_.subject).outcome;
    const bool placed = then == Outcome::preempts || then == Outcome::fits || then == Outcome::waits;
    return placed ? fmt::format(" until {}", format_moment(next_->at, e_.question.now)) : std::string();
  }

  // ---- what no eviction changes

  // `PersistentVolumeClaim ml/data does not exist`; empty if no claim or ConfigMap keeps it from all nodes.
  [[nodiscard]] auto missing_objects() const -> std::string {
    for (const Action action : {Action::allocate, Action::reclaim, Action::preempt, Action::consolidation}) {
      const Attempt* const of = attempt(action);
      if (of == nullptr || (of->rule != Rule::no_volume && of->rule != Rule::no_config_map)) continue;
      std::string words = of->rule == Rule::no_volume ? volume_words() : config_map_words();
      return words.empty() ? std::string(rule_sentence(of->rule)) : words;
    }
    return {};
  }

  template <class Visit>
  void each_pending(Visit visit) const {
    const Group& group = e_.group();
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      for (const TaskId task : cluster_info_.tasks_of(group.set(i))) {
        if (cluster_info_.task(task).status == Status::pending) visit(task);
      }
    }
  }

  [[nodiscard]] auto volume_words() const -> std::string {
    std::string words;
    if (cluster_info_.shard_nodes().empty()) return words;
    const auto refusals = node_refusals(start_, e_.subject.group, true);
    if (!refusals) return words;
    for (const NodeRefusal& each : refusals->of) {
      if (!each.reason || each.rule != Rule::node_filter) continue;
      words = worded(refusals->task).ours(*each.reason);
      if (!words.empty()) return words;
    }
    return words;
  }

  [[nodiscard]] auto config_map_words() const -> std::string {
    std::set<std::string> names;
    each_pending([&](TaskId task) {
      const Pod& pod = cluster_info_.cluster().pod(cluster_info_.task(task).pod);
      for (const Symbol name : cluster_info_.config_maps().missing(pod))
        names.insert(
            fmt::format("{}/{}", cluster_info_.cluster().text(pod.meta.ns), cluster_info_.cluster().text(name)));
    });
    if (names.empty()) return {};
    const std::vector<std::string> all(names.begin(), names.end());
    return fmt::format("{} {} not exist", config_maps_words(all), all.size() == 1 ? "does" : "do");
  }

  // `no node belongs to shard default (the label kai.scheduler/node-pool of g1 is pool)`
  [[nodiscard]] auto no_shard_node_words() const -> std::string {
    const Snapshot& cluster = cluster_info_.cluster();
    const Symbol key = cluster.symbol(e_.settings.pool_key);
    std::vector<std::string> names;
    for (const NodeId id : cluster.nodes().ids()) {
      const Symbol pool = key ? cluster.node(id).meta.labels.get(key) : Symbol{};
      names.push_back(fmt::format("{} {}", cluster.name(id), pool ? cluster.text(pool) : "none"));
    }
    std::sort(names.begin(), names.end());
    constexpr std::size_t kNamed = 2;
    return fmt::format(
        "no node belongs to shard {}{}", e_.settings.shard,
        names.empty() ? ""
                      : fmt::format(" (label {}: {})", e_.settings.pool_key, joined_up_to(kNamed, std::move(names))));
  }

  [[nodiscard]] auto no_node_suits() const -> bool { return refusals_ && refusals_->suitable == 0; }

  [[nodiscard]] auto suits(ShardNodeId node) const -> bool {
    return refusals_ ? refusals_->of[node].rule == Rule::candidate : cluster_info_.shard_nodes()[node].available;
  }

  [[nodiscard]] auto worded(TaskId task) const -> kube::Words {
    return {cluster_info_.cluster().derived<kube::NodeInfoSnapshot>(), cluster_info_.task(task).pod, e_.question.now};
  }

  // The nodes by reason, the most frequent first: `g1 has the taint dedicated=x:NoSchedule, 2 nodes are cordoned`
  template <class Counts>
  [[nodiscard]] auto refusal_words(Counts counts) const -> std::string {
    struct Alike {
      NodeRefusal refusal;
      std::vector<std::string> nodes{};
    };
    std::map<std::string, Alike> by_words;
    const kube::Words words = worded(refusals_->task);
    for (const ShardNodeId id : cluster_info_.shard_nodes().ids()) {
      NodeRefusal refusal = refusals_->of[id];
      if (refusal.rule == Rule::candidate || !counts(id)) continue;
      if (!refusals_->all_worded) refusal.reason.reset();
      const std::string of_filter = refusal.reason ? words.ours(*refusal.reason) : std::string();
      Alike& alike = by_words.try_emplace(std::string(rule_id(refusal.rule)) + of_filter, Alike{refusal}).first->second;
      alike.nodes.emplace_back(cluster_info_.shard_nodes()[id].name);
    }
    std::vector<const Alike*> order;
    for (const auto& [key, alike] : by_words) order.push_back(&alike);
    std::stable_sort(order.begin(), order.end(),
                     [](const Alike* a, const Alike* b) { return a->nodes.size() > b->nodes.size(); });
    std::vector<std::string> parts;
    for (const Alike* each : order) {
      const std::size_t count = each->nodes.size();
      const std::string nodes = count == 1 ? each->nodes.front() : fmt::format("{} nodes", count);
      const auto& reason = each->refusal.reason;
      const std::string of_nodes = reason ? words.of_nodes(*reason, count) : std::string();
      const std::string ours = reason ? words.ours(*reason) : std::string();
      const std::string_view rule =
          count == 1 ? rule_sentence(each->refusal.rule) : words_of_groups(each->refusal.rule);
      parts.push_back(!of_nodes.empty() ? fmt::format("{} {}", nodes, of_nodes)
                      : !ours.empty()   ? fmt::format("{}: {}", nodes, ours)
                                        : fmt::format("{} {}", nodes, rule));
    }
    constexpr std::size_t kNamed = 2;
    return joined_up_to(kNamed, std::move(parts));
  }

  [[nodiscard]] auto most_frequent_refusal() const -> Cause {
    std::map<Rule, std::size_t> counts;
    for (const NodeRefusal& each : refusals_->of) ++counts[each.rule];
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return {std::string(rule_id(most->first)), fmt::format("every node {}", rule_sentence(most->first))};
  }

  // ---- why it is not placed without evictions

  // Returns the limit of a queue that blocks the group; no eviction changes it.
  [[nodiscard]] auto queue_bound() const -> std::string {
    const Attempt* const allocate = attempt(Action::allocate);
    if (allocate == nullptr) return {};
    if (allocate->rule == Rule::over_limit) return bound_by_queue(false);
    return allocate->rule == Rule::over_quota ? bound_by_queue(true) : std::string();
  }

  [[nodiscard]] auto capacity() -> std::string {
    std::vector<Share> requests;
    each_pending([&](TaskId task) { requests.push_back(cluster_info_.request_share(task)); });
    for (const std::size_t resource : kInOrder) {
      std::string words = short_of(resource, requests);
      if (words.empty()) continue;
      const std::string refused = refused_although_free(requests);
      return refused.empty() ? words : fmt::format("{}; {}", words, refused);
    }
    if (const std::string words = short_after_others(requests); !words.empty()) return words;
    if (const std::string topology = topology_words(); !topology.empty()) return "no node takes it: " + topology;
    const std::string devices = short_of_devices();
    return devices.empty() ? "no node takes it" : devices;
  }

  // `no node has 1 GPU with 0.6 of it free`: free parts of several GPUs do not add up.
  [[nodiscard]] auto short_of_devices() const -> std::string {
    std::string words;
    each_pending([&](TaskId task) {
      const GpuRequest& gpu = cluster_info_.gpu(task);
      if (!words.empty() || gpu.devices <= 0 || gpu.kind == GpuRequest::Kind::mig) return;
      for (const ShardNodeId node : cluster_info_.shard_nodes().ids()) {
        if (suits(node) && free_devices(node, gpu) >= gpu.devices) return;
      }
      const bool one = gpu.devices == 1;
      const std::string has = fmt::format("no node has {} GPU{}", gpu.devices, one ? "" : "s");
      switch (gpu.kind) {
        case GpuRequest::Kind::memory: words = fmt::format("{} with {} MiB free", has, gpu.memory); break;
        case GpuRequest::Kind::fraction:
          words = fmt::format("{} with {} of {} free", has, amount_words(gpu.portion, kGpu), one ? "it" : "each");
          break;
        default: words = fmt::format("{} that {} wholly free", has, one ? "is" : "are");
      }
    });
    return words;
  }

  // Number of GPUs of the node that can hold one device of the request.
  [[nodiscard]] auto free_devices(ShardNodeId node, const GpuRequest& gpu) const -> std::int64_t {
    auto count = static_cast<std::int64_t>(start_.idle(node)[kGpu]);
    if (!gpu.is_shared()) return count;
    const GpuModel& model = cluster_info_.shard_nodes()[node].gpu;
    for (const SharedGpus::Gpu& each : start_.shared_gpus(node).gpus())
      count += SharedGpus::has_room_now(each, model.memory, model.memory_for(gpu)) ? 1 : 0;
    return count;
  }

  // `no node has 2 free GPUs (at most 1) after group ml/x of the same cycle`: other groups are placed first.
  [[nodiscard]] auto short_after_others(const std::vector<Share>& requests) -> std::string {
    std::set<std::string> groups;
    for (const TaskId id : cluster_info_.tasks().ids()) {
      const Task& task = cluster_info_.task(id);
      const ShardNodeId allocated = e_.decision.cycle.allocated_to(id);
      const ShardNodeId node = allocated ? allocated : e_.decision.cycle.pipelined_to(id);
      if (!node || task.status != Status::pending || task.group == e_.subject.group) continue;
      const auto taken = taken_.try_emplace(node, Share{}).first;
      add_to(taken->second, cluster_info_.share_on(id, node));
      groups.insert(cluster_info_.key(task.group));
    }
    if (groups.empty()) return {};
    std::string words;
    for (const std::size_t resource : kInOrder) {
      if (words.empty()) words = short_of(resource, requests);
    }
    taken_.clear();
    constexpr std::size_t kNamed = 2;
    return words.empty() ? words
                         : fmt::format("{}, because this cycle places {} {} first", words,
                                       groups.size() == 1 ? "group" : "groups",
                                       joined_up_to(kNamed, {groups.begin(), groups.end()}));
  }

  // Names the nodes that have enough free resources for one pod and reject it.
  [[nodiscard]] auto refused_although_free(const std::vector<Share>& requests) const -> std::string {
    if (!refusals_) return {};
    Share largest{};
    for (const Share& request : requests) {
      for (const std::size_t r : kInOrder) largest[r] = std::max(largest[r], request[r]);
    }
    const auto has_all = [&](ShardNodeId node) {
      return std::all_of(std::begin(kInOrder), std::end(kInOrder),
                         [&](std::size_t r) { return free_on(node, r) >= largest[r]; });
    };
    return refusal_words(has_all);
  }

  // `Topology t does not exist`
  [[nodiscard]] auto topology_words() const -> std::string {
    const PodGroup* const object = e_.group().object;
    if (object == nullptr || !object->spec.topology.topology) return {};
    const Snapshot& cluster = cluster_info_.cluster();
    const std::string_view name = cluster.text(object->spec.topology.topology);
    const auto& all = cluster.objects().kai_topologies;
    const bool exists =
        std::any_of(all.begin(), all.end(), [&](const Topology& each) { return cluster.text(each.meta.name) == name; });
    return exists ? fmt::format("no part of Topology {} has enough free resources", name)
                  : fmt::format("Topology {} does not exist", name);
  }

  [[nodiscard]] auto free_on(ShardNodeId node, std::size_t resource) const -> double {
    const auto taken = taken_.find(node);
    const double by_others = taken == taken_.end() ? 0 : taken->second[resource];
    if (resource == kGpu) return start_.free_gpus(node).idle - by_others;
    return start_.idle(node)[resource] - by_others;
  }

  // `no node has 2 free GPUs (at most 1)`; for a gang that does not fit as a whole: `its 4 pods request 8 GPUs, and 6
  // are free`
  [[nodiscard]] auto short_of(std::size_t resource, const std::vector<Share>& requests) const -> std::string {
    double largest = 0;
    double sum = 0;
    for (const Share& request : requests) {
      largest = std::max(largest, request[resource]);
      sum += request[resource];
    }
    if (largest <= 0) return {};
    double most = 0;
    double free = 0;
    for (const ShardNodeId node : cluster_info_.shard_nodes().ids()) {
      if (!suits(node)) continue;
      most = std::max(most, free_on(node, resource));
      free += std::max(free_on(node, resource), 0.0);
    }
    if (most <= 0 && resource == kGpu) return "no node has a free GPU" + foreign_words();
    if (most < largest) {
      const std::string there = most <= 0 ? "none" : "at most " + amount_words(most, resource);
      const std::string wanted = resource == kGpu && largest != 1
                                     ? fmt::format("{} free GPUs", amount_words(largest, resource))
                                     : fmt::format("{} free {}", amount_words(largest, resource),
                                                   resource == kGpu ? "GPU" : resource_word(resource));
      return fmt::format("no node has {} ({}){}", wanted, there, resource == kGpu ? foreign_words() : "");
    }
    if (requests.size() < 2 || free >= sum) return {};
    return fmt::format("its {} pods request {}, but {} are free", requests.size(), sized(sum, resource),
                       amount_words(free, resource));
  }

  // `; d/k of another scheduler has 1 GPU`: KAI counts such pods as used, and never evicts them.
  [[nodiscard]] auto foreign_words() const -> std::string {
    constexpr std::size_t kNamed = 2;
    const Snapshot& cluster = cluster_info_.cluster();
    std::vector<std::string> names;
    double gpus = 0;
    for (const ShardNodeId node : cluster_info_.shard_nodes().ids()) {
      if (!cluster_info_.shard_nodes()[node].available) continue;
      for (const PodId id : cluster_info_.residents(node)) {
        const Pod& pod = cluster.pod(id);
        if (cluster.text(pod.spec.scheduler_name) == e_.settings.scheduler_name || reserves(pod)) continue;
        const double held = gpus_of(pod);
        if (held > 0) names.push_back(cluster.key(id));
        gpus += held;
      }
    }
    if (names.empty()) return {};
    std::sort(names.begin(), names.end());
    return fmt::format("; {} of {} {}", joined_up_to(kNamed, names),
                       names.size() == 1 ? "another scheduler has" : "other schedulers have", sized(gpus, kGpu));
  }

  // `; KAI does not evict ml/k, which has no PodGroup`
  [[nodiscard]] auto groupless_words() const -> std::string {
    constexpr std::size_t kNamed = 2;
    const Snapshot& cluster = cluster_info_.cluster();
    std::vector<std::string> names;
    for (const ShardNodeId node : cluster_info_.shard_nodes().ids()) {
      for (const PodId id : cluster_info_.residents(node)) {
        const Pod& pod = cluster.pod(id);
        const bool ours = cluster.text(pod.spec.scheduler_name) == e_.settings.scheduler_name;
        if (ours && !reserves(pod) && group_name_of(cluster, id).empty()) names.push_back(cluster.key(id));
      }
    }
    if (names.empty()) return {};
    std::sort(names.begin(), names.end());
    return fmt::format("; KAI does not evict {}, which {} no PodGroup", joined_up_to(kNamed, names),
                       names.size() == 1 ? "has" : "have");
  }

  [[nodiscard]] auto reserves(const Pod& pod) const -> bool {
    const Symbol key = cluster_info_.cluster().symbol("app");
    return key && cluster_info_.cluster().text(pod.meta.labels.get(key)) == e_.settings.reservation_app;
  }

  [[nodiscard]] auto gpus_of(const Pod& pod) const -> double {
    double gpus = 0;
    for (const auto& [resource, quantity] : pod_request(cluster_info_.cluster(), pod, RequestOf::placed)) {
      const std::string_view name = cluster_info_.cluster().text(resource);
      if (name == "nvidia.com/gpu" || name == "amd.com/gpu") gpus += static_cast<double>(in_units(name, quantity));
    }
    return gpus;
  }

  // `queue team-a uses 4 of its limit of 4 GPUs`
  [[nodiscard]] auto bound_by_queue(bool by_quota) const -> std::string {
    const Share need = need_of(start_, e_.subject.group).amount;
    for (const QueueId id : cluster_info_.queue(e_.group().queue).path) {
      const TreeQueue& queue = cluster_info_.queue(id);
      const Share& bound = by_quota ? queue.deserved : queue.limit;
      const Share& used = by_quota ? start_.non_preemptible(id) : start_.allocated(id);
      for (const std::size_t r : kInOrder) {
        if (bound[r] == kUnlimited || need[r] <= 0 || used[r] + need[r] <= bound[r]) continue;
        return fmt::format("queue {} uses {} of its {} of {}{}, but the group needs {} more{}", queue.name,
                           amount_words(used[r], r), by_quota ? "quota" : "limit", sized(bound[r], r),
                           by_quota ? " for non-preemptible pods" : "", amount_words(need[r], r),
                           rounding_words(used[r] + need[r], bound[r], r));
      }
    }
    return by_quota ? "it is non-preemptible, and would exceed the quota of a queue"
                    : "it would exceed the limit of a queue";
  }

  // Fractions of GPUs are compared up to the last digit, which no dump shows.
  [[nodiscard]] static auto rounding_words(double sum, double bound, std::size_t resource) -> std::string {
    const bool by_rounding = resource == kGpu && sum - bound < 1e-6;
    return by_rounding ? fmt::format(" (KAI adds in floating point: the sum is {:.17g})", sum) : "";
  }

  // ---- why no pod is evicted for it

  struct Reason {
    Rule rule;
    std::string words;
  };

  // The most decisive reason first.
  [[nodiscard]] auto eviction() -> std::vector<Reason> {
    const Attempt* const reclaim = attempt(Action::reclaim);
    const Attempt* const preempt = attempt(Action::preempt);
    const auto failed_as = [](const Attempt* of, Rule rule) { return of != nullptr && of->rule == rule; };
    // Reasons for which the action refuses before it considers any victim.
    constexpr std::array kFirst = {Rule::not_ready, Rule::delayed,       Rule::cut_by_depth, Rule::too_large,
                                   Rule::no_volume, Rule::no_config_map, Rule::no_time};
    for (const Rule rule : kFirst) {
      if (failed_as(reclaim, rule) || failed_as(preempt, rule)) return {{rule, of_it(rule)}};
    }
    std::vector<Reason> reasons;
    if (failed_as(reclaim, Rule::over_fair_share)) reasons.push_back({Rule::over_fair_share, over_fair_share()});
    if (failed_as(reclaim, Rule::over_quota))
      reasons.push_back({Rule::over_quota, "reclaiming for it would exceed the quota of its queue"});
    if (std::string off = off_words(); !off.empty()) reasons.push_back({Rule::action_off, std::move(off)});
    if (reclaim == nullptr && preempt == nullptr) {
      if (reasons.empty()) reasons.push_back({Rule::no_candidates, "neither reclaim nor preempt considers it"});
      return reasons;
    }
    for (const Attempt* of : {reclaim, preempt}) {
      if (std::string refused = refused_words(of); !refused.empty()) {
        reasons.push_back({of->rule, std::move(refused)});
        break;
      }
    }
    const bool only_off = reasons.size() == 1 && reasons.front().rule == Rule::action_off;
    if (!reasons.empty() && !only_off) return reasons;
    if (failed_as(reclaim, Rule::like_failed) || failed_as(preempt, Rule::like_failed)) {
      reasons.push_back({Rule::like_failed, of_it(Rule::like_failed)});
    } else if (running_ > 0 && others_.empty()) {
      const Attempt& last = preempt != nullptr ? *preempt : *reclaim;
      reasons.push_back({last.rule, fmt::format("{}: {}", action_name(last.action), rule_sentence(last.rule))});
    } else if (!only_off || !others_.empty()) {
      reasons.push_back({Rule::no_candidates, no_candidate_words()});
    }
    return reasons;
  }

  // `reclaim is disabled`: of the actions that would evict pods of running groups.
  [[nodiscard]] auto off_words() const -> std::string {
    std::vector<std::string> names;
    for (const Action action : {Action::reclaim, Action::preempt}) {
      const bool concerns = off_.contains(action) || (running_ == 0 && off_.empty());
      if (concerns && switched_off(e_.settings, action) == Rule::action_off) names.emplace_back(action_name(action));
    }
    if (names.empty()) return {};
    return fmt::format("{} {} disabled", joined(names, " and "), names.size() == 1 ? "is" : "are");
  }

  // `it is no easier to place than a similar group that failed before`
  [[nodiscard]] static auto of_it(Rule rule) -> std::string {
    const std::string_view words = rule_sentence(rule);
    return words.starts_with("is ") || words.starts_with("would ") ? fmt::format("it {}", words) : std::string(words);
  }

  // Returns true if all groups that it could otherwise evict pods of are protected.
  [[nodiscard]] auto is_protected() const -> bool { return candidates_.empty() && !protected_.empty(); }

  void sort_groups() {
    standings_ = standings_of(e_);
    for (const GroupStanding& each : *standings_) {
      const Rule rule = each.standing.rule;
      running_ += rule == Rule::action_off ? 0U : 1U;
      if (rule == Rule::candidate || rule == Rule::candidate_elastic) {
        candidates_.push_back(&each);
      } else if (rule == Rule::min_runtime) {
        protected_.push_back(&each);
      } else if (rule == Rule::action_off) {
        off_.insert(each.standing.action);
      } else {
        ++others_[rule];
      }
    }
  }

  // `l2, 2 of quota 1 GPU`
  [[nodiscard]] auto holdings(GroupId group) const -> std::string {
    const QueueId id = cluster_info_.group(group).queue;
    const TreeQueue& queue = cluster_info_.queue(id);
    for (const std::size_t r : kInOrder) {
      if (start_.allocated(id)[r] <= 0 || queue.deserved[r] == kUnlimited) continue;
      return fmt::format("queue {}, {} of quota {}", queue.name, amount_words(start_.allocated(id)[r], r),
                         sized(queue.deserved[r], r));
    }
    return fmt::format("queue {}", queue.name);
  }

  [[nodiscard]] auto protected_words() const -> std::string {
    const auto until_of = [](const GroupStanding* each) {
      return each->standing.shield.until.value_or(Instant::never());
    };
    const GroupStanding& first =
        **std::min_element(protected_.begin(), protected_.end(),
                           [&](const GroupStanding* a, const GroupStanding* b) { return until_of(a) < until_of(b); });
    const std::string what = first.standing.action == Action::reclaim ? "to reclaim from" : "to preempt";
    const std::string end = until().empty() && first.standing.shield.until
                                ? " until " + format_moment(*first.standing.shield.until, e_.question.now)
                                : "";
    if (protected_.size() == 1) {
      return fmt::format("the only group {} is {} ({}), protected by min-runtime{}", what,
                         cluster_info_.key(first.group), holdings(first.group), end);
    }
    std::set<std::string_view> queues;
    for (const GroupStanding* each : protected_) queues.insert(cluster_info_.group(each->group).queue_name);
    constexpr std::size_t kNamed = 2;
    const bool both = std::any_of(protected_.begin(), protected_.end(), [&](const GroupStanding* each) {
      return each->standing.action != first.standing.action;
    });
    return fmt::format("min-runtime protects all {} groups {} (queue{} {}){}", protected_.size(),
                       both ? "to reclaim from or to preempt" : what, queues.size() == 1 ? "" : "s",
                       joined_up_to(kNamed, {queues.begin(), queues.end()}),
                       end.empty() ? "" : fmt::format(", {}{}", cluster_info_.key(first.group), end));
  }

  // `queue l1 uses 2 of its fair share of 2 GPUs, so it cannot reclaim`
  [[nodiscard]] auto over_fair_share() const -> std::string {
    const Share need = need_of(start_, e_.subject.group).amount;
    const QueueId id = e_.group().queue;
    const Share& used = start_.allocated(id);
    const Share& share = e_.decision.cycle.shares().of[id];
    for (const std::size_t r : kInOrder) {
      if (share[r] == kUnlimited || need[r] <= 0 || used[r] + need[r] <= share[r]) continue;
      return fmt::format("queue {} uses {} of its fair share of {}, too much to reclaim {} more{}",
                         e_.group().queue_name, amount_words(used[r], r), sized(share[r], r), amount_words(need[r], r),
                         rounding_words(used[r] + need[r], share[r], r));
    }
    return fmt::format("queue {} would exceed its fair share", e_.group().queue_name);
  }

  // Victims were proposed, and every set of them was rejected.
  [[nodiscard]] static auto refused_words(const Attempt* of) -> std::string {
    if (of == nullptr || (of->rule != Rule::no_solution && of->rule != Rule::sub_groups_unsatisfied)) return {};
    if (of->rule == Rule::sub_groups_unsatisfied) return std::string(rule_sentence(of->rule));
    std::size_t most = 0;
    for (std::size_t rule = 0; rule < of->search().refused.size(); ++rule) {
      if (static_cast<Rule>(rule) == Rule::tried_before) continue;
      if (of->search().refused[rule] > of->search().refused[most]) most = rule;
    }
    const std::uint32_t count = of->search().refused[most];
    if (count == 0) return std::string(rule_sentence(of->rule));
    const std::string_view why = rule_sentence(static_cast<Rule>(most));
    if (count == 1 && of->search().effort.scenarios <= 1)
      return fmt::format("the only {} that it could try {}", action_name(of->action), why);
    return fmt::format("{}: {} of {} sets of victims tried {}", action_name(of->action), count,
                       std::max<std::uint64_t>(of->search().effort.scenarios, count),
                       count == 1 ? why : plural(static_cast<Rule>(most)));
  }

  // The rule as a statement about several sets of victims.
  [[nodiscard]] static auto plural(Rule rule) -> std::string_view {
    return rule == Rule::no_room ? "do not free enough resources" : rule_sentence(rule);
  }

  [[nodiscard]] auto no_candidate_words() const -> std::string {
    if (running_ == 0) return "no other group is running in the shard" + groupless_words();
    std::vector<std::pair<std::size_t, Rule>> counts;
    for (const auto& [rule, count] : others_) counts.emplace_back(count, rule);
    std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    const std::string_view where = off_.contains(Action::reclaim)   ? " of its queue"
                                   : off_.contains(Action::preempt) ? " of another queue"
                                                                    : "";
    if (running_ == 1 && counts.size() == 1) {
      return fmt::format("the only running group{} cannot be evicted: it {}", where, of_one(counts.front().second));
    }
    std::vector<std::string> parts;
    for (const auto& [count, rule] : counts)
      parts.push_back(fmt::format("{} {}", count, count == 1 ? of_one(rule) : words_of_groups(rule)));
    constexpr std::size_t kNamed = 3;
    return fmt::format("none of {} running groups{} can be evicted: {}", running_, where,
                       joined_up_to(kNamed, std::move(parts)));
  }

  [[nodiscard]] static auto of_one(Rule rule) -> std::string {
    std::string words(words_of_groups(rule));
    if (words.starts_with("are ")) return "is " + words.substr(4);
    if (words.starts_with("have ")) return "has " + words.substr(5);
    if (words.starts_with("do ")) return "does " + words.substr(3);
    return words;
  }

  const Explained& e_;
  const NextChange* next_;
  const ClusterInfo& cluster_info_;
  Session& start_;
  std::optional<NodeRefusals> refusals_;
  std::shared_ptr<const std::vector<GroupStanding>> standings_;
  std::size_t running_ = 0;  // without those that only a disabled action considers
  std::vector<const GroupStanding*> candidates_;
  std::vector<const GroupStanding*> protected_;
  std::map<ShardNodeId, Share> taken_;  // by other groups of the cycle, while this is what the words are about
  std::map<Rule, std::size_t> others_;
  std::set<Action> off_;  // disabled actions that would consider running groups
};

}  // namespace

auto pending_words(const Explained& explained, const NextChange* next) -> std::string {
  return Pending(explained, next).run();
}

auto pending_cause(const Explained& explained) -> Cause {
  return Pending(explained, nullptr).cause();
}

}  // namespace previct::kai
