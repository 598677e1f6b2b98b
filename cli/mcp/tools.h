#pragma once

#include "cli/command.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::cli::mcp {

/// What the user of `previct mcp` allows.
struct Allowed {
  std::vector<std::string> roots;         ///< folders; only files in them are read
  std::vector<std::string> inputs{};      ///< files of calls that name none
  bool live = false;                      ///< calls without files read the cluster
  std::vector<std::string> connection{};  ///< flags for kubectl
};

/// A question about one state: a command, and how to shorten its answer.
struct Call {
  std::vector<std::string> words;   ///< of the command line, without the program
  std::vector<std::string> inputs;  ///< the files of -f; calls with the same files share what was read
  std::vector<std::string> roots;   ///< files that settings name are read only below these folders
  bool recursive = false;           ///< of -R
  bool keep_going = false;          ///< of --keep-going
  std::string page{};               ///< JSON Pointer of the list to show; empty: the answer
  std::size_t offset = 0;           ///< index of the first item of that list
  std::size_t most_bytes = 0;       ///< of the result
};

/// A command that agents may use. Its arguments and flags are the properties of its input.
struct Tool {
  std::string name;         ///< `why_preempted`
  std::string description;  ///< for the model that selects a tool
  const Command* command = nullptr;
  std::vector<const Flag*> flags;
};

/// Every command with Command::read_only, and `why_pending`, which is `explain` for a message.
[[nodiscard]] auto tools() -> const std::vector<Tool>&;

/// Null if there is no such tool.
[[nodiscard]] auto find_tool(std::string_view name) -> const Tool*;

/// Its entry in the result of tools/list: description, input schema, output schema.
[[nodiscard]] auto listed(const Tool& tool) -> Json;

/// The command line for the arguments of a call. Errors, for the model to correct: an unknown property with the nearest
/// known one, a wrong type, a file outside the roots.
[[nodiscard]] auto call_of(const Tool& tool, const Json& arguments, const Allowed& allowed) -> Result<Call>;

}  // namespace previct::cli::mcp
