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
      // A node has one field, metadata.name; any other reads as empty.
      const std::string_view have = field.key == cluster.known().metadata_name ? cluster.text(name) : "";
      const bool same = !field.values.empty() && cluster.text(field.values.front()) == have;
      if (same != (field.op == SelectorOperator::in)) return false;
    }
  }
  return fault_of(term, cluster.objects().symbols).empty();  // checked last: rarely reached, and the most expensive
}

// Parses an integer as the API writes it: without a plus sign or leading zeros.
// Source: apimachinery: pkg/api/validate/content/decimal_int.go IsDecimalInteger, v0.35.
auto decimal_integer(std::string_view text) -> std::optional<std::int64_t> {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return {};
  if (digits.starts_with('0') && text != "0") return {};
  return go::parse_int(text, 64);
}

// Gt tolerates taints whose value is greater than the toleration's.
// Source: api: core/v1/toleration.go compareNumericValues, v0.35.
auto tolerates_number(const TaintToleration& toleration, const Taint& taint, const Symbols& symbols) -> bool {
  const std::string_view op = symbols.text(toleration.op);
  if (op != "Gt" && op != "Lt") return false;
  const auto bound = decimal_integer(symbols.text(toleration.value));
  const auto have = decimal_integer(symbols.text(taint.value));
  if (!bound || !have) return false;
  return op == "Gt" ? *have > *bound : *have < *bound;
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

auto tolerates(std::span<const TaintToleration> tolerations, const Taint& taint, const WellKnown& known,
               const Symbols* numbers) -> bool {
  return first_toleration(tolerations, taint, known, numbers) != nullptr;
}

auto first_toleration(std::span<const TaintToleration> tolerations, const Taint& taint, const WellKnown& known,
                      const Symbols* numbers) -> const TaintToleration* {
  const auto found = std::find_if(tolerations.begin(), tolerations.end(), [&](const TaintToleration& t) {
    if (t.effect && t.effect != taint.effect) return false;
    if (t.key && t.key != taint.key) return false;
    if (t.op == known.exists) return true;
    if (!t.op || t.op == known.equal) return t.value == taint.value;
    return numbers != nullptr && tolerates_number(t, taint, *numbers);
  });
  return found == tolerations.end() ? nullptr : &*found;
}

auto first_untolerated_taint(const PodSpec& spec, const Node& node, const WellKnown& known, const Symbols* numbers)
    -> const Taint* {
  for (const Taint& taint : node.spec.taints) {
    const bool counts = taint.effect == known.no_schedule || taint.effect == known.no_execute;
    if (counts && !tolerates(spec.tolerations, taint, known, numbers)) return &taint;
  }
  return nullptr;
}

auto counts_as_healthy(const Pod& pod, const Symbols& symbols) -> bool {
  const Condition* const ready = pod.condition(symbols.find("Ready"));
  return ready == nullptr || symbols.text(ready->status) == "True";
}

}  // namespace previct
