#pragma once

#include "base/diagnostics.h"

#include <string>

namespace previct::cli {

/// The nearest .previct.yaml, as a path from the working folder; empty if there is none. It is looked for from the
/// working folder up to the root of the repository (the folder with `.git`), or to the home folder of the user; outside
/// of both, in the working folder alone. A file or a repository of somebody else than the user, root or the owner of
/// the working folder is passed over, which is warned of. Fails for a link that leads out of the folder where the
/// search ends.
[[nodiscard]] auto nearest_settings(Diagnostics& diagnostics) -> Result<std::string>;

}  // namespace previct::cli
