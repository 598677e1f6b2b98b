#pragma once

#include <string_view>

namespace previct {

/// Returns true if the name of a file in a directory or an archive suggests that it holds objects: YAML, JSON and
/// compressed forms of them.
[[nodiscard]] auto has_dump_name(std::string_view path) -> bool;

/// Returns true if the beginning of a file suggests that it holds objects, whatever its name (a sosreport names files
/// after commands): JSON that names an apiVersion or kind within its first kHead bytes, or YAML that begins with an
/// apiVersion, or with a kind and has an apiVersion.
[[nodiscard]] auto begins_like_dump(std::string_view head) -> bool;
inline constexpr std::size_t kHead = 4096;

}  // namespace previct
