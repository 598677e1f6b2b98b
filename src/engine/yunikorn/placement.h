#pragma once

#include "base/regexp.h"
#include "engine/yunikorn/pod_facts.h"
#include "engine/yunikorn/queues.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace previct::yunikorn {

/// Why a placement rule gives no queue.
enum class Unplaced : std::uint8_t {
  no_queue,  ///< the queue does not exist, and the rule may not create it
  not_a_leaf,
  no_access  ///< neither submitacl nor adminacl of the queue, or of one above it, names the user or its groups
};
struct RuleFailed {
  Unplaced why{};
  std::string queue;
};

/// The queue in which an application was placed.
struct Placed {
  QueueId queue;                     ///< none: rejected
  std::string refusal{};             ///< the scheduler's reason, if rejected
  std::vector<RuleFailed> failed{};  ///< if no rule matched: those that gave a queue which is not used, in order
};

/// Runs the placement rules for applications, in the order in which applications are created. Queues that a rule may
/// create are created in `queues`. Source: apache/yunikorn-core 1.9 pkg/scheduler/placement, pkg/scheduler/partition.go
/// AddApplication.
class Placement {
 public:
  Placement(const Snapshot& cluster, const Keys& keys, const PartitionConfig& config, TypeNames& types,
            QueueTree& queues);

  /// Places the application whose oldest pod is `first`.
  [[nodiscard]] auto place(const Pod& first) -> Placed;

  /// Returns a regular expression of a filter that previct cannot read, so it is assumed to match no user; empty: none.
  [[nodiscard]] auto unread_pattern() const -> const std::string& { return unread_pattern_; }
  /// Returns a tag of applications that a rule uses and whose value previct does not compute; empty: none.
  [[nodiscard]] auto met_tag() const -> const std::string& { return met_tag_; }

 private:
  struct Applicant {
    std::string_view ns;
    std::string_view wish;
    std::string_view parent_queue;  // of the namespace
    std::string_view max_apps;      // of the namespace
    User user;
    bool running = false;
  };
  /// The result of a rule: a path, nothing (the next rule is tried), or an error (the application is rejected).
  struct Outcome {
    std::string path;
    std::string error{};
    std::string missing{};  // the queue that does not exist, if that is why there is no path
  };

  [[nodiscard]] auto run(const RuleChain& chain, const Applicant& applicant) -> Outcome;
  [[nodiscard]] auto wanted_name(const RuleConfig& rule, const Applicant& applicant) -> std::string;
  [[nodiscard]] auto filter_allows(const RuleConfig& rule, const User& user) -> bool;
  [[nodiscard]] auto filter_lists(const std::vector<Text>& names, std::string_view name, bool valid) -> bool;
  [[nodiscard]] auto usable(std::string_view path, const User& user) const -> bool;
  [[nodiscard]] auto failure_of(const Outcome& outcome, const User& user) const -> std::optional<RuleFailed>;
  [[nodiscard]] auto submit_access(QueueId queue, const User& user) const -> bool;
  [[nodiscard]] auto settle(const std::string& path, const Pod& first) -> Placed;
  void apply_namespace_quota(QueueId queue, const Pod& first);

  [[nodiscard]] auto annotation(Symbol ns, Symbol key) const -> std::string_view;
  [[nodiscard]] auto max_apps(Symbol ns) const -> std::string_view;

  const Snapshot& cluster_;
  const Keys& keys_;
  const PartitionConfig& config_;
  TypeNames& types_;
  QueueTree& queues_;
  std::unordered_map<std::uint32_t, const Namespace*> namespaces_;
  std::optional<Failure> rules_fault_;  // why no rules are active
  std::unordered_map<std::string, go::Regexp> patterns_;
  std::string unread_pattern_;
  std::string met_tag_;
};

}  // namespace previct::yunikorn
