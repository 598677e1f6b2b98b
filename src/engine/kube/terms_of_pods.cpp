#include "engine/kube/terms_of_pods.h"

#include "cluster/label_syntax.h"

#include <algorithm>
#include <span>

namespace previct::kube {
namespace {

/// Writes terms as numbers of a fixed size, each list after its length: equal texts are equal terms.
class Key {
 public:
  explicit Key(Symbol ns) { put(ns); }

  void put(const SharedList<PodAffinityTerm>& terms) {
    put(terms.size());
    for (const PodAffinityTerm& term : terms) put(term);
  }
  void put(const SharedList<WeightedPodAffinityTerm>& terms) {
    put(terms.size());
    for (const WeightedPodAffinityTerm& each : terms) {
      put_number(static_cast<std::uint32_t>(each.weight));
      put(each.term);
    }
  }

  [[nodiscard]] auto text() && -> std::string { return std::move(text_); }

 private:
  void put_number(std::uint32_t number) { text_.append(reinterpret_cast<const char*>(&number), sizeof(number)); }
  void put(std::size_t length) { put_number(static_cast<std::uint32_t>(length)); }
  void put(Symbol symbol) { put_number(symbol.index); }
  void put(std::span<const Symbol> symbols) {
    put(symbols.size());
    for (const Symbol symbol : symbols) put(symbol);
  }
  void put(const SharedList<Symbol>& symbols) { put(std::span<const Symbol>(symbols.begin(), symbols.end())); }

  void put(const std::optional<LabelSelector>& selector) {
    put_number(selector ? 1 : 0);
    if (!selector) return;
    put(selector->match_labels.size());
    for (const auto& [key, value] : selector->match_labels) {
      put(key);
      put(value);
    }
    put(selector->match_expressions.size());
    for (const Requirement& each : selector->match_expressions) {
      put(each.key);
      put(each.operator_text);
      put(each.values);
    }
  }

  void put(const PodAffinityTerm& term) {
    put(term.topology_key);
    put(term.selector);
    put(term.namespaces);
    put(term.namespace_selector);
    put(term.match_label_keys);
    put(term.mismatch_label_keys);
  }

  std::string text_;
};

// Returns a label that all pods have that match the term; null if there may be none.
auto needed_label(const PodAffinityTerm& term) -> const SymbolMap::Entry* {
  if (!term.selector || term.selector->match_labels.empty()) return nullptr;
  const SymbolMap::Entry* const first = term.selector->match_labels.begin();
  return first->second ? first : nullptr;
}

auto is_malformed(const PodAffinityTerm& term, const Symbols& symbols) -> bool {
  return (term.selector && !fault_of(*term.selector, symbols).empty()) ||
         (term.namespace_selector && !fault_of(*term.namespace_selector, symbols).empty());
}

}  // namespace

auto are_malformed(const SharedList<PodAffinityTerm>& terms, const Symbols& symbols) -> bool {
  return std::any_of(terms.begin(), terms.end(), [&](const auto& term) { return is_malformed(term, symbols); });
}

auto are_malformed(const SharedList<WeightedPodAffinityTerm>& terms, const Symbols& symbols) -> bool {
  return std::any_of(terms.begin(), terms.end(), [&](const auto& each) { return is_malformed(each.term, symbols); });
}

void TermsOfPods::add(NodeId node, Symbol ns, const SharedList<PodAffinityTerm>& required,
                      const SharedList<WeightedPodAffinityTerm>& preferred,
                      const SharedList<WeightedPodAffinityTerm>& anti_preferred) {
  Key key(ns);
  key.put(required);
  key.put(preferred);
  key.put(anti_preferred);
  const auto [at, is_new] = known_.try_emplace(std::move(key).text(), 0);
  if (is_new) at->second = add({ns, required, preferred, anti_preferred, {}});
  place(node, at->second);
}

template <class Terms>
void TermsOfPods::leave_out_malformed(Terms& terms) {
  if (!are_malformed(terms, *symbols_)) return;
  terms = {};
  lacks_some_ = true;
}

auto TermsOfPods::add(Alike terms) -> std::uint32_t {
  leave_out_malformed(terms.required);
  leave_out_malformed(terms.preferred);
  leave_out_malformed(terms.anti_preferred);
  const auto index = static_cast<std::uint32_t>(all_.size());
  const auto is_own = [](const PodAffinityTerm* term) { return term->namespaces.empty() && !term->namespace_selector; };
  std::vector<const PodAffinityTerm*> each;
  for (const PodAffinityTerm& term : std::as_const(terms.required)) each.push_back(&term);
  for (const WeightedPodAffinityTerm& preference : std::as_const(terms.preferred)) each.push_back(&preference.term);
  for (const WeightedPodAffinityTerm& preference : std::as_const(terms.anti_preferred))
    each.push_back(&preference.term);
  if (!std::all_of(each.begin(), each.end(), is_own)) {
    of_others_.push_back(index);
  } else if (const SymbolMap::Entry* const label = each.size() == 1 ? needed_label(*each.front()) : nullptr) {
    of_label_[key_of(*label)].push_back(index);
  } else {
    of_namespace_[terms.ns.index].push_back(index);
  }
  all_.push_back(std::move(terms));
  return index;
}

void TermsOfPods::place(NodeId node, std::uint32_t index) {
  ++all_[index].pods[node.index];
  on_node_[node].push_back(index);
  ++pods_;
}

void TermsOfPods::clear(NodeId node) {
  for (const std::uint32_t index : on_node_[node]) {
    auto& pods = all_[index].pods;
    const auto at = pods.find(node.index);
    if (--at->second == 0) pods.erase(at);
    --pods_;
  }
  on_node_[node].clear();
}

void TermsOfPods::copy(const TermsOfPods& other, const IdVector<NodeId, char>& nodes) {
  all_.clear();
  of_label_ = other.of_label_;
  of_namespace_ = other.of_namespace_;
  of_others_ = other.of_others_;
  for (const Alike& each : other.all_)
    all_.push_back({each.ns, each.required, each.preferred, each.anti_preferred, {}});
  known_ = other.known_;
  lacks_some_ = other.lacks_some_;
  pods_ = 0;
  for (const NodeId node : on_node_.ids()) {
    on_node_[node].clear();
    if (nodes[node] == 0) continue;
    for (const std::uint32_t index : other.on_node_[node]) place(node, index);
  }
}

}  // namespace previct::kube
