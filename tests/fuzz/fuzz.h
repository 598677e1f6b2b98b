#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

/// Fuzz targets: functions that take any text, must return, and check invariants. clang's libFuzzer calls them with
/// inputs that reach new code (`make fuzz`); fuzz_test.cpp calls them in every build with the corpus and with mutants
/// of it.
namespace previct::fuzz {

void capture(std::string_view input);
void cluster(std::string_view input);
void container(std::string_view input);
void json(std::string_view input);
void quantity(std::string_view input);
void queues(std::string_view input);
void scheduler_config(std::string_view input);
void selector(std::string_view input);
void time(std::string_view input);
void written_files(std::string_view input);
void yaml(std::string_view input);

/// Checks an invariant that holds for any input.
inline void insist(bool holds, std::string_view what) {
  if (!holds) throw std::logic_error(std::string(what));
}

}  // namespace previct::fuzz
