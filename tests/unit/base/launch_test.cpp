#include "base/launch.h"

#include <catch2/catch.hpp>

#include <cstddef>
#include <string>
#include <thread>

#include <pthread.h>

using namespace previct;

namespace {

// Prevents new threads: there is no memory for their stacks.
class NoThreads {
 public:
  NoThreads() {
    REQUIRE(::pthread_getattr_default_np(&usual_) == 0);
    pthread_attr_t large{};
    REQUIRE(::pthread_attr_init(&large) == 0);
    constexpr std::size_t kMoreThanThereIs = std::size_t{1} << 46U;
    REQUIRE(::pthread_attr_setstacksize(&large, kMoreThanThereIs) == 0);
    REQUIRE(::pthread_setattr_default_np(&large) == 0);
    ::pthread_attr_destroy(&large);
  }
  NoThreads(const NoThreads&) = delete;
  auto operator=(const NoThreads&) -> NoThreads& = delete;
  ~NoThreads() {
    ::pthread_setattr_default_np(&usual_);
    ::pthread_attr_destroy(&usual_);
  }

 private:
  pthread_attr_t usual_{};
};

}  // namespace

TEST_CASE("launch: the callable has all its arguments, even if no thread can be created") {
  const std::string given = "/api/v1/pods?limit=500";  // longer than the small-string buffer
  const auto ask = [&] { return launched([&, text = given] { return std::pair(text, std::this_thread::get_id()); }); };
  const auto here = std::this_thread::get_id();
  const auto [text, thread] = ask().get();
  CHECK(text == given);
  CHECK(thread != here);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)  // sanitizers choose the stacks themselves
  const NoThreads none;
  const auto [late_text, late_thread] = ask().get();
  CHECK(late_text == given);
  CHECK(late_thread == here);
#endif
}
