#pragma once

#include "cluster/snapshot.h"
#include "engine/engine.h"

#include <memory>
#include <string>
#include <string_view>

/// What the targets that ask engines share.
namespace previct::fuzz {

/// The file that a configuration is said to be from.
inline constexpr FileId kConfiguration{1};

/// Objects and snapshot live as long as this.
struct Cluster {
  Objects objects;
  std::unique_ptr<Snapshot> snapshot;
};

/// Null if the text cannot be read.
[[nodiscard]] auto cluster_of(std::string_view text) -> std::unique_ptr<Cluster>;

/// One node, two pods on it, and default/urgent, which would preempt one of them.
[[nodiscard]] auto a_small_cluster() -> std::unique_ptr<Cluster>;

[[nodiscard]] auto engine_named(std::string_view name) -> const Engine&;

[[nodiscard]] auto question_about(std::string ns, std::string name) -> Question;

/// Asks in brief and in full, and says the answer in every format: both are the same decision, what goes together does,
/// and nothing is said that cannot be printed.
void insist_on_answer(const Engine& engine, const Cluster& cluster, Question question);

}  // namespace previct::fuzz
