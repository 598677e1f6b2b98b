#pragma once

#include "api/locate.h"
#include "api/objects.h"

#include <fmt/format.h>

#include <string_view>

namespace previct {

/// The failure that the API server would refuse this pod, because of this field.
[[nodiscard]] inline auto refuse(const Pod& pod, std::string_view field, std::string_view why, const Objects& objects)
    -> tl::unexpected<Failure> {
  auto refused = fail(fmt::format("pod {}/{} would be refused by the API server: {}", objects.symbols.text(pod.meta.ns),
                                  objects.symbols.text(pod.meta.name), why),
                      locate(objects.sources, pod.meta.source, field));
  refused.value().refusal = why;
  return refused;
}

}  // namespace previct
