#include "prove/smallest_set_report.h"

#include "base/text.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::prove {
namespace {

constexpr std::size_t kNamed = 4;

// A row of the table.
struct Compared {
  std::string_view set;
  std::string_view key;
  NodeId node;
  const std::vector<PodId>* pods = nullptr;
  kube::Price price;
  std::string why;
};

class SmallestSetReport {
 public:
  SmallestSetReport(const SmallestSet& set, const ReportContext& context)
      : set_(set), context_(context), provenance_(context, set) {}

  [[nodiscard]] auto run() const -> Report {
    Report report;
    report.blocks.emplace_back(Line{{{verdict(), Tone::verdict}}});
    for (Line& line : provenance_.lines()) report.blocks.emplace_back(std::move(line));
    for (const std::string& each : notes()) report.blocks.emplace_back(Line{{{each}}});
    report.blocks.emplace_back(table_of(compared(true), [&](Row& row, const Compared& each) { describe(row, each); }));
    report.data = data();
    return report;
  }

 private:
  [[nodiscard]] auto verdict() const -> std::string {
    const std::string now = fmt::format("the {} that {} evicts on node {}", counted(set_.victims.size(), "pod", "pods"),
                                        context_.cluster.key(set_.pod), name(set_.node));
    if (set_.fewer)
      return fmt::format("There is a smaller set than {}: {} on node {} would be enough{}.", now,
                         counted(set_.fewer->found.pods.size(), "pod", "pods"), name(set_.fewer->found.node), limit());
    if (set_.cheaper)
      return fmt::format("No set is smaller than {}, but a set on node {} is cheaper{}.", now,
                         name(set_.cheaper->found.node), limit());
    if (!set_.open.empty()) return fmt::format("Cannot tell whether a set is smaller than {}{}.", now, limit());
    return fmt::format("Proved: no set of pods on any of {} is smaller or cheaper than {}.",
                       counted(set_.nodes, "node", "nodes"), now);
  }

  [[nodiscard]] auto limit() const -> std::string {
    if (set_.open.empty()) return "";
    const std::string what = set_.fewer || set_.cheaper ? "; there may be a better one" : "";
    return fmt::format("{}, because there are too many sets on {} to try all", what, nodes_words());
  }

  [[nodiscard]] auto nodes_words() const -> std::string {
    return joined_up_to(kNamed, context_.cluster.names(set_.open));
  }

  [[nodiscard]] auto notes() const -> std::vector<std::string> {
    std::vector<std::string> notes = {
        "compared: first the PodDisruptionBudgets that a set violates, then its highest priority, then the sum of its "
        "priorities (plus 2^31 each), then its number of pods, as kube-scheduler compares nodes"};
    if (set_.sampled)
      notes.emplace_back("kube-scheduler compares a sample of the nodes, and may evict pods on another one");
    return notes;
  }

  [[nodiscard]] auto name(NodeId node) const -> std::string_view { return context_.cluster.name(node); }

  [[nodiscard]] auto names(const std::vector<PodId>& pods) const -> std::vector<std::string> {
    std::vector<std::string> names;
    for (const PodId pod : pods) names.push_back(context_.cluster.key(pod));
    return names;
  }

  // ---- why the scheduler does not take a set

  static auto criterion(kube::Rule rule) -> std::string_view {
    switch (rule) {
      case kube::Rule::pick_violations: return "violates fewer PodDisruptionBudgets";
      case kube::Rule::pick_highest: return "has a lower highest priority";
      case kube::Rule::pick_sum: return "has a lower sum of priorities";
      case kube::Rule::pick_count: return "has fewer pods";
      case kube::Rule::pick_start: return "started later";
      default: return "is as good";
    }
  }

  [[nodiscard]] auto why(const BetterSet& better) const -> std::string {
    if (better.lost_by)
      return fmt::format("the set on {} comes first, because it {}", name(set_.node), criterion(*better.lost_by));
    std::string why =
        "on a node, kube-scheduler keeps the pods of higher priority first, and of equal ones those that started first";
    if (better.kept)
      why += fmt::format(": it keeps {}, and then has to evict {}", context_.cluster.key(better.kept),
                         joined_up_to(kNamed, names(better.instead)));
    return why;
  }

  // ---- table and JSON

  // `joined`: if the set with the fewest pods is the cheapest one, too, there is one row for both.
  [[nodiscard]] auto compared(bool joined) const -> std::vector<Compared> {
    std::vector<Compared> rows = {{"kube-scheduler's", "scheduler", set_.node, &set_.victims, set_.price, ""}};
    const auto add = [&](std::string_view set, std::string_view key, const std::optional<BetterSet>& better) {
      if (better)
        rows.push_back({set, key, better->found.node, &better->found.pods, better->found.price, why(*better)});
    };
    const bool same = joined && set_.fewer && set_.cheaper && set_.fewer->found.pods == set_.cheaper->found.pods;
    add(same ? "fewest pods, and cheapest" : "fewest pods", "fewest", set_.fewer);
    if (!same) add("cheapest", "cheapest", set_.cheaper);
    return rows;
  }

  void describe(Row& row, const Compared& each) const {
    row.text("SET", each.set);
    row.key("set", each.key);
    row.text("NODE", name(each.node)).key("node");
    row.number("PODS", each.price.count);
    row.text("VICTIMS", joined_up_to(kNamed, names(*each.pods))).key("victims", Json(names(*each.pods)));
    row.number("BUDGETS VIOLATED", each.price.violations).key("violations");
    row.number("HIGHEST PRIORITY", each.price.highest).key("highestPriority");
    row.number("SUM OF PRIORITIES", sum(each)).key("prioritySum");
    row.text("WHY NOT TAKEN", each.why).unless_empty();
    if (!each.why.empty()) row.key("why", each.why);
  }

  // Without the 2^31 that the scheduler adds for each pod.
  static auto sum(const Compared& each) -> std::int64_t {
    return each.price.priority_sum - each.price.count * (std::int64_t{1} << 31);
  }

  [[nodiscard]] auto data() const -> Json {
    Json data = provenance_.document("SmallestSetReport");
    data["sentence"] = verdict();
    data["pod"] = context_.cluster.key(set_.pod);
    data["result"] = set_.fewer ? "smaller" : set_.cheaper ? "cheaper" : set_.open.empty() ? "proved" : "unknown";
    data["nodes"] = set_.nodes;
    data["nodesNotSearched"] = Json::array();
    for (const NodeId node : set_.open) data["nodesNotSearched"].push_back(name(node));
    data["notes"] = notes();
    data["sets"] = list_of(compared(false), [&](Row& row, const Compared& each) { describe(row, each); });
    return data;
  }

  const SmallestSet& set_;
  const ReportContext& context_;
  Provenance provenance_;
};

}  // namespace

auto smallest_set_report(const SmallestSet& set, const ReportContext& context) -> Report {
  return SmallestSetReport(set, context).run();
}

}  // namespace previct::prove
