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
    ObjectMeta pod;
    pod.ns = ns;
    std::size_t count = 0;
    of.each_for(pod, [&](const kube::TermsOfPods::Alike&) { ++count; });
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

TEST_CASE("kube: a single term is asked for pods with its label, and several for all pods of the namespace") {
  const NodeId a{0};
  const Symbol shop{7};
  const Symbol app{2};
  const Symbol tier{3};
  // A value of 0 stands for a label without a value, which no pod has.
  const auto term = [](const std::vector<SymbolMap::Entry>& labels, bool selects) {
    PodAffinityTerm made;
    made.topology_key = Symbol{1};
    if (selects) made.selector.emplace();
    for (const auto& [key, value] : labels) made.selector->match_labels.set(key, value);
    return made;
  };
  const auto asked = [&](const kube::TermsOfPods& of, const std::vector<SymbolMap::Entry>& labels, Symbol ns) {
    ObjectMeta pod;
    pod.ns = ns;
    for (const auto& [key, value] : labels) pod.labels.set(key, value);
    std::size_t count = 0;
    of.each_for(pod, [&](const kube::TermsOfPods::Alike&) { ++count; });
    return count;
  };
  kube::TermsOfPods pods(1, some_symbols());
  pods.add(a, shop, {term({{app, Symbol{4}}}, true)});
  pods.add(a, shop, {term({{app, Symbol{5}}, {tier, Symbol{6}}}, true)});
  CHECK(asked(pods, {}, shop) == 0);
  CHECK(asked(pods, {{app, Symbol{4}}}, shop) == 1);
  CHECK(asked(pods, {{app, Symbol{5}}}, shop) == 1);
  CHECK(asked(pods, {{tier, Symbol{6}}, {app, Symbol{4}}}, shop) == 1);
  CHECK(asked(pods, {{app, Symbol{6}}}, shop) == 0);
  CHECK(asked(pods, {{tier, Symbol{4}}}, shop) == 0);
  CHECK(asked(pods, {{app, Symbol{4}}}, Symbol{8}) == 0);
  kube::TermsOfPods copied(1, some_symbols());
  copied.copy(pods, IdVector<NodeId, char>(1, 1));
  CHECK(asked(copied, {{app, Symbol{4}}}, shop) == 1);

  // The labels of a pod do not show whether these match.
  pods.add(a, shop, {term({}, true)});
  pods.add(a, shop, {term({}, false)});
  pods.add(a, shop, {term({{app, Symbol{}}}, true)});
  pods.add(a, shop, {term({{app, Symbol{4}}}, true), term({{tier, Symbol{4}}}, true)});
  CHECK(asked(pods, {}, shop) == 4);
  CHECK(asked(pods, {{app, Symbol{4}}}, shop) == 5);
  pods.add(a, shop, {}, {{3, term({{app, Symbol{4}}}, true)}});
  pods.add(a, shop, {}, {}, {{3, term({{app, Symbol{4}}}, true)}});
  pods.add(a, shop, {term({{app, Symbol{4}}}, true)}, {{3, term({{app, Symbol{5}}}, true)}});
  CHECK(asked(pods, {}, shop) == 5);
  CHECK(asked(pods, {{app, Symbol{4}}}, shop) == 8);
}

// All terms with these parts differ, so that none is counted with another one.
TEST_CASE("kube: terms that differ in anything are counted apart") {
  const auto requirement = [](std::uint32_t key, const std::vector<std::uint32_t>& values) {
    Requirement made;
    made.key = Symbol{key};
    made.op = values.empty() ? SelectorOperator::exists : SelectorOperator::in;
    made.operator_text = Symbol{values.empty() ? 3U : 4U};
    for (const std::uint32_t value : values) made.values.push_back(Symbol{value});
    return made;
  };
  std::vector<std::optional<LabelSelector>> selectors(1);
  for (const std::vector<std::uint32_t>& labels : {std::vector<std::uint32_t>{}, {1}, {2}, {1, 2}}) {
    for (const std::vector<Requirement>& requirements : {std::vector<Requirement>{},
                                                         {requirement(1, {})},
                                                         {requirement(1, {1})},
                                                         {requirement(2, {1})},
                                                         {requirement(1, {1, 2})},
                                                         {requirement(1, {1}), requirement(1, {})}}) {
      LabelSelector& selector = selectors.emplace_back().emplace();
      for (const std::uint32_t label : labels) selector.match_labels.set(Symbol{label}, Symbol{1});
      selector.match_expressions = {requirements.begin(), requirements.end()};
    }
  }
  const auto list = [](const std::vector<std::uint32_t>& of) {
    SharedList<Symbol> symbols;
    for (const std::uint32_t each : of) symbols.push_back(Symbol{each});
    return symbols;
  };
  std::vector<PodAffinityTerm> terms;
  for (const auto& selector : selectors) {
    for (const std::vector<std::uint32_t>& names : {std::vector<std::uint32_t>{}, {1}, {1, 2}}) {
      for (std::uint32_t more = 0; more < 16; ++more) {
        PodAffinityTerm& term = terms.emplace_back();
        term.topology_key = Symbol{1 + more % 2};
        term.selector = selector;
        term.namespaces = list(names);
        if ((more & 2U) != 0) term.namespace_selector.emplace();
        if ((more & 4U) != 0) term.match_label_keys = list({1});
        if ((more & 8U) != 0) term.mismatch_label_keys = list({1});
      }
    }
  }
  const NodeId node{0};
  const Symbol ns{1};
  kube::TermsOfPods pods(1, some_symbols());
  std::size_t added = 0;
  for (int round = 0; round < 2; ++round) {  // those of the second one are known
    for (const PodAffinityTerm& term : terms) {
      SharedList<PodAffinityTerm> required;
      required.push_back(term);
      SharedList<WeightedPodAffinityTerm> preferred;
      preferred.push_back({1, term});
      SharedList<WeightedPodAffinityTerm> heavier;
      heavier.push_back({2, term});
      pods.add(node, ns, required);
      pods.add(node, ns, {}, preferred);
      pods.add(node, ns, {}, heavier);
      pods.add(node, ns, {}, {}, preferred);
      pods.add(node, ns, required, preferred);
      required.push_back(term);
      pods.add(node, ns, required);
      added += round == 0 ? 6U : 0U;
    }
  }
  CHECK(pods.all().size() == added);
  CHECK_FALSE(pods.lacks_some());
}
