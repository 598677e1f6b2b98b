#include "tell/kube/obstacles.h"

#include "api/amount_text.h"
#include "api/units.h"
#include "base/contains.h"
#include "base/text.h"
#include "cluster/node_order.h"
#include "cluster/pod_ends.h"
#include "cluster/pod_request.h"
#include "tell/kube/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::kube {
namespace {

auto contains_node(const std::vector<NodeId>& nodes, NodeId node) -> bool {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

auto is_capacity(Rule rule) -> bool {
  return rule == Rule::insufficient || rule == Rule::too_many_pods;
}

// Returns true if the whole node has less of a resource, or fewer pod slots, than the pod requests.
auto exceeds_node(const Reason& reason) -> bool {
  return (reason.rule == Rule::insufficient && reason.b > reason.d) ||
         (reason.rule == Rule::too_many_pods && reason.b == 0);
}

// Returns the operands that all nodes of an obstacle have in common: those that its text names.
auto shared_operands(const Reason& reason) -> Reason {
  if (reason.rule == Rule::insufficient) return {reason.rule, reason.a, reason.b};
  if (reason.rule == Rule::too_many_pods) return {reason.rule, 0, reason.b == 0 ? 0 : 1};
  if (reason.rule == Rule::untolerated_taint) return {reason.rule, reason.a, reason.b, reason.c};
  const std::string_view words =
      words_of_nodes(reason.rule).empty() ? info(reason.rule).words : words_of_nodes(reason.rule);
  const auto names = [&](std::string_view operand) { return words.find(operand) != std::string_view::npos; };
  return {reason.rule, names("{a:") ? reason.a : 0, names("{b:") ? reason.b : 0, names("{c:") ? reason.c : 0,
          names("{d:") ? reason.d : 0};
}

auto find_reason(const Status& status, Rule rule, std::int64_t resource) -> const Reason* {
  const auto found = std::find_if(status.reasons.begin(), status.reasons.end(), [&](const Reason& reason) {
    return reason.rule == rule && (rule != Rule::insufficient || reason.a == resource);
  });
  return found == status.reasons.end() ? nullptr : &*found;
}

// Returns why one node rejects the pod.
auto obstacle_on(const Decision& decision, NodeId node) -> Obstacle {
  const NodeVerdict& v = decision.nodes[node];
  const Standing standing = standing_of(decision, node);
  const bool tried = v.preemption == NodeVerdict::Preemption::none;
  const Status& status = tried ? status_after_preemption(v) : v.filter;
  const Reason first = status.reasons.empty() ? Reason{Rule::not_helpful} : status.reasons.front();
  const auto obstacle = [](Obstacle::Kind kind, const Reason& reason) {
    return Obstacle{.kind = kind, .reason = reason};
  };
  if (standing == Standing::later)
    return {.kind = Obstacle::Kind::tolerated, .reason = first, .first_change = v.candidate_from};
  if (standing == Standing::shielded) return obstacle(Obstacle::Kind::tolerated_forever, first);
  if (v.preemption == NodeVerdict::Preemption::not_kept) return obstacle(Obstacle::Kind::not_kept, {Rule::not_kept});
  const auto small = std::find_if(v.filter.reasons.begin(), v.filter.reasons.end(), exceeds_node);
  if (small != v.filter.reasons.end()) return obstacle(Obstacle::Kind::too_small, *small);
  if (standing == Standing::hopeless)
    return obstacle(Obstacle::Kind::unresolvable, v.filter.reasons.empty() ? first : v.filter.reasons.front());
  if (tried && fails_without_victims(v)) {
    return {
        .kind = Obstacle::Kind::used, .reason = v.filter.reasons.front(), .without_victims = ReasonRange{first, first}};
  }
  return obstacle(is_capacity(first.rule) ? Obstacle::Kind::used : Obstacle::Kind::other, first);
}

void widen(ReasonRange& range, const Reason& reason) {
  Reason& low = range.least;
  Reason& high = range.most;
  low = {low.rule, std::min(low.a, reason.a), std::min(low.b, reason.b), std::min(low.c, reason.c),
         std::min(low.d, reason.d)};
  high = {high.rule, std::max(high.a, reason.a), std::max(high.b, reason.b), std::max(high.c, reason.c),
          std::max(high.d, reason.d)};
}

class Sentence {
 public:
  Sentence(const Explained& explained, const Words& words)
      : explained_(explained),
        decision_(explained.decision),
        node_infos_(explained.node_infos),
        now_(explained.question.now),
        words_(words),
        all_(obstacles(explained)) {}

  [[nodiscard]] auto run(std::size_t width) -> std::string {
    const std::string end = preemption_words();
    std::string text;
    std::size_t covered = 0;
    for (const Obstacle& obstacle : all_) {
      const bool counted_before = counted_;
      std::string clause = clause_of(obstacle);
      const std::size_t more = decision_.nodes.size() - covered - obstacle.nodes.size();
      const std::string rest = more == 0 ? "" : others(more);
      if (!text.empty() && text.size() + clause.size() + rest.size() + end.size() + 2 > width) {
        counted_ = counted_before;
        break;
      }
      text += (text.empty() ? "" : ", ") + clause;
      covered += obstacle.nodes.size();
    }
    if (covered < decision_.nodes.size()) text += others(decision_.nodes.size() - covered);
    return text + end;
  }

 private:
  [[nodiscard]] static auto others(std::size_t nodes) -> std::string {
    return fmt::format(", {} unsuitable", counted(nodes, "other node", "others"));
  }

  [[nodiscard]] auto name(NodeId node) const -> std::string {
    return std::string(node_infos_.cluster().text(node_infos_.name(node)));
  }

  // `node-a`, `node-a and node-b`, `all 12 nodes`, `9 nodes`; after a number of nodes only `9`.
  [[nodiscard]] auto nodes_words(const std::vector<NodeId>& nodes) -> std::string {
    constexpr std::size_t kLongName = 40;
    constexpr std::size_t kFew = 3;
    const std::size_t all = decision_.nodes.size();
    if (nodes.size() == 1 && name(nodes.front()).size() <= kLongName) return name(nodes.front());
    if (nodes.size() == 2 && all <= kFew) return fmt::format("{} and {}", name(nodes[0]), name(nodes[1]));
    const bool again = std::exchange(counted_, true);
    if (nodes.size() == all) return all == 1 ? "the only node" : fmt::format("all {} nodes", all);
    return again ? fmt::format("{}", nodes.size()) : counted(nodes.size(), "node", "nodes");
  }

  [[nodiscard]] auto clause_of(const Obstacle& obstacle) -> std::string {
    const Reason& reason = obstacle.reason;
    const bool of_resource = reason.rule == Rule::insufficient;
    switch (obstacle.kind) {
      case Obstacle::Kind::tolerated:
      case Obstacle::Kind::tolerated_forever: {
        const std::string_view forever = obstacle.kind == Obstacle::Kind::tolerated ? "" : " forever";
        const std::string what = of_resource ? fmt::format("use the {} of", resource(reason)) : "block";
        return fmt::format("pods that tolerate preemption{} {} {}", forever, what, nodes_words(obstacle.nodes));
      }
      case Obstacle::Kind::not_kept:
        return fmt::format("preemption would help on {}, but {}", nodes_words(obstacle.nodes),
                           "the scheduler's arguments leave no candidate");
      case Obstacle::Kind::too_small:
        if (of_resource) return too_small(obstacle);
        return fmt::format("{} {} no pods", nodes_words(obstacle.nodes),
                           obstacle.nodes.size() == 1 ? "allows" : "allow");
      case Obstacle::Kind::used:
        if (of_resource) return lacking(obstacle);
        break;
      case Obstacle::Kind::other:
      case Obstacle::Kind::unresolvable: break;
    }
    const std::string subject = nodes_words(obstacle.nodes);
    const std::string of_nodes = words_.of_nodes(reason, obstacle.nodes.size());
    return of_nodes.empty() ? fmt::format("{}: {}", subject, words_.ours_of_all(obstacle.range))
                            : fmt::format("{} {}", subject, of_nodes);
  }

  [[nodiscard]] auto resource(const Reason& reason) const -> std::string {
    return std::string(node_infos_.cluster().text(node_infos_.resource_name(resource_of(reason))));
  }
  [[nodiscard]] static auto resource_of(const Reason& reason) -> ResourceId {
    return ResourceId{static_cast<std::uint32_t>(reason.a)};
  }
  [[nodiscard]] auto amounts(const Reason& reason, std::int64_t a, std::int64_t b) const -> std::vector<std::string> {
    return readable_amounts(resource(reason), {a, std::max<std::int64_t>(b, 0)});
  }

  // `gpu-1 lacks cpu (500m requested, 100m free)`
  [[nodiscard]] auto lacking(const Obstacle& obstacle) -> std::string {
    const std::vector<std::string> texts = amounts(obstacle.reason, obstacle.reason.b, obstacle.most_free);
    const bool one = obstacle.nodes.size() == 1;
    const std::string free = obstacle.most_free <= 0 ? "none" : (one ? "" : "at most ") + texts[1];
    const std::vector<std::string> nominated =
        one ? nominated_before(explained_, obstacle.nodes.front()) : std::vector<std::string>();
    const std::string beside =
        nominated.empty() ? "" : fmt::format(" beside {}, nominated to it", joined_up_to(kNominatedShown, nominated));
    const std::string terminating = one ? terminating_there(explained_, obstacle.nodes.front()) : "";
    return fmt::format("{} {} {} ({} requested, {} free{}{})", nodes_words(obstacle.nodes), one ? "lacks" : "lack",
                       resource(obstacle.reason), texts[0], free, beside, terminating);
  }

  // `no node has 100 cpu (at most 64)`
  [[nodiscard]] auto too_small(const Obstacle& obstacle) -> std::string {
    const std::vector<std::string> texts = amounts(obstacle.reason, obstacle.reason.b, obstacle.most_capacity);
    const std::string name_of_resource = resource(obstacle.reason);
    if (obstacle.nodes.size() == decision_.nodes.size()) {
      return obstacle.most_capacity <= 0
                 ? fmt::format("no node has any {} ({} requested)", name_of_resource, texts[0])
                 : fmt::format("no node has {} {} (at most {})", texts[0], name_of_resource, texts[1]);
    }
    const std::string subject = nodes_words(obstacle.nodes);
    const bool one = obstacle.nodes.size() == 1;
    if (obstacle.most_capacity <= 0)
      return fmt::format("{} {} no {} ({} requested)", subject, one ? "has" : "have", name_of_resource, texts[0]);
    return fmt::format("{} {} less than {} {}", subject, one ? "has" : "have", texts[0], name_of_resource);
  }

  // Why preemption does not help: `; no pod of lower priority to evict`.
  [[nodiscard]] auto preemption_words() const -> std::string {
    if (!decision_.eligible()) return {};
    // Up to 1.31, preemption is even tried on a node that is too small.
    const auto too_small = [](const Obstacle& each) { return each.kind == Obstacle::Kind::too_small; };
    if (std::all_of(all_.begin(), all_.end(), too_small)) return {};
    bool tried = false;
    bool victims = false;
    bool tolerating = false;
    const Obstacle* used = nullptr;
    for (const Obstacle& obstacle : all_) {
      if (obstacle.kind <= Obstacle::Kind::not_kept) return {};
      if (obstacle.kind == Obstacle::Kind::used && obstacle.reason.rule == Rule::insufficient && used == nullptr)
        used = &obstacle;
      for (const NodeId node : obstacle.nodes) {
        const NodeVerdict& v = decision_.nodes[node];
        if (v.preemption != NodeVerdict::Preemption::none) continue;
        tried = true;
        victims = victims || !lacks_victims(v);
        tolerating =
            tolerating || (lacks_victims(v) && v.run->status.reasons.front().rule == Rule::no_victims_tolerating);
      }
    }
    if (!tried) return "; eviction cannot help";
    if (!victims) return tolerating ? "; no pod can be evicted" : "; no pod of lower priority to evict";
    if (used == nullptr) return "; eviction would not help";
    if (used->without_victims) {
      const std::size_t nodes = used->nodes.size();
      return fmt::format("; with all lower-priority pods evicted, {} {}",
                         nodes == 1 ? name(used->nodes.front()) : "they",
                         words_.of_nodes(used->without_victims->least, nodes));
    }
    const std::vector<std::string> texts = amounts(used->reason, used->reason.b, used->most_after);
    if (used->most_after <= used->most_free) return "; eviction would not help";
    return fmt::format("; evicting all lower-priority pods leaves {}{} free", used->nodes.size() == 1 ? "" : "at most ",
                       texts[1]);
  }

  const Explained& explained_;
  const Decision& decision_;
  const NodeInfoSnapshot& node_infos_;
  Instant now_;
  const Words& words_;
  std::vector<Obstacle> all_;
  bool counted_ = false;  // `9 nodes` was already printed, so `9` is enough
};

// For nodes that fit the pod: the total of the scores, or the chance of the node in a sample.
auto merits(const Explained& explained) -> IdVector<NodeId, double> {
  IdVector<NodeId, double> merits(explained.node_infos.node_count(), -1);
  if (!explained.decision.selection) return merits;
  const Selection& selection = *explained.decision.selection;
  for (std::size_t i = 0; i < selection.shares.size(); ++i) merits[selection.best[i]] = selection.shares[i];
  for (std::size_t i = 0; i < selection.totals.size(); ++i)
    merits[selection.nodes[i]] = static_cast<double>(selection.totals[i]);
  return merits;
}

}  // namespace

auto lacks_victims(const NodeVerdict& verdict) -> bool {
  if (verdict.run->status.reasons.empty()) return false;
  const Rule rule = verdict.run->status.reasons.front().rule;
  return rule == Rule::no_victims || rule == Rule::no_victims_tolerating;
}

auto nominated_before(const Explained& explained, NodeId node) -> std::vector<std::string> {
  const Snapshot& cluster = explained.node_infos.cluster();
  const Pod& own = cluster.pod(explained.subject);
  const auto scheduler_of = [&](const Pod& pod) {
    return cluster.text(pod.spec.scheduler_name ? pod.spec.scheduler_name : cluster.known().default_scheduler);
  };
  const auto in_queue = [&](const Pod& other) {
    return scheduler_of(other) == scheduler_of(own) || contains(explained.profile.others_in_queue, scheduler_of(other));
  };
  std::vector<std::string> pods;
  for (const PodId id : explained.node_infos.nominees()) {
    const Pod& other = cluster.pod(id);
    const bool before = id != explained.subject && other.spec.priority >= own.spec.priority && in_queue(other) &&
                        other.status.nominated_node_name == explained.node_infos.name(node);
    if (before) pods.push_back(cluster.key(id));
  }
  return pods;
}

auto terminating_there(const Explained& explained, NodeId node) -> std::string {
  const Snapshot& cluster = explained.node_infos.cluster();
  const Instant now = explained.question.now;
  Instant last{};
  std::vector<std::string> pods;
  for (const PodInfo& p : explained.node_infos.pods_on(node)) {
    const std::optional<Instant>& end = cluster.pod(p.pod).meta.deleting;
    if (!end || (p.priority < cluster.pod(explained.subject).spec.priority && explained.decision.eligible())) continue;
    pods.push_back(cluster.key(p.pod));
    last = std::max(last, *end);
  }
  if (pods.empty()) return {};
  constexpr std::size_t kShown = 2;
  const std::string when = last > now ? fmt::format("until {}", format_clock(last, now)) : "past the grace period";
  return fmt::format("; {} there {} terminating, {}", joined_up_to(kShown, pods), pods.size() == 1 ? "is" : "are",
                     when);
}

auto fails_without_victims(const NodeVerdict& verdict) -> bool {
  const Status& after = status_after_preemption(verdict);
  if (lacks_victims(verdict) || after.reasons.empty() || verdict.filter.reasons.empty()) return false;
  // Any other reason is true whatever is evicted.
  const Rule rule = after.reasons.front().rule;
  const bool may_arise = rule == Rule::pod_affinity || rule == Rule::spread_skew;
  const auto& before = verdict.filter.reasons;
  return may_arise && is_capacity(before.front().rule) &&
         std::none_of(before.begin(), before.end(), [&](const Reason& reason) { return reason.rule == rule; });
}

auto status_after_preemption(const NodeVerdict& verdict) -> const Status& {
  return lacks_victims(verdict) ? verdict.filter : verdict.run->status;
}

auto standing_of(const Decision& decision, NodeId node) -> Standing {
  const NodeVerdict& v = decision.nodes[node];
  if (v.filter.ok()) return Standing::fits;
  if (awaited_node(decision) == node) return Standing::nominated;
  switch (v.preemption) {
    case NodeVerdict::Preemption::candidate:
      if (!contains_node(decision.choice.chosen, node)) return Standing::candidate;
      return decision.choice.chosen.size() > 1 ? Standing::tied : Standing::chosen;
    case NodeVerdict::Preemption::none:
      if (v.candidate_from) return Standing::later;
      return v.shielded ? Standing::shielded : Standing::no;
    case NodeVerdict::Preemption::not_kept:
    case NodeVerdict::Preemption::not_asked: return Standing::no;
    case NodeVerdict::Preemption::skipped: return Standing::hopeless;
  }
  return Standing::no;
}

auto ranked_nodes(const Explained& explained) -> std::vector<NodeId> {
  const Decision& decision = explained.decision;
  const NodeOrder& order = explained.node_infos.cluster().derived<NodeOrder>();
  std::vector<NodeId> nodes;
  IdVector<NodeId, Standing> standings;
  const IdVector<NodeId, double> merit = merits(explained);
  for (const NodeId node : decision.nodes.ids()) {
    nodes.push_back(node);
    standings.items().push_back(standing_of(decision, node));
  }
  std::stable_sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
    const Standing x = standings[a];
    const Standing y = standings[b];
    if (x != y) return x < y;
    if (x == Standing::fits && merit[a] != merit[b]) return merit[a] > merit[b];
    const NodeVerdict& u = decision.nodes[a];
    const NodeVerdict& v = decision.nodes[b];
    if (x == Standing::candidate && better(*u.run, *v.run)) return true;
    if (x == Standing::candidate && better(*v.run, *u.run)) return false;
    if (x == Standing::later && *u.candidate_from != *v.candidate_from) return *u.candidate_from < *v.candidate_from;
    return order.before(a, b);
  });
  return nodes;
}

auto obstacles(const Explained& explained) -> std::vector<Obstacle> {
  const Decision& decision = explained.decision;
  std::vector<Obstacle> all;
  for (const NodeId node : ranked_nodes(explained)) {
    Obstacle on = obstacle_on(decision, node);
    const Reason shared = shared_operands(on.reason);
    const auto same_without_victims = [&](const Obstacle& each) {
      if (!each.without_victims || !on.without_victims) return each.without_victims == on.without_victims;
      return shared_operands(each.without_victims->least) == shared_operands(on.without_victims->least);
    };
    auto same = std::find_if(all.begin(), all.end(), [&](const Obstacle& each) {
      const bool tolerated = each.kind <= Obstacle::Kind::tolerated_forever;
      // Two requests for one resource that pods use are one obstacle.
      return each.kind == on.kind && same_without_victims(each) &&
             (tolerated ? each.reason.rule == shared.rule && each.reason.a == shared.a : each.reason == shared);
    });
    if (same == all.end()) {
      same = all.insert(all.end(), on);
      same->reason = shared;
      same->range = {on.reason, on.reason};
      same->most_free = same->most_after = same->most_capacity = INT64_MIN;
    }
    widen(same->range, on.reason);
    if (on.without_victims) widen(*same->without_victims, on.without_victims->least);
    same->nodes.push_back(node);
    const NodeVerdict& v = decision.nodes[node];
    if (on.reason.rule != Rule::insufficient) continue;
    same->most_capacity = std::max(same->most_capacity, on.reason.d);
    same->most_after = std::max(same->most_after, on.reason.c);
    const Reason* const before = find_reason(v.filter, Rule::insufficient, on.reason.a);
    same->most_free = std::max(same->most_free, before == nullptr ? on.reason.c : before->c);
  }
  return all;
}

auto obstacle_words(const Explained& explained, const Words& words, std::size_t width) -> std::string {
  return Sentence(explained, words).run(width);
}

auto lacking_resource(const Reason& reason, const NodeInfoSnapshot& node_infos) -> std::string {
  if (reason.rule == Rule::too_many_pods) return "places for pods";
  if (reason.rule != Rule::insufficient) return {};
  return std::string(
      node_infos.cluster().text(node_infos.resource_name(ResourceId{static_cast<std::uint32_t>(reason.a)})));
}

auto cause_of(const Explained& explained, const Words& words) -> Cause {
  const std::vector<Obstacle> all = obstacles(explained);
  if (all.empty()) return {};
  const Reason& reason = all.front().reason;
  const std::string resource = lacking_resource(reason, explained.node_infos);
  Cause cause{std::string(info(reason.rule).id), {}};
  if (!resource.empty()) cause.id += " " + resource;
  switch (all.front().kind) {
    case Obstacle::Kind::tolerated:
    case Obstacle::Kind::tolerated_forever:
      cause.id += " tolerated";
      cause.words = resource.empty() ? "pods that tolerate preemption block the nodes"
                                     : fmt::format("pods that tolerate preemption use the {}", resource);
      return cause;
    case Obstacle::Kind::too_small:
      cause.id += " too small";
      cause.words = "nodes are too small: " + resource;
      return cause;
    case Obstacle::Kind::used: cause.words = "nodes lack " + resource; return cause;
    default: break;
  }
  const auto has_taint = [](const Obstacle& each) { return each.reason.rule == Rule::untolerated_taint; };
  if (has_taint(all.front()) && std::count_if(all.begin(), all.end(), has_taint) > 1) {
    cause.words = "nodes have taints that the pods do not tolerate";
    cause.id += " several";
    return cause;
  }
  constexpr std::size_t kSeveral = 2;
  const std::string of_nodes = words.of_nodes(reason, kSeveral);
  cause.words = of_nodes.empty() ? words.ours(reason) : "nodes " + of_nodes;
  if (has_taint(all.front())) cause.id += " " + cause.words;
  return cause;
}

namespace {

// Returns when terminating pods have left enough on a node that lacks only resources. Pods that are created
// again may take them.
auto room_after_ends(const Explained& explained) -> std::optional<Instant> {
  struct Left {
    ResourceList resources{};
    std::int64_t pods = 0;
  };
  const Decision& decision = explained.decision;
  if (decision.nodes.empty()) return {};
  const Snapshot& cluster = explained.node_infos.cluster();
  std::map<NodeId, Left> left;
  for (const PodEnd& end : cluster.derived<PodEnds>().after(explained.question.now)) {
    if (end.by != PodEnd::By::grace) continue;
    Left& here = left[end.node];
    ++here.pods;
    for (const auto& [resource, amount] : pod_request(cluster, cluster.pod(end.pod), RequestOf::placed))
      here.resources.add(resource, amount);
    const auto is_met = [&](const Reason& reason) {
      if (reason.rule == Rule::too_many_pods) return reason.b > 0;
      if (reason.rule != Rule::insufficient) return false;
      const Symbol resource = explained.node_infos.resource_name(ResourceId{static_cast<std::uint32_t>(reason.a)});
      const Quantity amount = here.resources.get(resource).value_or(Quantity());
      return reason.c + in_units(cluster.text(resource), amount) >= reason.b;
    };
    const Status& status = decision.nodes[end.node].filter;
    if (!status.ok() && std::all_of(status.reasons.begin(), status.reasons.end(), is_met)) return end.at;
  }
  return {};
}

}  // namespace

auto until_words(const Explained& explained) -> std::string {
  std::optional<Instant> first = room_after_ends(explained);
  for (const NodeVerdict& v : explained.decision.nodes) {
    if (v.candidate_from && (!first || *v.candidate_from < *first)) first = v.candidate_from;
  }
  if (!first) return {};
  return fmt::format(" until {} at the earliest", format_moment(*first, explained.question.now));
}

}  // namespace previct::kube
