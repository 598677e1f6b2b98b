#include "tell/yunikorn/queues.h"

#include "engine/yunikorn/queue_reach.h"
#include "engine/yunikorn/rules.h"
#include "tell/yunikorn/messages.h"
#include "tell/yunikorn/quota.h"

#include <algorithm>
#include <set>

namespace previct::yunikorn {
// NOLINTBEGIN(misc-no-recursion): as deep as queues may be named (known.cpp), or as the reader lets through
namespace {

class Telling {
 public:
  explicit Telling(const PartitionContext& core) : core_(core), tree_(core.queues()), requested_(tree_.size()) {
    count_pods();
    find_types();
  }

  auto all(bool triggered, Instant now) -> Queues {
    out_.engine = "yunikorn";
    out_.quota_word = "guaranteed";
    out_.limit_word = "max";
    out_.others_verb = "preempt";
    out_.scheduler = "YuniKorn";
    add_line(tree_.root(), 0);
    std::vector<QueueId> leaves;
    for (const std::size_t leaf : out_.leaves) leaves.push_back(queues_[leaf]);
    out_.reach = queue_reach(core_, leaves, triggered, now);
    for (const auto& row : out_.reach) {
      for (const QueueReach& cell : row) {
        if (!cell.rule.empty()) out_.why.emplace(cell.rule, std::string(rule_words(rule_of(cell.rule))));
      }
    }
    const Snapshot& cluster = core_.cluster();
    for (const PodId id : cluster.pods().ids()) {
      if (core_.known(id)) out_.queue_of.emplace(id, line_of_.at(core_.app(core_.app_of(id)).queue));
    }
    out_.notes.emplace_back("pods of DaemonSets preempt on their own node, regardless of queues");
    return std::move(out_);
  }

 private:
  void count_pods() {
    const Snapshot& cluster = core_.cluster();
    for (const PodId id : cluster.pods().ids()) {
      if (!core_.known(id)) continue;
      const QueueId leaf = core_.app(core_.app_of(id)).queue;
      const bool waits = cluster.pending(id);
      if (cluster.node_of(id)) ++running_[leaf];
      if (waits) ++pending_[leaf];
      if (!waits && !cluster.node_of(id)) continue;
      for (QueueId at = leaf; at; at = tree_[at].parent) requested_[at] += core_.size_of(id);
    }
  }

  // Shows the types for which some queue has bounds; if there are none, those that YuniKorn always counts.
  void find_types() {
    const auto note = [&](const MaybeResources& amounts) {
      if (!amounts) return;
      for (const Resources::Entry& each : *amounts) types_.insert(std::string(core_.types().name(each.type)));
    };
    for (const QueueId id : tree_.ids()) {
      note(tree_[id].guaranteed);
      if (id != tree_.root()) note(tree_[id].max);
    }
    if (types_.empty()) types_ = {"memory", "vcore"};
  }

  static auto amount(std::string_view type, std::int64_t value) -> Amount {
    return {static_cast<double>(value), amount_text(type, value)};
  }
  [[nodiscard]] auto bound(const MaybeResources& amounts, const std::string& type) const -> std::optional<Amount> {
    const auto id = core_.types().find(type);
    const auto value = amounts && id ? amounts->get(*id) : std::nullopt;
    if (!value) return {};
    return amount(type, *value);
  }

  void add_line(QueueId id, std::uint32_t depth) {
    const Queue& queue = tree_[id];
    QueueLine line{.name = queue.path, .depth = depth, .leaf = queue.leaf, .amounts = {}};
    if (queue.leaf) {
      line.running = running_[id];
      line.pending = pending_[id];
      out_.leaves.push_back(out_.lines.size());
    }
    for (const std::string& type : types_) {
      const auto of = [&](const Resources& amounts) {
        const auto found = core_.types().find(type);
        return amount(type, found ? amounts.amount(*found) : 0);
      };
      line.amounts.push_back({.resource = type,
                              .allocated = of(queue.allocated),
                              .requested = of(requested_[id]),
                              .quota = bound(queue.guaranteed, type),
                              .fair_share = {},
                              .limit = bound(queue.max, type)});
    }
    line_of_[id] = out_.lines.size();
    queues_.push_back(id);
    out_.lines.push_back(std::move(line));
    std::vector<QueueId> children = queue.children;
    std::sort(children.begin(), children.end(), [&](QueueId a, QueueId b) { return tree_[a].path < tree_[b].path; });
    for (const QueueId child : children) add_line(child, depth + 1);
  }

  const PartitionContext& core_;
  const QueueTree& tree_;
  IdVector<QueueId, Resources> requested_;
  std::map<QueueId, std::size_t> running_;
  std::map<QueueId, std::size_t> pending_;
  std::set<std::string> types_;
  std::vector<QueueId> queues_;  // by line
  std::map<QueueId, std::size_t> line_of_;
  Queues out_;
};

}  // namespace

auto queues(const PartitionContext& core, const std::vector<QuotaPreemption>& quota, bool triggered, Instant now)
    -> Queues {
  Queues found = Telling(core).all(triggered, now);
  for (const QuotaPreemption& one : quota) found.notes.push_back(quota_words(core, one));
  return found;
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::yunikorn
