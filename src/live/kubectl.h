#pragma once

#include "live/process.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::live {

/// How to reach a cluster: kubectl knows the kubeconfig, the certificates and the login.
struct Kubectl {
  std::string program = "kubectl";      ///< a file that exists, see find_program()
  std::vector<std::string> connection;  ///< its own flags, each `--flag=value` in one word
  Patience patience;
  std::string ns{};  ///< whose objects are asked for where those of all namespaces may not be listed; empty: of none
};

/// What the API server said to one request.
struct Said {
  enum class Status : std::uint8_t {
    answered,
    forbidden,  ///< the user may not
    absent,     ///< there is no such kind in this cluster
    expired     ///< the place in a paged list is too old
  };
  Status status = Status::answered;
  std::string text;   ///< the body; else kubectl's words, raw, shortened (base/shortened.h)
  bool held = false;  ///< see Finished
  HeldBytes bytes{};  ///< of the text
};

/// `kubectl get --raw=<uri>`: the body as the API server sent it, which kubectl neither decodes nor prints anew.
///
/// Errors, in our words and with kubectl's own: it cannot be run, hangs, ends with a failure that is about the
/// connection or the login and not about this one kind.
[[nodiscard]] auto get_raw(const Kubectl& kubectl, const std::string& uri) -> Result<Said>;

/// The namespace in which kubectl itself looks where none is named: that of its context, or `default`. None: kubectl
/// does not say, or not in time.
[[nodiscard]] auto namespace_of_context(const Kubectl& kubectl) -> std::optional<std::string>;

}  // namespace previct::live
