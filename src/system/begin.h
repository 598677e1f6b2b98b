#pragma once

#include <string>
#include <vector>

/// How a program begins.
namespace previct::system {

/// Opens standard streams that are closed so that they lead nowhere, and no file opened later gets their numbers. What
/// is read and written is not translated.
void open_standard_streams();

/// The words of the command line, in UTF-8. The first is the path of the program, without an ending that the system
/// gives programs.
[[nodiscard]] auto words_of(int count, char** words) -> std::vector<std::string>;

}  // namespace previct::system
