#include "analysis/diff.h"

#include "analysis/explanation.h"
#include "api/known_class.h"
#include "base/contains.h"
#include "base/text.h"
#include "engine/required_kind.h"
#include "report/rows.h"
#include "tell/cause_counts.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace previct {
namespace {

constexpr std::size_t kMostTried = 64;          // changes that are reverted one at a time …
constexpr std::size_t kLeastTried = 4;          // … fewer of a large cluster, but at least these
constexpr std::size_t kMostWork = 100'000'000;  // pods of the cluster, and pairs of pod and node, for half a minute
constexpr std::size_t kFieldsShown = 8;         // per object
constexpr std::size_t kValueShown = 80;         // characters of a value
constexpr std::size_t kPairsShown = 20;         // of queues

/// A change that can be reverted: of an object, or of a configuration that is not an object.
struct Cause {
  std::string object;
  Change::How how = Change::How::changed;
  Place place;
  std::vector<FieldChange> fields;
  /// What it returns restores the stores.
  std::function<std::function<void(Stores&)>(Stores&, Question&)> revert;
  std::vector<std::string> decisions{};  // pods whose earlier decision returns without the change
  std::size_t shields = 0;               // number of pods whose earlier protection returns
  std::size_t queues = 0;                // number of pairs of queues whose earlier protection returns
  bool tried = false;

  [[nodiscard]] auto effective() const -> bool { return !decisions.empty() || shields > 0 || queues > 0; }
};

auto how_name(Change::How how) -> std::string_view {
  return how == Change::How::added ? "added" : how == Change::How::removed ? "removed" : "changed";
}

auto shown(const std::string& value) -> std::string {
  if (value.empty()) return "none";
  std::string text = value.substr(0, kValueShown);
  return value.size() > kValueShown ? text + "..." : text;
}

auto policy(const std::string& value) -> std::string {
  return value.empty() ? "PreemptLowerPriority (the default)" : shown(value);
}

auto decision_json(const ClusterDecisions& stock, const std::string& pod) -> Json {
  const auto found = stock.decisions.find(pod);
  if (found == stock.decisions.end()) return {{"present", false}};
  const Decision& decision = found->second;
  Json json{{"present", true}, {"answered", decision.asked}};
  if (decision.asked) json["outcome"] = outcome_name(decision.outcome);
  if (!decision.node.empty()) json["node"] = decision.node;
  if (decision.tied.size() > 1) json["tiedNodes"] = std::vector(decision.tied.begin(), decision.tied.end());
  json["victims"] = decision.victims;
  if (decision.possible.size() > decision.victims.size())
    json["possibleVictims"] = std::vector(decision.possible.begin(), decision.possible.end());
  json["summary"] = decision.sentence;
  if (!decision.next_change.is_never()) json["nextChange"] = format_instant(decision.next_change);
  return json;
}

auto words_at(const ClusterDecisions& stock, const std::string& pod) -> std::string {
  const auto found = stock.decisions.find(pod);
  return found == stock.decisions.end() ? "absent" : words_of(found->second);
}

auto shield_words(const ClusterDecisions& stock, const std::string& pod) -> std::string {
  const auto found = stock.shields.find(pod);
  return found == stock.shields.end() ? "none" : found->second.words;
}

auto queue_json(const QueueLength& length) -> Json {
  return {{"seconds", static_cast<double>(length.nanos) / 1e9}, {"setBy", length.set_by}};
}

auto config_words(const std::optional<ConfigFile>& file, const Files& files) -> std::string {
  return file ? files.name(file->file) : "";
}

class Differ {
 public:
  explicit Differ(const DiffInput& input) : in_(input), objects_(input.objects) {}

  auto run() -> Result<Diff> {
    const bool brief = in_.subjects.size() > kDecidedInFull;
    const auto evaluate = [&](bool later) {
      return evaluate_cluster(objects_, side(later, brief), in_.engine, in_.subjects);
    };
    {
      const Exchanged earlier(objects_, in_.before);
      PREVICT_TRY(before_, evaluate(false));
      default_before_ = default_of_new_pods();
    }
    PREVICT_TRY(after_, evaluate(true));
    compare_decisions();
    if (brief && !decided_.empty()) PREVICT_CHECK(decide_in_full());
    compare_protections();
    collect_causes();
    PREVICT_CHECK(try_causes());
    return report();
  }

 private:
  /// The earlier state is in the objects while this exists.
  class Exchanged {
   public:
    Exchanged(Stores& objects, Stores& before) : objects_(objects), before_(before) { std::swap(objects_, before_); }
    ~Exchanged() { std::swap(objects_, before_); }
    Exchanged(const Exchanged&) = delete;
    auto operator=(const Exchanged&) -> Exchanged& = delete;

   private:
    Stores& objects_;
    Stores& before_;
  };

  [[nodiscard]] auto side(bool later, bool brief) const -> Question {
    Question question = in_.sides[later ? 1 : 0].question;
    question.brief = brief;
    if (!brief) return question;
    question.among = in_.subjects.size();
    question.follows_assumptions = false;
    return question;
  }

  // About a change of the later side.
  [[nodiscard]] auto brief_question() const -> Question {
    Question question = side(true, in_.subjects.size() > kDecidedInFull);
    question.brief = true;
    return question;
  }

  void compare_decisions() {
    decided_.clear();
    one_sided_.clear();
    for (const std::string& pod : in_.subjects) {
      const auto earlier = before_.decisions.find(pod);
      const auto later = after_.decisions.find(pod);
      const bool both = earlier != before_.decisions.end() && later != after_.decisions.end();
      if (both && earlier->second == later->second) continue;
      (both ? decided_ : one_sided_).push_back(pod);
    }
  }

  // The first pods of which the brief decisions differ. In full, they may be the same.
  auto decide_in_full() -> Result<void> {
    const std::vector<std::string> first(
        decided_.begin(), decided_.begin() + static_cast<std::ptrdiff_t>(std::min(decided_.size(), kDecidedInFull)));
    PREVICT_CHECK(decide_subjects(Snapshot(objects_), side(true, false), in_.engine, first, after_));
    const Exchanged earlier(objects_, in_.before);
    PREVICT_CHECK(decide_subjects(Snapshot(objects_), side(false, false), in_.engine, first, before_));
    compare_decisions();
    return {};
  }

  void compare_protections() {
    std::vector<std::string> differ;
    for (const auto& [pod, shield] : before_.shields) {
      if (shield.words != shield_words(after_, pod)) differ.push_back(pod);
    }
    for (const auto& [pod, shield] : after_.shields) {
      if (!before_.shields.contains(pod)) differ.push_back(pod);
    }
    std::sort(differ.begin(), differ.end());
    if (!differ.empty()) {
      const std::set<std::string> were_there = pod_names(in_.before);
      const std::set<std::string> are_there = pod_names(objects_);
      std::copy_if(differ.begin(), differ.end(), std::back_inserter(shields_),
                   [&](const std::string& pod) { return were_there.contains(pod) && are_there.contains(pod); });
    }
    for (const auto& [pair, length] : before_.queues) {
      const auto later = after_.queues.find(pair);
      if (later != after_.queues.end() && later->second != length) queues_.push_back(pair);
    }
  }

  [[nodiscard]] auto pod_names(const Stores& stores) const -> std::set<std::string> {
    std::set<std::string> names;
    for (const Pod& pod : stores.pods) {
      names.insert(fmt::format("{}/{}", objects_.symbols.text(pod.meta.ns), objects_.symbols.text(pod.meta.name)));
    }
    return names;
  }

  // ---- causes

  void collect_causes() {
    for (const ConfigurationKind& kind : configuration_kinds()) configuration(kind.title, kind.member);
    for (Change& change : changes_between(in_.before, objects_)) {
      causes_.push_back({std::move(change.object), change.how, change.place, std::move(change.fields),
                         [revert = std::move(change.revert)](Stores& s, Question&) { return revert(s); }});
    }
  }

  void configuration(std::string_view what, std::optional<ConfigFile> Configurations::*member) {
    const auto& old_file = in_.sides[0].question.*member;
    const auto& new_file = in_.sides[1].question.*member;
    const std::string old_bytes = old_file ? old_file->bytes : "";
    const std::string new_bytes = new_file ? new_file->bytes : "";
    if (old_bytes == new_bytes) return;
    const Change::How how = !old_file ? Change::How::added : !new_file ? Change::How::removed : Change::How::changed;
    causes_.push_back({fmt::format("{} {}", what, config_words(new_file ? new_file : old_file, objects_.files)),
                       how,
                       Place{(new_file ? new_file : old_file)->file},
                       {},
                       [old_file, member](Stores&, Question& q) -> std::function<void(Stores&)> {
                         q.*member = old_file;
                         return [](Stores&) {};
                       }});
  }

  // The pods whose decision is the earlier one if the later state is asked about at the earlier time.
  auto try_earlier_time() -> Result<void> {
    if (before_.now == after_.now || decided_.empty()) return {};
    Question question = brief_question();
    question.now = before_.now;
    const auto then = evaluate_cluster(objects_, question, in_.engine, decided_);
    if (!then) return {};
    for (const std::string& pod : decided_) {
      const auto found = then->decisions.find(pod);
      if (found != then->decisions.end() && found->second == before_.decisions[pod]) by_time_.push_back(pod);
    }
    return {};
  }

  auto try_causes() -> Result<void> {
    if (decided_.empty() && shields_.empty() && queues_.empty()) return {};
    PREVICT_CHECK(try_earlier_time());
    const std::size_t work = 1 + objects_.pods.size() + decided_.size() * objects_.nodes.size();
    to_try_ = std::min(causes_.size(), std::clamp(kMostWork / work, kLeastTried, kMostTried));
    for (Cause& cause : std::span(causes_).first(to_try_)) {
      Question question = brief_question();
      const auto restore = cause.revert(objects_, question);
      const auto without = evaluate_cluster(objects_, question, in_.engine, decided_);
      restore(objects_);
      // Without the change the state may be inconsistent (pods need a class that is gone); that says nothing about the
      // cause.
      if (!without) continue;
      cause.tried = true;
      for (const std::string& pod : decided_) {
        const auto found = without->decisions.find(pod);
        if (found != without->decisions.end() && found->second == before_.decisions[pod])
          cause.decisions.push_back(pod);
      }
      for (const std::string& pod : shields_) {
        if (shield_words(*without, pod) == shield_words(before_, pod)) ++cause.shields;
      }
      for (const QueuePair& pair : queues_) {
        const auto found = without->queues.find(pair);
        if (found != without->queues.end() && found->second == before_.queues.at(pair)) ++cause.queues;
      }
    }
    return {};
  }

  // ---- report

  auto report() -> Diff {
    const Snapshot cluster(objects_);
    const ReportContext context{.cluster = cluster,
                                .now = after_.now,
                                .now_source = in_.now_source,
                                .input_gaps = in_.input_gaps,
                                .arrivals = in_.arrivals};
    Provenance provenance(context);
    for (const ClusterDecisions* side : {&before_, &after_}) {
      for (const ClusterDecisions::Rules& rules : side->rules) provenance.add(rules.engine, rules.behaves, {});
    }
    provenance.add("", "", after_.gaps);
    // One side may make assumptions that the other does not make.
    std::vector<Gap> earlier = before_.gaps;
    for (Gap& gap : earlier) {
      const bool told =
          std::any_of(after_.gaps.begin(), after_.gaps.end(), [&](const Gap& each) { return same_gap(each, gap); });
      gap.only_before = gap.kind() == GapKind::assumption && !told;
    }
    provenance.add("", "", earlier);
    Report report;
    report.blocks.emplace_back(Line{{{sentence(), Tone::verdict}}});
    for (Line& line : provenance.lines(when(), in_.remarks.empty() ? "" : "after: " + joined(in_.remarks, "; "))) {
      report.blocks.emplace_back(std::move(line));
    }
    if (!decided_.empty() || !one_sided_.empty()) report.blocks.emplace_back(decision_table());
    if (!shields_.empty()) report.blocks.emplace_back(shield_table());
    if (!queues_.empty()) report.blocks.emplace_back(queue_table());
    if (const std::size_t many = std::max(before_.queues_left_out, after_.queues_left_out); many > 0) {
      report.blocks.emplace_back(Line{{{fmt::format("the {} between {} leaf queues is not compared: they are too many",
                                                    after_.queue_setting, many)}}});
    }
    if (auto causes = cause_lines(); !causes.lines.empty()) report.blocks.emplace_back(std::move(causes));
    report.data = data(provenance);
    report.names = decided_;
    return {std::move(report), !decided_.empty(), std::move(provenance)};
  }

  [[nodiscard]] auto sentence() const -> std::string { return unknown() + comparison(); }

  // What is not known on either side, so that no difference shows.
  [[nodiscard]] auto unknown() const -> std::string {
    if (lacks(objects_, kinds::pods)) return fmt::format("{}. Without them: ", kWithoutPods);
    return doubt_of_rollouts(in_.input_gaps) + of_pods();
  }

  [[nodiscard]] auto of_pods() const -> std::string {
    const auto pods = static_cast<std::size_t>(std::count_if(in_.subjects.begin(), in_.subjects.end(),
                                                             [&](const std::string& pod) { return is_unknown(pod); }));
    if (pods == 0) return {};
    CauseCounts because;
    for (const Gap& gap : after_.gaps) {
      if (gap.decides) because.add(gap);
    }
    return fmt::format("cannot tell about {}{}. Without {}: ", counted(pods, noun(), noun() + "s"),
                       because.words().empty() ? " on either side"
                       : because.is_one()      ? ", because " + because.words()
                                               : " for several reasons (below)",
                       pods == 1 ? "it" : "them");
  }

  // `pending pod`, `pending workload`; `pending object` if there are several kinds. The kind precedes the namespace.
  [[nodiscard]] auto noun() const -> std::string {
    std::set<std::string> kinds;
    for (const std::string& each : in_.subjects) {
      const std::size_t first = each.find('/');
      kinds.insert(each.find('/', first + 1) == std::string::npos ? "pod" : each.substr(0, first));
    }
    return kinds.empty() ? "pending pod" : kinds.size() == 1 ? "pending " + *kinds.begin() : "pending object";
  }

  // Returns true if neither side knows what is decided about the pod.
  [[nodiscard]] auto is_unknown(const std::string& pod) const -> bool {
    const auto on = [&](const ClusterDecisions& side) {
      const auto found = side.decisions.find(pod);
      return found != side.decisions.end() && found->second.outcome == Outcome::unknown;
    };
    return on(before_) && on(after_);
  }

  [[nodiscard]] auto comparison() const -> std::string {
    const std::size_t both =
        static_cast<std::size_t>(std::count_if(in_.subjects.begin(), in_.subjects.end(), [&](const std::string& pod) {
          return before_.decisions.contains(pod) && after_.decisions.contains(pod) && !is_unknown(pod);
        }));
    const std::string asked = counted(both, noun(), noun() + "s");
    if (decided_.empty() && shields_.empty() && one_sided_.empty() && queues_.empty()) {
      std::string alike = fmt::format("{} decided in the same way", asked);
      if (after_.knows_protection)
        alike += fmt::format(", {} protected in the same way", counted(after_.shields.size(), "pod", "pods"));
      const std::vector<std::string> later = for_new_pods();
      const bool all = before_.queues_left_out == 0 && after_.queues_left_out == 0;
      return later.empty() ? fmt::format("nothing differs{}: {}.", all ? "" : " in what was compared", alike)
                           : fmt::format("nothing differs for pods that exist: {}; {}.", alike, joined(later, "; "));
    }
    std::string text = in_.subjects.empty() ? std::string("no pod is pending")
                       : both == 0          ? std::string("no pending pod is on both sides")
                                   : fmt::format("{} of {} would be decided differently", decided_.size(), asked);
    if (!one_sided_.empty()) {
      const std::string more = both == 0 ? "" : " more";
      text += one_sided_.size() == 1 ? fmt::format("; 1{} is on one side only", more)
                                     : fmt::format("; {}{} are on one side only", one_sided_.size(), more);
    }
    if (after_.knows_protection)
      text += shields_.size() == 1 ? std::string("; the protection of 1 running pod changes")
                                   : fmt::format("; the protection of {} running pods changes", shields_.size());
    if (!queues_.empty()) {
      text += fmt::format("; the {} between {} changes", after_.queue_setting,
                          counted(queues_.size(), "pair of leaf queues", "pairs of leaf queues"));
    }
    for (const std::string& later : for_new_pods()) text += "; " + later;
    return text + ".";
  }

  // The name of the global default; empty if there is none.
  [[nodiscard]] auto default_of_new_pods() const -> std::string {
    const PriorityClass* usual = default_class(objects_);
    return usual == nullptr ? std::string() : std::string(objects_.symbols.text(usual->meta.name));
  }

  // Existing pods keep the priority and the policy that their class gave them at creation, so a class that is changed,
  // added or removed affects new pods.
  // `new pods of class critical get priority 50 instead of 9500`
  [[nodiscard]] auto for_new_pods() const -> std::vector<std::string> {
    std::vector<std::string> out;
    constexpr std::string_view kKind = "PriorityClass/";
    for (const Cause& cause : causes_) {
      // Admission applies these to pods at their creation.
      if (cause.object.starts_with("LimitRange/") || cause.object.starts_with("RuntimeClass/"))
        out.push_back(fmt::format("{} is {}, which may change new pods", cause.object, how_name(cause.how)));
      if (!cause.object.starts_with(kKind)) continue;
      const std::string name = cause.object.substr(kKind.size());
      if (cause.how == Change::How::removed && knows_classes() && !known_class(objects_.symbols.find(name), objects_))
        out.push_back(fmt::format("new pods of class {} are refused", name));
      if (cause.how != Change::How::changed) continue;
      for (const FieldChange& field : cause.fields) {
        if (field.path == "value") {
          out.push_back(
              fmt::format("new pods of class {} get priority {} instead of {}", name, field.after, field.before));
        } else if (field.path == "preemptionPolicy") {
          out.push_back(fmt::format("new pods of class {} get preemptionPolicy {} instead of {}", name,
                                    policy(field.after), policy(field.before)));
        }
      }
    }
    const std::string usual = default_of_new_pods();
    if (usual == default_before_) return out;
    if (!default_before_.empty() && knows_classes())
      out.push_back(fmt::format("class {} is no longer the default of new pods", default_before_));
    if (!usual.empty()) {
      out.push_back(fmt::format("class {} is now the default of new pods, which get priority {}", usual,
                                default_class(objects_)->value));
    }
    return out;
  }

  // Every cluster has classes, so a later dump without any may have left them out; an overlay leaves out none.
  [[nodiscard]] auto knows_classes() const -> bool {
    return !objects_.priority_classes.empty() || !in_.remarks.empty();
  }

  // Two moments, only if two dumps are compared.
  [[nodiscard]] auto when() const -> std::string {
    if (before_.now == after_.now) return {};
    return fmt::format("as of {} UTC before and {} UTC after", format_clock(before_.now, Instant{}),
                       format_clock(after_.now, Instant{}));
  }

  [[nodiscard]] auto changed_pods() const -> std::vector<std::string> {
    std::vector<std::string> pods = decided_;
    pods.insert(pods.end(), one_sided_.begin(), one_sided_.end());
    return pods;
  }

  [[nodiscard]] auto decision_row() const {
    return [this](Row& row, const std::string& pod) {
      row.text("POD", pod).key("pod");
      row.text("BEFORE", words_at(before_, pod)).key("before", decision_json(before_, pod));
      row.text("AFTER", words_at(after_, pod), Tone::verdict).key("after", decision_json(after_, pod));
    };
  }

  [[nodiscard]] auto decision_table() const -> Table { return table_of(changed_pods(), decision_row()); }
  [[nodiscard]] auto shield_table() const -> Table { return table_of(shield_groups(), shield_row); }

  [[nodiscard]] auto class_of(const std::string& pod) const -> std::string {
    const auto found = after_.shields.find(pod);
    if (found != after_.shields.end()) return found->second.priority_class;
    return before_.shields.at(pod).priority_class;
  }

  using ShieldChange = std::tuple<std::string, std::string, std::string>;  // class, before, after

  [[nodiscard]] auto shield_groups() const -> std::map<ShieldChange, std::vector<std::string>> {
    std::map<ShieldChange, std::vector<std::string>> groups;
    for (const std::string& pod : shields_) {
      groups[{class_of(pod), shield_words(before_, pod), shield_words(after_, pod)}].push_back(pod);
    }
    return groups;
  }

  static void shield_row(Row& row, const std::pair<const ShieldChange, std::vector<std::string>>& group) {
    const auto& [priority_class, before, after] = group.first;
    row.text("PROTECTION OF CLASS", priority_class).key("class");
    row.number("PODS", group.second.size());
    row.text("BEFORE", before).key("before");
    row.text("AFTER", after, Tone::verdict).key("after").key("pods", group.second);
  }

  // A pair in each row: what changes for several of them may come from different queues.
  [[nodiscard]] auto queue_row() const {
    return [this](Row& row, const QueuePair& pair) {
      const QueueLength& before = before_.queues.at(pair);
      const QueueLength& after = after_.queues.at(pair);
      row.text("VICTIM QUEUE", pair.victim).key("victim");
      row.text("PREEMPTOR", pair.preemptor).key("preemptor");
      row.text("ACTION", after.action).key("action");
      row.text("BEFORE", before.words()).key("before", queue_json(before));
      row.text("AFTER", after.words(), Tone::verdict).key("after", queue_json(after));
    };
  }

  [[nodiscard]] auto queue_table() const -> Table {
    Table table = table_of(std::span(queues_).first(std::min(queues_.size(), kPairsShown)), queue_row());
    if (queues_.size() > kPairsShown)
      table.footer.push_back({{{fmt::format("+ {} more pairs (-o json has all)", queues_.size() - kPairsShown)}}});
    return table;
  }

  [[nodiscard]] auto place_words(const Place& place) const -> std::string {
    const std::string text = objects_.files.describe(place);
    return text.empty() ? "" : fmt::format(" ({})", text);
  }

  [[nodiscard]] auto cause_lines() const -> Paragraph {
    Paragraph paragraph;
    const auto add = [&](std::string text) { paragraph.lines.push_back({{{std::move(text)}}}); };
    if (!by_time_.empty())
      add(fmt::format("cause: the time: {} -> {}", format_instant(before_.now), format_instant(after_.now)));
    for (const Cause& cause : causes_) {
      if (!cause.effective()) continue;
      if (cause.how != Change::How::changed || cause.fields.empty()) {
        add(fmt::format("cause: {} {}{}", cause.object, how_name(cause.how), place_words(cause.place)));
      }
      for (std::size_t i = 0; i < cause.fields.size() && i < kFieldsShown; ++i) {
        const FieldChange& field = cause.fields[i];
        add(fmt::format("cause: {} {}: {} -> {}{}", cause.object, field.path, shown(field.before), shown(field.after),
                        place_words(field.place)));
      }
      if (cause.fields.size() > kFieldsShown)
        add(fmt::format("... and {} more fields", cause.fields.size() - kFieldsShown));
    }
    const std::vector<std::string> open = unexplained();
    if (!open.empty()) {
      const std::string pods = joined(open, ", ");
      const bool later = before_.now != after_.now;
      add(causes_.empty() ? fmt::format("no object that previct reads has changed: {} follows from {}", pods,
                                        later ? "the other time" : "the order of the objects")
          : causes_.size() == 1
              ? fmt::format("reverting the only change does not revert {}{}", pods,
                            later ? ", and neither does the earlier time" : "")
              : fmt::format("no single change explains {}: {} together do{}", pods,
                            counted(causes_.size(), "change", "changes"), later ? ", or the other time" : ""));
    }
    if (causes_.size() > to_try_ && (!decided_.empty() || !shields_.empty() || !queues_.empty()))
      add(fmt::format("{} of {} changes were not tried separately", causes_.size() - to_try_, causes_.size()));
    return paragraph;
  }

  [[nodiscard]] auto unexplained() const -> std::vector<std::string> {
    std::vector<std::string> open;
    for (const std::string& pod : decided_) {
      const bool explained =
          contains(by_time_, pod) || std::any_of(causes_.begin(), causes_.end(),
                                                 [&](const Cause& cause) { return contains(cause.decisions, pod); });
      if (!explained) open.push_back(pod);
    }
    return open;
  }

  [[nodiscard]] auto change_json(const Cause& cause) const -> Json {
    Json json{{"object", cause.object}, {"change", how_name(cause.how)}};
    if (cause.place.file) json["source"] = place_json(objects_.files, cause.place);
    json["fields"] = Json::array();
    for (const FieldChange& field : cause.fields) {
      Json entry{{"field", field.path}};
      if (!field.before.empty()) entry["before"] = field.before;
      if (!field.after.empty()) entry["after"] = field.after;
      if (field.place.file) entry["source"] = place_json(objects_.files, field.place);
      json["fields"].push_back(std::move(entry));
    }
    json["tried"] = cause.tried;
    json["causes"] = {{"decisions", cause.decisions}, {"protections", cause.shields}, {"queuePairs", cause.queues}};
    return json;
  }

  [[nodiscard]] auto data(const Provenance& provenance) const -> Json {
    Json json = provenance.document("DiffReport");
    for (const bool later : {false, true}) {
      json[later ? "after" : "before"] = {{"state", in_.sides[later ? 1 : 0].label},
                                          {"now", format_instant((later ? after_ : before_).now)}};
    }
    json["summary"] = {{"asked", in_.subjects.size()},
                       {"decisionsDiffer", decided_.size()},
                       {"onOneSideOnly", one_sided_.size()},
                       {"protectionsDiffer", shields_.size()},
                       {"queuePairsDiffer", queues_.size()}};
    if (const auto later = for_new_pods(); !later.empty()) json["summary"]["forNewPods"] = later;
    json["decisions"] = list_of(changed_pods(), decision_row());
    json["protections"] = list_of(shield_groups(), shield_row);
    json["queuePairs"] = list_of(queues_, queue_row());
    if (!by_time_.empty()) json["byTime"] = by_time_;
    json["changes"] = Json::array();
    for (const Cause& cause : causes_) json["changes"].push_back(change_json(cause));
    json["incomplete"] = Json::array();
    for (const Gap& gap : provenance.gaps()) {
      if (gap.kind() != GapKind::assumption)
        json["incomplete"].push_back({{"what", what_words(gap)}, {"weakens", follows_words(gap)}});
    }
    return json;
  }

  const DiffInput& in_;
  Objects& objects_;
  ClusterDecisions before_, after_;
  std::vector<std::string> decided_;    // decided on both sides, differently
  std::vector<std::string> one_sided_;  // decided on one side only
  std::vector<std::string> shields_;    // pods whose protection differs
  std::vector<QueuePair> queues_;       // whose protection differs; both are there on both sides
  std::vector<Cause> causes_;
  std::size_t to_try_ = 0;            // the number of causes that are reverted one at a time
  std::string default_before_;        // the class of new pods that name none; empty: none
  std::vector<std::string> by_time_;  // of decided_: those that the time explains
};

}  // namespace

auto diff(const DiffInput& input) -> Result<Diff> {
  return Differ(input).run();
}

}  // namespace previct
