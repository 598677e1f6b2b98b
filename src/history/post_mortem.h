#pragma once

#include "analysis/report_context.h"
#include "history/disruptions.h"
#include "history/past_state.h"
#include "tell/answer.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace previct::history {

/// Whether the observed preemption follows the scheduler's rules.
enum class Verdict : std::uint8_t {
  expected,      ///< a rerun of the decision selects the same victims on a node that it may choose
  unexpected,    ///< the rules forbid it in any state, or the decision is different in a state that is known to be the
                 ///< state then
  unclear,       ///< the input is not sufficient
  not_preempted  ///< the pod was not preempted, as far as the input shows
};
/// Stable id for programs: `expected`, `unexpected`, `unclear`, `not-preempted`.
[[nodiscard]] auto verdict_name(Verdict verdict) -> std::string_view;

/// The decision as previct makes it in the reconstructed state.
struct Rerun {
  struct Victim {
    std::string pod;  ///< `NAMESPACE/NAME`
    std::string uid;
    std::int32_t priority = 0;
    std::string priority_class;
    std::string rule;  ///< of VictimLine; empty on a node that is not the scheduler's first choice
    std::string why;
    bool observed = false;  ///< it was actually preempted
    std::string now;        ///< its state in the input: gone, terminating, unchanged (according to an earlier dump) …
    Json toleration;
  };
  Answer answer;
  std::vector<std::string> possible;  ///< nodes that the scheduler may choose
  std::vector<Victim> victims;        ///< on the node where it happened, if possible; else on the scheduler's choice
  std::int64_t pdb_violations = 0;
  bool same_node = false;
  bool same_victims = false;
  bool depends_on_order = false;     ///< pods that the scheduler treats as equal have different requests
  std::vector<std::string> remarks;  ///< how the state was reconstructed
  std::vector<std::pair<std::string, std::string>> copied_from;  ///< victims that are gone, with the siblings copied
};

/// The history of one pod.
struct PostMortem {
  Named pod;
  std::string preemptor_words;  ///< `ml/train-big-0 (high, 9000)`; empty: unknown
  std::optional<Disruption> disruption;
  std::vector<Named> others;  ///< other victims of the same preemptor on the same node
  Verdict verdict = Verdict::not_preempted;
  std::string why;  ///< reason of the verdict, in a few words
  std::optional<Rerun> rerun;
  std::vector<std::string> namesakes;  ///< other pods of this name that were evicted: uid and time
};

/// The input of a post-mortem: the objects, and the configuration of the scheduler at that time.
struct PostMortemInput {
  Objects& objects;         ///< changed during the run, restored at its end
  const Snapshot& cluster;  ///< of these objects
  const Question& question;
  std::string engine = "auto";
  bool hide_foreign = false;       ///< the reader may only see names of one namespace
  std::function<Dumps()> dumps{};  ///< reads each input again, separately; empty: one input, or unreadable
};

/// Returns the history of `pod`: `NAME`, `NS/NAME`, `pod/NAME`, or a uid. `ns`: the default namespace. If several pods
/// of the name were evicted, the last one is used and the others are listed.
///
/// Fails if neither the pod nor a trace of it is in the input.
[[nodiscard]] auto post_mortem(const PostMortemInput& inquiry, std::string_view pod, std::string_view ns)
    -> Result<PostMortem>;

/// The histories of all preempted pods, ordered by time; of one namespace or (empty) of all.
[[nodiscard]] auto post_mortems(const PostMortemInput& inquiry, std::string_view ns) -> Result<std::vector<PostMortem>>;

/// The provenance that they share, without the assumptions of single answers.
[[nodiscard]] auto provenance_of(const std::vector<PostMortem>& all, const ReportContext& context) -> Provenance;

/// One history, as text and as `kind: PostMortem`. `context.cluster` is the unchanged input.
[[nodiscard]] auto post_mortem_report(const PostMortem& post_mortem, const ReportContext& context) -> Report;

/// Several histories: one per line, and `kind: PostMortemList`.
[[nodiscard]] auto post_mortems_report(const std::vector<PostMortem>& all, const ReportContext& context) -> Report;

/// Removes the names of all objects outside namespace `ns` from a report: pods are shown by uid, the others as
/// `hidden`. `named`: objects that may be missing from the input.
void hide_foreign(Report& report, const Snapshot& cluster, std::string_view ns, const std::vector<Named>& named);

}  // namespace previct::history
