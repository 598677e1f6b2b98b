#include "tell/kube/selector_faults.h"

#include "base/go.h"
#include "cluster/label_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace previct::kube {
namespace {

// The first minor releases that write lists in errors as JSON (apimachinery: pkg/util/validation/field/errors.go
// ErrorBody), and that check labels with pkg/api/validate/content.
constexpr int kListsAsJson = 34;
constexpr int kLabelsOfValidate = 35;

constexpr std::size_t kLongestName = 63;
constexpr std::size_t kLongestDomain = 253;
constexpr std::string_view kNoLabelValue =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr std::string_view kNoName =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kNoDomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

// An error that holds others: one is written as it is, several in brackets.
// Source: apimachinery: pkg/util/errors/errors.go aggregate.Error.
auto aggregate(const std::vector<std::string>& faults) -> std::string {
  return faults.size() == 1 ? faults.front() : fmt::format("[{}]", fmt::join(faults, ", "));
}

void add_once(std::string fault, std::vector<std::string>& faults) {
  if (std::find(faults.begin(), faults.end(), fault) == faults.end()) faults.push_back(std::move(fault));
}

// Letters and digits, with `-`, `_` and `.` allowed inside, of any length.
auto is_formed_like_a_name(std::string_view text) -> bool {
  constexpr std::string_view kInside = "-_.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  constexpr std::string_view kEnds = kInside.substr(3);
  return !text.empty() && text.find_first_not_of(kInside) == std::string_view::npos &&
         kEnds.find(text.front()) != std::string_view::npos && kEnds.find(text.back()) != std::string_view::npos;
}

/// Upstream's errors about selectors, in the words of a release.
class Faults {
 public:
  explicit Faults(const NodeInfoSnapshot& node_infos)
      : cluster_(node_infos.cluster()), minor_(node_infos.release().minor()) {}

  /// Adds the errors of one requirement, whose fields are at `path`: `[0].matchExpressions[1].`.
  void add(const Requirement& requirement, const std::string& path, std::vector<std::string>& faults) const {
    const std::string_view key = cluster_.text(requirement.key);
    std::vector<std::string_view> values;
    for (const Symbol value : requirement.values) values.push_back(cluster_.text(value));
    if (const std::string fault = of_key(key); !fault.empty())
      add_once(fmt::format("{}key: Invalid value: \"{}\": {}", path, key, fault), faults);
    if (const std::string_view fault = of_count(requirement); !fault.empty())
      add_once(fmt::format("{}values: Invalid value: {}: {}", path, list(values), fault), faults);
    const bool numbers = requirement.op == SelectorOperator::greater || requirement.op == SelectorOperator::less;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!numbers || go::parse_int(values[i], 64)) continue;
      add_once(
          fmt::format("{}values[{}]: Invalid value: \"{}\": for 'Gt', 'Lt' operators, the value must be an integer",
                      path, i, values[i]),
          faults);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (const std::string fault = of_value(values[i]); !fault.empty())
        add_once(fmt::format("{}values[{}][{}]: Invalid value: \"{}\": {}", path, i, key, values[i], fault), faults);
    }
  }

  /// Returns what is wrong with a label selector; empty if it is valid.
  [[nodiscard]] auto of(const std::optional<LabelSelector>& selector) const -> std::string {
    if (!selector) return {};
    for (const auto& [key, value] : selector->match_labels) {
      Requirement requirement;
      requirement.key = key;
      requirement.op = SelectorOperator::in;
      requirement.values = {value};
      if (std::string fault = of(requirement); !fault.empty()) return fault;
    }
    for (const Requirement& each : selector->match_expressions) {
      const bool of_nodes = each.op == SelectorOperator::greater || each.op == SelectorOperator::less;
      if (each.op == SelectorOperator::unknown || of_nodes)
        return fmt::format("\"{}\" is not a valid label selector operator", cluster_.text(each.operator_text));
      if (std::string fault = of(each); !fault.empty()) return fault;
    }
    return {};
  }
  [[nodiscard]] auto of(const PodAffinityTerm& term) const -> std::string {
    std::string fault = of(term.selector);
    return fault.empty() ? of(term.namespace_selector) : fault;
  }
  [[nodiscard]] auto of(const WeightedPodAffinityTerm& each) const -> std::string { return of(each.term); }

  /// Adds the error of a list of terms: upstream reads a list up to the first error.
  template <class Terms>
  void add_first(std::string_view name, const Terms& terms, std::vector<std::string>& faults) const {
    for (const auto& term : terms) {
      const std::string fault = of(term);
      if (!fault.empty()) return add_once(fmt::format("{}: {}", name, fault), faults);
    }
  }

 private:
  [[nodiscard]] auto of(const Requirement& requirement) const -> std::string {
    std::vector<std::string> faults;
    add(requirement, "", faults);
    return faults.empty() ? std::string() : aggregate(faults);
  }

  // What is wrong with the number of values; empty if it is right.
  static auto of_count(const Requirement& requirement) -> std::string_view {
    const std::size_t count = requirement.values.size();
    switch (requirement.op) {
      case SelectorOperator::unknown: return {};
      case SelectorOperator::in:
      case SelectorOperator::not_in: return count == 0 ? "for 'in', 'notin' operators, values set can't be empty" : "";
      case SelectorOperator::exists:
      case SelectorOperator::does_not_exist:
        return count != 0 ? "values set must be empty for exists and does not exist" : "";
      case SelectorOperator::greater:
      case SelectorOperator::less: break;
    }
    return count != 1 ? "for 'Gt', 'Lt' operators, exactly one value is required" : "";
  }

  // As JSON; earlier as Go writes it.
  [[nodiscard]] auto list(const std::vector<std::string_view>& values) const -> std::string {
    const bool as_json = minor_ >= kListsAsJson;
    if (values.empty()) return as_json ? "null" : "[]string(nil)";
    const std::string texts = fmt::format("\"{}\"", fmt::join(values, as_json ? "\",\"" : "\", \""));
    return as_json ? fmt::format("[{}]", texts) : fmt::format("[]string{{{}}}", texts);
  }

  // What is wrong with a label value; empty if it is valid.
  [[nodiscard]] auto of_value(std::string_view value) const -> std::string {
    if (is_label_value(value)) return {};
    std::vector<std::string> reasons;
    if (value.size() > kLongestName) reasons.push_back(fmt::format("must be no more than 63 {}", unit()));
    if (!is_formed_like_a_name(value)) reasons.emplace_back(kNoLabelValue);
    return fmt::format("{}", fmt::join(reasons, "; "));
  }

  // What is wrong with a label key; empty if it is valid.
  [[nodiscard]] auto of_key(std::string_view key) const -> std::string {
    if (is_qualified_name(key)) return {};
    const std::size_t slash = key.find('/');
    const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
    if (name.find('/') != std::string_view::npos)
      return fmt::format("a {} {} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
                         minor_ >= kLabelsOfValidate ? "valid label key" : "qualified name", kNoName);
    std::vector<std::string> reasons;
    if (slash != std::string_view::npos) {
      const std::string_view domain = key.substr(0, slash);
      if (domain.empty()) {
        reasons.emplace_back("prefix part must be non-empty");
      } else if (!is_qualified_name(fmt::format("{}/name", domain))) {
        if (domain.size() > kLongestDomain)
          reasons.push_back(fmt::format("prefix part must be no more than 253 {}", unit()));
        if (!is_qualified_name(fmt::format("{}/name", domain.substr(0, kLongestDomain))))
          reasons.push_back(fmt::format("prefix part {}", kNoDomain));
      }
    }
    if (name.empty()) reasons.emplace_back("name part must be non-empty");
    if (name.size() > kLongestName) reasons.push_back(fmt::format("name part must be no more than 63 {}", unit()));
    if (!is_formed_like_a_name(name)) reasons.push_back(fmt::format("name part {}", kNoName));
    return fmt::format("{}", fmt::join(reasons, "; "));
  }

  [[nodiscard]] auto unit() const -> std::string_view { return minor_ >= kLabelsOfValidate ? "bytes" : "characters"; }

  const Snapshot& cluster_;
  int minor_;
};

}  // namespace

// Source: component-helpers: scheduling/corev1/nodeaffinity/nodeaffinity.go NewPreferredSchedulingTerms; v0.35.
auto preferred_fault(const NodeInfoSnapshot& node_infos, const Pod& pod) -> std::string {
  std::vector<std::string> faults;
  const auto terms = pod.spec.affinity.node.preferred_terms();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].weight == 0) continue;
    const std::size_t known = faults.size();
    const auto& expressions = terms[i].term.match_expressions;
    for (std::size_t k = 0; k < expressions.size(); ++k)
      Faults(node_infos).add(expressions[k], fmt::format("[{}].matchExpressions[{}].", i, k), faults);
    const std::string_view other = fault_of(terms[i].term, node_infos.cluster().symbols());
    if (faults.size() == known && !other.empty()) faults.push_back(fmt::format("[{}]: {}", i, other));
  }
  return aggregate(faults);
}

// Source: kubernetes: pkg/scheduler/framework/types.go NewPodInfo, GetAffinityTerms; v1.35.
auto affinity_fault(const NodeInfoSnapshot& node_infos, const Pod& pod) -> std::string {
  const Affinity& affinity = pod.spec.affinity;
  const Faults found(node_infos);
  std::vector<std::string> faults;
  found.add_first("requiredAffinityTerms", affinity.pod.required, faults);
  found.add_first("requiredAntiAffinityTerms", affinity.pod_anti.required, faults);
  found.add_first("preferredAffinityTerms", affinity.pod.preferred, faults);
  found.add_first("preferredAntiAffinityTerms", affinity.pod_anti.preferred, faults);
  return aggregate(faults);
}

// Source: kubernetes: pkg/scheduler/framework/plugins/podtopologyspread/common.go filterTopologySpreadConstraints;
// v1.35.
auto spread_fault(const NodeInfoSnapshot& node_infos, const Pod& pod, std::string_view when) -> std::string {
  for (const TopologySpreadConstraint& each : pod.spec.topology_spread) {
    if (node_infos.cluster().text(each.when_unsatisfiable) != when) continue;
    if (std::string fault = Faults(node_infos).of(each.selector); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace previct::kube
