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

/// One answer, as text (verdict first, evidence below) and as the document `kind: Explanation`.
[[nodiscard]] auto explanation(const Answer& answer, const ReportContext& context) -> Report;

/// The documents of several answers, as a list. Moves `nodes` and `evidence` out of the answers, because those of a
/// thousand answers about a large cluster need gigabytes.
[[nodiscard]] auto explanation_documents(std::vector<Answer>& answers, const ReportContext& context) -> Json;

}  // namespace previct
