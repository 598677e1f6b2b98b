#pragma once

#include "base/place.h"

#include <tl/expected.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// Why something could not be done. `message` is one line without a final stop and may hold text from
/// the input: it is escaped where it is printed, once.
struct Failure {
  std::string message;
  Place place;       ///< file is none if the failure is not about an input
  std::string help;  ///< what to do about it; may be empty
};

template <class T>
using Result = tl::expected<T, Failure>;

[[nodiscard]] inline auto fail(std::string message, Place place = {}, std::string help = {}) {
  return tl::unexpected(Failure{std::move(message), place, std::move(help)});
}

/// `PREVICT_TRY(auto value, expression)`: the value of a Result, or return its failure.
#define PREVICT_TRY_JOIN_(a, b) a##b
#define PREVICT_TRY_NAME_(line) PREVICT_TRY_JOIN_(previct_result_, line)
#define PREVICT_TRY(declaration, expression)                                                               \
  auto&& PREVICT_TRY_NAME_(__LINE__) = (expression);                                                       \
  if (!PREVICT_TRY_NAME_(__LINE__)) return tl::unexpected(std::move(PREVICT_TRY_NAME_(__LINE__)).error()); \
  declaration = *std::move(PREVICT_TRY_NAME_(__LINE__))

/// The same for a Result<void>.
#define PREVICT_CHECK(expression)                                                      \
  if (auto&& PREVICT_TRY_NAME_(__LINE__) = (expression); !PREVICT_TRY_NAME_(__LINE__)) \
  return tl::unexpected(std::move(PREVICT_TRY_NAME_(__LINE__)).error())

/// Something odd in the input that did not stop the answer: upstream tolerates it, or it was left out
/// on the user's wish.
struct Warning {
  std::string id;       ///< stable, e.g. "duplicate-key"
  std::string message;  ///< as in Failure
  Place place;
};

/// Collects warnings. Keeps the first kLimit of each id and counts the rest, so that a broken file of
/// 100 MB gives a page and not a flood; of `fixed` and `not-fixed`, which are said of each file, all.
class Diagnostics {
 public:
  static constexpr std::size_t kLimit = 20;

  void warn(std::string_view id, std::string message, Place place = {});

  /// Adds what was collected elsewhere, as if it had been warned of here.
  void add(const Diagnostics& others);
  /// Calls `change(place)` for the place of every warning.
  template <class Change>
  void each_place(Change change) {
    for (Warning& warning : warnings_) change(warning.place);
  }

  /// Sorted by file, line, column, id; with one line "… and N more" for each id over the limit.
  [[nodiscard]] auto sorted() const -> std::vector<Warning>;
  [[nodiscard]] auto empty() const -> bool { return warnings_.empty(); }

 private:
  struct Count {
    std::string id;
    std::size_t seen = 0;
  };
  auto count_of(std::string_view id) -> Count&;

  std::vector<Warning> warnings_;
  std::vector<Count> counts_;
};

}  // namespace previct
