#pragma once

#include "api/pod.h"
#include "base/id.h"
#include "base/symbols.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace previct::kube {

/// Returns true if a selector of one of these terms is malformed. Upstream then ignores the whole list, if the pod is
/// on a node. Source: pkg/scheduler/framework/types.go NewPodInfo, GetAffinityTerms; NodeInfo.AddPod ignores the error;
/// v1.35.
[[nodiscard]] auto are_malformed(const SharedList<PodAffinityTerm>& terms, const Symbols& symbols) -> bool;
[[nodiscard]] auto are_malformed(const SharedList<WeightedPodAffinityTerm>& terms, const Symbols& symbols) -> bool;

/// Terms of pods on nodes about other pods, without malformed lists. Replicas have equal terms: they are one entry, so
/// that a term is matched once for all of them.
class TermsOfPods {
 public:
  /// Equal terms of pods of the same namespace.
  struct Alike {
    Symbol ns;
    SharedList<PodAffinityTerm> required;
    SharedList<WeightedPodAffinityTerm> preferred;
    SharedList<WeightedPodAffinityTerm> anti_preferred;
    std::unordered_map<std::uint32_t, std::int64_t> pods;  ///< how many, by node; may be empty
  };

  TermsOfPods(std::size_t nodes, const Symbols& symbols) : symbols_(&symbols), on_node_(nodes) {}

  /// Adds a pod of a namespace.
  void add(NodeId node, Symbol ns, const SharedList<PodAffinityTerm>& required,
           const SharedList<WeightedPodAffinityTerm>& preferred = {},
           const SharedList<WeightedPodAffinityTerm>& anti_preferred = {});
  /// Removes the pods of a node.
  void clear(NodeId node);
  /// Becomes a copy of `other`, with the pods of these nodes only (not 0), which both have.
  void copy(const TermsOfPods& other, const IdVector<NodeId, char>& nodes);

  [[nodiscard]] auto all() const -> const std::vector<Alike>& { return all_; }
  /// Calls `use` for all entries with terms that may match the pod.
  template <class Use>
  void each_for(const ObjectMeta& pod, const Use& use) const {
    for (const SymbolMap::Entry& label : pod.labels) {
      const auto with_label = of_label_.find(key_of(label));
      if (with_label == of_label_.end()) continue;
      for (const std::uint32_t index : with_label->second) {
        if (all_[index].ns == pod.ns) use(all_[index]);
      }
    }
    const auto own = of_namespace_.find(pod.ns.index);
    if (own != of_namespace_.end()) {
      for (const std::uint32_t index : own->second) use(all_[index]);
    }
    for (const std::uint32_t index : of_others_) use(all_[index]);
  }
  [[nodiscard]] auto empty() const -> bool { return pods_ == 0; }
  /// Returns true if a list of terms is malformed.
  [[nodiscard]] auto lacks_some() const -> bool { return lacks_some_; }

 private:
  static auto key_of(const SymbolMap::Entry& label) -> std::uint64_t {
    return std::uint64_t{label.first.index} << 32U | label.second.index;
  }
  void place(NodeId node, std::uint32_t index);
  auto add(Alike terms) -> std::uint32_t;
  template <class Terms>
  void leave_out_malformed(Terms& terms);

  const Symbols* symbols_;
  std::vector<Alike> all_;
  // Indices into all_. If all terms are about the namespace of their pods alone: by a label that pods must have, if
  // there is one term and it has such a label, else by that namespace. Else in of_others_.
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> of_label_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> of_namespace_;
  std::vector<std::uint32_t> of_others_;
  std::unordered_map<std::string, std::uint32_t> known_;  // indices into all_, by namespace and terms
  IdVector<NodeId, std::vector<std::uint32_t>> on_node_;  // indices into all_, one for each pod
  std::size_t pods_ = 0;
  bool lacks_some_ = false;
};

}  // namespace previct::kube
