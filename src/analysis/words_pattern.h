#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// Values of operands by letter, as in the text; empty: none.
class OperandValues {
 public:
  static constexpr std::size_t kLetters = 26;
  [[nodiscard]] auto operator[](char letter) const -> std::string_view {
    return letter >= 'a' && letter <= 'z' ? std::string_view(values_[static_cast<std::size_t>(letter - 'a')])
                                          : std::string_view();
  }
  void set(char letter, std::string_view value) {
    if (letter >= 'a' && letter <= 'z') values_[static_cast<std::size_t>(letter - 'a')] = value;
  }
  [[nodiscard]] auto all() const -> const std::array<std::string, kLetters>& { return values_; }

 private:
  std::array<std::string, kLetters> values_;
};

/// The wording of a scheduler with operands `{a:type}`, matched against a text. Types: `number`; `text` (up to the
/// following literal, or to the end of the sentence); `rest` (up to the end); `list` (in brackets); `taint` (in
/// braces); `limit` (a number and its unit); `plugin`; `claimns` (`NAMESPACE/`, or empty); any other type is a word
/// without blanks. A final dot is optional. Values are at most 512 bytes, except `rest`.
class WordsPattern {
 public:
  explicit WordsPattern(std::string_view words);

  struct Match {
    std::size_t length = 0;
    OperandValues values;
  };
  /// Matches at the start of `text`, in which blanks are single; nullopt if it does not match, or ends in the middle of
  /// a word.
  [[nodiscard]] auto match(std::string_view text) const -> std::optional<Match>;

  /// The literal at the start; empty if an operand comes first.
  [[nodiscard]] auto front() const -> std::string_view;
  /// Bytes outside operands.
  [[nodiscard]] auto literal_size() const -> std::size_t;

 private:
  struct Part {
    std::string literal;  ///< if empty, this part is an operand
    char letter = 0;
    std::string type{};
  };
  [[nodiscard]] auto operand_size(std::string_view text, std::size_t part) const -> std::optional<std::size_t>;

  std::vector<Part> parts_;
};

}  // namespace previct
