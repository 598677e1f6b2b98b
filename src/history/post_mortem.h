#pragma once

#include "analysis/report_context.h"
#include "history/disruptions.h"
#include "history/of_then.h"
#include "tell/answer.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace previct::history {

/// Is what happened what the scheduler's rules ask for?
enum class Verdict : std::uint8_t {
  expected,    ///< run again, the decision takes the same victims on a node that it may choose
  unexpected,  ///< the rules forbid it in any state, or ask for something else in what is known to be the state of then
  unclear,     ///< the input is not enough to tell
  not_preempted  ///< what is known of the pod is something else, or nothing
};
/// Stable, for programs: `expected`, `unexpected`, `unclear`, `not-preempted`.
[[nodiscard]] auto verdict_name(Verdict verdict) -> std::string_view;

/// The decision made once more by previct, on the state of then.
struct Rerun {
  struct Victim {
    std::string pod;  ///< `NAMESPACE/NAME`
    std::string uid;
    std::int32_t priority = 0;
    std::string priority_class;
    std::string rule;  ///< of VictimLine; empty on a node that is not its first choice
    std::string why;
    bool observed = false;  ///< it was preempted in fact
    std::string now;        ///< what the input says of it: gone, terminating, as it was (by an earlier dump) …
    Json toleration;
  };
  Answer answer;
  std::vector<std::string> possible;  ///< nodes that it may choose
  std::vector<Victim> victims;        ///< on the node where it happened; else on its own choice
  std::int64_t pdb_violations = 0;
  bool same_node = false;
  bool same_victims = false;
  bool hangs_on_order = false;       ///< pods that are equal to the scheduler request different amounts
  std::vector<std::string> remarks;  ///< how the state was made
  std::vector<std::pair<std::string, std::string>> made_after;  ///< victims that are gone, and their siblings
};

/// What became of one pod.
struct PostMortem {
  Named pod;
  std::string preemptor_words;  ///< `ml/train-big-0 (high, 9000)`; empty: none is known
  std::optional<Disruption> disruption;
  std::vector<Named> others;  ///< victims of the same preemptor on the same node
  Verdict verdict = Verdict::not_preempted;
  std::string why;  ///< of the verdict, in a few words
  std::optional<Rerun> rerun;
  std::vector<std::string> namesakes;  ///< others of this name that were taken away: uid and time
};

/// What is asked, beside the objects: how the scheduler was configured then.
struct Inquiry {
  Objects& objects;  ///< changed while it runs, and as before when it is done
  const Question& question;
  std::string engine = "auto";
  bool hide_foreign = false;       ///< the reader may see names of one namespace alone
  std::function<Dumps()> dumps{};  ///< reads the inputs once more, each by itself; empty: it is one, or cannot be
};

/// What became of `pod`: `NAME`, `NS/NAME`, `pod/NAME`, or a uid. `ns`: the namespace of names without one.
/// Of several pods of one name that were taken away the last is meant; the others are named.
///
/// Fails if neither a pod nor a sign of one is in the input.
[[nodiscard]] auto post_mortem(const Inquiry& inquiry, std::string_view pod, std::string_view ns) -> Result<PostMortem>;

/// Of all pods that were preempted, in the order of time; of one namespace or (empty) of all.
[[nodiscard]] auto post_mortems(const Inquiry& inquiry, std::string_view ns) -> Result<std::vector<PostMortem>>;

/// What they rest on, without what each of them alone assumes.
[[nodiscard]] auto provenance_of(const std::vector<PostMortem>& all, const ReportContext& context) -> Provenance;

/// One, for people and as `kind: PostMortem`. `cluster`, in `grounds`, is the input as it is.
[[nodiscard]] auto post_mortem_report(const PostMortem& post_mortem, const ReportContext& context) -> Report;

/// Several: one a line, and `kind: PostMortemList`.
[[nodiscard]] auto post_mortems_report(const std::vector<PostMortem>& all, const ReportContext& context) -> Report;

/// Takes the names of all objects of other namespaces than `ns` out of a report: pods by uid, the others by `hidden`.
/// `named` are those that need not be in the input.
void hide_foreign(Report& report, const Snapshot& cluster, std::string_view ns, const std::vector<Named>& named);

}  // namespace previct::history
