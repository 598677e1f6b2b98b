#pragma once

#include "cli/options.h"

#include <span>
#include <string>
#include <string_view>

namespace previct::cli {

/// A word for a shell: in quotes if it holds more than names and paths do.
[[nodiscard]] auto quoted(std::string_view word) -> std::string;

/// The flags of these groups as they would be written again, each after a blank, ready for a shell; those that have
/// their default are left out, and so is the one called `but`.
[[nodiscard]] auto written_again(const Options& options, std::span<const Group> groups, std::string_view but = {})
    -> std::string;

}  // namespace previct::cli
