#include "live/kubectl.h"

#include "base/shortened.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::live {
namespace {

// Source: kubernetes/kubectl: pkg/cmd/util/helpers.go, StandardErrorMessage: `Error from server (<reason>): <message>`.
auto has_reason(std::string_view errors, std::string_view reason) -> bool {
  return errors.find(fmt::format("Error from server ({})", reason)) != std::string_view::npos;
}

auto help_for(std::string_view errors) -> std::string {
  const auto says = [&](std::string_view words) { return errors.find(words) != std::string_view::npos; };
  if (says("Unauthorized") || says("logged in")) return "log in as for kubectl itself, or name a --context";
  if (says("localhost:8080"))
    return "kubectl has no cluster configured: name one with --kubeconfig or --context, or pass a dump with -f FILE";
  if (says("refused") || says("no such host") || says("timeout") || says("Timeout")) {
    return "kubectl config current-context shows the current cluster; --context and --kubeconfig select another, and "
           "-f FILE reads a dump instead";
  }
  return "check the same flags with kubectl get; -f reads a dump instead";
}

}  // namespace

auto get_raw(const Kubectl& kubectl, const std::string& uri) -> Result<Response> {
  std::vector<std::string> arguments = {"get", "--raw=" + uri};
  arguments.insert(arguments.end(), kubectl.connection.begin(), kubectl.connection.end());
  auto finished = system::run_program(kubectl.program, arguments, kubectl.patience);
  if (!finished) {
    return fail(fmt::format("kubectl get --raw={}: {}", shortened(uri), finished.error().message), {},
                finished.error().message.find(" bytes") == std::string::npos
                    ? "--request-timeout sets a limit"
                    : "--page-size reduces the size of a request; --max-input raises the limit");
  }
  if (finished->status == 0)
    return Response{Response::Status::answered, std::move(finished->out), finished->held, std::move(finished->bytes)};
  const std::string words = shortened(system::last_line(finished->errors));
  if (has_reason(finished->errors, "Forbidden")) return Response{Response::Status::forbidden, words, finished->held};
  if (has_reason(finished->errors, "NotFound")) return Response{Response::Status::absent, words, finished->held};
  // The message of the apiserver's storage; the reason before it has changed between releases.
  const bool too_old = finished->errors.find("The provided continue parameter is too old") != std::string::npos;
  if (too_old || has_reason(finished->errors, "Expired") || has_reason(finished->errors, "Gone")) {
    return Response{Response::Status::expired, words, finished->held};
  }
  return fail(
      fmt::format("kubectl get failed (exit {}): {}", finished->status, words.empty() ? "it does not say why" : words),
      {}, help_for(finished->errors));
}

auto namespace_of_context(const Kubectl& kubectl) -> std::optional<std::string> {
  std::vector<std::string> arguments = {"config", "view", "--minify", "--output=jsonpath={..namespace}"};
  arguments.insert(arguments.end(), kubectl.connection.begin(), kubectl.connection.end());
  // This command only reads a file and contacts no server.
  constexpr std::size_t kMostBytes = 4096;
  constexpr std::chrono::milliseconds kLongest{10'000};
  const auto finished = system::run_program(
      kubectl.program, arguments, {.silence = std::min(kLongest, kubectl.patience.silence), .most_bytes = kMostBytes});
  if (!finished || finished->status != 0) return {};
  std::string name = finished->out;
  while (!name.empty() && (name.back() == '\n' || name.back() == '\r')) name.pop_back();
  if (name.empty()) return "default";
  // A DNS label, like every namespace.
  constexpr std::size_t kLongestName = 63;
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  if (name.size() > kLongestName || name.find_first_not_of(kLetters) != std::string::npos) return {};
  return name;
}

}  // namespace previct::live
