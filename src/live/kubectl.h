#pragma once

#include "system/process.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::live {

/// How to reach a cluster: kubectl handles kubeconfig, certificates and login.
struct Kubectl {
  std::string program = "kubectl";      ///< an existing file, see system::find_program()
  std::vector<std::string> connection;  ///< kubectl's own flags, each `--flag=value` in one word
  system::ProgramLimits patience;
  std::string ns{};  ///< the namespace to list if listing all namespaces is not permitted; empty: none
};

/// The response of the API server to one request.
struct Response {
  enum class Status : std::uint8_t {
    answered,
    forbidden,  ///< the user has no permission
    absent,     ///< the cluster has no such kind
    expired     ///< the position in a paged list is too old
  };
  Status status = Status::answered;
  std::string text;           ///< the body; otherwise kubectl's message, raw, shortened (base/shortened.h)
  bool held = false;          ///< see system::Finished
  system::HeldBytes bytes{};  ///< the part of the shared bytes that `text` holds
};

/// Runs `kubectl get --raw=<uri>` and returns the body as the API server sent it; kubectl neither decodes nor reformats
/// it.
///
/// Errors, with an explanation and kubectl's own message: kubectl cannot be run, hangs, or fails for a reason that
/// concerns the connection or the login instead of this kind.
[[nodiscard]] auto get_raw(const Kubectl& kubectl, const std::string& uri) -> Result<Response>;

/// The namespace that kubectl uses by default: that of its context, or `default`. None if kubectl does not report it in
/// time.
[[nodiscard]] auto namespace_of_context(const Kubectl& kubectl) -> std::optional<std::string>;

}  // namespace previct::live
