#include "engine/kube/image_states.h"

#include <algorithm>

namespace previct::kube {
namespace {

constexpr std::size_t kMostImages = 50;
constexpr std::size_t kMostNames = 5;

}  // namespace

ImageStates::ImageStates(const Snapshot& cluster)
    : begin_(cluster.symbols().size() + 1, 0),
      sizes_(cluster.symbols().size(), 0),
      largest_unlisted_(cluster.nodes().size(), -1) {
  // A name that a node lists twice counts once: `last` is the last node that listed it, by symbol.
  const auto each_name = [&](auto visit) {
    std::vector<NodeId> last(sizes_.size());
    for (const NodeId node : cluster.nodes().ids()) {
      for (const NodeImage& image : cluster.node(node).status.images) {
        for (const Symbol name : image.names) {
          if (!name || last[name.index] == node) continue;
          visit(name, node, image.size_bytes, !last[name.index]);
          last[name.index] = node;
        }
      }
    }
  };
  each_name([&](Symbol name, NodeId, std::int64_t size, bool first) {
    ++begin_[name.index + 1];
    if (first) sizes_[name.index] = size;
  });
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  nodes_.resize(begin_.back());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  each_name([&](Symbol name, NodeId node, std::int64_t, bool) { nodes_[next[name.index]++] = node; });

  for (const NodeId node : cluster.nodes().ids()) {
    const auto& images = cluster.node(node).status.images;
    std::int64_t& largest = largest_unlisted_[node];
    for (const NodeImage& image : images) {
      if (image.names.size() >= kMostNames) largest = std::max(largest, image.size_bytes);
    }
    if (images.size() != kMostImages) continue;
    const auto* const smallest =
        std::min_element(images.begin(), images.end(),
                         [](const NodeImage& a, const NodeImage& b) { return a.size_bytes < b.size_bytes; });
    largest = std::max(largest, smallest->size_bytes);
  }
}

auto ImageStates::size_of(Symbol name) const -> std::int64_t {
  return name && name.index < sizes_.size() ? sizes_[name.index] : 0;
}

auto ImageStates::nodes_with(Symbol name) const -> std::span<const NodeId> {
  if (!name || name.index >= sizes_.size()) return {};
  return std::span(nodes_).subspan(begin_[name.index], begin_[name.index + 1] - begin_[name.index]);
}

}  // namespace previct::kube
