#include "history/post_mortem.h"

#include "analysis/subject.h"
#include "base/contains.h"
#include "base/text.h"
#include "cluster/where_read.h"
#include "history/redactor.h"
#include "history/rerun.h"
#include "history/rewind.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace previct::history {
namespace {

/// `ml/train-big-0 (high, 9000)`
auto words_of_pod(const Snapshot& cluster, PodId id) -> std::string {
  const PodSpec& spec = cluster.pod(id).spec;
  const std::string_view name = cluster.text(spec.priority_class_name);
  if (name.empty()) return fmt::format("{} (priority {})", cluster.key(id), spec.priority);
  return fmt::format("{} ({}, {})", cluster.key(id), name, spec.priority);
}

/// Events write the kind in lower case.
auto kind_of(const Named& preemptor) -> std::string_view {
  return preemptor.kind == "podgroup" ? "PodGroup" : std::string_view(preemptor.kind);
}

/// The decision of one of several preemptors is rerun: this one becomes the reported preemptor.
void put_first(Disruption& disruption, PodId preemptor) {
  for (Disruption::Also& also : disruption.also_by) {
    if (!disruption.by || disruption.by->pod == preemptor || also.by.pod != preemptor) continue;
    std::swap(*disruption.by, also.by);
    if (!also.node.empty()) std::swap(disruption.node, also.node);
    return;
  }
}

/// Data of one input that is computed once.
class Investigation {
 public:
  explicit Investigation(const PostMortemInput& inquiry)
      : post_mortem_input_(inquiry),
        cluster_(inquiry.cluster),
        all_(disruptions(cluster_)),
        timeline_(cluster_),
        preemptions_(preemptions_of(cluster_, all_, timeline_)) {
    find_vanished();
  }

  auto one(std::string_view text, std::string_view ns) -> Result<PostMortem>;
  auto all(std::string_view ns) -> Result<std::vector<PostMortem>>;

 private:
  [[nodiscard]] auto about(const Disruption& disruption) -> Result<PostMortem>;
  [[nodiscard]] auto nothing_happened_to(PodId pod) const -> PostMortem;
  [[nodiscard]] auto nothing_happened_to_workload(const Subject& wanted) const -> Result<PostMortem>;
  [[nodiscard]] auto eviction_of_workload(PodId pod) const -> const Disruption*;
  void judge_workload(PostMortem& result);
  [[nodiscard]] auto no_such(const Subject& wanted) const -> Failure;
  [[nodiscard]] auto preemption_of(const Disruption& disruption) const -> const Preemption*;
  [[nodiscard]] auto words_of(const Named& preemptor) const -> std::string;
  [[nodiscard]] auto queue_of(const Named& preemptor) const -> std::string;
  void judge(PostMortem& result, const Preemption& preemption);
  auto rerun_decision(const Preemption& preemption) -> RerunResult&;
  void find_vanished();
  [[nodiscard]] auto read_at(const Pod& pod) const -> Instant;
  [[nodiscard]] auto is_outdated(PodId id) const -> bool;
  [[nodiscard]] auto doubt(const Preemption& preemption) -> std::string;
  [[nodiscard]] auto open_points(const PostMortem& result, const RerunResult& again, const Preemption& preemption)
      -> std::string;
  [[nodiscard]] auto tolerated(const Rerun& rerun, PodId victim) const -> std::string;
  [[nodiscard]] auto now_words(const Rerun::Victim& victim) const -> std::string;
  [[nodiscard]] auto forbidden(const PostMortem& result, const Preemption& preemption) const -> std::string;
  [[nodiscard]] auto difference(const Rerun& rerun, const Preemption& preemption) const -> std::string;

  const PostMortemInput& post_mortem_input_;
  const Snapshot& cluster_;
  std::vector<Disruption> all_;
  Timeline timeline_;
  std::vector<Preemption> preemptions_;
  std::vector<PodId> vanished_;
  std::map<std::uint32_t, Instant> read_at_;  // newest time of each input, by its files
  std::map<const Preemption*, RerunResult> reruns_;
  std::optional<Dumps> dumps_;  // read on demand
};

auto Investigation::one(std::string_view text, std::string_view ns) -> Result<PostMortem> {
  // The text is a uid if there is such a uid.
  for (const Disruption& d : all_) {
    if (!d.pod.uid.empty() && d.pod.uid == text) return about(d);
  }
  PREVICT_TRY(const Subject subject, read_subject(text, ns));
  if (subject.kind != "pod" && subject.kind != "workload")
    return fail("pods are preempted one by one; name one of the group's pods");
  const Disruption* last = nullptr;
  std::vector<const Disruption*> earlier;
  for (const Disruption& d : all_) {
    if (d.pod.kind != subject.kind || d.pod.ns != subject.ns || d.pod.name != subject.name) continue;
    if (last != nullptr) earlier.push_back(last);
    last = &d;
  }
  const PodId pod = subject.kind == "pod" ? cluster_.find_pod(subject.ns, subject.name) : PodId{};
  if (last == nullptr && subject.kind == "workload") return nothing_happened_to_workload(subject);
  if (last == nullptr) {
    if (const Disruption* const of_workload = pod ? eviction_of_workload(pod) : nullptr) return about(*of_workload);
    if (pod) return nothing_happened_to(pod);
    return tl::unexpected(no_such(subject));
  }
  PREVICT_TRY(PostMortem result, about(*last));
  for (const Disruption* d : earlier) {
    result.namesakes.push_back(fmt::format("{} at {}", d->pod.uid.empty() ? "another" : d->pod.uid,
                                           format_clock(d->at, post_mortem_input_.question.now)));
  }
  return result;
}

// A pod of an evicted workload ends because of that eviction.
auto Investigation::eviction_of_workload(PodId pod) const -> const Disruption* {
  const ObjectMeta& meta = cluster_.pod(pod).meta;
  for (const OwnerReference& owner : meta.owners) {
    for (const Engine* engine : engines()) {
      const auto found = engine->representative_of(cluster_, cluster_.text(owner.kind), cluster_.text(meta.ns),
                                                   cluster_.text(owner.name));
      if (!found) continue;
      for (const Disruption& d : all_) {
        if (d.pod.kind == engine->asked_kind() && d.pod.ns == found->ns && d.pod.name == found->name) return &d;
      }
    }
  }
  return nullptr;
}

auto Investigation::nothing_happened_to_workload(const Subject& wanted) const -> Result<PostMortem> {
  std::vector<std::string> names;
  for (const kueue::Workload& each : cluster_.objects().kueue_workloads) {
    if (cluster_.text(each.meta.ns) != wanted.ns) continue;
    names.emplace_back(cluster_.text(each.meta.name));
    if (names.back() != wanted.name) continue;
    PostMortem result;
    result.pod = {"workload", wanted.ns, wanted.name, std::string(cluster_.text(each.meta.uid)), {}};
    result.why = each.status.admission ? fmt::format("it has quota of ClusterQueue {}",
                                                     cluster_.text(each.status.admission->cluster_queue))
                                       : std::string("it is pending");
    return result;
  }
  const auto meant = nearest(wanted.name, names);
  return fail(fmt::format("no workload {}/{} {}{}", wanted.ns, wanted.name, where_read(cluster_.objects()),
                          meant ? fmt::format("; did you mean {}/{}?", wanted.ns, *meant) : ""));
}

// Reruns Kueue's decision, with the dump in which its preemptor is pending.
void Investigation::judge_workload(PostMortem& result) {
  const std::optional<Named>& by = result.disruption->by;
  result.why = result.disruption->detail;
  const std::string_view again = "; to repeat the decision, also pass a dump from before it (-f BEFORE -f AFTER)";
  constexpr std::string_view kAsked = "workload";
  const auto kueue = std::find_if(engines().begin(), engines().end(),
                                  [&](const Engine* engine) { return engine->asked_kind() == kAsked; });
  if (!dumps_) dumps_ = post_mortem_input_.dumps ? post_mortem_input_.dumps() : Dumps{};
  if (!by || by->name.empty() || kueue == engines().end()) return void(result.why += again);
  std::vector<std::string> observed = {fmt::format("workload/{}", result.pod.text())};
  for (const Named& other : result.others) observed.push_back(fmt::format("workload/{}", other.text()));
  std::sort(observed.begin(), observed.end());
  for (const auto& dump : *dumps_) {
    const Snapshot cluster(*dump);
    Question question = post_mortem_input_.question;
    question.kind = kAsked;
    question.ns = by->ns;
    question.name = by->name;
    question.now = result.disruption->at == Instant{} ? question.now : result.disruption->at;
    const auto verdict = (*kueue)->decide(cluster, question);
    if (!verdict || verdict->outcome != Outcome::preempts) continue;
    std::vector<std::string> evicted = verdict->evicted;
    std::sort(evicted.begin(), evicted.end());
    if (evicted == observed) {
      result.verdict = Verdict::expected;
      result.why += "; repeating the decision with the dump from before it gives the same victims";
      return;
    }
    result.why += fmt::format("; repeating the decision with the dump from before it, {} would preempt {}",
                              by->with_kind(), joined(verdict->evicted, ", "));
    return;
  }
  result.why += again;
}

auto Investigation::all(std::string_view ns) -> Result<std::vector<PostMortem>> {
  std::vector<PostMortem> out;
  for (const Disruption& d : all_) {
    const bool counts = is_preemption(d.cause) || d.cause == Cause::kubelet_critical;
    if (!counts || (!ns.empty() && d.pod.ns != ns)) continue;
    PREVICT_TRY(PostMortem result, about(d));
    out.push_back(std::move(result));
  }
  return out;
}

auto Investigation::no_such(const Subject& wanted) const -> Failure {
  std::vector<std::string> names;
  std::optional<std::string> meant;
  const auto add = [&](std::string_view ns, std::string_view name) {
    const bool own = ns == wanted.ns;
    if (own) names.emplace_back(name);
    // From other namespaces, only names that this reader may see.
    if (!own && name == wanted.name && !post_mortem_input_.hide_foreign) meant = fmt::format("{}/{}", ns, name);
  };
  for (const Pod& pod : cluster_.pods()) add(cluster_.text(pod.meta.ns), cluster_.text(pod.meta.name));
  for (const Disruption& d : all_) add(d.pod.ns, d.pod.name);
  if (const auto near = nearest(wanted.name, names); near && !meant) meant = fmt::format("{}/{}", wanted.ns, *near);
  return Failure{
      fmt::format("neither pod {}/{} nor an event that explains its end exists {}{}", wanted.ns, wanted.name,
                  where_pods_read(cluster_.objects(), wanted.ns),
                  meant ? fmt::format("; did you mean {}?", *meant) : ""),
      {},
      "the API server deletes events after an hour by default; to save them, use kubectl get events -A -o yaml"};
}

auto Investigation::nothing_happened_to(PodId pod) const -> PostMortem {
  const Pod& p = cluster_.pod(pod);
  PostMortem result;
  result.pod = {"pod", std::string(cluster_.text(p.meta.ns)), std::string(cluster_.text(p.meta.name)),
                std::string(cluster_.text(p.meta.uid)), pod};
  // Conditions that Kubernetes sets were handled before; Kueue and other programs set their own.
  const auto foreign = [&](const Condition& c) {
    const std::string_view type = cluster_.text(c.type);
    return (type == "DisruptionTarget" || type == "TerminationTarget") && c.status == cluster_.known().true_status;
  };
  const auto& conditions = p.status.conditions;
  if (const auto found = std::find_if(conditions.begin(), conditions.end(), foreign); found != conditions.end()) {
    result.verdict = Verdict::unclear;
    result.why = fmt::format("its condition {} has the reason {}, which no scheduler known to previct uses",
                             cluster_.text(found->type), cluster_.text(found->reason));
  } else if (cluster_.finished(pod)) {
    result.why = fmt::format("it has finished (phase {}{})", cluster_.text(p.status.phase),
                             p.status.reason ? fmt::format(", reason {}", cluster_.text(p.status.reason)) : "");
  } else if (p.meta.deleting) {
    result.why = "it is being deleted, and the input does not show for which pod";
  } else if (p.spec.node_name) {
    result.why = fmt::format("it is on {}", cluster_.text(p.spec.node_name));
  } else {
    result.why = "it is pending";
  }
  return result;
}

auto Investigation::preemption_of(const Disruption& disruption) const -> const Preemption* {
  // Of several preemptions with this victim, prefers that of the given preemptor.
  const Preemption* other = nullptr;
  for (const Preemption& p : preemptions_) {
    if (std::find(p.victims.begin(), p.victims.end(), &disruption) == p.victims.end()) continue;
    if (disruption.by && disruption.by->pod == p.preemptor) return &p;
    if (other == nullptr) other = &p;
  }
  return other;
}

auto Investigation::words_of(const Named& preemptor) const -> std::string {
  if (preemptor.pod) return words_of_pod(cluster_, preemptor.pod);
  if (preemptor.kind == "pod" || (preemptor.name.empty() && preemptor.uid.empty())) return preemptor.text();
  const std::string queue = queue_of(preemptor);
  return fmt::format("{} {}{}{}", kind_of(preemptor), preemptor.text(), queue.empty() ? "" : " of queue ", queue);
}

// The queue of a KAI pod group.
auto Investigation::queue_of(const Named& preemptor) const -> std::string {
  if (preemptor.kind != "podgroup" || post_mortem_input_.hide_foreign) return {};
  for (const kai::PodGroup& group : cluster_.objects().kai_pod_groups) {
    if (cluster_.text(group.meta.ns) == preemptor.ns && cluster_.text(group.meta.name) == preemptor.name)
      return std::string(cluster_.text(group.spec.queue));
  }
  return {};
}

auto Investigation::about(const Disruption& disruption) -> Result<PostMortem> {
  PostMortem result;
  result.pod = disruption.pod;
  result.disruption = disruption;
  if (post_mortem_input_.hide_foreign) {
    const std::string_view node = result.pod.pod ? cluster_.text(cluster_.pod(result.pod.pod).spec.node_name) : "";
    std::set<std::string, std::less<>> own = {result.pod.text(), result.pod.name, result.pod.ns,
                                              node.empty() ? disruption.node : std::string(node)};
    const auto add_own = [&](const Named& by) {
      if (by.ns == result.pod.ns) own.insert({by.name, fmt::format("{}/{}", by.ns, by.name)});
    };
    if (disruption.by) add_own(*disruption.by);
    for (const Disruption::Also& also : disruption.also_by) add_own(also.by);
    for (Sign& sign : result.disruption->signs) {
      if (sign.quoted) sign.what = without_names(sign.what, own);
    }
  }
  if (!is_preemption(disruption.cause)) {
    result.why = cause_words(disruption.cause);
    if (!disruption.detail.empty()) result.why += fmt::format(" ({})", disruption.detail);
    return result;
  }
  result.verdict = Verdict::unclear;
  const Preemption* preemption = preemption_of(disruption);
  if (preemption != nullptr) put_first(*result.disruption, preemption->preemptor);
  const std::optional<Named>& told = result.disruption->by;
  for (const Disruption& d : all_) {
    const auto by_the_same = [&](const Named& by) { return told && by.text() == told->text(); };
    const bool chosen =
        (d.by && by_the_same(*d.by)) || std::any_of(d.also_by.begin(), d.also_by.end(),
                                                    [&](const Disruption::Also& also) { return by_the_same(also.by); });
    const bool together = chosen && d.node == disruption.node;
    if (&d != &disruption && together) result.others.push_back(d.pod);
  }
  if (told) result.preemptor_words = words_of(*told);
  if (preemption != nullptr) {
    judge(result, *preemption);
  } else if (disruption.cause == Cause::kueue) {
    judge_workload(result);
  } else if (engine_of(disruption.cause) == nullptr) {
    result.why = "previct cannot repeat decisions of this kind";
  } else if (!disruption.by) {
    result.why = "the input does not show for which pod";
  } else if (disruption.by->kind != "pod" && engine_of(disruption.cause)->preempts_by_priority_class()) {
    result.why =
        fmt::format("its preemptor is a {}, and preemption for this kind is not modeled", kind_of(*disruption.by));
  } else {
    result.why = "its preemptor is not in the input: also pass the dump that has it (-f, twice)";
  }
  std::vector<std::string> others;
  for (const Disruption::Also& also : result.disruption->also_by) {
    const std::string words = words_of(also.by);
    if (also.by.kind == "pod" && also.by.text() != told->text() && !contains(others, words)) others.push_back(words);
  }
  if (!others.empty()) result.why += fmt::format("; {} also chose it", joined(others, ", "));
  return result;
}

void Investigation::judge(PostMortem& result, const Preemption& preemption) {
  const RerunResult& again = rerun_decision(preemption);
  if (again.rerun) result.rerun = *again.rerun;
  if (std::string why = forbidden(result, preemption); !why.empty()) {
    result.verdict = Verdict::unexpected;
    result.why = std::move(why);
    return;
  }
  if (!again.rerun) {
    result.why = again.rerun.error().message;
    return;
  }
  if (!again.lost.empty()) {
    result.why = fmt::format(
        "the input has neither {} nor a similar pod: also pass a dump from before the preemption (-f BEFORE -f AFTER)",
        joined(again.lost, " and "));
    result.rerun.reset();
    return;
  }
  if (!again.impossible.empty()) {
    result.why = fmt::format("the state of {} cannot be rebuilt from the input: {}",
                             format_clock(preemption.at, post_mortem_input_.question.now), again.impossible);
    result.rerun.reset();
    return;
  }
  if (result.rerun->same_node && result.rerun->same_victims) {
    result.verdict = Verdict::expected;
    result.why = fmt::format("repeated with the state of {}: {}same victims",
                             format_clock(preemption.at, post_mortem_input_.question.now),
                             preemption.node.empty() ? "" : "same node, ");
    return;
  }
  const std::string against = tolerated(*result.rerun, result.pod.pod);
  result.why = against.empty() ? difference(*result.rerun, preemption) : against;
  const std::string open = open_points(result, again, preemption);
  if (open.empty()) {
    result.verdict = Verdict::unexpected;
  } else {
    result.why += "; " + open;
  }
}

// Returns why the rerun may differ from the original decision; empty if it cannot.
auto Investigation::open_points(const PostMortem& result, const RerunResult& again, const Preemption& preemption)
    -> std::string {
  if (result.disruption->by_inferred) return "but the input does not prove that this pod was the preemptor";
  // A reconstructed victim may have been larger, smaller or older than its sibling.
  if (!again.rerun->copied_from.empty())
    return fmt::format("but {} is gone, and may have differed from {}", again.rerun->copied_from.front().first,
                       again.rerun->copied_from.front().second);
  if (!again.others_lost.empty())
    return fmt::format("but {}, which existed, is not in the input", joined(again.others_lost, ", "));
  if (again.rerun->answer.outcome == Outcome::unknown) return "so previct cannot conclude anything from it";
  const bool assumed_plugin = std::any_of(again.rerun->answer.gaps.begin(), again.rerun->answer.gaps.end(),
                                          [](const Gap& gap) { return gap.rule == GapRule::tolerates_by_annotations; });
  if (assumed_plugin) return "but the input does not show whether PreemptionToleration ran";
  if (again.ending > 0)
    return fmt::format("but the input does not show when {} ended",
                       again.ending == 1 ? "a pod that was terminating" : "pods that were terminating");
  if (again.rerun->depends_on_order) {
    return "but pods that are equal to the scheduler request different amounts, and the input does not show their "
           "order";
  }
  if (again.budgets_moved) return "but the input does not show how many disruptions the budgets allowed";
  return doubt(preemption);
}

// Returns what no state of the cluster allows: priorities and policies of pods never change.
auto Investigation::forbidden(const PostMortem& result, const Preemption& preemption) const -> std::string {
  const Pod& preemptor = cluster_.pod(preemption.preemptor);
  if (result.disruption->by_inferred || !preemption.engine->preempts_by_priority_class()) return {};
  if (preemptor.spec.preemption_policy == cluster_.known().never) {
    return fmt::format("{} has preemptionPolicy Never", cluster_.key(preemption.preemptor));
  }
  const PodId victim = result.pod.pod;
  if (victim && cluster_.pod(victim).spec.priority >= preemptor.spec.priority) {
    return fmt::format("its priority {} is not below the preemptor's {}", cluster_.pod(victim).spec.priority,
                       preemptor.spec.priority);
  }
  return {};
}

// Whether the victim tolerated the preemption, according to its class in the input.
auto Investigation::tolerated(const Rerun& rerun, PodId victim) const -> std::string {
  if (!victim) return {};
  for (const ToleratingLine& line : rerun.answer.tolerating_lines) {
    if (line.pod != victim) continue;
    return line.until.is_never() ? fmt::format("it tolerates the preemption {}", line.why)
                                 : fmt::format("it tolerated the preemption until {} ({})",
                                               format_clock(line.until, post_mortem_input_.question.now), line.why);
  }
  return {};
}

auto Investigation::rerun_decision(const Preemption& preemption) -> RerunResult& {
  const auto known = reruns_.find(&preemption);
  if (known != reruns_.end()) return known->second;
  const Rewind::Past past{cluster_, timeline_, all_, preemptions_, vanished_};
  RerunResult& made =
      reruns_.emplace(&preemption, history::rerun_decision(post_mortem_input_, past, preemption)).first->second;
  if (made.rerun) {
    for (Rerun::Victim& victim : made.rerun->victims) victim.now = now_words(victim);
  }
  return made;
}

// Finds pods of an earlier dump that are not in a later one and whose end has no trace.
void Investigation::find_vanished() {
  for (const InputRecord& input : post_mortem_input_.objects.inputs) {
    for (std::uint32_t file = input.file.index; file <= input.last.index; ++file) read_at_[file] = input.newest;
  }
  Instant newest;
  for (const Pod& pod : cluster_.pods()) newest = std::max(newest, read_at(pod));
  std::set<PodId> traced;
  for (const Disruption& d : all_) traced.insert(d.pod.pod);
  for (const Preemption& p : preemptions_) traced.insert(p.preemptor);
  for (const PodId id : cluster_.pods().ids()) {
    if (read_at(cluster_.pod(id)) < newest && !traced.contains(id)) vanished_.push_back(id);
  }
}

// The newest time in the input from which the pod was read.
auto Investigation::read_at(const Pod& pod) const -> Instant {
  const auto found = pod.meta.source.file ? read_at_.find(pod.meta.source.file.index) : read_at_.end();
  return found == read_at_.end() ? Instant::never() : found->second;
}

// Returns why the reconstructed state is uncertain; then no conclusion from it is certain.
auto Investigation::doubt(const Preemption& preemption) -> std::string {
  if (!dumps_) dumps_ = post_mortem_input_.dumps ? post_mortem_input_.dumps() : Dumps{};
  std::set<std::string> traced;
  for (const Disruption& d : all_) traced.insert(d.pod.uid);
  const Instant until = preemption.victims.empty() ? preemption.at : preemption.victims.front()->at;
  std::vector<Timeline::Sighting> sightings = timeline_.sightings();
  // A preemptor that only its victims mention made its decision some time before they were evicted.
  const auto see = [&](const Named& by, Instant evicted) {
    if (by.kind == "pod" && !by.pod && !by.uid.empty() && evicted <= until.plus_seconds(kSameMoment))
      sightings.push_back({by.uid, by.text(), std::min(evicted, until)});
  };
  for (const Disruption& d : all_) {
    if (d.by) see(*d.by, d.at);
    for (const Disruption::Also& also : d.also_by) see(also.by, also.at);
  }
  // Names of the input are redacted later; these are names of pods that only events contain.
  for (Timeline::Sighting& seen : sightings) {
    if (post_mortem_input_.hide_foreign) seen.name = seen.uid;
  }
  return why_state_may_differ(*dumps_, preemption.at, until, traced, sightings);
}

// A pod is gone if only an earlier dump has it although a later one has pods of its namespace.
auto Investigation::is_outdated(PodId id) const -> bool {
  const Pod& pod = cluster_.pod(id);
  const Instant read = read_at(pod);
  if (read.is_never()) return false;
  const auto later = [&](const Pod& other) {
    const Instant at = read_at(other);
    return other.meta.ns == pod.meta.ns && !at.is_never() && at > read;
  };
  return std::any_of(cluster_.pods().begin(), cluster_.pods().end(), later);
}

auto Investigation::now_words(const Rerun::Victim& victim) const -> std::string {
  const std::size_t slash = victim.pod.find('/');
  const PodId id = cluster_.find_pod(victim.pod.substr(0, slash), victim.pod.substr(slash + 1));
  if (!id || cluster_.text(cluster_.pod(id).meta.uid) != victim.uid) return "gone";
  if (is_outdated(id)) return "gone";
  const Pod& pod = cluster_.pod(id);
  if (cluster_.finished(id)) return std::string(cluster_.text(pod.status.phase));
  if (pod.meta.deleting) return "terminating";
  if (!victim.observed) return "still there";
  return pod.condition(cluster_.known().disruption_target) != nullptr ? "not deleted yet" : "as it was";
}

auto Investigation::difference(const Rerun& rerun, const Preemption& preemption) const -> std::string {
  const std::string at = format_clock(preemption.at, post_mortem_input_.question.now);
  const Answer& answer = rerun.answer;
  if (answer.outcome == Outcome::fits) {
    return fmt::format("repeated with the state of {}, {} fits without victims", at, answer.subject_name);
  }
  if (answer.outcome != Outcome::preempts) {
    return fmt::format("repeated with the state of {}, {} {}", at, answer.subject_name, answer.sentence);
  }
  std::vector<std::string> victims;
  for (const Rerun::Victim& victim : rerun.victims) victims.push_back(victim.pod);
  const std::string pods = joined(victims, ", ");
  if (preemption.node.empty()) return fmt::format("repeated with the state of {}, it would preempt {}", at, pods);
  return fmt::format("repeated with the state of {}, it would preempt {} on {}", at, pods,
                     rerun.same_node ? "the same node" : answer.node);
}

}  // namespace

auto verdict_name(Verdict verdict) -> std::string_view {
  switch (verdict) {
    case Verdict::expected: return "expected";
    case Verdict::unexpected: return "unexpected";
    case Verdict::unclear: return "unclear";
    case Verdict::not_preempted: return "not-preempted";
  }
  return "";
}

auto post_mortem(const PostMortemInput& inquiry, std::string_view pod, std::string_view ns) -> Result<PostMortem> {
  return Investigation(inquiry).one(pod, ns);
}

auto post_mortems(const PostMortemInput& inquiry, std::string_view ns) -> Result<std::vector<PostMortem>> {
  return Investigation(inquiry).all(ns);
}

}  // namespace previct::history
