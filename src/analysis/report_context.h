#pragma once

#include "base/extent.h"
#include "input/digest.h"
#include "tell/tell.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// What an answer depends on besides the engine.
struct ReportContext {
  const Snapshot& cluster;
  Instant now;
  std::string now_source;       ///< `newest-in-input`, `flag`, `clock`, or `none` if the input has no time
  std::vector<Gap> input_gaps;  ///< known before any engine runs: a file that was skipped

  /// The number of evidence fields that are located in the input; each lookup reads the object again. The other fields
  /// get the place of their object.
  std::size_t fields_to_locate = 0;
  bool show_all = false;    ///< fold nothing
  bool keeps_full = false;  ///< a format shows what is folded, too: Table::full and Line::full are filled
  bool possible = false;    ///< names are those of all possible victims, not only of the certain ones
  bool documents = true;    ///< a format shows documents: Report::data is filled
  bool blocks = true;       ///< a format shows Report::blocks and Report::evidence
  bool brief = true;        ///< a format shows Report::brief
  Extent extent{};          ///< of lists in documents; the other items are null
  InputDigests arrivals{};  ///< set if the format shows them
};

/// A protection that ends within this number of seconds is shown as ending soon.
constexpr std::int64_t kSoon = 300;

/// What a report depends on: its moment and inputs, the rules it follows, and the gaps in any of them. Every report
/// prints it in the same form, and every document begins with the same head.
class Provenance {
 public:
  /// Contains what is known before any engine runs.
  explicit Provenance(const ReportContext& context);
  /// Also adds one answer: anything that has an engine, the release that it behaves like, and gaps.
  template <class Answered>
  Provenance(const ReportContext& context, const Answered& answered) : Provenance(context) {
    add(answered);
  }

  template <class Answered>
  void add(const Answered& answered) {
    add(answered.engine, answered.behaves, answered.gaps);
  }
  void add(std::string_view engine, std::string_view behaves, const std::vector<Gap>& gaps);

  /// Returns true if no gap could change the result. Used by --strict.
  [[nodiscard]] auto complete() const -> bool;
  [[nodiscard]] auto gaps() const -> const std::vector<Gap>& { return gaps_; }

  /// `as of 2026-05-01 12:00:00 UTC (newest time in the input); kube 1.35 + DefaultPreemption; input complete`, then
  /// one line per gap, first those that may change the answer. `when` replaces the moment, and `also` follows the
  /// engine.
  [[nodiscard]] auto lines(std::string_view when = {}, std::string_view also = {}) const -> std::vector<Line>;

  /// The head of every document: `apiVersion`, `kind`, `metadata` (with a list if there are several engines) and
  /// `completeness`.
  [[nodiscard]] auto document(std::string_view kind) const -> Json;

 private:
  struct Rules {
    std::string engine;
    std::string behaves;
  };

  Instant now_;
  std::string now_source_;
  Json inputs_;
  std::vector<Rules> rules_;  // without duplicates
  std::vector<Gap> gaps_;     // without duplicates; those of the input first
};

/// The provenance of several answers.
template <class Answered>
[[nodiscard]] auto provenance_of(const std::vector<Answered>& all, const ReportContext& context) -> Provenance {
  Provenance provenance(context);
  for (const Answered& each : all) provenance.add(each);
  return provenance;
}

/// `apiVersion`, `kind` and the program version: the head of documents without a moment and an engine.
[[nodiscard]] auto bare_document(std::string_view kind) -> Json;

/// `newest time in the input`, `by the clock`, `by --now`
[[nodiscard]] auto source_words(std::string_view now_source) -> std::string_view;

/// A gap and what it weakens, in one line.
[[nodiscard]] auto gap_line(const Gap& gap) -> Line;

/// `{path, line, column}`, as far as the place is known.
[[nodiscard]] auto place_json(const Files& files, const Place& place) -> Json;

}  // namespace previct
