#pragma once

#include "api/load.h"

namespace previct {

/// As load(), for one text in memory, which `name` names in messages. Fields cannot be located in it afterwards.
[[nodiscard]] auto load_text(const std::string& name, std::string_view text, const LoadOptions& options,
                             Objects& objects) -> Result<Configurations>;

}  // namespace previct
