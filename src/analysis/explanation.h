#pragma once

#include "engine/answer.h"
#include "engine/engine.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// What an answer rests on beside the engine: for the second line of the text and `metadata` of the JSON.
struct Grounds {
  const Snapshot& cluster;
  Instant now;
  std::string now_source;       ///< `newest-in-input`, `flag`, `clock`
  std::vector<Gap> input_gaps;  ///< known before any engine was asked: a file that was left out

  /// How many fields that evidence names are looked up in the input; it costs reading their objects again.
  /// The rest are given the place of their object.
  std::size_t fields_to_locate = 0;
  bool show_all = false;  ///< fold nothing
};

/// A protection that ends within so many seconds is shown as ending soon.
constexpr std::int64_t kSoon = 300;

/// Some of what the answer should rest on is not in the input or not in the model.
[[nodiscard]] auto incomplete(const Answer& answer, const Grounds& grounds) -> bool;

/// The pod that an answer is about, with its rank: `ml/train-big-0 (high, 9000)`.
[[nodiscard]] auto subject_words(const Answer& answer, const Snapshot& cluster) -> std::string;

/// How far to trust an answer: its moment, engine and completeness, then a line for every gap.
[[nodiscard]] auto trust_lines(const Answer& answer, const Grounds& grounds) -> std::vector<Line>;

/// What all documents about one answer begin with: from `apiVersion` to `verdict`.
[[nodiscard]] auto document_about(const Answer& answer, const Grounds& grounds, std::string_view kind) -> Json;

/// What is not known and what that weakens, in one line.
[[nodiscard]] auto gap_line(const Gap& gap) -> Line;

/// One answer, for people (verdict first, evidence below) and as the document `kind: Explanation`.
[[nodiscard]] auto explanation(const Answer& answer, const Grounds& grounds) -> Report;

/// Several answers: one verdict a line, and `kind: ExplanationList`.
[[nodiscard]] auto explanations(const std::vector<Answer>& answers, const Grounds& grounds) -> Report;

}  // namespace previct
