#pragma once

#include "cluster/snapshot.h"
#include "engine/engine.h"

#include <memory>
#include <string>
#include <string_view>

/// Functions shared by the fuzz targets that ask engines.
namespace previct::fuzz {

/// The file that a configuration is reported to be from.
inline constexpr FileId kConfiguration{1};

/// Owns the objects and their snapshot.
struct Cluster {
  Objects objects;
  std::unique_ptr<Snapshot> snapshot;
};

/// Returns null if the text cannot be read.
[[nodiscard]] auto cluster_of(std::string_view text) -> std::unique_ptr<Cluster>;

/// Returns a cluster of one node with two pods on it, and the pending default/urgent, which would preempt one of them.
[[nodiscard]] auto a_small_cluster() -> std::unique_ptr<Cluster>;

[[nodiscard]] auto engine_named(std::string_view name) -> const Engine&;

[[nodiscard]] auto question_about(std::string ns, std::string name) -> Question;

/// Asks for a brief and a full answer, and prints it in every format: both decide the same, related facts are
/// consistent, and no output holds unprintable text.
void insist_on_answer(const Engine& engine, const Cluster& cluster, Question question);

}  // namespace previct::fuzz
