#include "report/json_text.h"

namespace previct {

auto json_text(const Json& json, int indent) -> std::string {
  const std::string ascii = json.dump(indent, ' ', true, Json::error_handler_t::replace);
  std::string out;
  out.reserve(ascii.size());
  for (const char c : ascii) {
    if (c == '\x7f') {
      out += "\\u007f";  // the one control that JSON lets pass; it can only stand inside a string
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace previct
