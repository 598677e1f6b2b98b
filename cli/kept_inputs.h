#pragma once

#include "cli/command.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace previct::cli {

/// The inputs of several questions, read once. Each question gets a copy of what was read, so that it may change it.
/// Files that have changed since are read again.
class KeptInputs {
 public:
  /// Adds the inputs of the session to `loaded`, and their warnings to the session, as read_files() does.
  [[nodiscard]] auto read(Session& session, const LoadOptions& reading, Loaded& loaded) -> Result<void>;

 private:
  /// What was read, as it was before the first question.
  struct Read {
    std::string key;  // of the flags that decide what is read
    Files files{};
    Sources sources{};
    Diagnostics diagnostics{};
    InputDigests arrivals{};
    Stores stores{};
    ReadCounts counts{};
    std::vector<InputRecord> inputs{};
    Configurations configurations{};
    std::map<std::string, std::filesystem::file_time_type> folders{};
    std::shared_ptr<InputTables> symbols;  // of the session that was answered last
  };

  [[nodiscard]] auto is_current(const std::string& key) const -> bool;
  void keep(const Session& session, const Loaded& loaded, std::string key);
  void copy_to(Session& session, Loaded& loaded);

  std::optional<Read> read_{};
};

}  // namespace previct::cli
