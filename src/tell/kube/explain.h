#pragma once

#include "engine/kube/account.h"
#include "tell/answer.h"

namespace previct::kube {

/// A decision and everything needed to speak of it.
struct Explained {
  Explained(const Account& of, const Question& q)
      : account(of),
        node_infos(of.node_infos),
        profile(*of.profile),
        subject(of.subject),
        question(q),
        decision(of.decision) {}

  const Account& account;
  NodeInfoSnapshot& node_infos;
  const Profile& profile;
  PodId subject;
  const Question& question;
  const Decision& decision;
};

/// The verdict, without the subject.
[[nodiscard]] auto sentence(const Explained& explained) -> std::string;

/// Why the pod stays pending.
[[nodiscard]] auto cause(const Explained& explained) -> Cause;

/// What else there is to say (Teller::tell). Decides once more at the next change, to say what would happen then.
void tell(const Explained& explained, Answer& answer);

/// `2 victims still terminating there (ml/slow-0, grace ends 22:43:00, in 1m53s)`, of the nominated node that it waits
/// for.
[[nodiscard]] auto terminating_words(const Explained& explained, NodeId node) -> std::string;

/// What is said of the nodes, best first: what each would cost, and why it was not chosen. As findings, as a table, for
/// programs, and of the nodes asked for (--node) step by step.
void tell_nodes(const Explained& explained, Answer& answer);

}  // namespace previct::kube
