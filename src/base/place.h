#pragma once

#include "base/id.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A position in an input. Line and column are 1-based, and columns count bytes; 0 means unknown.
struct Place {
  FileId file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend constexpr auto operator<=>(const Place&, const Place&) = default;
};

/// The inputs of a run, under the names that the user knows (`dump.yaml`, `<stdin>`, `bundle.tar.gz!pods.json`,
/// `cluster:/api/v1/pods`).
class Files {
 public:
  auto add(std::string name) -> FileId { return names_.add(std::move(name)); }
  /// Adds a list of a live cluster, named by its path in the API.
  auto add_live(const std::string& path) -> FileId;
  /// Returns true for a list of a live cluster, which has no lines that a user could open.
  [[nodiscard]] auto live(FileId file) const -> bool { return file && live_.contains(file); }
  [[nodiscard]] auto name(FileId file) const -> const std::string& { return names_[file]; }
  [[nodiscard]] auto size() const -> std::size_t { return names_.size(); }

  /// `dump.yaml:12:3`, `dump.yaml:12` or `dump.yaml`, depending on what is known of the place. Not escaped.
  [[nodiscard]] auto describe(const Place& place) const -> std::string;

 private:
  IdVector<FileId, std::string> names_;
  std::set<FileId> live_;
};

}  // namespace previct
