#include "tell/kai/queue_protections.h"

#include "base/text.h"
#include "engine/kai/snapshot/needs.h"
#include "tell/kai/queue_editors.h"
#include "tell/kai/tolerations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace previct::kai {
namespace {

class Comparing {
 public:
  explicit Comparing(const ClusterInfo& cluster_info) : cluster_info_(cluster_info) {
    for (const QueueId id : cluster_info.tree().queues().ids()) {
      if (cluster_info.queue(id).is_leaf() && !cluster_info.queue(id).looped) leaves_.push_back(id);
    }
    std::sort(leaves_.begin(), leaves_.end(), [&](QueueId a, QueueId b) { return name(a) < name(b); });
  }

  [[nodiscard]] auto leaf_named(const std::string& wanted) const -> Result<QueueId> {
    std::vector<std::string> names;
    for (const QueueId leaf : leaves_) {
      if (name(leaf) == wanted) return leaf;
      names.push_back(name(leaf));
    }
    const auto meant = nearest(wanted, names);
    return fail(fmt::format("--between: {} is not a leaf queue of shard {}", wanted, cluster_info_.settings().shard),
                {}, meant ? fmt::format("did you mean {}?", *meant) : std::string());
  }

  void compare_all(QueueProtections& out) const {
    for (const QueueId victim : leaves_) compare(victim, leaves_, out);
  }

  void compare(QueueId victim, const std::vector<QueueId>& preemptors, QueueProtections& out) const {
    const Settings& settings = cluster_info_.settings();
    // One victim has few different values, however many preemptors there are.
    std::map<std::tuple<Action, QueueId, QueueId, std::int64_t>, QueueProtection> rows;
    for (const QueueId preemptor : preemptors) {
      const Action action = preemptor == victim ? Action::preempt : Action::reclaim;
      const MinRuntimeValue value =
          action == Action::preempt
              ? preempt_min_runtime(cluster_info_.tree(), settings, victim)
              : reclaim_min_runtime(cluster_info_.tree(), settings, settings.method, preemptor, victim);
      QueueProtection& row = rows[{action, value.from, value.asked_first, value.nanos}];
      row.preemptors.push_back(name(preemptor));
      if (!row.victim.empty()) continue;
      row.victim = name(victim);
      row.action = action_name(action);
      row.nanos = value.nanos;
      row.length = go_duration(value.nanos);
      row.set_by = resolved_from(cluster_info_, value);
      row.path = path_words(cluster_info_, action, value, victim);
      row.evidence = evidence_of_queue(cluster_info_, action, value);
    }
    for (auto& [key, row] : rows) out.rows.push_back(std::move(row));
  }

  [[nodiscard]] auto leaves() const -> const std::vector<QueueId>& { return leaves_; }

  [[nodiscard]] auto names() const -> std::vector<std::string> {
    std::vector<std::string> all;
    for (const QueueId leaf : leaves_) all.push_back(name(leaf));
    return all;
  }

 private:
  [[nodiscard]] auto name(QueueId id) const -> std::string { return std::string(cluster_info_.queue(id).name); }

  const ClusterInfo& cluster_info_;
  std::vector<QueueId> leaves_;
};

}  // namespace

auto queue_protections(const Snapshot& cluster, const Settings& settings, const Question& question,
                       const std::vector<std::string>& between) -> Result<QueueProtections> {
  Moment moment(question.now);
  const ClusterInfo cluster_info(cluster, settings, moment, nullptr);
  const Comparing comparing(cluster_info);
  QueueProtections out;
  out.engine = "kai";
  out.behaves = behaves_words(settings);
  out.setting = "min-runtime";
  if (between.empty()) {
    out.leaves = comparing.names();
    comparing.compare_all(out);
    out.editors = queue_editors(cluster, cluster_info, comparing.leaves(), comparing.leaves());
  } else {
    PREVICT_TRY(const QueueId victim, comparing.leaf_named(between.front()));
    PREVICT_TRY(const QueueId preemptor, comparing.leaf_named(between.back()));
    out.leaves = between;
    comparing.compare(victim, {preemptor}, out);
    out.editors = queue_editors(cluster, cluster_info, {victim}, {preemptor});
  }
  out.gaps = settings.gaps;
  add_gaps(missing_kind(cluster.objects(), kNeeds, "Queue"), out.gaps);
  if (!settings.plugins.min_runtime) out.gaps.push_back({GapRule::kai_no_min_runtime});
  out.gaps.push_back({GapRule::kai_min_runtime_ignored});
  return out;
}

}  // namespace previct::kai
