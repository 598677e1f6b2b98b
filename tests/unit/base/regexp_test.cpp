// Which expressions Go compiles, and what they match. Error texts and answers are those of go1.26 regexp.Compile and
// MatchString, which was run on each line.
#include "base/regexp.h"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

using previct::go::Regexp;

TEST_CASE("regexp: rejects what regexp.Compile rejects, with the same text", "[base][regexp]") {
  for (const auto& [expression, why] : {
           std::pair<std::string, std::string>{"a(b", "missing closing ): `a(b`"},
           {"a)b", "unexpected ): `a)b`"},
           {"a[b", "missing closing ]: `[b`"},
           {"[]", "missing closing ]: `[]`"},
           {"*a", "missing argument to repetition operator: `*`"},
           {"a|+", "missing argument to repetition operator: `+`"},
           {"(?:*)", "missing argument to repetition operator: `*`"},
           {"(?i)*", "missing argument to repetition operator: `*`"},
           {R"(\Q\E*)", "missing argument to repetition operator: `*`"},
           {"a**", "invalid nested repetition operator: `**`"},
           {"a+?+", "invalid nested repetition operator: `+?+`"},
           {"a{2}*", "invalid nested repetition operator: `{2}*`"},
           {"a{2,1}", "invalid repeat count: `{2,1}`"},
           {"a{1001}", "invalid repeat count: `{1001}`"},
           {"a{1001,}", "invalid repeat count: `{1001,}`"},
           {"[z-a]", "invalid character class range: `z-a`"},
           {"[é-a]", "invalid character class range: `é-a`"},
           {"[[:foo:]]", "invalid character class range: `[:foo:]`"},
           {R"(\p{Greek)", R"(invalid character class range: `\p{Greek`)"},
           {R"(\P{Greek)", R"(invalid character class range: `\P{Greek`)"},
           {"(?=a)", "invalid or unsupported Perl syntax: `(?=`"},
           {"(?!a)", "invalid or unsupported Perl syntax: `(?!`"},
           {"(?-)", "invalid or unsupported Perl syntax: `(?-)`"},
           {"(?i", "invalid or unsupported Perl syntax: `(?i`"},
           {"(?<=a)", "invalid named capture: `(?<=a)`"},
           {"(?P<a-b>c)", "invalid named capture: `(?P<a-b>`"},
           {R"(\1)", R"(invalid escape sequence: `\1`)"},
           {R"(\18)", R"(invalid escape sequence: `\1`)"},
           {R"(\q)", R"(invalid escape sequence: `\q`)"},
           {R"(\xg)", R"(invalid escape sequence: `\xg`)"},
           {R"(\x{})", R"(invalid escape sequence: `\x{}`)"},
           {R"([\b])", R"(invalid escape sequence: `\b`)"},
           {R"(a\)", "trailing backslash at end of expression: ``"},
           // Cases in which RE2 reports another error, another part of the expression, or no error.
           {R"(a\Cb)", R"(invalid escape sequence: `\C`)"},
           {R"(\x{41)", R"(invalid escape sequence: `\x{41`)"},
           {R"([\p)", R"(invalid character class range: `\p`)"},
           {"a+{5,2}", "invalid repeat count: `{5,2}`"},
           {"a{1001}?", "invalid repeat count: `{1001}`"},
           {"(?<", "invalid or unsupported Perl syntax: `(?<`"},
           {"(?P<", "invalid or unsupported Perl syntax: `(?P`"},
           {"(?<n>a", "missing closing ): `(?<n>a`"},
       }) {
    INFO(expression);
    CHECK(Regexp(expression).fault() == why);
  }
}

TEST_CASE("regexp: accepts what regexp.Compile accepts", "[base][regexp]") {
  for (const char* expression : {
           "",
           "a]",
           "a}",
           "a{",
           "a{,2}",
           "(?<n>a)(?<n>b)",
           "a{01}",
           "^*",
           "()*",
           "(|a)*",
           "a(?i)*",
           "a{2}?",
           "a{1000}",
           "a{3,}",
           "[]a]",
           "[^]a]",
           "[a-]",
           "[-a]",
           "[a-z-9]",
           "[[:alpha:]]",
           "[[:^word:]]",
           "[[:]",
           "(?P<n>a)",
           "(?<n>a)",
           "(?i-s:a)",
           "(?)a",
           "(?sU)a|b",
           R"(\.\_\-)",
           R"(\12\0)",
           R"(\17\77)",
           R"(\x41)",
           R"(\x{1F600})",
           R"(\pL\p{Greek})",
           R"(\PL[\PL]\P{Greek})",
           R"([\d\pL-])",
           R"(\Q*(\E)",
           R"(\Q)",
           R"(\Aa\b\z)",
       }) {
    INFO(expression);
    CHECK(Regexp(expression).fault().empty());
    CHECK(Regexp(expression).read());
  }
}

namespace {

struct Match {
  std::string expression;
  std::string text;
  bool matches;
};

}  // namespace

TEST_CASE("regexp: matches what Go matches", "[base][regexp]") {
  for (const Match& each : std::vector<Match>{
           {"^team-[0-9]+$", "team-12", true},
           {"^team-[0-9]+$", "team-12\n", false},
           {"a|b", "xbx", true},
           {"(?i)ADMIN", "the admin", true},
           {"^a.b$", "a\nb", false},
           {"(?s)^a.b$", "a\nb", true},
           {"(?m)^b$", "a\nb", true},
           {"^\\pL+$", "Zoé", true},
           {"^\\p{Greek}$", "α", true},
           {"^.$", "日", true},
           {"(?i)k", "K", true},
           {"\\bdev\\b", "ops dev", true},
           {"^(?<n>a+)(?P<m>b)$", "aab", true},
           {"\\Qa.b\\E", "axb", false},
           {"\\Q(?<\\E", "(?<", true},
           {"[[(?<]", "?", true},
           {"^[^]]$", "]", false},
           {"[\\]x]", "]", true},
           {"[[:alpha:]\\d-]", "-", true},
           {"", "x", true},
           {"(a+)+$", std::string(40, 'a') + "b", false},
           {"^(a?){50}a{50}$", std::string(50, 'a'), true},
           {"a{,2}", "aa", false},
           {"x*y?", "", true},
       }) {
    INFO(each.expression << " on " << each.text);
    const Regexp read(each.expression);
    REQUIRE(read.read());
    CHECK(read.matches(each.text) == each.matches);
  }
}

TEST_CASE("regexp: what only Go supports is neither rejected nor evaluated", "[base][regexp]") {
  for (const std::string& expression :
       {std::string(R"(\p{Letter})"), std::string(R"([\p{Letter}])"), std::string(241, '(') + std::string(241, ')')}) {
    INFO(expression);
    CHECK(Regexp(expression).fault().empty());
    CHECK_FALSE(Regexp(expression).read());
  }
}
