#pragma once

#include "lint/repository.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace previct::lint {

/// The budgets of a scope by what they select, so that each pod is compared with few of many.
class BudgetIndex {
 public:
  explicit BudgetIndex(const Repository& repository);

  /// Those that select the pod (an empty selector selects all), in the order of the input.
  [[nodiscard]] auto of(const PodShape& pod) const -> std::vector<const Manifest*>;

 private:
  struct Entry {
    std::size_t at = 0;  ///< in the order of the input
    const Manifest* budget = nullptr;
  };
  /// Namespace, key, value: of a pod one of whose labels a budget asks for. Key empty: the budget names no label.
  using Label = std::tuple<std::string_view, std::string_view, std::string_view>;

  std::map<Label, std::vector<Entry>> by_label_;
};

}  // namespace previct::lint
