#include "tell/kueue/amounts.h"

#include "base/text.h"

#include <fmt/format.h>

namespace previct::kueue {

auto plain_amount(Amount amount, Symbol resource, const Inventory& inventory) -> std::string {
  return amount.is_unlimited() ? "unlimited" : amount_text(inventory.text(resource), amount);
}

auto with_resource(Amount amount, Symbol resource, const Inventory& inventory) -> std::string {
  return fmt::format("{} {}", plain_amount(amount, resource, inventory), inventory.text(resource));
}

namespace {

// `; of 5 nodes, 3 lack cpu, 1 has an untolerated taint`
auto exclusions(const NoPlacement& why) -> std::string {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, std::string_view one, std::string_view many, std::string_view what) {
    if (count > 0) parts.push_back(fmt::format("{} {} {}", count, count == 1 ? one : many, what));
  };
  for (const auto& [resource, count] : why.resources) add(count, "lacks", "lack", resource);
  for (const auto& [taint, count] : why.taints) add(count, "has", "have", "the untolerated taint " + taint);
  add(why.selector, "does not match", "do not match", "the nodeSelector");
  add(why.affinity, "does not match", "do not match", "the node affinity");
  std::vector<std::string> told;
  if (!parts.empty())
    told.push_back(fmt::format("of {}, {}", counted(why.nodes, "domain", "domains"), joined(parts, ", ")));
  if (why.unready > 0)
    told.push_back(fmt::format("{} cordoned or not ready", counted(why.unready, "node is", "nodes are")));
  return told.empty() ? std::string() : fmt::format(" ({})", joined(told, "; "));
}

}  // namespace

auto no_placement_words(const NoPlacement& why, const Inventory& inventory) -> std::string {
  using Kind = NoPlacement::Kind;
  const std::string_view topology = inventory.text(why.topology);
  const std::string_view level = inventory.text(why.level);
  const std::string_view unit = why.in_slices ? "slices" : "pods";
  switch (why.kind) {
    case Kind::too_few:
      return fmt::format("{} of {} {} fit {}topology {}{}", why.fit == 0 ? "none" : std::to_string(why.fit), why.wanted,
                         unit, why.level ? fmt::format("into one {} of ", level) : "into ", topology, exclusions(why));
    case Kind::too_few_layers: {
      std::vector<std::string> parts;
      for (const NoPlacement::Layer& each : why.layers)
        parts.push_back(fmt::format("{} of {} slices on level {}", each.fit, each.wanted, inventory.text(each.level)));
      return fmt::format("only {} fit into topology {}{}", joined(parts, ", "), topology, exclusions(why));
    }
    case Kind::no_level:
    case Kind::no_slice_level:
    case Kind::no_layer_level: return fmt::format("topology {} has no level {}", topology, level);
    case Kind::level_not_given: return "the pod set names no topology level";
    case Kind::no_domains: return fmt::format("no ready node of the flavor has the labels of topology {}", topology);
    case Kind::slice_size: return "the pod set requests slices without a size";
    case Kind::slices_above:
      return fmt::format("the level of the slices, {}, is above that of the pod set, {}", level,
                         inventory.text(why.other_level));
    case Kind::layer_order:
      return fmt::format("the inner slices, on level {}, are not below level {}", level,
                         inventory.text(why.other_level));
    case Kind::layer_size:
      return fmt::format("slices of {} pods cannot be split into slices of {}", why.wanted, why.fit);
  }
  return {};
}

auto why_not_words(const WhyNot& why, QueueId queue, const QuotaTree& tree, const Inventory& inventory, bool at_start)
    -> std::string {
  const std::string_view flavor = inventory.text(why.flavor);
  const QueueInfo& info = inventory.queues()[queue];
  const auto plain = [&](Amount amount) { return plain_amount(amount, why.resource, inventory); };
  switch (why.kind) {
    case WhyNot::Kind::flavor_missing: return fmt::format("ResourceFlavor {} does not exist", flavor);
    case WhyNot::Kind::taint:
      return fmt::format("the pods do not tolerate taint {}={}:{} of flavor {}", inventory.text(why.taint->key),
                         inventory.text(why.taint->value), inventory.text(why.taint->effect), flavor);
    case WhyNot::Kind::affinity:
      return fmt::format("the pods' nodeSelector or node affinity does not match flavor {}", flavor);
    case WhyNot::Kind::over_capacity:
      return fmt::format("it requests {} of flavor {}, and ClusterQueue {} can never have more than {}",
                         with_resource(why.assumed + why.request, why.resource, inventory), flavor, info.name,
                         plain(why.limit));
    case WhyNot::Kind::undeclared:
      return fmt::format("ClusterQueue {} has no quota for {}", info.name, inventory.text(why.resource));
    case WhyNot::Kind::not_provided: return fmt::format("flavor {} has no {}", flavor, inventory.text(why.resource));
    case WhyNot::Kind::no_topology: return fmt::format("flavor {} has no topology, and the pods request one", flavor);
    case WhyNot::Kind::no_level: return fmt::format("the topology of flavor {} lacks a requested level", flavor);
    case WhyNot::Kind::only_topology: return fmt::format("flavor {} has a topology, and the pods request none", flavor);
    case WhyNot::Kind::not_nominated:
      return fmt::format("flavor {} was not nominated at the start of the cycle", flavor);
    case WhyNot::Kind::no_placement: return no_placement_words(*why.placement, inventory);
    case WhyNot::Kind::short_of: break;
  }
  const FlavorResource of = inventory.names().find(why.flavor, why.resource);
  if (!at_start)
    return fmt::format("flavor {} then lacks {}", flavor, with_resource(why.limit, why.resource, inventory));
  std::string words = fmt::format("flavor {} lacks {} ({} of nominal {} used", flavor,
                                  with_resource(why.limit, why.resource, inventory), plain(tree.usage(info.node, of)),
                                  plain(tree.nominal(info.node, of)));
  if (const QuotaNodeId parent = tree[info.node].parent) {
    const Amount to_lend = std::max(kNothing, tree.available(parent, of));
    words += fmt::format(", cohort {} has {} to lend", tree[parent].name, plain(to_lend));
    const Quota* const own = tree.quota(info.node, of);
    if (own != nullptr && own->borrowing_limit)
      words += fmt::format(", borrowingLimit {}", plain(*own->borrowing_limit));
  }
  return words + ")";
}

auto topology_error_words(const Assignment& assignment, const Workload& object, const Inventory& inventory)
    -> std::string {
  if (assignment.error == TopologyError::no) return {};
  const std::string set =
      fmt::format("pod set {}", name_of(object.spec.pod_sets[assignment.failed_set], inventory.cluster()));
  switch (assignment.error) {
    case TopologyError::no_information:
      return fmt::format("{} requests a topology, and no flavor of the ClusterQueue has one", set);
    case TopologyError::no_flavor:
      return fmt::format("{} requests a topology, and none of the flavors that it would use has one", set);
    case TopologyError::several_flavors: {
      std::vector<std::string> names;
      for (const Symbol each : assignment.error_flavors) names.emplace_back(inventory.text(each));
      return fmt::format("{} would use several flavors that have a topology: {}", set, joined(names, ", "));
    }
    case TopologyError::no: break;
  }
  return {};
}

auto ordinal(std::size_t number) -> std::string {
  const std::size_t tens = number % 100;
  const bool teen = tens >= 11 && tens <= 13;
  const std::size_t last = number % 10;
  const std::string_view ending = teen || last == 0 || last > 3 ? "th" : last == 1 ? "st" : last == 2 ? "nd" : "rd";
  return fmt::format("{}{}", number, ending);
}

}  // namespace previct::kueue
