#include "engine/yunikorn/design_151.h"

#include "base/contains.h"

#include <algorithm>
#include <unordered_map>

namespace previct::yunikorn {
namespace {

/// [A3] The document specifies a label, releases read an annotation: the pod's own value of either takes precedence
/// over that of its class.
auto design_opted_out(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> bool {
  if (keys.allow_preemption) {
    const Symbol label = pod.meta.labels.get(keys.allow_preemption);
    if (label && (label == keys.true_text || label == keys.false_text)) return label == keys.false_text;
  }
  return opted_out(cluster, keys, pod);
}

/// The size of a candidate relative to the ask, over the requested types, with `pods` separate. [A8]
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

/// Finds drivers: pods that own pods of their own application. [A5]
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
  std::unordered_multimap<std::uint32_t, PodId> owned_;  // by the owner's uid; only used for lookups
};

/// Returns the largest deviation of any requested type, in either direction. [A12]
auto deviation_of(const Resources& size, const Resources& ask) -> Fraction {
  Fraction worst;
  for (const auto& [type, wanted] : ask) {
    if (wanted <= 0) continue;
    const std::int64_t have = size.amount(type);
    const Fraction off(have > wanted ? have - wanted : wanted - have, wanted);
    if (compare(off, worst) > 0) worst = off;
  }
  return worst;
}

/// Returns what the victims must free together. [A11] They must cover the ask alone, unless free capacity is to count;
/// negative capacity must always be compensated.
auto need_of(const DesignDecision& decision, const DesignSettings& settings) -> Resources {
  Resources need;
  for (const auto& [type, wanted] : decision.ask) {
    const std::int64_t free = decision.free.amount(type);
    need.set(type, settings.count_free || free < 0 ? saturating_subtract(wanted, free) : wanted);
  }
  return need;
}

auto covers(const Resources& total, const Resources& need) -> bool {
  return std::all_of(need.begin(), need.end(),
                     [&](const Resources::Entry& e) { return total.amount(e.type) >= e.amount; });
}

/// The two strategies of step (5), for one ask and one interpretation of the order.
class Strategies {
 public:
  Strategies(const DesignDecision& decision, const DesignSettings& settings, DesignOrder order)
      : ask_(decision.ask), settings_(settings), need_(need_of(decision, settings)) {
    // [A10] A zone contains the candidates of one class, priority and age; [A17] with the order `sizes`, those of one
    // class.
    const auto same_zone = [&](const DesignCandidate& a, const DesignCandidate& b) {
      return a.cls == b.cls && (order == DesignOrder::sizes || (a.priority == b.priority && a.created == b.created));
    };
    for (const DesignCandidate& c : decision.order) {
      if (zones_.empty() || !same_zone(*zones_.back().front(), c)) zones_.emplace_back();
      zones_.back().push_back(&c);
    }
  }

  [[nodiscard]] auto select() const -> DesignSelection {
    DesignSelection selection;
    for (const std::string& name : settings_.strategies) {  // [A15] Later strategies are fallbacks.
      selection.trials.push_back(name == "single" ? single() : multiple());
      if (!selection.trials.back().victims.empty()) break;
    }
    return selection;
  }

 private:
  /// Selects one victim that is enough and deviates least from the ask, within the percentage.
  [[nodiscard]] auto single() const -> DesignTrial {
    DesignTrial trial{"single", {}, DesignTrial::Outcome::none_enough};
    for (const Zone& zone : zones_) {
      const DesignCandidate* best = nullptr;
      for (const DesignCandidate* c : zone) {
        if (!c->enough) continue;
        trial.outcome = DesignTrial::Outcome::none_within;
        if (!trial.nearest || compare(c->deviation, trial.nearest_deviation) < 0) {
          trial.nearest = c->pod;
          trial.nearest_deviation = c->deviation;
        }
        if (c->within && (best == nullptr || compare(c->deviation, best->deviation) < 0)) best = c;
      }
      if (best != nullptr) return {"single", {best->pod}};
    }
    return trial;
  }

  /// Selects several victims, zone by zone, until they are enough. [A14] No second try once the maximum number is
  /// reached.
  [[nodiscard]] auto multiple() const -> DesignTrial {
    DesignTrial trial{"multiple", {}};
    std::vector<PodId> chosen;
    Resources total;
    for (Zone zone : zones_) {
      std::stable_sort(zone.begin(), zone.end(), [&](const DesignCandidate* a, const DesignCandidate* b) {  // [A13]
        const int order = compare(share_of(a->size, ask_), share_of(b->size, ask_));
        return settings_.descending ? order > 0 : order < 0;
      });
      for (const DesignCandidate* c : zone) {
        chosen.push_back(c->pod);
        total += c->size;
        if (!covers(total, need_)) continue;
        if (static_cast<std::int64_t>(chosen.size()) <= settings_.max_victims) {
          trial.victims = std::move(chosen);
        } else {
          trial.outcome = DesignTrial::Outcome::too_many;
          trial.needed = chosen.size();
        }
        return trial;
      }
    }
    trial.outcome = DesignTrial::Outcome::not_together;
    return trial;
  }

  using Zone = std::vector<const DesignCandidate*>;

  const Resources& ask_;
  const DesignSettings& settings_;
  Resources need_;
  std::vector<Zone> zones_;
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
  const Resources need = need_of(decision, assumptions.design);
  const Fraction limit(assumptions.design.deviation_percent.scaled, 100 * Decimal::kScale);
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
    candidate.deviation = deviation_of(candidate.size, decision.ask);
    candidate.enough = covers(candidate.size, need);
    candidate.deleting = pod.meta.deleting.has_value();
    candidate.within = compare(candidate.deviation, limit) <= 0;
    decision.order.push_back(std::move(candidate));
  }
  // [A7] Youngest first; [A9] ties keep the order of the dump.
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

auto DesignDecision::deleting_victims() const -> std::size_t {
  return static_cast<std::size_t>(std::count_if(
      order.begin(), order.end(), [&](const DesignCandidate& c) { return c.deleting && contains(victims, c.pod); }));
}

auto DesignDecision::readings_differ() const -> bool {
  std::vector<PodId> mine = selection.victims();
  std::vector<PodId> others = other_selection.victims();
  std::sort(mine.begin(), mine.end());
  std::sort(others.begin(), others.end());
  return mine != others;
}

auto decide_design(const Snapshot& cluster, PodId ask, bool unique_app_ids, const Assumptions& assumptions,
                   TypeNames& types, Moment& now) -> DesignDecision {
  const Keys keys(cluster);
  const DesignSettings& settings = assumptions.design;
  DesignDecision decision;
  decision.settings = settings;
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
  // [A1] The age must exceed the delay. A reservation is younger than its pod.
  const std::optional<Instant> created =
      settings.reservation_created ? settings.reservation_created : cluster.pod(ask).meta.created;
  if (created && (settings.start_delay > 0 || settings.reservation_created)) {
    decision.starts_after = created->plus_nanos(settings.start_delay);
    if (now.now() <= *decision.starts_after) {
      (void)now.reached(decision.starts_after->plus_seconds(1));  // the unit of times in answers
      decision.rule = Rule::design_waits;
      return decision;
    }
  }
  if (settings.start_delay > 0 && !settings.reservation_created)
    decision.may_start_after = now.now().plus_nanos(settings.start_delay);
  find_candidates(cluster, keys, unique_app_ids, assumptions, types, decision);
  const DesignOrder other = settings.order == DesignOrder::zones ? DesignOrder::sizes : DesignOrder::zones;
  decision.selection = Strategies(decision, settings, settings.order).select();
  decision.other_selection = Strategies(decision, settings, other).select();
  decision.victims = decision.selection.victims();
  decision.rule = decision.victims.empty() ? Rule::design_no_selection : Rule::design_preempts;
  if (!decision.victims.empty()) decision.strategy = decision.selection.trials.back().strategy;
  return decision;
}

}  // namespace previct::yunikorn
