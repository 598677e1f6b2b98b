#include "prove/report.h"

#include "api/amount_text.h"
#include "base/text.h"
#include "report/rows.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace previct::prove {
namespace {

class ProofReport {
 public:
  ProofReport(const Proof& proof, const Space& space, const ReportContext& context)
      : proof_(proof), space_(space), context_(context), provenance_(context, proof) {}

  [[nodiscard]] auto run() const -> Report {
    Report report;
    const Tone tone = proof_.broken ? Tone::danger : Tone::verdict;
    report.blocks.emplace_back(Line{{{verdict(), tone}}});
    for (Line& line : provenance_.lines()) report.blocks.emplace_back(std::move(line));
    if (proof_.broken) {
      if (!proof_.broken->answer.victim_lines.empty()) report.blocks.emplace_back(victims());
      report.blocks.emplace_back(manifest());
    } else {
      if (!proof_.forms.empty()) report.blocks.emplace_back(forms());
      if (left_out() > 0)
        report.blocks.emplace_back(
            folded_line("+ " + counted(left_out(), "other form", "other forms"), Tone::plain, " (-o json lists them)"));
      if (proof_.proved()) report.blocks.emplace_back(paragraph("COVERS", covers()));
      report.blocks.emplace_back(paragraph("RESTS ON", rests_on()));
      report.blocks.emplace_back(paragraph("DOES NOT COVER", excludes()));
    }
    report.data = data();
    return report;
  }

 private:
  // ---- words

  [[nodiscard]] auto verdict() const -> std::string {
    const std::string claim =
        proof_.always_fits
            ? fmt::format("every pod{} {} and {} fits, if necessary by preemption", like(), with_priority(), limits())
            : fmt::format("no preemptor{} {} {}", like(), with_priority(), proof_.violation);
    if (proof_.broken) return fmt::format("Not true that {}: {}.", claim, example_words());
    if (proof_.doubt) return fmt::format("Cannot tell whether {}, because {}.", claim, because());
    return fmt::format("Proved: {}, in any of {} on {}.{}", claim, counted(proof_.regions, "region", "regions"),
                       counted(proof_.nodes, "node", "nodes"), not_covered());
  }

  [[nodiscard]] auto like() const -> std::string { return like_words(space_.forms); }

  // The pods of DOES NOT COVER, in short.
  [[nodiscard]] auto not_covered() const -> std::string {
    if (!space_.forms.empty()) return "";
    if (proof_.always_fits) return " Not covered: pods with selectors, affinity, host ports or volumes.";
    if (proof_.any_form) return "";
    return prove::not_covered(space_);
  }

  [[nodiscard]] auto with_priority() const -> std::string {
    const auto& [least, most] = space_.priorities;
    if (least > INT32_MIN && most >= INT32_MAX) return fmt::format("with a priority of at least {}", least);
    if (least <= INT32_MIN && most >= INT32_MAX) return "of any priority";
    if (least <= INT32_MIN) return fmt::format("with a priority below {}", most + 1);
    return fmt::format("with a priority from {} to {}", least, most);
  }

  [[nodiscard]] auto example_words() const -> std::string {
    const Region& region = proof_.broken->region;
    std::string requests = joined(request_words(space_.requests, corner_of(region.requests, From::smallest)), ", ");
    if (requests.empty()) requests = "no requests";
    if (proof_.always_fits)
      return fmt::format("a pod{} with priority {} and {} fits on none of {} at {}", example_like(),
                         region.preemptor.priority, requests, counted(proof_.nodes, "node", "nodes"),
                         format_instant(region.preemptor.at));
    const std::string node = proof_.broken->node.empty() ? "" : fmt::format(", on node {},", proof_.broken->node);
    return fmt::format("a pod{} with priority {} and {}{} {} at {}", example_like(), region.preemptor.priority,
                       requests, node, proof_.violation, format_instant(region.preemptor.at));
  }

  [[nodiscard]] auto example_like() const -> std::string {
    const std::size_t kind = proof_.broken->region.preemptor.kind;
    return space_.forms.empty() ? "" : " like " + space_.forms[kind].name;
  }

  [[nodiscard]] auto because() const -> std::string {
    const auto& [why, region] = *proof_.doubt;
    const std::size_t kind = region.preemptor.kind;
    if (why == Doubt::form) return *proof_.forms[kind].fault;
    const std::string node(context_.cluster.name(region.preemptor.node));
    switch (why) {
      case Doubt::gap: break;
      case Doubt::form: break;
      case Doubt::other_forms:
        return fmt::format("the pods have {} more forms, which were not tried", space_.forms_left_out);
      case Doubt::choice_of_node:
        return fmt::format(
            "pods like {} may do so on node {}, but a spread constraint counts the nodes on which they may run, and no "
            "pod was found for which kube-scheduler chooses this node",
            space_.forms[kind].name, node);
      case Doubt::order_of_pods:
        return fmt::format("on node {}, pods of equal importance can be tried in too many orders", node);
      case Doubt::unknown_priority:
        return fmt::format("node {} runs a pod whose PriorityClass is not in the input", node);
      case Doubt::too_many_regions:
        return fmt::format("there are more than {} regions; narrow the question with --below, --node or --up-to",
                           proof_.regions);
    }
    if (!proof_.forms.empty() && proof_.forms[kind].gap) return because_words(*proof_.forms[kind].gap);
    const Gap* const gap = deciding_gap(proof_.gaps);
    return gap == nullptr ? "a decision is not known" : because_words(*gap);
  }

  [[nodiscard]] auto covers() const -> std::vector<std::string> {
    std::vector<std::string> words;
    words.push_back(
        fmt::format("{}{} {}, {}", proof_.always_fits ? "pods" : "preemptors", like(), with_priority(), limits()));
    if (!space_.forms.empty()) {
      words.emplace_back(
          "everything else of these pods that decides: namespace, labels, tolerations, node selector, affinity, host "
          "ports, volumes, resource claims, spread constraints, other requests, schedulerName");
    }
    if (!proof_.always_fits && space_.forms.empty())
      words.emplace_back("every toleration, node selector and node affinity of the preemptor");
    if (!proof_.always_fits && !space_.forms.empty())
      words.emplace_back("every further node selector and node affinity of pods without hard spread constraints");
    if (proof_.any_form && space_.forms.empty())
      words.emplace_back("every other field of the preemptor: the pods are protected, whatever a preemptor requests");
    words.push_back(fmt::format("every moment from {} to {}", format_instant(space_.from), format_instant(space_.to)));
    words.push_back(fmt::format("pods with the schedulerName {}", joined(proof_.schedulers, " or ")));
    return words;
  }

  [[nodiscard]] auto limits() const -> std::string { return "with any request of " + range_words(space_.requests); }

  [[nodiscard]] auto rests_on() const -> std::vector<std::string> {
    return {
        fmt::format("the pods, nodes, {}PriorityClasses and PodDisruptionBudgets of the input, which stay as they are "
                    "until {}: an earlier preemption may change them",
                    space_.forms.empty() ? "" : "volumes, claims, ", format_instant(space_.to)),
        fmt::format("the rules of {} {}", proof_.engine, proof_.behaves)};
  }

  [[nodiscard]] auto excludes() const -> std::vector<std::string> {
    std::vector<std::string> words;
    if (!space_.forms.empty()) {
      words.emplace_back("pods that differ from these in another field");
      if (proof_.always_fits) words.emplace_back("several such pods: the second may find less");
    } else if (proof_.always_fits) {
      words.emplace_back(
          "pods with tolerations, node selectors, affinity, host ports, volumes, resource claims, topology spread "
          "constraints or requests of other resources, and pods that the anti-affinity of running pods selects");
      words.emplace_back("several such pods: the second may find less");
    } else if (!proof_.any_form) {
      words.emplace_back(
          "preemptors with labels, or in a namespace, that the anti-affinity of running pods selects, or with host "
          "ports, volumes, resource claims, pod affinity, topology spread constraints or requests of other resources");
    }
    if (proof_.pods_elsewhere > 0)
      words.push_back(fmt::format("{} on other nodes", counted(proof_.pods_elsewhere, "such pod", "such pods")));
    if (space_.nodes.size() < context_.cluster.nodes().size()) words.emplace_back("nodes that --node does not name");
    if (!proof_.other_releases.empty())
      words.push_back(fmt::format("releases {}, which the nodes also allow: use --k8s-version",
                                  joined(proof_.other_releases, ", ")));
    words.emplace_back("preemptors that are scheduled together as a group");
    words.emplace_back(
        "evictions by others than kube-scheduler: the kubelet, taints, the eviction API, other schedulers");
    return words;
  }

  // ---- forms

  // Those that leave the statement open come first.
  [[nodiscard]] auto order_of_forms() const -> std::vector<std::size_t> {
    std::vector<std::size_t> order(proof_.forms.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return proof_.forms[i].doubt.has_value(); });
    return order;
  }

  [[nodiscard]] auto left_out() const -> std::size_t {
    const std::size_t shown = context_.show_all ? proof_.forms.size() : std::min(kMostForms, proof_.forms.size());
    return proof_.forms.size() - shown;
  }

  void describe(Row& row, std::size_t index) const {
    constexpr std::size_t kTraits = 4;
    const Form& form = space_.forms[index];
    const OfForm& found = proof_.forms[index];
    const std::vector<std::string> traits = traits_of(form, context_.cluster.symbols());
    row.text("LIKE", form.name).key("like");
    row.number("PODS", form.pods).key("pods");
    row.text("WITH", joined_up_to(kTraits, traits)).unless_empty().key("traits", Json(traits));
    row.number("MAY RUN ON", found.nodes).key("nodes");
    row.number("REGIONS", found.regions).key("regions");
    row.text("RESULT", found.doubt ? Cell("cannot tell", Tone::danger) : Cell("holds"))
        .key("result", Json(found.doubt ? "unknown" : "holds"));
    const std::string because = found.fault ? *found.fault : found.gap ? because_words(*found.gap) : "";
    row.text("BECAUSE", because).unless_empty().key("because", present(Json(because)));
  }

  [[nodiscard]] auto forms() const -> Table {
    std::vector<std::size_t> shown = order_of_forms();
    shown.resize(shown.size() - left_out());
    return table_of(shown, [&](Row& row, std::size_t index) { describe(row, index); });
  }

  static constexpr std::size_t kMostForms = 20;

  // ---- text

  static auto paragraph(std::string heading, const std::vector<std::string>& lines) -> Paragraph {
    Paragraph paragraph{.heading = std::move(heading), .lines = {}, .broken = true};
    for (const std::string& line : lines) paragraph.lines.push_back({{{line}}});
    return paragraph;
  }

  void describe(Row& row, const VictimLine& line) const {
    const Pod& pod = context_.cluster.pod(line.pod);
    row.text("VICTIM", context_.cluster.key(line.pod), Tone::danger).key("pod");
    row.number("PRIORITY", pod.spec.priority).key("priority");
    row.text("WHY", line.why).key("why");
    row.key("certain", line.certain);
  }

  [[nodiscard]] auto victims() const -> Table {
    return table_of(proof_.broken->answer.victim_lines, [&](Row& row, const VictimLine& line) { describe(row, line); });
  }

  [[nodiscard]] auto manifest() const -> Paragraph {
    Paragraph paragraph{.heading = "COUNTEREXAMPLE", .lines = {}};
    const std::string& text = proof_.broken->manifest;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = text.find('\n', from);
      paragraph.lines.push_back({{{text.substr(from, end - from)}}});
      from = end + 1;
    }
    return paragraph;
  }

  // ---- JSON

  [[nodiscard]] auto data() const -> Json {
    Json data = provenance_.document("ProofReport");
    data["result"] = proof_.broken ? "broken" : proof_.doubt ? "unknown" : "proved";
    data["sentence"] = verdict();
    if (!proof_.always_fits) data["violation"] = proof_.violation;
    data["pods"] = proof_.pods;
    data["nodes"] = proof_.nodes;
    data["regions"] = proof_.regions;
    if (!proof_.forms.empty())
      data["forms"] = list_of(order_of_forms(), [&](Row& row, std::size_t index) { describe(row, index); });
    if (proof_.broken) {
      data["counterexample"] = example();
    } else if (proof_.proved()) {
      data["covers"] = covers();
      data["restsOn"] = rests_on();
      data["excludes"] = excludes();
    }
    return data;
  }

  [[nodiscard]] auto example() const -> Json {
    const Counterexample& broken = *proof_.broken;
    Json example = Json::object();
    example["priority"] = broken.region.preemptor.priority;
    example["requests"] = Json::object();
    for (std::size_t i = 0; i < space_.requests.size(); ++i) {
      const std::string& resource = space_.requests[i].resource;
      if (const std::int64_t amount = broken.region.requests[i].least; amount > 0)
        example["requests"][resource] = amount_text(resource, amount);
    }
    if (!broken.node.empty()) example["node"] = broken.node;
    if (!space_.forms.empty()) example["like"] = space_.forms[broken.region.preemptor.kind].name;
    example["at"] = format_instant(broken.region.preemptor.at);
    example["victims"] =
        list_of(broken.answer.victim_lines, [&](Row& row, const VictimLine& line) { describe(row, line); });
    example["manifest"] = broken.manifest;
    return example;
  }

  const Proof& proof_;
  const Space& space_;
  const ReportContext& context_;
  Provenance provenance_;
};

}  // namespace

auto proof_report(const Proof& proof, const Space& space, const ReportContext& context) -> Report {
  return ProofReport(proof, space, context).run();
}

}  // namespace previct::prove
