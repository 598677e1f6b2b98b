#pragma once

#include "report/report.h"

#include <string>

namespace previct {

/// `VICTIM (most important first)` becomes `Victim (most important first)`: terminals have no larger letters, so
/// headings are in capitals there. Abbreviations such as GPU, and names with small letters, do not change.
[[nodiscard]] auto in_sentence_case(std::string heading) -> std::string;

/// The heading of a table in documents: the head of its first column, which says what the rows are.
[[nodiscard]] auto heading_of(const Table& table) -> std::string;

}  // namespace previct
