#include "tell/kube/evidence.h"

#include "cluster/node_order.h"
#include "engine/kube/equals.h"
#include "report/json_members.h"

#include <algorithm>
#include <map>
#include <set>

namespace previct::kube {
namespace {

class Writer {
 public:
  Writer(const Decision& decision, const Profile& profile, const NodeInfoSnapshot& node_infos, PodId subject,
         Instant now)
      : decision_(decision),
        profile_(profile),
        node_infos_(node_infos),
        cluster_(node_infos.cluster()),
        subject_(subject),
        words_(node_infos, subject, now) {}

  auto write() -> Json {
    Json out = Json::object();
    out["pod"] = cluster_.key(subject_);
    out["outcome"] = ending_name(decision_.ending);
    if (decision_.ending == Ending::gated) out["preEnqueue"] = gated();
    if (decision_.pre_filter) out["preFilter"] = pre_filter();
    if (decision_.ending == Ending::error) errors(attempt_errors(decision_, words_), out);
    if (decision_.eligibility) {
      out["eligible"] = {{"ok", decision_.eligible()},
                         {"reason", decision_.eligible() ? "" : words_.upstream(*decision_.eligibility)}};
    }
    out["feasibleNodes"] = names(decision_.feasible);
    if (decision_.nominated_used) out["nominatedNodeUsed"] = true;
    if (decision_.selection) out["scores"] = scores(*decision_.selection);
    if (decision_.pre_filter_nodes && decision_.ending != Ending::error) {
      Json list = Json::array();
      for (const Symbol name : sorted(*decision_.pre_filter_nodes)) list.push_back(cluster_.text(name));
      out["preFilterNodes"] = list;
    }
    out["nodes"] = nodes();
    out["chosen"] = names(decision_.choice.chosen);
    if (!decision_.choice.possible.empty()) out["possible"] = names(decision_.choice.possible);
    if (!decision_.tolerances.empty()) out["tolerations"] = tolerations();
    if (decision_.group) out["podGroup"] = group(*decision_.group);
    if (decision_.as_group()) return out;
    const FitMessage message = fit_message(decision_, node_infos_, words_);
    if (!message.text.empty()) out["fitErrorMessage"] = message.text;
    if (message.order_undefined) out["messageOrderUndefined"] = true;
    return out;
  }

 private:
  [[nodiscard]] auto group(const GroupDecision& group) const -> Json {
    Json out = {{"name", cluster_.text(cluster_.pod(subject_).spec.scheduling_group.pod_group)},
                {"waiting", group.waiting.size()},
                {"placed", group.placed},
                {"needed", group.needed}};
    if (!decision_.as_group()) return out;
    out["room"] = group.room;
    std::vector<std::string> victims;
    for (const PodId pod : group.victims) victims.push_back(cluster_.key(pod));
    std::sort(victims.begin(), victims.end());
    out["victims"] = std::move(victims);
    if (group.reason) out["reason"] = words_.upstream(*group.reason);
    return out;
  }

  [[nodiscard]] auto scores(const Selection& selection) const -> Json {
    Json out = {{"by", selected_by_name(selection.by)}, {"chosenSet", names(selection.best)}};
    const bool scored = selection.by == SelectedBy::scores;
    if (!scored && selection.by != SelectedBy::sample) return out;
    out["weights"] = Json::object();
    for (const ScorePlugin& plugin : profile_.scores) out["weights"][plugin.name] = plugin.weight;
    for (const Selection::Sample& sample : selection.samples)
      out["samples"].push_back({{"chosenSet", names(sample.best)}, {"starts", sample.starts}});
    if (!scored) return out;
    std::vector<std::string_view> skipped;
    for (const Selection::Given& given : selection.given) {
      if (given.skipped) skipped.push_back(given.plugin->name);
    }
    std::sort(skipped.begin(), skipped.end());
    out["skipped"] = skipped;
    JsonMembers nodes;
    for (std::size_t i = 0; i < selection.nodes.size(); ++i) {
      Json& node = nodes.add(cluster_.text(node_infos_.name(selection.nodes[i])),
                             {{"total", selection.totals[i]}, {"plugins", Json::object()}});
      for (const Selection::Given& given : selection.given) {
        if (given.skipped) continue;
        node["plugins"][given.plugin->name] = {{"raw", given.scores[i]},
                                               {"normalized", given.normalized[i]},
                                               {"weighted", given.normalized[i] * given.plugin->weight}};
      }
    }
    out["nodes"] = std::move(nodes).object();
    return out;
  }

  // `error` is the first by name. `errors` has all of them if chance decides between several.
  static void errors(const AttemptErrors& found, Json& out) {
    out["error"] = found.texts.empty() ? std::string() : found.texts.front();
    if (found.texts.size() > 1) out["errors"] = found.texts;
    if (found.others_possible) out["otherErrorsPossible"] = true;
  }

  [[nodiscard]] auto gated() const -> Json {
    return {{"status", code_name(Code::unresolvable)},
            {"plugin", decision_.gate_plugin},
            {"reasons", {words_.upstream(decision_.gate.value_or(Reason{Rule::gated}))}}};
  }

  [[nodiscard]] auto pre_filter() const -> Json {
    Json out = {{"status", code_name(decision_.pre_filter->code)}};
    out["plugin"] = decision_.pre_filter->plugin == nullptr ? "" : decision_.pre_filter->plugin->name;
    out["reasons"] = Json::array();
    for (const Reason& reason : decision_.pre_filter->reasons) out["reasons"].push_back(words_.upstream(reason));
    return out;
  }

  [[nodiscard]] auto reasons(const Status& status) const -> Json {
    std::vector<std::string> texts;
    for (const Reason& reason : status.reasons) {
      texts.push_back(status.code == Code::error && status.plugin != nullptr ? filter_error(status, words_)
                                                                             : words_.upstream(reason));
    }
    std::erase(texts, "");
    std::sort(texts.begin(), texts.end());
    return texts;
  }

  [[nodiscard]] auto nodes() const -> Json {
    if (decision_.ending == Ending::error) return Json::object();
    JsonMembers out;
    std::vector<NodeId> by_name;
    for (const NodeId node : decision_.nodes.ids()) by_name.push_back(node);
    const NodeOrder& order = cluster_.derived<NodeOrder>();
    std::sort(by_name.begin(), by_name.end(), [&](NodeId a, NodeId b) { return order.before(a, b); });
    for (const NodeId node : by_name) {
      const NodeVerdict& verdict = decision_.nodes[node];
      Json row = {{"filter", code_name(verdict.filter.code)}};
      if (verdict.filter.plugin != nullptr) row["plugin"] = verdict.filter.plugin->name;
      if (!verdict.filter.reasons.empty()) row["reasons"] = reasons(verdict.filter);
      switch (verdict.preemption) {
        case NodeVerdict::Preemption::not_asked: break;
        case NodeVerdict::Preemption::skipped: row["preemption"] = "skipped"; break;
        case NodeVerdict::Preemption::not_kept: row["preemption"] = "notKept"; break;
        case NodeVerdict::Preemption::candidate: candidate(node, row); break;
        case NodeVerdict::Preemption::none: no_candidate(verdict.run->status, row); break;
      }
      out.add(cluster_.text(node_infos_.name(node)), std::move(row));
    }
    return std::move(out).object();
  }

  void candidate(NodeId node, Json& row) const {
    const DryRun& run = *decision_.nodes[node].run;
    row["preemption"] = "candidate";
    row["victims"] = Json::array();
    for (const PodId pod : run.victims) row["victims"].push_back(cluster_.key(pod));
    if (run.violations > 0) row["pdbViolations"] = run.violations;
    Json groups = Json::array();
    for (const auto& group :
         interchangeable_victims(decision_, node_infos_, node, cluster_.pod(subject_).spec.priority)) {
      std::vector<std::string> keys;
      for (const PodId pod : group) keys.push_back(cluster_.key(pod));
      std::sort(keys.begin(), keys.end());
      groups.push_back(keys);
    }
    if (!groups.empty()) row["interchangeable"] = std::move(groups);
  }

  void no_candidate(const Status& status, Json& row) const {
    row["preemption"] = "none";
    row["status"] = code_name(status.code);
    row["statusReasons"] = reasons(status);
    if (status.plugin != nullptr) row["statusPlugin"] = status.plugin->name;
  }

  [[nodiscard]] auto tolerations() const -> Json {
    JsonMembers out;
    for (const PodTolerance& t : decision_.tolerances) {
      Json row = {{"tolerates", t.tolerance.answer == Tolerance::Answer::yes}};
      if (t.tolerance.answer == Tolerance::Answer::yes) {
        // In the golden files, "for ever" is every time after the year 9999.
        constexpr Instant kYear10000{253'402'300'800, 0};
        const Instant until = t.tolerance.until.rounded_up();
        row["until"] = until >= kYear10000 ? "forever" : format_instant(until);
      }
      if (t.tolerance.answer == Tolerance::Answer::error) row["error"] = words_.upstream(t.tolerance.reason);
      out.add(cluster_.key(t.pod), std::move(row));
    }
    return std::move(out).object();
  }

  [[nodiscard]] auto names(const std::vector<NodeId>& nodes) const -> Json {
    std::vector<Symbol> symbols;
    for (const NodeId node : nodes) symbols.push_back(node_infos_.name(node));
    Json list = Json::array();
    for (const Symbol name : sorted(symbols)) list.push_back(cluster_.text(name));
    return list;
  }

  [[nodiscard]] auto sorted(std::vector<Symbol> names) const -> std::vector<Symbol> {
    std::sort(names.begin(), names.end(), [&](Symbol a, Symbol b) { return cluster_.text(a) < cluster_.text(b); });
    return names;
  }

  const Decision& decision_;
  const Profile& profile_;
  const NodeInfoSnapshot& node_infos_;
  const Snapshot& cluster_;
  PodId subject_;
  Words words_;
};

}  // namespace

auto evidence(const Decision& decision, const Profile& profile, const NodeInfoSnapshot& node_infos, PodId subject,
              Instant now) -> Json {
  return Writer(decision, profile, node_infos, subject, now).write();
}

auto selected_by_name(SelectedBy by) -> std::string_view {
  switch (by) {
    case SelectedBy::nominated: return "nominated";
    case SelectedBy::only_node: return "onlyNode";
    case SelectedBy::no_score_plugins: return "noScorePlugins";
    case SelectedBy::scores: return "scores";
    case SelectedBy::sample: return "sample";
  }
  return "";
}

auto ending_name(Ending ending) -> std::string_view {
  switch (ending) {
    case Ending::assigned: return "assigned";
    case Ending::deleting: return "deleting";
    case Ending::gated: return "gated";
    case Ending::no_nodes: return "noNodes";
    case Ending::scheduled: return "scheduled";
    case Ending::preempting: return "preempting";
    case Ending::unschedulable: return "unschedulable";
    case Ending::preemption_error: return "preemptionError";
    case Ending::error: return "error";
  }
  return "error";
}

}  // namespace previct::kube
