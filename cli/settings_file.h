#pragma once

#include "base/diagnostics.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct::cli {

/// The nearest .previct.yaml, as a path from the working folder; empty if there is none. It is searched from the
/// working folder up to the root of the repository (the folder with `.git`), or to the home folder of the user; outside
/// of both, only in the working folder. A file or a repository that belongs to neither the user, root nor the owner of
/// the working folder is skipped with a warning. Fails for a link that leads out of the topmost searched folder.
[[nodiscard]] auto nearest_settings(Diagnostics& diagnostics) -> Result<std::string>;

/// Settings for every question about a cluster: the flags that `cluster` in .previct.yaml sets for all commands that
/// take them.
struct ClusterSettings {
  struct Value {
    std::string flag;  ///< `scheduler-config`, one of Group::scheduler
    std::string text;  ///< as on the command line; a file is a path from the working folder
    Place place{};
  };
  std::string file;  ///< file that they were read from
  std::vector<Value> values;

  [[nodiscard]] auto find(std::string_view flag) const -> const Value*;
  /// `engine kube, k8s-version 1.35`, for these flags.
  [[nodiscard]] auto words(const std::vector<std::string>& flags) const -> std::string;
};

/// Reads only the key `cluster` of the settings in `file`, from its text, strictly (api/strict_reader.h). Its keys are
/// flags, its values single values. Fails for a file outside the topmost folder that nearest_settings() searches: a
/// repository does not choose which files of its user are read.
[[nodiscard]] auto read_cluster_settings(std::string_view text, const std::string& file, FileId id)
    -> Result<ClusterSettings>;

/// Returns true if the file, or the target of the link there, is below one of the folders, or if there are none.
[[nodiscard]] auto is_below_any(const std::string& path, const std::vector<std::string>& folders) -> bool;

/// The files that the settings name, as paths from the working folder.
[[nodiscard]] auto files_of(const ClusterSettings& settings) -> std::vector<std::string>;

}  // namespace previct::cli
