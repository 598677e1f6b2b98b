#include "prove/decider.h"

#include "base/add_once.h"
#include "engine/doubts.h"
#include "engine/kube/groups/group.h"
#include "engine/kube/resource_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::prove {
namespace {

constexpr std::size_t kOrderSteps = 10'000;

// The lowest priority of each interval, on any node.
auto lowest_of_intervals(const Snapshot& cluster, const Space& space, std::span<const PodId> nominees)
    -> std::set<std::int64_t> {
  std::set<std::int64_t> lowest;
  for (const NodeId node : space.nodes) {
    for (const Priorities& each : intervals_on(cluster, node, nominees, space.priorities)) lowest.insert(each.least);
  }
  return lowest;
}

auto nominees_of(const Snapshot& cluster) -> std::vector<PodId> {
  std::vector<PodId> nominees;
  for (const PodId pod : cluster.pods().ids()) {
    if (cluster.pod(pod).status.nominated_node_name && cluster.pending(pod)) nominees.push_back(pod);
  }
  return nominees;
}

// Fails if a profile keeps no candidate for a pod that may run on one node only: such pods do not stand for others
// then.
auto check_pinned_pods(const kube::Profile& profile) -> Result<void> {
  for (const kube::PostFilter& plugin : profile.post_filters) {
    if (!plugin.preempts() || kube::sample_size(1, plugin.candidate_percentage, plugin.candidate_absolute) > 0)
      continue;
    return fail(
        fmt::format("profile {}: with minCandidateNodesAbsolute 0, a pod that may run on one node only evicts no pod, "
                    "but others may",
                    profile.scheduler_name));
  }
  return {};
}

}  // namespace

/// The attempts of one probe, and the trace that its verdicts are made from.
struct Decider::Attempts {
  std::unique_ptr<kube::PinnedAttempts> pinned;
  std::shared_ptr<kube::EngineTrace> trace;
};

Decider::Decider(Objects& objects, const Question& question, const Space& space)
    : changed_(objects), claims_(objects), question_(question), space_(space) {
  question_.brief = true;
  question_.documents = false;
  options_.order_steps = kOrderSteps;
}

Decider::~Decider() = default;

auto Decider::of(Objects& objects, const Snapshot& cluster, const Question& question, const Space& space)
    -> Result<std::unique_ptr<Decider>> {
  std::unique_ptr<Decider> decider(new Decider(objects, question, space));
  PREVICT_CHECK(decider->prepare(cluster));
  return decider;
}

auto Decider::prepare(const Snapshot& before) -> Result<void> {
  PREVICT_CHECK(find_kinds(before));
  add_probes(before);
  make_room();
  cluster_ = std::make_unique<Snapshot>(changed_.objects());
  // Pods of forms may bring claims with them, which are not among the changes.
  if (space_.forms.empty()) kube::take_over_known(before, changed_, *cluster_);
  PREVICT_TRY(kube::RunningRelease running, kube::running_release(*cluster_, question_));
  running_ = std::make_unique<kube::RunningRelease>(std::move(running));
  known_ = &kube::known_of(*cluster_, running_->release);
  if (space_.nodes.empty()) return fail("the input has no nodes, so no pod can be evicted");
  if (probes_.empty()) return fail("no preemptor has a priority in the given range");
  PREVICT_CHECK(find_profiles());
  find_faults();
  const kube::PodInfo probe = known_->node_infos.incoming(probes_.begin()->second);
  for (const Requested& each : space_.requests) {
    const auto amounts = known_->node_infos.amounts(probe);
    const auto found = std::find_if(amounts.begin(), amounts.end(), [&](const kube::Amount& amount) {
      return cluster_->text(known_->node_infos.resource_name(amount.resource)) == each.resource;
    });
    if (found == amounts.end()) return fail(fmt::format("kube-scheduler does not count requests of {}", each.resource));
    if (kube::device_class_for(known_->node_infos, found->resource) != nullptr) {
      return fail(
          fmt::format("{} is served by devices of a DeviceClass, which cannot be proved about yet", each.resource));
    }
    requests_.push_back({found->resource, each.least, each.most});
  }
  return {};
}

// Finds the schedulers that preempt.
auto Decider::find_kinds(const Snapshot& cluster) -> Result<void> {
  if (!space_.forms.empty()) return kinds_of_forms(cluster);
  PREVICT_TRY(const std::vector<std::string> names, kube::preemptors_schedulers(cluster, question_));
  for (const std::string& name : names) {
    PREVICT_TRY(const std::optional<kube::Profile> profile, kube::profile_for(cluster, name, question_));
    if (!profile || !profile->preempts()) continue;
    PREVICT_CHECK(check_pinned_pods(*profile));
    kinds_.push_back({.scheduler = name});
  }
  if (kinds_.empty()) return fail("no profile of kube-scheduler preempts, so no pod is ever evicted for another");
  return {};
}

auto Decider::kinds_of_forms(const Snapshot& cluster) -> Result<void> {
  for (const Form& form : space_.forms) {
    Kind& kind = kinds_.emplace_back(Kind{.scheduler = scheduler_of(cluster, form.like), .form = &form});
    PREVICT_TRY(const std::optional<kube::Profile> profile, kube::profile_for(cluster, kind.scheduler, question_));
    if (!profile) {
      return fail(
          fmt::format("no profile of kube-scheduler has the schedulerName {} of {}", kind.scheduler, form.name));
    }
    PREVICT_CHECK(check_pinned_pods(*profile));
    const auto& spread = form.pod.spec.topology_spread;
    const auto counts_allowed_nodes = [&](const TopologySpreadConstraint& each) {
      return cluster.text(each.when_unsatisfiable) == "DoNotSchedule" &&
             cluster.text(each.node_affinity_policy) != "Ignore";
    };
    kind.pin_matters = spread.empty() ? !profile->settings.default_spread.empty()
                                      : std::any_of(spread.begin(), spread.end(), counts_allowed_nodes);
  }
  return {};
}

auto Decider::probe(const Kind& kind, std::int64_t priority, std::string_view name) -> Pod {
  Symbols& symbols = changed_.objects().symbols;
  Pod pod;
  if (kind.form != nullptr) pod = kind.form->pod;
  if (kind.form == nullptr) pod.meta.ns = symbols.intern(space_.ns);
  pod.meta.name = pod.meta.uid = symbols.intern(name);
  pod.meta.created = question_.now;
  pod.status.phase = symbols.intern("Pending");
  pod.spec.scheduler_name = symbols.intern(kind.scheduler);
  pod.spec.priority = static_cast<std::int32_t>(priority);
  pod.spec.has_priority = true;
  if (kind.form == nullptr && space_.tolerates_taints)
    pod.spec.tolerations.push_back({.key = {}, .op = symbols.intern("Exists"), .value = {}, .effect = {}});
  if (pod.spec.containers.empty()) pod.spec.containers.emplace_back();
  ResourceList& requests = pod.spec.containers[0].resources.requests;
  for (const Requested& each : space_.requests) requests.set(symbols.intern(each.resource), Quantity::of(1));
  return pod;
}

void Decider::add_probes(const Snapshot& cluster) {
  const std::vector<PodId> nominees = nominees_of(cluster);
  const std::set<std::int64_t> lowest = lowest_of_intervals(cluster, space_, nominees);
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    Kind& kind = kinds_[i];
    for (const std::int64_t priority : lowest) {
      Pod pod = probe(kind, priority, fmt::format("preemptor-{}-{}", priority, i));
      if (kind.form != nullptr && !kind.fault) {
        const Result<void> given = claims_.give(pod, *kind.form, question_.now);
        if (!given) kind.fault = given.error().message;
      }
      probes_[{i, priority}] = changed_.add(std::move(pod));
    }
  }
}

// Counterexamples are added while this is in use: nothing moves then.
void Decider::make_room() {
  constexpr std::size_t kRoom = 64;
  Objects& objects = changed_.objects();
  objects.pods.items().reserve(objects.pods.size() + kRoom);
  objects.resource_claims.reserve(objects.resource_claims.size() + kRoom);
  objects.persistent_volume_claims.reserve(objects.persistent_volume_claims.size() + kRoom);
}

auto Decider::find_profiles() -> Result<void> {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    PREVICT_TRY(const std::optional<kube::Profile>* profile,
                kube::known_profile(*known_, kinds_[i].scheduler, question_));
    Rules& rules = rules_.emplace_back(Rules{.profile = &**profile, .unknown = {}});
    if (kinds_[i].form == nullptr) continue;
    rules.unknown = kube::unknown_volumes(*cluster_, cluster_->pod(probes_.lower_bound({i, INT32_MIN})->second));
    if (rules.unknown)
      rules.profile = &profiles_everywhere_.emplace_back(kube::with_volumes_everywhere(*rules.profile));
  }
  return {};
}

void Decider::find_faults() {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    Kind& kind = kinds_[i];
    if (kind.form != nullptr && !kind.fault)
      kind.fault = fault_of(kind, *rules_[i].profile, probes_.lower_bound({i, INT32_MIN})->second);
  }
}

auto Decider::fault_of(const Kind& kind, const kube::Profile& profile, PodId probe) const
    -> std::optional<std::string> {
  if (known_->node_infos.release().has(kube::Change::pod_groups) && kube::in_a_group(known_->node_infos, probe))
    return fmt::format("pods like {} are scheduled together as a group", kind.form->name);
  if (const std::optional<kube::Hold> hold = kube::held_before_queue(known_->node_infos, profile, probe))
    return fmt::format("plugin {} keeps pods like {} out of the queue", hold->plugin, kind.form->name);
  const auto claims = kube::resource_claims_of(*cluster_, probe).claims;
  const auto binds_later = [](const ResourceClaim* claim) {
    if (!claim->status.allocation) return false;
    const auto& results = claim->status.allocation->devices.results;
    return std::any_of(results.begin(), results.end(),
                       [](const AllocatedDevice& device) { return !device.binding_conditions.empty(); });
  };
  if (std::any_of(claims.begin(), claims.end(), binds_later))
    return fmt::format("devices of {} are allocated, but not ready, and the scheduler waits for them", kind.form->name);
  if (const auto devices = kube::resources_of_devices(known_->node_infos, known_->node_infos.incoming(probe));
      !devices.empty()) {
    return fmt::format("{}, which pods like {} request, is served by devices of a DeviceClass",
                       cluster_->text(known_->node_infos.resource_name(devices.front().first)), kind.form->name);
  }
  return {};
}

auto Decider::schedulers() const -> std::vector<std::string> {
  std::vector<std::string> names;
  for (const Kind& kind : kinds_) add_once(names, kind.scheduler);
  return names;
}

auto Decider::behaves() const -> std::string {
  return kube::behaves(*running_, rules_.front().profile);
}

auto Decider::other_releases() const -> std::vector<std::string> {
  std::vector<std::string> others;
  for (const int minor : kube::other_releases(*running_, false)) others.push_back(kube::release_name(minor));
  return others;
}

auto Decider::intervals_on(NodeId node) const -> std::vector<Priorities> {
  return prove::intervals_on(*cluster_, node, known_->node_infos.nominees(), space_.priorities);
}

auto Decider::attempts_of(const Preemptor& preemptor) -> Attempts& {
  if (!space_.forms.empty() && preemptor.kind != last_kind_) attempts_.clear();
  last_kind_ = preemptor.kind;
  const PodId probe = probes_.at({preemptor.kind, preemptor.priority});
  std::unique_ptr<Attempts>& attempts = attempts_[probe];
  if (attempts) return *attempts;
  attempts = std::make_unique<Attempts>();
  const kube::Profile& profile = *rules_[preemptor.kind].profile;
  attempts->pinned =
      kube::pinned_attempts(known_->node_infos, known_->budgets, probe, profile, question_.now, options_);
  attempts->trace = std::make_shared<kube::EngineTrace>(known_->node_infos, known_->budgets, *running_, probe);
  attempts->trace->profile = {std::shared_ptr<const kube::Profile>(), &profile};
  return *attempts;
}

auto Decider::may_run_on(std::size_t kind, NodeId node) -> bool {
  const Preemptor preemptor{kind, probes_.lower_bound({kind, INT32_MIN})->first.second, node, space_.from};
  std::vector<std::int64_t> least;
  for (const kube::RequestRange& each : requests_) least.push_back(each.least);
  kube::RequestBounds requests(requests_, std::move(least));
  return attempts_of(preemptor).pinned->may_run_on(node, requests);
}

auto Decider::potential_victims(const Preemptor& preemptor, Moment& now) -> std::vector<PodId> {
  return attempts_of(preemptor).pinned->potential_victims(preemptor.node, now);
}

auto Decider::decide(const Preemptor& preemptor, kube::RequestBounds& requests) -> const Verdict& {
  Attempts& attempts = attempts_of(preemptor);
  kube::EngineTrace& trace = *attempts.trace;
  kube::Decision& decision = attempts.pinned->decide(preemptor.node, preemptor.at, requests);
  question_.now = preemptor.at;
  trace.odds.reset();
  trace.orders.reset();
  trace.open_node.clear();
  std::swap(trace.decision, decision);
  verdict_ = kube::verdict_of(attempts.trace, question_);
  std::swap(trace.decision, decision);
  verdict_.account.reset();
  add_input_gaps(*cluster_, std::vector{known_->node_infos.name(preemptor.node)}, verdict_);
  const bool runs = verdict_.outcome == Outcome::fits || verdict_.outcome == Outcome::preempts;
  if (const auto& unknown = rules_[preemptor.kind].unknown; unknown && runs)
    kube::make_decisive(*unknown, verdict_.gaps);
  conclude(verdict_);
  return verdict_;
}

}  // namespace previct::prove
