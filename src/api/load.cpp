#include "api/load.h"

#include "input/bytes.h"
#include "input/documents.h"
#include "input/json_source.h"
#include "input/yaml_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <sys/stat.h>

namespace previct {
namespace {

namespace fs = std::filesystem;

using SourceKey = std::tuple<FileId, std::uint32_t, std::uint32_t>;

auto key_of(const Source& source) -> SourceKey {
  return {source.file, source.line, source.column};
}

/// What the inputs say beside their objects.
struct Watched {
  std::set<SourceKey> states;   ///< objects that a watch reported
  std::set<SourceKey> deleted;  ///< those of them that tell of a deletion
};

class LoadSink final : public ObjectSink {
 public:
  LoadSink(FileId file, Objects& objects, Watched& watched)
      : file_(file), objects_(objects), watched_(watched) {}

  auto take(const FoundObject& found) -> Result<void> override {
    const Tape::Entry& start = found.tape[found.index];
    const SourceKey source{file_, start.line, start.column};
    if (found.change != FoundObject::Change::none) watched_.states.insert(source);
    if (found.change == FoundObject::Change::deleted) watched_.deleted.insert(source);
    return add_object(found.tape, found.index, file_, found.list, objects_);
  }
  void take_list(const EnclosingList& list) override {
    saw_list_ = true;
    add_list(list, objects_);
  }
  [[nodiscard]] auto saw_list() const -> bool { return saw_list_; }

 private:
  FileId file_;
  Objects& objects_;
  Watched& watched_;
  bool saw_list_ = false;
};

// --- Which files.

auto has_dump_name(const fs::path& path) -> bool {
  constexpr std::array<std::string_view, 6> kEndings = {".yaml",  ".yml",    ".json",
                                                        ".jsonl", ".ndjson", ".kyaml"};
  constexpr std::array<std::string_view, 2> kCompressed = {".gz", ".zst"};
  fs::path name = path.filename();
  if (std::count(kCompressed.begin(), kCompressed.end(), name.extension().string()) > 0) name = name.stem();
  return std::count(kEndings.begin(), kEndings.end(), name.extension().string()) > 0;
}

/// The regular files with a dump's name in a directory; links to directories are not followed.
template <class Iterator>
auto files_in(const std::string& path, std::vector<std::string>& files) -> std::error_code {
  std::error_code error;
  for (Iterator it(path, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored) && !it->is_symlink(ignored) && has_dump_name(it->path())) {
      files.push_back(it->path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return error;
}

auto expand_directory(const std::string& path, bool recursive, FileId file)
    -> Result<std::vector<std::string>> {
  std::vector<std::string> files;
  const std::error_code error = recursive ? files_in<fs::recursive_directory_iterator>(path, files)
                                          : files_in<fs::directory_iterator>(path, files);
  if (error) return fail(fmt::format("cannot read the directory: {}", error.message()), {file});
  if (files.empty()) {
    return fail("no YAML or JSON files in this directory", {file},
                recursive ? "" : "look into its directories with -R");
  }
  return files;
}

// --- Duplicates.

/// Later and better states of one object, folded in the order of the input.
template <class T>
class Survivor {
 public:
  Survivor(std::string_view kind, const Watched& watched, Objects& objects)
      : kind_(kind), watched_(watched), objects_(objects) {}

  void add(std::vector<T>& store, std::size_t index) {
    const ObjectMeta& next = store[index].meta;
    const SourceKey key = key_of(next.source);
    if (watched_.deleted.count(key) > 0) {
      index_ = kNone;
    } else if (index_ == kNone) {
      index_ = index;
    } else {
      const ObjectMeta& kept = store[index_].meta;
      const bool replace = replaces(next, kept);
      const bool watch = watched_.states.count(key) > 0 && next.source.file == kept.source.file;
      if (!watch) warn(replace ? next : kept, replace ? kept : next);
      if (replace || watch) index_ = index;
    }
  }
  [[nodiscard]] auto index() const -> std::size_t { return index_; }
  static constexpr std::size_t kNone = SIZE_MAX;

 private:
  static auto replaces(const ObjectMeta& next, const ObjectMeta& kept) -> bool {
    if (next.uid && next.uid == kept.uid) return next.resource_version >= kept.resource_version;
    return next.created.value_or(Instant{}) >= kept.created.value_or(Instant{});
  }

  void warn(const ObjectMeta& kept, const ObjectMeta& dropped) {
    const auto place = [](const Source& s) { return Place{s.file, s.line, s.column}; };
    const std::string_view ns = objects_.symbols.text(kept.ns);
    const bool one = kept.uid && kept.uid == dropped.uid;
    const bool two = kept.uid && dropped.uid && !one;
    const std::string version =
        one ? fmt::format("resourceVersion {}", kept.resource_version) : std::string("the one");
    objects_.diagnostics.warn(
        "duplicate-object",
        fmt::format("{} \"{}{}{}\" stands twice{}; kept {} of {}, dropped that of {}", kind_, ns,
                    ns.empty() ? "" : "/", objects_.symbols.text(kept.name),
                    two ? " with different uids" : "", version, objects_.files.describe(place(kept.source)),
                    objects_.files.describe(place(dropped.source))),
        place(dropped.source));
  }

  std::string_view kind_;
  const Watched& watched_;
  Objects& objects_;
  std::size_t index_ = kNone;
};

template <class T>
void keep_one_of_each(std::string_view kind, std::vector<T>& store, const Watched& watched,
                      Objects& objects) {
  std::unordered_map<std::uint64_t, std::size_t> group_of;
  std::vector<Survivor<T>> groups;
  for (std::size_t i = 0; i < store.size(); ++i) {
    const ObjectMeta& meta = store[i].meta;
    const std::uint64_t name = std::uint64_t{meta.ns.index} << 32U | meta.name.index;
    const auto [group, added] = group_of.try_emplace(name, groups.size());
    if (added) groups.emplace_back(kind, watched, objects);
    groups[group->second].add(store, i);
  }
  if (groups.size() == store.size() && watched.deleted.empty()) return;
  std::vector<T> survivors;
  survivors.reserve(groups.size());
  for (const Survivor<T>& group : groups) {
    if (group.index() != Survivor<T>::kNone) survivors.push_back(std::move(store[group.index()]));
  }
  store = std::move(survivors);
}

// --- Loading.

/// How far the stores were filled, to take a broken input back.
class Mark {
 public:
  explicit Mark(Objects& objects)
      : counts_(objects.counts), listed_(objects.listed), newest_(objects.newest) {
    objects.each_store([&](std::string_view, auto& store) { sizes_.push_back(store.size()); });
  }
  void restore(Objects& objects) const {
    std::size_t i = 0;
    objects.each_store([&](std::string_view, auto& store) {
      store.erase(store.begin() + static_cast<std::ptrdiff_t>(sizes_[i++]), store.end());
    });
    objects.counts = counts_;
    objects.listed = listed_;
    objects.newest = newest_;
  }

 private:
  std::vector<std::size_t> sizes_;
  std::map<std::string, std::size_t> counts_;
  std::map<std::string, std::size_t> listed_;
  Instant newest_;
};

class Loader {
 public:
  Loader(const LoadOptions& options, Objects& objects) : options_(options), objects_(objects) {}

  auto run(const std::vector<std::string>& paths) -> Result<void>;

 private:
  auto path(const std::string& path) -> Result<void>;
  auto input(const std::string& path) -> Result<void>;
  auto text(std::string_view text, FileId file) -> Result<void>;
  [[nodiscard]] auto seen_before(const std::string& path) -> bool;
  [[nodiscard]] auto skip(const Failure& failure) -> bool;

  const LoadOptions& options_;
  Objects& objects_;
  Watched watched_;
  std::set<std::pair<dev_t, ino_t>> seen_;
  std::size_t inputs_read_ = 0;
};

auto Loader::run(const std::vector<std::string>& paths) -> Result<void> {
  for (const std::string& each : paths) PREVICT_CHECK(path(each));
  if (inputs_read_ == 0) return fail("no input could be read");
  objects_.each_store(
      [&](std::string_view kind, auto& store) { keep_one_of_each(kind, store, watched_, objects_); });
  return {};
}

auto Loader::path(const std::string& path) -> Result<void> {
  std::error_code error;
  if (path == "-" || !fs::is_directory(path, error)) return input(path);
  auto files = expand_directory(path, options_.recursive, objects_.files.add(path));
  if (!files) return skip(files.error()) ? Result<void>{} : tl::unexpected(files.error());
  for (const std::string& file : *files) PREVICT_CHECK(input(file));
  return {};
}

auto Loader::seen_before(const std::string& path) -> bool {
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  return !seen_.emplace(status.st_dev, status.st_ino).second;
}

auto Loader::input(const std::string& path) -> Result<void> {
  if (seen_before(path)) return {};
  const std::string name = path == "-" ? "<stdin>" : path;
  const FileId file = objects_.files.add(name);
  auto read = read_input(path, file, options_.max_input);
  if (!read) return skip(read.error()) ? Result<void>{} : tl::unexpected(read.error());
  for (Member& member : read->members) {
    const FileId of =
        member.name.empty() ? file : objects_.files.add(fmt::format("{}!{}", name, member.name));
    const Mark mark(objects_);
    const auto done = text(member.text, of);
    if (done) {
      ++inputs_read_;
      read->can_be_read_again ? objects_.sources.add_path(of, path)
                              : objects_.sources.add_text(of, std::move(member.text));
    } else if (skip(done.error())) {
      mark.restore(objects_);
    } else {
      return done;
    }
  }
  return {};
}

auto Loader::text(std::string_view text, FileId file) -> Result<void> {
  if (auto failure = not_a_dump(text, file)) return tl::unexpected(*std::move(failure));
  const auto source = looks_like_json(text) ? json_source(text, file) : yaml_source(text, file);
  LoadSink sink(file, objects_, watched_);
  PREVICT_TRY(const std::size_t count, read_documents(*source, file, sink));
  if (count == 0 && !sink.saw_list()) return fail("empty: no objects in it", {file, 1, 1});
  return {};
}

auto Loader::skip(const Failure& failure) -> bool {
  if (!options_.keep_going) return false;
  objects_.inputs_skipped = true;
  objects_.diagnostics.warn("input-skipped", fmt::format("left out: {}", failure.message), failure.place);
  return true;
}

}  // namespace

auto load(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects)
    -> Result<void> {
  return Loader(options, objects).run(paths);
}

}  // namespace previct
