#include "system/begin.h"

#include "base/ascii.h"
#include "base/descriptor.h"
#include "system/files.h"
#include "system/windows/wide.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <io.h>

namespace previct::system {

void open_standard_streams() {
  for (const int stream : {kStandardInput, kStandardOutput, kStandardError}) _setmode(stream, _O_BINARY);
  while (true) {
    const int descriptor = _wopen(L"NUL", _O_RDONLY | _O_BINARY | _O_NOINHERIT);
    if (descriptor > kStandardError) _close(descriptor);
    if (descriptor < 0 || descriptor > kStandardError) break;
  }
  for (const int stream : {kStandardOutput, kStandardError}) {
    DWORD mode = 0;
    const HANDLE console = handle_of(stream);
    if (GetConsoleMode(console, &mode) != 0) SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

// The manifest of the program (previct.manifest) asks for UTF-8 in all narrow texts.
auto words_of(int count, char** words) -> std::vector<std::string> {
  std::vector<std::string> said(words, words + count);
  const auto plain = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  for (std::size_t i = 1; i < said.size() && GetACP() != CP_UTF8; ++i) {
    if (std::all_of(said[i].begin(), said[i].end(), plain)) continue;
    constexpr std::string_view kWhy =
        "previct: error: on this version of Windows, only names in ASCII are available; others need version 1903\n";
    static_cast<void>(write_some(kStandardError, kWhy));
    std::_Exit(2);
  }
  if (said.empty()) return said;
  said[0] = with_slashes(said[0]);
  constexpr std::string_view kEnding = ".exe";
  if (lower_case(said[0]).ends_with(kEnding)) said[0].resize(said[0].size() - kEnding.size());
  return said;
}

}  // namespace previct::system
