#include "engine/kube/image_states.h"

#include <algorithm>

namespace previct::kube {
namespace {

constexpr std::size_t kMostImages = 50;
constexpr std::size_t kMostNames = 5;

}  // namespace

ImageStates::ImageStates(const Snapshot& cluster) : largest_unlisted_(cluster.nodes().size(), -1) {
  for (const NodeId node : cluster.nodes().ids()) {
    for (const NodeImage& image : cluster.node(node).status.images) {
      for (const Symbol name : image.names) {
        if (!name) continue;
        Image& known = images_[name.index];
        if (known.nodes.empty()) known.size = image.size_bytes;
        // A name that a node lists twice counts once.
        if (known.nodes.empty() || known.nodes.back() != node) known.nodes.push_back(node);
      }
    }
  }
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
  const auto found = images_.find(name.index);
  return found == images_.end() ? 0 : found->second.size;
}

auto ImageStates::nodes_with(Symbol name) const -> std::span<const NodeId> {
  const auto found = images_.find(name.index);
  return found == images_.end() ? std::span<const NodeId>() : found->second.nodes;
}

}  // namespace previct::kube
