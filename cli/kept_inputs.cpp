#include "cli/kept_inputs.h"

#include "base/files_read.h"
#include "cli/load.h"

#include <algorithm>

namespace previct::cli {
namespace {

namespace fs = std::filesystem;

auto key_of(const Options& options) -> std::string {
  const Json key = {options.filenames, options.recursive, options.keep_going, options.max_input, options.max_memory};
  return key.dump(-1, ' ', false, Json::error_handler_t::replace);
}

auto changed_at(const std::string& folder) -> fs::file_time_type {
  std::error_code error;
  return fs::is_directory(folder, error) ? fs::last_write_time(folder, error) : fs::file_time_type();
}

// Only the first files, symbols and warnings of a session can be kept: others could not come before them. Standard
// input can be read once.
auto can_keep(const Session& session) -> bool {
  const InputTables& tables = *session.inputs;
  const std::vector<std::string>& names = session.options.filenames;
  return tables.files.size() == 0 && tables.symbols.size() == 0 && tables.diagnostics.empty() &&
         std::count(names.begin(), names.end(), "-") == 0;
}

}  // namespace

auto KeptInputs::read(Session& session, const LoadOptions& reading, LoadRequest request)
    -> Result<std::shared_ptr<Loaded>> {
  const Options& options = session.options;
  auto fresh = std::make_shared<Loaded>(request, session.inputs);
  if (!can_keep(session)) {
    PREVICT_CHECK(read_files(session, options.filenames, reading, *fresh));
    return fresh;
  }
  std::string key = key_of(options);
  if (is_current(key)) {
    begin_again(session);
  } else {
    read_.reset();
    LoadOptions with_digests = reading;
    with_digests.arrivals = &session.arrivals;
    PREVICT_CHECK(read_files(session, options.filenames, with_digests, *fresh));
    keep(session, std::move(fresh), std::move(key));
  }
  return request.keeps_objects || is_last_ ? lent(options, request) : copied(request);
}

auto KeptInputs::is_current(const std::string& key) const -> bool {
  if (!read_ || read_->key != key) return false;
  for (const auto& [folder, at] : read_->folders) {
    if (changed_at(folder) != at) return false;
  }
  for (std::uint32_t i = 0; i < read_->files.size(); ++i) {
    if (read_->sources.changed(read_->files.name(FileId{i}))) return false;
  }
  return true;
}

void KeptInputs::keep(const Session& session, std::shared_ptr<Loaded> loaded, std::string key) {
  const InputTables& tables = *session.inputs;
  read_.emplace(Read{.key = std::move(key),
                     .loaded = std::move(loaded),
                     .files = tables.files,
                     .sources = tables.sources,
                     .diagnostics = tables.diagnostics,
                     .arrivals = session.arrivals});
  read_->configurations = read_->loaded->configurations;
  for (const std::string& input : session.options.filenames) read_->folders[input] = changed_at(input);
}

// What a question has derived may point to objects that it moved in memory, and whoever derives something may warn,
// which each question has to.
auto KeptInputs::may_keep_cluster() const -> bool {
  const Objects& objects = read_->loaded->objects;
  return objects.changes == read_->changes && objects.diagnostics.sorted().size() == read_->diagnostics.sorted().size();
}

void KeptInputs::drop_cluster() {
  is_last_ ? read_->loaded->put_cluster_aside() : read_->loaded->forget_cluster();
}

// Symbols are never removed, and nothing depends on their order: the last session's serve the next one.
void KeptInputs::begin_again(Session& session) {
  Loaded& loaded = *read_->loaded;
  if (!may_keep_cluster()) drop_cluster();
  session.inputs = loaded.objects.tables;
  InputTables& tables = *session.inputs;
  tables.files = read_->files;
  tables.sources = read_->sources;
  tables.diagnostics = read_->diagnostics;
  session.arrivals = read_->arrivals;
  for (std::uint32_t i = 0; i < tables.files.size(); ++i) note_read(tables.files.name(FileId{i}));
  session.phases.end("took the inputs that were read before");
}

auto KeptInputs::lent(const Options& options, LoadRequest request) -> std::shared_ptr<Loaded> {
  Loaded& loaded = *read_->loaded;
  // What was derived may name the files.
  std::vector<std::string> named;
  for (NamedConfiguration& each : configurations_named_by(options)) named.push_back(std::move(each.path));
  if (!request.keeps_objects || named != read_->named_before) drop_cluster();
  read_->named_before = std::move(named);
  loaded.request = request;
  loaded.configurations = read_->configurations;
  loaded.named = {};
  loaded.overlaid = {};
  loaded.taken_as_none.clear();
  read_->changes = loaded.objects.changes;
  return read_->loaded;
}

auto KeptInputs::copied(LoadRequest request) const -> std::shared_ptr<Loaded> {
  const Objects& objects = read_->loaded->objects;
  auto copy = std::make_shared<Loaded>(request, objects.tables);
  static_cast<Stores&>(copy->objects) = objects;
  copy->objects.read = objects.read;
  copy->objects.inputs = objects.inputs;
  copy->configurations = read_->configurations;
  return copy;
}

}  // namespace previct::cli
