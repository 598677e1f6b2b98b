#include "report/json_text.h"

namespace previct {

auto json_text(const Json& json, int indent) -> std::string {
  const std::string ascii = json.dump(indent, ' ', true, Json::error_handler_t::replace);
  std::string out;
  out.reserve(ascii.size());
  for (const char c : ascii) {
    if (c == '\x7f') {
      out += "\\u007f";  // the only control character that JSON does not escape; it only occurs within strings
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace previct
