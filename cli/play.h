#pragma once

#include "cli/state.h"
#include "sequence/settings.h"

#include <string>
#include <vector>

namespace previct::cli {

/// A play as the command line asks for it.
struct PlayAsked {
  sequence::Settings settings;
  const Engine* engine = nullptr;  ///< of the first pod; pods of others are left out, which is among the gaps
  std::string behaves{};           ///< whose rules it follows, as of the first pod
  std::vector<Gap> gaps;           ///< what is not known before anything is played
};

/// The pods that take part, when they come, which calls fail, how fast calls are, what is made again, and what the
/// engine does not know of any of it.
[[nodiscard]] auto play_asked(Session& session, const Snapshot& cluster, const Asked& asked) -> Result<PlayAsked>;

}  // namespace previct::cli
