// Captures: a capture holds what was read, and a capture of a capture has the same bytes.

#include "capture/capture.h"

#include "fuzz/fuzz.h"
#include "support/input.h"
#include "support/objects_text.h"

namespace previct::fuzz {
namespace {

auto captured(Objects& objects) -> std::string {
  const Capture manifest = capture::manifest_of(objects, nullptr, {});
  const auto text = capture::text_of(objects, {}, manifest, capture::AsRead(objects.symbols));
  insist(text.has_value(), "what was read cannot be captured");
  return *text;
}

// Omits the first line, which counts the objects of the input, and so also counts an earlier header.
auto objects_of(const std::string& text) -> std::string_view {
  const std::string_view all = text;
  return all.substr(std::min(all.find('\n') + 1, all.size()));
}

}  // namespace

void capture(std::string_view input) {
  Objects objects;
  if (!test::read_text(input, objects)) return;
  const std::string first = captured(objects);
  Objects again;
  const auto read = test::read_text(first, again);
  insist(read.has_value(), "a capture cannot be read");
  const std::string second = captured(again);
  insist(objects_of(first) == objects_of(second), "a capture of a capture is another one");
}

}  // namespace previct::fuzz
