#include "cli/backtest.h"

#include "analysis/report_context.h"
#include "api/successive_texts.h"
#include "backtest/past.h"
#include "base/add_once.h"
#include "base/launch.h"
#include "base/shard.h"
#include "base/text.h"
#include "cli/kinds_as_none.h"
#include "cli/load.h"
#include "cli/play.h"
#include "cli/question.h"
#include "input/bytes.h"
#include "input/memory_guard.h"
#include "input/series.h"
#include "sequence/settings.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <utility>

namespace previct::cli {
namespace {

using backtest::Side;
using backtest::StateRecord;

// A configuration that a flag names; each state refers to it in its own table of files.
struct NamedFile {
  NamedConfiguration what;
  std::string text;
};

auto named_files(const Options& options, Files& files) -> Result<std::vector<NamedFile>> {
  std::vector<NamedFile> named;
  for (NamedConfiguration& each : configurations_named_by(options)) {
    if (each.path.empty()) continue;
    PREVICT_TRY(std::string text, read_written_file(each.path, files.add(each.path)));
    named.push_back({std::move(each), std::move(text)});
  }
  return named;
}

/// What all workers share.
struct Plan {
  Overlay overlay;
  LoadOptions reading;
  std::vector<NamedFile> named;
  std::vector<sequence::PodDuration> epochs;
};

/// Decides the states [begin, end) of a series, one after the other.
class Worker {
 public:
  Worker(const Session& session, const Plan& plan, SeriesReader reader)
      : session_(session), plan_(plan), overlay_(plan.overlay), texts_(plan.reading), reader_(std::move(reader)) {}

  auto run(const Slice& slice) -> Result<std::vector<StateRecord>> {
    std::vector<StateRecord> records;
    if (slice.begin < slice.end && slice.begin > 0) look_at(slice.begin - 1);
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      // A damaged file is no reason to lose the other states of a week. Nothing is compared with it.
      auto loaded = load(i);
      if (!loaded) {
        StateRecord& record = records.emplace_back(blank_record(i));
        record.complete = false;
        record.damage = std::move(loaded.error().message);
        // A patch may need a file before it that is damaged.
        const std::string& path = reader_.files()[i].path;
        if (!record.damage.starts_with(path)) record.damage.insert(0, path + ": ");
        earlier_ = {};
        last_.reset();
        continue;
      }
      auto record = decide(i, *std::move(loaded));
      if (!record) return tl::unexpected(without_place(std::move(record.error())));
      records.push_back(*std::move(record));
    }
    return records;
  }

 private:
  [[nodiscard]] auto named_at(const Failure& failure, std::size_t index) const -> tl::unexpected<Failure> {
    return fail(fmt::format("{}: {}", reader_.files()[index].path, failure.message), {}, failure.help);
  }

  // The session does not know the files of a state that was read: the message names the place instead.
  [[nodiscard]] auto without_place(Failure failure) const -> Failure {
    if (failure.place.file)
      failure.message = fmt::format("{}: {}", texts_.tables()->files.describe(failure.place), failure.message);
    failure.place = {};
    return failure;
  }

  auto read(std::size_t index) -> Result<void> {
    PREVICT_TRY(const std::string_view text, reader_.text(index));
    const auto done = texts_.next(reader_.files()[index].path, text);
    return done ? done : named_at(done.error(), index);
  }

  /// A state that was read; without objects if they are those of the state before.
  struct State {
    std::optional<Loaded> loaded;
  };

  auto load(std::size_t index) -> Result<State> {
    PREVICT_CHECK(read(index));
    if (last_ && texts_.is_like_before() && reader_.files()[index].at < valid_until_) return State{};
    PREVICT_TRY(Loaded loaded, objects(index));
    return State{std::move(loaded)};
  }

  // The objects of the state that was read last.
  auto objects(std::size_t index) -> Result<Loaded> {
    Loaded loaded({.history = true, .pods_optional = true}, texts_.tables());
    auto found = texts_.objects(loaded.objects);
    if (!found) return named_at(found.error(), index);
    loaded.configurations = *std::move(found);
    if (const std::vector<Pod>* gone = texts_.gone_pods())
      loaded.objects.replaced_pods.insert(loaded.objects.replaced_pods.end(), gone->begin(), gone->end());
    drop_other_condition_messages(loaded.objects);
    return loaded;
  }

  // Learns which pods are pending in the state before the first one, if it can be read.
  void look_at(std::size_t index) {
    if (!read(index)) return;
    auto loaded = objects(index);
    if (!loaded) return;
    StateRecord record{.at = reader_.files()[index].at};
    earlier_ = backtest::observe(Snapshot(loaded->objects), {}, record);
  }

  [[nodiscard]] auto blank_record(std::size_t index) const -> StateRecord {
    StateRecord record{.index = index,
                       .of = reader_.files().size(),
                       .at = reader_.files()[index].at,
                       .change = overlay_.with,
                       .epochs = session_.options.epochs,
                       .names = names_};
    record.change.insert(record.change.end(), overlay_.without.begin(), overlay_.without.end());
    if (!overlay_.node_template.empty()) record.change.push_back(overlay_.node_template);
    return record;
  }

  auto decide(std::size_t index, State state) -> Result<StateRecord> {
    if (!state.loaded) return last_again(index, reader_.files()[index].at);
    valid_until_ = Instant::never();
    Loaded& loaded = *state.loaded;
    PREVICT_TRY(loaded.taken_as_none, assume_absent_kinds(session_.options, loaded.objects));
    for (const NamedFile& each : plan_.named)
      loaded.named.*each.what.member = ConfigFile{loaded.objects.files.add(each.what.path), each.text};
    StateRecord record = blank_record(index);
    backtest::Earlier next;
    {
      const Snapshot cluster(loaded.objects);
      next = backtest::observe(cluster, earlier_, record);
      still_ = backtest::fates_of(cluster, record.pending);
    }
    earlier_.has_its_gone_pods = texts_.gone_pods() != nullptr;
    PREVICT_CHECK(decide_side(loaded, Side::before, record));
    if (!overlay_.empty() && !(record.pending.empty() && record.past.empty())) {
      PREVICT_TRY(loaded.overlaid, apply_overlay(overlay_, plan_.reading, loaded.objects));
      PREVICT_CHECK(decide_side(loaded, Side::after, record));
    }
    for (auto& [pod, facts] : record.victims) facts.epoch = epoch_of(pod);
    earlier_ = std::move(next);
    last_ = record;
    return record;
  }

  // In seconds, of the last pattern that matches; 0: there is none.
  [[nodiscard]] auto epoch_of(const std::string& pod) const -> std::int64_t {
    const std::size_t slash = pod.find('/');
    std::int64_t seconds = 0;
    for (const sequence::PodDuration& epoch : plan_.epochs) {
      if (sequence::matches(epoch, pod.substr(0, slash), pod.substr(slash + 1)))
        seconds = epoch.length / sequence::kSecond;
    }
    return seconds;
  }

  // The record of a state whose objects are those of the state before, before any decision changes with time.
  auto last_again(std::size_t index, Instant at) -> StateRecord {
    StateRecord record = *last_;
    record.index = index;
    record.at = at;
    record.past.clear();
    record.finished.clear();
    record.left.clear();
    record.fates = still_;
    earlier_.at = at;
    for (backtest::Pending& pod : record.pending) pod.at = at;
    return record;
  }

  auto decide_side(Loaded& loaded, Side side, StateRecord& record) -> Result<void> {
    const auto decide_one = [&](const Snapshot& then, const std::string& pod, Instant moment) {
      return decided_at(then, loaded, {pod}, moment, record);
    };
    PREVICT_CHECK(decide_past(loaded.objects, earlier_, side, decide_one, record));
    if (record.pending.empty()) return {};
    std::vector<std::string> subjects;
    for (const backtest::Pending& pod : record.pending) subjects.push_back(pod.pod);
    const Snapshot cluster(loaded.objects);
    PREVICT_TRY(const ClusterDecisions decided, decided_at(cluster, loaded, subjects, {}, record));
    backtest::add_decisions(cluster, decided, side, record);
    for (const auto& [pod, decision] : decided.decisions) valid_until_ = std::min(valid_until_, decision.next_change);
    return {};
  }

  // `moment`: when; none: the time of the state.
  auto decided_at(const Snapshot& cluster, const Loaded& loaded, const std::vector<std::string>& subjects,
                  std::optional<Instant> moment, StateRecord& record) -> Result<ClusterDecisions> {
    PREVICT_TRY(Asked asked, asked_by(session_, loaded, cluster));
    if (moment) asked.question.now = *moment;
    asked.question.brief = true;
    asked.question.threads = 1;
    ClusterDecisions decided;
    PREVICT_CHECK(decide_subjects(cluster, asked.question, session_.options.engine, subjects, decided));
    for (const ClusterDecisions::Rules& rules : decided.rules) {
      add_once(record.rules, rules.behaves.empty() ? rules.engine : fmt::format("{} {}", rules.engine, rules.behaves));
    }
    const ReportContext context = context_of(session_, loaded, cluster, asked);
    Provenance provenance(context);
    provenance.add("", "", decided.gaps);
    note(provenance, record);
    return decided;
  }

  static void note(const Provenance& provenance, StateRecord& record) {
    record.complete = record.complete && provenance.complete();
    for (const Gap& gap : provenance.gaps()) {
      // What the overlay does is no gap of a comparison.
      if (gap.rule == GapRule::overlaid) continue;
      add_once(record.gaps, gap_words(gap));
    }
  }

  const Session& session_;
  const Plan& plan_;
  Overlay overlay_;  // a copy, because applying it reads it
  SuccessiveTexts texts_;
  SeriesReader reader_;
  std::shared_ptr<Symbols> names_ = std::make_shared<Symbols>();  // of all records
  backtest::Earlier earlier_{};                                   // of the state before
  std::optional<StateRecord> last_{};                             // the last one that was decided
  std::vector<backtest::Fate> still_{};     // what has become of its pending pods in its own state
  Instant valid_until_ = Instant::never();  // its decisions hold until then
};

auto check_backtest_flags(const Options& options) -> Result<void> {
  if (!options.now.empty()) return fail("each state of a series has its own time: --now is not possible");
  if (!options.priority_class.empty() || !options.requests.empty())
    return fail("--priority-class and --request change one pod, and the states have many", {}, "--with FILE");
  return {};
}

// The slice `part` of `parts` within `all`.
auto part_of(const Slice& all, std::size_t part, std::size_t parts) -> Slice {
  const Slice within = slice_of({part + 1, parts}, all.end - all.begin);
  return {all.begin + within.begin, all.begin + within.end};
}

}  // namespace

auto decide_series(Session& session) -> Result<std::vector<StateRecord>> {
  const Options& options = session.options;
  PREVICT_CHECK(check_backtest_flags(options));
  PREVICT_TRY(const std::vector<SeriesFile> files, files_of_series(options.series));
  if (files.empty())
    return fail(fmt::format("{}: no state of a series", options.series), {}, "previct capture --series");
  Shard shard;
  if (is_part_of_work(options.shard)) {
    PREVICT_TRY(shard, read_shard(options.shard));
  }
  const Slice slice = slice_of(shard, files.size());
  const std::size_t workers = std::clamp<std::size_t>(slice.end - slice.begin, 1, threads_of(options));
  Plan plan;
  PREVICT_TRY(plan.overlay, overlay_of(options));
  PREVICT_TRY(plan.reading, load_options_of(session));
  plan.reading.threads = 1;
  plan.reading.arrivals = nullptr;  // the states are read by several threads
  // Each worker has a state of its own.
  if (plan.reading.max_memory == 0) plan.reading.max_memory = workers * MemoryGuard(0).limit();
  PREVICT_TRY(plan.named, named_files(options, session.inputs->files));
  PREVICT_TRY(plan.epochs, epochs_of(options));
  std::vector<std::future<Result<std::vector<StateRecord>>>> parts;
  for (std::size_t i = 0; i < workers; ++i) {
    parts.push_back(launched([&, i] {
      Worker worker(session, plan, SeriesReader(files, plan.reading.max_input));
      return worker.run(part_of(slice, i, workers));
    }));
  }
  std::vector<StateRecord> all;
  std::optional<Failure> failure;
  for (auto& part : parts) {
    auto records = part.get();
    if (!records && !failure) failure = std::move(records.error());
    if (records) std::move(records->begin(), records->end(), std::back_inserter(all));
  }
  if (failure) return tl::unexpected(*std::move(failure));
  return all;
}

auto merged_records(Session& session) -> Result<std::vector<StateRecord>> {
  std::vector<StateRecord> all;
  const auto names = std::make_shared<Symbols>();
  for (const std::string& path : session.options.merge) {
    const FileId file = session.inputs->files.add(path);
    PREVICT_TRY(const std::string text, read_text_file(path, file, 0));
    std::uint32_t number = 0;
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      auto record = backtest::read_record(line, names);
      if (!record) return fail(record.error().message, {file, ++number, 1}, record.error().help);
      ++number;
      all.push_back(*std::move(record));
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const StateRecord& a, const StateRecord& b) { return a.index < b.index; });
  return all;
}

}  // namespace previct::cli
