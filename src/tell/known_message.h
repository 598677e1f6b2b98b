#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace previct {

/// What a scheduler writes into conditions and events, piece by piece, and what each piece means: for those who have a
/// message and no dump (src/analysis/message.h).

/// What a piece of a message is about.
enum class MessagePart : std::uint8_t {
  context,     ///< introduces other pieces, and says nothing by itself
  counts,      ///< begins a list of reasons with their numbers of nodes: `0/3 nodes are available:`
  filter,      ///< why nodes, or what stands for them, do not take the pod
  preempting,  ///< begins what preemption says
  preemption,  ///< what preemption says
  pod,         ///< about the pod, its group or its queue as a whole
  error,       ///< the attempt ended in an error
  victim,      ///< about a pod that is evicted
  placed       ///< the pod got a node
};

/// What to look at next.
struct LookAt {
  std::string_view what;     ///< `see the taints of the nodes`
  std::string_view command;  ///< `kubectl …` or `previct …`; {pod} is the pod, if the text names it, else POD
};

/// One piece. Texts refer to operands of the pattern as `{a}`; what stands in brackets is left out if its operand has
/// no value; of `{has|have}` the word that suits the number of nodes is taken.
struct KnownMessage {
  std::string_view id;  ///< of the rule, if a rule of the engine says it
  MessagePart part = MessagePart::context;
  std::string_view plugin{};  ///< that says it; may be empty
  int first = 0;              ///< minor releases that write it; 0: no bound, or not known
  int last = 0;
  std::string_view
      pattern{};  ///< the scheduler's words; operands are `{a:type}`, types as in rules.def, and `{a:text}`
  /// In the first line. Of a filter, behind a number of nodes: `{lacks|lack} {a}`; of preemption, with `{nodes}` in the
  /// place of `any node`, `2 nodes`; of others, a clause: `claim {a} of the pod does not exist`.
  std::string_view brief{};
  std::string_view meaning{};  ///< a sentence
  const LookAt* look = nullptr;
};

/// A word that stands as the reason of a condition or an event.
struct KnownReason {
  std::string_view word;
  std::string_view meaning;
};

/// Which releases wrote a message, and which plugin, as far as its words show.
struct WrittenBy {
  int first = 0;  ///< minor releases; 0: no bound
  int last = 0;
  std::string_view plugin{};
};

/// All that a component writes.
struct Messages {
  std::string_view writer;  ///< `kube-scheduler`
  std::string_view major;   ///< in front of its minor releases: `1.`
  std::vector<KnownMessage> known{};
  std::vector<KnownReason> reasons{};
  std::vector<LookAt> always{};  ///< after what the pieces say
  /// Further evidence in the words of a message; may be null.
  auto(*written_by)(std::string_view message) -> WrittenBy = nullptr;
};

}  // namespace previct
