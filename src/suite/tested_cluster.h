#pragma once

#include "cluster/snapshot.h"
#include "engine/engine.h"
#include "overlay/overlay.h"
#include "suite/suite.h"
#include "tell/answer.h"

#include <memory>

namespace previct::suite {

/// The cluster of a test with its policies applied, and the question as far as the setting defines it.
struct TestedCluster {
  Objects objects;
  Question question;
};

/// Reads the state, applies the policies and gives every pod without a priority the priority of its class. `folder`:
/// base of relative paths. Failures contain their places in the message, because the caller does not have these files.
[[nodiscard]] auto tested_cluster_of(const Setting& setting, const std::string& folder)
    -> Result<std::unique_ptr<TestedCluster>>;

/// Resolves paths of a suite relative to its folder.
[[nodiscard]] auto below(const std::string& folder, const std::vector<std::string>& paths) -> std::vector<std::string>;

/// The time of `+20m` (from `now`), RFC 3339, empty (`now`), or `never`. The text has been validated.
[[nodiscard]] auto moment_of(const std::string& text, Instant now) -> Instant;

/// The places of evidence fields: `classes.yaml:12:3, dump.yaml:371:7`.
[[nodiscard]] auto places_of(const std::vector<Evidence>& evidence, const Objects& objects) -> std::string;

/// A failure with its place in the message.
[[nodiscard]] auto with_place(Failure failure, const Files& files) -> Failure;

}  // namespace previct::suite
