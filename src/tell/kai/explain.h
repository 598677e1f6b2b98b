#pragma once

#include "engine/kai/account.h"
#include "tell/answer.h"

#include <string>
#include <vector>

namespace previct::kai {

/// Returns the verdict, without the subject.
[[nodiscard]] auto sentence(const Explained& explained, const EngineTrace& account) -> std::string;

/// Adds the rest of the answer (Teller::tell).
void tell(const Explained& explained, const EngineTrace& account, Answer& answer);

// The parts of the answer, each in its own file.

/// Returns the sentence for a group that the cycle considered. `next`: null if unknown.
[[nodiscard]] auto sentence(const Explained& explained, const Fate& fate, const NextChange* next = nullptr)
    -> std::string;
/// Adds Answer::details, placements and devices.
void add_details(const Explained& explained, const Fate& fate, Answer& answer);
[[nodiscard]] auto next_change_words(const Explained& explained, const NextChange& next) -> std::string;

/// A defect of the current upstream code that affected the answer (spec §15).
struct Defect {
  Rule rule;
  GroupId group;  ///< the group that shows it
};
[[nodiscard]] auto defects(const Explained& explained, const Fate& fate) -> std::vector<Defect>;

/// `22:45:00, in 2m`
[[nodiscard]] auto until_words(const Explained& explained, Instant until) -> std::string;

}  // namespace previct::kai
