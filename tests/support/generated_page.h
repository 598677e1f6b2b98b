#pragma once

#include <string>
#include <string_view>

namespace previct::test {

/// Fails if docs/`name` differs from `page`; with PREVICT_UPDATE set, it first writes the page.
void check_generated_page(std::string_view name, const std::string& page);

}  // namespace previct::test
