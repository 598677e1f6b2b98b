#include "sequence/settings.h"

#include "analysis/subject.h"
#include "api/quantity.h"
#include "engine/kube/known.h"
#include "engine/kube/running_release.h"
#include "sequence/report.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {
namespace {

auto offset(std::string_view text) -> std::optional<Time> {
  if (text.substr(0, 1) != "+") return {};
  const auto length = parse_go_duration(text.substr(1));
  return length && *length >= 0 ? length : std::nullopt;
}

// Reads `5%`, `0.25%` as parts per million.
auto rate_of(std::string_view text) -> std::optional<std::uint32_t> {
  if (!text.ends_with('%')) return {};
  text.remove_suffix(1);
  constexpr std::int64_t kOfPercent = 10'000;
  const auto quantity = Quantity::parse(text);
  const bool digits = text.find_first_not_of("0123456789.") == std::string_view::npos;
  if (!quantity || !digits) return {};
  const auto thousandths = quantity->milli();
  if (thousandths <= 0 || thousandths > 100'000) return {};
  return static_cast<std::uint32_t>(thousandths * kOfPercent / 1000);
}

}  // namespace

auto read_failure(std::string_view text, const Snapshot& cluster) -> Result<Failure> {
  const std::size_t colon = text.find(':');
  const std::string_view verb = text.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  const bool by_rate = rest.ends_with('%');
  const auto rate = rate_of(rest);
  if (by_rate && !rate) return fail(fmt::format("--fail \"{}\": expected a rate from 0.001% to 100%", text));
  if (verb == "api" && by_rate) return Failure{.per_million = *rate};
  if (verb == "api") {
    const std::size_t dots = rest.find("..");
    const auto from = offset(rest.substr(0, dots));
    const auto until = dots == std::string_view::npos ? std::nullopt : offset(rest.substr(dots + 2));
    if (!from || !until || *from >= *until) {
      return fail(
          fmt::format("--fail \"{}\": expected a period such as api:+1s..+20s, or a rate such as api:5%", text));
    }
    return Failure{Failure::Verb::any, {}, *from, *until};
  }
  Failure failure;
  if (verb == "delete") {
    failure.verb = Failure::Verb::remove;
  } else if (verb == "patch-status") {
    failure.verb = Failure::Verb::mark;
  } else if (verb == "nominate") {
    failure.verb = Failure::Verb::nominate;
  } else {
    return fail(
        fmt::format("--fail \"{}\": expected delete:POD, patch-status:POD, nominate:POD or api:+1s..+20s", text));
  }
  if (by_rate) {
    failure.per_million = *rate;
    return failure;
  }
  if (rest.empty())
    return fail(fmt::format("--fail \"{}\": the pod is missing; expected {}:NAMESPACE/POD", text, verb));
  PREVICT_TRY(failure.pod, find_pod(cluster, rest, "default"));
  return failure;
}

auto read_lasting(std::string_view text, std::string_view flag) -> Result<PodDuration> {
  const std::size_t equals = text.rfind('=');
  const auto length = equals == std::string_view::npos ? std::nullopt : parse_go_duration(text.substr(equals + 1));
  if (!length || *length <= 0 || equals == 0) {
    return fail(fmt::format("{} \"{}\": expected PODS=LENGTH, such as train-*=15m", flag, text));
  }
  return PodDuration{std::string(text.substr(0, equals)), *length};
}

auto matches(const PodDuration& duration, std::string_view ns, std::string_view name) -> bool {
  std::string_view pattern = duration.pods;
  const std::size_t slash = pattern.find('/');
  if (slash != std::string_view::npos) {
    if (pattern.substr(0, slash) != ns) return false;
    pattern.remove_prefix(slash + 1);
  }
  if (!pattern.ends_with('*')) return name == pattern;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

auto read_recurring(std::string_view text, const Snapshot& cluster) -> Result<Recurring> {
  const std::size_t equals = text.rfind('=');
  const auto length = equals == std::string_view::npos ? std::nullopt : parse_go_duration(text.substr(equals + 1));
  if (!length || *length <= 0)
    return fail(fmt::format("--every \"{}\": expected POD=LENGTH, such as ml/eval=10m", text));
  PREVICT_TRY(const PodId pod, find_pod(cluster, text.substr(0, equals), "default"));
  if (!cluster.pending(pod)) return fail(fmt::format("--every {}: the pod is already on a node", cluster.key(pod)));
  return Recurring{pod, *length};
}

auto read_arrival(std::string_view text, const Snapshot& cluster) -> Result<Arrival> {
  const std::size_t equals = text.rfind('=');
  const auto at = equals == std::string_view::npos ? std::nullopt : offset(text.substr(equals + 1));
  if (!at) return fail(fmt::format("--arrive \"{}\": expected POD=+LENGTH, such as default/pod2=+2s", text));
  PREVICT_TRY(const PodId pod, find_pod(cluster, text.substr(0, equals), "default"));
  if (!cluster.pending(pod)) {
    return fail(fmt::format("--arrive {}: the pod is already on a node", cluster.key(pod)));
  }
  return Arrival{pod, *at};
}

auto fails_by_rate(const Settings& settings) -> bool {
  return std::any_of(settings.failures.begin(), settings.failures.end(),
                     [](const Failure& failure) { return failure.per_million > 0; });
}

auto check_recurring(const Settings& settings) -> Result<void> {
  constexpr Time kMost = 2'000;
  Time pods = 0;
  for (const Recurring& each : settings.recurring) {
    pods += std::min(settings.horizon / each.every, kMost + 1);
    if (pods <= kMost) continue;
    return fail(fmt::format("--every creates more than {} pods within the horizon of {}, which is too many to simulate",
                            kMost, format_offset(settings.horizon).substr(1)),
                {}, "use a longer period, or a shorter --horizon");
  }
  return {};
}

auto share_requests(const Snapshot& cluster, Settings& settings) -> Result<void> {
  PREVICT_TRY(const kube::RunningRelease running, kube::running_release(cluster, settings.question));
  const kube::NodeInfoSnapshot& requests = kube::known_of(cluster, running.release).node_infos;
  static_cast<void>(requests.scored_columns());
  settings.requests = std::shared_ptr<const kube::NodeInfoSnapshot>(std::shared_ptr<void>(), &requests);
  return {};
}

}  // namespace previct::sequence
