// Which expressions Go compiles. The words are those of regexp.Compile, go1.26: each line was put to it.
#include "engine/yunikorn/regexp.h"

#include <catch2/catch.hpp>

#include <string>
#include <utility>

using previct::yunikorn::regexp_fault;

TEST_CASE("what regexp.Compile refuses is refused in its words", "[yunikorn][config]") {
  const std::string nested = "invalid nested repetition operator";
  const std::string missing = "missing argument to repetition operator";
  const std::string perl = "invalid or unsupported Perl syntax";
  const std::string range = "invalid character class range";
  const std::string escape = "invalid escape sequence";
  for (const auto& [expression, why] : {
           std::pair<std::string, std::string>{"a(b", "missing closing )"},
           {"a)b", "unexpected )"},
           {"a[b", "missing closing ]"},
           {"[]", "missing closing ]"},
           {"*a", missing},
           {"a|+", missing},
           {"(?:*)", missing},
           {"(?i)*", missing},
           {R"(\Q\E*)", missing},
           {"a**", nested},
           {"a+?+", nested},
           {"a{2}*", nested},
           {"a{2,1}", "invalid repeat count"},
           {"a{1001}", "invalid repeat count"},
           {"a{1001,}", "invalid repeat count"},
           {"[z-a]", range},
           {"[é-a]", range},
           {"[[:foo:]]", range},
           {R"(\p{Greek)", range},
           {R"(\P{Greek)", range},
           {"(?=a)", perl},
           {"(?!a)", perl},
           {"(?-)", perl},
           {"(?i", perl},
           {"(?<=a)", "invalid named capture"},
           {"(?P<a-b>c)", "invalid named capture"},
           {R"(\1)", escape},
           {R"(\18)", escape},
           {R"(\q)", escape},
           {R"(\xg)", escape},
           {R"(\x{})", escape},
           {R"([\b])", escape},
           {R"(a\)", "trailing backslash at end of expression"},
       }) {
    INFO(expression);
    CHECK(regexp_fault(expression) == why);
  }
}

TEST_CASE("what regexp.Compile accepts is accepted", "[yunikorn][config]") {
  for (const char* expression : {
           "",
           "a]",
           "a}",
           "a{",
           "a{,2}",
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
    CHECK(regexp_fault(expression).empty());
  }
}
