#pragma once

#include "base/place.h"
#include "base/shared_reading.h"

#include <tl/expected.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// The reason why something could not be done. `message` is one line without a final stop. It may contain text from the
/// input; it is escaped once, where it is printed.
struct Failure {
  std::string message;
  Place place;       ///< none if the failure is not about an input
  std::string help;  ///< what to do about it; may be empty
  /// Why the API server would refuse the object that the message names; empty if it is another failure.
  std::string refusal{};
};

template <class T>
using Result = tl::expected<T, Failure>;

[[nodiscard]] inline auto fail(std::string message, Place place = {}, std::string help = {}) {
  return tl::unexpected(Failure{std::move(message), place, std::move(help), {}});
}

/// `PREVICT_TRY(auto value, expression)`: declares the value of a Result, or returns its failure to the caller.
#define PREVICT_TRY_JOIN_(a, b) a##b
#define PREVICT_TRY_NAME_(line) PREVICT_TRY_JOIN_(previct_result_, line)
#define PREVICT_TRY(declaration, expression)                                                               \
  auto&& PREVICT_TRY_NAME_(__LINE__) = (expression);                                                       \
  if (!PREVICT_TRY_NAME_(__LINE__)) return tl::unexpected(std::move(PREVICT_TRY_NAME_(__LINE__)).error()); \
  declaration = *std::move(PREVICT_TRY_NAME_(__LINE__))

/// As PREVICT_TRY, for a Result<void>.
#define PREVICT_CHECK(expression)                                                      \
  if (auto&& PREVICT_TRY_NAME_(__LINE__) = (expression); !PREVICT_TRY_NAME_(__LINE__)) \
  return tl::unexpected(std::move(PREVICT_TRY_NAME_(__LINE__)).error())

/// An oddity of the input that did not prevent an answer: upstream tolerates it, or it was left out at the user's
/// request.
struct Warning {
  std::string id;       ///< stable, e.g. "duplicate-key"
  std::string message;  ///< as in Failure
  Place place;
};

/// Collects warnings. Keeps the first kLimit of each id and counts the rest, so that a broken file of 100 MB produces a
/// page instead of a flood. All warnings `fixed` and `not-fixed` are kept, because there is one for each file.
class Diagnostics {
 public:
  static constexpr std::size_t kLimit = 20;

  /// Throws AddedWhileShared if several threads use the diagnostics.
  void warn(std::string_view id, std::string message, Place place = {});

  /// Several threads will use the diagnostics from now on, or no longer.
  void share(bool shared) { shared_.set(shared); }

  /// Adds the warnings of `others` as if they had been reported here.
  void add(const Diagnostics& others);
  /// Calls `change(place)` for the place of every warning.
  template <class Change>
  void each_place(Change change) {
    for (Warning& warning : warnings_) change(warning.place);
  }

  /// The warnings, sorted by file, line, column and id, with one line "… and N more" for each id over the limit.
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
  SharedReading shared_;
};

}  // namespace previct
