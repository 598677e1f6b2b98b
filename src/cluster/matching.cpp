#include "cluster/matching.h"

#include "base/contains.h"
#include "base/go.h"
#include "cluster/label_syntax.h"

#include <algorithm>

namespace previct {
namespace {

auto matches_term(const NodeSelectorTerm& term, const SymbolMap& labels, Symbol name, const Snapshot& cluster) -> bool {
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  for (const Requirement& expression : term.match_expressions) {
    if (!matches(expression, labels, cluster.objects().symbols)) return false;
  }
  if (name) {
    for (const Requirement& field : term.match_fields) {
      // A node has one field; any other reads as empty.
      const std::string_view have = field.key == cluster.known().metadata_name ? cluster.text(name) : "";
      const bool same = !field.values.empty() && cluster.text(field.values.front()) == have;
      if (same != (field.op == SelectorOperator::in)) return false;
    }
  }
  return fault_of(term, cluster.objects().symbols).empty();  // last: it rarely comes to this, and costs most
}

}  // namespace

auto matches(const Requirement& requirement, const SymbolMap& labels, const Symbols& symbols) -> bool {
  const Symbol value = labels.get(requirement.key);
  switch (requirement.op) {
    case SelectorOperator::in: return value && contains(requirement.values, value);
    case SelectorOperator::not_in: return !value || !contains(requirement.values, value);
    case SelectorOperator::exists: return static_cast<bool>(value);
    case SelectorOperator::does_not_exist: return !value;
    case SelectorOperator::greater:
    case SelectorOperator::less: {
      if (!value || requirement.values.size() != 1) return false;
      const auto have = go::parse_int(symbols.text(value), 64);
      const auto bound = go::parse_int(symbols.text(requirement.values[0]), 64);
      if (!have || !bound) return false;
      return requirement.op == SelectorOperator::greater ? *have > *bound : *have < *bound;
    }
    case SelectorOperator::unknown: return false;
  }
  return false;
}

auto matches(const LabelSelector& selector, const SymbolMap& labels, const Symbols& symbols) -> bool {
  return std::all_of(selector.match_labels.begin(), selector.match_labels.end(),
                     [&](const auto& entry) { return labels.get(entry.first) == entry.second; }) &&
         std::all_of(selector.match_expressions.begin(), selector.match_expressions.end(),
                     [&](const Requirement& r) { return matches(r, labels, symbols); });
}

auto matches(const std::optional<LabelSelector>& selector, const SymbolMap& labels, const Symbols& symbols) -> bool {
  return selector && matches(*selector, labels, symbols);
}

auto matches(const NodeSelector& selector, const SymbolMap& node_labels, Symbol node_name, const Snapshot& cluster)
    -> bool {
  return std::any_of(selector.terms.begin(), selector.terms.end(),
                     [&](const NodeSelectorTerm& term) { return matches_term(term, node_labels, node_name, cluster); });
}

auto matches_required_affinity(const PodSpec& spec, const Node& node, const Snapshot& cluster) -> bool {
  for (const auto& [key, value] : spec.node_selector) {
    if (node.meta.labels.get(key) != value) return false;
  }
  const auto& required = spec.affinity.node.required;
  return !required || matches(*required, node.meta.labels, node.meta.name, cluster);
}

auto tolerates(std::span<const TaintToleration> tolerations, const Taint& taint, const WellKnown& known) -> bool {
  return std::any_of(tolerations.begin(), tolerations.end(), [&](const TaintToleration& t) {
    if (t.effect && t.effect != taint.effect) return false;
    if (t.key && t.key != taint.key) return false;
    if (t.op == known.exists) return true;
    return (!t.op || t.op == known.equal) && t.value == taint.value;
  });
}

auto first_untolerated_taint(const PodSpec& spec, const Node& node, const WellKnown& known) -> const Taint* {
  for (const Taint& taint : node.spec.taints) {
    const bool counts = taint.effect == known.no_schedule || taint.effect == known.no_execute;
    if (counts && !tolerates(spec.tolerations, taint, known)) return &taint;
  }
  return nullptr;
}

}  // namespace previct
