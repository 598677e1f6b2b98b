#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace previct::go {

/// A regular expression of Go's package regexp (go1.26, syntax.Perl), matched in time linear in the text.
/// Known differences: names of Unicode classes that only Go knows, expressions nested deeper than 240 groups and those
/// that need more than 8 MiB are neither accepted nor refused.
class Regexp {
 public:
  explicit Regexp(std::string_view expression);

  /// The error of regexp.Compile, without `error parsing regexp: `. Empty if there is none.
  [[nodiscard]] auto fault() const -> const std::string& { return fault_; }
  /// Returns true if the expression can be matched: it is not refused, and it has none of the differences above.
  [[nodiscard]] auto read() const -> bool { return re2_ != nullptr; }
  /// Regexp.MatchString: returns true if some part of the text matches. Requires read(); `text` must be valid UTF-8.
  [[nodiscard]] auto matches(std::string_view text) const -> bool;

 private:
  std::shared_ptr<const re2::RE2> re2_;
  std::string fault_;
};

}  // namespace previct::go
