#include "lint/kai_schema.h"

#include "api/quantity.h"
#include "base/text.h"
#include "cluster/label_syntax.h"
#include "lint/kai.h"
#include "lint/placeholder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace previct::lint {
// NOLINTBEGIN(misc-no-recursion): bounded by kMaxDepth of the reader
namespace {

using Fields = std::vector<SchemaField>;
using Type = SchemaField::Type;

auto fault_of_ratio(const Value& value) -> std::string {
  const double ratio = kai_amount(value);
  return ratio > 0 && ratio <= 1 ? "" : "should be greater than 0 and at most 1";
}

auto fault_of_memory(const Value& value) -> std::string {
  return value.is_scalar() && Quantity::parse(value.text()) ? "" : "is not a quantity, such as 2Gi";
}

/// `1w2d`: numbers with units, largest unit first; or `0`.
auto fault_of_window(const Value& value) -> std::string {
  constexpr std::array<std::string_view, 7> kUnits = {"y", "w", "d", "h", "m", "s", "ms"};
  std::string_view rest = value.text();
  std::size_t unit = 0;
  while (!rest.empty() && value.text() != "0") {
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    const std::string_view name = rest.substr(digits, rest.find_first_of("0123456789", digits) - digits);
    const auto* const found = std::find(kUnits.begin() + unit, kUnits.end(), name);
    if (digits == 0 || found == kUnits.end()) return "is not a duration in y, w, d, h, m, s and ms, such as 1w";
    unit = static_cast<std::size_t>(found - kUnits.begin()) + 1;
    rest.remove_prefix(digits + name.size());
  }
  return {};
}

auto fault_of_label(const Value& value) -> std::string {
  return is_qualified_name(value.text()) ? "" : "is no label";
}

auto fault_of_levels(const Value& levels) -> std::string {
  constexpr std::size_t kMost = 16;
  constexpr std::string_view kHostname = "kubernetes.io/hostname";
  if (levels.size() == 0) return "should have at least one level";
  if (levels.size() > kMost) return fmt::format("should have at most {} levels", kMost);
  std::set<std::string_view> labels;
  for (const Value& level : levels) {
    const std::string_view label = level["nodeLabel"].text();
    if (labels.count(kHostname) > 0)
      return fmt::format("has {} above another level; it can only be the lowest", kHostname);
    if (!labels.insert(label).second) return fmt::format("has the nodeLabel \"{}\" twice", label);
  }
  return {};
}

auto topology_constraint() -> SchemaField {
  return {"topologyConstraint", Type::decoded, {{"topology"}, {"requiredTopologyLevel"}, {"preferredTopologyLevel"}}};
}

auto group_fields() -> Fields {
  const SchemaField sub_group = {
      "*", Type::decoded, {{"name"}, {"minMember"}, {"minSubGroup"}, {"parent"}, topology_constraint()}};
  return {{"spec",
           Type::decoded,
           {{"backoffLimit"},
            {"completions"},
            {"markUnschedulable"},
            {"minMember"},
            {"minSubGroup"},
            {"parallelism"},
            {"preemptibility"},
            {"preemptionDelay"},
            {"priorityClassName"},
            {"queue"},
            {"schedulingBackoff"},
            {"stalenessGracePeriod"},
            {"subGroups", Type::decoded, {sub_group}},
            topology_constraint()}}};
}

auto queue_fields() -> Fields {
  // Unknown fields are reported by KA020.
  return {{"spec", Type::decoded, {{"displayName", Type::text}, {"*"}}}};
}

auto usage_fields() -> Fields {
  return {{"clientType", Type::text, {}, true},
          {"connectionString", Type::text},
          {"connectionStringEnvVar", Type::text},
          {"usageParams",
           Type::object,
           {{"cronString", Type::text},
            {"extraParams", Type::object, {{"*", Type::text}}},
            {"fetchInterval", Type::text},
            {"halfLifePeriod", Type::text},
            {"stalenessPeriod", Type::text},
            {"tumblingWindowCronString", Type::text},
            {"tumblingWindowStartTime", Type::text},
            {"waitTimeout", Type::text},
            {"windowSize", Type::text, {}, false, fault_of_window},
            {"windowType", Type::text}}}};
}

auto shard_fields() -> Fields {
  const Fields budgets = {{"maxActionSearchDuration", Type::object, {{"*", Type::text}}},
                          {"maxGeneratorSearchDuration", Type::object, {{"*", Type::text}}},
                          {"maxJobSearchDuration", Type::text},
                          {"minJobSearchDuration", Type::text}};
  return {{"spec",
           Type::decoded,
           {{"actions", Type::decoded, {{"*", Type::decoded, {{"enabled"}, {"priority"}}}}},
            {"args"},
            {"goMemLimit", Type::decoded, {}, false, fault_of_memory},
            {"goMemLimitRatio", Type::number, {}, false, fault_of_ratio},
            {"kValue"},
            {"minRuntime", Type::decoded, {{"preemptMinRuntime"}, {"reclaimMinRuntime"}}},
            {"partitionLabelValue", Type::text},
            {"placementStrategy", Type::decoded, {{"cpu"}, {"gpu"}}},
            {"plugins", Type::decoded, {{"*", Type::decoded, {{"arguments"}, {"enabled"}, {"priority"}}}}},
            {"queueDepthPerAction"},
            {"scenarioSearchBudgets", Type::object, budgets},
            {"usageDBConfig", Type::object, usage_fields()}}}};
}

auto topology_fields() -> Fields {
  const SchemaField level = {
      "*",
      Type::object,
      {{"nodeLabel", Type::text, {}, true, fault_of_label}, {"alias", Type::text, {}, false, fault_of_label}}};
  return {{"spec", Type::object, {{"levels", Type::list, {level}, true, fault_of_levels}}, true}};
}

auto is_of(Type type, const Value& value) -> bool {
  switch (type) {
    case Type::decoded: return true;
    case Type::text: return value.is_string();
    case Type::number: return value.is_scalar() && !value.is_string() && !value.is("true") && !value.is("false");
    case Type::object: return value.is_map();
    case Type::list: return value.is_list();
  }
  return true;
}

auto name_of(Type type) -> std::string_view {
  switch (type) {
    case Type::text: return "a string";
    case Type::number: return "a number";
    case Type::object: return "an object";
    case Type::list: return "a list";
    case Type::decoded: break;
  }
  return {};
}

class Check {
 public:
  auto faults() -> std::vector<SchemaFault>& { return faults_; }

  void object(const Value& value, const Fields& fields, const std::string& path) {
    const auto all = std::find_if(fields.begin(), fields.end(), [](const SchemaField& f) { return f.key == "*"; });
    std::size_t index = 0;
    for (const Value& each : value) {
      const auto known = std::find_if(fields.begin(), fields.end(), [&](const SchemaField& field) {
        return !each.key().empty() && field.key == each.key();
      });
      const std::string at =
          value.is_list() ? fmt::format("{}[{}]", path, index++) : path + '.' + std::string(each.key());
      if (known != fields.end() || all != fields.end()) {
        field(each, known != fields.end() ? *known : *all, at);
      } else if (value.is_map() && !is_placeholder(each.key())) {
        unknown(each, fields, at);
      }
    }
    for (const SchemaField& each : fields) {
      if (each.required && value.is_map() && !value[each.key])
        refuse(value, fmt::format("{}.{} is required", path, each.key));
    }
  }

 private:
  void refuse(const Value& at, const std::string& message) {
    faults_.push_back({SchemaFault::Kind::refused, at, message.substr(message.starts_with('.') ? 1 : 0)});
  }

  void unknown(const Value& each, const Fields& fields, const std::string& path) {
    std::vector<std::string> names;
    for (const SchemaField& other : fields) names.emplace_back(other.key);
    const auto meant = nearest(each.key(), names);
    faults_.push_back({SchemaFault::Kind::unknown, each, path.substr(1), meant.value_or("")});
  }

  void field(const Value& value, const SchemaField& known, const std::string& path) {
    if (is_unknown(value)) return;  // another program fills it in
    if (!is_of(known.type, value)) return refuse(value, fmt::format("{} should be {}", path, name_of(known.type)));
    if (known.fault != nullptr) {
      const std::string fault = known.fault(value);
      const std::string said = value.is_scalar() ? fmt::format(" \"{}\"", value.text()) : "";
      if (!fault.empty()) refuse(value, fmt::format("{}{} {}", path, said, fault));
    }
    if (!known.fields.empty()) object(value, known.fields, path);
  }

  std::vector<SchemaFault> faults_;
};

}  // namespace

auto faults_of_kai(const Manifest& manifest) -> std::vector<SchemaFault> {
  static const std::vector<std::pair<std::string_view, Fields>> kKinds = {{kind::kKaiQueue, queue_fields()},
                                                                          {kind::kKaiPodGroup, group_fields()},
                                                                          {kind::kKaiShard, shard_fields()},
                                                                          {kind::kKaiTopology, topology_fields()}};
  const std::string kind = kind_of(manifest);
  const auto found = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& each) { return each.first == kind; });
  if (found == kKinds.end()) return {};
  Check check;
  Fields fields = found->second;
  for (const char* each : {"apiVersion", "kind", "metadata", "status"}) fields.push_back({each});
  check.object(manifest.root(), fields, "");
  return std::move(check.faults());
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::lint
