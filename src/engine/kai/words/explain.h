#pragma once

#include "engine/engine.h"
#include "engine/kai/actions/decision.h"

namespace previct::kai {

/// What is asked: a group, or one pod of it.
struct Subject {
  GroupId group;
  PodId pod;                              ///< none if the group was asked about
  const AssumedGroup* assumed = nullptr;  ///< the group is what the pod-grouper would make; else null
};

/// Everything an answer is made of.
struct Explained {
  const Snapshot& cluster;
  const Settings& settings;
  const Question& question;
  const Decision& decision;
  Subject subject;

  [[nodiscard]] auto pool() const -> const Pool& { return decision.pool; }
  [[nodiscard]] auto group() const -> const Group& { return decision.pool.group(subject.group); }
};

/// The whole answer, in words.
[[nodiscard]] auto answer(const Explained& explained) -> Answer;

// Its parts, each in a file of its own.

/// What the group's pods get: `none` states why not.
struct Fate {
  Outcome outcome = Outcome::pending;
  Action action = Action::allocate;  ///< that placed the group, if it was placed
  std::vector<Eviction> evictions;   ///< that the group causes; distinct
  std::vector<std::string> nodes;    ///< where its pending pods go, each once, sorted
  std::size_t placed = 0;            ///< pending pods that got a place
};
[[nodiscard]] auto fate_of(const Decision& decision, GroupId group) -> Fate;

/// What the subject can notice of an outcome; equal keys, equal answers.
[[nodiscard]] auto fate_key(const Decision& decision, GroupId group) -> std::string;

[[nodiscard]] auto sentence(const Explained& explained, const Fate& fate) -> std::string;
[[nodiscard]] auto victim_lines(const Explained& explained, const Fate& fate) -> std::vector<VictimLine>;
[[nodiscard]] auto tolerating_lines(const Explained& explained) -> std::vector<ToleratingLine>;
[[nodiscard]] auto details(const Explained& explained, const Fate& fate) -> std::vector<Block>;
[[nodiscard]] auto gaps(const Explained& explained) -> std::vector<Gap>;

/// A defect of today's code that shaped the answer (spec §15).
struct Defect {
  Rule rule;
  GroupId group;  ///< the one it shows at
};
[[nodiscard]] auto defects(const Explained& explained, const Fate& fate) -> std::vector<Defect>;

/// The first moment at which the answer changes while the cluster does not: decides again at every instant at which a
/// min-runtime, a delay or a grace ends.
struct NextChange {
  Instant at = Instant::never();
  std::string words;
};
[[nodiscard]] auto next_change(const Explained& explained) -> NextChange;

/// `candidate`, or why a group cannot be a victim of the subject, by the action that looks at its queue.
struct Standing {
  Action action;
  Rule rule;
  Shield shield;
};
[[nodiscard]] auto standing_of(const Explained& explained, Session& session, GroupId victim) -> Standing;

/// `ml-queue/3 of 4 pods`-like pieces shared by the parts.
[[nodiscard]] auto until_words(const Explained& explained, Instant until) -> std::string;

}  // namespace previct::kai
