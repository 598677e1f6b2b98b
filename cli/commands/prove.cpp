#include "analysis/subject.h"
#include "api/units.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/load.h"
#include "cli/named.h"
#include "cli/question.h"
#include "cluster/label_query.h"
#include "cluster/pod_request.h"
#include "prove/always_fits.h"
#include "prove/classes_report.h"
#include "prove/frontier_report.h"
#include "prove/invariants/at_most_victims.h"
#include "prove/invariants/budgets_hold.h"
#include "prove/invariants/never_victim.h"
#include "prove/report.h"
#include "prove/search_report.h"
#include "prove/smallest_set_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace previct::cli {
namespace {

constexpr std::array kProveTakes = {Group::state,   Group::reading,    Group::live,     Group::connection,
                                    Group::overlay, Group::proof,      Group::question, Group::scheduler,
                                    Group::output,  Group::strictness, Group::help};

using prove::Invariant;

// A label selector, NAMESPACE/NAME of a running pod, or priorityclass/NAME.
auto never_victim(const Snapshot& cluster, const std::string& text) -> Result<std::unique_ptr<Invariant>> {
  constexpr std::string_view kClass = "priorityclass/";
  if (text.starts_with(kClass)) {
    const std::string name = text.substr(kClass.size());
    return std::make_unique<prove::NeverVictim>(cluster, "a pod of class " + name, [&](PodId each) {
      return cluster.text(cluster.pod(each).spec.priority_class_name) == name;
    });
  }
  const std::size_t slash = text.find('/');
  const PodId pod =
      slash == std::string::npos ? PodId{} : cluster.find_pod(text.substr(0, slash), text.substr(slash + 1));
  if (pod) return std::make_unique<prove::NeverVictim>(cluster, text, [pod](PodId each) { return each == pod; });
  PREVICT_TRY(const LabelQuery query, LabelQuery::parse(text));
  const Symbol key = cluster.symbol(text);
  const auto& pods = cluster.pods();
  const bool is_label =
      std::any_of(pods.begin(), pods.end(), [&](const Pod& each) { return each.meta.labels.has(key); });
  if (key && !is_label && cluster.priority_class(key) != nullptr) {
    return fail(fmt::format("--never-victim {}: no pod has a label {}", text, text), {},
                fmt::format("for the pods of PriorityClass {}: --never-victim {}{}", text, kClass, text));
  }
  return std::make_unique<prove::NeverVictim>(cluster, "a pod with " + text, [&](PodId each) {
    return query.matches(cluster.pod(each).meta.labels, cluster.symbols());
  });
}

auto invariant_of(const Options& options) -> Result<prove::MakeInvariant> {
  const int given = (options.never_victim.empty() ? 0 : 1) + (options.at_most_victims ? 1 : 0) +
                    (options.budgets_hold ? 1 : 0) + (options.who_can_evict.empty() ? 0 : 1) +
                    (options.always_fits.empty() ? 0 : 1) + (options.which_classes ? 1 : 0) +
                    (options.smallest_set.empty() ? 0 : 1);
  if (given > 1) {
    return fail(
        "prove takes only one of --never-victim, --at-most-victims, --budgets-hold, --always-fits, --who-can-evict, "
        "--which-classes-can-evict and --smallest-set");
  }
  if (given == 0) {
    return fail(
        "prove needs one of --never-victim, --at-most-victims, --budgets-hold, --always-fits, --who-can-evict, "
        "--which-classes-can-evict and --smallest-set",
        {}, "such as --never-victim app=license-sim");
  }
  return prove::MakeInvariant([&options](const Snapshot& cluster) -> Result<std::unique_ptr<Invariant>> {
    if (options.at_most_victims) return std::make_unique<prove::AtMostVictims>(cluster, *options.at_most_victims);
    if (options.budgets_hold) return std::make_unique<prove::BudgetsHold>(cluster);
    return never_victim(cluster, options.never_victim);
  });
}

// `--below`: a priority, or a PriorityClass.
auto priorities_of(const Options& options, const Snapshot& cluster) -> Result<prove::Priorities> {
  if (!options.always_fits.empty()) {
    if (!options.below.empty()) return fail("--below has no effect with --always-fits");
    PREVICT_TRY(const std::int64_t least, named_priority(options.always_fits, "--always-fits", cluster));
    return prove::Priorities{least, INT32_MAX};
  }
  if (options.below.empty()) return prove::Priorities{};
  PREVICT_TRY(const std::int64_t priority, named_priority(options.below, "--below", cluster));
  return prove::Priorities{INT32_MIN, priority - 1};
}

constexpr std::size_t kMostRequests = 3;

// `cpu=4,memory=16Gi`; cpu and memory always vary.
auto requests_of(const Options& options) -> Result<std::vector<prove::Requested>> {
  std::vector<prove::Requested> all = {{.resource = "cpu"}, {.resource = "memory"}};
  const auto of = [&](const std::string& resource) -> prove::Requested& {
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.resource == resource; });
    return at == all.end() ? all.emplace_back(prove::Requested{.resource = resource}) : *at;
  };
  if (!options.resource.empty()) of(options.resource);
  for (const std::string& text : options.up_to) {
    const std::size_t equals = text.find('=');
    const std::string amount = equals == std::string::npos ? "" : text.substr(equals + 1);
    const std::optional<Quantity> most = Quantity::parse(amount);
    if (!most || equals == 0) return fail(fmt::format("--up-to: expected RESOURCE=QUANTITY, found {}", text));
    const std::string resource = text.substr(0, equals);
    of(resource).most = in_units(resource, *most);
  }
  if (all.size() > kMostRequests) return fail("prove varies cpu, memory and one other resource");
  return all;
}

// `--like`: NAMESPACE/NAME of a pod, a workload, or `all`.
auto pods_like(const Options& options, const Engine& engine, const Snapshot& cluster) -> Result<std::vector<PodId>> {
  const std::string ns = options.ns.empty() ? "default" : options.ns;
  std::vector<PodId> pods;
  for (const std::string& text : options.like) {
    if (text == "all") {
      const std::vector<PodId> all = prove::pods_to_be_like(cluster, engine);
      pods.insert(pods.end(), all.begin(), all.end());
      continue;
    }
    PREVICT_TRY(std::optional<std::vector<PodId>> of_workload, pods_of_workload(cluster, text, ns));
    if (!of_workload) {
      PREVICT_TRY(const PodId pod, find_pod(cluster, text, ns));
      of_workload = {pod};
    }
    for (const PodId pod : *of_workload) {
      const Engine* const other = engine_of(engines(), cluster, pod);
      if (options.engine == "auto" && other != &engine) {
        return fail(fmt::format("--like {}: {} is scheduled by {}, whose queues decide which pods are evicted", text,
                                cluster.key(pod), other == nullptr ? scheduler_of(cluster, pod) : other->name()));
      }
      pods.push_back(pod);
    }
  }
  std::set<PodId> seen;
  std::erase_if(pods, [&](PodId pod) { return !seen.insert(pod).second; });
  if (pods.empty() && !options.like.empty()) return fail("--like all: kube-scheduler schedules no pod of the input");
  return pods;
}

// For resources without a limit, what the largest of the pods request.
void limit_to_largest(const Snapshot& cluster, const std::vector<PodId>& pods,
                      std::vector<prove::Requested>& requests) {
  for (prove::Requested& each : requests) {
    if (each.most != prove::Requested{}.most) continue;
    each.most = 0;
    for (const PodId pod : pods) {
      const auto amount =
          pod_request(cluster, cluster.pod(pod), RequestOf::incoming).get(cluster.symbol(each.resource));
      if (amount) each.most = std::max(each.most, in_units(each.resource, *amount));
    }
  }
}

// Any larger request than every node fits nowhere.
auto check_limits(const std::vector<prove::Requested>& requests) -> Result<void> {
  for (const prove::Requested& each : requests) {
    if (each.most == prove::Requested{}.most)
      return fail(fmt::format("--always-fits needs --up-to with {}, such as --up-to cpu=4,memory=16Gi", each.resource));
  }
  return {};
}

// The pods that must not be evicted, or that anybody may evict.
auto possible_victims(const Options& options, const Snapshot& cluster) -> Result<std::vector<PodId>> {
  if (!options.who_can_evict.empty()) {
    PREVICT_TRY(const PodId pod, find_pod(cluster, options.who_can_evict, options.ns.empty() ? "default" : options.ns));
    return std::vector{pod};
  }
  std::unique_ptr<Invariant> invariant;
  if (!options.never_victim.empty()) {
    PREVICT_TRY(invariant, never_victim(cluster, options.never_victim));
  }
  std::vector<PodId> pods;
  for (const PodId pod : cluster.pods().ids()) {
    if (cluster.node_of(pod) && (!invariant || !invariant->holds_among(std::array{pod}))) pods.push_back(pod);
  }
  return pods;
}

// If the question is about certain pods, one resource that they request beside cpu and memory varies, too.
auto cover_other_resources(const Options& options, const Snapshot& cluster, prove::Space& space) -> Result<void> {
  if (!space.forms.empty() || !options.always_fits.empty()) return {};
  PREVICT_TRY(const std::vector<PodId> victims, possible_victims(options, cluster));
  auto [others, devices] = prove::other_resources(cluster, victims, space.requests);
  const bool about_pods = !options.who_can_evict.empty() || !options.never_victim.empty();
  if (about_pods && others.size() == 1 && !devices && space.requests.size() < kMostRequests) {
    space.requests.push_back({.resource = others.front()});
  } else {
    space.other_resources = std::move(others);
  }
  return {};
}

auto space_of(const Options& options, const Engine& engine, const Snapshot& cluster, const Question& question)
    -> Result<prove::Space> {
  const Instant now = question.now;
  prove::Space space;
  PREVICT_TRY(space.priorities, priorities_of(options, cluster));
  PREVICT_TRY(space.requests, requests_of(options));
  const bool fits = !options.always_fits.empty();
  space.tolerates_taints = !fits;
  PREVICT_TRY(const std::vector<PodId> like, pods_like(options, engine, cluster));
  if (fits && !like.empty()) limit_to_largest(cluster, like, space.requests);
  if (fits) PREVICT_CHECK(check_limits(space.requests));
  PREVICT_TRY(space.forms, prove::forms_of(cluster, question, like, space.requests,
                                           fits ? prove::DaemonNodes::its_own : prove::DaemonNodes::any));
  constexpr std::size_t kMostForms = 1'000;
  space.forms_left_out = space.forms.size() - std::min(kMostForms, space.forms.size());
  space.forms.resize(space.forms.size() - space.forms_left_out);
  PREVICT_CHECK(cover_other_resources(options, cluster, space));
  PREVICT_TRY(space.nodes, named_or_all_nodes(options.nodes, "--node", cluster));
  space.from = now;
  PREVICT_TRY(space.to, moment_from(options.horizon.empty() ? "24h" : options.horizon, now, "--horizon"));
  if (space.to < space.from) return fail("--horizon lies in the past");
  return space;
}

// `--who-can-evict`
auto list_preemptors(const Options& options, const Engine& engine, Objects& objects, const Question& question,
                     const prove::Space& space, const ReportContext& context) -> Result<CommandResult> {
  PREVICT_TRY(const PodId pod,
              find_pod(context.cluster, options.who_can_evict, options.ns.empty() ? "default" : options.ns));
  PREVICT_TRY(prove::Frontier frontier, prove::frontier_of(objects, context.cluster, question, space, pod));
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::others));
  frontier.engine = engine.name();
  const Engine* const own = engine_of(engines(), context.cluster, pod);
  if (own != nullptr && own != &engine) frontier.own_engine = own->name();
  return CommandResult{prove::frontier_report(frontier, space, context),
                       status_of(fail_on, options.strict, Provenance(context, frontier), {}, context)};
}

// Fails if a flag that describes preemptors is given, which `flag` does not read.
auto check_no_space(const Options& options, std::string_view flag) -> Result<void> {
  const std::array no_effect = {
      std::pair("--below", !options.below.empty()),       std::pair("--up-to", !options.up_to.empty()),
      std::pair("--resource", !options.resource.empty()), std::pair("--node", !options.nodes.empty()),
      std::pair("--horizon", !options.horizon.empty()),   std::pair("--like", !options.like.empty())};
  for (const auto& [name, given] : no_effect) {
    if (given) return fail(fmt::format("{} has no effect with {}", name, flag));
  }
  return {};
}

// `--smallest-set`
auto compare_sets(const Options& options, const Engine& engine, const Question& question, const ReportContext& context)
    -> Result<CommandResult> {
  PREVICT_CHECK(check_no_space(options, "--smallest-set"));
  PREVICT_TRY(const PodId pod,
              find_pod(context.cluster, options.smallest_set, options.ns.empty() ? "default" : options.ns));
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::others));
  PREVICT_TRY(const prove::SmallestSet set, prove::smallest_set_of(engine, context.cluster, question, pod));
  const bool proved = !set.fewer && !set.cheaper && set.open.empty();
  return CommandResult{
      prove::smallest_set_report(set, context),
      status_of(fail_on, options.strict, Provenance(context, set), {}, context, proved ? kAnswered : kFindings)};
}

// `--which-classes-can-evict`
auto list_classes(const Options& options, const prove::Task& task, const ReportContext& context)
    -> Result<CommandResult> {
  if (!options.below.empty()) return fail("--below has no effect with --which-classes-can-evict");
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::others));
  PREVICT_TRY(const prove::Classes classes, prove::classes_of(task));
  return CommandResult{prove::classes_report(classes, task.space, context),
                       status_of(fail_on, options.strict, Provenance(context, classes), {}, context)};
}

// The engine that preempts by priority class, on one node.
auto engine_of_proofs(const Options& options) -> Result<const Engine*> {
  PREVICT_CHECK(check_engine_name(engines(), options.engine));
  for (const Engine* engine : engines()) {
    const bool fits = engine->preempts_by_priority_class() && engine->preempts_on_one_node();
    if (fits && (options.engine == "auto" || options.engine == engine->name())) return engine;
  }
  return fail(fmt::format("prove does not work for {}, whose queues decide which pods are evicted", options.engine));
}

// The engine of the first pod that the statement is about and that queues may evict; null: there is none.
auto engine_with_queues(const Snapshot& cluster, const Invariant& invariant) -> const Engine* {
  for (const PodId pod : cluster.pods().ids()) {
    if (!cluster.node_of(pod) || invariant.holds_among(std::array{pod})) continue;
    const Engine* engine = engine_of(engines(), cluster, pod);
    if (engine != nullptr && !engine->preempts_by_priority_class()) return engine;
  }
  return nullptr;
}

// As many pods as are tried within seconds.
auto most_to_try(const Snapshot& cluster) -> std::size_t {
  constexpr std::size_t kWork = 500'000;
  return std::clamp<std::size_t>(kWork / (cluster.pods().size() + cluster.nodes().size() + 1), 10, 300);
}

auto search_for_one(const Options& options, const Engine& engine, Objects& objects, const Question& question,
                    const prove::MakeInvariant& make, const ReportContext& context) -> Result<CommandResult> {
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::others));
  PREVICT_TRY(const prove::Search search, prove::search(engine, objects, question, make, most_to_try(context.cluster)));
  return CommandResult{prove::search_report(search, context),
                       status_of(fail_on, options.strict, Provenance(context, search), {}, context, kFindings)};
}

// `--engine` with queues, which `--never-victim` searches; null: another one.
auto engine_to_search(const Options& options) -> const Engine* {
  const Engine* engine = options.never_victim.empty() ? nullptr : find_engine(options.engine);
  return engine == nullptr || engine->preempts_by_priority_class() ? nullptr : engine;
}

auto run_prove(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  const Engine* const queues = engine_to_search(options);
  PREVICT_TRY(const Engine* engine, queues != nullptr ? queues : engine_of_proofs(options));
  PREVICT_TRY(const prove::MakeInvariant make, invariant_of(options));
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::others));
  PREVICT_TRY(Loaded & loaded, load_state(session, {.keeps_objects = true}));
  const Snapshot& cluster = loaded.cluster();
  PREVICT_TRY(const Asked asked, asked_by(session, loaded, cluster));
  const ReportContext context = context_of(session, loaded, cluster, asked);
  if (!options.smallest_set.empty()) return compare_sets(options, *engine, asked.question, context);
  if (queues != nullptr) {
    PREVICT_CHECK(check_no_space(options, "--engine " + options.engine));
    return search_for_one(options, *queues, loaded.objects, asked.question, make, context);
  }
  PREVICT_TRY(const prove::Space space, space_of(options, *engine, cluster, asked.question));
  if (!options.who_can_evict.empty())
    return list_preemptors(options, *engine, loaded.objects, asked.question, space, context);
  const prove::Task task{.engine = *engine,
                         .objects = loaded.objects,
                         .cluster = cluster,
                         .question = asked.question,
                         .space = space,
                         .make = make};
  if (options.which_classes) return list_classes(options, task, context);
  PREVICT_TRY(const prove::Proof proof,
              options.always_fits.empty() ? prove::prove(task) : prove::prove_always_fits(task));
  if (proof.proved() && !options.never_victim.empty() && space.forms.empty()) {
    PREVICT_TRY(const std::unique_ptr<Invariant> invariant, make(cluster));
    if (const Engine* other = engine_with_queues(cluster, *invariant))
      return search_for_one(options, *other, loaded.objects, asked.question, make, context);
  }
  return CommandResult{prove::proof_report(proof, space, context),
                       status_of(fail_on, options.strict, Provenance(context, proof), {}, context,
                                 proof.proved() ? kAnswered : kFindings)};
}

}  // namespace

const Command& prove_command = Command{
    .name = "prove",
    .task = Task::guard,
    .what = "prove what preemption never does, or break it",
    .arguments = "",
    .most_arguments = 0,
    .groups = kProveTakes,
    .examples =
        "prove -f dump.yaml --never-victim ml/license-sim-0 --below 10000      no pod below 10000 ever evicts it\n"
        "prove -f dump.yaml --always-fits high --up-to cpu=4,memory=16Gi       every such pod fits, if necessary by "
        "preemption\n"
        "prove -f dump.yaml --like all --never-victim ml/license-sim-0         no pod like one of the input evicts it\n"
        "prove -f dump.yaml --who-can-evict ml/license-sim-0                   which preemptors may evict it, and from "
        "when\n"
        "prove -f dump.yaml --smallest-set ml/train-big-0                      no smaller set of victims exists for it",
    .more =
        "previct splits all preemptors, nodes and moments into regions in which kube-scheduler decides the same, and "
        "decides one preemptor of each region. So the result is a proof, not a sample. If the statement does not hold, "
        "previct prints a pod that breaks it, with small and round numbers, as a manifest. The output lists what the "
        "proof covers, what it rests on, and what it does not cover.\n"
        "Exit status: 0 proved; 1 there is a counterexample, or it cannot be told; 2 not answered, or the statement is "
        "about no running pod; 3 with --strict: answered from incomplete input.",
    .run = run_prove,
    .read_only = true};

}  // namespace previct::cli
