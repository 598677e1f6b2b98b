#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace previct {

struct Pod;
class Symbols;

/// How a pod shows that a scheduler, or a controller beside it, decides about it.
enum class PodsOf : std::uint8_t {
  any_other,  ///< by a schedulerName that no other scheduler has for itself
  own_name,   ///< by its schedulerName, and then no other scheduler decides
  any_name,   ///< by a schedulerName that its configuration may set; only its own objects tell
  marks       ///< by a label or a scheduling gate, whatever the schedulerName
};

/// What readers of inputs know of a scheduler. The rows are in src/engine/<name>/scheduler.def.
struct SchedulerInfo {
  std::string_view engine;            ///< name of its engine
  std::string_view title;             ///< its name in tables
  std::string_view scheduler_name{};  ///< of its pods, unless its configuration sets another one; empty: none
  PodsOf pods = PodsOf::own_name;
  std::string_view label{};  ///< for PodsOf::marks
  std::string_view gate{};   ///< for PodsOf::marks
  std::string_view ns{};     ///< the namespace of its installation, as its documents have it; empty: none
  /// Names of the images that show its release; one that ends with a slash is a folder of images.
  std::array<std::string_view, 3> images{};
  /// How the image of the part that decides begins, as component_of_image() returns it.
  std::string_view own_image{};

  /// Returns true if the pod has its label or its gate.
  [[nodiscard]] auto marks(const Pod& pod, const Symbols& symbols) const -> bool;
};

/// One constant for each scheduler, such as `schedulers::kai`.
namespace schedulers {
#define PREVICT_SCHEDULER(name, ...) inline constexpr SchedulerInfo name{.engine = #name, __VA_ARGS__};
#include "api/schedulers.def"
}  // namespace schedulers

inline constexpr std::array kSchedulers = {
#define PREVICT_SCHEDULER(name, ...) schedulers::name,
#include "api/schedulers.def"
};

}  // namespace previct
