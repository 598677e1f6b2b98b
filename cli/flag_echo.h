#pragma once

#include "cli/options.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace previct::cli {

/// Quotes a word for a shell if it contains characters beyond those of names and paths.
[[nodiscard]] auto quoted(std::string_view word) -> std::string;

/// Returns the words of a command line as they may be shown: the name of a value takes the place of a secret value, and
/// the user and password of a URL are left out.
[[nodiscard]] auto without_secrets(std::vector<std::string> words) -> std::vector<std::string>;

/// The flags of these groups as shell words, each after a blank; without flags that have their default, and without the
/// flag named `but`.
[[nodiscard]] auto written_again(const Options& options, std::span<const Group> groups, std::string_view but = {})
    -> std::string;

/// The flag and its values as words of a command line; none if it has its default.
[[nodiscard]] auto words_again(const Options& options, const Flag& flag) -> std::vector<std::string>;

/// The flags of this group as words of a command line.
[[nodiscard]] auto words_again(const Options& options, Group group) -> std::vector<std::string>;

}  // namespace previct::cli
