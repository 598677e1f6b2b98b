#pragma once

#include "live/cluster.h"
#include "live/process.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace previct::live {

/// Keeps the state of a cluster as it was read up to date by the API's own watches: one
/// `kubectl get --raw=PATH?watch=1&resourceVersion=…&allowWatchBookmarks=true` for each list. Between the events it
/// asks for nothing. A list is read anew only where the API server says that it no longer knows the version (410).
class Follower {
 public:
  /// `objects`, as load_cluster() has filled them, and `reading` are kept up to date.
  Follower(Kubectl kubectl, std::uint32_t page_size, std::string engine, InAnyCase in_any_case, Objects& objects,
           Reading& reading);
  ~Follower();
  Follower(const Follower&) = delete;
  auto operator=(const Follower&) -> Follower& = delete;

  struct News {
    bool changed = false;
    std::string trouble{};  ///< why a watch did not go on; it is tried again
  };
  /// Waits until something has changed, but no longer than `most`. Events that come closely together are taken as one.
  ///
  /// Errors: a list that has to be read anew cannot be; an event that cannot be read.
  [[nodiscard]] auto wait(std::chrono::milliseconds most) -> Result<News>;

  /// False once the API server has said that this user may not watch some kind: then the lists have to be read again.
  [[nodiscard]] auto may_watch() const -> bool { return refused_.empty(); }
  /// What it said.
  [[nodiscard]] auto refused() const -> const std::string& { return refused_; }

 private:
  struct Watch;
  struct Descriptors;

  void start(Watch& watch);
  auto descriptors(std::chrono::steady_clock::time_point now) -> Descriptors;
  [[nodiscard]] auto take(Watch& watch) -> Result<bool>;
  [[nodiscard]] auto apply(Watch& watch, const std::string& line) -> Result<bool>;
  [[nodiscard]] auto ended(Watch& watch, News& news) -> Result<void>;
  [[nodiscard]] auto read_anew(Watch& watch) -> Result<void>;
  [[nodiscard]] auto read_missing() -> Result<void>;
  void watch_all();

  Kubectl kubectl_;
  std::uint32_t page_size_;
  std::string engine_;
  InAnyCase in_any_case_;
  Objects& objects_;
  Reading& reading_;
  std::string refused_;
  std::vector<std::unique_ptr<Watch>> watches_;
};

}  // namespace previct::live
