#pragma once

#include "cluster/snapshot.h"

#include <string>

namespace previct {

/// The flags of a component that change what it decides, as far as objects keep them (flag_of_release()).
struct OwnFlags {
  std::string gates;        ///< of all --feature-gates: `A=true,B=false`
  std::string emulated;     ///< --emulated-version: `1.33`
  bool configured = false;  ///< --config
  std::string qps;          ///< --kube-api-qps=…, as written
  std::string burst;        ///< --kube-api-burst=…, as written
  std::string flush;        ///< --pod-max-in-unschedulable-pods-duration=…, as written
};

/// Reads the command and the arguments of a container. A flag and its value may be one argument or two. Gates of
/// another component than `kube` are left out. Source: k8s.io/component-base v0.35
/// cli/flag/colon_separated_multimap_string_string.go; spf13/pflag flag.go parseLongArg.
[[nodiscard]] auto own_flags(const Container& container, const Symbols& symbols) -> OwnFlags;

}  // namespace previct
