#pragma once

#include "engine/kube/account.h"
#include "tell/answer.h"

namespace previct::kube {

/// A decision, and everything needed to explain it.
struct Explained {
  Explained(const EngineTrace& of, const Question& q)
      : account(of),
        node_infos(of.node_infos),
        profile(*of.profile),
        subject(of.subject),
        question(q),
        decision(of.decision) {}

  const EngineTrace& account;
  NodeInfoSnapshot& node_infos;
  const Profile& profile;
  PodId subject;
  const Question& question;
  const Decision& decision;
};

/// Returns the verdict, without the subject.
[[nodiscard]] auto sentence(const Explained& explained) -> std::string;

/// Returns why the pod stays pending.
[[nodiscard]] auto cause(const Explained& explained) -> Cause;

/// Adds the rest of the answer (Teller::tell). Decides again at the next change, to describe what would happen then.
void tell(const Explained& explained, Answer& answer);

/// For the nominated node that the pod waits for: `2 victims still terminating there (ml/slow-0, grace ends 22:43:00,
/// in 1m53s)`.
[[nodiscard]] auto terminating_words(const Explained& explained, NodeId node) -> std::string;

/// Adds the results for the nodes, best first: the cost of each, and why it was not chosen. They are added as findings,
/// as a table, as JSON, and step by step for the nodes that the question names (--node).
void tell_nodes(const Explained& explained, Answer& answer);

}  // namespace previct::kube
