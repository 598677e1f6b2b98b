#pragma once

// Included at the start of a source file in which tests/mutants/mutate.py has marked the places to mutate. All mutants
// are compiled at once; an environment variable selects the active one.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <type_traits>
#include <utility>

namespace previct::mutants {

inline constexpr int kMost = 1 << 18;

struct State {
  int alive = -1;
  const char* seen_file = nullptr;
  std::atomic<bool> seen[kMost] = {};
  std::clock_t since = std::clock();

  State() {
    if (const char* const number = std::getenv("PREVICT_MUTANT")) alive = std::atoi(number);
    seen_file = std::getenv("PREVICT_MUTANTS_SEEN");
  }

  /// Records which mutants were reached since the last call, by what, and for how long: a line with `kind`, `name`, CPU
  /// seconds, and numbers of mutants, separated by tabs.
  void met_by(const char* kind, const char* name) {
    std::FILE* const file = seen_file == nullptr ? nullptr : std::fopen(seen_file, "a");
    if (file == nullptr) return;
    const std::clock_t now = std::clock();
    std::fprintf(file, "%s\t%s\t%.4f\t", kind, name, static_cast<double>(now - since) / CLOCKS_PER_SEC);
    since = now;
    for (int i = 0; i < kMost; ++i) {
      if (!seen[i].load(std::memory_order_relaxed)) continue;
      seen[i].store(false, std::memory_order_relaxed);
      std::fprintf(file, " %d", i);
    }
    std::fputc('\n', file);
    std::fclose(file);
  }
};

inline State state;

/// Returns true if this mutant is active.
inline auto on(int number) -> bool {
  if (state.seen_file != nullptr) state.seen[number].store(true, std::memory_order_relaxed);
  return state.alive == number;
}

/// `a < b` is written `a < Operator<7>() < b`, and means `a <= b` if mutant 7 is active: the middle operator holds its
/// left operand.
template <int kNumber>
struct Operator {};

template <int kNumber, class A>
struct Left {
  A value;
};

#define PREVICT_MUTANT(OP, OTHER)                                                       \
  template <int kNumber, class A>                                                       \
  auto operator OP(A&& a, Operator<kNumber>)->Left<kNumber, A> {                        \
    return {std::forward<A>(a)};                                                        \
  }                                                                                     \
  template <int kNumber, class A, class B>                                              \
  auto operator OP(Left<kNumber, A>&& left, B&& b) {                                    \
    if constexpr (requires { left.value OTHER b; }) {                                   \
      using Result = decltype(left.value OP b);                                         \
      return on(kNumber) ? static_cast<Result>(left.value OTHER b) : (left.value OP b); \
    } else {                                                                            \
      return left.value OP b;                                                           \
    }                                                                                   \
  }

PREVICT_MUTANT(<, <=)
PREVICT_MUTANT(<=, <)
PREVICT_MUTANT(>, >=)
PREVICT_MUTANT(>=, >)
PREVICT_MUTANT(==, !=)
PREVICT_MUTANT(!=, ==)
PREVICT_MUTANT(+, -)
PREVICT_MUTANT(-, +)
#undef PREVICT_MUTANT

}  // namespace previct::mutants
