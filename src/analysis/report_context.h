#pragma once

#include "input/digest.h"
#include "tell/tell.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// What an answer rests on beside the engine.
struct ReportContext {
  const Snapshot& cluster;
  Instant now;
  std::string now_source;       ///< `newest-in-input`, `flag`, `clock`, `none`: the input holds no time
  std::vector<Gap> input_gaps;  ///< known before any engine was asked: a file that was left out

  /// How many fields that evidence names are looked up in the input; it costs reading their objects again.
  /// The rest are given the place of their object.
  std::size_t fields_to_locate = 0;
  bool show_all = false;  ///< fold nothing
  bool possible = false;  ///< names are those of all pods that may go, not of those alone that go in any case
  bool documents = true;  ///< a format shows them: Report::data is made
  Arrivals arrivals{};    ///< if a format shows them
};

/// A protection that ends within so many seconds is shown as ending soon.
constexpr std::int64_t kSoon = 300;

/// All that a report rests on: its moment and inputs, whose rules it follows, and what is not known of any of them.
/// Every report says so in the same words, and every document begins with the same head.
class Provenance {
 public:
  /// What is known before any engine is asked.
  explicit Provenance(const ReportContext& context);
  /// That, and what one answer adds: anything that has an engine, the release that it behaves like, and gaps.
  template <class Answered>
  Provenance(const ReportContext& context, const Answered& answered) : Provenance(context) {
    add(answered);
  }

  template <class Answered>
  void add(const Answered& answered) {
    add(answered.engine, answered.behaves, answered.gaps);
  }
  void add(std::string_view engine, std::string_view behaves, const std::vector<Gap>& gaps);

  /// Nothing that is not known could change what is said. --strict asks for it.
  [[nodiscard]] auto complete() const -> bool;
  [[nodiscard]] auto gaps() const -> const std::vector<Gap>& { return gaps_; }

  /// `as of 2026-05-01 12:00:00 UTC (newest time in the input); kube 1.35 + DefaultPreemption; input complete`, then a
  /// line for every gap. `when` stands in place of the moment, and `also` behind the engine.
  [[nodiscard]] auto lines(std::string_view when = {}, std::string_view also = {}) const -> std::vector<Line>;

  /// What every document begins with: `apiVersion`, `kind`, `metadata` (of the engines, if they are several, a list)
  /// and `completeness`.
  [[nodiscard]] auto document(std::string_view kind) const -> Json;

 private:
  struct Rules {
    std::string engine;
    std::string behaves;
  };

  Instant now_;
  std::string now_source_;
  Json inputs_;
  std::vector<Rules> rules_;  // each once
  std::vector<Gap> gaps_;     // each once; those of the input first
};

/// What several answers rest on.
template <class Answered>
[[nodiscard]] auto provenance_of(const std::vector<Answered>& all, const ReportContext& context) -> Provenance {
  Provenance provenance(context);
  for (const Answered& each : all) provenance.add(each);
  return provenance;
}

/// `apiVersion`, `kind` and the program that wrote it: of documents that rest on no moment and no engine.
[[nodiscard]] auto bare_document(std::string_view kind) -> Json;

/// `newest time in the input`, `by the clock`, `by --now`
[[nodiscard]] auto source_words(std::string_view now_source) -> std::string_view;

/// What is not known and what that weakens, in one line; and as a text.
[[nodiscard]] auto gap_line(const Gap& gap) -> Line;

/// `{path, line, column}`, as far as the place is known.
[[nodiscard]] auto place_json(const Files& files, const Place& place) -> Json;

}  // namespace previct
