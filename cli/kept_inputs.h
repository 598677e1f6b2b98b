#pragma once

#include "cli/command.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace previct::cli {

/// The inputs of several questions, read once. A question that leaves the objects as they are gets what was read, with
/// everything that earlier questions have derived from it; any other question gets a copy. Files that have changed
/// since are read again.
class KeptInputs {
 public:
  /// Returns the inputs of the session, and adds their warnings to the session, as read_files() does.
  [[nodiscard]] auto read(Session& session, const LoadOptions& reading, LoadRequest request)
      -> Result<std::shared_ptr<Loaded>>;

  /// No question follows the next one, which may change what was read.
  void end() { is_last_ = true; }

 private:
  /// What was read, and the tables as they were before the first question.
  struct Read {
    std::string key;  // of the flags that decide what is read
    std::shared_ptr<Loaded> loaded{};
    std::uint64_t changes = 0;                // of the objects, before the last question
    std::vector<std::string> named_before{};  // the configurations that the flags of the last question named
    Files files{};
    Sources sources{};
    Diagnostics diagnostics{};
    InputDigests arrivals{};
    Configurations configurations{};
    std::map<std::string, std::filesystem::file_time_type> folders{};
  };

  [[nodiscard]] auto is_current(const std::string& key) const -> bool;
  void keep(const Session& session, std::shared_ptr<Loaded> loaded, std::string key);
  [[nodiscard]] auto may_keep_cluster() const -> bool;
  void drop_cluster();
  void begin_again(Session& session);
  [[nodiscard]] auto lent(const Options& options, LoadRequest request) -> std::shared_ptr<Loaded>;
  [[nodiscard]] auto copied(LoadRequest request) const -> std::shared_ptr<Loaded>;

  std::optional<Read> read_{};
  bool is_last_ = false;
};

}  // namespace previct::cli
