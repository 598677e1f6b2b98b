#pragma once

#include "engine/yunikorn/resources.h"

namespace previct::yunikorn {

/// The types of resources that every cluster has.
inline constexpr TypeId kCpu = 0;
inline constexpr TypeId kPods = 1;

}  // namespace previct::yunikorn
