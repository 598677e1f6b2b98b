#pragma once

#include "api/pod.h"
#include "base/id.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace previct::kube {

/// Terms of pods on nodes about other pods. Replicas have equal terms: they are one entry, so that a term is matched
/// once for all of them.
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

  explicit TermsOfPods(std::size_t nodes) : on_node_(nodes) {}

  /// Adds a pod of a namespace.
  void add(NodeId node, Symbol ns, const SharedList<PodAffinityTerm>& required,
           const SharedList<WeightedPodAffinityTerm>& preferred = {},
           const SharedList<WeightedPodAffinityTerm>& anti_preferred = {});
  /// Removes the pods of a node.
  void clear(NodeId node);
  /// Becomes a copy of `other`, with the pods of these nodes only (not 0), which both have.
  void copy(const TermsOfPods& other, const IdVector<NodeId, char>& nodes);

  [[nodiscard]] auto all() const -> const std::vector<Alike>& { return all_; }
  [[nodiscard]] auto empty() const -> bool { return pods_ == 0; }

 private:
  void place(NodeId node, std::uint32_t index);

  std::vector<Alike> all_;
  std::unordered_map<std::string, std::uint32_t> known_;  // indices into all_, by namespace and terms
  IdVector<NodeId, std::vector<std::uint32_t>> on_node_;  // indices into all_, one for each pod
  std::size_t pods_ = 0;
};

}  // namespace previct::kube
