#pragma once

#include "engine/yunikorn/account.h"
#include "tell/answer.h"

#include <string>

/// Decisions in words, tables and JSON: who goes, who is protected, the queues and the order.
namespace previct::yunikorn {

/// The verdict, without the subject.
[[nodiscard]] auto cause(const Account& account) -> Cause;
[[nodiscard]] auto sentence(const Snapshot& cluster, const Account& account, Instant now) -> std::string;

/// What else there is to say (Teller::tell), as the question asks for it: with `show_all` every pod that is out of
/// reach and not only their queues.
void tell(const Snapshot& cluster, const Account& account, const Question& question, Answer& answer);

}  // namespace previct::yunikorn
