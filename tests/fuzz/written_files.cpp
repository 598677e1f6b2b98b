// The files that users write (test suites, .previct.yaml, assumptions, queues.yaml): each reader reads any text or
// names a place in it, and reads it the same way again.

#include "cli/settings_file.h"
#include "engine/assumptions.h"
#include "engine/yunikorn/assumptions.h"
#include "engine/yunikorn/configuration.h"
#include "fuzz/fuzz.h"
#include "lint/settings.h"
#include "suite/suite.h"

#include <algorithm>
#include <string>

namespace previct::fuzz {
namespace {

template <class Read>
void insist_on_place(std::string_view input, Read read) {
  const auto first = read();
  const auto second = read();
  insist(first.has_value() == second.has_value(), "read differently the second time");
  if (first) return;
  const Failure& failure = first.error();
  insist(!failure.message.empty() && failure.message == second.error().message, "a failure without a message");
  const auto lines = static_cast<std::size_t>(std::count(input.begin(), input.end(), '\n')) + 1;
  insist(failure.place.line >= 1 && failure.place.line <= lines + 1, "a failure outside of the file");
}

}  // namespace

void written_files(std::string_view input) {
  const std::string text(input);
  insist_on_place(input, [&] { return suite::read(text, "previct-test.yaml", FileId{0}); });
  insist_on_place(input, [&] { return lint::read_settings(text, ".previct.yaml", FileId{0}); });
  insist_on_place(input, [&] { return cli::read_cluster_settings(text, ".previct.yaml", FileId{0}); });
  insist_on_place(input, [&] {
    yunikorn::Assumptions part;
    return read_assumptions(ConfigFile{FileId{0}, text}, "yunikorn", part);
  });
  insist_on_place(input, [&] { return yunikorn::read_queues(text, FileId{0}); });
}

}  // namespace previct::fuzz
