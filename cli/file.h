#pragma once

#include "base/diagnostics.h"

#include <optional>
#include <string>
#include <string_view>

namespace previct::cli {

/// How a file is written.
struct Writing {
  bool for_owner_only = false;  ///< mode 0600; else what the umask leaves
  bool replace = true;          ///< what was there before goes
};

/// Writes a file whole or not at all: beside its place first, synchronised, then renamed; never through a link that
/// somebody put there. A device or a pipe is written as it is.
[[nodiscard]] auto write_file(const std::string& path, std::string_view bytes, const Writing& writing = {})
    -> Result<void>;

[[nodiscard]] auto is_regular(const std::string& path) -> bool;

/// The descriptor of `/dev/stdout` and the like, or of `/dev/stderr`; none for other paths. They may stand for a file,
/// into which is written where it stands, with what is in it.
[[nodiscard]] auto standard_stream(std::string_view path) -> std::optional<int>;

/// Is it a device or a pipe, over which nothing can be renamed and which may not give back what was written?
[[nodiscard]] auto is_special(const std::string& path) -> bool;

/// Fails if `path` is `-`: what goes to a file is not what goes to standard output. `flag` is what stands before it:
/// `--to `.
[[nodiscard]] auto check_names_file(std::string_view path, std::string_view flag) -> Result<void>;

/// Fails if `word`, which should name an object, is a file: -f was forgotten.
[[nodiscard]] auto check_no_file(const std::string& word) -> Result<void>;

/// Fails if something is at `path` already; what it says names `flag`, by which the user can want that.
[[nodiscard]] auto check_free(const std::string& path, std::string_view flag) -> Result<void>;

/// Fails if `path` is one of the files that were read.
[[nodiscard]] auto check_not_input(const std::string& path, const Files& inputs) -> Result<void>;

/// Writes all to a descriptor; false if that fails, with errno.
[[nodiscard]] auto write_all(int descriptor, std::string_view bytes) -> bool;

/// The failure that errno tells of.
[[nodiscard]] auto not_written(const std::string& where) -> tl::unexpected<Failure>;

}  // namespace previct::cli
