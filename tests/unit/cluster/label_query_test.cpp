#include "cluster/label_query.h"

#include <catch2/catch.hpp>

using namespace previct;

TEST_CASE("label query: selects labels as kubectl -l does") {
  Symbols symbols;
  SymbolMap labels;
  labels.set(symbols.intern("app"), symbols.intern("a"));
  labels.set(symbols.intern("tier"), symbols.intern(""));
  const auto matches = [&](std::string_view text) {
    const auto query = LabelQuery::parse(text);
    REQUIRE(query);
    return query->matches(labels, symbols);
  };
  for (const char* text :
       {"", "app", "app=a", "app==a", "app!=b", "other!=x", "!other", "app=a,tier", "tier=", "app=a,", "app in (a,b)",
        "app in ( b , a ),tier", "app notin (b)", "other notin (b,c)", "tier in ()", "app = a , ! other"}) {
    INFO(text);
    CHECK(matches(text));
  }
  for (const char* text : {"other", "app=b", "app!=a", "!app", "app=a,other", "tier=x", "app in (b,c)",
                           "app notin (a,b)", "other in (a)"}) {
    INFO(text);
    CHECK_FALSE(matches(text));
  }
  for (const char* text : {"=a", "app in a", "app in (a", "app on (a)", "in (a)", "app=a b", "!", "app=a=b", ",app"}) {
    INFO(text);
    CHECK_FALSE(LabelQuery::parse(text));
  }
}
