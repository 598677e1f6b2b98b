#include "golden/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace previct::test {
namespace {

auto is_empty(const Json& v) -> bool {
  return v.is_null() || (v.is_string() && v.get_ref<const std::string&>().empty()) ||
         ((v.is_array() || v.is_object()) && v.empty()) || (v.is_boolean() && !v.get<bool>()) ||
         (v.is_number() && v.get<double>() == 0);
}

auto shortened(const Json& v) -> std::string {
  constexpr std::size_t kShown = 160;
  std::string text = v.dump();
  if (text.size() > kShown) text = text.substr(0, kShown) + "…";
  return text;
}

// Returns text that is equal for equal values, whatever the order of keys.
auto canonical(const Json& v) -> std::string {
  return nlohmann::json(v).dump();
}

auto sorted_texts(const Json& list) -> std::vector<std::string> {
  std::vector<std::string> texts;
  for (const Json& item : list) texts.push_back(canonical(item));
  std::sort(texts.begin(), texts.end());
  return texts;
}

auto pick(const Json& v, const std::vector<std::string>& keys) -> Json {
  Json out = Json::object();
  for (const std::string& key : keys) {
    if (v.contains(key)) out[key] = v.at(key);
  }
  return out;
}

auto without(Json v, const std::vector<std::string>& keys) -> Json {
  for (const std::string& key : keys) v.erase(key);
  return v;
}

}  // namespace

auto at(const Json& v, const std::string& key) -> Json {
  return v.is_object() && v.contains(key) ? v.at(key) : Json();
}

auto contains(const Json& list, const Json& item) -> bool {
  return list.is_array() && std::find(list.begin(), list.end(), item) != list.end();
}

void compare(const Json& want, const Json& got, const std::string& path, const std::set<std::string>& as_sets,
             Differences& out) {
  const std::string key = path.substr(path.rfind('.') + 1);
  if (want.is_object()) {
    if (!got.is_object()) {
      out.push_back(fmt::format("{}: want an object, got {}", path, shortened(got)));
      return;
    }
    for (const auto& [name, value] : want.items()) {
      if (got.contains(name)) {
        compare(value, got.at(name), path + "." + name, as_sets, out);
      } else if (!is_empty(value)) {
        out.push_back(fmt::format("{}.{}: missing, want {}", path, name, shortened(value)));
      }
    }
  } else if (want.is_array()) {
    if (!got.is_array()) {
      if (!(is_empty(want) && is_empty(got)))
        out.push_back(fmt::format("{}: want a list, got {}", path, shortened(got)));
    } else if (as_sets.contains(key)) {
      if (sorted_texts(want) != sorted_texts(got)) {
        out.push_back(fmt::format("{}: want (any order) {}, got {}", path, shortened(want), shortened(got)));
      }
    } else if (want.size() != got.size()) {
      out.push_back(fmt::format("{}: want {}, got {}", path, shortened(want), shortened(got)));
    } else {
      for (std::size_t i = 0; i < want.size(); ++i)
        compare(want[i], got[i], fmt::format("{}[{}]", path, i), as_sets, out);
    }
  } else if (want.is_number_float() || got.is_number_float()) {
    const bool close =
        want.is_number() && got.is_number() &&
        std::abs(want.get<double>() - got.get<double>()) <= 1e-6 * std::max(1.0, std::abs(want.get<double>()));
    if (!close) out.push_back(fmt::format("{}: want {}, got {}", path, shortened(want), shortened(got)));
  } else if (want != got && !(is_empty(want) && is_empty(got))) {
    out.push_back(fmt::format("{}: want {}, got {}", path, shortened(want), shortened(got)));
  }
}

auto compare_kube(const Json& want, const Json& got) -> Differences {
  Differences out;
  Json facts = without(want, {"pod", "profile", "messageOrderUndefined"});
  if (want.value("messageOrderUndefined", false)) facts.erase("fitErrorMessage");
  // Results of single runs.
  if (facts.contains("scores")) facts["scores"] = without(facts["scores"], {"first", "hosts"});
  compare(facts, at(got, "evidence"), "evidence",
          {"chosen", "feasibleNodes", "preFilterNodes", "chosenSet", "skipped", "samples"}, out);
  return out;
}

auto compare_cluster(const Json& want, const Json& got) -> Differences {
  static const std::map<std::string, std::set<std::string>> kOutcomes = {
      {"preempts", {"preempts"}},
      {"nominated-without-new-victims", {"preempts"}},
      {"scheduled", {"fits"}},
      {"unschedulable", {"pending", "not-eligible", "error"}},
      {"keeps-waiting-on-nominated-node", {"waits"}}};
  Differences out;
  const Json verdict = at(got, "verdict");
  const Json evidence = at(got, "evidence");
  const std::string outcome = verdict.value("outcome", "");
  const std::string wanted = want.at("outcome");
  // it failed first, and preempted after the end of a toleration
  if (at(want, "measured").contains("firstAttemptAfter")) {
    if (outcome != "pending" || !verdict.contains("nextChange")) {
      out.push_back(fmt::format("verdict: want pending with a nextChange, got {}", shortened(verdict)));
    }
  } else if (!kOutcomes.at(wanted).contains(outcome)) {
    out.push_back(fmt::format("verdict.outcome: want {}, got {}", wanted, outcome));
  } else {
    const Json nominated = at(want, "nominatedNode");
    const Json node = is_empty(nominated) ? at(want, "boundNode") : nominated;
    if (outcome == "preempts" && !is_empty(node)) {
      const Json possible = at(evidence, "possible");
      if (!contains(is_empty(possible) ? at(evidence, "chosen") : possible, node)) {
        out.push_back(fmt::format("evidence.possible: {} lacks {}", shortened(possible), shortened(node)));
      }
      const Json facts = at(at(evidence, "nodes"), node.get<std::string>());
      // Tied pods are interchangeable.
      std::map<std::string, std::string> group;
      for (const Json& tied : at(facts, "interchangeable")) {
        for (const Json& pod : tied) group[pod.get<std::string>()] = "any of " + tied[0].get<std::string>();
      }
      const auto names = [&](const Json& pods) {
        std::vector<std::string> texts;
        for (const Json& pod : pods) {
          const auto found = group.find(pod.get<std::string>());
          texts.push_back(found == group.end() ? pod.get<std::string>() : found->second);
        }
        std::sort(texts.begin(), texts.end());
        return texts;
      };
      if (wanted == "preempts" && names(at(facts, "victims")) != names(at(want, "victims"))) {
        out.push_back(
            fmt::format("victims: want {}, got {}", shortened(at(want, "victims")), shortened(at(facts, "victims"))));
      }
    } else if (outcome == "fits" && !is_empty(node) && !contains(at(evidence, "feasibleNodes"), node)) {
      out.push_back(fmt::format("evidence.feasibleNodes lacks {}", shortened(node)));
    }
  }
  const Json messages = at(want, "messages");
  if (!is_empty(messages)) compare(messages[0], at(got, "schedulerMessage"), "schedulerMessage", {}, out);
  return out;
}

auto compare_kai(const Json& want, const Json& got) -> Differences {
  const auto outcomes = [](const Json& list) {
    std::set<std::string> texts;
    for (const Json& outcome : list) {
      Json jobs = Json::object();
      const Json all_jobs = at(outcome, "jobs");
      for (const auto& [name, job] : all_jobs.items()) jobs[name] = pick(job, {"state", "action", "pods"});
      std::vector<std::string> evictions;
      for (const Json& e : at(outcome, "evictions")) {
        evictions.push_back(canonical(pick(e, {"pod", "podgroup", "action", "preemptor", "from", "movedTo"})));
      }
      std::sort(evictions.begin(), evictions.end());
      texts.insert(canonical({{"jobs", jobs}, {"evictions", evictions}}));
    }
    return texts;
  };
  Differences out;
  const Json evidence = at(got, "evidence");
  const auto w = outcomes(at(want, "outcomes"));
  const auto g = outcomes(at(evidence, "outcomes"));
  const bool member = w.size() > 1 && std::includes(w.begin(), w.end(), g.begin(), g.end());
  if (g.empty() || !(g == w || member))
    out.push_back(fmt::format("evidence.outcomes: want {}, got {}", shortened(w), shortened(g)));
  compare(without(want, {"outcomes", "runs", "config", "deterministic", "fitErrors"}), evidence, "evidence",
          {"children"}, out);
  return out;
}

namespace {

auto victim_sets(const Json& outcomes) -> std::set<std::string> {
  std::set<std::string> texts;
  for (const Json& outcome : outcomes) texts.insert(Json(sorted_texts(outcome)).dump());
  return texts;
}

void compare_required_node(const Json& want, const Json& evidence, Differences& out) {
  const Json wanted = at(want, "preemptor");
  const Json got = at(evidence, "preemptor");
  const bool deterministic = wanted.value("deterministic", true);
  if (deterministic) {
    compare(at(want, "victims"), at(evidence, "victims"), "evidence.victims", {}, out);
    compare(pick(wanted, {"candidates"}), got, "evidence.preemptor", {}, out);
  } else {
    const auto w = victim_sets(at(wanted, "outcomes"));
    const auto g = victim_sets(at(got, "outcomes"));
    const bool superset = !wanted.value("exhaustive", true) && std::includes(g.begin(), g.end(), w.begin(), w.end());
    if (g.empty() || !(g == w || superset)) out.push_back("evidence.preemptor.outcomes differ");
  }
  compare(pick(wanted, {"counts", "always", "sometimes"}), got, "evidence.preemptor", {"always", "sometimes"}, out);
}

void compare_queue(const Json& want, const Json& evidence, Differences& out) {
  const auto solutions = [](const Json& list) {
    std::set<std::string> texts;
    for (Json solution : list) {
      solution["victims"] = sorted_texts(at(solution, "victims"));
      texts.insert(canonical(solution));
    }
    return texts;
  };
  const auto w = solutions(at(want, "solutions"));
  const auto g = solutions(at(evidence, "solutions"));
  const bool member = w.size() > 1 && !g.empty() && std::includes(w.begin(), w.end(), g.begin(), g.end());
  if (w != g && !member) out.push_back("evidence.solutions differ");
  compare(pick(want, {"fence", "eligible", "queues"}), evidence, "evidence", {}, out);
}

}  // namespace

auto compare_yunikorn(const Json& want, const Json& got) -> Differences {
  Differences out;
  const Json evidence = at(got, "evidence");
  compare(pick(want, {"outcome"}), evidence, "evidence", {}, out);
  const std::string mode = want.value("mode", "");
  const std::string outcome = want.value("outcome", "");
  if (mode == "required-node" && want.contains("preemptor") && (outcome == "preempted" || outcome == "reserved")) {
    compare_required_node(want, evidence, out);
  } else if (mode == "queue") {
    compare_queue(want, evidence, out);
  } else if (mode == "yunikorn-design") {
    compare(pick(want, {"victims", "counts", "order", "startsAfter", "strategy", "tried", "free"}), evidence,
            "evidence", {}, out);
  }
  compare(pick(want, {"ask", "headroom"}), evidence, "evidence", {}, out);
  return out;
}

namespace {

// Returns a copy without the facts at these paths: keys joined by dots, without list indices.
auto without_facts(const Json& v, const std::set<std::string>& paths, const std::string& at) -> Json {
  if (v.is_array()) {
    Json out = Json::array();
    for (const Json& each : v) out.push_back(without_facts(each, paths, at));
    return out;
  }
  if (!v.is_object()) return v;
  Json out = Json::object();
  for (const auto& [key, value] : v.items()) {
    const std::string path = at.empty() ? key : at + "." + key;
    if (!paths.contains(path)) out[key] = without_facts(value, paths, path);
  }
  return out;
}

auto lower(std::string text) -> std::string {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

}  // namespace

auto compare_kueue(const Json& want, const Json& got) -> Differences {
  Differences out;
  if (want.contains("unmodelled")) {
    const std::string said = lower(at(at(got, "completeness"), "unmodelled").dump());
    for (const Json& words : want.at("unmodelled")) {
      bool named = false;
      std::string rest = words.get<std::string>();
      for (std::size_t bar = 0; bar != std::string::npos; rest = bar == std::string::npos ? "" : rest.substr(bar + 1)) {
        bar = rest.find('|');
        named = named || said.find(rest.substr(0, bar)) != std::string::npos;
      }
      if (!named) out.push_back(fmt::format("completeness.unmodelled: want it to name {}, got {}", words.dump(), said));
    }
    return out;
  }
  const Json varies = at(want, "varies");
  std::set<std::string> paths;
  for (const Json& each : varies) paths.insert(each.get<std::string>());
  const Json facts = without(want, {"kueue", "runs", "varies", "seen"});
  compare(without_facts(facts, paths, ""), at(got, "evidence"), "evidence", {}, out);
  return out;
}

}  // namespace previct::test
