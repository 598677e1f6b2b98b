#include "base/contains.h"
#include "engine/kube/filter.h"
#include "engine/kube/required_nodes.h"

#include <algorithm>

namespace previct::kube {
namespace {

// nodeSelector and required node affinity. If every term names nodes by metadata.name, only those are tried.
// Source: plugins/nodeaffinity.
class NodeAffinity final : public Filter {
 public:
  NodeAffinity(const Incoming& incoming, const FilterSettings& settings)
      : incoming_(incoming), required_(nodes_of(incoming.pod().spec)) {
    if (!settings.added_affinity) return;
    PodSpec added;
    added.affinity.node.required = settings.added_affinity;
    added_ = nodes_of(added);
  }

  [[nodiscard]] auto prepare() -> Prepared override {
    const PodSpec& spec = incoming_.pod().spec;
    const auto& required = spec.affinity.node.required;
    if (spec.node_selector.empty() && !required && !added_) return {.skip = true, .rejection = {}, .only_nodes = {}};
    if (!required || required->terms.empty()) return {};
    std::vector<Symbol> names;  // union over the terms
    for (const NodeSelectorTerm& term : required->terms) {
      const auto named = names_of(term);
      if (!named) return {};
      for (const Symbol name : *named) {
        if (!contains(names, name)) names.push_back(name);
      }
    }
    Prepared result;
    if (names.empty()) {
      result.rejection = {Code::unresolvable, nullptr, {{Rule::affinity_conflict}}};
    } else {
      result.only_nodes = std::move(names);
    }
    return result;
  }

  [[nodiscard]] auto depends_on_pods() const -> bool override { return false; }
  void enter(NodeId node) override { node_ = node; }

  [[nodiscard]] auto check(Reasons reasons) const -> Code override {
    if (added_ && !added_->contains(node_)) {
      add_reason(reasons, {Rule::added_affinity, operand(node_)});
      return Code::unresolvable;
    }
    if (required_->contains(node_)) return Code::success;
    add_reason(reasons, {Rule::node_affinity, operand(node_)});
    return Code::unresolvable;
  }
  [[nodiscard]] auto clone() const -> std::unique_ptr<Filter> override { return std::make_unique<NodeAffinity>(*this); }

 private:
  // Returns the nodes that a term names by metadata.name (the intersection of its fields); nothing if it names none
  // this way.
  [[nodiscard]] auto names_of(const NodeSelectorTerm& term) const -> std::optional<std::vector<Symbol>> {
    std::optional<std::vector<Symbol>> names;
    for (const Requirement& field : term.match_fields) {
      if (field.key != incoming_.cluster().known().metadata_name || field.op != SelectorOperator::in) continue;
      if (!names) {
        names = field.values;
      } else {
        std::erase_if(*names, [&](Symbol name) { return !contains(field.values, name); });
      }
    }
    return names;
  }

  [[nodiscard]] auto nodes_of(const PodSpec& spec) const -> std::shared_ptr<const RequiredNodes> {
    return incoming_.cluster().derived<RequiredNodesOfPods>().of(spec);
  }

  const Incoming& incoming_;
  std::shared_ptr<const RequiredNodes> required_;
  std::shared_ptr<const RequiredNodes> added_;  // by NodeAffinityArgs.addedAffinity; null: none
  NodeId node_;
};

}  // namespace

const FilterInfo& node_affinity_filter =
    FilterInfo{.name = "NodeAffinity",
               .make =
                   [](const Incoming& incoming, const FilterSettings& settings) {
                     return std::unique_ptr<Filter>(std::make_unique<NodeAffinity>(incoming, settings));
                   },
               .looks_at = LooksAt::node,
               .events = [](const Release& release) -> EventTable {
                 return {{Resource::node, new_nodes(release, action::kNodeLabel)}};
               },
               .kubelet = true,
               .at_reservation = true};

}  // namespace previct::kube
