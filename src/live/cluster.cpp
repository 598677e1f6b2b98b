#include "live/cluster.h"

#include "api/deduplicate.h"
#include "api/fast_load.h"
#include "api/store_sink.h"
#include "api/upstream.h"
#include "base/go.h"
#include "base/launch.h"
#include "base/shortened.h"
#include "input/byte_source.h"
#include "input/bytes.h"
#include "input/documents.h"
#include "input/json_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::live {
namespace {

/// Stores objects, and records the kinds of the lists they come in.
class ListSink final : public ObjectSink {
 public:
  ListSink(FileId file, Objects& objects) : store_(file, objects) {}
  auto take(const FoundObject& found) -> Result<void> override { return store_.take(found); }
  void take_list(const EnclosingList& list) override {
    kinds_.push_back(list.kind);
    store_.take_list(list);
  }
  void forget() { kinds_.clear(); }
  [[nodiscard]] auto kinds() const -> const std::vector<std::string>& { return kinds_; }

 private:
  StoreSink store_;
  std::vector<std::string> kinds_;
};

// Reads a whole list: with the fast reader if the list is written in the usual way, else with the general reader.
auto read_whole(const std::string& text, FileId file, Objects& objects, ListSink& sink) -> Result<void> {
  const Mark mark(objects);
  if (read_fast(*memory_source(text), file, objects, sink)) return {};
  mark.restore(objects);
  sink.forget();
  PREVICT_CHECK(read_documents(*json_source(text, file), file, sink));
  return {};
}

/// The pages received so far; used to detect lists that do not end.
class PagesSeen {
 public:
  PagesSeen(const Resource& resource, std::uint64_t most_bytes) : resource_(resource), most_bytes_(most_bytes) {}

  auto add(const std::string& text, std::size_t objects, const std::string& token) -> Result<void> {
    bytes_ += text.size();
    empty_ = objects == 0 ? empty_ + 1 : 0;
    const bool again = objects > 0 && !texts_.insert(std::hash<std::string_view>{}(text)).second;
    if (again || (!token.empty() && !tokens_.insert(token).second)) return endless("the same page comes again");
    if (empty_ > kMostEmpty) return endless("the API server returns one empty page after another");
    if (++pages_ > kMostPages) return endless(fmt::format("there are more than {} pages", kMostPages));
    if (bytes_ > most_bytes_) return endless(fmt::format("it has more than {} bytes", most_bytes_));
    return {};
  }

 private:
  static constexpr std::size_t kMostPages = 10'000;
  static constexpr std::size_t kMostEmpty = 100;

  [[nodiscard]] auto endless(std::string_view why) const -> tl::unexpected<Failure> {
    return fail(fmt::format("{}: the list does not end: {}", resource_.kind->plural, why), {},
                "try again with --page-size 0, or with larger pages");
  }

  const Resource& resource_;
  std::uint64_t most_bytes_;
  std::set<std::size_t> texts_;  // hashes of their texts
  std::set<std::string> tokens_;
  std::size_t pages_ = 0;
  std::size_t empty_ = 0;  // number of consecutive empty pages
  std::uint64_t bytes_ = 0;
};

// `path` with the query parameters.
auto uri_of(std::string path, const Resource& resource, std::uint32_t page_size, const std::string& token)
    -> std::string {
  std::vector<std::string> query;
  if (!resource.selector.empty()) query.push_back(fmt::format("fieldSelector={}", resource.selector));
  if (page_size > 0) query.push_back(fmt::format("limit={}", page_size));
  if (!token.empty()) query.push_back("continue=" + token);
  for (std::size_t i = 0; i < query.size(); ++i) path += (i == 0 ? '?' : '&') + query[i];
  return path;
}

// Today's tokens are base64url without padding, but no contract guarantees that.
auto url_encoded(const std::string& text) -> std::string {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || c == '.' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

auto count_of(const Objects& objects, const Resource& resource) -> std::size_t {
  const auto count = objects.counts.find(std::string(resource.kind->key));
  return count == objects.counts.end() ? 0 : count->second;
}

constexpr std::size_t kMostPagesAround = 1'000;

constexpr std::string_view kPermissions =
    "previct version -v lists the permissions that it needs; -f reads a dump instead";

}  // namespace

auto ClusterReader::refuse(const Resource& resource, const Response& said) -> Result<void> {
  // Little can be answered without the nodes if the user may not list them, and nothing without the pods. With a
  // namespace, only the pods are required.
  if (resource.kind == &kinds::pods || (resource.kind == &kinds::nodes && kubectl_.ns.empty())) {
    return fail(fmt::format("{} cannot be listed: {}", resource.kind->plural, said.text), {},
                kubectl_.ns.empty() ? "-n NAMESPACE reads only one namespace; " + std::string(kPermissions)
                                    : std::string(kPermissions));
  }
  reading_.refused.push_back({&resource, said.status == Response::Status::forbidden, said.text});
  return {};
}

auto ClusterReader::ask(const Resource& resource, std::uint32_t page_size, const std::string& token) const
    -> std::future<Result<Response>> {
  const std::string path = path_of(*resource.kind, reading_.namespace_of(resource));
  return launched(
      [this, uri = uri_of(path, resource, page_size, url_encoded(token))] { return get_raw(kubectl_, uri); });
}

auto ClusterReader::list(const Resource& resource, std::future<Result<Response>> first_page) -> Result<void> {
  const std::string name(resource.kind->resource);
  reading_.asked.push_back(name);
  const FileId file = objects_.files.add_live(path_of(*resource.kind));
  const Mark mark(objects_);
  PREVICT_TRY(const End first, pages(resource, file, page_size_, std::move(first_page)));
  if (first == End::whole) return {};
  mark.restore(objects_);
  reading_.restarted.push_back(name);
  PREVICT_TRY(const End second, pages(resource, file, 0, ask(resource, 0, "")));
  if (second == End::whole) return {};
  return fail(fmt::format("{}: the list expired twice during reading", resource.kind->plural), {}, "try again");
}

auto ClusterReader::pages(const Resource& resource, FileId file, std::uint32_t page_size,
                          std::future<Result<Response>> coming) -> Result<End> {
  PagesSeen seen_pages(resource, std::max<std::uint64_t>(kLargestInput, kubectl_.patience.most_bytes));
  std::optional<std::string> version;
  for (bool more = true; more;) {
    PREVICT_TRY(Response said, coming.get());
    if (said.status == Response::Status::expired) return End::expired;
    // If a kind may not be listed in all namespaces, try the namespace of the question.
    const bool elsewhere = said.status == Response::Status::forbidden && !kubectl_.ns.empty() &&
                           resource.kind->scope == Scope::namespaced && reading_.namespace_of(resource).empty();
    if (elsewhere) {
      reading_.ns = kubectl_.ns;
      reading_.of_one_namespace.insert(&resource);
      if (resource.kind == &kinds::pods) objects_.live_pods_of = kubectl_.ns;
      reading_.refused_cluster_wide.push_back({&resource, true, said.text});
      file = objects_.files.add_live(path_of(*resource.kind, kubectl_.ns));
      coming = ask(resource, page_size, "");
      continue;
    }
    if (said.status != Response::Status::answered) {
      PREVICT_CHECK(refuse(resource, said));
      return End::whole;
    }
    reading_.output_held = reading_.output_held || said.held;
    more = false;
    std::string seen;
    std::string token;
    // Request the next page before reading this one.
    const auto on_meta = [&](const ListMeta& meta) {
      seen = meta.resource_version;
      token = meta.continue_token;
      more = !token.empty();
      if (more) coming = ask(resource, page_size, token);
    };
    const std::size_t before = count_of(objects_, resource);
    PREVICT_CHECK(page(resource, file, said.text, on_meta));
    ++reading_.pages;
    PREVICT_CHECK(seen_pages.add(said.text, count_of(objects_, resource) - before, token));
    if (version && *version != seen) {
      return fail(fmt::format("{}: the pages of the list have different versions ({} and {})", resource.kind->plural,
                              shortened(*version), shortened(seen)),
                  {}, "try again with --page-size 0");
    }
    version = seen;
  }
  reading_.lists.emplace_back(&resource, version.value_or(""));
  return End::whole;
}

auto ClusterReader::page(const Resource& resource, FileId file, std::string& text,
                         const std::function<void(const ListMeta&)>& on_meta) -> Result<void> {
  const auto counts = objects_.counts;
  ListSink sink(file, objects_);
  if (const auto meta = take_meta(text, file)) {
    on_meta(*meta);
    PREVICT_CHECK(read_whole(text, file, objects_, sink));
  } else {
    const auto source = page_source(json_source(text, file), on_meta);
    PREVICT_CHECK(read_documents(*source, file, sink));
  }
  const std::string wanted = fmt::format("{}List", resource.kind->name);
  const auto asked_for = [&](std::string_view found) {
    return fail(fmt::format("{}: expected a {}, found {}", resource.kind->plural, wanted, shortened(found)), {file},
                "check that an API server answers: kubectl get --raw=" + path_of(*resource.kind));
  };
  if (sink.kinds().empty()) return asked_for("no list");
  for (const std::string& kind : sink.kinds()) {
    if (kind != wanted) return asked_for(kind.empty() ? "a list without a kind" : kind);
  }
  for (const auto& [kind, count] : objects_.counts) {
    const auto known = counts.find(kind);
    const bool more = known == counts.end() || known->second != count;
    if (more && kind != resource.kind->key) return asked_for("an item of kind " + kind);
  }
  return {};
}

auto ClusterReader::read(const std::function<bool(const Resource&)>& wanted) -> Result<void> {
  std::vector<std::pair<const Resource*, std::future<Result<Response>>>> asked;
  for (const Resource& resource : resources()) {
    if (resource.need != Need::files && wanted(resource)) asked.emplace_back(&resource, ask(resource, page_size_, ""));
  }
  for (auto& [resource, first] : asked) PREVICT_CHECK(list(*resource, std::move(first)));
  return {};
}

auto Reading::namespace_of(const Resource& resource) const -> std::string_view {
  return of_one_namespace.contains(&resource) ? std::string_view(ns) : std::string_view();
}

void Reading::add(const Reading& later) {
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(refused, later.refused);
  append(asked, later.asked);
  append(lists, later.lists);
  append(restarted, later.restarted);
  append(refused_cluster_wide, later.refused_cluster_wide);
  if (ns.empty()) ns = later.ns;
  of_one_namespace.insert(later.of_one_namespace.begin(), later.of_one_namespace.end());
  pages += later.pages;
  output_held = output_held || later.output_held;
}

namespace {

// Since 1.36, a DeviceClass may back an extended resource that a device plugin of the node offered before.
auto asks_for_extended(const Pod& pod, const Symbols& symbols) -> bool {
  const auto extended = [&](const auto& entry) { return upstream::is_extended_resource(symbols.text(entry.first)); };
  const auto any = [&](const SharedList<Container>& containers) {
    return std::any_of(containers.begin(), containers.end(), [&](const Container& container) {
      const ResourceList& requests = container.resources.requests;
      const ResourceList& limits = container.resources.limits;
      return std::any_of(requests.begin(), requests.end(), extended) ||
             std::any_of(limits.begin(), limits.end(), extended);
    });
  };
  return any(pod.spec.containers) || any(pod.spec.init_containers);
}

// Returns the scheduler with this engine, or with this schedulerName; null if there is none.
auto scheduler_with(std::string_view SchedulerInfo::*member, std::string_view text) -> const SchedulerInfo* {
  const auto* const found = std::find_if(kSchedulers.begin(), kSchedulers.end(),
                                         [&](const SchedulerInfo& each) { return each.*member == text; });
  return found == kSchedulers.end() || text.empty() ? nullptr : found;
}

auto is_default(const SchedulerInfo* scheduler) -> bool {
  return scheduler != nullptr && scheduler->pods == PodsOf::any_other;
}

// Returns true if the scheduler may decide about the pod, as far as the pod alone shows. `named`: the scheduler with
// the pod's schedulerName.
auto may_decide(const SchedulerInfo& scheduler, const SchedulerInfo* named, const Pod& pod, const Symbols& symbols)
    -> bool {
  switch (scheduler.pods) {
    case PodsOf::own_name: return named == &scheduler;
    case PodsOf::any_other: return named == nullptr || named->pods != PodsOf::own_name;
    case PodsOf::any_name:
      return named == nullptr ? !symbols.text(pod.spec.scheduler_name).empty() : named->pods == PodsOf::any_name;
    case PodsOf::marks: return scheduler.marks(pod, symbols);
  }
  return false;
}

}  // namespace

auto needed_for(const Objects& pods, const std::string& engine, BaseNeeds base_needs)
    -> std::function<bool(const Resource&)> {
  bool volumes = base_needs.volumes;
  std::set<std::string, std::less<>> asked = {std::string(base_needs.engine)};  // names of engines
  if (engine != "auto") asked.insert(engine);
  const SchedulerInfo* const chosen = scheduler_with(&SchedulerInfo::engine, engine);
  bool devices = false;
  std::set<std::string> selecting;  // kinds whose selectors matter
  for (const Pod& pod : pods.pods) {
    const SchedulerInfo* const named =
        scheduler_with(&SchedulerInfo::scheduler_name, pods.symbols.text(pod.spec.scheduler_name));
    if (!pod.spec.node_name && pod.spec.has_storage()) volumes = true;
    const bool by_default = engine == "auto" ? named == nullptr || is_default(named) : is_default(chosen);
    const bool of_classes = by_default && asks_for_extended(pod, pods.symbols);
    if (!pod.spec.node_name && (!pod.spec.resource_claims.empty() || of_classes)) devices = true;
    if (by_default && !pod.spec.node_name && pod.spec.topology_spread.empty() && !pod.meta.labels.empty()) {
      selecting.insert("Service");
      for (const OwnerReference& owner : pod.meta.owners) {
        if (owner.controller) selecting.emplace(pods.symbols.text(owner.kind));
      }
    }
    if (engine != "auto") continue;
    for (const SchedulerInfo& scheduler : kSchedulers) {
      if (may_decide(scheduler, named, pod, pods.symbols)) asked.emplace(scheduler.engine);
    }
  }
  return [=](const Resource& resource) {
    switch (resource.need) {
      case Need::always: return resource.kind != &kinds::pods;
      case Need::scheduler: return asked.contains(resource.scheduler->engine);
      case Need::volumes: return volumes;
      case Need::devices: return devices;
      case Need::selects: return selecting.contains(std::string(resource.kind->name));
      case Need::created:
      case Need::made:
      case Need::whole:
      case Need::files: return false;
      case Need::history: return base_needs.history;
    }
    return false;
  };
}

namespace {

// Names an object that is newer than the oldest list: it was changed while the lists were read in sequence.
auto overtaken(const Reading& reading, const Objects& objects) -> std::string {
  std::int64_t oldest = INT64_MAX;
  for (const auto& [resource, version] : reading.lists) {
    const auto number = go::parse_int(version, 64);
    if (number) oldest = std::min(oldest, *number);
  }
  std::string name;
  objects.each_store([&](std::string_view kind, const auto& store) {
    if (!name.empty() || kind == "Event") return;
    for (const auto& object : store) {
      if (object.meta.resource_version <= oldest) continue;
      const std::string_view ns = objects.symbols.text(object.meta.ns);
      name = fmt::format("{} {}{}{}", kind, ns, ns.empty() ? "" : "/", objects.symbols.text(object.meta.name));
      return;
    }
  });
  return name;
}

auto finished(Reading reading, Objects& objects) -> Reading {
  keep_one_of_each({}, objects);
  note_unplaced_pods(objects);
  reading.overtaken = overtaken(reading, objects);
  return reading;
}

}  // namespace

auto load_cluster(const Kubectl& kubectl, std::uint32_t page_size, const std::string& engine, BaseNeeds base_needs,
                  Objects& objects) -> Result<Reading> {
  ClusterReader reader(kubectl, page_size, objects);
  // Kinds that are needed for any pods are requested together with them.
  const SchedulerInfo* const chosen = scheduler_with(&SchedulerInfo::engine, engine);
  const bool default_places = engine == "auto" || is_default(chosen) || (chosen && chosen->pods == PodsOf::marks);
  const auto at_once = [&](const Resource& resource) {
    return resource.need == Need::always ||
           (resource.need == Need::scheduler && default_places && is_default(resource.scheduler));
  };
  PREVICT_CHECK(reader.read(at_once));
  const auto needed = needed_for(objects, engine, base_needs);
  PREVICT_CHECK(reader.read([&](const Resource& resource) { return needed(resource) && !at_once(resource); }));
  return finished(reader.reading(), objects);
}

auto load_whole_cluster(const Kubectl& kubectl, std::uint32_t page_size, Objects& objects) -> Result<Reading> {
  ClusterReader reader(kubectl, page_size, objects);
  PREVICT_CHECK(reader.read(
      [](const Resource& resource) { return resource.need != Need::created && resource.need != Need::made; }));
  return finished(reader.reading(), objects);
}

namespace {

auto has_replicas(const Resource& resource) -> bool {
  return resource.kind == &kinds::replica_sets || resource.kind == &kinds::stateful_sets ||
         resource.kind == &kinds::replication_controllers;
}

auto surrounds(const Resource& resource) -> bool {
  return resource.need == Need::created || has_replicas(resource);
}

auto makes_pods_again(const Resource& resource) -> bool {
  return resource.need == Need::made || has_replicas(resource) || resource.kind == &kinds::resource_quotas ||
         (resource.kind == &kinds::limit_ranges && resource.need == Need::created);
}

// Removes the objects behind these sizes whose names occur before: an earlier list had them.
void drop_repeated(const std::vector<std::size_t>& sizes, Objects& objects) {
  const auto name_of = [](const auto& object) { return std::pair(object.meta.ns.index, object.meta.name.index); };
  std::size_t i = 0;
  objects.each_store([&](std::string_view, auto& store) {
    const auto first = store.begin() + static_cast<std::ptrdiff_t>(sizes[i++]);
    std::set<std::pair<std::uint32_t, std::uint32_t>> names;
    if (first != store.end()) std::transform(store.begin(), first, std::inserter(names, names.end()), name_of);
    store.erase(std::remove_if(first, store.end(), [&](const auto& each) { return names.contains(name_of(each)); }),
                store.end());
  });
}

auto load_more(const Kubectl& kubectl, std::uint32_t page_size, Objects& objects, bool (*wanted)(const Resource&))
    -> Result<std::vector<Refused>> {
  std::vector<std::pair<const Resource*, std::future<Result<Response>>>> asked;
  const auto ask = [&](const Resource& resource, const std::string& ns, const std::string& token) {
    return launched([&kubectl, uri = uri_of(path_of(*resource.kind, ns), resource, page_size, url_encoded(token))] {
      return get_raw(kubectl, uri);
    });
  };
  for (const Resource& resource : resources()) {
    if (wanted(resource)) asked.emplace_back(&resource, ask(resource, "", ""));
  }
  const InputSummary summary = static_cast<const InputSummary&>(objects);
  const std::vector<std::size_t> sizes = store_sizes(objects);
  std::vector<Refused> refused;
  for (auto& [resource, coming] : asked) {
    const FileId file = objects.files.add_live(path_of(*resource->kind));
    StoreSink sink(file, objects);
    std::string ns;
    for (std::size_t pages = 0; coming.valid() && pages < kMostPagesAround; ++pages) {
      PREVICT_TRY(const Response said, coming.get());
      if (said.status != Response::Status::answered) {
        const bool forbidden = said.status == Response::Status::forbidden;
        if (ns.empty()) refused.push_back({resource, forbidden, said.text});
        // As in ClusterReader: if a kind may not be listed in all namespaces, try the namespace of the question.
        if (!forbidden || !ns.empty() || kubectl.ns.empty() || resource->kind->scope == Scope::cluster) break;
        ns = kubectl.ns;
        coming = ask(*resource, ns, "");
        continue;
      }
      if (!ns.empty()) refused.back().own_listed = true;
      std::string token;
      const auto source =
          page_source(json_source(said.text, file), [&](const ListMeta& meta) { token = meta.continue_token; });
      PREVICT_CHECK(read_documents(*source, file, sink));
      if (!token.empty()) coming = ask(*resource, ns, token);
    }
  }
  drop_repeated(sizes, objects);
  static_cast<InputSummary&>(objects) = summary;
  return refused;
}

auto load_page(const Kubectl& kubectl, const Resource& resource, std::string_view ns, std::uint32_t most,
               Objects& objects) -> Result<void> {
  const std::string path = path_of(*resource.kind, url_encoded(std::string(ns)));
  const FileId file = objects.files.add_live(path);
  PREVICT_TRY(const Response said, get_raw(kubectl, uri_of(path, resource, most, "")));
  if (said.status != Response::Status::answered) return fail(said.text);
  StoreSink sink(file, objects);
  const auto source = page_source(json_source(said.text, file), [](const ListMeta&) {});
  PREVICT_CHECK(read_documents(*source, file, sink));
  return {};
}

}  // namespace

auto load_overlay_context(const Kubectl& kubectl, std::uint32_t page_size, Objects& objects)
    -> Result<std::vector<Refused>> {
  return load_more(kubectl, page_size, objects, surrounds);
}

auto load_controllers(const Kubectl& kubectl, std::uint32_t page_size, Objects& objects)
    -> Result<std::vector<Refused>> {
  return load_more(kubectl, page_size, objects, makes_pods_again);
}

auto load_some(const Kubectl& kubectl, const KindInfo& kind, std::string_view ns, std::uint32_t most, Objects& objects)
    -> Result<void> {
  return load_page(kubectl, {&kind, Need::always}, ns, most, objects);
}

auto load_events_of(const Kubectl& kubectl, std::string_view ns, std::string_view pod, Objects& objects)
    -> Result<void> {
  constexpr std::uint32_t kMost = 500;
  const std::string selector = "involvedObject.kind%3DPod%2CinvolvedObject.name%3D" + url_encoded(std::string(pod));
  return load_page(kubectl, {&kinds::events, Need::history, "", selector}, ns, kMost, objects);
}

}  // namespace previct::live
