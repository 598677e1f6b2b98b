#include "base/go.h"
#include "engine/kube/image_states.h"
#include "engine/kube/score.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kube {
namespace {

// Scores the size of the pod's images that a node has; images on many nodes count more.
// Source: plugins/imagelocality.
class ImageLocalityScore final : public Score {
 public:
  explicit ImageLocalityScore(const Scoring& scoring)
      : cluster_(scoring.incoming.cluster()), states_(cluster_.derived<ImageStates>()) {
    const PodSpec& spec = scoring.incoming.pod().spec;
    const Release& release = scoring.incoming.node_infos.release();
    for (const Container& c : spec.init_containers) add_image(c.image);
    for (const Container& c : spec.containers) add_image(c.image);
    count_ = static_cast<std::int64_t>(images_.size());
    if (!release.has(Change::volume_images_score)) return;
    for (const Volume& volume : spec.volumes) {
      if (volume.disk.kind == DiskKind::image) add_image(volume.disk.id);
    }
    if (release.has(Change::volume_images_are_counted)) count_ = static_cast<std::int64_t>(images_.size());
  }

  [[nodiscard]] auto prepare() -> Prepared override {
    sums_ = IdVector<NodeId, std::int64_t>(cluster_.nodes().size());
    for (const Symbol image : images_) {
      const std::span<const NodeId> nodes = states_.nodes_with(image);
      const std::int64_t share = scaled(states_.size_of(image), nodes.size());
      for (const NodeId node : nodes) sums_[node] = go::add(sums_[node], share);
    }
    find_unlisted();
    return {};
  }

  [[nodiscard]] auto of(NodeId node) const -> std::int64_t override { return of_sum(sums_[node]); }

  void of_all(std::span<const NodeId> nodes, std::span<std::int64_t> scores) const override {
    score_each(*this, nodes, scores);
  }

  [[nodiscard]] auto doubt() const -> std::optional<Gap> override {
    if (most_.empty()) return {};
    return Gap{GapRule::images_unlisted};
  }
  [[nodiscard]] auto at_least(NodeId node) const -> std::int64_t override { return of(node); }
  [[nodiscard]] auto at_most(NodeId node) const -> std::int64_t override {
    return most_.empty() ? of(node) : of_sum(most_[node]);
  }

 private:
  void add_image(Symbol image) {
    const std::string_view text = cluster_.text(image);
    images_.push_back(has_tag(text) ? image : cluster_.symbol(fmt::format("{}:latest", text)));
  }

  [[nodiscard]] auto scaled(std::int64_t size, std::size_t nodes) const -> std::int64_t {
    const double spread = static_cast<double>(nodes) / static_cast<double>(cluster_.nodes().size());
    constexpr std::int64_t kMost = std::int64_t{1} << 60;  // larger than any image, and prevents overflow of the cast
    return static_cast<std::int64_t>(static_cast<double>(std::clamp(size, -kMost, kMost)) * spread);
  }

  [[nodiscard]] auto of_sum(std::int64_t sum) const -> std::int64_t {
    constexpr std::int64_t kMiB = 1024 * 1024;
    constexpr std::int64_t kLeast = 23 * kMiB;
    const std::int64_t most = 1000 * kMiB * count_;
    return kMaxNodeScore * (std::clamp(sum, kLeast, std::max(most, kLeast)) - kLeast) / (most - kLeast);
  }

  // Computes the sums for the case that every node has the images that it may have without listing them.
  void find_unlisted() {
    const auto unlisted = [&](NodeId node, Symbol image, std::span<const NodeId> listed) {
      const std::int64_t largest = states_.largest_unlisted(node);
      return largest >= 0 && (listed.empty() || states_.size_of(image) <= largest) &&
             !std::binary_search(listed.begin(), listed.end(), node);
    };
    for (const Symbol image : images_) {
      const std::span<const NodeId> listed = states_.nodes_with(image);
      std::int64_t size = states_.size_of(image);
      std::vector<NodeId> more;
      for (const NodeId node : cluster_.nodes().ids()) {
        if (!unlisted(node, image, listed)) continue;
        more.push_back(node);
        if (listed.empty()) size = std::max(size, states_.largest_unlisted(node));
      }
      if (more.empty()) continue;
      if (most_.empty()) most_ = sums_;
      const std::int64_t share = scaled(size, listed.size() + more.size());
      const std::int64_t known = scaled(states_.size_of(image), listed.size());
      for (const NodeId node : listed) most_[node] = go::add(most_[node], share - known);
      for (const NodeId node : more) most_[node] = go::add(most_[node], share);
    }
  }

  const Snapshot& cluster_;
  const ImageStates& states_;
  std::vector<Symbol> images_;
  std::int64_t count_ = 0;
  IdVector<NodeId, std::int64_t> sums_;
  IdVector<NodeId, std::int64_t> most_;  // empty: every list is complete for this pod's images
};

}  // namespace

const ScoreInfo& image_locality_score = ScoreInfo{
    "ImageLocality",
    [](const Scoring& scoring) { return std::unique_ptr<Score>(std::make_unique<ImageLocalityScore>(scoring)); }};

}  // namespace previct::kube
