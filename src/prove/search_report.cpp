#include "prove/search_report.h"

#include "base/text.h"
#include "report/rows.h"

#include <fmt/format.h>

namespace previct::prove {
namespace {

auto found_words(const Search& search) -> std::string {
  if (search.way == Varied::itself) return *search.found;
  const std::string with = search.with.empty() ? "" : fmt::format(", but with {},", search.with);
  return fmt::format("one more pod like {}{}", *search.found, with);
}

auto sentence_of(const Search& search) -> std::string {
  if (search.found)
    return fmt::format("Not true that no preemptor {}: {} does.", search.violation, found_words(search));
  const std::string unknown =
      search.unknown == 0 ? "" : fmt::format("; what {} of them evict is not known", search.unknown);
  return fmt::format(
      "Cannot prove that no preemptor {}, because the queues of {} decide. A search among {} found none{}.",
      search.violation, search.engine, counted(search.tried, "pod", "pods"), unknown);
}

auto tried_words(const Search& search) -> std::string {
  const auto of = [&](Varied way) { return search.by_way[static_cast<std::size_t>(way)]; };
  return fmt::format(
      "tried: {}, {} more like those of the input, {} with other requests, {} with another PriorityClass",
      counted(of(Varied::itself), "pending pod", "pending pods"), of(Varied::like), of(Varied::requests),
      of(Varied::priority));
}

auto scope_of(const Search& search) -> std::vector<std::string> {
  std::vector<std::string> scope = {
      "searched: each pending pod, and one more pod like each pod of the input, alone, now; the latter also with the "
      "requests of a whole node, one device, twice as much, and cpu 1m, and with each other PriorityClass",
      tried_words(search),
      "not searched: other requests and moments, queues without a pod, several new pods, pods of new groups"};
  if (search.left_out > 0)
    scope.push_back(fmt::format("left out: {}", counted(search.left_out, "other such pod", "other such pods")));
  return scope;
}

}  // namespace

auto search_report(const Search& search, const ReportContext& context) -> Report {
  const Provenance provenance(context, search);
  Report report;
  report.blocks.emplace_back(Line{{{sentence_of(search), search.found ? Tone::danger : Tone::verdict}}});
  for (Line& line : provenance.lines()) report.blocks.emplace_back(std::move(line));
  for (const std::string& each : scope_of(search)) report.blocks.emplace_back(Line{{{each}}});
  if (search.found) {
    report.blocks.emplace_back(table_of(
        search.victims, [](Row& row, const std::string& victim) { row.text("VICTIM", victim, Tone::danger); }));
  }
  report.data = provenance.document("SearchReport");
  report.data["sentence"] = sentence_of(search);
  report.data["result"] = search.found ? "broken" : "unknown";
  report.data["violation"] = search.violation;
  report.data["tried"] = search.tried;
  report.data["unknown"] = search.unknown;
  report.data["leftOut"] = search.left_out;
  report.data["scope"] = scope_of(search);
  if (search.found) {
    report.data["like"] = *search.found;
    report.data["isPending"] = search.way == Varied::itself;
    if (!search.with.empty()) report.data["with"] = search.with;
    report.data["victims"] = search.victims;
  }
  return report;
}

}  // namespace previct::prove
