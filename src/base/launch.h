#pragma once

#include <future>
#include <type_traits>

namespace previct {

/// Calls `work` in a new thread or, if no thread can be created, when the result is requested. std::async tries these
/// two in order, and libstdc++ moves its argument into the first attempt; therefore it gets a copy.
template <class Work>
[[nodiscard]] auto launched(const Work& work) -> std::future<std::invoke_result_t<Work>> {
  return std::async(std::launch::async | std::launch::deferred, work);
}

}  // namespace previct
