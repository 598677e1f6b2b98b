#pragma once

#include "report/report.h"

#include <functional>
#include <string>
#include <string_view>

namespace previct {

/// The class that the style of pages has for a tone.
[[nodiscard]] auto html_class(Tone tone) -> std::string_view;

/// The raw name of a pod as it stands in a page: escaped, and a link if there is more about it.
using LinkedName = std::function<std::string(const std::string&)>;

/// Bars as SVG in percent, so that letters keep their size however wide the page is; a name that is longer than its
/// part ends with dots. The words below the bars say everything in full.
[[nodiscard]] auto picture_as_html(const Picture& picture, const LinkedName& linked) -> std::string;

}  // namespace previct
