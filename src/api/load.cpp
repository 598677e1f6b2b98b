#include "api/load.h"

#include "api/check_captures.h"
#include "api/deduplicate.h"
#include "api/fast_load.h"
#include "api/input_files.h"
#include "api/lacking_pods.h"
#include "api/load_text.h"
#include "api/names_to_come.h"
#include "api/one_cluster.h"
#include "api/one_input.h"
#include "api/overtaken.h"
#include "api/parallel_load.h"
#include "api/pod_defaults.h"
#include "api/recognise.h"
#include "api/store_sink.h"
#include "base/text.h"
#include "input/bytes.h"
#include "input/collection.h"
#include "input/digest.h"
#include "input/documents.h"
#include "input/file_state.h"
#include "input/json_source.h"
#include "input/memory_guard.h"
#include "input/pieces.h"
#include "input/read_ahead.h"
#include "input/reported_source.h"
#include "input/yaml_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace previct {
namespace {

namespace fs = std::filesystem;

/// Stores what is read.
class LoadSink final : public InputSink {
 public:
  LoadSink(Objects& objects, FoundBesides& besides) : objects_(objects), besides_(besides) {}

  auto take(const FoundObject& found, FileId file) -> Result<void> override {
    const Tape::Entry& start = found.tape[found.index];
    const Source source{file, start.line, start.column};
    switch (besides_.configurations.take(found, file)) {
      case ConfigurationFinder::Found::no: break;
      case ConfigurationFinder::Found::yes: besides_.configurations_at.push_back(source); return {};
      case ConfigurationFinder::Found::again:
        objects_.diagnostics.warn("several-configurations",
                                  "the input has a second configuration of this kind, so neither is used; select one "
                                  "with --scheduler-config, --yunikorn-config, --kueue-config or --assume",
                                  source);
        return {};
    }
    if (found.change != FoundObject::Change::none) besides_.watched.states.insert(source);
    if (found.change == FoundObject::Change::deleted) besides_.watched.deleted.insert(source);
    return add_object(found, file, objects_);
  }
  void take_list(const EnclosingList& list, FileId file) override { add_list(list, file, objects_); }
  void forget(FileId file) override {
    besides_.configurations.forget(file);
    for (auto* const sources : {&besides_.watched.states, &besides_.watched.deleted}) {
      std::erase_if(*sources, [&](const Source& source) { return source.file == file; });
    }
  }
  [[nodiscard]] auto objects() -> Objects* override { return &objects_; }

 private:
  Objects& objects_;
  FoundBesides& besides_;
};

/// The number of objects of all kinds: one document may hold many, as a snapshot does, or none.
auto objects_in(const std::map<std::string, std::size_t>& counts) -> std::size_t {
  std::size_t sum = 0;
  for (const auto& [kind, count] : counts) sum += count;
  return sum;
}

class Loader {
 public:
  Loader(const LoadOptions& options, Objects& objects, InputSink& sink)
      : options_(options), objects_(objects), sink_(sink), memory_(options.max_memory) {}

  auto run(const std::vector<std::string>& paths) -> Result<void>;
  /// Reads a text in memory.
  auto run(const std::string& name, std::string_view text) -> Result<void>;

 private:
  /// Files of a collection that have the name of a dump, but …
  struct SkippedFiles {
    std::size_t foreign = 0;  ///< … hold no objects
    std::string first;        ///< the first of these
    std::size_t broken = 0;
    std::optional<Failure> first_broken;

    void add(SkippedFiles later);
  };

  auto path(const std::string& path) -> Result<void>;
  auto files_of(const std::string& path) -> Result<void>;
  auto input(const std::string& path, Origin origin, SkippedFiles& others) -> Result<void>;
  /// As above, without the check that the file stays unchanged.
  auto input(const std::string& path, FileId file, Origin origin, SkippedFiles& others) -> Result<void>;
  /// Reads the members of an opened input; returns their number.
  auto members(Input& input, FileId file, const std::string& path, Origin origin, SkippedFiles& others)
      -> Result<std::size_t>;
  /// Returns the number of objects and lists in the text.
  auto text(std::string_view text, FileId file, Origin origin) -> Result<std::size_t>;
  struct Taken {
    std::size_t objects;
    std::uint64_t bytes;
  };
  /// As text(), for a source of `total` bytes (0: unknown) that does not need the general reader; none if it does.
  /// `pieces`: how several threads can read it, if they can.
  auto fast(ByteSource& source, const std::optional<PiecewiseText>& pieces, std::uint64_t total, FileId file,
            Origin origin) -> std::optional<Taken>;
  auto taken(std::size_t objects, std::uint64_t bytes, std::string_view head) -> Taken;
  /// Reads with several threads, if that is worthwhile.
  auto in_parts(const PiecewiseText& text, FileId file, Objects& objects) -> std::optional<std::size_t>;
  /// As fast(), for a regular file, without holding all of it in memory.
  auto fast_file(const std::string& path, FileId file, Origin origin) -> bool;
  /// Reports what was skipped or left out in a collection of `files`; fails if that was all of them.
  [[nodiscard]] auto say(const SkippedFiles& others, std::size_t files, FileId where) -> Result<void>;
  /// Leaves out a file of a collection that is an invalid dump; the others are still read.
  void leave_out(Failure failure, FileId file, bool held_pods, SkippedFiles& others);
  [[nodiscard]] auto pods_read() const -> std::size_t;
  /// Returns true if the name of a file indicates that it holds pods.
  [[nodiscard]] auto names_pods(FileId file) const -> bool;
  void say_recognised();
  [[nodiscard]] auto seen_before(const std::optional<FileState>& state) -> bool;
  /// Handles an input that cannot be read: fails, or continues without it if the user wants that.
  [[nodiscard]] auto left_out(Failure failure) -> Result<void>;
  void take_back(const Mark& mark, FileId file);

  const LoadOptions& options_;
  Objects& objects_;
  InputSink& sink_;
  MemoryGuard memory_;
  InputRecord record_;                                      // of the current path
  std::set<std::string> forms_;                             // formats of the texts in it
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen_;  // device and number
  std::size_t inputs_read_ = 0;
};

void Loader::SkippedFiles::add(SkippedFiles later) {
  if (foreign == 0) first = std::move(later.first);
  foreign += later.foreign;
  broken += later.broken;
  if (!first_broken) first_broken = std::move(later.first_broken);
}

auto Loader::run(const std::vector<std::string>& paths) -> Result<void> {
  for (const std::string& each : paths) PREVICT_CHECK(path(each));
  say_recognised();
  if (inputs_read_ == 0) return fail("no input could be read");
  return {};
}

auto Loader::run(const std::string& name, std::string_view text) -> Result<void> {
  const FileId file = objects_.files.add(name);
  record_ = {.file = file, .last = file, .unpacked = text.size(), .texts = 1};
  PREVICT_CHECK(this->text(text, file, Origin::named));
  objects_.inputs.push_back(record_);
  say_recognised();
  return {};
}

auto Loader::path(const std::string& path) -> Result<void> {
  const auto first = static_cast<std::uint32_t>(objects_.files.size());
  const Instant before = std::exchange(objects_.newest, Instant{});
  record_ = {.file = {first}};
  forms_.clear();
  auto done = files_of(path);
  record_.last = {static_cast<std::uint32_t>(objects_.files.size() - 1)};
  record_.newest = objects_.newest;
  const std::string forms = fmt::format("{}", fmt::join(forms_, " and "));
  record_.form = record_.form.empty() ? forms : fmt::format("{} ({})", forms, record_.form);
  if (objects_.files.size() > first) objects_.inputs.push_back(record_);
  objects_.newest = std::max(before, objects_.newest);
  return done;
}

auto Loader::files_of(const std::string& path) -> Result<void> {
  std::error_code error;
  SkippedFiles others;
  if (path == "-" || !fs::is_directory(path, error)) return input(path, Origin::named, others);
  const FileId directory = objects_.files.add(path);
  auto folder = input_files(path, options_.recursive, directory);
  if (!folder) return left_out(std::move(folder.error()));
  if (folder->closed) PREVICT_CHECK(left_out(*std::move(folder->closed)));
  record_.passed_over += folder->ignored;
  for (const std::string& file : folder->files) PREVICT_CHECK(input(file, Origin::collection, others));
  record_.form = "directory";
  if (folder->older_states > 0) {
    objects_.diagnostics.warn(
        "older-states",
        fmt::format("{} of a series not read, only the newest, {}; to read another one, pass its file",
                    counted(folder->older_states, "older state", "older states"), folder->newest_state),
        {directory});
  }
  if (folder->links > 0) {
    objects_.diagnostics.warn("links-not-followed",
                              fmt::format("{} not followed; to read a link's target, pass the link with -f",
                                          counted(folder->links, "link", "links")),
                              {directory});
  }
  const std::string below = counted(folder->folders, "sub-folder", "sub-folders");
  if (folder->folders > 0 && others.foreign == folder->files.size()) {
    return left_out({fmt::format("no file is read here; {}: add -R", below), {directory}, {}});
  }
  if (folder->folders > 0) {
    objects_.diagnostics.warn("folders-not-read", fmt::format("{} not read; -R reads them, too", below), {directory});
  }
  return say(others, folder->files.size(), directory);
}

auto Loader::seen_before(const std::optional<FileState>& state) -> bool {
  return state && !seen_.emplace(state->device, state->number).second;
}

// A file may be opened several times: in parts, by the general reader if the fast one gives up, and for its checksum.
// Its content must not change in between.
auto Loader::input(const std::string& path, Origin origin, SkippedFiles& others) -> Result<void> {
  const auto state = state_of(path);
  if (seen_before(state)) return {};
  const FileId file = objects_.files.add(path == "-" ? "<stdin>" : path);
  constexpr std::string_view kWhatToDo = "try again when no program writes to it, or read a copy";
  // A file that is read again, for other kinds of objects, must be the same as before.
  if (objects_.sources.changed(path)) {
    return fail("the file changed after it was read", {file}, std::string(kWhatToDo));
  }
  if (state) objects_.sources.remember(path, *state);
  const Mark mark(objects_);
  const std::size_t pods_before = pods_read();
  const std::size_t read_before = inputs_read_;
  SkippedFiles meanwhile;
  auto done = input(path, file, origin, meanwhile);
  if (!state || state_of(path) == state) {
    others.add(std::move(meanwhile));
    return done;
  }
  const bool held_pods = pods_read() > pods_before || names_pods(file);
  take_back(mark, file);
  inputs_read_ = read_before;
  Failure changed{"the file changed while it was read", {file}, std::string(kWhatToDo)};
  if (origin == Origin::named) return left_out(std::move(changed));
  leave_out(std::move(changed), file, held_pods, others);
  return {};
}

auto Loader::input(const std::string& path, FileId file, Origin origin, SkippedFiles& others) -> Result<void> {
  if (path != "-" && fast_file(path, file, origin)) {
    if (options_.arrivals != nullptr) {
      if (const auto digest = digest_of_file(path)) {
        options_.arrivals->insert_or_assign(file, *digest);
      } else {
        objects_.diagnostics.warn("not-read-again", "cannot be read again: its size and checksum are missing",
                                  {file, 0, 0});
      }
    }
    return {};
  }
  const auto broken = [&](Failure failure) -> Result<void> {
    if (origin == Origin::named) return left_out(std::move(failure));
    leave_out(std::move(failure), file, names_pods(file), others);
    return {};
  };
  if (memory_.exceeded()) return broken(memory_.failure(file));
  auto read = open_input(path, file, {options_.max_input, options_.max_memory}, options_.arrivals != nullptr);
  if (!read) return broken(std::move(read.error()));
  if (options_.arrivals != nullptr)
    options_.arrivals->insert_or_assign(file, FileDigest{read->bytes_read(), read->sha256});
  SkippedFiles within;
  const bool archive = read->is_archive();
  record_.bytes += read->bytes_read();
  memory_.add_input_bytes(read->bytes_read());
  record_.form = read->containers();
  auto count = members(*read, file, path, archive ? Origin::collection : origin, archive ? within : others);
  record_.passed_over += read->ignored();
  if (!count) return broken(std::move(count.error()));
  return archive ? say(within, *count, file) : Result<void>{};
}

auto Loader::members(Input& input, FileId file, const std::string& path, Origin origin, SkippedFiles& others)
    -> Result<std::size_t> {
  for (std::size_t count = 0;; ++count) {
    PREVICT_TRY(std::optional<Member> member, input.next());
    if (!member) return count;
    const bool alone = member->name.empty();
    const FileId of = alone ? file : objects_.files.add(fmt::format("{}!{}", objects_.files.name(file), member->name));
    const Mark mark(objects_);
    const std::size_t pods_before = pods_read();
    const auto taken = member->damage ? tl::unexpected(*member->damage) : text(member->text, of, origin);
    if (!taken) {
      // A chart's template may be next to dumps, but is not a dump.
      const bool is_template = member->text.find("{{") != std::string::npos;
      const bool held_pods = pods_read() > pods_before || (names_pods(of) && !is_template);
      take_back(mark, of);
      if (origin == Origin::named) {
        PREVICT_CHECK(left_out(taken.error()));
        if (held_pods) objects_.broken_pods.add({1, {of}});
      } else {
        leave_out(taken.error(), of, held_pods, others);
      }
      continue;
    }
    ++inputs_read_;
    record_.unpacked += member->text.size();
    ++(*taken == 0 ? record_.passed_over : record_.texts);
    if (*taken == 0) {
      if (others.foreign++ == 0) others.first = alone ? path : member->name;
    } else if (alone && input.can_be_read_again) {
      objects_.sources.add_path(of, path, Sources::Again::whole);
    } else {
      objects_.sources.add_text(of, std::move(member->text));
    }
  }
}

auto Loader::fast(ByteSource& source, const std::optional<PiecewiseText>& pieces, std::uint64_t total, FileId file,
                  Origin origin) -> std::optional<Taken> {
  Objects* const objects = options_.general ? nullptr : sink_.objects();
  if (objects == nullptr) return {};
  const Mark mark(objects_);
  TextSink sink(file, origin, objects_, sink_, memory_);
  if (const auto count = pieces ? in_parts(*pieces, file, *objects) : std::nullopt) {
    constexpr std::size_t kBeginning = 256;
    std::string head(kBeginning, '\0');
    head.resize(pieces->open(0, pieces->size)->read(head).value_or(0));
    if (const auto all = sink.finish(*count); all.value_or(0) > 0) return taken(*all, pieces->size, head);
  }
  take_back(mark, file);
  WatchedBytes bytes(source, options_.progress, objects_.files.name(record_.file), total, memory_);
  const std::size_t before = objects_.read.fast;
  if (read_fast(bytes, file, *objects, sink)) {
    const auto all = sink.finish(objects_.read.fast - before);
    if (all.value_or(0) > 0) return taken(*all, bytes.size(), bytes.head());
  }
  take_back(mark, file);
  return {};
}

auto Loader::taken(std::size_t objects, std::uint64_t bytes, std::string_view head) -> Taken {
  if (objects > 0) forms_.insert(looks_like_json(head) ? "JSON" : "YAML");
  return {objects, bytes};
}

auto Loader::in_parts(const PiecewiseText& text, FileId file, Objects& objects) -> std::optional<std::size_t> {
  const auto parts =
      static_cast<unsigned>(std::min<std::uint64_t>(options_.threads, text.size / options_.smallest_part));
  if (parts < 2) return {};
  std::atomic<std::uint64_t> done = 0;
  PiecewiseText counted = text;
  counted.open = [&](std::uint64_t begin, std::uint64_t end) {
    std::function<void()> tell;
    if (begin == 0 && options_.progress != nullptr) {
      tell = [&] {
        options_.progress->at(objects_.files.name(record_.file), std::min<std::uint64_t>(done, text.size), text.size);
      };
    }
    return std::make_unique<CountedBytes>(text.open(begin, end), done, std::move(tell), memory_);
  };
  return read_in_parts(counted, parts, file, objects);
}

auto Loader::fast_file(const std::string& path, FileId file, Origin origin) -> bool {
  auto source = file_source(path, file, options_.max_input);
  if (!source) return false;
  const std::uint64_t size = source->size;
  memory_.add_input_bytes(size);
  const bool plain = source->container.empty();
  if (!plain && options_.threads > 1) source->bytes = read_ahead(std::move(source->bytes));
  const bool fits = size <= (options_.max_input == 0 ? kLargestInput : options_.max_input);
  const auto taken =
      fast(*source->bytes, plain && fits ? pieces_of_file(path) : std::nullopt, plain ? size : 0, file, origin);
  if (!taken) return false;
  ++inputs_read_;
  ++record_.texts;
  record_.bytes += size;
  record_.unpacked += taken->bytes;
  record_.form = source->container;
  objects_.sources.add_path(file, path, Sources::Again::streamed);
  return true;
}

auto Loader::text(std::string_view text, FileId file, Origin origin) -> Result<std::size_t> {
  if (const auto taken = fast(*memory_source(text), pieces_of(text), text.size(), file, origin)) return taken->objects;
  if (memory_.exceeded()) return tl::unexpected(memory_.failure(file));
  if (auto failure = not_a_dump(text, file)) {
    return origin == Origin::collection ? Result<std::size_t>(0) : tl::unexpected(*std::move(failure));
  }
  const bool json = looks_like_json(text);
  const auto plain = json ? json_source(text, file) : yaml_source(text, file);
  ReportedSource reported(*plain, text, options_.progress, objects_.files.name(record_.file), record_.unpacked,
                          origin == Origin::collection ? 0 : text.size());
  EventSource& source = options_.progress == nullptr ? *plain : static_cast<EventSource&>(reported);
  TextSink sink(file, origin, objects_, sink_, memory_);
  const std::size_t before = objects_in(objects_.counts);
  if (auto read = read_documents(source, file, sink); !read) {
    // In a collection, a file that only has the name of a dump is not one.
    const bool dump = origin == Origin::named || memory_.exceeded() || sink.has_taken() || begins_like_dump(text);
    if (!dump) return 0;
    return tl::unexpected(explain_pasted_text(std::move(read.error()), text));
  }
  if (const Place half = plain->half_pair(); half.line > 0) {
    objects_.diagnostics.warn("half-surrogate-pair", "a lone surrogate is not a character; it is read as U+FFFD", half);
  }
  const std::size_t read_generally = objects_in(objects_.counts) - before;
  objects_.read.general += read_generally;
  if (!options_.general) objects_.read.of(FallbackReason::document).objects += read_generally;
  auto count = sink.finish();
  if (count.value_or(0) > 0) forms_.insert(json ? "JSON" : "YAML");
  return count;
}

auto Loader::say(const SkippedFiles& others, std::size_t files, FileId where) -> Result<void> {
  if (others.foreign + others.broken == files) {
    if (others.first_broken) return left_out(*others.first_broken);
    return left_out(
        {fmt::format("no Kubernetes objects in it ({} that could contain some)", counted(files, "file", "files")),
         {where},
         {}});
  }
  if (others.foreign > 0) {
    const std::string more = others.foreign == 1 ? "" : fmt::format(" and {} more", others.foreign - 1);
    objects_.diagnostics.warn("no-objects", fmt::format("no Kubernetes objects in {}{}", others.first, more), {where});
  }
  return {};
}

auto Loader::pods_read() const -> std::size_t {
  const auto pods = objects_.counts.find("Pod");
  return pods == objects_.counts.end() ? 0 : pods->second;
}

auto Loader::names_pods(FileId file) const -> bool {
  const auto list = list_of_path(objects_.files.name(file));
  return list && list->list.kind == "PodList";
}

void Loader::leave_out(Failure failure, FileId file, bool held_pods, SkippedFiles& others) {
  ++others.broken;
  (held_pods ? objects_.broken_pods : objects_.broken_files).add({1, {file}});
  objects_.diagnostics.warn("input-skipped", fmt::format("left out: {}", failure.message), failure.place);
  if (!others.first_broken) others.first_broken = std::move(failure);
}

void Loader::say_recognised() {
  const auto say = [&](std::map<std::string, Recognized>& recognized, std::string_view by) {
    for (const auto& [kind, which] : std::exchange(recognized, {})) {
      objects_.diagnostics.warn(
          "recognised-kind",
          fmt::format("{} without a kind read as {}, which {}", counted(which.count, "object", "objects"), kind, by),
          which.first);
    }
  };
  say(objects_.recognized_by_field, "from its fields");
  say(objects_.recognized_by_path, "the name of the file says");
}

auto Loader::left_out(Failure failure) -> Result<void> {
  if (!options_.keep_going) return tl::unexpected(std::move(failure));
  objects_.inputs_skipped = true;
  objects_.diagnostics.warn("input-skipped", fmt::format("left out: {}", failure.message), failure.place);
  return {};
}

void Loader::take_back(const Mark& mark, FileId file) {
  mark.restore(objects_);
  sink_.forget(file);
}

}  // namespace

auto read_objects(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects, InputSink& sink)
    -> Result<void> {
  return Loader(options, objects, sink).run(paths);
}

auto read_again(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects, InputSink& sink)
    -> Result<void> {
  std::vector<std::string> again = paths;
  std::erase(again, "-");
  if (again.empty()) return {};
  // Messages and counts of the inputs are complete since they were first read.
  const Diagnostics diagnostics = objects.diagnostics;
  const InputSummary summary = static_cast<const InputSummary&>(objects);
  const auto inputs = objects.inputs;
  const auto read = objects.read;
  LoadOptions quiet = options;
  quiet.progress = nullptr;
  quiet.arrivals = nullptr;
  Result<void> done = read_objects(again, quiet, objects, sink);
  static_cast<InputSummary&>(objects) = summary;
  objects.diagnostics = diagnostics;
  objects.inputs = inputs;
  objects.read = read;
  return done;
}

auto read_text(const std::string& name, std::string_view text, const LoadOptions& options, Objects& objects,
               FoundBesides& besides) -> Result<void> {
  LoadSink sink(objects, besides);
  return Loader(options, objects, sink).run(name, text);
}

// The finder cuts the documents out of a text: one with the lines of the others empty is enough.
auto configurations_in(std::string_view text, const FoundBesides& besides) -> Result<Configurations> {
  if (besides.configurations_at.empty()) return {};
  std::set<std::uint32_t> begin;
  for (const Place& place : besides.configurations_at) begin.insert(place.line);
  std::string kept;
  bool keeps = false;
  std::uint32_t number = 1;
  for (std::string_view rest = text; !rest.empty() && (keeps || number <= *begin.rbegin()); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.starts_with("---") || line.starts_with('{')) keeps = false;
    if (begin.contains(number)) keeps = true;
    if (keeps) kept += line;
    kept += '\n';
  }
  while (kept.ends_with("\n\n")) kept.pop_back();
  Sources sources;
  sources.add_text(besides.configurations_at.front().file, std::move(kept));
  return besides.configurations.read(sources);
}

auto complete_objects(const LoadOptions& options, const Watched& watched, Objects& objects) -> Result<void> {
  PREVICT_CHECK(check_captures(options.keep_going, objects));
  PREVICT_CHECK(check_one_cluster(objects));
  name_generated_objects(objects);
  note_overtaken_pods(objects);
  keep_one_of_each(watched, objects);
  note_lacking_pods(objects);
  note_manifest_only_kinds(objects);
  note_unplaced_pods(objects);
  default_manifests(objects);
  fill_priorities(objects);
  note_deletions(objects);
  return {};
}

auto load(const std::vector<std::string>& paths, const LoadOptions& options, Objects& objects)
    -> Result<Configurations> {
  FoundBesides besides;
  LoadSink sink(objects, besides);
  PREVICT_CHECK(read_objects(paths, options, objects, sink));
  PREVICT_CHECK(complete_objects(options, besides.watched, objects));
  return besides.configurations.read(objects.sources);
}

auto load_text(const std::string& name, std::string_view text, const LoadOptions& options, Objects& objects)
    -> Result<Configurations> {
  FoundBesides besides;
  PREVICT_CHECK(read_text(name, text, options, objects, besides));
  PREVICT_CHECK(complete_objects(options, besides.watched, objects));
  return configurations_in(text, besides);
}

}  // namespace previct
