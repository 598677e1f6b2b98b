#pragma once

#include "api/configurations.h"
#include "api/deduplicate.h"
#include "api/load.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// As load(), for one text in memory, which `name` names in messages. Fields cannot be located in it afterwards.
[[nodiscard]] auto load_text(const std::string& name, std::string_view text, const LoadOptions& options,
                             Objects& objects) -> Result<Configurations>;

/// What an input has besides the objects that are stored.
struct FoundBesides {
  Watched watched{};
  ConfigurationFinder configurations{};
  std::vector<Place> configurations_at{};  ///< the first one of each kind
};

/// The first step of load_text(): adds the objects of the text, each as it is written.
[[nodiscard]] auto read_text(const std::string& name, std::string_view text, const LoadOptions& options,
                             Objects& objects, FoundBesides& besides) -> Result<void>;

/// The configurations that were found in the text.
[[nodiscard]] auto configurations_in(std::string_view text, const FoundBesides& besides) -> Result<Configurations>;

/// The last step of load(), after the last input: keeps one of several objects with one name, and applies defaults that
/// depend on other objects.
[[nodiscard]] auto complete_objects(const LoadOptions& options, const Watched& watched, Objects& objects)
    -> Result<void>;

}  // namespace previct
