#pragma once

#include "base/diagnostics.h"

#include <optional>
#include <string>
#include <string_view>

namespace previct {

/// Returns the minor number of a version with major number `major`: 33 of `1.33`, `v1.33.4`, `1.31.7-eks-473151a`, 9 of
/// `1.9.0-1`; nothing for any other text.
[[nodiscard]] auto minor_of(std::string_view version, int major) -> std::optional<int>;
/// Returns the patch number of such a version: 4 of `v1.33.4`; nothing if it has none.
[[nodiscard]] auto patch_of(std::string_view version, int major) -> std::optional<int>;

/// The minor releases whose rules are known.
struct KnownReleases {
  int major = 0;
  int oldest = 0;
  int newest = 0;
};

/// Returns the minor release that `flag` (`--kai-version`) names. Fails if `version` names no release.
[[nodiscard]] auto minor_asked_for(std::string_view flag, std::string_view version, const KnownReleases& known)
    -> Result<int>;

/// The versions seen of a component that belong to one major release.
class Versions {
 public:
  explicit Versions(int major) : major_(major) {}

  /// Adds a version; ignores a text that is none. The text must outlive the object.
  void see(std::string_view version);

  [[nodiscard]] auto empty() const -> bool { return newest_text_.empty(); }
  [[nodiscard]] auto oldest() const -> int { return oldest_; }
  [[nodiscard]] auto newest() const -> int { return newest_; }
  [[nodiscard]] auto differ() const -> bool { return oldest_ != newest_; }
  /// The lowest patch number of the newest minor release: 4 of `v1.33.4`; nothing if a version shows none.
  [[nodiscard]] auto patch() const -> std::optional<int> { return patch_; }
  /// Returns `v1.33.4`, or `v1.31.2 to v1.33.4`.
  [[nodiscard]] auto text() const -> std::string;

 private:
  int major_;
  int oldest_ = 0;
  int newest_ = 0;
  std::optional<int> patch_;
  std::string_view oldest_text_;
  std::string_view newest_text_;
};

}  // namespace previct
