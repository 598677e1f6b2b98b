#pragma once

#include "analysis/report_context.h"
#include "tell/answer.h"

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

}  // namespace previct
