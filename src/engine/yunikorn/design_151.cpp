#include "engine/yunikorn/design_151.h"

#include "engine/yunikorn/fraction.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace previct::yunikorn {
namespace {

/// [A3] The document names a label, releases read an annotation: the pod's own word in either counts before
/// its class's.
auto design_opted_out(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> bool {
  if (keys.allow_preemption) {
    const Symbol label = pod.meta.labels.get(keys.allow_preemption);
    if (label && (label == keys.true_text || label == keys.false_text)) return label == keys.false_text;
  }
  return opted_out(cluster, keys, pod);
}

/// Sizes of candidates relative to the ask, by the types that are asked for, `pods` apart. [A8]
struct Share {
  Fraction largest;
  Fraction sum;

  [[nodiscard]] friend auto compare(const Share& a, const Share& b) -> int {
    const int first = compare(a.largest, b.largest);
    return first != 0 ? first : compare(a.sum, b.sum);
  }
};

auto share_of(const Resources& size, const Resources& ask) -> Share {
  Share share;
  for (const auto& [type, wanted] : ask) {
    if (wanted <= 0 || type == TypeNames::kPods) continue;
    const Fraction part(size.amount(type), wanted);
    if (compare(part, share.largest) > 0) share.largest = part;
    share.sum += part;
  }
  return share;
}

/// Who owns pods of its own application is its driver. [A5]
class Drivers {
 public:
  Drivers(const Snapshot& cluster, const Keys& keys, bool unique) : cluster_(cluster), keys_(keys), unique_(unique) {
    for (const PodId id : cluster.pods().ids()) {
      if (cluster.finished(id)) continue;
      for (const OwnerReference& owner : cluster.pod(id).meta.owners) {
        if (owner.uid) owned_.emplace(owner.uid.index, id);
      }
    }
  }

  [[nodiscard]] auto is_driver(PodId id) const -> bool {
    const Symbol uid = cluster_.pod(id).meta.uid;
    if (!uid) return false;
    const auto [begin, end] = owned_.equal_range(uid.index);
    return std::any_of(begin, end,
                       [&](const auto& entry) { return entry.second != id && app(entry.second) == app(id); });
  }

 private:
  [[nodiscard]] auto app(PodId id) const -> std::string {
    const Pod& pod = cluster_.pod(id);
    return application_id(cluster_, pod, written_application(cluster_, keys_, pod), unique_);
  }

  const Snapshot& cluster_;
  const Keys& keys_;
  bool unique_;
  std::unordered_multimap<std::uint32_t, PodId> owned_;  // by the owner's uid; only looked up
};

/// A candidate with what the strategies compare.
struct Ranked {
  const DesignCandidate* candidate;
  Share share;
};

auto zone_of(const DesignCandidate& c) {
  return std::tuple(c.cls, c.priority, c.created);
}

/// [A10] Candidates of one class, priority and age, in order.
auto zones_of(const std::vector<DesignCandidate>& order, const Resources& ask) -> std::vector<std::vector<Ranked>> {
  std::vector<std::vector<Ranked>> zones;
  for (const DesignCandidate& c : order) {
    if (zones.empty() || zone_of(*zones.back().front().candidate) != zone_of(c)) zones.emplace_back();
    zones.back().push_back({&c, share_of(c.size, ask)});
  }
  return zones;
}

/// The two strategies of the document, for one ask.
class Strategies {
 public:
  Strategies(const DesignDecision& decision, const DesignSettings& settings)
      : ask_(decision.ask), settings_(settings), zones_(zones_of(decision.order, decision.ask)) {
    // [A11] The victims alone must cover the ask, unless free room is to count; negative room is always made
    // up.
    for (const auto& [type, wanted] : ask_) {
      const std::int64_t free = decision.free.amount(type);
      need_.set(type, settings.count_free || free < 0 ? saturating_subtract(wanted, free) : wanted);
    }
  }

  /// One victim that is enough and deviates least from the ask, within the percentage.
  [[nodiscard]] auto single() const -> std::vector<PodId> {
    for (const std::vector<Ranked>& zone : zones_) {
      const DesignCandidate* best = nullptr;
      for (const Ranked& ranked : zone) {
        const DesignCandidate& c = *ranked.candidate;
        if (!enough(c.size) || !within_percentage(c.size)) continue;
        if (best == nullptr || compare(deviation(c.size), deviation(best->size)) < 0) best = &c;
      }
      if (best != nullptr) return {best->pod};
    }
    return {};
  }

  /// Several victims, zone by zone, until they are enough. [A14] No second try once the count is used up.
  [[nodiscard]] auto multiple() const -> std::vector<PodId> {
    std::vector<PodId> chosen;
    Resources total;
    for (std::vector<Ranked> zone : zones_) {
      std::stable_sort(zone.begin(), zone.end(), [&](const Ranked& a, const Ranked& b) {  // [A13]
        const int order = compare(a.share, b.share);
        return settings_.descending ? order > 0 : order < 0;
      });
      for (const Ranked& ranked : zone) {
        if (static_cast<std::int64_t>(chosen.size()) == settings_.max_victims) return {};
        chosen.push_back(ranked.candidate->pod);
        total += ranked.candidate->size;
        if (enough(total)) return chosen;
      }
    }
    return {};
  }

 private:
  [[nodiscard]] auto enough(const Resources& total) const -> bool {
    return std::all_of(need_.begin(), need_.end(),
                       [&](const Resources::Entry& e) { return total.amount(e.type) >= e.amount; });
  }

  /// [A12] The type of the ask that is off most, in either direction.
  [[nodiscard]] auto deviation(const Resources& size) const -> Fraction {
    Fraction worst;
    for (const auto& [type, wanted] : ask_) {
      if (wanted <= 0) continue;
      const std::int64_t have = size.amount(type);
      const Fraction off(have > wanted ? have - wanted : wanted - have, wanted);
      if (compare(off, worst) > 0) worst = off;
    }
    return worst;
  }

  [[nodiscard]] auto within_percentage(const Resources& size) const -> bool {
    return compare(deviation(size), Fraction(settings_.deviation_percent.scaled, 100 * Decimal::kScale)) <= 0;
  }

  const Resources& ask_;
  const DesignSettings& settings_;
  Resources need_;
  std::vector<std::vector<Ranked>> zones_;
};

auto is_gone(const Snapshot& cluster, const Assumptions& assumptions, const Pod& pod) -> bool {
  const auto named = [&](const std::vector<PodName>& names) {
    return std::any_of(names.begin(), names.end(), [&](const PodName& name) {
      return name.ns == cluster.text(pod.meta.ns) && name.name == cluster.text(pod.meta.name);
    });
  };
  return named(assumptions.preempted) || named(assumptions.released);
}

/// Sorts the pods of the node into candidates and others. [A2] There is no filter by priority.
void find_candidates(const Snapshot& cluster, const Keys& keys, bool unique, const Assumptions& assumptions,
                     TypeNames& types, DesignDecision& decision) {
  decision.filtered = true;
  const Drivers drivers(cluster, keys, unique);
  for (const PodId id : cluster.pods_on(decision.node)) {
    const Pod& pod = cluster.pod(id);
    if (!is_ours(keys, pod)) continue;
    ++decision.allocations;
    if (required_node(cluster, keys, pod)) {
      ++decision.daemon_set;
      decision.spared.push_back({id, Rule::spared_required_node});
      continue;
    }
    if (is_gone(cluster, assumptions, pod)) {  // [A4]
      ++decision.already_gone;
      decision.spared.push_back({id, Rule::spared_already_preempted});
      continue;
    }
    DesignCandidate candidate;
    candidate.pod = id;
    candidate.cls = drivers.is_driver(id) ? DesignClass::driver : DesignClass::regular;
    if (design_opted_out(cluster, keys, pod)) candidate.cls = DesignClass::opted_out;  // [A6]
    candidate.priority = pod.spec.priority;
    candidate.created = pod.meta.created.value_or(Instant{});
    candidate.size = pod_size(keys, pod, types);
    decision.order.push_back(std::move(candidate));
  }
  // [A7] Youngest first; [A9] the last tie goes by the order of the dump.
  std::stable_sort(decision.order.begin(), decision.order.end(),
                   [&](const DesignCandidate& a, const DesignCandidate& b) {
                     if (a.cls != b.cls) return a.cls < b.cls;
                     if (a.priority != b.priority) return a.priority < b.priority;
                     if (a.created != b.created) return a.created > b.created;
                     return compare(share_of(a.size, decision.ask), share_of(b.size, decision.ask)) < 0;
                   });
}

}  // namespace

auto class_word(DesignClass cls) -> std::string_view {
  switch (cls) {
    case DesignClass::regular: return "regular";
    case DesignClass::driver: return "driver";
    case DesignClass::opted_out: return "opted-out";
  }
  return "regular";
}

auto decide_design(const Snapshot& cluster, PodId ask, bool unique_app_ids, const Assumptions& assumptions,
                   TypeNames& types, Moment& now) -> DesignDecision {
  const Keys keys(cluster);
  const DesignSettings& settings = assumptions.design;
  DesignDecision decision;
  decision.ask = pod_size(keys, cluster.pod(ask), types);
  decision.required_node = required_node(cluster, keys, cluster.pod(ask));
  decision.node = decision.required_node ? cluster.find_node(decision.required_node) : NodeId{};
  if (!decision.node) return decision;

  decision.free = types.read(cluster.node(decision.node).status.allocatable);
  for (const PodId pod : cluster.pods_on(decision.node)) decision.free -= pod_size(keys, cluster.pod(pod), types);
  const bool room = std::all_of(decision.ask.begin(), decision.ask.end(),
                                [&](const Resources::Entry& e) { return decision.free.amount(e.type) >= e.amount; });
  if (room) {
    decision.rule = Rule::design_fits;
    return decision;
  }
  if (settings.reservation_created) {  // [A1] The age must exceed the delay.
    decision.starts_after = settings.reservation_created->plus_nanos(settings.start_delay);
    if (!now.reached(decision.starts_after->plus_nanos(1))) {
      decision.rule = Rule::design_waits;
      return decision;
    }
  }
  find_candidates(cluster, keys, unique_app_ids, assumptions, types, decision);
  const Strategies strategies(decision, settings);
  decision.rule = Rule::design_no_selection;
  for (const std::string& name : settings.strategies) {  // [A15] The later ones are fallbacks.
    decision.trials.push_back({name, name == "single" ? strategies.single() : strategies.multiple()});
    if (decision.trials.back().victims.empty()) continue;
    decision.rule = Rule::design_preempts;
    decision.strategy = name;
    decision.victims = decision.trials.back().victims;
    break;
  }
  return decision;
}

}  // namespace previct::yunikorn
