#include "live/follow.h"

#include "api/deduplicate.h"
#include "api/store_sink.h"
#include "base/shortened.h"
#include "input/documents.h"
#include "input/json_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::live {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kQuiet{100};     // events within this interval belong together …
constexpr std::chrono::milliseconds kTogether{400};  // … but for at most this long
constexpr std::chrono::seconds kShortest{1};         // between two starts of a watch that ends immediately
constexpr std::chrono::seconds kLongest{30};

/// Adds the object of one event, and records whether it was deleted.
class EventSink final : public ObjectSink {
 public:
  EventSink(FileId file, Objects& objects) : store_(file, objects) {}
  auto take(const FoundObject& found) -> Result<void> override {
    deleted_ = found.change == FoundObject::Change::deleted;
    return store_.take(found);
  }
  void take_list(const EnclosingList& /*list*/) override {}
  [[nodiscard]] auto deleted() const -> bool { return deleted_; }

 private:
  StoreSink store_;
  bool deleted_ = false;
};

/// The text after `"key":"` up to the next quote; empty if there is none.
auto text_of(std::string_view json, std::string_view key) -> std::string {
  const std::string start = fmt::format("\"{}\":\"", key);
  const std::size_t at = json.find(start);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + start.size();
  return std::string(json.substr(from, json.find('"', from) - from));
}

// The last object of a store replaces the earlier one of the same name; if it was deleted, both are removed.
template <class Store>
auto fold(Store& store, bool deleted) -> std::int64_t {
  const auto last = store.end() - 1;
  const std::int64_t version = last->meta.resource_version;
  const auto same = std::find_if(store.begin(), last, [&](const auto& object) {
    return object.meta.name == last->meta.name && object.meta.ns == last->meta.ns;
  });
  if (deleted) {
    store.pop_back();
    if (same != store.end()) store.erase(same);
  } else if (same != last) {
    *same = std::move(*last);
    store.pop_back();
  }
  return version;
}

}  // namespace

struct Follower::Watch {
  const Resource* resource = nullptr;
  FileId file;
  std::string version;  ///< the watch delivers the events after this version
  std::optional<system::Running> program;
  std::string said;  ///< the beginning of an event that is not complete yet
  Clock::time_point started;
  Clock::time_point again = Clock::time_point::min();  ///< no new start before this time
  std::chrono::seconds pause = kShortest;
};

Follower::Follower(Kubectl kubectl, std::uint32_t page_size, std::string engine, BaseNeeds base_needs, Objects& objects,
                   Reading& reading)
    : kubectl_(std::move(kubectl)),
      page_size_(page_size),
      engine_(std::move(engine)),
      base_needs_(base_needs),
      objects_(objects),
      reading_(reading) {
  watch_all();
}

Follower::~Follower() = default;

// Adds a watch for each list that was read and is not watched yet.
void Follower::watch_all() {
  for (std::size_t i = 0; i < reading_.lists.size(); ++i) {
    const auto& [resource, version] = reading_.lists[i];
    const bool known = std::any_of(watches_.begin(), watches_.end(),
                                   [&, which = resource](const auto& w) { return w->resource == which; });
    if (known || version.empty()) continue;
    Watch& watch = *watches_.emplace_back(std::make_unique<Watch>());
    watch.resource = resource;
    watch.version = version;
    watch.file = objects_.files.add_live(path_of(*resource->kind, reading_.namespace_of(*resource)));
  }
}

void Follower::start(Watch& watch) {
  std::string uri = path_of(*watch.resource->kind, reading_.namespace_of(*watch.resource)) +
                    "?watch=1&allowWatchBookmarks=true&resourceVersion=" + watch.version;
  if (!watch.resource->selector.empty()) uri += fmt::format("&fieldSelector={}", watch.resource->selector);
  std::vector<std::string> arguments = {"get", "--raw=" + uri};
  arguments.insert(arguments.end(), kubectl_.connection.begin(), kubectl_.connection.end());
  watch.started = Clock::now();
  watch.said.clear();
  if (auto running = system::Running::start(kubectl_.program, arguments)) watch.program.emplace(*std::move(running));
}

struct Follower::Descriptors {
  std::vector<int> all;
  std::vector<Watch*> of;
  Clock::time_point next = Clock::time_point::max();  ///< the earliest time to restart a watch
};

// Returns the outputs of the running watches. Starts stopped watches that are due.
auto Follower::descriptors(Clock::time_point now) -> Descriptors {
  Descriptors waiting;
  for (const auto& watch : watches_) {
    if (!watch->program && watch->again <= now) {
      start(*watch);
      if (!watch->program) watch->again = now + kShortest;
    }
    if (!watch->program) {
      waiting.next = std::min(waiting.next, watch->again);
      continue;
    }
    for (const int descriptor : {watch->program->out(), watch->program->errors()}) {
      if (descriptor < 0) continue;
      waiting.all.push_back(descriptor);
      waiting.of.push_back(watch.get());
    }
  }
  return waiting;
}

auto Follower::wait(std::chrono::milliseconds most) -> Result<News> {
  News news;
  const auto until = Clock::now() + most;
  auto first = Clock::time_point::max();  // when the first of these events arrived
  while (may_watch()) {
    const auto now = Clock::now();
    Descriptors waiting = descriptors(now);
    auto next = std::min(until, waiting.next);
    if (news.changed) next = std::min({next, now + kQuiet, first + kTogether});
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next - now).count();
    const std::vector<bool> ready =
        system::wait_for_input(waiting.all, std::chrono::milliseconds(std::max<std::int64_t>(left, 0) + 1));
    const bool any = std::find(ready.begin(), ready.end(), true) != ready.end();
    const auto then = Clock::now();
    if (!any && (news.changed || then >= until)) break;
    for (std::size_t i = 0; i < waiting.all.size(); ++i) {
      Watch& watch = *waiting.of[i];
      if (!ready[i] || !watch.program) continue;
      PREVICT_TRY(const bool changed, take(watch));
      if (changed && !news.changed) first = then;
      news.changed = news.changed || changed;
      if (watch.program && watch.program->ended()) {
        PREVICT_CHECK(ended(watch, news));
        if (news.changed && first == Clock::time_point::max()) first = then;
      }
    }
    if (news.changed ? then >= first + kTogether : !news.trouble.empty()) break;
  }
  if (news.changed) PREVICT_CHECK(read_missing());
  return news;
}

// Applies the new events of a watch. Returns true if they change the state.
auto Follower::take(Watch& watch) -> Result<bool> {
  constexpr std::size_t kLargestEvent = std::size_t{64} << 20U;
  watch.program->read(watch.said);
  bool changed = false;
  std::size_t from = 0;
  for (std::size_t end = watch.said.find('\n'); end != std::string::npos; end = watch.said.find('\n', from)) {
    const std::string line = watch.said.substr(from, end - from);
    from = end + 1;
    if (line.empty()) continue;
    PREVICT_TRY(const bool one, apply(watch, line));
    changed = changed || one;
  }
  watch.said.erase(0, from);
  if (watch.said.size() > kLargestEvent)
    return fail(fmt::format("{}: an event of more than {} bytes", watch.resource->kind->plural, kLargestEvent));
  return changed;
}

auto Follower::apply(Watch& watch, const std::string& line) -> Result<bool> {
  const std::string type = text_of(line.substr(0, 64), "type");
  if (type == "BOOKMARK") {
    watch.version = text_of(line, "resourceVersion");
    return false;
  }
  if (type == "ERROR") {
    // The API server no longer has the version that the watch started from: read the list again.
    PREVICT_CHECK(relist(watch));
    return true;
  }
  EventSink sink(watch.file, objects_);
  const std::vector<std::size_t> sizes = store_sizes(objects_);
  const auto counts = objects_.counts;
  PREVICT_CHECK(read_documents(*json_source(line, watch.file), watch.file, sink));
  objects_.counts = counts;
  std::size_t i = 0;
  objects_.each_store([&](std::string_view, auto& store) {
    if (store.size() > sizes[i++]) watch.version = fmt::format("{}", fold(store, sink.deleted()));
  });
  return true;
}

auto Follower::ended(Watch& watch, News& news) -> Result<void> {
  const std::string words = watch.program->words();
  const int status = watch.program->status();
  watch.program.reset();
  const auto says = [&](std::string_view what) { return words.find(what) != std::string::npos; };
  const auto now = Clock::now();
  if (status != 0 && says("(Forbidden)")) {
    refused_ = shortened(words);
    return {};
  }
  if (status != 0 && (says("(Expired)") || says("(Gone)") || says("too old resource version"))) {
    news.changed = true;
    return relist(watch);
  }
  // API servers end watches after 30 to 60 minutes; that is normal.
  const bool soon = watch.started + kShortest > now || status != 0;
  if (!soon) {
    watch.pause = kShortest;
    return {};
  }
  if (status != 0) news.trouble = shortened(words);
  watch.again = now + watch.pause;
  watch.pause = std::min(watch.pause * 2, std::chrono::seconds(kLongest));
  return {};
}

auto Follower::relist(Watch& watch) -> Result<void> {
  watch.program.reset();
  // A list with a selector shares its store with other lists of the same kind, so the store is not cleared for it.
  objects_.each_store([&](std::string_view kind, auto& store) {
    if (kind == watch.resource->kind->store_name && watch.resource->selector.empty()) store.clear();
  });
  ClusterReader reader(kubectl_, page_size_, objects_);
  PREVICT_CHECK(reader.read([&](const Resource& resource) { return &resource == watch.resource; }));
  const Diagnostics diagnostics = objects_.diagnostics;
  keep_one_of_each({}, objects_);
  objects_.diagnostics = diagnostics;
  for (const auto& [resource, version] : reader.reading().lists) watch.version = version;
  watch.again = Clock::now();
  return {};
}

// New pods may require further kinds.
auto Follower::read_missing() -> Result<void> {
  const auto needed = needed_for(objects_, engine_, base_needs_);
  const auto known = [&](const Resource& resource) {
    return resource.kind == &kinds::pods ||
           std::any_of(watches_.begin(), watches_.end(), [&](const auto& w) { return w->resource == &resource; }) ||
           std::find(reading_.asked.begin(), reading_.asked.end(), resource.kind->resource) != reading_.asked.end();
  };
  const auto wanted = [&](const Resource& resource) { return needed(resource) && !known(resource); };
  const auto all = resources();
  if (std::none_of(all.begin(), all.end(), wanted)) return {};
  ClusterReader reader(kubectl_, page_size_, objects_);
  PREVICT_CHECK(reader.read(wanted));
  reading_.add(reader.reading());
  watch_all();
  return {};
}

}  // namespace previct::live
