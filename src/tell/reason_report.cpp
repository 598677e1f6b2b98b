#include "tell/reason_report.h"

#include "tell/braces.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace previct {
namespace {

// Returns an example of an operand of a type.
auto sample(std::string_view type) -> std::string_view {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 25> kSamples = {
      {{"resource", "cpu"},
       {"amount", "500m"},
       {"number", "2"},
       {"priority", "1000"},
       {"symbol", "NAME"},
       {"pod", "ml/train-0"},
       {"podname", "train-0"},
       {"podns", "ml"},
       {"node", "node-a"},
       {"instant", "22:58:30, in 17m"},
       {"seconds", "10m"},
       {"plugins", "PLUGIN"},
       {"plugin", "PLUGIN"},
       {"gates", "example.com/gate"},
       {"gatelist", "example.com/gate"},
       {"budget", "ml/train-pdb"},
       {"devices", "2 devices"},
       {"pods", "2 pods"},
       {"pool", "driver/pool"},
       {"device", "driver/pool/gpu-0"},
       {"by", " by ml/web-0"},
       {"taint", "{dedicated: batch}"},
       {"feature", "FEATURE"},
       {"ephemeral", "train-0-scratch"},
       {"claimns", "ml/"}}};
  const auto found =
      std::find_if(kSamples.begin(), kSamples.end(), [&](const auto& each) { return each.first == type; });
  return found == kSamples.end() ? "..." : found->second;
}

auto with_samples(std::string_view words) -> std::string {
  return replace_braced(words, [](std::string_view operand) {
    return sample(operand.substr(std::min(operand.find(':') + 1, operand.size())));
  });
}

auto line(std::string text, Tone tone = Tone::plain) -> Line {
  return {{{std::move(text), tone}}};
}

}  // namespace

auto reason_report(std::string_view id) -> std::optional<Report> {
  Report report;
  report.data = {{"apiVersion", "previct/v1alpha1"}, {"kind", "Reason"}, {"id", id}, {"rules", Json::array()}};
  for (const Teller* teller : tellers()) {
    for (const ReasonRow& row : teller->reasons()) {
      if (row.id != id) continue;
      const bool operands = row.words.find('{') != std::string_view::npos;
      Json rule{{"engine", teller->name()}, {"words", row.words}};
      if (report.blocks.empty())
        report.blocks.emplace_back(line(fmt::format("{} ({})", id, teller->name()), Tone::verdict));
      report.blocks.emplace_back(Paragraph{"SAYS", {line(std::string(row.words))}});
      if (operands) {
        const std::string example = with_samples(row.words);
        report.blocks.emplace_back(Paragraph{"EXAMPLE", {line(example)}});
        rule["example"] = example;
      }
      if (!row.upstream.empty()) {
        report.blocks.emplace_back(Paragraph{"THE SCHEDULER'S MESSAGE", {line(std::string(row.upstream))}});
        rule["upstream"] = row.upstream;
      }
      if (!row.source.empty()) {
        report.blocks.emplace_back(Paragraph{"SOURCE", {line(std::string(row.source))}});
        rule["source"] = row.source;
      }
      report.data["rules"].push_back(std::move(rule));
    }
  }
  if (report.blocks.empty()) return {};
  report.names = {std::string(id)};
  return report;
}

auto reason_ids() -> std::vector<std::string> {
  std::vector<std::string> ids;
  for (const Teller* teller : tellers()) {
    for (const ReasonRow& row : teller->reasons()) ids.emplace_back(row.id);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace previct
