#pragma once

#include "report/report.h"

#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct {

/// Builds a JSON object of many members, whose keys must differ. Adding a member takes constant time; Json::operator[]
/// searches all earlier keys.
class JsonMembers {
 public:
  /// Returns the value, which is valid until the next call.
  auto add(std::string_view key, Json value) -> Json& {
    return members_.emplace_back(std::string(key), std::move(value)).second;
  }

  [[nodiscard]] auto object() && -> Json {
    return Json::object_t(std::make_move_iterator(members_.begin()), std::make_move_iterator(members_.end()));
  }

 private:
  std::vector<std::pair<std::string, Json>> members_;
};

}  // namespace previct
