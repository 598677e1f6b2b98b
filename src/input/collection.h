#pragma once

#include <string_view>

namespace previct {

/// Which files of a directory or an archive hold objects, by what they are called: YAML, JSON and compressed forms of
/// them.
[[nodiscard]] auto has_dump_name(std::string_view path) -> bool;

/// The same by how they begin, whatever they are called (a sosreport names files after the command): a JSON
/// text that names an apiVersion or kind within its first kHead bytes, or a YAML text that begins with an apiVersion,
/// or with a kind and has an apiVersion.
[[nodiscard]] auto begins_like_dump(std::string_view head) -> bool;
inline constexpr std::size_t kHead = 4096;

}  // namespace previct
