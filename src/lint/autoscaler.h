#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace previct::lint {

/// What the texts of an input show about cluster-autoscaler, in any kind of text: manifests, templates, values of
/// charts.
struct Autoscaler {
  bool occurs = false;
  std::optional<std::int64_t> cutoff = {};  ///< the lowest --expendable-pods-priority-cutoff

  void look_into(std::string_view text);
};

}  // namespace previct::lint
