#pragma once

#include "base/id.h"

#include <compare>

namespace previct {

/// A device, identified by driver, pool and name.
struct DeviceId {
  Symbol driver;
  Symbol pool;
  Symbol name;

  friend auto operator<=>(const DeviceId&, const DeviceId&) = default;
};

}  // namespace previct
