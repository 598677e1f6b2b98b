#pragma once

#include "base/pool.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define PREVICT_TELLS_THREADS
#endif

namespace previct {

/// A short copy-on-write list: copies share their elements until one of them is modified, so that equal lists of
/// replicas are stored once. It has the size of one pointer and allocates nothing while it is empty. Copies may be used
/// and destroyed on different threads.
///
/// The interface is that of std::vector. The non-const accessors may modify elements, so they first give the list its
/// own copy.
template <class T>
class SharedList {
 public:
  using value_type = T;

  SharedList() = default;
  SharedList(std::initializer_list<T> elements) {
    reserve(elements.size());
    for (const T& element : elements) push_back(element);
  }
  SharedList(const SharedList& other) : block_(other.block_) {
    if (block_ != nullptr) add_user(*block_);
  }
  SharedList(SharedList&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  auto operator=(SharedList other) noexcept -> SharedList& {
    std::swap(block_, other.block_);
    return *this;
  }
  ~SharedList() {
    if (block_ == nullptr || !is_last_user(*block_)) return;
    std::destroy_n(elements(), block_->size);
    const std::size_t bytes = bytes_of(block_->room);
    kPooled ? Pool::give(block_, bytes) : ::operator delete(block_);
  }

  [[nodiscard]] auto size() const -> std::size_t { return block_ == nullptr ? 0 : block_->size; }
  [[nodiscard]] auto empty() const -> bool { return size() == 0; }
  [[nodiscard]] auto begin() const -> const T* { return block_ == nullptr ? nullptr : elements(); }
  [[nodiscard]] auto end() const -> const T* { return begin() + size(); }
  /// Bounds-checked: these three throw std::out_of_range.
  [[nodiscard]] auto operator[](std::size_t index) const -> const T& { return begin()[within(index)]; }
  [[nodiscard]] auto front() const -> const T& { return begin()[within(0)]; }
  [[nodiscard]] auto back() const -> const T& { return begin()[within(size() - 1)]; }

  [[nodiscard]] auto begin() -> T* {
    own(size());
    return block_ == nullptr ? nullptr : elements();
  }
  [[nodiscard]] auto end() -> T* { return begin() + size(); }
  [[nodiscard]] auto operator[](std::size_t index) -> T& { return begin()[within(index)]; }
  [[nodiscard]] auto front() -> T& { return begin()[within(0)]; }
  [[nodiscard]] auto back() -> T& { return begin()[within(size() - 1)]; }

  /// The elements, for a change that applies to all lists that share them. No other thread may read any of these lists
  /// at the same time.
  [[nodiscard]] auto elements_of_all() const -> std::span<T> {
    return block_ == nullptr ? std::span<T>() : std::span<T>(elements(), block_->size);
  }
  /// An address that identifies the shared elements; null if they are not shared.
  [[nodiscard]] auto shared() const -> const void* { return block_ != nullptr && is_shared() ? block_ : nullptr; }

  void clear() { *this = SharedList(); }
  void reserve(std::size_t room) { own(room); }
  void push_back(T element) { emplace_back(std::move(element)); }
  template <class... Arguments>
  auto emplace_back(Arguments&&... arguments) -> T& {
    const std::size_t wanted = size() + 1;
    own(block_ == nullptr || wanted <= block_->room ? wanted : wanted + wanted / 2);
    T* const added = std::construct_at(elements() + size(), std::forward<Arguments>(arguments)...);
    ++block_->size;
    return *added;
  }
  void erase(const T* element) {
    remove([&](const T& each) { return &each == element; });
  }
  template <class Predicate>
  friend void erase_if(SharedList& list, Predicate predicate) {
    list.remove(predicate);
  }

  friend auto operator==(const SharedList& a, const SharedList& b) -> bool {
    return a.block_ == b.block_ || std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  struct Block {
    std::atomic<std::uint32_t> users;
    std::uint32_t size;
    std::uint32_t room;
  };
  // An atomic increment costs more than the copy; it is avoided while there is only one thread.
  static auto is_only_thread() -> bool {
#if defined(PREVICT_TELLS_THREADS)
    return __libc_single_threaded != 0;
#else
    return false;
#endif
  }
  static void add_user(Block& block) {
    if (is_only_thread()) {
      block.users.store(block.users.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    } else {
      block.users.fetch_add(1, std::memory_order_relaxed);
    }
  }
  static auto is_last_user(Block& block) -> bool {
    if (!is_only_thread()) return block.users.fetch_sub(1, std::memory_order_acq_rel) == 1;
    const std::uint32_t before = block.users.load(std::memory_order_relaxed);
    block.users.store(before - 1, std::memory_order_relaxed);
    return before == 1;
  }
  static constexpr std::size_t kFront = (sizeof(Block) + alignof(T) - 1) / alignof(T) * alignof(T);

  static constexpr bool kPooled = alignof(T) <= Pool::kAlignment;
  static constexpr auto bytes_of(std::size_t room) -> std::size_t {
    return kFront + room * sizeof(T);
  }

  [[nodiscard]] auto within(std::size_t index) const -> std::size_t {
    if (index >= size()) throw std::out_of_range("an element that a list does not have");
    return index;
  }
  [[nodiscard]] auto elements() const -> T* {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(block_) + kFront);
  }
  [[nodiscard]] auto is_shared() const -> bool {
    return block_->users.load(std::memory_order_acquire) != 1;
  }

  /// Makes this list the only user of a block with capacity for `room` elements.
  void own(std::size_t room) {
    if (block_ == nullptr ? room == 0 : block_->room >= room && !is_shared()) return;
    SharedList owned;
    void* const bytes = kPooled ? Pool::take(bytes_of(room)) : ::operator new(bytes_of(room));
    owned.block_ = new (bytes) Block{1, 0, static_cast<std::uint32_t>(room)};
    if (block_ != nullptr && is_shared()) {
      std::uninitialized_copy_n(elements(), size(), owned.elements());
    } else {
      std::uninitialized_move_n(block_ == nullptr ? nullptr : elements(), size(), owned.elements());
    }
    owned.block_->size = static_cast<std::uint32_t>(size());
    std::swap(block_, owned.block_);
  }

  template <class Predicate>
  void remove(Predicate predicate) {
    SharedList kept;
    for (const T& element : std::as_const(*this)) {
      if (!predicate(element)) kept.push_back(element);
    }
    *this = std::move(kept);
  }

  Block* block_ = nullptr;
};

/// True for a std::vector or a SharedList.
template <class>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsList<SharedList<T>> = true;
template <class T>
concept AnyList = kIsList<T>;

}  // namespace previct
