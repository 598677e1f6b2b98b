#pragma once

#include "base/diagnostics.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct::cli {

/// The nearest .previct.yaml, as a path from the working folder; empty if there is none. It is looked for from the
/// working folder up to the root of the repository (the folder with `.git`), or to the home folder of the user; outside
/// of both, in the working folder alone. A file or a repository of somebody else than the user, root or the owner of
/// the working folder is passed over, which is warned of. Fails for a link that leads out of the folder where the
/// search ends.
[[nodiscard]] auto nearest_settings(Diagnostics& diagnostics) -> Result<std::string>;

/// What every question about a cluster needs: the flags that `cluster` in .previct.yaml sets for all commands that take
/// them.
struct ClusterSettings {
  struct Value {
    std::string flag;  ///< `scheduler-config`, one of Group::scheduler
    std::string text;  ///< as on the command line; a file is a path from the working folder
  };
  std::string file;  ///< that they were read from
  std::vector<Value> values;

  [[nodiscard]] auto find(std::string_view flag) const -> const Value*;
  /// `engine kube, k8s-version 1.35`, of these flags.
  [[nodiscard]] auto words(const std::vector<std::string>& flags) const -> std::string;
};

/// Reads `cluster`, and no other key, of the settings in `file`, whose text is given. Errors: broken YAML, keys that
/// are no flags (with the nearest one), what is no single value.
[[nodiscard]] auto read_cluster_settings(std::string_view text, const std::string& file, FileId id)
    -> Result<ClusterSettings>;

}  // namespace previct::cli
