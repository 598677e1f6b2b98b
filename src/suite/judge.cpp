#include "suite/judge.h"

#include "analysis/decision.h"
#include "api/locate.h"
#include "base/contains.h"
#include "base/duration.h"
#include "base/text.h"
#include "cluster/label_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace previct::suite {
namespace {

constexpr std::size_t kShown = 3;  // pods that explain an outcome

using Names = std::vector<std::string>;

void insert(Names& names, std::string_view name) {
  if (!name.empty() && !contains(names, std::string(name))) names.emplace_back(name);
}

auto list_of(const Names& names) -> std::string {
  return names.empty() ? "no pod" : joined(names, ", ");
}

auto range_words(const Range& range) -> std::string {
  if (range.min && range.max)
    return *range.min == *range.max ? fmt::format("{}", *range.min) : fmt::format("{} to {}", *range.min, *range.max);
  if (range.min) return fmt::format("at least {}", *range.min);
  return fmt::format("at most {}", range.max.value_or(0));
}

auto moment_words(Instant at) -> std::string {
  return at.is_never() ? "never" : format_instant(at);
}

auto find_by_name(const Snapshot& cluster, const std::string& name) -> PodId {
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? PodId{} : cluster.find_pod(name.substr(0, slash), name.substr(slash + 1));
}

auto with_places(std::string text, const std::string& places) -> std::string {
  return places.empty() ? text : fmt::format("{} ({})", text, places);
}

/// `ml/a (class low, priority 8000: classes.yaml:12:1)`
auto ranked(const Snapshot& cluster, PodId id) -> std::string {
  const Pod& pod = cluster.pod(id);
  const PriorityClass* found = cluster.priority_class(pod.spec.priority_class_name);
  const Objects& objects = cluster.objects();
  std::string place =
      objects.files.describe(found != nullptr ? locate(objects.sources, found->meta.source, "value")
                                              : locate(objects.sources, pod.meta.source, "spec.priority"));
  return fmt::format("{} has {}priority {}{}{}{}", cluster.key(id),
                     found != nullptr ? fmt::format("class {}, ", cluster.text(found->meta.name)) : "",
                     pod.spec.priority, place.empty() ? "" : " (", place, place.empty() ? "" : ")");
}

auto tolerating_words(const ToleratingLine& line, const Snapshot& cluster) -> std::string {
  const std::string until = line.until.is_never() ? "" : fmt::format(", until {}", format_instant(line.until));
  return with_places(fmt::format("{} tolerates it {}{}", cluster.key(line.pod), line.why, until),
                     places_of(line.evidence, cluster.objects()));
}

auto victim_words(const VictimLine& line, const Snapshot& cluster) -> std::string {
  return with_places(fmt::format("{} is evicted: {}", cluster.key(line.pod), line.why),
                     places_of(line.evidence, cluster.objects()));
}

class Judge {
 public:
  Judge(const Expectation& expect, const Answer& answer, const Snapshot& cluster, Instant now)
      : expect_(expect), answer_(answer), cluster_(cluster), now_(now) {
    for (const Victim& victim : answer.victims) {
      victims_.push_back(cluster.key(victim.pod));
      (victim.certain ? certain_ : uncertain_).push_back(victims_.back());
    }
    possible_ = possible_victims(answer, cluster);
  }

  auto run() -> std::vector<Failed> {
    outcome();
    // An unknown outcome satisfies no expectation.
    if (answer_.outcome == Outcome::unknown && expect_.outcome.empty()) {
      miss("outcome", "a known outcome", fmt::format("unknown: {}", answer_.sentence), {});
      return std::move(failed_);
    }
    // Neither does a pod that no scheduler tries to place.
    if (answer_.never_tried && expect_.outcome.empty()) {
      miss("outcome", "a pod that a scheduler tries", answer_.sentence, {});
      return std::move(failed_);
    }
    if (!known()) return std::move(failed_);
    nodes();
    if (expect_.victims) victims(*expect_.victims);
    for (const ExpectedToleration& each : expect_.tolerates) tolerates(each);
    for (const std::string& pod : expect_.not_tolerating) not_tolerating(pod);
    if (expect_.pdb_violations) violations(*expect_.pdb_violations);
    if (expect_.never_victim) spared(*expect_.never_victim);
    next_change();
    return std::move(failed_);
  }

 private:
  void miss(std::string what, std::string want, std::string got, std::vector<std::string> because) {
    failed_.push_back({std::move(what), std::move(want), std::move(got), std::move(because)});
  }

  // An expectation about pods that do not exist would always hold.
  auto known() -> bool {
    Names named = expect_.not_tolerating;
    const auto take = [&](const Names& names) { named.insert(named.end(), names.begin(), names.end()); };
    if (expect_.victims) take(expect_.victims->excludes);
    if (expect_.never_victim) take(expect_.never_victim->pods);
    const std::size_t before = failed_.size();
    for (const std::string& name : named) {
      if (!find_by_name(cluster_, name)) miss("pod", name, "the state has no such pod", {});
    }
    if (!expect_.never_victim || failed_.size() > before) return failed_.size() == before;
    const auto is_meant = meant(*expect_.never_victim);
    for (const PodId id : cluster_.pods().ids()) {
      if (is_meant(id)) return true;
    }
    miss("neverVictim", words_of(*expect_.never_victim), "the state has no such pod", {});
    return false;
  }

  // Returns a predicate for the pods that the expectation covers.
  [[nodiscard]] auto meant(const Spared& spared) const -> std::function<bool(PodId)> {
    return [this, &spared, query = LabelQuery::parse(spared.selector)](PodId id) {  // the selector was checked before
      const Pod& pod = cluster_.pod(id);
      return (!query || query->matches(pod.meta.labels, cluster_.symbols())) &&
             (spared.pods.empty() || contains(spared.pods, cluster_.key(id))) &&
             (spared.priority_class.empty() || cluster_.text(pod.spec.priority_class_name) == spared.priority_class);
    };
  }

  static auto words_of(const Spared& spared) -> std::string {
    Names want;
    if (!spared.selector.empty()) want.push_back("with " + spared.selector);
    if (!spared.priority_class.empty()) want.push_back("of class " + spared.priority_class);
    if (!spared.pods.empty()) want.push_back(joined(spared.pods, ", "));
    return joined(want, " ");
  }

  /// The pods on which the verdict depends, if no pod is named.
  [[nodiscard]] auto context() const -> std::vector<std::string> {
    std::vector<std::string> lines;
    for (const ToleratingLine& line : answer_.tolerating_lines) {
      if (lines.size() < kShown) lines.push_back(tolerating_words(line, cluster_));
    }
    const std::size_t tolerating = lines.size();
    for (const VictimLine& line : answer_.victim_lines) {
      if (lines.size() < tolerating + kShown) lines.push_back(victim_words(line, cluster_));
    }
    if (answer_.subject) lines.push_back(ranked(cluster_, answer_.subject));
    return lines;
  }

  /// Why this pod is, or is not, a victim.
  [[nodiscard]] auto because(const std::string& name) const -> std::string {
    for (const VictimLine& line : answer_.victim_lines) {
      if (cluster_.key(line.pod) == name) return victim_words(line, cluster_);
    }
    if (const Tolerating* found = find_tolerating(name)) return words_of(*found);
    const PodId id = find_by_name(cluster_, name);
    if (!id) return fmt::format("there is no pod {} in the state", name);
    std::string text = ranked(cluster_, id);
    if (contains(possible_, name)) return text + ", and may be evicted instead";
    const std::string node(cluster_.text(cluster_.pod(id).spec.node_name));
    if (!node.empty() && node != answer_.node) {
      text += fmt::format(" and runs on {}", node);
      if (const std::string why = why_of(node); !why.empty()) text += ": " + why;
    }
    return text;
  }

  [[nodiscard]] auto why_of(const std::string& node) const -> std::string {
    const auto found = std::find_if(answer_.findings.begin(), answer_.findings.end(),
                                    [&](const NodeFinding& finding) { return finding.node == node; });
    return found == answer_.findings.end() ? std::string() : found->why;
  }

  [[nodiscard]] auto because_all(const Names& names) const -> std::vector<std::string> {
    std::vector<std::string> lines;
    for (const std::string& name : names) lines.push_back(because(name));
    if (answer_.subject) lines.push_back(ranked(cluster_, answer_.subject));
    return lines;
  }

  [[nodiscard]] auto got_victims() const -> std::string {
    std::string text = list_of(victims_);
    Names others = possible_;
    std::erase_if(others, [&](const std::string& name) { return contains(victims_, name); });
    if (!others.empty()) text += ", or " + joined_up_to(kShown, others);
    if (!answer_.node.empty())
      text +=
          fmt::format("  on {}", answer_.tied.size() > 1 ? joined(cluster_.names(answer_.tied), " or ") : answer_.node);
    return text;
  }

  void outcome() {
    const std::string got(outcome_name(answer_.outcome));
    if (expect_.outcome.empty() || contains(expect_.outcome, got)) return;
    miss("outcome", joined(expect_.outcome, " or "), fmt::format("{}: {}", got, answer_.sentence), context());
  }

  void nodes() {
    if (!expect_.nodes) return;
    Names got = cluster_.names(answer_.tied);
    if (got.empty() && !answer_.node.empty()) got.push_back(answer_.node);
    if (answer_.orders) {
      for (const Orders::OnNode& each : answer_.orders->nodes) insert(got, each.node);
    }
    Names want = *expect_.nodes;
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    if (got == want) return;
    miss("node", joined(want, " or "), got.empty() ? "none" : joined(got, " or "), context());
  }

  void victims(const ExpectedVictims& want) {
    if (want.exactly) {
      Names odd;  // names that are on only one of the two lists
      for (const std::string& name : want.exactly->pods) {
        if (!contains(certain_, name)) odd.push_back(name);
      }
      for (const std::string& name : possible_) {
        if (!contains(want.exactly->pods, name)) odd.push_back(name);
      }
      if (!odd.empty()) miss("victims", "exactly  " + list_of(want.exactly->pods), got_victims(), because_all(odd));
    }
    Names missing;
    for (const std::string& name : want.includes) {
      if (!contains(certain_, name)) missing.push_back(name);
    }
    if (!missing.empty()) miss("victims", "includes  " + list_of(want.includes), got_victims(), because_all(missing));
    Names taken;
    for (const std::string& name : want.excludes) {
      if (contains(possible_, name)) taken.push_back(name);
    }
    if (!taken.empty()) miss("victims", "excludes  " + list_of(want.excludes), got_victims(), because_all(taken));
    if (want.count && !want.count->holds(static_cast<std::int64_t>(victims_.size()))) {
      miss("victims", range_words(*want.count), fmt::format("{}: {}", victims_.size(), got_victims()),
           because_all(victims_));
    }
  }

  [[nodiscard]] auto find_tolerating(const std::string& name) const -> const Tolerating* {
    for (const Tolerating& each : answer_.tolerating) {
      if (cluster_.key(each.pod) == name) return &each;
    }
    return nullptr;
  }

  // Lines are folded if there are hundreds.
  [[nodiscard]] auto words_of(const Tolerating& tolerating) const -> std::string {
    for (const ToleratingLine& line : answer_.tolerating_lines) {
      if (line.pod == tolerating.pod) return tolerating_words(line, cluster_);
    }
    return tolerating_words(ToleratingLine{tolerating}, cluster_);
  }

  void tolerates(const ExpectedToleration& want) {
    const Tolerating* line = find_tolerating(want.pod);
    const std::string wanted = want.pod + (want.until.empty() ? "" : " until " + want.until);
    if (line == nullptr) {
      miss("tolerates", wanted, "it does not", because_all({want.pod}));
    } else if (!want.until.empty() && line->until != moment_of(want.until, now_)) {
      miss("tolerates", wanted, "until " + moment_words(line->until), {words_of(*line)});
    }
  }

  void not_tolerating(const std::string& pod) {
    const Tolerating* line = find_tolerating(pod);
    if (line != nullptr) miss("notTolerating", pod, "it tolerates", {words_of(*line)});
  }

  void violations(const Range& want) {
    std::int64_t most = 0;
    const Names tied = cluster_.names(answer_.tied);
    for (const NodeFinding& finding : answer_.findings) {
      const bool possible = finding.node == answer_.node || contains(tied, finding.node);
      if (possible) most = std::max<std::int64_t>(most, finding.pdb_violations);
    }
    if (answer_.outcome == Outcome::preempts && answer_.findings.empty()) {
      miss("pdbViolations", range_words(want), fmt::format("the {} engine does not count them", answer_.engine), {});
    } else if (!want.holds(most)) {
      miss("pdbViolations", range_words(want), fmt::format("{}", most), context());
    }
  }

  void spared(const Spared& spared) {
    const auto is_meant = meant(spared);
    Names taken;
    for (const std::string& name : possible_) {
      const PodId id = find_by_name(cluster_, name);
      if (id && is_meant(id)) taken.push_back(name);
    }
    if (!taken.empty()) miss("neverVictim", words_of(spared), got_victims(), because_all(taken));
  }

  void next_change() {
    if (expect_.next_change.empty() || answer_.next_change == moment_of(expect_.next_change, now_)) return;
    miss("nextChange", expect_.next_change, moment_words(answer_.next_change),
         answer_.next_change_words.empty() ? context() : std::vector{answer_.next_change_words});
  }

  const Expectation& expect_;
  const Answer& answer_;
  const Snapshot& cluster_;
  Instant now_;
  Names victims_, certain_, uncertain_, possible_;
  std::vector<Failed> failed_;
};

/// The queue of a pod or of its group; empty if there is none.
auto queue_of(const Pod& pod, const Snapshot& cluster) -> std::string_view {
  const auto label = [&](std::string_view key) {
    const Symbol symbol = cluster.symbol(key);
    return symbol ? cluster.text(pod.meta.labels.get(symbol)) : std::string_view();
  };
  const Symbol group_key = cluster.symbol("pod-group-name");
  const Symbol group = group_key ? pod.meta.annotations.get(group_key) : Symbol{};
  if (group) {
    for (const kai::PodGroup& each : cluster.objects().kai_pod_groups) {
      if (each.meta.ns == pod.meta.ns && each.meta.name == group) return cluster.text(each.spec.queue);
    }
  }
  if (const auto queue = label("kai.scheduler/queue"); !queue.empty()) return queue;
  return label("queue");
}

}  // namespace

auto possible_victims(const Answer& answer, const Snapshot& cluster) -> std::vector<std::string> {
  Names names;
  for (const PodId pod : previct::possible_victims(answer)) names.push_back(cluster.key(pod));
  if (answer.tied.size() < 2) return names;
  const Names tied = cluster.names(answer.tied);
  for (const NodeFinding& finding : answer.findings) {
    if (!contains(tied, finding.node)) continue;
    for (const PodId victim : finding.victims) insert(names, cluster.key(victim));
  }
  return names;
}

auto judge(const Expectation& expect, const Answer& answer, const Snapshot& cluster, Instant now)
    -> std::vector<Failed> {
  return Judge(expect, answer, cluster, now).run();
}

auto judge(const Expectation& expect, const Protections& protections, const Snapshot& cluster, Instant now)
    -> std::vector<Failed> {
  std::vector<Failed> failed;
  const std::map<PodId, const Protection*> longest = longest_by_pod(protections);
  const auto find = [&](const std::string& name) -> const Protection* {
    const auto row = longest.find(find_by_name(cluster, name));
    return row == longest.end() ? nullptr : row->second;
  };
  const auto because = [&](const std::string& name, const Protection* row) -> std::vector<std::string> {
    if (row != nullptr) {
      return {with_places(fmt::format("{}: {}{}", name, row->line.why,
                                      row->ended ? ", over since " + moment_words(row->line.until) : ""),
                          places_of(row->line.evidence, cluster.objects()))};
    }
    const PodId id = find_by_name(cluster, name);
    return {id ? ranked(cluster, id) : fmt::format("there is no pod {} in the state", name)};
  };
  for (const ExpectedToleration& want : expect.tolerates) {
    const Protection* row = find(want.pod);
    const std::string wanted = want.pod + (want.until.empty() ? "" : " until " + want.until);
    if (row == nullptr || row->ended) {
      failed.push_back({"tolerates", wanted, "it does not", because(want.pod, row)});
    } else if (!row->only_against.empty()) {
      failed.push_back({"tolerates", wanted, "only against " + row->only_against, because(want.pod, row)});
    } else if (!want.until.empty() && row->line.until != moment_of(want.until, now)) {
      failed.push_back({"tolerates", wanted, "until " + moment_words(row->line.until), because(want.pod, row)});
    }
  }
  for (const std::string& name : expect.not_tolerating) {
    const Protection* row = find(name);
    if (row != nullptr && !row->ended) {
      failed.push_back({"notTolerating", name, "until " + moment_words(row->line.until), because(name, row)});
    } else if (!find_by_name(cluster, name)) {
      failed.push_back({"notTolerating", name, "nothing", because(name, row)});
    }
  }
  return failed;
}

void Coverage::know(const Objects& objects) {
  for (const PriorityClass& each : objects.priority_classes) insert(classes, objects.symbols.text(each.meta.name));
  for (const kai::Queue& each : objects.kai_queues) insert(queues, objects.symbols.text(each.meta.name));
}

auto Coverage::percent() const -> std::uint32_t {
  // A pod may name a class that does not exist.
  const auto exercised = [](const std::vector<std::string>& all, const std::vector<std::string>& seen) {
    return std::count_if(all.begin(), all.end(), [&](const std::string& name) { return contains(seen, name); });
  };
  const std::size_t all = classes.size() + queues.size();
  if (all == 0) return 100;
  const auto seen = static_cast<std::size_t>(exercised(classes, classes_seen) + exercised(queues, queues_seen));
  return static_cast<std::uint32_t>(seen * 100 / all);
}

void Coverage::see(const Answer& answer, const Snapshot& cluster) {
  const auto pod = [&](PodId id) {
    insert(classes_seen, cluster.text(cluster.pod(id).spec.priority_class_name));
    insert(queues_seen, queue_of(cluster.pod(id), cluster));
  };
  if (answer.subject) pod(answer.subject);
  for (const Victim& line : answer.victims) {
    pod(line.pod);
    insert(rules_seen, line.rule);
  }
  for (const Tolerating& line : answer.tolerating) {
    pod(line.pod);
    insert(rules_seen, line.rule);
  }
}

void Coverage::see(const Protection& row, const Snapshot& cluster) {
  insert(classes_seen, cluster.text(cluster.pod(row.line.pod).spec.priority_class_name));
  insert(queues_seen, queue_of(cluster.pod(row.line.pod), cluster));
  insert(rules_seen, row.line.rule);
}

auto judge(const Lengths& expect, const QueueProtection& protection) -> std::vector<Failed> {
  const auto seconds = [](std::int64_t nanos) { return format_age(nanos / go::kNanosPerSecond); };
  const std::int64_t is = std::max<std::int64_t>(protection.nanos, 0);
  const bool short_of = expect.min && is < *expect.min;
  if (!short_of && (!expect.max || is <= *expect.max)) return {};
  const std::string want = expect.min == expect.max ? seconds(*expect.min)
                           : short_of               ? "at least " + seconds(*expect.min)
                                                    : "at most " + seconds(*expect.max);
  return {{"protectedFor", want, protection.length, {protection.path}}};
}

}  // namespace previct::suite
