#include "sequence/settings.h"

#include "analysis/subject.h"

#include <fmt/format.h>

namespace previct::sequence {
namespace {

auto offset(std::string_view text) -> std::optional<Time> {
  if (text.substr(0, 1) != "+") return {};
  const auto length = parse_go_duration(text.substr(1));
  return length && *length >= 0 ? length : std::nullopt;
}

auto pod_of(std::string_view text, const Snapshot& cluster) -> Result<PodId> {
  PREVICT_TRY(const Subject subject, find_subject(cluster, text, "default"));
  return subject.pod;
}

}  // namespace

auto read_failure(std::string_view text, const Snapshot& cluster) -> Result<Failure> {
  const std::size_t colon = text.find(':');
  const std::string_view verb = text.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (verb == "api") {
    const std::size_t dots = rest.find("..");
    const auto from = offset(rest.substr(0, dots));
    const auto until = dots == std::string_view::npos ? std::nullopt : offset(rest.substr(dots + 2));
    if (!from || !until || *from >= *until) {
      return fail(fmt::format("--fail \"{}\": expected a period such as api:+1s..+20s", text));
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
  if (rest.empty()) return fail(fmt::format("--fail \"{}\": whose call? expected {}:NAMESPACE/POD", text, verb));
  PREVICT_TRY(failure.pod, pod_of(rest, cluster));
  return failure;
}

auto read_arrival(std::string_view text, const Snapshot& cluster) -> Result<Arrival> {
  const std::size_t equals = text.rfind('=');
  const auto at = equals == std::string_view::npos ? std::nullopt : offset(text.substr(equals + 1));
  if (!at) return fail(fmt::format("--arrive \"{}\": expected POD=+LENGTH, such as default/pod2=+2s", text));
  PREVICT_TRY(const PodId pod, pod_of(text.substr(0, equals), cluster));
  if (!cluster.pending(pod)) {
    return fail(fmt::format("--arrive {}: the pod is already on a node", cluster.key(pod)));
  }
  return Arrival{pod, *at};
}

}  // namespace previct::sequence
