#include "analysis/inspection.h"

#include "analysis/report_context.h"
#include "analysis/source_locations.h"
#include "analysis/subject.h"
#include "api/plugin_kinds.h"
#include "api/times.h"
#include "base/contains.h"
#include "base/text.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

namespace previct {
namespace {

struct HandoverName {
  std::string_view id;
  std::string_view words;
};

/// In the order of enum Handover.
constexpr std::array<HandoverName, kFallbackReasons> kHandoverNames = {{
    {"not-as-kubectl", "no list as kubectl prints it around them, or one with anchors, tags or tabs"},
    {"kind", "a list or a configuration in them, or no kind"},
    {"repeated-key", "a key that occurs twice"},
    {"other-type", "a value whose type differs from the API"},
    {"embedded", "a string that contains another document"},
    {"flow-style", "flow style"},
    {"scalar-style", "scalars in an unusual style"},
    {"other", "another unusual form"},
}};

// Inputs that were taken further apart may be inconsistent: pods move within minutes.
constexpr std::int64_t kApart = 300;  // seconds

/// `138 MB`, with one decimal below ten.
auto size_words(std::uint64_t bytes) -> std::string {
  constexpr std::array<std::string_view, 4> kUnits = {"B", "kB", "MB", "GB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 999.5 && unit + 1 < kUnits.size(); ++unit) size /= 1000;
  return unit == 0 || size >= 9.95 ? fmt::format("{:.0f} {}", size, kUnits[unit])
                                   : fmt::format("{:.1f} {}", size, kUnits[unit]);
}

auto utc(Instant at) -> std::string {
  return at == Instant{} ? std::string("-") : format_clock(at, Instant{});
}

/// The field that holds the newest time of the input.
struct Newest {
  std::string object;
  std::string field;
  Source source;
};

struct Scheduler {
  std::size_t pods = 0;
  std::size_t pending = 0;
  const Engine* engine = nullptr;
};

enum class State : std::uint8_t { there, empty, missing };

struct Needed {
  const Engine* engine;
  RequiredKind need;
  bool necessary;  // for an answer about this input
  State state;
  std::size_t count;
  bool manifests_only = false;  // the cluster may have others
};

void scheduler_row(Row& row, const std::pair<const std::string, Scheduler>& each) {
  const Scheduler& scheduler = each.second;
  const std::string engine = scheduler.engine == nullptr ? "" : std::string(scheduler.engine->name());
  row.text("SCHEDULER", each.first).key("name");
  row.number("PODS", scheduler.pods).key("pods");
  row.number("PENDING", scheduler.pending).key("pending");
  row.text("ENGINE", engine.empty() ? "-" : engine).key("engine", present(engine));
}

void need_row(Row& row, const Needed& each) {
  const bool missing = each.state == State::missing;
  const std::string count = fmt::format("{}{}", each.count, each.manifests_only ? ", manifests only" : "");
  const std::string state = missing                      ? (each.necessary ? "missing" : "absent")
                            : each.state == State::empty ? "none"
                                                         : count;
  row.text("FOR", each.engine->name()).key("engine");
  row.text("KIND", each.need.kind->name).key("kind", each.need.kind->key);
  row.key("always", each.need.always).key("necessary", each.necessary);
  row.text("IN THE INPUT", state, !missing ? Tone::plain : each.necessary ? Tone::danger : Tone::dim);
  row.key("state", each.state == State::there ? "there" : each.state == State::empty ? "none" : "missing");
  row.key("count", each.count).key("manifestsOnly", only_if(each.manifests_only));
  const std::string_view follows = missing               ? each.need.without
                                   : each.manifests_only ? "the cluster may have others"
                                                         : "-";
  row.text("WITHOUT IT", {follows, missing ? Tone::plain : Tone::dim});
  row.key("without", each.need.without);
}

class Inspector {
 public:
  Inspector(const Snapshot& cluster, const InspectionView& view)
      : cluster_(cluster), objects_(cluster.objects()), view_(view) {}

  auto run() -> Result<Inspection>;

 private:
  void count_kinds();
  void find_pending();
  void find_schedulers();
  auto find_engines() -> Result<void>;
  void find_needs();
  [[nodiscard]] auto newest() const -> std::optional<Newest>;
  [[nodiscard]] auto is_configured(const Engine& engine) const -> bool {
    return view_.configurations != nullptr && engine.is_configured_by(*view_.configurations);
  }

  [[nodiscard]] auto sentence() const -> std::string;
  void newest_lines(Report& report) const;
  [[nodiscard]] auto configurations() const -> std::vector<std::pair<std::string_view, std::string_view>>;
  [[nodiscard]] auto inputs_table() const -> Table;
  [[nodiscard]] auto kinds_table() const -> Table;
  void input_row(Row& row, const InputRecord& input) const;
  void kind_row(Row& row, const std::pair<const std::string, std::size_t>& kind) const;
  void pending_row(Row& row, PodId id) const;

  [[nodiscard]] auto data() const -> Json;

  [[nodiscard]] auto objects_in(const InputRecord& input) const -> std::size_t;
  [[nodiscard]] auto is_read(std::string_view kind) const -> bool;

  const Snapshot& cluster_;
  const Objects& objects_;
  const InspectionView& view_;
  std::map<std::string, std::size_t> kinds_;  // includes kinds of which only an empty list was seen
  std::vector<PodId> pending_;                // by namespace and name
  std::map<std::string, Scheduler> schedulers_;
  std::vector<const Engine*> engines_;
  std::vector<Needed> needs_;
  std::optional<Newest> newest_;
};

void Inspector::find_pending() {
  for (const Subject& subject : pending_subjects(cluster_, "")) {
    if (subject.pod) pending_.push_back(subject.pod);
  }
}

void Inspector::find_schedulers() {
  for (const PodId pod : cluster_.pods().ids()) {
    Scheduler& scheduler = schedulers_[scheduler_of(cluster_, pod)];
    ++scheduler.pods;
    if (scheduler.engine == nullptr) scheduler.engine = engine_of(engines(), cluster_, pod);
  }
  for (const PodId pod : pending_) ++schedulers_[scheduler_of(cluster_, pod)].pending;
}

// The engines of the pending pods; if no pod is pending, the engines of all pods.
auto Inspector::find_engines() -> Result<void> {
  if (view_.engine != "auto") {
    PREVICT_TRY(const Engine* named, choose_engine(engines(), view_.engine, cluster_, {}));
    engines_ = {named};
    return {};
  }
  for (const Engine* engine : engines()) {
    const auto goes_there = [&](const auto& named) {
      return named.second.engine == engine && (pending_.empty() || named.second.pending > 0);
    };
    if (engine->pods_of_objects(cluster_) > 0 || std::any_of(schedulers_.begin(), schedulers_.end(), goes_there))
      engines_.push_back(engine);
  }
  if (!engines_.empty()) return {};
  const auto configured =
      std::find_if(engines().begin(), engines().end(), [&](const Engine* engine) { return is_configured(*engine); });
  engines_ = {configured != engines().end() ? *configured : engines().back()};  // the last engine is the fallback
  return {};
}

// For kinds that are kept, counts the kept objects, so that duplicates count once. For other kinds, and for events, of
// which few are kept, counts the objects seen.
void Inspector::count_kinds() {
  kinds_ = objects_.counts;
  for (const auto& [kind, count] : objects_.listed) kinds_.try_emplace(kind, 0);
  objects_.each_store([&](std::string_view name, const auto& store) {
    using T = typename std::decay_t<decltype(store)>::value_type;
    if constexpr (std::is_same_v<T, ClusterEvent>) return;
    const auto count = kinds_.find(std::string(kind_of_store(name)->key));
    if (count != kinds_.end()) count->second = store.size();
  });
}

void Inspector::find_needs() {
  for (const Engine* engine : engines_) {
    for (const RequiredKind& need : engine->needs()) {
      const auto kind = kinds_.find(std::string(need.kind->key));
      const bool given = need.kind == &kinds::config_maps && is_configured(*engine);
      const std::size_t count = given ? 1 : kind == kinds_.end() ? 0 : kind->second;
      needs_.push_back({engine, need, engine->needed_for(cluster_, need),
                        count > 0              ? State::there
                        : kind != kinds_.end() ? State::empty
                                               : State::missing,
                        count, count > 0 && !given && may_hold_more(objects_, *need.kind)});
    }
  }
}

auto Inspector::newest() const -> std::optional<Newest> {
  std::optional<Newest> found;
  objects_.each_store([&](std::string_view kind, const auto& store) {
    for (const auto& object : store) {
      each_time(
          object, objects_.symbols, [&](std::string_view field, Symbol condition, const std::optional<Instant>& at) {
            if (at != objects_.newest) return;
            const std::string_view ns = object.meta.ns ? cluster_.text(object.meta.ns) : std::string_view();
            Newest newest{fmt::format("{}/{}{}{}", kind, ns, ns.empty() ? "" : "/", cluster_.text(object.meta.name)),
                          condition ? fmt::format("status.conditions[type={}].{}", cluster_.text(condition), field)
                                    : std::string(field),
                          object.meta.source};
            // The first by name, so that the order of the input has no effect.
            if (!found || std::tie(newest.object, newest.field) < std::tie(found->object, found->field))
              found = std::move(newest);
          });
    }
  });
  return found;
}

auto Inspector::objects_in(const InputRecord& input) const -> std::size_t {
  std::size_t count = 0;
  objects_.each_store([&](std::string_view, const auto& store) {
    count += static_cast<std::size_t>(std::count_if(store.begin(), store.end(), [&](const auto& object) {
      return object.meta.source.file >= input.file && object.meta.source.file <= input.last;
    }));
  });
  return count;
}

auto Inspector::is_read(std::string_view kind) const -> bool {
  return kind_matters(kind.find('/') == std::string_view::npos ? "v1" : kind, kind.substr(kind.rfind('/') + 1));
}

// ---- text

auto Inspector::sentence() const -> std::string {
  std::vector<std::string> names;
  std::vector<std::string> missing;    // for each engine
  std::vector<std::string> manifests;  // kinds
  for (const Engine* engine : engines_) {
    std::vector<std::string> kinds;
    for (const Needed& each : needs_) {
      if (each.engine != engine || !each.necessary) continue;
      const std::string kind(each.need.kind->name);
      if (each.state == State::missing) kinds.push_back(kind);
      if (each.manifests_only && !contains(manifests, kind)) manifests.push_back(kind);
    }
    names.emplace_back(engine->name());
    if (!kinds.empty()) missing.push_back(fmt::format("missing for {}: {}", engine->name(), joined(kinds, ", ")));
  }
  const std::string held = fmt::format("{}, {} pending, on {}", counted(objects_.pods.size(), "pod", "pods"),
                                       pending_.size(), counted(objects_.nodes.size(), "node", "nodes"));
  const std::string but = manifests.empty() ? std::string()
                                            : fmt::format("{} {} only as manifests", missing.empty() ? ", but" : ";",
                                                          joined(manifests, ", "));
  return missing.empty() ? fmt::format("{}: everything that {} needs{}.", held, joined(names, " and "), but)
                         : fmt::format("{}; {}{}.", held, joined(missing, "; "), but);
}

void Inspector::newest_lines(Report& report) const {
  if (objects_.newest == Instant{}) {
    report.blocks.emplace_back(Line{{{"no timestamp in the input: use --now", Tone::soon}}});
    return;
  }
  // Of most events, only the time is kept.
  const bool of_event =
      objects_.captures.empty() && (kinds_.contains("Event") || kinds_.contains("events.k8s.io/Event"));
  const std::string from = newest_    ? fmt::format(" ({}, {})", newest_->object, newest_->field)
                           : of_event ? " (an Event)"
                                      : "";
  report.blocks.emplace_back(Line{{{fmt::format("newest time: {} UTC{}", utc(objects_.newest), from), Tone::dim}}});
  Instant oldest = objects_.newest;
  for (const InputRecord& input : objects_.inputs) {
    if (input.newest != Instant{}) oldest = std::min(oldest, input.newest);
  }
  if (seconds_between(oldest, objects_.newest) <= kApart) return;
  report.blocks.emplace_back(
      Line{{{fmt::format("the newest times of the inputs are {} apart: the dumps may be from different times",
                         format_age(seconds_between(oldest, objects_.newest))),
             Tone::soon}}});
}

// The configurations that are read besides the objects, and their files.
auto Inspector::configurations() const -> std::vector<std::pair<std::string_view, std::string_view>> {
  std::vector<std::pair<std::string_view, std::string_view>> found;
  if (view_.configurations == nullptr) return found;
  for (const ConfigurationKind& kind : configuration_kinds()) {
    const auto& file = view_.configurations->*kind.member;
    if (file) found.emplace_back(kind.title, objects_.files.name(file->file));
  }
  return found;
}

void Inspector::input_row(Row& row, const InputRecord& input) const {
  row.text("INPUT", objects_.files.name(input.file)).key("path");
  row.text("FORM", input.form).key("form");
  row.number("SIZE", size_words(input.bytes)).key("bytes", input.bytes);
  row.number("UNPACKED", size_words(input.unpacked)).only_wide().key("unpackedBytes", input.unpacked);
  row.number("FILES", input.texts).optional().key("files");
  row.number("IGNORED", input.passed_over).optional().key("ignoredFiles");
  row.number("OBJECTS", objects_in(input)).key("objects");
  const auto arrived = view_.arrivals.find(input.file);
  row.key("sha256", arrived == view_.arrivals.end() ? Json() : Json(arrived->second.sha256));
  row.text("NEWEST", utc(input.newest)).optional();
  row.key("newest", input.newest == Instant{} ? Json() : Json(format_instant(input.newest)));
}

auto Inspector::inputs_table() const -> Table {
  Table table = table_of(objects_.inputs, std::bind_front(&Inspector::input_row, this));
  for (const auto& [what, file] : configurations()) table.footer.push_back({{{fmt::format("{}: {}", what, file)}}});
  if (objects_.read.general > 0) {
    table.footer.push_back(
        {{{fmt::format("{}; objects that kubectl did not print take longer to read", paths_of(objects_.read)),
           Tone::dim}}});
  }
  return table;
}

void Inspector::kind_row(Row& row, const std::pair<const std::string, std::size_t>& kind) const {
  const bool read = is_read(kind.first);
  const PluginKind* const of_plugin = find_plugin_kind(kind.first);
  row.text("KIND", kind.first).key("kind");
  row.number("COUNT", kind.second).key("count").key("listed", objects_.listed.contains(kind.first));
  row.text("READ", of_plugin != nullptr ? Cell(fmt::format("no: plugin {} does", of_plugin->plugin), Tone::soon)
                   : read               ? Cell("yes")
                                        : Cell("no", Tone::dim));
  row.key("read", read);
}

auto Inspector::kinds_table() const -> Table {
  Table table = table_of(kinds_, std::bind_front(&Inspector::kind_row, this));
  std::size_t skipped = 0;
  for (const auto& [kind, count] : kinds_) skipped += is_read(kind) || find_plugin_kind(kind) != nullptr ? 0 : count;
  if (skipped > 0) {
    table.footer.push_back(
        {{{fmt::format("{} of kinds that no scheduler reads", counted(skipped, "object", "objects")), Tone::dim}}});
  }
  return table;
}

void Inspector::pending_row(Row& row, PodId id) const {
  const Pod& pod = cluster_.pod(id);
  const std::string_view priority_class = cluster_.text(pod.spec.priority_class_name);
  row.text("NAMESPACE", cluster_.text(pod.meta.ns)).key("namespace");
  row.text("POD", cluster_.text(pod.meta.name)).key("name");
  row.number("PRIORITY", pod.spec.priority).key("priority");
  row.text("CLASS", priority_class.empty() ? "-" : priority_class).optional();
  row.text("SCHEDULER", scheduler_of(cluster_, id)).key("scheduler");
}

// ---- JSON

auto Inspector::data() const -> Json {
  Json out = bare_document("InspectReport");
  out["inputs"] = list_of(objects_.inputs, std::bind_front(&Inspector::input_row, this));
  if (newest_) {
    const Evidence evidence{newest_->object, newest_->field, newest_->source};
    const std::size_t fields = view_.places ? 1 : 0;
    SourceLocations places(
        {.cluster = cluster_, .now = {}, .now_source = {}, .input_gaps = {}, .fields_to_locate = fields});
    places.want({evidence});
    places.look_up();
    out["newest"] = {{"time", format_instant(objects_.newest)},
                     {"object", newest_->object},
                     {"field", newest_->field},
                     {"source", place_json(objects_.files, places.of(evidence))}};
  }
  out["read"] = {{"fast", objects_.read.fast}, {"general", objects_.read.general}};
  out["read"]["handedOver"] = Json::array();
  for (std::size_t i = 0; i < kFallbackReasons; ++i) {
    const FallbackCount& handed = objects_.read.fallbacks[i];
    if (handed.objects == 0 && handed.values == 0) continue;
    out["read"]["handedOver"].push_back(
        {{"reason", kHandoverNames[i].id}, {"objects", handed.objects}, {"values", handed.values}});
  }
  out["kinds"] = list_of(kinds_, std::bind_front(&Inspector::kind_row, this));
  for (const auto& [what, file] : configurations()) out["configurations"].push_back({{"kind", what}, {"path", file}});
  out["schedulers"] = list_of(schedulers_, scheduler_row);
  out["needs"] = list_of(needs_, need_row);
  out["pending"] = list_of(pending_, std::bind_front(&Inspector::pending_row, this));
  return out;
}

auto Inspector::run() -> Result<Inspection> {
  count_kinds();
  find_pending();
  find_schedulers();
  PREVICT_CHECK(find_engines());
  find_needs();
  newest_ = newest();
  Inspection result;
  result.lacking = std::any_of(needs_.begin(), needs_.end(),
                               [](const Needed& each) { return each.necessary && each.state == State::missing; });
  Report& report = result.report;
  report.blocks.emplace_back(Line{{{sentence(), Tone::verdict}}});
  newest_lines(report);
  if (view_.pending) {
    report.blocks.emplace_back(table_of(pending_, std::bind_front(&Inspector::pending_row, this)));
  } else {
    for (Table table :
         {inputs_table(), kinds_table(), table_of(schedulers_, scheduler_row), table_of(needs_, need_row)})
      report.blocks.emplace_back(std::move(table));
  }
  report.data = data();
  for (const PodId pod : pending_) report.names.push_back(cluster_.key(pod));
  return result;
}

}  // namespace

auto paths_of(const ReadCounts& read) -> std::string {
  return fmt::format("{} read by the fast parser, {} by the complete one", counted(read.fast, "object", "objects"),
                     read.general);
}

auto why_not_fast(const ReadCounts& read) -> std::string {
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < kFallbackReasons; ++i) {
    const FallbackCount& handed = read.fallbacks[i];
    const std::string objects = counted(handed.objects, "object", "objects");
    const std::string values = counted(handed.values, "value", "values");
    if (handed.objects == 0 && handed.values == 0) continue;
    reasons.push_back(fmt::format("{} with {}",
                                  handed.values == 0    ? objects
                                  : handed.objects == 0 ? values
                                                        : fmt::format("{} and {} of others", objects, values),
                                  kHandoverNames[i].words));
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

auto inspection(const Snapshot& cluster, const InspectionView& view) -> Result<Inspection> {
  return Inspector(cluster, view).run();
}

}  // namespace previct
