#pragma once

#include "engine/kai/account.h"
#include "tell/answer.h"

#include <string>
#include <vector>

namespace previct::kai {

/// The verdict, without the subject.
[[nodiscard]] auto sentence(const Explained& explained, const Account& account) -> std::string;

/// What else there is to say (Teller::tell).
void tell(const Explained& explained, const Account& account, Answer& answer);

// Its parts, each in a file of its own.

/// Of a group that the cycle looked at. `next`: null if it is not known.
[[nodiscard]] auto sentence(const Explained& explained, const Fate& fate, const NextChange* next = nullptr)
    -> std::string;
/// Answer::details, placements and devices.
void add_details(const Explained& explained, const Fate& fate, Answer& answer);
[[nodiscard]] auto next_change_words(const Explained& explained, const NextChange& next) -> std::string;

/// A defect of today's code that shaped the answer (spec §15).
struct Defect {
  Rule rule;
  GroupId group;  ///< the one it shows at
};
[[nodiscard]] auto defects(const Explained& explained, const Fate& fate) -> std::vector<Defect>;

/// `22:45:00, in 2m`
[[nodiscard]] auto until_words(const Explained& explained, Instant until) -> std::string;

}  // namespace previct::kai
