#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace previct {

/// What a scheduler writes into conditions and events, by piece, and what each piece means: for users that have a
/// message but no dump (src/analysis/message.h).

/// What a piece of a message is about.
enum class MessagePart : std::uint8_t {
  context,     ///< introduces other pieces; has no meaning of its own
  counts,      ///< starts a list of reasons with numbers of nodes: `0/3 nodes are available:`
  filter,      ///< why nodes, or equivalents of them, reject the pod
  preempting,  ///< starts the part about preemption
  preemption,  ///< part of what preemption reports
  pod,         ///< about the pod, its group or its queue as a whole
  error,       ///< the attempt ended in an error
  victim,      ///< about a pod that is evicted
  placed       ///< the pod got a node
};

/// What to look at next.
struct LookAt {
  std::string_view what;  ///< `see the taints of the nodes`
  /// `kubectl …` or `previct …`; {pod} is replaced by the pod if the message names it, otherwise by POD.
  std::string_view command;
};

/// One piece. Texts refer to operands of the pattern as `{a}`; text in brackets is omitted if its operand has no value;
/// `{has|have}` is replaced by the word that agrees with the number of nodes.
struct KnownMessage {
  std::string_view id;  ///< id of the rule, if a rule of the engine writes it
  MessagePart part = MessagePart::context;
  std::string_view plugin{};  ///< the plugin that writes it; may be empty
  int first = 0;              ///< minor releases that write it; 0: no bound, or unknown
  int last = 0;
  std::string_view
      pattern{};  ///< the scheduler's words; operands are `{a:type}`, types as in rules.def, and `{a:text}`
  /// Text for the first line. For a filter, it follows a number of nodes: `{lacks|lack} {a}`; for preemption, `{nodes}`
  /// is replaced by `any node`, `2 nodes`; for others, it is a clause: `claim {a} of the pod does not exist`.
  std::string_view brief{};
  std::string_view meaning{};  ///< a sentence
  const LookAt* look = nullptr;
};

/// A word that is used as the reason of a condition or an event.
struct KnownReason {
  std::string_view word;
  std::string_view meaning;
};

/// The releases that write a message, and the plugin, as far as its wording shows them.
struct WrittenBy {
  int first = 0;  ///< minor releases; 0: no bound
  int last = 0;
  std::string_view plugin{};
};

/// All messages that a component writes.
struct Messages {
  std::string_view writer;     ///< `kube-scheduler`
  std::string_view major;      ///< prefix of its minor releases: `1.`
  bool counts_groups = false;  ///< its numbers are of groups of nodes, not of nodes
  std::vector<KnownMessage> known{};
  std::vector<KnownReason> reasons{};
  std::vector<LookAt> always{};  ///< printed after the hints of the pieces
  /// Further evidence from the wording of a message; may be null.
  auto(*written_by)(std::string_view message) -> WrittenBy = nullptr;
};

}  // namespace previct
