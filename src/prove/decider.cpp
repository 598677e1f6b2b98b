#include "prove/decider.h"

#include "engine/doubts.h"
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
    : changed_(objects), question_(question), space_(space) {
  question_.brief = true;
  question_.documents = false;
  options_.order_steps = kOrderSteps;
}

Decider::~Decider() = default;

auto Decider::of(Objects& objects, const Question& question, const Space& space) -> Result<std::unique_ptr<Decider>> {
  std::unique_ptr<Decider> decider(new Decider(objects, question, space));
  PREVICT_CHECK(decider->prepare());
  return decider;
}

auto Decider::prepare() -> Result<void> {
  cluster_ = std::make_unique<Snapshot>(changed_.objects());
  PREVICT_CHECK(find_schedulers());
  add_probes();
  cluster_ = std::make_unique<Snapshot>(changed_.objects());
  PREVICT_TRY(kube::RunningRelease running, kube::running_release(*cluster_, question_));
  running_ = std::make_unique<kube::RunningRelease>(std::move(running));
  known_ = &kube::known_of(*cluster_, running_->release);
  for (const std::string& name : schedulers_) {
    PREVICT_TRY(const std::optional<kube::Profile>* profile, kube::known_profile(*known_, name, question_));
    profiles_.push_back(&**profile);
  }
  if (space_.nodes.empty()) return fail("the input has no nodes, so no pod can be evicted");
  if (probes_.empty()) return fail("no preemptor has a priority in the given range");
  const kube::PodInfo probe = known_->node_infos.incoming(probes_.begin()->second);
  if (const auto devices = kube::resources_of_devices(known_->node_infos, probe); !devices.empty()) {
    return fail(fmt::format("{} is served by devices of a DeviceClass, which cannot be proved about yet",
                            cluster_->text(known_->node_infos.resource_name(devices.front().first))));
  }
  for (const Requested& each : space_.requests) {
    const auto amounts = known_->node_infos.amounts(probe);
    const auto found = std::find_if(amounts.begin(), amounts.end(), [&](const kube::Amount& amount) {
      return cluster_->text(known_->node_infos.resource_name(amount.resource)) == each.resource;
    });
    if (found == amounts.end()) return fail(fmt::format("kube-scheduler does not count requests of {}", each.resource));
    requests_.push_back({found->resource, each.least, each.most});
  }
  return {};
}

// Finds the schedulers that preempt.
auto Decider::find_schedulers() -> Result<void> {
  PREVICT_TRY(const std::vector<std::string> names, kube::preemptors_schedulers(*cluster_, question_));
  for (const std::string& name : names) {
    PREVICT_TRY(const std::optional<kube::Profile> profile, kube::profile_for(*cluster_, name, question_));
    if (!profile || !profile->preempts()) continue;
    PREVICT_CHECK(check_pinned_pods(*profile));
    schedulers_.push_back(name);
  }
  if (schedulers_.empty()) return fail("no profile of kube-scheduler preempts, so no pod is ever evicted for another");
  return {};
}

void Decider::add_probes() {
  Symbols& symbols = changed_.objects().symbols;
  const std::vector<PodId> nominees = nominees_of(*cluster_);
  for (const std::int64_t priority : lowest_of_intervals(*cluster_, space_, nominees)) {
    for (std::size_t scheduler = 0; scheduler < schedulers_.size(); ++scheduler) {
      Pod pod;
      pod.meta.ns = symbols.intern(space_.ns);
      pod.meta.name = symbols.intern(fmt::format("preemptor-{}-{}", priority, scheduler));
      pod.meta.uid = pod.meta.name;
      pod.meta.created = question_.now;
      pod.status.phase = symbols.intern("Pending");
      pod.spec.scheduler_name = symbols.intern(schedulers_[scheduler]);
      pod.spec.priority = static_cast<std::int32_t>(priority);
      pod.spec.has_priority = true;
      if (space_.tolerates_taints)
        pod.spec.tolerations.push_back({.key = {}, .op = symbols.intern("Exists"), .value = {}, .effect = {}});
      ResourceList& requests = pod.spec.containers.emplace_back().resources.requests;
      for (const Requested& each : space_.requests) requests.set(symbols.intern(each.resource), Quantity::of(1));
      probes_[{scheduler, priority}] = changed_.add(std::move(pod));
    }
  }
}

auto Decider::behaves() const -> std::string {
  return kube::behaves(*running_, profiles_.front());
}

auto Decider::other_releases() const -> std::vector<std::string> {
  std::vector<std::string> others;
  const int newest = std::min(running_->newest, kube::assumed_minor());
  for (int minor = std::max(running_->oldest, kube::oldest_minor()); minor <= newest; ++minor) {
    if (!kube::Release(minor).decides_like(running_->release, false)) others.push_back(kube::release_name(minor));
  }
  return others;
}

auto Decider::intervals_on(NodeId node) const -> std::vector<Priorities> {
  return prove::intervals_on(*cluster_, node, known_->node_infos.nominees(), space_.priorities);
}

auto Decider::attempts_of(const Preemptor& preemptor) -> Attempts& {
  const PodId probe = probes_.at({preemptor.scheduler, preemptor.priority});
  std::unique_ptr<Attempts>& attempts = attempts_[probe];
  if (attempts) return *attempts;
  attempts = std::make_unique<Attempts>();
  const kube::Profile& profile = *profiles_[preemptor.scheduler];
  attempts->pinned =
      kube::pinned_attempts(known_->node_infos, known_->budgets, probe, profile, question_.now, options_);
  attempts->trace = std::make_shared<kube::EngineTrace>(known_->node_infos, known_->budgets, *running_, probe);
  attempts->trace->profile = {std::shared_ptr<const kube::Profile>(), &profile};
  return *attempts;
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
  conclude(verdict_);
  return verdict_;
}

}  // namespace previct::prove
