#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Lines of scripts, without the frame of the protocol: `{"tool": "explain", "pod": "ml/a"}`. A member `id` is returned
/// with the answer; without it, the number of the line.
namespace previct::cli::mcp {

/// Returns true for a line that names a tool, and is no message of the protocol.
[[nodiscard]] auto is_plain(std::string_view line) -> bool;

/// The call of the protocol for a line; none if the line is not a JSON object.
[[nodiscard]] auto request_of(std::string_view line, std::uint64_t number) -> std::optional<std::string>;

/// The line for a message of the server: the members of the result, or `error`.
[[nodiscard]] auto plain_line(std::string_view message) -> std::string;

}  // namespace previct::cli::mcp
