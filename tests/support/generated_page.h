#pragma once

#include <string>
#include <string_view>

namespace previct::test {

/// Fails if docs/`name` is not `page`; with PREVICT_UPDATE set, it is written first.
void check_generated_page(std::string_view name, const std::string& page);

}  // namespace previct::test
