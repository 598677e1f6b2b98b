#pragma once

#include "engine/yunikorn/design_151.h"
#include "engine/yunikorn/release.h"

#include <string>

/// All text of this engine. Decisions consist of rules and numbers, which are converted to text here.
namespace previct::yunikorn {

[[nodiscard]] auto class_word(VictimClass cls) -> std::string_view;
[[nodiscard]] auto design_outcome_word(Rule rule) -> std::string_view;

/// Returns the victims that are certain to be evicted: all of the answer, unless several results are possible.
[[nodiscard]] auto certain_victims(const ReleaseDecision& decision) -> std::vector<PodId>;

/// `500m` or `2` cores, `1.5Gi`, `3`.
[[nodiscard]] auto amount_text(std::string_view type, std::int64_t amount) -> std::string;
/// The same for amounts of one type that a sentence compares: different amounts look different.
[[nodiscard]] auto amount_texts(std::string_view type, const std::vector<std::int64_t>& amounts)
    -> std::vector<std::string>;
/// `memory 1Gi, pods 1, vcore 500m`; `-` for none.
[[nodiscard]] auto amounts_text(const TypeNames& types, const Resources& amounts) -> std::string;

/// Describes the outcome of the pod, without naming it: "would preempt 2 pods on node gpu-1".
class Sentences {
 public:
  Sentences(const PartitionContext& core, Instant now) : core_(core), now_(now) {}

  [[nodiscard]] auto verdict(const ReleaseDecision& decision) const -> std::string;

 private:
  [[nodiscard]] auto node(NodeId node) const -> std::string;
  [[nodiscard]] auto zero_request(const ReleaseDecision& decision) const -> std::string;
  [[nodiscard]] auto refusal(const ReleaseDecision& decision, const kube::Reason& reason) const -> std::string;
  [[nodiscard]] auto terminating(const std::vector<PodId>& victims) const -> std::string;
  [[nodiscard]] auto cordoned(const Resources& ask) const -> std::string;
  [[nodiscard]] auto victims_cordoned(const QueueAttempt& attempt) const -> std::string;
  [[nodiscard]] auto nodes(const std::vector<NodeId>& nodes) const -> std::string;
  [[nodiscard]] auto no_capacity(const Resources& ask) const -> std::string;
  [[nodiscard]] auto why_no_victims(const ReleaseDecision& decision, const QueueSolution& end, bool headroom) const
      -> std::string;
  [[nodiscard]] auto kept_for_others(const std::vector<NodeId>& kept) const -> std::string;
  [[nodiscard]] auto compared_text(const Resources& amounts, const Resources& ask) const -> std::string;
  [[nodiscard]] auto over_max(const ReleaseDecision& decision) const -> std::string;
  [[nodiscard]] auto no_node(const ReleaseDecision& decision) const -> std::string;
  [[nodiscard]] auto held_back(const ReleaseDecision& decision) const -> std::string;
  [[nodiscard]] static auto orders(const ReleaseDecision& decision) -> std::string;
  [[nodiscard]] auto placed(const ReleaseDecision& decision) const -> std::string;
  [[nodiscard]] auto pods(const std::vector<PodId>& pods) const -> std::string;
  [[nodiscard]] auto no_headroom(const ReleaseDecision& decision) const -> std::string;
  [[nodiscard]] auto required_preempts(const ReleaseDecision& decision) const -> std::string;
  [[nodiscard]] auto required_no_help(const ReleaseDecision& decision) const -> std::string;
  [[nodiscard]] auto queue_preempts(const ReleaseDecision& decision) const -> std::string;
  [[nodiscard]] auto queue_refused(const ReleaseDecision& decision, const QueueSolution& end) const -> std::string;
  [[nodiscard]] auto too_large(const ReleaseDecision& decision) const -> std::string;

  const PartitionContext& core_;
  Instant now_;
};

/// Returns why a strategy of the design document selects no victim, or how many it selects.
[[nodiscard]] auto trial_words(const Snapshot& cluster, const DesignSettings& settings, const DesignTrial& trial)
    -> std::string;

/// `12.5 %`, with at most two decimals.
[[nodiscard]] auto percent_text(const Fraction& fraction) -> std::string;
[[nodiscard]] auto percent_text(const Decimal& percent) -> std::string;

/// Like amounts_text(), but with as many digits as needed to distinguish two sizes: `2040Mi`, not `2Gi`.
[[nodiscard]] auto exact_amounts_text(const TypeNames& types, const Resources& amounts) -> std::string;

[[nodiscard]] auto design_verdict(const Snapshot& cluster, const DesignDecision& decision, Instant now) -> std::string;

}  // namespace previct::yunikorn
