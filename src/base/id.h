#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace previct {

/// A 32-bit index of an object among those of its kind, in load order. The tag prevents a PodId from indexing nodes.
template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  std::uint32_t index = kNone;

  /// False if the id refers to nothing.
  [[nodiscard]] constexpr explicit operator bool() const { return index != kNone; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

/// A vector that only ids of its own kind can index.
template <class IdType, class T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(std::size_t size, const T& value = T()) : items_(size, value) {}

  [[nodiscard]] auto operator[](IdType id) -> T& { return items_[id.index]; }
  [[nodiscard]] auto operator[](IdType id) const -> const T& { return items_[id.index]; }

  auto add(T item) -> IdType {
    items_.push_back(std::move(item));
    return IdType{static_cast<std::uint32_t>(items_.size() - 1)};
  }

  [[nodiscard]] auto size() const -> std::size_t { return items_.size(); }
  [[nodiscard]] auto empty() const -> bool { return items_.empty(); }
  [[nodiscard]] auto begin() { return items_.begin(); }
  [[nodiscard]] auto end() { return items_.end(); }
  [[nodiscard]] auto begin() const { return items_.begin(); }
  [[nodiscard]] auto end() const { return items_.end(); }
  [[nodiscard]] auto items() -> std::vector<T>& { return items_; }
  [[nodiscard]] auto items() const -> const std::vector<T>& { return items_; }

  /// All ids, in order: `for (PodId pod : pods.ids())`.
  class Ids {
   public:
    struct Iterator {
      std::uint32_t at;
      auto operator*() const -> IdType { return IdType{at}; }
      auto operator++() -> Iterator& {
        ++at;
        return *this;
      }
      auto operator==(const Iterator&) const -> bool = default;
    };
    explicit Ids(std::size_t size) : size_(static_cast<std::uint32_t>(size)) {}
    [[nodiscard]] auto begin() const -> Iterator { return {0}; }
    [[nodiscard]] auto end() const -> Iterator { return {size_}; }

   private:
    std::uint32_t size_;
  };
  [[nodiscard]] auto ids() const -> Ids { return Ids(items_.size()); }

 private:
  std::vector<T> items_;
};

using Symbol = Id<struct SymbolTag>;
using FileId = Id<struct FileTag>;
using PodId = Id<struct PodTag>;
using NodeId = Id<struct NodeTag>;

}  // namespace previct
