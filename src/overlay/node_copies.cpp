#include "overlay/node_copies.h"

#include "api/store_sink.h"
#include "base/text.h"
#include "overlay/sorter.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

constexpr std::size_t kMostNodes = 5'000;

// Reads the only object of the file, which is in no store afterwards.
auto read_template(const std::string& file, const LoadOptions& options, Objects& objects) -> Result<Node> {
  const std::vector<std::size_t> before = store_sizes(objects);
  const std::size_t nodes = objects.nodes.size();
  const Mark mark(objects);
  Sorter sorter(objects);
  PREVICT_CHECK(read_objects({file}, options, objects, sorter));
  std::size_t read = 0;
  std::size_t store = 0;
  objects.each_store([&](std::string_view, const auto& items) { read += items.size() - before[store++]; });
  const bool is_node = read == 1 && objects.nodes.size() == nodes + 1;
  Node like = is_node ? objects.nodes.items().back() : Node();
  mark.restore(objects);
  if (!is_node) return fail(fmt::format("--node-template {}: expected one Node", file));
  return like;
}

}  // namespace

auto node_like(const Node& like, std::string_view name, Symbols& symbols) -> Node {
  Node node = like;
  node.meta.name = symbols.intern(name);
  node.meta.uid = {};
  const Symbol hostname = symbols.intern("kubernetes.io/hostname");
  if (node.meta.labels.has(hostname)) node.meta.labels.set(hostname, node.meta.name);
  return node;
}

auto add_nodes(const std::string& file, std::size_t count, const LoadOptions& options, Objects& objects)
    -> Result<std::string> {
  if (count == 0 || count > kMostNodes) return fail(fmt::format("--count must be from 1 to {}", kMostNodes));
  PREVICT_TRY(const Node like, read_template(file, options, objects));
  const std::string name(objects.symbols.text(like.meta.name));
  for (std::size_t i = 1; i <= count; ++i) {
    Node node = node_like(like, fmt::format("{}-{}", name, i), objects.symbols);
    const auto same = [&](const Node& each) { return each.meta.name == node.meta.name; };
    if (std::any_of(objects.nodes.begin(), objects.nodes.end(), same))
      return fail(fmt::format("--node-template {}: there is a node {}-{} already", file, name, i));
    objects.nodes.add(std::move(node));
  }
  return fmt::format("added {} like {}", counted(count, "node", "nodes"), name);
}

}  // namespace previct
