#pragma once

#include "base/progress.h"
#include "input/byte_source.h"
#include "input/events.h"
#include "input/memory_guard.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace previct {

/// An event source that reports its progress from time to time.
class ReportedSource final : public EventSource {
 public:
  /// `before`: bytes of the input before this text; `total`: bytes of the whole input, 0 if unknown.
  ReportedSource(EventSource& source, std::string_view text, Progress* progress, std::string_view name,
                 std::uint64_t before, std::uint64_t total)
      : source_(source), progress_(progress), name_(name), before_(before), total_(total), size_(text.size()) {
    if (progress != nullptr) lines_ = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  }

  auto next() -> Result<Event> override {
    auto event = source_.next();
    if (event && ++count_ % kStep == 0) {
      const std::uint64_t here = lines_ < 2 ? event->column : size_ * event->line / (lines_ + 1);
      progress_->at(name_, before_ + here, total_);
    }
    return event;
  }

 private:
  static constexpr std::size_t kStep = 1024;

  EventSource& source_;
  Progress* progress_;
  std::string_view name_;
  std::uint64_t before_;
  std::uint64_t total_;
  std::uint64_t size_;
  std::uint64_t lines_ = 0;
  std::size_t count_ = 0;
};

/// A byte source that reports its progress and keeps the beginning of the input.
class WatchedBytes final : public ByteSource {
 public:
  WatchedBytes(ByteSource& source, Progress* progress, std::string_view name, std::uint64_t total, MemoryGuard& memory)
      : source_(source), progress_(progress), name_(name), total_(total), memory_(memory) {}

  auto read(std::span<char> into) -> Result<std::size_t> override {
    PREVICT_TRY(const std::size_t count, source_.read(into));
    if (size_ == 0) head_.assign(into.data(), std::min(count, kHead));
    size_ += count;
    if (!memory_.allows(count)) return tl::unexpected(memory_.failure({}));
    if (progress_ != nullptr) progress_->at(name_, size_, total_);
    return count;
  }
  [[nodiscard]] auto left() const -> std::uint64_t override { return total_ - std::min(total_, size_); }
  [[nodiscard]] auto size() const -> std::uint64_t { return size_; }
  [[nodiscard]] auto head() const -> std::string_view { return head_; }

 private:
  static constexpr std::size_t kHead = 256;

  ByteSource& source_;
  Progress* progress_;
  std::string_view name_;
  std::uint64_t total_;
  MemoryGuard& memory_;
  std::uint64_t size_ = 0;
  std::string head_;
};

/// The bytes that one of several threads reads. Only one of the threads reports the progress of all.
class CountedBytes final : public ByteSource {
 public:
  CountedBytes(std::unique_ptr<ByteSource> source, std::atomic<std::uint64_t>& done, std::function<void()> tell,
               MemoryGuard& memory)
      : source_(std::move(source)), done_(done), tell_(std::move(tell)), memory_(memory) {}

  auto read(std::span<char> into) -> Result<std::size_t> override {
    PREVICT_TRY(const std::size_t count, source_->read(into));
    done_ += count;
    if (!memory_.allows(count)) return tl::unexpected(memory_.failure({}));
    if (tell_) tell_();
    return count;
  }
  [[nodiscard]] auto left() const -> std::uint64_t override { return source_->left(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::atomic<std::uint64_t>& done_;
  std::function<void()> tell_;
  MemoryGuard& memory_;
};

}  // namespace previct
