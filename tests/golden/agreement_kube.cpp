#include "engine/kube/rules.h"
#include "golden/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace previct::test {
namespace {

auto list_of(const Json& v, const std::string& key) -> Json {
  const Json list = at(v, key);
  return list.is_array() ? list : Json::array();
}

auto as_set(const Json& list) -> std::set<std::string> {
  std::set<std::string> texts;
  for (const Json& item : list) texts.insert(item.get<std::string>());
  return texts;
}

/// Tied pods are interchangeable.
class Ties {
 public:
  explicit Ties(const Json& node) {
    for (const Json& group : list_of(node, "interchangeable")) {
      for (const Json& pod : group) group_[pod.get<std::string>()] = "any of " + group[0].get<std::string>();
    }
  }
  [[nodiscard]] auto named(const Json& pods) const -> std::vector<std::string> {
    std::vector<std::string> names;
    for (const Json& pod : pods) {
      const auto found = group_.find(pod.get<std::string>());
      names.push_back(found == group_.end() ? pod.get<std::string>() : found->second);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::map<std::string, std::string> group_;
};

void compare_nodes(const Json& want, const Json& evidence, Differences& out) {
  const Json possible = at(evidence, "possible").is_array() ? at(evidence, "possible") : list_of(evidence, "chosen");
  for (const Json& node : list_of(want, "possible")) {
    if (!contains(possible, node))
      out.push_back(fmt::format("evidence.possible: {} lacks {}", possible.dump(), node.dump()));
  }
  if (want.value("exhaustive", false) && as_set(possible) != as_set(at(want, "possible")))
    out.push_back(fmt::format("evidence.possible: want {}, got {}", at(want, "possible").dump(), possible.dump()));
  const Json victims = at(want, "victims");
  for (const auto& [node, seen] : victims.items()) {
    const Json facts = at(at(evidence, "nodes"), node);
    const Ties ties(facts);
    Json mine = Json::array();
    for (const Json& pod : list_of(facts, "victims")) {
      if (!contains(at(want, "terminating"), pod)) mine.push_back(pod);
    }
    const bool among =
        std::any_of(seen.begin(), seen.end(), [&](const Json& one) { return ties.named(one) == ties.named(mine); });
    if (!among)
      out.push_back(fmt::format("evidence.nodes.{}.victims: want one of {}, got {}", node, seen.dump(), mine.dump()));
  }
}

}  // namespace

auto compare_kube_config(const Json& want, const Json& got) -> Differences {
  if (!want.contains("outcomes")) return compare_kube(want, got);
  Differences out;
  const Json evidence = at(got, "evidence");
  if (want.at("outcomes") == Json::array({"no-profile"})) {
    if (at(at(got, "verdict"), "outcome") != "pending") out.push_back("verdict.outcome: want pending");
    return out;
  }
  const Json outcome = at(evidence, "outcome");
  if (!contains(want.at("outcomes"), outcome))
    out.push_back(fmt::format("evidence.outcome: want one of {}, got {}", want.at("outcomes").dump(), outcome.dump()));
  if (!list_of(want, "possible").empty()) compare_nodes(want, evidence, out);
  for (const Json& node : list_of(want, "bound")) {
    if (!contains(at(evidence, "feasibleNodes"), node)) out.push_back("evidence.feasibleNodes lacks " + node.dump());
  }
  if (!list_of(want, "messages").empty()) {
    const Json fit = at(evidence, "fitErrorMessage");
    const Json said = outcome == "error" ? at(evidence, "error") : fit.is_string() ? fit : at(got, "schedulerMessage");
    if (!contains(want.at("messages"), said))
      out.push_back(fmt::format("message: want one of {}, got {}", want.at("messages").dump(), said.dump()));
  }
  if (want.contains("unmodelled"))
    compare(want.at("unmodelled"), list_of(at(got, "completeness"), "unmodelled"), "completeness.unmodelled", {}, out);
  return out;
}

auto compare_refusal(const Json& want, const std::string& said) -> Differences {
  const auto lower = [](std::string text) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
  };
  Differences out;
  for (const Json& words : list_of(want, "mentions")) {
    std::istringstream choices(lower(words.get<std::string>()));
    bool found = false;
    for (std::string word; std::getline(choices, word, '|');)
      found = found || lower(said).find(word) != std::string::npos;
    if (!found) out.push_back(fmt::format("want it to name {}, got: {}", words.dump(), said));
  }
  return out;
}

auto decided_by(const std::string& difference, const Json& got) -> std::string {
  std::set<std::string> ids;
  constexpr std::string_view kNodes = "evidence.nodes.";
  for (const Json& row : list_of(got, "nodes")) {
    const std::string name = row.value("name", "");
    if (!difference.starts_with(std::string(kNodes) + name + ".")) continue;
    for (const Json& reason : list_of(at(row, "filter"), "reasons")) ids.insert(reason.value("rule", ""));
    const Json decided = at(at(row, "preemption"), "decidedBy");
    if (decided.is_string()) ids.insert(decided.get<std::string>());
  }
  if (ids.empty()) {
    for (const Json& victim : list_of(got, "victims")) ids.insert(victim.value("rule", ""));
  }
  std::string text;
  for (const std::string& id : ids) {
    if (id.empty()) continue;
    const auto& rules = kube::all_rules();
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const kube::RuleInfo& r) { return r.id == id; });
    const std::string source = rule == rules.end() ? "" : fmt::format(" ({})", rule->source);
    text += fmt::format("{}{}{}", text.empty() ? "decided here by " : ", ", id, source);
  }
  return text;
}

}  // namespace previct::test
