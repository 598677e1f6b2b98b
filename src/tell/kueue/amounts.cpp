#include "tell/kueue/amounts.h"

#include <fmt/format.h>

namespace previct::kueue {

auto plain_amount(Amount amount, Symbol resource, const Inventory& inventory) -> std::string {
  return amount.is_unlimited() ? "unlimited" : amount_text(inventory.text(resource), amount);
}

auto with_resource(Amount amount, Symbol resource, const Inventory& inventory) -> std::string {
  return fmt::format("{} {}", plain_amount(amount, resource, inventory), inventory.text(resource));
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

auto ordinal(std::size_t number) -> std::string {
  const std::size_t tens = number % 100;
  const bool teen = tens >= 11 && tens <= 13;
  const std::size_t last = number % 10;
  const std::string_view ending = teen || last == 0 || last > 3 ? "th" : last == 1 ? "st" : last == 2 ? "nd" : "rd";
  return fmt::format("{}{}", number, ending);
}

}  // namespace previct::kueue
