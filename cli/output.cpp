#include "cli/output.h"

#include "base/text.h"
#include "cli/interrupt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace previct::cli {
namespace {

auto write_all(int descriptor, std::string_view bytes) -> bool {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

auto not_written(const std::string& where) {
  const int reason = errno;
  return fail(fmt::format("{}: not written: {}", where, std::strerror(reason)));
}

// A device or pipe is written as it is; there is nothing to rename over.
auto is_special(const std::string& path) -> bool {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

}  // namespace

auto write_file(const std::string& path, std::string_view bytes) -> Result<void> {
  const bool special = is_special(path);
  const std::string target = special ? path : fmt::format("{}.{}.tmp", path, getpid());
  std::optional<UnfinishedFile> unfinished;
  if (!special) unfinished.emplace(target);
  const int flags = special ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL;
  const int descriptor = open(target.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor < 0) return not_written(path);
  const bool written = write_all(descriptor, bytes);
  const bool closed = close(descriptor) == 0;
  if (!written || !closed || (!special && std::rename(target.c_str(), path.c_str()) != 0)) {
    auto failure = not_written(path);
    if (!special) unlink(target.c_str());
    return failure;
  }
  return {};
}

auto outputs_of(const std::vector<std::string>& values) -> Result<std::vector<Output>> {
  std::vector<Output> outputs;
  bool stdout_taken = false;
  for (const std::string& value : values) {
    const std::size_t equals = value.find('=');
    const std::string name = value.substr(0, equals);
    const Format* format = find_format(name);
    if (format == nullptr) {
      std::vector<std::string> names;
      for (const Format* known : formats()) names.emplace_back(known->name);
      const auto meant = nearest(name, names);
      return fail(fmt::format("unknown output format \"{}\"; {}", name,
                              meant ? fmt::format("did you mean {}?", *meant)
                                    : fmt::format("there are {}", joined(names, ", "))));
    }
    const std::string file = equals == std::string::npos ? "" : value.substr(equals + 1);
    if (equals != std::string::npos && file.empty()) return fail(fmt::format("-o {} names no file", value));
    if (file.empty() && stdout_taken) {
      return fail("two output formats for stdout; write one of them to a file: -o FORMAT=FILE");
    }
    stdout_taken = stdout_taken || file.empty();
    outputs.push_back({format, file});
  }
  if (outputs.empty()) outputs.push_back({find_format("text"), ""});
  return outputs;
}

auto write(const Report& report, const std::vector<Output>& outputs, const Style& on_stdout) -> Result<void> {
  for (const Output& output : outputs) {
    const Format& format = *output.format;
    if (format.accepts == nullptr || format.accepts(report)) continue;
    return fail(fmt::format("-o {} writes {}, and this command has none", format.name, format.needs));
  }
  std::vector<std::string> texts;
  for (const Output& output : outputs) {
    const Style plain = {.heads = on_stdout.heads};
    texts.push_back(output.format->render(report, output.file.empty() ? on_stdout : plain));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].file.empty()) PREVICT_CHECK(write_file(outputs[i].file, texts[i]));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].file.empty() && !write_all(STDOUT_FILENO, texts[i])) return not_written("stdout");
  }
  return {};
}

}  // namespace previct::cli
