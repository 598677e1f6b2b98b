#include "base/go.h"
#include "lint/placeholder.h"
#include "lint/rule.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

namespace previct::lint {
namespace {

auto all_digits(std::string_view text) -> bool {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Parses a 32-bit integer. kubectl converts `1.0` and `1e3`, which are valid JSON, to integers.
auto whole_number(std::string_view text) -> std::optional<std::int64_t> {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = read.ec == std::errc() && read.ptr == text.data() + text.size();
  if (!all || value != std::trunc(value) || value < INT32_MIN || value > INT32_MAX) return {};
  return static_cast<std::int64_t>(value);
}

/// Requires a number of at least 0, or a percentage of at most 100.
auto fault_of_limit(const Value& limit) -> std::string {
  const std::string_view text = limit.text();
  if (!limit.is_string()) {
    const auto number = whole_number(text);
    if (!number) return "must be a 32-bit integer, or a percentage such as \"50%\"";
    return *number < 0 ? "must be greater than or equal to 0" : "";
  }
  if (!text.ends_with('%') || !all_digits(text.substr(0, text.size() - 1)))
    return "must be a number, or a percentage such as \"50%\"";
  const auto percent = go::parse_int(text.substr(0, text.size() - 1), 64);
  return percent && *percent <= 100 ? "" : "must not be greater than 100%";
}

}  // namespace

const Rule& pd012_limit_invalid_rule = Rule{
    .id = "PD012",
    .name = "limit-invalid",
    .severity = Severity::error,
    .title = "a budget whose limit or policy the API server refuses",
    .why = "The API server does not create it: no pod is protected.",
    .how_to_fix =
        "Write an integer of 0 or more, or a percentage from \"0%\" to \"100%\"; unhealthyPodEvictionPolicy is "
        "IfHealthyBudget or AlwaysAllow.",
    .source =
        "kubernetes pkg/apis/policy/validation ValidatePodDisruptionBudgetSpec; apimachinery pkg/util/intstr "
        "IntOrString.UnmarshalJSON",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* budget : repository.of(kind::kBudget)) {
        const Value spec = (*budget)["spec"];
        for (const char* field : {"minAvailable", "maxUnavailable"}) {
          const Value limit = spec[field];
          if (!limit || is_unknown(limit)) continue;
          const std::string shown = limit.is_scalar() ? fmt::format("{} {}", field, limit.text()) : std::string(field);
          if (const std::string fault = fault_of_limit(limit); !fault.empty())
            found.value(limit, fmt::format("budget {}: {} {}", budget->name, shown, fault));
        }
        const Value policy = spec["unhealthyPodEvictionPolicy"];
        if (policy && !policy.is("IfHealthyBudget") && !policy.is("AlwaysAllow")) {
          found.value(policy, fmt::format("budget {}: unhealthyPodEvictionPolicy {} is neither IfHealthyBudget nor "
                                          "AlwaysAllow",
                                          budget->name, policy.text()));
        }
      }
    }};

}  // namespace previct::lint
