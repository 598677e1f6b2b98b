#pragma once

#include "cluster/snapshot.h"
#include "engine/engine.h"
#include "overlay/overlay.h"
#include "suite/suite.h"
#include "tell/answer.h"

#include <memory>

namespace previct::suite {

/// The cluster of a test, with its policies in force, and the question as far as the setting says.
struct TestedCluster {
  Objects objects;
  Question question;
  std::string engine;
};

/// Reads the state, lays the policies over it and gives every pod without a priority that of its class. `folder`: what
/// paths are relative to. Places of failures are part of their messages: they are not of the caller's files.
[[nodiscard]] auto tested_cluster_of(const Setting& setting, const std::string& folder)
    -> Result<std::unique_ptr<TestedCluster>>;

/// Paths of a suite as they are to be opened.
[[nodiscard]] auto below(const std::string& folder, const std::vector<std::string>& paths) -> std::vector<std::string>;

/// `+20m` from `now`, RFC 3339, empty: now itself, `never`. The text has been checked.
[[nodiscard]] auto moment_of(const std::string& text, Instant now) -> Instant;

/// Where the fields of evidence stand: `classes.yaml:12:3, dump.yaml:371:7`.
[[nodiscard]] auto places_of(const std::vector<Evidence>& evidence, const Objects& objects) -> std::string;

/// A failure with its place in words.
[[nodiscard]] auto told(Failure failure, const Files& files) -> Failure;

}  // namespace previct::suite
