#pragma once

#include "live/cluster.h"
#include "system/process.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace previct::live {

/// Keeps the state of a cluster up to date with the API's own watches: one `kubectl get
/// --raw=PATH?watch=1&resourceVersion=…&allowWatchBookmarks=true` for each list. Between events, nothing is requested.
/// A list is read again only if the API server reports that it no longer knows the version (410).
class Follower {
 public:
  /// Keeps `objects`, as filled by load_cluster(), and `reading` up to date.
  Follower(Kubectl kubectl, std::uint32_t page_size, std::string engine, BaseNeeds base_needs, Objects& objects,
           Reading& reading);
  ~Follower();
  Follower(const Follower&) = delete;
  auto operator=(const Follower&) -> Follower& = delete;

  struct News {
    bool changed = false;
    std::string trouble{};  ///< the reason why a watch ended; the watch is started again
  };
  /// Waits until something has changed, but at most `most`. Events in quick succession are handled together.
  ///
  /// Errors: a list that must be read again cannot be read; an event cannot be parsed.
  [[nodiscard]] auto wait(std::chrono::milliseconds most) -> Result<News>;

  /// False after the API server has refused a watch to this user; then the lists must be read again.
  [[nodiscard]] auto may_watch() const -> bool { return refused_.empty(); }
  /// The message of that refusal.
  [[nodiscard]] auto refused() const -> const std::string& { return refused_; }

 private:
  struct Watch;
  struct Descriptors;

  void start(Watch& watch);
  auto descriptors(std::chrono::steady_clock::time_point now) -> Descriptors;
  [[nodiscard]] auto take(Watch& watch) -> Result<bool>;
  [[nodiscard]] auto apply(Watch& watch, const std::string& line) -> Result<bool>;
  [[nodiscard]] auto ended(Watch& watch, News& news) -> Result<void>;
  [[nodiscard]] auto relist(Watch& watch) -> Result<void>;
  [[nodiscard]] auto read_missing() -> Result<void>;
  void watch_all();

  Kubectl kubectl_;
  std::uint32_t page_size_;
  std::string engine_;
  BaseNeeds base_needs_;
  Objects& objects_;
  Reading& reading_;
  std::string refused_;
  std::vector<std::unique_ptr<Watch>> watches_;
};

}  // namespace previct::live
