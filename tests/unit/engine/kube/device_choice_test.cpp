// Which devices a claim gets, depending on constraints, taints and shares of capacity. Expected values are derived by
// hand from upstream's allocator (dynamic-resource-allocation: structured/internal/incubating, v0.36.3).
#include "engine/engine.h"
#include "engine/kube/devices/capacity.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

constexpr std::string_view kGates = "DRADeviceTaints=true,DRAConsumableCapacity=true";

/// A cluster of one node that reaches `devices`, and the claim `mine` of the pod.
struct Choice {
  std::string devices;
  std::string requests;
  std::string constraints = "";
  std::string_view gates = kGates;
  std::vector<std::string> more = {};
  std::string_view release = "1.36.3";
};

auto outcome(const Choice& c, std::string_view more_claims = "") -> Outcome {
  std::vector<std::string> documents = c.more;
  documents.push_back(a_node("a", "4"));
  documents.emplace_back("apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpus}\nspec: {}\n");
  documents.push_back(fmt::format(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: s}}\n"
      "spec: {{driver: d, pool: {{name: p, generation: 1, resourceSliceCount: 1}}, allNodes: true, devices: [{}]}}\n",
      c.devices));
  documents.push_back(
      fmt::format("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: mine}}\n"
                  "spec: {{devices: {{requests: [{}], constraints: [{}]}}}}\n",
                  c.requests, c.constraints));
  documents.push_back(
      fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{namespace: kube-system, name: kube-scheduler}}\n"
                  "spec: {{containers: [{{name: kube-scheduler, image: 'registry.k8s.io/kube-scheduler:v{}', command: "
                  "[kube-scheduler, '--feature-gates={}']}}]}}\nstatus: {{phase: Running}}\n",
                  c.release, c.gates));
  documents.push_back(a_pod("ns/new")
                          .priority(9)
                          .spec(fmt::format("resourceClaims: [{{name: a, resourceClaimName: mine}}{}]", more_claims))
                          .yaml());
  return ask_kube(*a_cluster(documents), "ns/new").outcome;
}

auto request(std::string_view name, std::string_view more = "") -> std::string {
  return fmt::format("{{name: {}, exactly: {{deviceClassName: gpus{}}}}}", name, more);
}
const std::string kTwo = request("r") + ", " + request("s");

/// Devices d0, d1, … with one attribute `rank` each.
auto ranked(const std::vector<std::string>& ranks) -> std::string {
  std::string devices;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    devices += fmt::format("{{name: d{}, attributes: {{{}}}}}, ", i,
                           ranks[i].empty() ? "" : fmt::format("rank: {{{}}}", ranks[i]));
  return devices;
}

}  // namespace

TEST_CASE("DRA distinctAttribute: since 1.37 each device of a request must differ from all others", "[kube][devices]") {
  // Up to 1.36, only the last device of a request is remembered, so the third is compared with the second.
  const auto three = [](std::string_view release) {
    Choice choice{ranked({"int: 1", "int: 2", "int: 1"}), request("r", ", count: 3"), "{distinctAttribute: d/rank}"};
    choice.release = release;
    return outcome(choice);
  };
  CHECK(three("1.36.3") == Outcome::fits);
  CHECK(three("1.37.2") == Outcome::pending);
}

TEST_CASE("DRA matchAttribute: devices must have the same value, of any type", "[kube][devices]") {
  const auto match = [](const std::string& one, const std::string& other, const std::string& of = "[r, s]") {
    return outcome({ranked({one, other}), kTwo, fmt::format("{{requests: {}, matchAttribute: d/rank}}", of)});
  };
  CHECK(match("int: 1", "int: 1") == Outcome::fits);
  CHECK(match("int: 1", "int: 2") == Outcome::pending);
  CHECK(match("bool: true", "bool: true") == Outcome::fits);
  CHECK(match("bool: true", "bool: false") == Outcome::pending);
  CHECK(match("string: x", "string: x") == Outcome::fits);
  CHECK(match("string: x", "string: z") == Outcome::pending);
  CHECK(match("version: 1.0.0", "version: 1.0.0") == Outcome::fits);
  CHECK(match("version: 1.0.0", "version: 1.0.1") == Outcome::pending);
  CHECK(match("int: 1", "string: '1'") == Outcome::pending);
  CHECK(match("int: 1", "") == Outcome::pending);
  // The constraint applies to all requests if none is named, else only to the named ones.
  CHECK(match("int: 1", "int: 2", "[]") == Outcome::pending);
  CHECK(match("int: 1", "int: 2", "[r]") == Outcome::fits);
}

// Source: allocator_incubating.go matchAttributeConstraint. A constraint names a request with all its alternatives, or
// one of them as request/alternative.
TEST_CASE("DRA constraints: may name one alternative of a request", "[kube][devices]") {
  const auto match = [](std::string_view of) {
    return outcome({ranked({"int: 1", "int: 2"}),
                    "{name: r, firstAvailable: [{name: one, deviceClassName: gpus}]}, " + request("s"),
                    fmt::format("{{requests: [{}, s], matchAttribute: d/rank}}", of)});
  };
  CHECK(match("r/one") == Outcome::pending);
  CHECK(match("r") == Outcome::pending);
  for (const char* other : {"r/two", "r/on", "r/one/x", "rr/one", "s/one"}) CHECK(match(other) == Outcome::fits);
}

TEST_CASE("DRA distinctAttribute: devices must have different values", "[kube][devices]") {
  const std::string differ = "{distinctAttribute: d/rank}";
  CHECK(outcome({ranked({"int: 1", "int: 1"}), kTwo, differ}) == Outcome::pending);
  CHECK(outcome({ranked({"int: 1", "int: 2"}), kTwo, differ}) == Outcome::fits);
  CHECK(outcome({ranked({"int: 1", "int: 1", "int: 2"}), kTwo, differ}) == Outcome::fits);
  CHECK(outcome({ranked({"int: 1", "int: 1"}), request("r", ", count: 2"), differ}) == Outcome::pending);
  // Only the last device of each request is remembered: the third differs from the second, but not from the first.
  CHECK(outcome({ranked({"int: 1", "int: 2", "int: 1"}), request("r", ", count: 3"), differ}) == Outcome::fits);
  CHECK(outcome({ranked({"int: 1", ""}), kTwo, differ}) == Outcome::pending);
  CHECK(outcome({ranked({"bool: true", "bool: true"}), kTwo, differ}) == Outcome::pending);
  CHECK(outcome({ranked({"bool: true", "bool: false"}), kTwo, differ}) == Outcome::fits);
  CHECK(outcome({ranked({"version: 1.0.0", "version: 1.0.0"}), kTwo, differ}) == Outcome::pending);
  CHECK(outcome({ranked({"version: 1.0.0", "version: 1.0.1"}), kTwo, differ}) == Outcome::fits);
}

// Source: resourceclaim/devicetoleration.go ToleratesTaint; taintPreventsAllocation.
TEST_CASE("DRA taints: a tainted device is allocated to requests that tolerate it", "[kube][devices]") {
  const auto with = [](std::string_view toleration, std::string_view taints = "{key: k, value: v, effect: NoSchedule}",
                       std::string_view gates = kGates) {
    return outcome({fmt::format("{{name: d0, taints: [{}]}}", taints),
                    request("r", fmt::format(", tolerations: [{}]", toleration)), "", gates});
  };
  CHECK(with("") == Outcome::pending);
  CHECK(with("", "{key: k, effect: NoSchedule}", "DRADeviceTaints=false") == Outcome::fits);
  CHECK(with("", "{key: k, effect: None}") == Outcome::fits);
  CHECK(with("", "{key: k, effect: NoExecute}") == Outcome::pending);
  CHECK(with("{key: k, operator: Exists}") == Outcome::fits);
  CHECK(with("{operator: Exists}") == Outcome::fits);
  CHECK(with("{key: j, operator: Exists}") == Outcome::pending);
  CHECK(with("{key: k, operator: Equal, value: v}") == Outcome::fits);
  CHECK(with("{key: k, operator: Equal, value: w}") == Outcome::pending);
  CHECK(with("{key: k, value: v}") == Outcome::fits);
  CHECK(with("{key: k}") == Outcome::pending);
  CHECK(with("{key: k, operator: Exists, effect: NoSchedule}") == Outcome::fits);
  CHECK(with("{key: k, operator: Exists, effect: NoExecute}") == Outcome::pending);
  CHECK(with("{key: k, operator: Exists}", "{key: k, effect: NoSchedule}, {key: l, effect: NoSchedule}") ==
        Outcome::pending);
}

// Source: consumable_capacity.go CmpRequestOverCapacity.
TEST_CASE("DRA consumable capacity: a device that several claims may share is allocated while capacity is left",
          "[kube][devices]") {
  const auto with = [](std::string_view first, std::string_view second, std::string_view device = "",
                       std::string_view held = "") {
    const auto asks = [](std::string_view amount) {
      return request("r", amount.empty() ? "" : fmt::format(", capacity: {{requests: {{{}}}}}", amount));
    };
    Choice c{fmt::format("{{name: d0, {}capacity: {{memory: {{value: 10}}}}}}",
                         device.empty() ? "allowMultipleAllocations: true, " : device),
             asks(first)};
    const auto other = [&](std::string_view name, std::string_view requests, std::string_view status) {
      c.more.push_back(
          fmt::format("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: {}}}\n"
                      "spec: {{devices: {{requests: [{}]}}}}\nstatus: {{{}}}\n",
                      name, requests, status));
    };
    if (!held.empty()) {
      other("held", asks(""),
            fmt::format("allocation: {{devices: {{results: [{{request: r, driver: d, pool: p, device: d0, shareID: "
                        "5f0c6a1e-0000-4000-8000-000000000000, consumedCapacity: {{memory: {}}}}}]}}}}",
                        held));
    }
    if (second == "-") return outcome(c);
    other("other", asks(second), "");
    return outcome(c, ", {name: b, resourceClaimName: other}");
  };
  CHECK(with("memory: 6", "-") == Outcome::fits);
  CHECK(with("memory: 11", "-") == Outcome::pending);
  CHECK(with("memory: 5", "memory: 5") == Outcome::fits);
  CHECK(with("memory: 5", "memory: 6") == Outcome::pending);
  // A request without an amount takes the whole capacity.
  CHECK(with("", "-") == Outcome::fits);
  CHECK(with("", "memory: 1") == Outcome::pending);
  CHECK(with("cores: 1", "-") == Outcome::pending);
  CHECK(with("memory: 5", "-", "", "5") == Outcome::fits);
  CHECK(with("memory: 6", "-", "", "5") == Outcome::pending);
  // A device that may not be shared is allocated to one claim only.
  CHECK(with("memory: 1", "memory: 1", "allowMultipleAllocations: false, ") == Outcome::pending);
}

// Source: consumable_capacity.go calculateConsumedCapacity, roundUpRange, roundUpValidValues, violatesPolicy.
TEST_CASE("DRA consumable capacity: the amount that is taken, and whether the policy allows it", "[kube][devices]") {
  const auto amount = [](std::int64_t value) { return Quantity::of(value); };
  const auto taken = [&](const DeviceCapacity& capacity, std::int64_t asked) {
    const Quantity quantity = amount(asked);
    return kube::devices::taken_of(capacity, &quantity, false).value();
  };
  const auto allowed = [&](const DeviceCapacity& capacity, std::int64_t value) {
    return kube::devices::allowed(capacity, amount(value), false);
  };
  const DeviceCapacity free{.value = amount(100), .policy = {}};
  CHECK(kube::devices::taken_of(free, nullptr, false).value() == 100);
  CHECK(taken(free, 7) == 7);
  CHECK(allowed(free, 7));

  const CapacityPolicy steps{.default_amount = amount(3),
                             .valid_values = {},
                             .valid_range = CapacityRange{.min = amount(10), .max = amount(30), .step = amount(5)}};
  const DeviceCapacity range{.value = amount(100), .policy = steps};
  CHECK(kube::devices::taken_of(range, nullptr, false).value() == 3);
  CHECK(taken(range, 9) == 10);
  CHECK(taken(range, 10) == 10);
  CHECK(taken(range, 11) == 15);
  CHECK(taken(range, 20) == 20);
  CHECK(allowed(range, 3));  // the default amount is allowed, whatever the range
  CHECK(allowed(range, 15));
  CHECK_FALSE(allowed(range, 16));
  CHECK(allowed(range, 30));
  CHECK_FALSE(allowed(range, 35));

  CapacityPolicy no_step = steps;
  no_step.valid_range->step.reset();
  const DeviceCapacity smooth{.value = amount(100), .policy = no_step};
  CHECK(taken(smooth, 11) == 11);
  CHECK(allowed(smooth, 16));
  CHECK_FALSE(allowed(smooth, 31));

  const DeviceCapacity listed{
      .value = amount(100),
      .policy = CapacityPolicy{.default_amount = {}, .valid_values = {amount(8), amount(16)}, .valid_range = {}}};
  CHECK(kube::devices::taken_of(listed, nullptr, false).value() == 100);
  CHECK(taken(listed, 1) == 8);
  CHECK(taken(listed, 8) == 8);
  CHECK(taken(listed, 9) == 16);
  CHECK(taken(listed, 17) == 17);
  CHECK(allowed(listed, 16));
  CHECK_FALSE(allowed(listed, 17));
  CHECK(allowed({.value = amount(100), .policy = CapacityPolicy{}}, 17));
}

// Source: consumable_capacity.go useMilli, roundUpRange, violateValidRange; v0.37.2.
TEST_CASE("DRA consumable capacity: steps may have three decimal places", "[kube][devices]") {
  const auto amount = [](std::string_view text) { return *Quantity::parse(text); };
  const auto of = [&](std::string_view min, std::string_view step) {
    return DeviceCapacity{
        .value = amount("10"),
        .policy = CapacityPolicy{.default_amount = {},
                                 .valid_values = {},
                                 .valid_range = CapacityRange{.min = amount(min), .max = {}, .step = amount(step)}}};
  };
  const auto taken = [&](const DeviceCapacity& capacity, std::string_view asked, bool fractions) {
    const Quantity quantity = amount(asked);
    return kube::devices::taken_of(capacity, &quantity, fractions);
  };
  const DeviceCapacity halves = of("500m", "500m");
  CHECK(taken(halves, "700m", true) == amount("1"));
  CHECK(taken(halves, "1100m", true) == amount("1500m"));
  CHECK(kube::devices::allowed(halves, amount("1500m"), true));
  CHECK_FALSE(kube::devices::allowed(halves, amount("1600m"), true));
  // Without them, 500m counts as 1.
  CHECK(taken(halves, "1100m", false) == amount("2"));
  CHECK(kube::devices::allowed(halves, amount("1500m"), false));
  // A step below a thousandth is rounded up to an integer, like the others.
  const DeviceCapacity fine = of("0", "100u");
  CHECK(taken(fine, "1500m", true) == amount("2"));
}
