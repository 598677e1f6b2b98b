#pragma once

#include "report/report.h"

#include <functional>
#include <string>
#include <string_view>

namespace previct {

/// The CSS class of a tone.
[[nodiscard]] auto html_class(Tone tone) -> std::string_view;

/// Converts the raw name of a pod for a page: escaped, and as a link if the page has details about the pod.
using LinkedName = std::function<std::string(const std::string&)>;

/// Bars as SVG in percent, so that letters keep their size at any page width; a name that is wider than its part is
/// truncated with dots. The text below the bars is complete.
[[nodiscard]] auto picture_as_html(const Picture& picture, const LinkedName& linked) -> std::string;

}  // namespace previct
