#include "input/read_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace previct {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10U;
constexpr std::size_t kMostAhead = 4;

class ReadAhead final : public ByteSource {
 public:
  explicit ReadAhead(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
    try {
      helper_ = std::thread([this] { fetch(); });
    } catch (const std::system_error&) {
      // No thread is available: the reader fetches the pieces itself.
    }
  }
  ReadAhead(const ReadAhead&) = delete;
  auto operator=(const ReadAhead&) -> ReadAhead& = delete;
  ~ReadAhead() override {
    {
      const std::lock_guard lock(mutex_);
      given_up_ = true;
    }
    changed_.notify_all();
    if (helper_.joinable()) helper_.join();
  }

  auto read(std::span<char> into) -> Result<std::size_t> override {
    if (!helper_.joinable()) return source_->read(into);
    if (at_ == piece_.bytes.size() && !ended_) PREVICT_CHECK(next());
    const std::size_t size = std::min(into.size(), piece_.bytes.size() - at_);
    std::copy_n(piece_.bytes.begin() + static_cast<std::ptrdiff_t>(at_), size, into.begin());
    at_ += size;
    return size;
  }

 private:
  /// A piece of the bytes; empty at the end, or if the source failed or threw.
  struct Piece {
    std::vector<char> bytes;
    Result<void> result;
    std::exception_ptr thrown;
  };

  auto next() -> Result<void> {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !ahead_.empty(); });
      piece_ = std::move(ahead_.front());
      ahead_.pop_front();
    }
    changed_.notify_all();
    at_ = 0;
    ended_ = piece_.bytes.empty();
    if (piece_.thrown) std::rethrow_exception(piece_.thrown);
    return piece_.result;
  }

  void fetch() {
    for (bool end = false; !end;) {
      Piece piece;
      try {
        piece.bytes.resize(kPiece);
        const auto count = source_->read(piece.bytes);
        if (!count) piece.result = tl::unexpected(count.error());
        piece.bytes.resize(count.value_or(0));
      } catch (...) {
        piece.bytes.clear();
        piece.thrown = std::current_exception();
      }
      end = piece.bytes.empty();
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ahead_.size() < kMostAhead || given_up_; });
      if (given_up_) return;
      ahead_.push_back(std::move(piece));
      lock.unlock();
      changed_.notify_all();
    }
  }

  std::unique_ptr<ByteSource> source_;
  Piece piece_;  // the current piece
  std::size_t at_ = 0;
  bool ended_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> ahead_;
  bool given_up_ = false;
  std::thread helper_;
};

}  // namespace

auto read_ahead(std::unique_ptr<ByteSource> source) -> std::unique_ptr<ByteSource> {
  return std::make_unique<ReadAhead>(std::move(source));
}

}  // namespace previct
