// The search for the devices of all claims of a pod. Expected values are derived by hand from
// dynamic-resource-allocation: structured/internal/incubating/allocator_incubating.go allocateOne, allocateDevice,
// validateDeviceRequest, and pools_incubating.go, v0.34.4, v0.35.4, v0.36.3.
#include "unit/engine/kube/device_cluster.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace previct;
using namespace previct::test;

namespace {

using Slices = std::vector<std::string>;

auto search_of(const Slices& slices, const std::string& requests, const std::string& release = "1.36.3",
               const std::string& gates = "") -> Answer {
  return ask_for_devices({slices, {requests_of(requests)}, gates, release});
}
auto alternatives(std::string_view name, const std::vector<std::string>& of) -> std::string {
  std::string all;
  for (std::size_t i = 0; i < of.size(); ++i)
    all += fmt::format("{{name: a{}, deviceClassName: gpus{}{}}}, ", i, of[i].empty() ? "" : ", ", of[i]);
  return fmt::format("{{name: {}, firstAvailable: [{}]}}, ", name, all);
}
auto cannot_tell(const Answer& answer, std::string_view why) -> bool {
  INFO(answer.sentence);
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence.find(why) != std::string::npos);
  return answer.outcome == Outcome::unknown;
}
auto fails_with(const Answer& answer, std::string_view why) -> bool {
  INFO(answer.sentence);
  CHECK(answer.outcome == Outcome::error);
  CHECK(answer.sentence.find(why) != std::string::npos);
  return answer.outcome == Outcome::error;
}
// A slice with two devices of one name.
const std::string kInvalid = a_slice("p", 1, "devices: [{name: d0}, {name: d0}]");
const std::string kNothing = "selectors: [{cel: {expression: \"device.driver == 'other'\"}}]";
constexpr const char* kAnyOrder = "the scheduler tries devices in no fixed order";

}  // namespace

TEST_CASE("DRA search: up to 1.34 it fails when it reaches an invalid pool", "[kube][devices]") {
  fails_with(search_of({kInvalid}, wants("r"), "1.34.4"), "pool p is invalid: duplicate device name d0");
  // Pools come in any order, so the pool of the other device may come first.
  const std::string good = a_slice("q", 1, plain_devices(1, "e"));
  cannot_tell(search_of({kInvalid, good}, wants("r"), "1.34.4"), kAnyOrder);
  cannot_tell(search_of({good, kInvalid}, wants("r"), "1.34.4"), kAnyOrder);
  // No device of the valid pool is suitable: in any order, the search continues to the invalid pool.
  fails_with(search_of({kInvalid, good}, wants("r", ranked_as(7)), "1.34.4"), "pool p is invalid");
  // Since 1.35, the invalid pool is skipped.
  CHECK(search_of({kInvalid, good}, wants("r"), "1.35.4").outcome == Outcome::fits);
  CHECK(first_rule(search_of({kInvalid, good}, wants("r", "count: 2"), "1.35.4")) == "kube.filter.device-pools");
}

TEST_CASE("DRA search: in 1.34 a slice with counters is like any other if the gate is off", "[kube][devices]") {
  const auto slice = [](std::string_view name) {
    return a_slice(
        "p", 1,
        fmt::format("sharedCounters: [{{name: set, counters: {{}}}}], devices: [{{name: d0}}, {{name: {}}}]", name));
  };
  CHECK(search_of({slice("d1")}, wants("r"), "1.34.4").outcome == Outcome::fits);
  fails_with(search_of({slice("d0")}, wants("r"), "1.34.4"), "pool p is invalid");
}

TEST_CASE("DRA pool: the newest generation counts if all its slices exist", "[kube][devices]") {
  const auto slice = [](int generation, int of, std::string_view where, std::size_t devices, std::string_view prefix) {
    return fmt::format("driver: d, pool: {{name: p, generation: {}, resourceSliceCount: {}}}, {}, {}", generation, of,
                       where, plain_devices(devices, prefix));
  };
  const auto count = [](const Slices& slices) {
    int most = 0;
    while (search_of(slices, wants("r", fmt::format("count: {}", most + 1))).outcome == Outcome::fits) ++most;
    return most;
  };
  const char* here = "allNodes: true";
  CHECK(count({slice(1, 1, here, 2, "d")}) == 2);
  CHECK(count({slice(1, 2, here, 2, "d"), slice(1, 2, here, 1, "e")}) == 3);
  CHECK(count({slice(1, 1, here, 2, "d"), slice(2, 1, here, 1, "e")}) == 1);
  CHECK(count({slice(2, 1, here, 1, "d"), slice(1, 1, here, 2, "e")}) == 1);
  CHECK(count({slice(1, 1, here, 2, "d"), slice(2, 2, here, 1, "e"), slice(2, 2, here, 2, "f")}) == 3);
  CHECK(count({slice(1, 2, here, 2, "d")}) == 0);
  // The rest of the pool may be for other nodes.
  CHECK(count({slice(1, 2, here, 2, "d"), slice(1, 2, "nodeName: b", 4, "e")}) == 2);
  CHECK(count({slice(1, 3, here, 2, "d"), slice(1, 3, "nodeName: b", 4, "e")}) == 0);
  // On another node, the pool is being replaced.
  CHECK(count({slice(1, 2, here, 2, "d"), slice(2, 1, "nodeName: b", 4, "e")}) == 0);
  CHECK(count({slice(2, 2, here, 2, "d"), slice(1, 1, "nodeName: b", 4, "e")}) == 0);
  CHECK(count({slice(2, 2, here, 2, "d"), slice(2, 2, "nodeName: b", 4, "e"), slice(1, 2, "nodeName: b", 4, "f")}) ==
        2);
  // A request for all devices fails on an incomplete pool, but not on a pool that is being replaced.
  const auto all = [](const Slices& slices) { return search_of(slices, wants("r", "allocationMode: All")); };
  fails_with(all({slice(1, 2, here, 2, "d")}),
             "asks for all devices, but resource pool d/p is currently being updated");
  CHECK(all({slice(1, 2, here, 2, "d"), slice(2, 1, "nodeName: b", 4, "e")}).outcome == Outcome::pending);
  CHECK(all({slice(1, 2, here, 2, "d"), slice(1, 2, "nodeName: b", 4, "e")}).outcome == Outcome::fits);
}

TEST_CASE("DRA allocationMode All: takes the suitable devices of every pool", "[kube][devices]") {
  const Slices two = {a_slice("p", 1, plain_devices(2)), a_slice("q", 1, plain_devices(2, "e"))};
  const std::string all = "allocationMode: All";
  CHECK(search_of(two, wants("r", all)).outcome == Outcome::fits);
  CHECK(search_of(two, wants("r", all) + wants("s")).outcome == Outcome::pending);
  CHECK(search_of(two, wants("r", all + ", " + ranked_as(0)) + wants("s", "count: 2")).outcome == Outcome::fits);
  CHECK(search_of(two, wants("r", all + ", " + ranked_as(0)) + wants("s", "count: 3")).outcome == Outcome::pending);
  // No device is too few. If one device is allocated already, not all of them are available.
  CHECK(search_of(two, wants("r", all + ", " + ranked_as(7))).outcome == Outcome::pending);
  const std::string held = holding("held", "{request: r, driver: d, pool: q, device: e1}");
  const auto with_held = [&](std::string_view which) {
    return ask_for_devices({two, {requests_of(wants("r", which))}, "", "1.36.3", {held}}).outcome;
  };
  CHECK(with_held(all) == Outcome::pending);
  CHECK(with_held(all + ", " + ranked_as(0)) == Outcome::fits);
  // A claim can hold 32 devices, but not 33.
  CHECK(search_of({a_slice("p", 1, plain_devices(32))}, wants("r", all)).outcome == Outcome::fits);
  fails_with(search_of({a_slice("p", 1, plain_devices(33))}, wants("r", all)),
             "number of requested devices 33 exceeds the claim limit of 32");
}

TEST_CASE("DRA allocationMode All: a device that violates a constraint is an error that names the device",
          "[kube][devices]") {
  const Slices slices = {a_slice("p", 2, "devices: [{name: d0, attributes: {rank: {int: 1}}}]"),
                         a_slice("p", 2,
                                 "devices: [{name: e0, attributes: {rank: {int: 1}}}, {name: e1, attributes: "
                                 "{rank: {int: 2}}}]")};
  const auto with = [&](const Slices& of, const std::string& release) {
    return ask_for_devices(
        {of,
         {requests_of(wants("r", "allocationMode: All")) + ", constraints: [{matchAttribute: d/rank}]"},
         "",
         release});
  };
  const char* why =
      "claim ns/c0, request r: cannot add device d/p/e1 because a claim constraint would not be satisfied";
  fails_with(with(slices, "1.36.3"), why);
  // The same error occurs in either order of the slices.
  CHECK(with(slices, "1.35.4").outcome == Outcome::error);
  const Slices alike = {slices[0], a_slice("p", 2, "devices: [{name: e0, attributes: {rank: {int: 1}}}]")};
  CHECK(with(alike, "1.35.4").outcome == Outcome::fits);
  Slices three = {a_slice("p", 3, "devices: [{name: f0, attributes: {rank: {int: 1}}}]")};
  for (const char* name : {"d0", "e0"})
    three.push_back(a_slice("p", 3, fmt::format("devices: [{{name: {}, attributes: {{rank: {{int: 1}}}}}}]", name)));
  // There are six orders, of which two are tried.
  cannot_tell(with(three, "1.35.4"), kAnyOrder);
  CHECK(with(three, "1.36.3").outcome == Outcome::fits);
}

// Source: matchAttributeConstraint.matches. A constraint names a request by its name, and an alternative also by the
// name of its request.
TEST_CASE("DRA constraints: apply to the requests and alternatives that they name", "[kube][devices]") {
  const auto two_unlike = [](const std::string& request, std::string_view named) {
    return ask_for_devices({{a_slice("p", 1, plain_devices(2))},
                            {requests_of(request) +
                             fmt::format(", constraints: [{{requests: [{}], matchAttribute: d/rank}}]", named)}})
        .outcome;
  };
  const std::string exact = wants("r", "count: 2");
  CHECK(two_unlike(exact, "r") == Outcome::pending);
  CHECK(two_unlike(exact, "s") == Outcome::fits);
  CHECK(two_unlike(exact, "r/r") == Outcome::fits);
  const std::string choice = alternatives("r", {"count: 2"});
  CHECK(two_unlike(choice, "r") == Outcome::pending);
  CHECK(two_unlike(choice, "r/a0") == Outcome::pending);
  CHECK(two_unlike(choice, "r/a1") == Outcome::fits);
  CHECK(two_unlike(choice, "a0") == Outcome::fits);
  CHECK(two_unlike(choice, "s/a0") == Outcome::fits);
  CHECK(two_unlike(choice, "ra0") == Outcome::fits);
}

TEST_CASE("DRA alternatives: before 1.36 a later alternative of mode All continues with the first one",
          "[kube][devices]") {
  // The first alternative is one device of another driver. The second takes the first device of all, and then as many
  // as the first alternative requests: one. The other device is left.
  const std::string one = alternatives("r", {kNothing, "allocationMode: All"});
  const Slices slice = {a_slice("p", 1, plain_devices(2))};
  CHECK(search_of(slice, one + wants("s"), "1.35.4").outcome == Outcome::fits);
  CHECK(search_of(slice, one + wants("s"), "1.36.3").outcome == Outcome::pending);
  CHECK(search_of(slice, one, "1.36.3").outcome == Outcome::fits);
  // The first alternative requests two devices: the second of them is not available.
  const std::string two = alternatives("r", {"count: 2, " + kNothing, "allocationMode: All"});
  CHECK(search_of(slice, two, "1.35.4").outcome == Outcome::pending);
  CHECK(search_of(slice, two, "1.36.3").outcome == Outcome::fits);

  // Which device comes first depends on the order of slices.
  const auto apart = [](int of) {
    Slices slices;
    for (int i = 0; i < of; ++i)
      slices.push_back(
          a_slice("p", of, fmt::format("devices: [{{name: d{0}, attributes: {{rank: {{int: {0}}}}}}}]", i)));
    return slices;
  };
  CHECK(search_of(apart(2), one + wants("s"), "1.35.4").outcome == Outcome::fits);
  cannot_tell(search_of(apart(2), one + wants("s", ranked_as(0)), "1.35.4"), kAnyOrder);
  cannot_tell(search_of(apart(2), one + wants("s", ranked_as(1)), "1.35.4"), kAnyOrder);
  cannot_tell(search_of(apart(3), one + wants("s"), "1.35.4"), kAnyOrder);
  // As the first alternative, it takes all of them.
  const std::string first = alternatives("r", {"allocationMode: All"});
  CHECK(search_of(apart(2), first + wants("s"), "1.35.4").outcome == Outcome::pending);
}

TEST_CASE("DRA alternatives: tried in order, and the next one is tried if one exceeds the claim limit",
          "[kube][devices]") {
  const Slices slice = {a_slice("p", 1, plain_devices(36))};
  const auto some = [](int count) { return fmt::format("count: {}", count); };
  const auto with = [&](const std::string& requests) { return search_of(slice, requests); };
  // A claim can hold 32 devices.
  CHECK(with(wants("r", some(20)) + alternatives("s", {some(20), some(12)})).outcome == Outcome::fits);
  fails_with(with(wants("r", some(20)) + alternatives("s", {some(20), some(13)})),
             "number of requested devices 33 exceeds the claim limit of 32");
  // With 20 for the first request, no alternative of the second is possible; with 12, one is.
  CHECK(with(alternatives("r", {some(20), some(12)}) + alternatives("s", {some(22), some(20)})).outcome ==
        Outcome::fits);
}

TEST_CASE("DRA requests: an invalid request fails before the search begins", "[kube][devices]") {
  const Slices slice = {a_slice("p", 1, plain_devices(1))};
  fails_with(search_of(slice, wants("r", "adminAccess: true"), "1.34.4", "DRAAdminAccess=false"),
             "request r: admin access is requested, but the feature is disabled");
  CHECK(search_of(slice, wants("r", "adminAccess: false"), "1.34.4", "DRAAdminAccess=false").outcome == Outcome::error);
  CHECK(search_of(slice, wants("r"), "1.34.4", "DRAAdminAccess=false").outcome == Outcome::fits);
  fails_with(search_of(slice, wants("r", "allocationMode: Some")), "request r: unsupported count mode Some");
  fails_with(search_of(slice, wants("r", "selectors: [{}]")), "request r, selector #0: CEL expression empty");
  fails_with(search_of(slice, "{name: r, firstAvailable: [{name: a0, deviceClassName: gpus}, {name: a1}]}"),
             "request r/a1: unsupported request type");
  // Upstream crashes on a class with such a selector.
  DeviceCluster of_class{{slice}, {requests_of(wants("r"))}};
  of_class.of_class = "selectors: [{}]";
  CHECK(ask_for_devices(of_class).outcome == Outcome::unknown);
  // A claim that requests nothing is always satisfied.
  DeviceCluster nothing{{slice}, {requests_of("")}};
  CHECK(ask_for_devices(nothing).outcome == Outcome::fits);
  const auto without = [&](std::string_view kind, const std::string& requests) {
    std::vector<std::string> documents = {
        a_node("a", "4"), fmt::format("apiVersion: resource.k8s.io/v1\nkind: {}List\nitems: []\n", kind),
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: ns, name: c0}\nspec: {devices: {" +
            requests_of(requests) + "}}\n",
        a_pod("ns/new").spec("resourceClaims: [{name: x, resourceClaimName: c0}]").yaml()};
    if (kind != "ResourceSlice")
      documents.push_back("apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {" +
                          slice[0] + "}\n");
    if (kind != "DeviceClass")
      documents.emplace_back("apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpus}\nspec: {}\n");
    return ask(documents).outcome;
  };
  CHECK(without("DeviceClass", "") == Outcome::fits);
  CHECK(without("ResourceSlice", "") == Outcome::fits);
  CHECK(without("ResourceSlice", wants("r")) == Outcome::pending);
}

TEST_CASE("DRA selectors: a failure on a device is an error with upstream's words", "[kube][devices]") {
  const auto on = [](const std::string& device, const std::string& of_claim, const std::string& of_class) {
    DeviceCluster c{{a_slice("p", 1, "devices: [" + device + "]")}, {requests_of(wants("r", of_claim))}};
    c.of_class = of_class;
    return ask_for_devices(c);
  };
  const std::string device = "{name: d0, attributes: {rank: {int: 1}}}";
  const std::string overload = selecting("device.attributes['d'].rank < 'a'");
  const std::string key = selecting("device.attributes['d'].size == 1");
  fails_with(on(device, overload, ""), "claim ns/c0: selector #0: CEL runtime error: no such overload");
  fails_with(on(device, "", overload), "class gpus: selector #0: CEL runtime error: no such overload");
  fails_with(on(device, key, ""), "claim ns/c0: selector #0: CEL runtime error: no such key: size");
  fails_with(on(device, "", key), "class gpus: selector #0: CEL runtime error: no such key: size");
  const std::string odd = "{name: d0, attributes: {odd: {}}}";
  const std::string any = selecting("device.driver == 'd'");
  fails_with(on(odd, any, ""),
             "claim ns/c0: selector #0: CEL runtime error: attribute odd: unsupported attribute value");
  fails_with(on(odd, "", any),
             "class gpus: selector #0: CEL runtime error: attribute odd: unsupported attribute value");
  const std::string overflow = selecting("device.attributes['d'].rank + 9223372036854775807 > 0");
  fails_with(on(device, overflow, ""), "claim ns/c0: selector #0: CEL runtime error: integer overflow");
  fails_with(on(device, "", overflow), "class gpus: selector #0: CEL runtime error: integer overflow");
  const std::string none = selecting("device.attributes['d'].?size.value() == 1");
  fails_with(on(device, none, ""), "claim ns/c0: selector #0: CEL runtime error: optional.none() dereference");
}

// Source: dynamic-resource-allocation: structured/internal/incubating/allocator_incubating.go selectorsMatch,
// cel/errors.go EnhanceRuntimeError; v0.37.2.
TEST_CASE("DRA selectors: since 1.37, the error names the device", "[kube][devices]") {
  const Slices slices = {a_slice("p", 1, plain_devices(2))};
  const auto in = [&](std::string_view expression) {
    return search_of(slices, wants("r", selecting(expression)), "1.37.2");
  };
  // The first device passes.
  fails_with(in("device.attributes['d'].rank < 1 ? false : device.attributes['d'].size == 1"),
             "claim ns/c0: selector #0 on device d/p/d1: CEL runtime error: no such key: size. consider using CEL "
             "optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields");
  fails_with(in("1 / device.attributes['d'].rank == 1"),
             "claim ns/c0: selector #0 on device d/p/d0: CEL runtime error: division by zero");
}

TEST_CASE("DRA selectors: before 1.36 the order decides whether one fails before a device is found",
          "[kube][devices]") {
  const std::string sized = "{name: d0, attributes: {size: {int: 1}}}";
  const std::string other = "{name: e0, attributes: {rank: {int: 1}}}";
  const std::string key = wants("r", selecting("device.attributes['d'].size == 1"));
  const auto in = [&](const Slices& slices, const std::string& release) { return search_of(slices, key, release); };
  const auto one = [](const std::string& devices) { return Slices{a_slice("p", 1, "devices: [" + devices + "]")}; };
  const auto two = [](const std::string& a, const std::string& b) {
    return Slices{a_slice("p", 2, "devices: [" + a + "]"), a_slice("p", 2, "devices: [" + b + "]")};
  };
  // Within a slice, the order of devices is known.
  CHECK(in(one(sized + ", " + other), "1.35.4").outcome == Outcome::fits);
  CHECK(in(one(other + ", " + sized), "1.35.4").outcome == Outcome::error);
  cannot_tell(in(two(sized, other), "1.35.4"), kAnyOrder);
  cannot_tell(in(two(other, sized), "1.35.4"), kAnyOrder);
  CHECK(in(two(other, "{name: f0, attributes: {rank: {int: 1}}}"), "1.35.4").outcome == Outcome::error);
  // Since 1.36, slices come by name.
  CHECK(in(two(sized, other), "1.36.3").outcome == Outcome::fits);
  CHECK(in(two(other, sized), "1.36.3").outcome == Outcome::error);
  // An error that is found before the first device is tried does not depend on the order.
  fails_with(search_of(two(sized, other), wants("r", "allocationMode: Some"), "1.35.4"), "unsupported count mode");
}

TEST_CASE("DRA selectors: one that is not evaluated is named with its path", "[kube][devices]") {
  const auto gap = [](const std::string& requests, const std::string& of_class = "") {
    DeviceCluster c{{a_slice("p", 1, plain_devices(2))}, {requests_of(requests)}};
    c.of_class = of_class;
    const Answer answer = ask_for_devices(c);
    CHECK(answer.outcome == Outcome::unknown);
    for (const Gap& each : answer.gaps) {
      if (each.rule == GapRule::claim_expression || each.rule == GapRule::class_expression)
        return each.operands.at(0) + " of " + each.operands.at(1) + ": " + each.operands.at(3);
    }
    return std::string();
  };
  // There are two kinds: an expression that is not supported, and a value that is not known.
  const std::string unread = "device.name == 'a'";
  const std::string unknown = "quantity('x').isInteger()";
  for (const std::string& each : {unread, unknown}) {
    const std::string ok = "{cel: {expression: 'true'}}";
    const std::string bad = "selectors: [" + ok + ", {cel: {expression: \"" + each + "\"}}]";
    CHECK(gap(wants("q") + wants("r", bad)) ==
          "spec.devices.requests[1].exactly.selectors[1].cel.expression of ns/c0: " + each);
    CHECK(gap(alternatives("r", {kNothing, bad})) ==
          "spec.devices.requests[0].firstAvailable[1].selectors[1].cel.expression of ns/c0: " + each);
    CHECK(gap(wants("r"), bad) == "spec.selectors[1].cel.expression of gpus: " + each);
  }
}

// Source: dynamic-resource-allocation/resourceslice/tracker/tracker.go applyPatches, v0.34, v0.35 and v0.37.
TEST_CASE("DRA taint rules: taint the devices that they select", "[kube][devices]") {
  const auto with = [](const std::string& selector, const std::string& release = "1.37.2",
                       const std::string& gates = "", const std::string& taint = "{key: k, effect: NoSchedule}",
                       const std::string& more = "") {
    return ask_for_devices({{a_slice("p", 1, plain_devices(1))},
                            {requests_of(wants("r", more))},
                            gates,
                            release,
                            {"apiVersion: resource.k8s.io/v1\nkind: DeviceTaintRule\nmetadata: {name: t}\nspec: {" +
                             selector + "taint: " + taint + "}\n"}});
  };
  const auto by = [](const std::string& selector) { return "deviceSelector: {" + selector + "}, "; };
  CHECK(with(by("driver: d")).outcome == Outcome::pending);
  CHECK(with(by("driver: other")).outcome == Outcome::fits);
  CHECK(with(by("driver: d, pool: p, device: d0")).outcome == Outcome::pending);
  CHECK(with(by("pool: q")).outcome == Outcome::fits);
  CHECK(with(by("device: d1")).outcome == Outcome::fits);
  CHECK(with(by("")).outcome == Outcome::pending);
  CHECK(with(by("driver: d"), "1.37.2", "", "{key: k, effect: None}").outcome == Outcome::fits);
  CHECK(with(by("driver: d"), "1.37.2", "", "{key: k, effect: NoExecute}", "tolerations: [{key: k, operator: Exists}]")
            .outcome == Outcome::fits);

  // Since 1.37, a rule without a selector selects nothing.
  const std::string on = "DRADeviceTaints=true,DRADeviceTaintRules=true";
  CHECK(with("").outcome == Outcome::fits);
  CHECK(with("", "1.36.3", on).outcome == Outcome::pending);

  // The gates.
  CHECK(with(by("driver: d"), "1.37.2", "DRADeviceTaintRules=false").outcome == Outcome::fits);
  CHECK(with(by("driver: d"), "1.36.3").outcome == Outcome::fits);
  CHECK(with(by("driver: d"), "1.36.3", on).outcome == Outcome::pending);
  CHECK(with(by("driver: d"), "1.35.4", on).outcome == Outcome::pending);
  CHECK(with(by("driver: d"), "1.34.4").outcome == Outcome::fits);
  CHECK(with(by("driver: d"), "1.34.4", "DRADeviceTaints=true").outcome == Outcome::pending);

  // Until 1.34, classes and expressions are read, too; later releases know no such fields.
  for (const std::string each : {"deviceClassName: other", "selectors: [{cel: {expression: 'false'}}]"}) {
    cannot_tell(with(by(each), "1.34.4", "DRADeviceTaints=true"),
                "DeviceTaintRules select devices by class or expression, which is not evaluated");
    CHECK(with(by(each)).outcome == Outcome::pending);
  }
}

TEST_CASE("DRA list attributes: the answer is unknown if their gate is on", "[kube][devices]") {
  const auto with = [](std::string_view value, const std::string& gates) {
    return search_of({a_slice("p", 1, fmt::format("devices: [{{name: d0, attributes: {{x: {{{}}}}}}}]", value))},
                     wants("r"), "1.36.3", gates);
  };
  for (const char* value : {"int: 1", "bool: true", "string: a", "version: 1.0.0"})
    CHECK(with(value, "DRAListTypeAttributes=true").outcome == Outcome::fits);
  cannot_tell(with("ints: [1, 2]", "DRAListTypeAttributes=true"), "DRAListTypeAttributes=true");
  CHECK(with("ints: [1, 2]", "DRAListTypeAttributes=false").outcome == Outcome::fits);
}

TEST_CASE("DRA search: given up after too many combinations", "[kube][devices]") {
  // 12 of 24 devices can be chosen in 2.7 million ways, and there is no device for the other request.
  cannot_tell(search_of({a_slice("p", 1, plain_devices(24))}, wants("r", "count: 12") + wants("s", kNothing)),
              "so many combinations");
}

TEST_CASE("DRA details: count what one request lacks, else say that not all requests fit together", "[kube][devices]") {
  const auto detail = [](const std::string& requests, const std::vector<std::string>& more = {}) {
    const Answer answer =
        ask_for_devices({{a_slice("p", 1, plain_devices(3))}, {requests_of(requests)}, "", "1.36.3", more});
    CHECK(answer.outcome == Outcome::pending);
    return answer.nodes.at(0).dump();
  };
  const auto says = [](const std::string& text, std::string_view words) {
    return text.find(words) != std::string::npos;
  };
  CHECK(says(detail(wants("r", "count: 4")), "request r of its claim c0 needs 4 devices; 3 suitable and free"));
  const std::string held = holding("held", "{request: r, driver: d, pool: p, device: d1}");
  CHECK(says(detail(wants("r", "count: 3"), {held}), "request r of its claim c0 needs 3 devices; 2 suitable and free"));
  CHECK(says(detail(wants("r") + wants("s", "count: 4")), "request s of its claim c0 needs 4 devices; 3 suitable and"));
  CHECK(says(detail(wants("r", "count: 2") + wants("s", "count: 2")), "do not satisfy all requests"));
  CHECK(
      says(detail(wants("r", kNothing) + wants("s", "count: 4")), "request r of its claim c0 needs 1 device; 0 suit"));
  // A request with alternatives is skipped.
  CHECK(says(detail(alternatives("r", {""}) + wants("s", "count: 4")), "request s of its claim c0 needs 4 devices; 3"));
}
