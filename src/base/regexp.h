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
/// Differs: names of Unicode classes that only Go knows, expressions nested deeper than 240 groups and those that need
/// more than 8 MiB are neither read nor refused.
class Regexp {
 public:
  explicit Regexp(std::string_view expression);

  /// Why regexp.Compile refuses it, in its words behind `error parsing regexp: `; empty: it does not.
  [[nodiscard]] auto fault() const -> const std::string& { return fault_; }
  /// Is it neither refused nor unknown whether it matches?
  [[nodiscard]] auto read() const -> bool { return re2_ != nullptr; }
  /// Regexp.MatchString: does some part of the text match? Only of one that is read; `text` is valid UTF-8.
  [[nodiscard]] auto matches(std::string_view text) const -> bool;

 private:
  std::shared_ptr<const re2::RE2> re2_;
  std::string fault_;
};

}  // namespace previct::go
