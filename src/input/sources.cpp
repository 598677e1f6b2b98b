#include "input/sources.h"

#include "input/bytes.h"

namespace previct {

namespace {

auto changed_since(FileId file) -> tl::unexpected<Failure> {
  return fail("the file changed after it was read", {file}, "try again when no program writes to it, or read a copy");
}

}  // namespace

auto Sources::changed(const std::string& path) const -> bool {
  const auto known = states_.find(path);
  return known != states_.end() && state_of(path) != known->second;
}

void Sources::add_text(FileId file, std::string text) {
  if (kept_ + text.size() > kKept) return;
  kept_ += text.size();
  texts_.emplace(file, std::move(text));
}

auto Sources::text(FileId file) const -> Result<std::string_view> {
  if (const auto kept = texts_.find(file); kept != texts_.end()) return kept->second;
  if (last_ && last_ == file) return last_text_;
  const auto path = paths_.find(file);
  if (path == paths_.end()) return fail("the text was not kept", {file});
  if (changed(path->second.name)) return changed_since(file);
  // The text was read once within the limits, so only the file system can fail now.
  PREVICT_TRY(last_text_, read_text_file(path->second.name, file, UINT64_MAX));
  last_ = file;
  return last_text_;
}

auto Sources::open(FileId file) const -> Result<std::unique_ptr<ByteSource>> {
  const auto path = paths_.find(file);
  if (path != paths_.end() && path->second.again == Again::streamed) {
    if (changed(path->second.name)) return changed_since(file);
    PREVICT_TRY(FileSource source, file_source(path->second.name, file, UINT64_MAX));
    return std::move(source.bytes);
  }
  PREVICT_TRY(const std::string_view all, text(file));
  return memory_source(all);
}

}  // namespace previct
