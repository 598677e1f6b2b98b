#pragma once

#include "lint/repository.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace previct::lint {

/// The budgets of a scope, indexed by the labels that they select, so that each pod is compared with few budgets.
class BudgetIndex {
 public:
  explicit BudgetIndex(const Repository& repository);

  /// The budgets that select the pod (an empty selector selects all), in the order of the input.
  [[nodiscard]] auto of(const PodShape& pod) const -> std::vector<const Manifest*>;

 private:
  struct Entry {
    std::size_t at = 0;  ///< position in the input
    const Manifest* budget = nullptr;
  };
  /// Namespace, key, value of a label that a budget requires. Key empty: the budget requires no label.
  using Label = std::tuple<std::string_view, std::string_view, std::string_view>;

  std::map<Label, std::vector<Entry>> by_label_;
};

}  // namespace previct::lint
