#include "api/strict_reader.h"

#include "base/ascii.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct {
namespace {

constexpr std::size_t kShownText = 60;

auto in_quotes(std::string_view text) -> std::string {
  return fmt::format("\"{}{}\"", text.substr(0, kShownText), text.size() > kShownText ? "…" : "");
}

/// `a, b or c`.
auto either_of(std::vector<std::string> words) -> std::string {
  if (words.size() < 2) return joined(words, "");
  const std::string last = std::move(words.back());
  words.pop_back();
  return fmt::format("{} or {}", joined(words, ", "), last);
}

auto did_you_mean(const std::optional<std::string>& meant) -> std::string {
  return fmt::format("did you mean \"{}\"?", *meant);
}

}  // namespace

auto StrictReader::check_mapping(std::uint32_t index, std::string_view expected, bool keys_known) -> bool {
  if (failure_) return false;
  if (tape_[index].type != EventType::begin_map) {
    mismatch(index, expected.empty() ? "a mapping" : expected);
    return false;
  }
  std::map<std::string_view, std::uint32_t> seen;
  for (std::uint32_t key = index + 1; key < tape_[index].next; key = tape_[key + 1].next) {
    const auto [first, added] = seen.emplace(tape_.text(tape_[key]), key);
    if (added) continue;
    const std::string quoted = how_.quotes || keys_known ? in_quotes(first->first) + " " : "";
    refuse(key, with_path(index, fmt::format("key {}occurs twice", quoted)),
           fmt::format("remove one of the two; the first is at line {}", tape_[first->second].line));
    return false;
  }
  return true;
}

auto StrictReader::check_keys(std::uint32_t map, const std::vector<std::string>& known, std::size_t least,
                              std::string_view expected) -> bool {
  if (tape_[map].type == EventType::begin_map) {
    for (std::uint32_t key = map + 1; key < tape_[map].next; key = tape_[key + 1].next) {
      const std::string_view name = tape_.text(tape_[key]);
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      const auto meant = nearest(name, known);
      const std::string quoted = how_.quotes || meant ? " " + in_quotes(name) : "";
      refuse(key, with_path(map, "unknown key" + quoted),
             meant ? did_you_mean(meant) : fmt::format("the keys are {}", joined(known, ", ")));
      return false;
    }
    if (least > 0 && tape_[map].next == map + 1) {
      refuse(map, with_path(map, "at least one key is needed"), fmt::format("the keys are {}", joined(known, ", ")));
      return false;
    }
  }
  return check_mapping(map, expected, true);
}

void StrictReader::mismatch(std::uint32_t index, std::string_view expected, const std::vector<std::string>& words,
                            std::string_view help, bool harmless) {
  if (failure_) return;
  const Tape::Entry& entry = tape_[index];
  const bool scalar = entry.type == EventType::scalar;
  const std::string_view text = scalar && !is_null(index) ? tape_.text(entry) : std::string_view();
  auto meant = text.empty() ? std::nullopt : nearest(text, words);
  if (!text.empty() && !meant) meant = nearest(upper_case(text), words);
  std::string found;
  if (is_null(index)) {
    found = ", found no value";
    if (help.empty()) help = "give it a value, or remove it";
  } else if (!scalar) {
    found = entry.type == EventType::begin_map ? ", found a mapping" : ", found a list";
  } else if (how_.quotes || meant || harmless) {
    found = ", found " + in_quotes(text);
  }
  const std::string wanted = expected.empty() ? either_of(words) : std::string(expected);
  refuse(index, with_path(index, fmt::format("expected {}{}", wanted, found)),
         meant ? did_you_mean(meant) : std::string(help));
}

auto StrictReader::with_path(std::uint32_t index, std::string_view what) const -> std::string {
  const std::string at = path(index);
  return at.empty() ? std::string(what) : fmt::format("{}: {}", at, what);
}

auto StrictReader::path(std::uint32_t index) const -> std::string {
  std::string path;
  for (std::uint32_t at = 0; at != index;) {
    const bool map = tape_[at].type == EventType::begin_map;
    std::uint32_t child = at + 1;
    std::size_t number = 0;
    const auto value = [&] { return map ? child + 1 : child; };
    for (; index >= tape_[value()].next; ++number) child = tape_[value()].next;
    if (map && index == child) break;
    if (map && !path.empty()) path += '.';
    path += map ? std::string(tape_.text(tape_[child]).substr(0, kShownText)) : fmt::format("[{}]", number);
    at = value();
  }
  return path;
}

}  // namespace previct
