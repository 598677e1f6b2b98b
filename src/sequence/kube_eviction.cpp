#include "base/text.h"
#include "sequence/kube_simulation.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {
// NOLINTBEGIN(misc-no-recursion): from one part of an eviction to the next
namespace {

constexpr std::size_t kParallelism = 16;  // of the scheduler's own work: parallelism in its configuration

}  // namespace

void KubeSimulation::preempt() {
  if (decision_.choice.chosen.empty()) return;
  const NodeId node = chosen_of(decision_.choice.chosen.front(), decision_.choice.chosen);
  const kube::DryRun& run = *decision_.nodes[node].run;
  Task task{.preemptor = tried_,
            .node = node,
            .counted = run.victims.size(),
            .asynchronous = asynchronous_ && decision_.decided_by != kube::PostFilter::Kind::preemption_toleration};
  for (const PodId victim : run.victims) {
    if (simulated_.pod(victim).meta.deleting) continue;
    task.victims.push_back(victim);
    task.marked.push_back(is_marked(victim) ? 1 : 0);
  }
  PodState& fate = pod_states_[tried_];
  Metrics& metrics = result_.metrics;
  ++metrics.preemptions;
  metrics.first_preemption = std::min(metrics.first_preemption, now());
  metrics.last_preemption = now();
  if (!fate.first_preempted) fate.first_preempted = now();
  task.began = now();
  fate.verdict = End::Kind::waits;
  fate.waits_for_victims = false;
  fate.last_told = EventKind::preempts;
  tell({.what = EventKind::preempts,
        .pod = tried_,
        .node = node,
        .victims = run.victims,
        .violates = violated(run),
        .open = simulated_.replaceable_victims(tried_, decision_, node),
        .why = reason_of(run, task)});
  tasks_.push_back(std::move(task));
  const std::size_t index = tasks_.size() - 1;
  const bool has_work = !tasks_[index].victims.empty();
  if (counts_victims_at_once(tasks_[index])) metrics.victims.push_back(run.victims.size());
  if (!tasks_[index].asynchronous) return begin(index);

  if (has_work) {
    fate.task = index;
    fate.held_reported = false;
  }
  tasks_[index].over = !has_work;
  tasks_[index].released_reported = !has_work;
  if (has_work && scenario_.calls_first) begin(index);
  put_back(tried_, rejectors());
  nominate_in_memory(tried_, node);
  write_status("Unschedulable", node, true);
  if (has_work && !scenario_.calls_first) begin(index);
}

auto KubeSimulation::counts_victims_at_once(const Task& task) const -> bool {
  if (!task.asynchronous) return running_.release.has(kube::Change::victims_count_at_once);
  return !task.victims.empty() || !running_.release.has(kube::Change::victims_count_if_deleted);
}

auto KubeSimulation::violated(const kube::DryRun& run) const -> std::vector<std::pair<PodId, std::string>> {
  const Snapshot& cluster = simulated_.cluster();
  std::vector<std::pair<PodId, std::string>> budgets;
  for (const auto& [pod, index] : run.violated) {
    const ObjectMeta& budget = cluster.objects().disruption_budgets[index].meta;
    budgets.emplace_back(pod, fmt::format("{}/{}", cluster.text(budget.ns), cluster.text(budget.name)));
  }
  return budgets;
}

auto KubeSimulation::reason_of(const kube::DryRun& run, const Task& task) const -> std::string {
  std::string why{};
  const std::size_t others = decision_.choice.chosen.size() - 1;
  if (others > 0) why = fmt::format("equal to {}; ", counted(others, "other node", "other nodes"));
  if (decision_.choice.possible.size() > decision_.choice.chosen.size()) {
    why += fmt::format("the scheduler examines a sample and may choose any of {}; ",
                       counted(decision_.choice.possible.size(), "node", "nodes"));
  }
  const std::size_t terminating = run.victims.size() - task.victims.size();
  if (task.victims.empty()) return why + "all victims are already terminating: no call is made";
  if (terminating > 0) why += fmt::format("{} already terminating; ", terminating);
  const auto shared = static_cast<std::size_t>(std::count_if(task.victims.begin(), task.victims.end(), [&](PodId v) {
    return std::any_of(tasks_.begin(), tasks_.end(), [&](const Task& t) {
      return !t.over && std::find(t.victims.begin(), t.victims.end(), v) != t.victims.end();
    });
  }));
  if (shared > 0) {
    why += fmt::format("{} of them {} of another preemption; ", shared, shared == 1 ? "is a victim" : "are victims");
  }
  if (!why.empty()) why.resize(why.size() - 2);
  return why;
}

auto KubeSimulation::is_marked(PodId victim) const -> bool {
  const WellKnown& known = simulated_.cluster().known();
  const Condition* condition = simulated_.pod(victim).condition(known.disruption_target);
  return condition != nullptr && condition->status == known.true_status &&
         condition->reason == known.preemption_by_scheduler;
}

void KubeSimulation::begin(std::size_t index) {
  Task& task = tasks_[index];
  if (!task.asynchronous) return evict(index);
  collect_nominations(task);
  clear_next(index);
}

void KubeSimulation::collect_nominations(Task& task) {
  const std::int32_t priority = simulated_.pod(task.preemptor).spec.priority;
  for (const PodId pod : pods_) {
    if (pod == task.preemptor || simulated_.pod(pod).spec.priority >= priority || pod_states_[pod].assumed) continue;
    if (simulated_.pod(pod).status.nominated_node_name != node_symbol(task.node)) continue;
    if (pod_states_[pod].nominated) task.to_clear.push_back(pod);
  }
}

void KubeSimulation::clear_next(std::size_t index) {
  Task& task = tasks_[index];
  if (task.cleared < task.to_clear.size()) {
    send({.verb = Call::Verb::clear, .pod = task.to_clear[task.cleared++], .task = index});
  } else if (task.asynchronous) {
    evict(index);
  } else {
    finish_synchronous(index);
  }
}

auto KubeSimulation::parallel_part(const Task& task) -> std::size_t {
  return task.asynchronous ? task.victims.size() - 1 : task.victims.size();
}

void KubeSimulation::evict(std::size_t index) {
  const std::size_t count = parallel_part(tasks_[index]);
  const std::size_t chunks = count == 0 ? 0 : (count + chunk_size(count) - 1) / chunk_size(count);
  const std::size_t workers = std::min(kParallelism, chunks);
  tasks_[index].next.assign(workers, 0);
  tasks_[index].stop.assign(workers, 0);
  tasks_[index].working = workers;
  if (workers == 0) return parallel_part_done(index);
  for (std::size_t worker = 0; worker < workers; ++worker) go_on(index, worker);
}

auto KubeSimulation::chunk_size(std::size_t count) -> std::size_t {
  std::size_t root = 1;
  while ((root + 1) * (root + 1) <= count) ++root;
  return std::min(root, count / kParallelism + 1);
}

void KubeSimulation::go_on(std::size_t index, std::size_t worker) {
  Task& task = tasks_[index];
  const std::size_t count = parallel_part(task);
  if (task.next[worker] == task.stop[worker] && task.handed_out < count) {
    task.next[worker] = task.handed_out;
    task.handed_out = std::min(count, task.handed_out + chunk_size(count));
    task.stop[worker] = task.handed_out;
  }
  if (task.cancelled || task.next[worker] == task.stop[worker]) {
    if (--task.working == 0) parallel_part_done(index);
    return;
  }
  const std::size_t place = task.next[worker]++;
  evict_one(index, scenario_.reversed ? count - 1 - place : place, worker, false);
}

void KubeSimulation::evict_one(std::size_t index, std::size_t victim, std::size_t worker, bool last) {
  const Task& task = tasks_[index];
  send({.verb = task.marked[victim] != 0 ? Call::Verb::remove : Call::Verb::mark,
        .pod = task.victims[victim],
        .task = index,
        .chunk = worker,
        .last = last});
}

void KubeSimulation::parallel_part_done(std::size_t index) {
  Task& task = tasks_[index];
  if (!task.asynchronous) {
    if (task.cancelled) return fail_synchronous(index);
    if (!counts_victims_at_once(task)) result_.metrics.victims.push_back(task.counted);
    collect_nominations(task);
    return clear_next(index);
  }
  task.last = task.victims.back();
  tell_released();
  // The error cancelled the task's context, so the call for the last victim returns at once.
  if (task.cancelled) return finish_asynchronous(index);
  evict_one(index, task.victims.size() - 1, 0, true);
}

void KubeSimulation::finish_asynchronous(std::size_t index) {
  Task& task = tasks_[index];
  task.over = true;
  ++(task.error ? result_.metrics.goroutines_failed : result_.metrics.goroutines_succeeded);
  result_.metrics.goroutines_took += now() - task.began;
  task.last.reset();
  if (!task.error) return;
  if (queue_.activate(task.preemptor, now())) {
    tell({.what = EventKind::requeued,
          .pod = task.preemptor,
          .node = task.node,
          .why = "its preemption failed with an error: it is activated and keeps its nomination"});
  }
  wake_scheduler();
}

void KubeSimulation::finish_synchronous(std::size_t index) {
  Task& task = tasks_[index];
  task.over = true;
  ++result_.metrics.synchronous_succeeded;
  put_back(tried_, rejectors());
  nominate_in_memory(tried_, task.node);
  write_status("Unschedulable", task.node, true);
}

void KubeSimulation::fail_synchronous(std::size_t index) {
  tasks_[index].over = true;
  ++result_.metrics.synchronous_failed;
  tell({.what = EventKind::fails,
        .pod = tried_,
        .node = tasks_[index].node,
        .why = "a call of its preemption failed, so PostFilter returns an error: no nomination, and victims already "
               "deleted remain deleted"});
  text_ += " preemption: a call failed";
  pod_states_[tried_].verdict = End::Kind::unschedulable;
  // Its calls failed: another attempt may succeed on the same cluster
  pod_states_[tried_].seen_version = UINT64_MAX;
  put_back(tried_, rejectors());
  nominate_in_memory(tried_, pod_states_[tried_].nominated);
  write_status("Unschedulable", {}, false);
}

auto KubeSimulation::is_preempting(PodId pod) const -> bool {
  const PodState& fate = pod_states_[pod];
  if (!fate.task || tasks_[*fate.task].over) return false;
  const Task& task = tasks_[*fate.task];
  return !task.last || (simulated_.node_of(*task.last) && !simulated_.pod(*task.last).meta.deleting);
}

void KubeSimulation::tell_released() {
  for (Task& task : tasks_) {
    if (!task.asynchronous || task.released_reported || is_preempting(task.preemptor)) continue;
    task.released_reported = true;
    if (task.error) continue;  // finish_asynchronous() reports the consequences
    tell({.what = EventKind::released,
          .pod = task.preemptor,
          .node = task.node,
          .why = "the last victim of its preemption is being deleted"});
  }
}

void KubeSimulation::tell_held() {
  const auto is_held = [](const Queue::Entry* entry) {
    return entry->gated() && entry->place == Queue::Place::unschedulable;
  };
  if (std::none_of(queue_.entries().begin(), queue_.entries().end(), is_held)) return;
  for (const PodId pod : pods_) {
    PodState& fate = pod_states_[pod];
    const Queue::Entry& entry = queue_.entry(pod);
    if (fate.held_reported || !entry.gated() || entry.place != Queue::Place::unschedulable || !is_preempting(pod))
      continue;
    fate.held_reported = true;
    tell({.what = EventKind::held,
          .pod = pod,
          .node = tasks_[*fate.task].node,
          .why = "waiting for the preemption for this pod to be finished"});
  }
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::sequence
