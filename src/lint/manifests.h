#pragma once

#include "lint/value.h"

#include <cstddef>
#include <vector>

namespace previct::lint {

/// A list of pointers to manifests that iterates over the manifests.
class Manifests {
 public:
  class Iterator {
   public:
    explicit Iterator(std::vector<const Manifest*>::const_iterator at) : at_(at) {}
    auto operator*() const -> const Manifest& { return **at_; }
    auto operator++() -> Iterator& {
      ++at_;
      return *this;
    }
    auto operator==(const Iterator& other) const -> bool { return at_ == other.at_; }

   private:
    std::vector<const Manifest*>::const_iterator at_;
  };

  Manifests() = default;
  explicit Manifests(std::vector<const Manifest*> list) : list_(std::move(list)) {}

  [[nodiscard]] auto begin() const -> Iterator { return Iterator(list_.begin()); }
  [[nodiscard]] auto end() const -> Iterator { return Iterator(list_.end()); }
  [[nodiscard]] auto size() const -> std::size_t { return list_.size(); }

 private:
  std::vector<const Manifest*> list_;
};

}  // namespace previct::lint
