#pragma once

#include "engine/kube/attempt.h"
#include "engine/kube/devices/findings.h"

#include <string>
#include <vector>

namespace previct::kube {

/// The smallest and the largest value of each operand of one reason on several nodes.
struct ReasonRange {
  Reason least{};
  Reason most{};

  friend auto operator==(const ReasonRange&, const ReasonRange&) -> bool = default;
};

/// Converts reasons to text: the scheduler's own, byte for byte, and previct's. The only place of this engine that
/// contains any text.
class Words {
 public:
  Words(const NodeInfoSnapshot& node_infos, PodId subject, Instant now)
      : node_infos_(node_infos), cluster_(node_infos.cluster()), subject_(subject), now_(now) {}

  /// Returns the scheduler's text; empty for rules for which it writes nothing.
  [[nodiscard]] auto upstream(const Reason& reason) const -> std::string;
  /// Returns previct's text.
  [[nodiscard]] auto ours(const Reason& reason) const -> std::string;
  /// Returns previct's text for several nodes: `skew would be 2 to 3, at most 1`.
  [[nodiscard]] auto ours_of_all(const ReasonRange& range) const -> std::string;

  /// Returns the text that follows the names or the number of `nodes` nodes (`have the taint
  /// dedicated=batch:NoSchedule`); empty if rules.def has none.
  [[nodiscard]] auto of_nodes(const Reason& reason, std::size_t nodes) const -> std::string;

  /// Returns an amount of a resource with its unit: `500m`, `4`, `2Gi`.
  [[nodiscard]] auto amount(ResourceId resource, std::int64_t value) const -> std::string;

 private:
  [[nodiscard]] auto fill(std::string_view text, const Reason& reason) const -> std::string;
  [[nodiscard]] auto operand_text(std::string_view type, std::int64_t value, const Reason& reason) const -> std::string;

  [[nodiscard]] auto node_selection() const -> std::string;
  [[nodiscard]] auto device_name(const devices::DevicePlace& place) const -> std::string;

  const NodeInfoSnapshot& node_infos_;
  const Snapshot& cluster_;
  PodId subject_;
  Instant now_;  ///< reference time of "4m12s ago"
};

/// Returns the error text in which `RunFilterPlugins` wraps an Error.
[[nodiscard]] auto filter_error(const Status& status, const Words& words) -> std::string;

/// The text of the PodScheduled condition and of the FailedScheduling event, byte for byte; empty if the scheduler
/// writes none. `order_undefined` is set if the text is partly random: upstream joins several errors in random order
/// (ours: sorted), or names one of several nodes.
/// Source: framework.FitError.Error, schedule_one.go handleSchedulingFailure, v1.35.
struct FitMessage {
  std::string text;
  bool order_undefined = false;
};
[[nodiscard]] auto fit_message(const Decision& decision, const NodeInfoSnapshot& node_infos, const Words& words)
    -> FitMessage;

/// Returns the errors of preemption's dry runs, without duplicates, sorted.
[[nodiscard]] auto dry_run_errors(const IdVector<NodeId, NodeVerdict>& nodes, const Words& words)
    -> std::vector<std::string>;

/// The errors that may end an attempt whose PreFilter, Filter or Score fails, without duplicates, sorted. With several,
/// chance decides which of them occurs first.
struct AttemptErrors {
  std::vector<std::string> texts;
  bool others_possible = false;  ///< as in FilterErrors
};
[[nodiscard]] auto attempt_errors(const Decision& decision, const Words& words) -> AttemptErrors;

/// Returns the upstream name of a code (`UnschedulableAndUnresolvable`).
[[nodiscard]] auto code_name(Code code) -> std::string_view;

}  // namespace previct::kube
