#pragma once

#include <string>

#include "cli/command.h"
#include "engine/engine.h"

namespace previct::cli {

/// Reads what -f names into the session.
[[nodiscard]] auto load_state(Session& session) -> Result<void>;

/// The question of the command line but for its subject. `now_source` says how its moment was found:
/// `newest-in-input`, `flag` or `clock`. The state must be loaded.
struct Asked {
  Question question;
  std::string now_source;
};
[[nodiscard]] auto asked_by(Session& session) -> Result<Asked>;

}  // namespace previct::cli
