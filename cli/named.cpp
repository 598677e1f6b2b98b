#include "cli/named.h"

#include "api/known_class.h"
#include "base/contains.h"
#include "base/go.h"

#include <fmt/format.h>

namespace previct::cli {

auto named_priority(const std::string& text, std::string_view flag, const Snapshot& cluster) -> Result<std::int64_t> {
  const Objects& objects = cluster.objects();
  if (const auto known = known_class(cluster.symbols().intern(text), objects)) return known->value;
  if (const auto priority = go::parse_int(text, 32)) return *priority;
  return fail(fmt::format("{}: no PriorityClass {} in the input", flag, text));
}

auto named_nodes(const std::vector<std::string>& names, std::string_view flag, const Snapshot& cluster)
    -> Result<std::vector<NodeId>> {
  std::vector<NodeId> nodes;
  for (const std::string& name : names) {
    const Symbol symbol = cluster.symbol(name);
    const NodeId node = symbol ? cluster.find_node(symbol) : NodeId{};
    if (!node) return fail(fmt::format("{}: no node {} in the input", flag, name));
    if (!contains(nodes, node)) nodes.push_back(node);
  }
  return nodes;
}

auto named_or_all_nodes(const std::vector<std::string>& names, std::string_view flag, const Snapshot& cluster)
    -> Result<std::vector<NodeId>> {
  PREVICT_TRY(std::vector<NodeId> nodes, named_nodes(names, flag, cluster));
  if (!names.empty()) return nodes;
  for (const NodeId node : cluster.nodes().ids()) nodes.push_back(node);
  return nodes;
}

}  // namespace previct::cli
