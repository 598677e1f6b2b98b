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

auto KeptInputs::read(Session& session, const LoadOptions& reading, Loaded& loaded) -> Result<void> {
  const Options& options = session.options;
  if (!can_keep(session)) return read_files(session, options.filenames, reading, loaded);
  std::string key = key_of(options);
  if (is_current(key)) {
    copy_to(session, loaded);
    return {};
  }
  read_.reset();
  LoadOptions with_digests = reading;
  with_digests.arrivals = &session.arrivals;
  PREVICT_CHECK(read_files(session, options.filenames, with_digests, loaded));
  keep(session, loaded, std::move(key));
  return {};
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

void KeptInputs::keep(const Session& session, const Loaded& loaded, std::string key) {
  const InputTables& tables = *session.inputs;
  read_.emplace(Read{.key = std::move(key),
                     .files = tables.files,
                     .sources = tables.sources,
                     .diagnostics = tables.diagnostics,
                     .arrivals = session.arrivals,
                     .stores = loaded.objects,
                     .counts = loaded.objects.read,
                     .inputs = loaded.objects.inputs,
                     .configurations = loaded.configurations,
                     .symbols = session.inputs});
  for (const std::string& input : session.options.filenames) read_->folders[input] = changed_at(input);
}

void KeptInputs::copy_to(Session& session, Loaded& loaded) {
  InputTables& tables = *session.inputs;
  // Symbols are never removed, and nothing depends on their order: the last session's serve the next one.
  tables.symbols = std::move(read_->symbols->symbols);
  read_->symbols = session.inputs;
  tables.files = read_->files;
  tables.sources = read_->sources;
  tables.diagnostics.add(read_->diagnostics);
  session.arrivals = read_->arrivals;
  static_cast<Stores&>(loaded.objects) = read_->stores;
  loaded.objects.read = read_->counts;
  loaded.objects.inputs = read_->inputs;
  loaded.configurations = read_->configurations;
  for (std::uint32_t i = 0; i < tables.files.size(); ++i) note_read(tables.files.name(FileId{i}));
  session.phases.end("copied the inputs, which were read before");
}

}  // namespace previct::cli
