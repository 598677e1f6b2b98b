#include "tell/kai/queue_editors.h"

#include "engine/access.h"
#include "engine/kai/fairness/min_runtime.h"
#include "engine/kai/snapshot/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace previct::kai {
namespace {

/// With more, the pairs are not gone through: the answer would list a million.
constexpr std::size_t kMostLeaves = 100;

/// Of one victim and action: by what can be left, the preemptors.
using Weakened = std::map<std::tuple<QueueId, Action, std::int64_t>, std::vector<QueueId>>;

class Finder {
 public:
  Finder(const Snapshot& cluster, const ClusterInfo& cluster_info)
      : cluster_(cluster),
        tree_(cluster_info.tree()),
        settings_(cluster_info.settings()),
        queues_(access_to(kinds::kai_queues, cluster)),
        shards_(access_to(kinds::kai_shards, cluster)) {}

  auto run(const std::vector<QueueId>& victims, const std::vector<QueueId>& preemptors) -> Editors {
    if (victims.size() <= kMostLeaves) {
      for (const QueueId victim : victims) {
        for (const QueueId preemptor : preemptors) look_at(victim, preemptor);
      }
    } else {
      out_.remarks.push_back(
          fmt::format("more than {} leaf queues: to see whose protection a change of a queue can "
                      "end, name two with --between",
                      kMostLeaves));
    }
    for (const QueueId id : tree_.queues().ids()) add_queue(id);
    add_shard();
    for (const auto& [access, kind] : {std::pair(&queues_, &kinds::kai_queues), {&shards_, &kinds::kai_shards}})
      add_grants(*access, *kind);
    add_remarks();
    return std::move(out_);
  }

 private:
  [[nodiscard]] auto below(QueueId queue, QueueId top) const -> bool {
    const std::vector<QueueId>& path = tree_[queue].path;
    return std::find(path.begin(), path.end(), top) != path.end();
  }

  void look_at(QueueId victim, QueueId preemptor) {
    const Action action = victim == preemptor ? Action::preempt : Action::reclaim;
    const MinRuntimeValue value = action == Action::preempt
                                      ? preempt_min_runtime(tree_, settings_, victim)
                                      : reclaim_min_runtime(tree_, settings_, settings_.method, preemptor, victim);
    if (value.nanos <= 0) return;
    protected_[{victim, action, 0}].push_back(preemptor);
    // From where the walk begins up to the queue that sets the value, each could set another.
    for (QueueId queue = value.asked_first; queue; queue = tree_[queue].parent) {
      by_value_[queue][{victim, action, 0}].push_back(preemptor);
      if (queue == value.from) break;
    }
    const bool flat = tree_[tree_[victim].path.front()].object == nullptr;
    if (action == Action::preempt || settings_.method == ResolveMethod::queue || flat) return;
    // A queue above both moves them together.
    for (const QueueId queue : tree_[victim].path) {
      if (!below(preemptor, queue)) note_move(queue, victim, preemptor, 0);
    }
    if (const std::int64_t lowest = lowest_against_moved(victim); lowest < value.nanos) {
      for (const QueueId queue : tree_[preemptor].path) {
        if (!below(victim, queue)) note_move(queue, victim, preemptor, lowest);
      }
    }
  }

  void note_move(QueueId queue, QueueId victim, QueueId preemptor, std::int64_t lowest) {
    const auto by_value = by_value_[queue].find({victim, Action::reclaim, 0});
    if (by_value != by_value_[queue].end() && by_value->second.back() == preemptor) return;
    by_moving_[queue][{victim, Action::reclaim, lowest}].push_back(preemptor);
  }

  // A queue may move to the top level, or below each queue above the victim: the walk begins one step below that.
  [[nodiscard]] auto lowest_against_moved(QueueId victim) const -> std::int64_t {
    std::int64_t lowest = settings_.default_reclaim;
    std::int64_t here = settings_.default_reclaim;
    for (const QueueId queue : tree_[victim].path) {
      here = tree_[queue].reclaim_min_runtime.value_or(here);
      lowest = queue == tree_[victim].path.front() ? here : std::min(lowest, here);
    }
    return std::max<std::int64_t>(lowest, 0);
  }

  [[nodiscard]] auto name(QueueId id) const -> std::string { return std::string(tree_[id].name); }

  [[nodiscard]] auto told(const Weakened& found) const -> std::vector<WeakenedProtection> {
    std::vector<WeakenedProtection> out;
    for (const auto& [key, preemptors] : found) {
      const auto& [victim, action, lowest] = key;
      WeakenedProtection& each = out.emplace_back();
      each.victim = name(victim);
      for (const QueueId preemptor : preemptors) each.preemptors.push_back(name(preemptor));
      each.action = action_name(action);
      each.lowest = lowest;
      each.lowest_length = go_duration(lowest);
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.victim < b.victim; });
    return out;
  }

  void add_queue(QueueId id) {
    const TreeQueue& queue = tree_[id];
    if (queue.object == nullptr) return;
    EditableObject object{std::string(kinds::kai_queues.name), std::string(queue.name),
                          editors(queues_, queue.object->meta.name), told(by_value_[id]), told(by_moving_[id])};
    if (object.subjects.empty() || (object.by_value.empty() && object.by_moving.empty())) return;
    out_.objects.push_back(std::move(object));
  }

  // Its defaults, its plugins and its way to look for a value.
  void add_shard() {
    if (!settings_.shard_given || protected_.empty()) return;
    std::vector<std::string> subjects = editors(shards_, cluster_.symbol(settings_.shard));
    if (subjects.empty()) return;
    out_.objects.push_back(
        {std::string(kinds::kai_shards.name), settings_.shard, std::move(subjects), told(protected_), {}});
  }

  [[nodiscard]] auto subject_words(const rbac::Subject& subject) const -> std::string {
    const std::string_view kind = cluster_.text(subject.kind);
    const std::string_view called = cluster_.text(subject.name);
    if (kind == "ServiceAccount") return fmt::format("service account {}/{}", cluster_.text(subject.ns), called);
    return fmt::format("{} {}", kind == "Group" ? "group" : "user", called);
  }

  [[nodiscard]] auto editors(const Access& access, Symbol named) const -> std::vector<std::string> {
    std::vector<std::string> subjects;
    for (const Right& right : access.rights) {
      if (!right.may_edit() || !right.covers(named)) continue;
      std::string words = subject_words(*right.subject);
      if (std::find(subjects.begin(), subjects.end(), words) == subjects.end()) subjects.push_back(std::move(words));
    }
    return subjects;
  }

  void add_grants(const Access& access, const KindInfo& kind) {
    for (const Right& right : access.rights) {
      EditGrant grant{subject_words(*right.subject),
                      {right.verbs.begin(), right.verbs.end()},
                      std::string(kind.name),
                      {},
                      std::string(cluster_.text(right.binding->meta.name)),
                      std::string(cluster_.text(right.binding->role_ref.name)),
                      {}};
      grant.evidence.push_back({fmt::format("{}/{}", kinds::cluster_role_bindings.name, grant.binding), "roleRef",
                                right.binding->meta.source});
      for (const Symbol each : right.names) grant.names.emplace_back(cluster_.text(each));
      out_.grants.push_back(std::move(grant));
    }
  }

  void add_remarks() {
    for (const rbac::RoleBinding* binding : queues_.in_vain) {
      out_.remarks.push_back(fmt::format("RoleBinding {}/{} grants nothing here: queues are in no namespace",
                                         cluster_.text(binding->meta.ns), cluster_.text(binding->meta.name)));
    }
    for (const rbac::ClusterRoleBinding* binding : queues_.unknown) {
      out_.remarks.push_back(
          fmt::format("what ClusterRoleBinding {} grants is not known: the input lacks ClusterRole {}",
                      cluster_.text(binding->meta.name), cluster_.text(binding->role_ref.name)));
    }
  }

  const Snapshot& cluster_;
  const QueueTree& tree_;
  const Settings& settings_;
  Access queues_;
  Access shards_;
  Weakened protected_;
  std::map<QueueId, Weakened> by_value_;
  std::map<QueueId, Weakened> by_moving_;
  Editors out_;
};

}  // namespace

auto queue_editors(const Snapshot& cluster, const ClusterInfo& cluster_info, const std::vector<QueueId>& victims,
                   const std::vector<QueueId>& preemptors) -> std::optional<Editors> {
  if (!has_rbac(cluster.objects())) return {};
  return Finder(cluster, cluster_info).run(victims, preemptors);
}

}  // namespace previct::kai
