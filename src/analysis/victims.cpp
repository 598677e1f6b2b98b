#include "analysis/victims.h"

#include "analysis/parts.h"
#include "base/text.h"
#include "cluster/controlled_pods.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace previct {
namespace {

auto is_ownerless(const Pod& pod, const Snapshot& cluster) -> bool {
  return pod.meta.owners.empty() && !is_static(pod, cluster);
}

// `+ 4 more nodes tie, with 4 more victims (--show all lists them)`
auto more_nodes(std::size_t nodes, std::size_t victims) -> Line {
  return folded_line(fmt::format("+ {}, with {}", counted(nodes, "more node ties", "more nodes tie"),
                                 counted(victims, "more victim", "more victims")));
}

// Adds footers about static pods, which the kubelet keeps running, and about pods without an owner, which are not
// recreated.
void mark_victims(const std::vector<const VictimLine*>& victims, const Snapshot& cluster, Table& table) {
  const auto named = [&](auto holds) {
    std::vector<std::string> names;
    for (const VictimLine* victim : victims) {
      if (holds(cluster.pod(victim->pod), cluster)) names.push_back(cluster.key(victim->pod));
    }
    constexpr std::size_t kShown = 3;
    if (names.size() > kShown) {
      const std::size_t more = names.size() - kShown;
      names.resize(kShown);
      names.push_back(fmt::format("{} more", more));
    }
    return joined(names, ", ");
  };
  if (const std::string names = named(is_static); !names.empty()) {
    table.footer.push_back(
        {{{fmt::format("static pods: {}. Evicting them does not help: the kubelet keeps them running", names),
           Tone::soon}}});
  }
  if (const std::string names = named(is_ownerless); !names.empty()) {
    table.footer.push_back({{{fmt::format("no owner, so not recreated: {}", names), Tone::soon}}});
  }
}

// Rounds to nine digits: chances are not more precise, and the result is the same on every machine.
auto rounded(double chance) -> double {
  constexpr double kDigits = 1e9;
  return std::round(chance * kDigits) / kDigits;
}

// A victim, and whether its sentence is that of the victim above it.
struct VictimRow {
  const VictimLine& victim;
  bool repeats = false;
};

auto victim_row(const Answer& answer, const Snapshot& cluster, const SourceLocations& places) {
  // The preemptor waits so long that a reader has to know.
  constexpr std::int64_t kLongGrace = 300;
  const bool waits_long = std::any_of(answer.victim_lines.begin(), answer.victim_lines.end(), [&](const auto& line) {
    return cluster.pod(line.pod).spec.termination_grace_seconds.value_or(0) > kLongGrace;
  });
  return [&, waits_long, several = answer.odds.has_value()](Row& row, const VictimRow& each) {
    const VictimLine& victim = each.victim;
    const PodSpec& spec = cluster.pod(victim.pod).spec;
    const std::string node = node_name(cluster, victim.pod);
    const auto grace = spec.termination_grace_seconds;
    const bool sure = several || victim.certain || victim.one_of != nullptr;
    // Each of the equal victims names the others; a limit keeps a thousand of them from listing a million names.
    constexpr std::size_t kNamed = 100;
    Json equal = victim.one_of == nullptr ? Json() : Json::array();
    const std::size_t equals = victim.one_of == nullptr ? 0 : victim.one_of->size();
    for (std::size_t at = 0; at < std::min(equals, kNamed); ++at) equal.push_back(cluster.key((*victim.one_of)[at]));
    row.text(several ? "VICTIM, IF ITS NODE IS CHOSEN" : "VICTIM (most important first)",
             cluster.key(victim.pod) + (victim.one_of == nullptr ? "" : ", or an equal pod"), Tone::danger);
    row.key("pod", pod_json(cluster, victim.pod)).key("node", present(node));
    row.number("PRIORITY", priority_of(cluster, victim.pod));
    row.key("priority", spec.has_priority ? Json(spec.priority) : Json());
    row.text("CLASS", or_dash(priority_class_of(cluster, victim.pod))).optional();
    row.text("NODE", or_dash(node)).only_wide(!several).optional(!several);
    row.number("GRACE", grace ? fmt::format("{}s", *grace) : "-").only_wide(!waits_long).optional();
    row.text("RULE", or_dash(std::string(victim.rule))).only_wide().optional().key("rule", present(victim.rule));
    row.text("WHY", each.repeats ? "as above" : victim.why + (sure ? "" : " (not in every possible outcome)"));
    row.key("reason", present(victim.why)).key("certain", victim.certain);
    row.key("oneOf", equal).key("oneOfMore", equals > kNamed ? Json(equals - kNamed) : Json());
    row.key("terminating", only_if(cluster.pod(victim.pod).meta.deleting.has_value()));
    row.key("static", only_if(is_static(cluster.pod(victim.pod), cluster)));
    row.key("ownerless", only_if(is_ownerless(cluster.pod(victim.pod), cluster)));
    row.key("toleration", present(victim.toleration)).key("gracePeriodSeconds", grace ? Json(*grace) : Json());
    row.text("SOURCE", places.described(victim.evidence)).only_wide();
    row.key("evidence", present(evidence_json(victim.evidence, places)));
  };
}

}  // namespace

static auto victim_table(const Answer& answer, const ReportContext& context, const SourceLocations& places,
                         bool show_all) -> Table {
  const Snapshot& cluster = context.cluster;
  constexpr std::size_t kNodesShown = 3;
  constexpr std::size_t kVictimsInTable = 30;
  std::size_t folded = 0;
  std::vector<VictimRow> rows;
  std::vector<const VictimLine*> shown;
  std::set<std::string> nodes;
  std::set<std::string> left_out;
  std::string_view before;  // the previous sentence; equal pods share it
  for (const VictimLine& victim : answer.victim_lines) {
    const std::string node = node_name(cluster, victim.pod);
    if (!show_all && !nodes.contains(node) && nodes.size() == kNodesShown) {
      left_out.insert(node);
      continue;
    }
    nodes.insert(node);
    shown.push_back(&victim);
    if (!show_all && rows.size() == kVictimsInTable) {
      ++folded;
      continue;
    }
    rows.push_back({victim, victim.one_of != nullptr && before == victim.why});
    before = victim.why;
  }
  Table table = table_of(rows, victim_row(answer, cluster, places));
  if (folded > 0)
    table.footer.push_back(folded_line(fmt::format("+ {}", counted(folded, "more victim", "more victims"))));
  if (!left_out.empty()) table.footer.push_back(more_nodes(left_out.size(), answer.victim_lines.size() - shown.size()));
  mark_victims(shown, cluster, table);
  return table;
}

auto victim_table(const Answer& answer, const ReportContext& context, const SourceLocations& places) -> Table {
  return with_full(context.show_all, context.keeps_full,
                   [&](bool all) { return victim_table(answer, context, places, all); });
}

auto victims_json(const Answer& answer, const Snapshot& cluster, const SourceLocations& places) -> Json {
  Json list = Json::array();
  const auto describe = victim_row(answer, cluster, places);
  for (const VictimLine& victim : answer.victim_lines) list.push_back(object_of(VictimRow{victim}, describe));
  return list;
}

auto odds_json(const Answer& answer, const Snapshot& cluster) -> Json {
  const Odds& odds = *answer.odds;
  Json json{{"candidates", odds.candidates}, {"sample", odds.sample}};
  set(json, "restsOn", answer.odds_rest_on);
  json["nodes"] = Json::array();
  for (const PossibleNode& each : odds.nodes) {
    Json node{{"node", cluster.name(each.node)},
              {"chance", rounded(each.likely)},
              {"atLeast", rounded(each.at_least)},
              {"atMost", rounded(each.at_most)},
              {"best", each.best},
              {"pdbViolations", each.pdb_violations},
              {"victims", Json::array()}};
    for (const Victim& victim : each.victims) node["victims"].push_back(cluster.key(victim.pod));
    json["nodes"].push_back(std::move(node));
  }
  return json;
}

auto orders_json(const Orders& orders, const Snapshot& cluster) -> Json {
  Json json{{"all", !orders.nodes.empty()}, {"nodes", Json::array()}};
  for (const Orders::OnNode& each : orders.nodes) {
    Json node{{"node", each.node},
              {"fewestVictims", each.fewest},
              {"mostVictims", each.most},
              {"fewestPdbViolations", each.fewest_pdb_violations},
              {"mostPdbViolations", each.most_pdb_violations},
              {"possibleVictims", Json::array()}};
    for (const PodId pod : each.ever) node["possibleVictims"].push_back(cluster.key(pod));
    json["nodes"].push_back(std::move(node));
  }
  return json;
}

auto choice_words(const std::vector<PodId>& victims, const ReplaceableVictims& open,
                  const std::function<std::string(const std::vector<PodId>&)>& names) -> std::string {
  if (open.taken.empty()) return names(victims);
  if (open.out_of.empty()) return names(victims) + " (the choice among equal pods is open)";
  constexpr std::size_t kNamed = 2;
  std::vector<PodId> certain;
  for (const PodId victim : victims) {
    if (std::find(open.taken.begin(), open.taken.end(), victim) == open.taken.end()) certain.push_back(victim);
  }
  const std::string here = open.taken.size() > kNamed ? "" : fmt::format(" (here {})", names(open.taken));
  return fmt::format("{}{} of {} {} pods{}", certain.empty() ? "" : names(certain) + " and ", open.taken.size(),
                     open.out_of.size(), open.equal ? "equal" : "possible", here);
}

void add_choice(const ReplaceableVictims& open, const std::function<std::string(PodId)>& name, Json& json) {
  if (open.taken.empty()) return;
  json["certain"] = false;
  for (const PodId pod : open.out_of) json["oneOf"].push_back(name(pod));
}

auto victim_names(const Answer& answer, const ReportContext& context) -> std::vector<std::string> {
  std::vector<std::string> names;
  for (const PodId pod : context.possible ? possible_victims(answer) : certain_victims(answer)) {
    names.push_back(context.cluster.key(pod));
  }
  return names;
}

}  // namespace previct
