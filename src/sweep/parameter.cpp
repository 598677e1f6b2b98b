#include "sweep/parameter.h"

#include "api/amount_text.h"
#include "api/toleration_annotations.h"
#include "api/units.h"
#include "api/upstream.h"
#include "base/duration.h"
#include "base/go.h"
#include "base/text.h"
#include "cluster/where_read.h"
#include "overlay/admission.h"
#include "overlay/node_copies.h"
#include "overlay/overlay.h"
#include "overlay/pod_copies.h"
#include "sequence/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::sweep {
namespace {

using Kind = Parameter::Kind;

struct Name {
  std::string_view name;
  Kind kind;
};
constexpr std::array kNames = {Name{"toleration-seconds", Kind::toleration_seconds},
                               Name{"minimum-preemptable-priority", Kind::minimum},
                               Name{"value", Kind::value},
                               Name{"request", Kind::request},
                               Name{"replicas", Kind::replicas},
                               Name{"nodes", Kind::nodes},
                               Name{"setting", Kind::setting},
                               Name{"now", Kind::now}};

// An engine that simulates its own cycles asks about no pods: only these kinds can change its result.
constexpr auto is_for_cycles(Kind kind) -> bool {
  return kind == Kind::nodes || kind == Kind::now || kind == Kind::setting;
}

constexpr std::int64_t kMostCopies = 10'000;
// Where a cycle decides for all pods, each value costs a cycle with all copies.
constexpr std::int64_t kMostCopiesInCycle = 1'000;
constexpr std::int64_t kMostOfSetting = 100'000'000;  // percent, victims, seconds

constexpr std::string_view kThousandths = "cpu";  // the resource whose quantities are in thousandths

// The resource in whose units values are written; empty: they are numbers or durations.
auto resource_of_values(const Parameter& parameter) -> std::string_view {
  if (parameter.kind == Kind::request) return parameter.resource;
  if (parameter.field.unit == VariedField::Unit::thousandths) return kThousandths;
  return parameter.field.unit == VariedField::Unit::amount ? std::string_view(parameter.field.resource) : "";
}

auto one_value(const Parameter& parameter, std::string_view text) -> std::optional<std::int64_t> {
  if (const std::string_view resource = resource_of_values(parameter); !resource.empty()) {
    const auto quantity = Quantity::parse(text);
    return quantity ? std::optional(in_units(resource, *quantity)) : std::nullopt;
  }
  if (const auto number = go::parse_int(text, 64)) return number;
  if (!parameter.is_time()) return {};
  const auto length = parse_go_duration(text);
  return length ? std::optional(*length / go::kNanosPerSecond) : std::nullopt;
}

auto check_object(const Parameter& parameter, const Snapshot& cluster) -> Result<void> {
  const Symbol name = cluster.symbol(parameter.object);
  const auto missing = [&](std::string_view what) {
    return fail(fmt::format("--vary {}: {} \"{}\" does not exist {}", parameter.text, what, parameter.object,
                            where_read(cluster.objects())));
  };
  switch (parameter.kind) {
    case Kind::toleration_seconds:
    case Kind::minimum:
    case Kind::value:
      return name && cluster.priority_class(name) != nullptr ? Result<void>{} : missing("PriorityClass");
    case Kind::request:
    case Kind::replicas: {
      const std::size_t slash = parameter.object.find('/');
      const PodId pod = slash == std::string::npos
                            ? cluster.find_pod("default", parameter.object)
                            : cluster.find_pod(parameter.object.substr(0, slash), parameter.object.substr(slash + 1));
      if (!pod || !cluster.pending(pod)) return missing("pending pod");
      return {};
    }
    case Kind::nodes: return name && cluster.find_node(name) ? Result<void>{} : missing("node");
    case Kind::field:
    case Kind::setting:
    case Kind::now: return {};
  }
  return {};
}

// A setting that the scheduler has: notes whether it is a length of time.
auto check_setting(const Engine& engine, const Question& question, Parameter& parameter) -> Result<void> {
  std::vector<std::string> keys;
  for (const NumberSetting& each : engine.number_settings(question)) {
    parameter.setting_is_time = each.is_time;
    if (each.key == parameter.object) return {};
    keys.emplace_back(each.key);
  }
  return fail(keys.empty() ? fmt::format("--vary {}: with these options, no setting of the {} engine can be varied",
                                         parameter.text, engine.name())
                           : fmt::format("--vary {}: the settings are {}", parameter.text, joined(keys, ", ")));
}

// A field of the scheduler's own objects: finds it.
auto find_field(const FieldParameter& known, const Snapshot& cluster, const Question& question, Parameter& parameter)
    -> Result<void> {
  Result<VariedField> found = known.find(cluster, question, parameter.object);
  if (!found) {
    Failure failure = std::move(found).error();
    failure.message = fmt::format("--vary {}: {}", parameter.text, failure.message);
    return tl::unexpected(std::move(failure));
  }
  parameter.field = *std::move(found);
  return {};
}

auto pod_named(const Objects& objects, std::string_view key) -> PodId {
  const std::size_t slash = key.find('/');
  const Symbol ns = objects.symbols.find(slash == std::string_view::npos ? "default" : key.substr(0, slash));
  const Symbol name = objects.symbols.find(slash == std::string_view::npos ? key : key.substr(slash + 1));
  for (const PodId id : objects.pods.ids()) {
    if (objects.pods[id].meta.ns == ns && objects.pods[id].meta.name == name) return id;
  }
  return {};
}

auto policy_of(const PriorityClass& found, const Snapshot& cluster) -> kep205::Policy {
  const auto text = [&](std::string_view name) -> std::optional<std::string_view> {
    const Symbol key = cluster.symbol(name);
    if (!key || !found.meta.annotations.has(key)) return {};
    return cluster.text(found.meta.annotations.get(key));
  };
  return kep205::read_policy(found.value, text(kep205::kMinimum), text(kep205::kSeconds));
}

}  // namespace

auto Parameter::is_time() const -> bool {
  return kind == Kind::toleration_seconds || kind == Kind::now || setting_is_time ||
         field.unit == VariedField::Unit::seconds;
}

auto Parameter::words(std::int64_t value) const -> std::string {
  if (is_time() && value < 0) return "forever";
  if (is_time()) {
    std::string offset = sequence::format_offset(value * sequence::kSecond);  // with seconds, unlike ages
    if (offset.ends_with("m0s")) offset.resize(offset.size() - 2);
    if (offset.ends_with("h0m")) offset.resize(offset.size() - 2);
    return kind == Kind::now ? offset : offset.substr(1);
  }
  return amount_text(resource_of_values(*this), value);
}

auto read_axis(std::string_view text, const Snapshot& cluster, const Engine& engine, const Question& question)
    -> Result<Axis> {
  const auto wrong = [&](std::string_view why) { return fail(fmt::format("--vary \"{}\": {}", text, why)); };
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return wrong("expected PARAMETER=RANGE, such as toleration-seconds:low=0..30m");
  Axis axis;
  Parameter& parameter = axis.parameter;
  parameter.text = text.substr(0, equals);
  std::string_view rest = text.substr(0, equals);
  const std::string_view word = rest.substr(0, rest.find(':'));
  const auto* const known = std::find_if(kNames.begin(), kNames.end(), [&](const Name& n) { return n.name == word; });
  const auto fields = engine.parameters();
  const auto field = std::find_if(fields.begin(), fields.end(), [&](const auto& each) { return each.name == word; });
  const bool usable = known != kNames.end() && (!engine.simulates_cycles() || is_for_cycles(known->kind));
  if (!usable && field == fields.end()) {
    std::vector<std::string> names;
    for (const Name& each : kNames) {
      if (!engine.simulates_cycles() || is_for_cycles(each.kind)) names.emplace_back(each.name);
    }
    for (const FieldParameter& each : fields) names.emplace_back(each.name);
    return wrong(fmt::format("for {}, expected one of {} before the colon", engine.name(), joined(names, ", ")));
  }
  parameter.kind = usable ? known->kind : Kind::field;
  rest = rest.size() > word.size() ? rest.substr(word.size() + 1) : std::string_view();
  if (parameter.kind == Kind::request) {
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos) return wrong("expected request:POD:RESOURCE=RANGE");
    parameter.resource = rest.substr(colon + 1);
    rest = rest.substr(0, colon);
  }
  parameter.object = rest;
  if (parameter.object.empty() && parameter.kind == Kind::field)
    return wrong(fmt::format("expected {}:{}=RANGE", field->name, field->operands));
  if (parameter.object.empty() != (parameter.kind == Kind::now)) return wrong("expected a name after the colon");
  PREVICT_CHECK(parameter.kind == Kind::setting ? check_setting(engine, question, parameter)
                : parameter.kind == Kind::field ? find_field(*field, cluster, question, parameter)
                                                : check_object(parameter, cluster));

  const std::string_view range = text.substr(equals + 1);
  const std::size_t dots = range.find("..");
  if (dots == std::string_view::npos) {
    for (std::size_t at = 0; at <= range.size();) {
      const std::size_t comma = std::min(range.find(',', at), range.size());
      const auto value = one_value(parameter, range.substr(at, comma - at));
      if (!value)
        return wrong(fmt::format("\"{}\" is not a valid value; a range is FROM..TO, a list has commas",
                                 range.substr(at, comma - at)));
      axis.list.push_back(*value);
      at = comma + 1;
    }
    std::sort(axis.list.begin(), axis.list.end());
    axis.list.erase(std::unique(axis.list.begin(), axis.list.end()), axis.list.end());
    axis.from = axis.list.front();
    axis.to = axis.list.back();
  } else {
    const auto from = one_value(parameter, range.substr(0, dots));
    const auto to = one_value(parameter, range.substr(dots + 2));
    if (!from || !to || *from > *to) return wrong("expected FROM..TO, the smaller value first");
    axis.from = *from;
    axis.to = *to;
  }
  const bool counts = parameter.kind == Kind::replicas || parameter.kind == Kind::nodes;
  const bool positive = counts || parameter.kind == Kind::request || parameter.kind == Kind::setting;
  if ((positive || parameter.kind == Kind::now) && axis.from < 0) {
    return wrong("it cannot be less than 0");
  }
  if (parameter.kind == Kind::request && !is_container_resource(parameter.resource))
    return wrong(fmt::format("{} is not a valid resource name for a container", parameter.resource));
  if (parameter.kind == Kind::value && axis.to > upstream::kHighestUserPriority &&
      !parameter.object.starts_with("system-"))
    return wrong(fmt::format("a class of users has {} at most", upstream::kHighestUserPriority));
  if (parameter.kind == Kind::field && (axis.from < parameter.field.least || axis.to > parameter.field.most))
    return wrong(fmt::format("values from {} to {} are valid", parameter.words(parameter.field.least),
                             parameter.words(parameter.field.most)));
  const bool number = parameter.kind == Kind::value || parameter.kind == Kind::minimum;
  if (parameter.kind == Kind::setting && axis.to > kMostOfSetting)
    return wrong(fmt::format("it cannot be more than {}", kMostOfSetting));
  if (number && (axis.from < INT32_MIN || axis.to > INT32_MAX)) return wrong("no number of 32 bits");
  const std::int64_t most_copies = engine.preempts_by_priority_class() ? kMostCopies : kMostCopiesInCycle;
  if (counts && axis.to > most_copies) return wrong(fmt::format("{} copies at most", most_copies));
  return axis;
}

void Changed::set(const Parameter& parameter, std::int64_t value, Question& question, std::vector<PodId>& waiting) {
  Symbols& symbols = objects_.symbols;
  const Symbol name = symbols.intern(parameter.object);
  const auto of_class = [&](auto change) {
    for (std::size_t i = 0; i < objects_.priority_classes.size(); ++i) {
      if (objects_.priority_classes[i].meta.name == name) change(changed_.priority_class(i));
    }
  };
  switch (parameter.kind) {
    case Kind::toleration_seconds:
    case Kind::minimum: {
      const bool seconds = parameter.kind == Kind::toleration_seconds;
      const Symbol key = symbols.intern(seconds ? kep205::kSeconds : kep205::kMinimum);
      const Symbol text = symbols.intern(std::to_string(value));
      return of_class([&](PriorityClass& each) { each.meta.annotations.set(key, text); });
    }
    case Kind::value:
      of_class([&](PriorityClass& each) { each.value = static_cast<std::int32_t>(value); });
      for (const PodId id : waiting) {
        if (objects_.pods[id].spec.priority_class_name != name) continue;
        changed_.pod(id).spec.priority = static_cast<std::int32_t>(value);
      }
      return;
    case Kind::request:
      return set_request(changed_.pod(pod_named(objects_, parameter.object)).spec, symbols.intern(parameter.resource),
                         of_units(parameter.resource, value), symbols);
    case Kind::replicas: {
      const PodId id = pod_named(objects_, parameter.object);
      if (value == 0) std::erase(waiting, id);
      for (std::int64_t i = 1; i < value; ++i) {
        const std::string copy = fmt::format("{}-copy-{}", symbols.text(objects_.pods[id].meta.name), i);
        waiting.push_back(add_copy(objects_.pods[id], symbols.intern(copy), question.now, changed_));
      }
      return;
    }
    case Kind::nodes:
      for (const NodeId id : objects_.nodes.ids()) {
        if (objects_.nodes[id].meta.name != name) continue;
        std::vector<NewNode> nodes;
        {
          const Snapshot cluster(objects_);
          for (std::int64_t i = 1; i <= value; ++i)
            nodes.push_back(new_node_like(cluster, id, fmt::format("{}-copy-{}", parameter.object, i)));
        }
        for (NewNode& node : nodes) add(std::move(node), changed_);
        return;
      }
      return;
    case Kind::field: return parameter.field.set(changed_, value);
    case Kind::setting:
      question.settings.emplace_back(parameter.object, fmt::format("{}{}", value, parameter.is_time() ? "s" : ""));
      return;
    case Kind::now: question.now = question.now.plus_seconds(value); return;
  }
}

auto turning_values(const Axis& axis, const Snapshot& cluster, Instant now) -> std::vector<std::int64_t> {
  std::vector<std::int64_t> values;
  const auto add = [&](std::int64_t value) {
    for (const std::int64_t each : {value - 1, value, value + 1}) {
      if (each >= axis.from && each <= axis.to) values.push_back(each);
    }
  };
  const Parameter& parameter = axis.parameter;
  const Symbol name = cluster.symbol(parameter.object);
  for (const std::int64_t value : parameter.field.turning) add(value);
  if (parameter.kind == Kind::value) {
    for (const PriorityClass& each : cluster.objects().priority_classes)
      add(policy_of(each, cluster).minimum_preemptable_priority);
  }
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    if (cluster.finished(id)) continue;
    switch (parameter.kind) {
      case Kind::toleration_seconds: {
        // The toleration starts when the pod was scheduled or, if that time is unknown, when it started.
        const Condition* scheduled = pod.condition(cluster.known().pod_scheduled);
        const auto since = scheduled != nullptr ? scheduled->last_transition : pod.status.start_time;
        if (since && *since <= now && pod.spec.priority_class_name == name) add(seconds_between(*since, now));
        break;
      }
      case Kind::minimum:
        if (cluster.pending(id)) add(pod.spec.priority);
        break;
      case Kind::value: add(pod.spec.priority); break;
      case Kind::now: {
        const PriorityClass* found = cluster.priority_class(pod.spec.priority_class_name);
        const Condition* scheduled = pod.condition(cluster.known().pod_scheduled);
        if (found == nullptr || scheduled == nullptr || !scheduled->last_transition) break;
        const std::int64_t length = policy_of(*found, cluster).toleration_seconds;  // 0: none; negative: forever
        if (length > 0) add(seconds_between(now, scheduled->last_transition->plus_seconds(length)));
        break;
      }
      case Kind::request:
      case Kind::replicas:
      case Kind::nodes:
      case Kind::field:
      case Kind::setting: break;
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace previct::sweep
