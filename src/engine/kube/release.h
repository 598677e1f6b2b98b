#pragma once

#include "engine/engine.h"

#include <string>
#include <vector>

namespace previct::kube {

struct Profile;

/// A release of kube-scheduler with its feature gates. 1.34, 1.35 and 1.36 decide alike with their default gates
/// (measured on every golden case of the default profile), so one engine serves them; what a gate changes beyond
/// that is named, not guessed.
struct Release {
  std::string version = "1.35";
  std::string stands_for;  ///< the release asked for, if it is none of these: the nearest one's rules count
  bool asynchronous_preemption = true;  ///< SchedulerAsyncPreemption (KEP-4832)
  std::vector<std::string> unmodelled;  ///< gates set, or on by default in this release, that may change the answer
};

/// Reads --k8s-version and --feature-gates. An older or newer release than those known gets the rules
/// of the nearest. Fails on what names no release, an unknown gate, or a value that is no boolean.
[[nodiscard]] auto read_release(const Question& question) -> Result<Release>;

/// The same for a question already checked.
[[nodiscard]] auto release_of(const Question& question) -> Release;

/// `1.35 + PreemptionToleration`: whose behaviour an answer shows. `profile`: null if none looks at the pod.
[[nodiscard]] auto behaves(const Release& release, const Profile* profile) -> std::string;

}  // namespace previct::kube
