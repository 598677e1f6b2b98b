#pragma once

#include "lint/repository.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::lint {

/// The queues of the input as KAI Scheduler links them.
class KaiQueues {
 public:
  struct Queue {
    const Manifest* manifest = nullptr;
    const Queue* parent = nullptr;  ///< null: a top queue, or its parent is not in the input
    bool leaf = true;
    bool in_cycle = false;  ///< the chain of parents leads back to it

    [[nodiscard]] auto name() const -> const std::string& { return manifest->name; }
    [[nodiscard]] auto spec() const -> Value { return (*manifest)["spec"]; }
  };

  explicit KaiQueues(const Repository& repository);
  [[nodiscard]] auto all() const -> const std::vector<Queue>& { return queues_; }
  /// Null: there is none. A queue without a name is not found by one that is not given.
  [[nodiscard]] auto find(std::string_view name) const -> const Queue*;
  /// The path from the top queue to `queue`; empty within a cycle.
  [[nodiscard]] static auto path(const Queue& queue) -> std::vector<const Queue*>;

 private:
  std::vector<Queue> queues_;
  std::map<std::string_view, std::size_t> by_name_;
};

/// A queue's min-runtime in nanoseconds, from a Go duration. Nullopt: absent or unreadable.
[[nodiscard]] auto kai_duration(const Value& value) -> std::optional<std::int64_t>;

/// A number of a queue's resources; -1 means unlimited, absent means 0.
[[nodiscard]] auto kai_amount(const Value& value) -> double;

/// Returns true if KAI schedules these pods, by schedulerName, or because they name one of its queues.
[[nodiscard]] auto is_kai_pod(const PodShape& pod) -> bool;

}  // namespace previct::lint
