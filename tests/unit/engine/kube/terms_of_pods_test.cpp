#include "engine/kube/terms_of_pods.h"

#include <catch2/catch.hpp>

using namespace previct;  // NOLINT: a test

namespace {

// Enough labels and names for the numbers below.
auto some_symbols() -> const Symbols& {
  static const Symbols* const symbols = [] {
    auto* made = new Symbols;
    for (char name = 'a'; name <= 'z'; ++name) made->intern(std::string(1, name));
    return made;
  }();
  return *symbols;
}

}  // namespace

TEST_CASE("kube: pods with equal terms are counted together, by node") {
  const NodeId a{0};
  const NodeId b{1};
  const Symbol shop{7};
  const auto terms_about = [](std::uint32_t label) {
    PodAffinityTerm term;
    term.topology_key = Symbol{1};
    term.selector.emplace();
    term.selector->match_labels.set(Symbol{2}, Symbol{label});
    SharedList<PodAffinityTerm> terms;
    terms.push_back(std::move(term));
    return terms;
  };
  const auto preferred = [&](std::int32_t weight) {
    SharedList<WeightedPodAffinityTerm> terms;
    terms.push_back({weight, terms_about(3).front()});
    return terms;
  };
  kube::TermsOfPods pods(2, some_symbols());
  CHECK(pods.empty());
  pods.add(a, shop, terms_about(3));
  pods.add(b, shop, terms_about(3));
  pods.add(b, shop, terms_about(3));
  pods.add(b, Symbol{8}, terms_about(3));  // another namespace
  pods.add(b, shop, terms_about(4));       // another term
  pods.add(b, shop, {}, preferred(5));
  pods.add(b, shop, {}, {}, preferred(5));
  pods.add(b, shop, {}, preferred(6));
  REQUIRE(pods.all().size() == 6);
  CHECK(pods.all()[0].pods == std::unordered_map<std::uint32_t, std::int64_t>{{0, 1}, {1, 2}});
  CHECK(pods.all()[0].required.front().selector->match_labels.get(Symbol{2}) == Symbol{3});

  kube::TermsOfPods copied(2, some_symbols());
  copied.add(a, Symbol{9}, terms_about(3));
  copied.copy(pods, IdVector<NodeId, char>(2, 1));
  CHECK(copied.all().size() == 6);
  CHECK(copied.all()[0].pods == pods.all()[0].pods);
  IdVector<NodeId, char> only_b(2, 0);
  only_b[b] = 1;
  copied.copy(pods, only_b);
  CHECK(copied.all()[0].pods == std::unordered_map<std::uint32_t, std::int64_t>{{1, 2}});
  copied.add(a, shop, terms_about(4));
  CHECK(copied.all()[2].pods == std::unordered_map<std::uint32_t, std::int64_t>{{0, 1}, {1, 1}});

  pods.clear(b);
  CHECK(pods.all()[0].pods == std::unordered_map<std::uint32_t, std::int64_t>{{0, 1}});
  CHECK(pods.all()[1].pods.empty());
  CHECK_FALSE(pods.empty());
  pods.clear(a);
  CHECK(pods.empty());
}

TEST_CASE("kube: terms about another namespace are not asked for a pod, unless they name namespaces") {
  const NodeId a{0};
  const Symbol shop{7};
  const Symbol ops{8};
  const auto terms = [](std::optional<Symbol> names, bool selects) {
    PodAffinityTerm term;
    term.topology_key = Symbol{1};
    if (names) term.namespaces.push_back(*names);
    if (selects) term.namespace_selector.emplace();
    SharedList<PodAffinityTerm> list;
    list.push_back(std::move(term));
    return list;
  };
  const auto preferred = [](const SharedList<PodAffinityTerm>& list) {
    SharedList<WeightedPodAffinityTerm> weighted;
    weighted.push_back({1, list.front()});
    return weighted;
  };
  kube::TermsOfPods pods(1, some_symbols());
  const auto asked = [](const kube::TermsOfPods& of, Symbol ns) {
    std::size_t count = 0;
    of.each_for(ns, [&](const kube::TermsOfPods::Alike&) { ++count; });
    return count;
  };
  pods.add(a, shop, terms({}, false));
  CHECK(asked(pods, shop) == 1);
  CHECK(asked(pods, ops) == 0);
  pods.add(a, shop, terms(ops, false));
  pods.add(a, shop, terms({}, true));
  CHECK(asked(pods, shop) == 3);
  CHECK(asked(pods, ops) == 2);
  pods.add(a, shop, {}, preferred(terms(ops, false)));
  pods.add(a, shop, {}, {}, preferred(terms(ops, false)));
  pods.add(a, shop, {}, preferred(terms({}, false)), preferred(terms({}, false)));
  CHECK(asked(pods, ops) == 4);
  CHECK(asked(pods, shop) == 6);
  kube::TermsOfPods copied(1, some_symbols());
  copied.copy(pods, IdVector<NodeId, char>(1, 1));
  CHECK(asked(copied, ops) == 4);
  CHECK(asked(copied, shop) == 6);
}
