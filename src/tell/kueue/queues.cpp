#include "tell/kueue/queues.h"

#include "engine/kueue/account.h"
#include "engine/kueue/cycle.h"
#include "engine/kueue/gaps.h"
#include "engine/kueue/play.h"
#include "engine/kueue/reach.h"
#include "engine/kueue/rules.h"
#include "engine/kueue/subject.h"
#include "tell/kueue/amounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::kueue {
namespace {

class QueueTeller {
 public:
  QueueTeller(const Controller& start, std::string_view ns)
      : start_(start), inventory_(start.inventory()), tree_(start.tree()), ns_(ns) {}

  auto all() -> Queues {
    out_.engine = "kueue";
    out_.quota_word = "nominal quota";
    out_.limit_word = "with borrowing";
    out_.others_verb = "preempt";
    out_.scheduler = "Kueue";
    out_.asks_noun = "workload";
    choose_resources();
    std::vector<QuotaNodeId> roots;
    for (std::uint32_t i = 0; i < tree_.size(); ++i) {
      if (!tree_[{i}].parent) roots.push_back({i});
    }
    by_name(roots);
    for (const QuotaNodeId root : roots) add_lines(root);
    add_reach();
    add_pods();
    ask();
    ask_others();
    out_.notes.emplace_back("Kueue counts only quota; the scheduler of the pods decides on which nodes they run");
    return std::move(out_);
  }

 private:
  void by_name(std::vector<QuotaNodeId>& nodes) const {
    std::sort(nodes.begin(), nodes.end(), [&](QuotaNodeId a, QuotaNodeId b) { return tree_[a].name < tree_[b].name; });
  }

  void add_lines(QuotaNodeId root) {
    struct Open {
      QuotaNodeId node;
      std::uint32_t depth;
    };
    std::vector<Open> open = {{root, 0}};
    while (!open.empty()) {
      const Open next = open.back();
      open.pop_back();
      add_line(next.node, next.depth);
      std::vector<QuotaNodeId> children = tree_[next.node].children;
      by_name(children);
      for (auto child = children.rbegin(); child != children.rend(); ++child) open.push_back({*child, next.depth + 1});
    }
  }

  void add_line(QuotaNodeId node, std::uint32_t depth) {
    const QuotaTree::Node& of = tree_[node];
    QueueLine line{.name = of.name, .depth = depth, .leaf = of.is_cluster_queue, .amounts = {}};
    if (of.is_cluster_queue) {
      const QueueId queue = inventory_.queue_of_node(node);
      for (const WorkloadId id : start_.holding(queue)) line.running += pods_of_workload(inventory_, id);
      for (const WorkloadId id : start_.queue(queue, false)) line.pending += pods_of_workload(inventory_, id);
      line_of_[queue] = out_.lines.size();
      leaf_queues_.push_back(queue);
      out_.leaves.push_back(out_.lines.size());
    }
    for (const FlavorResource each : shown_) line.amounts.push_back(amounts_of(node, each));
    out_.lines.push_back(std::move(line));
  }

  [[nodiscard]] auto amounts_of(QuotaNodeId node, FlavorResource of) const -> QueueAmounts {
    const FlavorResources::Names& names = inventory_.names()[of];
    const auto amount = [&](Amount value) {
      return previct::Amount{static_cast<double>(value.value), plain_amount(value, names.resource, inventory_)};
    };
    QueueAmounts amounts{.resource = resource_name(of),
                         .allocated = amount(tree_.usage(node, of)),
                         .requested = {},
                         .quota = {},
                         .fair_share = {},
                         .limit = {}};
    const Amount own = tree_.subtree(node, of);
    if (!own.is_unlimited()) amounts.quota = amount(own);
    const Amount most = tree_.potential(node, of);
    if (tree_[node].is_cluster_queue && !most.is_unlimited()) amounts.limit = amount(most);
    if (!tree_[node].parent) return amounts;
    if (const Amount borrowed = tree_.borrowed(node, of); borrowed > kNothing) amounts.borrowed = amount(borrowed);
    const QuotaTree::Lent lent = tree_.lent(node, of);
    if (lent.most == kNothing) return amounts;
    amounts.lent = amount(lent.most);
    if (lent.least != lent.most)
      amounts.lent->text = fmt::format("{} to {}", amount(lent.least).text, amounts.lent->text);
    return amounts;
  }

  [[nodiscard]] auto resource_name(FlavorResource of) const -> std::string {
    const FlavorResources::Names& names = inventory_.names()[of];
    return fmt::format("{}/{}", inventory_.text(names.flavor), inventory_.text(names.resource));
  }

  // Selects the resources for which some level has quota, by name; if there are very many, those that are used most.
  void choose_resources() {
    constexpr std::size_t kMostShown = 40;
    std::map<FlavorResource, double> used;
    for (std::uint32_t i = 0; i < tree_.size(); ++i) {
      for (const QuotaTree::Cell& cell : tree_[{i}].cells) {
        if (cell.has_subtree) used[cell.of] += static_cast<double>(cell.usage.value);
      }
    }
    for (const auto& [of, amount] : used) shown_.push_back(of);
    if (shown_.size() > kMostShown) {
      std::stable_sort(shown_.begin(), shown_.end(),
                       [&](FlavorResource a, FlavorResource b) { return used.at(a) > used.at(b); });
      out_.notes.push_back(
          fmt::format("{} more pairs of flavor and resource are not shown", shown_.size() - kMostShown));
      shown_.resize(kMostShown);
    }
    std::sort(shown_.begin(), shown_.end(),
              [&](FlavorResource a, FlavorResource b) { return resource_name(a) < resource_name(b); });
  }

  void add_reach() {
    const Reach reach(start_);
    for (const QueueId by : leaf_queues_) {
      std::vector<QueueReach>& row = out_.reach.emplace_back();
      for (const QueueId of : leaf_queues_) {
        row.push_back(reach.of(by, of));
        for (const Rule rule : {Rule::spared_policy, Rule::spared_tree, Rule::spared_nominal, Rule::spared_priority}) {
          if (row.back().rule == rule_id(rule)) out_.why.emplace(rule_id(rule), std::string(rule_words(rule)));
        }
      }
    }
  }

  void add_pods() {
    for (const WorkloadId id : inventory_.workloads().ids()) {
      const QueueId holds = start_.state(id).holds_in;
      const QueueId queue = holds ? holds : inventory_.queue_of(id);
      if (!queue) continue;
      for (const PodId pod : pods_of(inventory_, id)) out_.queue_of.emplace(pod, line_of_.at(queue));
    }
  }

  static auto same_result(const Entry& entry, const Entry* other) -> bool {
    return other != nullptr && entry.outcome == other->outcome && entry.targets == other->targets;
  }

  // Adds the outcomes: one cycle decides about the first workload of each queue; the others wait for later cycles.
  void ask() {
    Controller controller = start_;
    const CycleFacts facts = run_cycle(controller);
    std::vector<CycleFacts> others;  // with ties in other orders
    if (controller.met_tie()) {
      const auto decide = [&](TieOrder order) {
        Controller other(inventory_, start_.now(), {}, order);
        others.push_back(run_cycle(other));
        return std::optional(other.ties().orders());
      };
      if (!each_order(inventory_, controller.ties().orders(), queues_with_head(start_), decide))
        add_gaps({Gap{GapRule::kueue_chance}}, out_.gaps);
    }
    const std::optional<Gap> general = doubt_of_all(inventory_);
    BlockedAdmission blocked(start_);
    blocked.follow(facts);
    out_.asks.emplace();
    for (const QueueId queue : leaf_queues_) {
      for (const WorkloadId id : start_.queue(queue, false)) {
        const Workload& object = *inventory_.workloads()[id].object;
        if (!ns_.empty() && inventory_.text(object.meta.ns) != ns_) continue;
        QueueAsk& ask = out_.asks->emplace_back();
        ask.who = inventory_.workloads()[id].key;
        ask.queue = line_of_.at(queue);
        ask.pods = pods_of_workload(inventory_, id);
        const Entry* const entry = facts.find(id);
        if (entry == nullptr) {
          if (is_unknown(id)) ask.outcome = Outcome::unknown;
          continue;
        }
        std::optional<Gap> doubt = doubt_of_input(inventory_, tree_, *entry);
        if (!doubt) doubt = general;
        if (!doubt) doubt = doubt_of(inventory_, *entry);
        if (const auto waits = blocked.workloads().find(id); !doubt && waits != blocked.workloads().end())
          doubt = waits->second;
        const bool varies = std::any_of(others.begin(), others.end(),
                                        [&](const CycleFacts& other) { return !same_result(*entry, other.find(id)); });
        if (!doubt && varies) doubt = Gap{GapRule::kueue_chance, {}, true};
        ask.outcome = doubt ? Outcome::unknown : outcome_of(*entry);
        if (doubt) add_gaps({*doubt}, out_.gaps);
        if (ask.outcome != Outcome::preempts) continue;
        for (const Target& each : entry->targets) {
          for (const PodId pod : running_pods_of(inventory_, each.workload)) ask.add_victim(pod);
          const std::string& key = inventory_.workloads()[each.workload].key;
          if (lacks_pods(inventory_, each.workload)) add_gaps({{GapRule::kueue_lost_pods, {key}}}, out_.gaps);
          const auto line = line_of_.find(start_.state(each.workload).holds_in);
          if (line != line_of_.end()) ask.evicted.emplace_back(key, line->second);
        }
      }
    }
  }

  // Adds the outcomes of workloads that wait, but in no queue.
  void ask_others() {
    for (const WorkloadId id : inventory_.workloads().ids()) {
      const Workload& object = *inventory_.workloads()[id].object;
      const NotQueued why = start_.not_queued(id);
      const bool waits = why == NotQueued::no_local_queue || why == NotQueued::local_queue_stopped ||
                         why == NotQueued::no_cluster_queue;
      if (!waits || (!ns_.empty() && inventory_.text(object.meta.ns) != ns_)) continue;
      out_.without_queue.push_back(is_unknown(id) ? Outcome::unknown : Outcome::pending);
    }
  }

  // Returns true if the input lacks the kind of an object that keeps the workload waiting, and adds that gap.
  auto is_unknown(WorkloadId id) -> bool {
    const auto doubt = doubt_of_absent_object(inventory_, why_not_queued(start_, id), inventory_.queue_of(id));
    if (doubt) add_gaps({*doubt}, out_.gaps);
    return doubt.has_value();
  }

  const Controller& start_;
  const Inventory& inventory_;
  const QuotaTree& tree_;
  std::string_view ns_;
  std::vector<QueueId> leaf_queues_;
  std::map<QueueId, std::size_t> line_of_;
  std::vector<FlavorResource> shown_;
  Queues out_;
};

}  // namespace

auto queues(const std::shared_ptr<const Inventory>& inventory, const Question& question) -> Queues {
  const Controller start(*inventory, question.now);
  Queues found = QueueTeller(start, question.ns).all();
  add_gaps(gaps_of(*inventory), found.gaps);
  return found;
}

}  // namespace previct::kueue
