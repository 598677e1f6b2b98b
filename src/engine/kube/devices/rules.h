#pragma once

#include "cluster/device_taints.h"
#include "engine/kube/release.h"

namespace previct::kube::devices {

[[nodiscard]] inline auto reads_taint_rules(const Release& release) -> bool {
  return release.has(Change::device_taints) &&
         (release.has(Change::device_taint_rules) || release.has(Change::taint_rules_by_expression));
}
[[nodiscard]] inline auto taint_rules_of_scheduler(const Release& release) -> TaintRules {
  if (!reads_taint_rules(release)) return TaintRules::ignored;
  return release.has(Change::taint_rules_need_selector) ? TaintRules::with_selector : TaintRules::all;
}
/// Source: kubernetes pkg/controller/devicetainteviction/device_taint_eviction.go ruleMatchesDevice, v1.35.
[[nodiscard]] inline auto taint_rules_of_eviction(const Release& release) -> TaintRules {
  if (!reads_taint_rules(release)) return TaintRules::ignored;
  return release.has(Change::taint_rules_by_expression) ? TaintRules::all : TaintRules::with_selector;
}
/// Returns true if it is not evaluated which devices a rule selects.
[[nodiscard]] inline auto taint_rules_open(const Release& release, const std::vector<DeviceTaintRule>& rules) -> bool {
  return reads_taint_rules(release) && release.has(Change::taint_rules_by_expression) &&
         std::any_of(rules.begin(), rules.end(), selects_by_expression);
}

/// The rules by which a release chooses devices.
struct Rules {
  explicit Rules(const Release& release)
      : admin_access(release.has(Change::device_admin_access)),
        alternatives(release.has(Change::device_alternatives)),
        counters(release.has(Change::device_counters)),
        taints(release.has(Change::device_taints)),
        taint_rules(taint_rules_of_scheduler(release)),
        parts(release.has(Change::device_parts)),
        names_parts(release.has(Change::selectors_name_parts)),
        fractions(release.has(Change::device_fractions)),
        binding(release.has(Change::device_binding)),
        lists(release.has(Change::device_attribute_lists)),
        whole_pools(release.has(Change::device_pools_whole)),
        in_order(release.has(Change::devices_in_order)),
        known_effects(release.has(Change::device_taints_of_known_effect)),
        counters_anywhere(!release.has(Change::counters_for_nodes)),
        told_apart(release.has(Change::devices_told_apart)),
        newest(in_order || parts || binding || lists || release.has(Change::newest_device_allocator)) {}

  bool admin_access;
  bool alternatives;  ///< firstAvailable
  bool counters;      ///< devices that share counters
  bool taints;
  TaintRules taint_rules;
  bool parts;              ///< one device for several claims
  bool names_parts;        ///< selectors can read device.allowMultipleAllocations
  bool fractions;          ///< parts may have three decimal places
  bool binding;            ///< devices that are prepared after they are allocated
  bool lists;              ///< attributes with several values
  bool whole_pools;        ///< pools are judged over all nodes; incomplete or invalid pools are left out
  bool in_order;           ///< slices and pools are walked by name, and each set of devices is tried once
  bool known_effects;      ///< taints with other effects are ignored
  bool counters_anywhere;  ///< slices with counters concern every node
  bool told_apart;         ///< devices of one request, and counters of pools with one name, are distinguished
  bool newest;             ///< distinctAttribute constraints and requests for capacity are known
};

}  // namespace previct::kube::devices
