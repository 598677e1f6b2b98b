#pragma once

#include <future>
#include <type_traits>

namespace previct {

/// Calls `work` in a thread of its own, or, where no more threads are to be had, when its result is asked for. Of the
/// two std::async makes one attempt after the other, and libstdc++ moves what it was given into the first: hence a
/// copy.
template <class Work>
[[nodiscard]] auto launched(const Work& work) -> std::future<std::invoke_result_t<Work>> {
  return std::async(std::launch::async | std::launch::deferred, work);
}

}  // namespace previct
