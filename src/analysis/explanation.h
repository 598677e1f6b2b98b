#pragma once

#include "analysis/report_context.h"
#include "analysis/source_locations.h"
#include "report/packed_rows.h"
#include "tell/answer.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// The pod of an answer with its rank: `ml/train-big-0 (high, 9000)`.
[[nodiscard]] auto subject_words(const Answer& answer, const Snapshot& cluster) -> std::string;

/// The head of every document about one answer: from `apiVersion` to `verdict`.
[[nodiscard]] auto document_about(const Answer& answer, const ReportContext& context, std::string_view kind) -> Json;

/// One answer, as text (verdict first, evidence below) and as the document `kind: Explanation`. Moves `nodes` and
/// `evidence` out of the answer, because they are as large as the cluster.
[[nodiscard]] auto explanation(Answer& answer, const ReportContext& context) -> Report;

/// The documents of several answers, as a list. Moves out the same.
[[nodiscard]] auto explanation_documents(std::vector<Answer>& answers, const ReportContext& context) -> Json;

/// As explanation_documents(), but answer by answer, so that the full answers need not exist at the same time.
class ExplanationRows {
 public:
  /// The context must outlive it, and not change.
  explicit ExplanationRows(const ReportContext& context);
  /// Adds a document, and returns what a list tells of the answer besides its document.
  [[nodiscard]] auto add(Answer answer) -> Answer;
  /// Returns the documents, in the order of the calls.
  [[nodiscard]] auto finish() -> PackedRows;

 private:
  /// An answer whose document needs places that are not known yet. Its largest parts need no places.
  struct Waiting {
    Answer answer;
    std::optional<PackedText> nodes;
    std::optional<PackedText> evidence;
  };
  void look_up();
  [[nodiscard]] auto row_of(const Waiting& waiting) const -> std::string;

  const ReportContext& context_;
  SourceLocations places_;
  Provenance of_input_;
  bool looked_up_ = false;
  std::deque<Waiting> waiting_;
  PackedRows rows_;
};

}  // namespace previct
