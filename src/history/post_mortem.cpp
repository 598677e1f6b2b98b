#include "history/post_mortem.h"

#include "analysis/subject.h"
#include "base/contains.h"
#include "base/text.h"
#include "history/rewind.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace previct::history {
namespace {

/// `ml/train-big-0 (high, 9000)`
auto words_of(const Snapshot& cluster, PodId id) -> std::string {
  const PodSpec& spec = cluster.pod(id).spec;
  const std::string_view name = cluster.text(spec.priority_class_name);
  if (name.empty()) return fmt::format("{} (priority {})", cluster.key(id), spec.priority);
  return fmt::format("{} ({}, {})", cluster.key(id), name, spec.priority);
}

/// One input, with everything that was found of it once.
class Investigation {
 public:
  explicit Investigation(const Inquest& inquest)
      : inquest_(inquest), cluster_(inquest.objects), all_(disruptions(cluster_)), preemptions_(preemptions_of(all_)) {}

  auto one(std::string_view text, std::string_view ns) -> Result<PostMortem>;
  auto all(std::string_view ns) -> Result<std::vector<PostMortem>>;

 private:
  [[nodiscard]] auto about(const Disruption& disruption) -> Result<PostMortem>;
  [[nodiscard]] auto nothing_happened_to(PodId pod) const -> PostMortem;
  [[nodiscard]] auto no_such(const Subject& wanted) const -> Failure;
  [[nodiscard]] auto preemption_of(const Disruption& disruption) const -> const Preemption*;
  void judge(PostMortem& result, const Preemption& preemption);
  auto run_again(const Preemption& preemption) -> Result<const Rerun*>;
  static void compare(Rerun& rerun, const Snapshot& then, const Preemption& preemption, bool under_way);
  [[nodiscard]] auto now_words(const Rerun::Victim& victim) const -> std::string;
  [[nodiscard]] auto forbidden(const PostMortem& result, const Preemption& preemption) const -> std::string;
  [[nodiscard]] auto difference(const Rerun& rerun, const Preemption& preemption) const -> std::string;

  const Inquest& inquest_;
  Snapshot cluster_;
  std::vector<Disruption> all_;
  std::vector<Preemption> preemptions_;
  struct Again {
    Result<Rerun> rerun;
    std::vector<std::string> lost;
  };
  std::map<const Preemption*, Again> reruns_;
};

auto Investigation::one(std::string_view text, std::string_view ns) -> Result<PostMortem> {
  // A uid is meant if there is such a one.
  for (const Disruption& d : all_) {
    if (!d.pod.uid.empty() && d.pod.uid == text) return about(d);
  }
  PREVICT_TRY(const Subject subject, read_subject(text, ns));
  if (subject.kind != "pod") return fail("pods are preempted one by one; name one of the group's pods");
  const Disruption* last = nullptr;
  std::vector<const Disruption*> earlier;
  for (const Disruption& d : all_) {
    if (d.pod.ns != subject.ns || d.pod.name != subject.name) continue;
    if (last != nullptr) earlier.push_back(last);
    last = &d;
  }
  const PodId pod = cluster_.find_pod(subject.ns, subject.name);
  if (last == nullptr) {
    if (pod) return nothing_happened_to(pod);
    return tl::unexpected(no_such(subject));
  }
  PREVICT_TRY(PostMortem result, about(*last));
  for (const Disruption* d : earlier) {
    result.namesakes.push_back(fmt::format("{} at {}", d->pod.uid.empty() ? "another" : d->pod.uid,
                                           format_clock(d->at, inquest_.question.now)));
  }
  return result;
}

auto Investigation::all(std::string_view ns) -> Result<std::vector<PostMortem>> {
  std::vector<PostMortem> out;
  for (const Disruption& d : all_) {
    if (!is_preemption(d.cause) || (!ns.empty() && d.pod.ns != ns)) continue;
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
    // Of other namespaces only what is not hidden from this reader.
    if (!own && name == wanted.name && !inquest_.hide_foreign) meant = fmt::format("{}/{}", ns, name);
  };
  for (const Pod& pod : cluster_.pods()) add(cluster_.text(pod.meta.ns), cluster_.text(pod.meta.name));
  for (const Disruption& d : all_) add(d.pod.ns, d.pod.name);
  if (const auto near = nearest(wanted.name, names); near && !meant) meant = fmt::format("{}/{}", wanted.ns, *near);
  return Failure{
      fmt::format("neither pod {}/{} nor an event about it is in the input{}", wanted.ns, wanted.name,
                  meant ? fmt::format("; did you mean {}?", *meant) : ""),
      {},
      "the API server deletes events after an hour by default; to save them, use kubectl get events -A -o yaml"};
}

auto Investigation::nothing_happened_to(PodId pod) const -> PostMortem {
  const Pod& p = cluster_.pod(pod);
  PostMortem result;
  result.pod = {"pod", std::string(cluster_.text(p.meta.ns)), std::string(cluster_.text(p.meta.name)),
                std::string(cluster_.text(p.meta.uid)), pod};
  if (cluster_.finished(pod)) {
    result.why = fmt::format("it has finished (phase {})", cluster_.text(p.status.phase));
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
  for (const Preemption& p : preemptions_) {
    if (std::find(p.victims.begin(), p.victims.end(), &disruption) != p.victims.end()) return &p;
  }
  return nullptr;
}

auto Investigation::about(const Disruption& disruption) -> Result<PostMortem> {
  PostMortem result;
  result.pod = disruption.pod;
  result.disruption = disruption;
  if (!is_preemption(disruption.cause)) {
    result.why = cause_words(disruption.cause);
    return result;
  }
  result.verdict = Verdict::unclear;
  for (const Disruption& d : all_) {
    const bool together = disruption.by && d.by && d.by->text() == disruption.by->text() && d.node == disruption.node;
    if (&d != &disruption && together) result.others.push_back(d.pod);
  }
  const Preemption* preemption = preemption_of(disruption);
  if (disruption.by) {
    result.preemptor_words = disruption.by->pod ? words_of(cluster_, disruption.by->pod)
                             : disruption.by->kind == "pod"
                                 ? disruption.by->text()
                                 : fmt::format("{} {}", disruption.by->kind, disruption.by->text());
  }
  if (preemption != nullptr) {
    judge(result, *preemption);
  } else if (disruption.cause != Cause::preemption && disruption.cause != Cause::unnamed_scheduler) {
    result.why = "only decisions of kube-scheduler can be run again";
  } else if (!disruption.by) {
    result.why = "the input does not show for which pod";
  } else if (disruption.by->kind != "pod") {
    result.why = fmt::format("its preemptor is a {}, and preemption for those is not modelled", disruption.by->kind);
  } else {
    result.why = "its preemptor is no longer in the input";
  }
  return result;
}

void Investigation::judge(PostMortem& result, const Preemption& preemption) {
  const Result<const Rerun*> rerun = run_again(preemption);
  if (rerun) result.rerun = **rerun;
  if (std::string why = forbidden(result, preemption); !why.empty()) {
    result.verdict = Verdict::unexpected;
    result.why = std::move(why);
    return;
  }
  if (!rerun) {
    result.why = rerun.error().message;
    return;
  }
  if (const auto& lost = reruns_.at(&preemption).lost; !lost.empty()) {
    result.why =
        fmt::format("{} {} gone from the input, and nothing like {} is in it: pass an earlier dump as well (-f, twice)",
                    joined(lost, ", "), lost.size() == 1 ? "is" : "are", lost.size() == 1 ? "it" : "them");
    result.rerun.reset();
    return;
  }
  if (result.rerun->same_node && result.rerun->same_victims) {
    result.verdict = Verdict::expected;
    result.why = fmt::format("run again with the state of {}: same node, same victims",
                             format_clock(preemption.at, inquest_.question.now));
    return;
  }
  result.why = difference(*result.rerun, preemption);
  // A guessed victim may have been larger, smaller or older than its sibling.
  if (result.rerun->made_after.empty() && !result.disruption->by_inferred) result.verdict = Verdict::unexpected;
}

// What no state of the cluster allows.
auto Investigation::forbidden(const PostMortem& result, const Preemption& preemption) const -> std::string {
  const Pod& preemptor = cluster_.pod(preemption.preemptor);
  if (result.disruption->by_inferred) return {};
  if (preemptor.spec.preemption_policy == cluster_.known().never) {
    return fmt::format("{} has preemptionPolicy Never", cluster_.key(preemption.preemptor));
  }
  const PodId victim = result.pod.pod;
  if (victim && cluster_.pod(victim).spec.priority >= preemptor.spec.priority) {
    return fmt::format("its priority {} is not below the preemptor's {}", cluster_.pod(victim).spec.priority,
                       preemptor.spec.priority);
  }
  if (!result.rerun || !victim) return {};
  for (const ToleratingLine& line : result.rerun->answer.tolerating_lines) {
    if (line.pod != victim) continue;
    return line.until.is_never() ? fmt::format("it tolerates that {}", line.why)
                                 : fmt::format("it tolerated that until {} ({})",
                                               format_clock(line.until, inquest_.question.now), line.why);
  }
  return {};
}

auto Investigation::run_again(const Preemption& preemption) -> Result<const Rerun*> {
  const auto known = reruns_.find(&preemption);
  if (known == reruns_.end()) {
    const auto again = [&]() -> Again {
      const Subject subject{"pod", std::string(cluster_.text(cluster_.pod(preemption.preemptor).meta.ns)),
                            std::string(cluster_.text(cluster_.pod(preemption.preemptor).meta.name)),
                            preemption.preemptor};
      const auto engine = choose_engine(engines(), inquest_.engine, cluster_, subject);
      if (!engine) return {tl::unexpected(engine.error()), {}};
      if ((*engine)->name() != "kube") return {fail("only decisions of kube-scheduler can be run again"), {}};
      if (preemption.at == Instant{}) return {fail("the input does not show when"), {}};
      Question question = inquest_.question;
      question.kind = subject.kind;
      question.ns = subject.ns;
      question.name = subject.name;
      question.now = preemption.at;
      const bool under_way = cluster_.pending(preemption.preemptor);
      const auto with = [&](bool after_neighbours) -> Again {
        const Rewind rewind(inquest_.objects, cluster_, preemption, all_, after_neighbours);
        const Snapshot then(inquest_.objects);
        Result<Answer> answer = explain(**engine, then, question);
        if (!answer) return {tl::unexpected(answer.error()), {}};
        Rerun rerun;
        rerun.answer = *std::move(answer);
        rerun.remarks = rewind.remarks();
        rerun.made_after = rewind.made_after();
        compare(rerun, then, preemption, under_way);
        return {std::move(rerun), rewind.lost()};
      };
      Again first = with(false);
      const auto beside = [&](const Preemption& other) {
        return &other != &preemption && neighbours(other, preemption);
      };
      if (!first.rerun || first.rerun->same_victims || std::none_of(preemptions_.begin(), preemptions_.end(), beside))
        return first;
      Again second = with(true);
      if (!second.rerun || !second.rerun->same_victims) return first;
      second.rerun->remarks.emplace_back("other preemptions of the same moment decided before it");
      return second;
    };
    Again made = again();
    if (made.rerun) {
      for (Rerun::Victim& victim : made.rerun->victims) victim.now = now_words(victim);
    }
    reruns_.emplace(&preemption, std::move(made));
  }
  const Result<Rerun>& rerun = reruns_.at(&preemption).rerun;
  if (!rerun) return tl::unexpected(rerun.error());
  return &*rerun;
}

// `under_way`: the preemptor still waits in the input, so that not all of its victims need have been evicted.
void Investigation::compare(Rerun& rerun, const Snapshot& then, const Preemption& preemption, bool under_way) {
  const Answer& answer = rerun.answer;
  if (answer.outcome == Outcome::preempts) rerun.possible = answer.tied;
  rerun.same_node = contains(rerun.possible, preemption.node);
  const std::string& node = rerun.same_node ? preemption.node : answer.node;
  const auto found = std::find_if(answer.findings.begin(), answer.findings.end(),
                                  [&](const NodeFinding& finding) { return finding.node == node; });
  const NodeFinding finding = found == answer.findings.end() ? NodeFinding{} : *found;
  rerun.pdb_violations = finding.pdb_violations;

  std::set<std::string> observed;
  for (const Disruption* d : preemption.victims) observed.insert(d->pod.text());
  for (const PodId id : finding.victims) {
    Rerun::Victim& victim = rerun.victims.emplace_back();
    victim.pod = then.key(id);
    victim.observed = observed.contains(victim.pod);
    victim.priority = then.pod(id).spec.priority;
    victim.priority_class = then.text(then.pod(id).spec.priority_class_name);
    victim.uid = then.text(then.pod(id).meta.uid);
    for (const VictimLine& line : answer.victim_lines) {
      if (line.pod != id) continue;
      victim.rule = line.rule;
      victim.why = line.why;
      victim.toleration = line.toleration;
    }
  }

  // Pods that tie in priority and start stand for one another; a pod that was terminating anyway gets no event.
  std::map<std::string, std::string> group;
  for (const std::vector<PodId>& tied : finding.interchangeable) {
    for (const PodId pod : tied) group[then.key(pod)] = "any of " + then.key(tied.front());
  }
  const auto name = [&](const std::string& key) { return group.contains(key) ? group.at(key) : key; };
  std::multiset<std::string> want;
  std::multiset<std::string> got;
  for (const std::string& key : observed) want.insert(name(key));
  for (const Rerun::Victim& victim : rerun.victims) {
    const std::size_t slash = victim.pod.find('/');
    const PodId id = then.find_pod(victim.pod.substr(0, slash), victim.pod.substr(slash + 1));
    const bool terminating = id && then.pod(id).meta.deleting && !victim.observed;
    if (!terminating) got.insert(name(victim.pod));
  }
  const bool all_of_them = under_way ? std::includes(got.begin(), got.end(), want.begin(), want.end()) : want == got;
  rerun.same_victims = rerun.same_node && all_of_them;
}

auto Investigation::now_words(const Rerun::Victim& victim) const -> std::string {
  const std::size_t slash = victim.pod.find('/');
  const PodId id = cluster_.find_pod(victim.pod.substr(0, slash), victim.pod.substr(slash + 1));
  if (!id || cluster_.text(cluster_.pod(id).meta.uid) != victim.uid) return "gone";
  const Pod& pod = cluster_.pod(id);
  if (cluster_.finished(id)) return std::string(cluster_.text(pod.status.phase));
  if (pod.meta.deleting) return "terminating";
  if (!victim.observed) return "still there";
  return pod.condition(cluster_.known().disruption_target) != nullptr ? "not deleted yet" : "as it was";
}

auto Investigation::difference(const Rerun& rerun, const Preemption& preemption) const -> std::string {
  const std::string at = format_clock(preemption.at, inquest_.question.now);
  const Answer& answer = rerun.answer;
  if (answer.outcome == Outcome::fits) {
    return fmt::format("run again with the state of {}, {} fits without a victim", at, answer.subject_name);
  }
  if (answer.outcome != Outcome::preempts) {
    return fmt::format("run again with the state of {}, {} {}", at, answer.subject_name, answer.sentence);
  }
  std::vector<std::string> victims;
  for (const Rerun::Victim& victim : rerun.victims) victims.push_back(victim.pod);
  return fmt::format("run again with the state of {}, it would preempt {} on {}", at, joined(victims, ", "),
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

auto post_mortem(const Inquest& inquest, std::string_view pod, std::string_view ns) -> Result<PostMortem> {
  return Investigation(inquest).one(pod, ns);
}

auto post_mortems(const Inquest& inquest, std::string_view ns) -> Result<std::vector<PostMortem>> {
  return Investigation(inquest).all(ns);
}

}  // namespace previct::history
