// Devices that share counters. Expected values are derived by hand from dynamic-resource-allocation v0.36.3:
// structured/internal/incubating/allocator_incubating.go checkAvailableCounters, allocateDevice, and
// pools_incubating.go.
#include "unit/engine/kube/device_cluster.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

namespace {

constexpr const char* kCounting = "DRAPartitionableDevices=true,DRADeviceTaints=true,DRAConsumableCapacity=true";

auto consuming(int amount, std::string_view set = "set", std::string_view counter = "mem") -> std::string {
  return fmt::format("consumesCounters: [{{counterSet: {}, counters: {{{}: {{value: {}}}}}}}]", set, counter, amount);
}
// Returns two slices of a pool that has `slices` of them: one has the counter, of 10, the other the devices.
auto pool_of(const std::vector<std::string>& devices, int slices = 2, std::string_view pool = "p",
             std::string_view prefix = "d") -> std::vector<std::string> {
  return {a_slice(pool, slices, "sharedCounters: [{name: set, counters: {mem: {value: 10}}}]"),
          a_slice(pool, slices, devices_with(devices, prefix))};
}
auto with_counters(const std::vector<std::string>& slices, const std::string& requests,
                   const std::vector<std::string>& more = {}) -> Answer {
  return ask_for_devices({slices, {requests_of(requests)}, kCounting, "1.36.3", more});
}
// Returns true if `count` of the devices, which consume these amounts of the counter, can be allocated at once.
auto counted(const std::vector<int>& amounts, int count) -> bool {
  std::vector<std::string> devices;
  for (const int amount : amounts) devices.push_back(consuming(amount));
  const Answer answer = with_counters(pool_of(devices), wants("r", fmt::format("count: {}", count)));
  CHECK((answer.outcome == Outcome::fits || first_rule(answer) == "kube.filter.devices"));
  return answer.outcome == Outcome::fits;
}
const std::string kHeld = "{request: r, driver: d, pool: p, device: d0}";

}  // namespace

TEST_CASE("DRA counters: devices are allocated while their counters last", "[kube][devices]") {
  CHECK(counted({10}, 1));
  CHECK_FALSE(counted({11}, 1));
  CHECK(counted({5, 5}, 2));
  CHECK_FALSE(counted({6, 6}, 2));
  CHECK(counted({6, 6, 4}, 2));
  // A device that cannot be allocated consumes nothing.
  CHECK(counted({11, 6, 4}, 2));
}

TEST_CASE("DRA counters: a device that the search releases or refuses returns its counters", "[kube][devices]") {
  // r takes the first device, which leaves too little for s, which must get the second. If r takes the third, both fit.
  const auto slices = pool_of({consuming(6), consuming(6), consuming(4)});
  CHECK(with_counters(slices, wants("r") + wants("s", ranked_as(1))).outcome == Outcome::fits);
  CHECK(with_counters(slices, wants("r") + wants("s", ranked_as(1)) + wants("t")).outcome == Outcome::pending);
  const auto tainted = pool_of({consuming(6) + ", taints: [{key: k, effect: NoSchedule}]", consuming(6), consuming(4)});
  CHECK(with_counters(tainted, wants("r") + wants("s")).outcome == Outcome::fits);
}

TEST_CASE("DRA counters: allocated devices use up counters, whatever their node", "[kube][devices]") {
  const std::string held = holding("held", kHeld);
  const auto left = [&](int amount) {
    return with_counters(pool_of({consuming(6), consuming(amount)}), wants("r"), {held}).outcome == Outcome::fits;
  };
  CHECK(left(4));
  CHECK_FALSE(left(5));
  // d0 is on another node.
  const auto elsewhere = [&](int amount, std::string_view set = "set") {
    std::vector<std::string> slices = pool_of({"", consuming(amount)}, 3);
    slices[1] = a_slice("p", 3, "devices: [{name: d1, " + consuming(amount) + "}]");
    slices.push_back(
        "driver: d, pool: {name: p, generation: 1, resourceSliceCount: 3}, nodeName: b, devices: [{name: d0, " +
        consuming(6, set) + "}]");
    return with_counters(slices, wants("r"), {held});
  };
  CHECK(elsewhere(4).outcome == Outcome::fits);
  CHECK(elsewhere(5).outcome == Outcome::pending);
  // Devices of other nodes are validated, too.
  CHECK(first_rule(elsewhere(4, "other")) == "kube.filter.device-pools");
  // Admin access uses up no counters.
  const std::string admin = holding("held", "{request: r, driver: d, pool: p, device: d0, adminAccess: true}");
  CHECK(with_counters(pool_of({consuming(6), consuming(5)}), wants("r"), {admin}).outcome == Outcome::fits);
}

TEST_CASE("DRA counters: each pool has counters of its own", "[kube][devices]") {
  // In pool q, more is allocated than the counter has.
  std::vector<std::string> slices = pool_of({consuming(6)});
  for (const std::string& slice : pool_of({consuming(11)}, 2, "q", "e")) slices.push_back(slice);
  const std::string held = holding("held", "{request: r, driver: d, pool: q, device: e0}");
  CHECK(with_counters(slices, wants("r"), {held}).outcome == Outcome::fits);
  CHECK(with_counters(slices, wants("r", "count: 2"), {held}).outcome == Outcome::pending);
}

// Before 1.37, counters are found by the name of the pool alone, so that those of another driver may be used up.
// Source: structured/internal/incubating/allocator_incubating.go checkAvailableCounters, v0.36.3.
TEST_CASE("DRA counters: those of pools of two drivers with one name are mixed up before 1.37", "[kube][devices]") {
  const auto ask = [](const std::string& name, bool consumes, const std::string& release) {
    std::vector<std::string> slices = pool_of({consuming(6)});
    const auto slice = [&](std::string_view fields) {
      return fmt::format("driver: e, pool: {{name: {}, generation: 1, resourceSliceCount: 2}}, allNodes: true, {}",
                         name, fields);
    };
    slices.push_back(slice("sharedCounters: [{name: set, counters: {mem: {value: 10}}}]"));
    slices.push_back(slice(devices_with({consumes ? consuming(6) : ""})));
    return ask_for_devices({slices, {requests_of(wants("r"))}, kCounting, release, {}}).outcome;
  };
  CHECK(ask("p", true, "1.36.3") == Outcome::unknown);
  CHECK(ask("q", true, "1.36.3") == Outcome::fits);
  CHECK(ask("p", true, "1.37.2") == Outcome::fits);
}

TEST_CASE("DRA counters: a pool is invalid if its devices consume counters that do not exist", "[kube][devices]") {
  const auto invalid = [](const std::vector<std::string>& slices) {
    const Answer answer = with_counters(slices, wants("r"));
    if (answer.outcome == Outcome::fits) return false;
    CHECK(first_rule(answer) == "kube.filter.device-pools");
    return true;
  };
  CHECK_FALSE(invalid(pool_of({consuming(1)})));
  CHECK(invalid(pool_of({"", consuming(1, "other")})));
  CHECK(invalid(pool_of({"", consuming(1, "set", "cores")})));
  std::vector<std::string> twice = pool_of({""});
  twice[0] = a_slice("p", 2, "sharedCounters: [{name: set, counters: {mem: {value: 10}}}, {name: set, counters: {}}]");
  CHECK(invalid(twice));
}

TEST_CASE("DRA counters: shares of a device consume its counters once", "[kube][devices]") {
  const auto shared = [](int amount) {
    return "allowMultipleAllocations: true, capacity: {memory: {value: 10}}, " + consuming(amount);
  };
  const auto part = [](std::string_view name, int memory) {
    return wants(name, fmt::format("capacity: {{requests: {{memory: {}}}}}", memory));
  };
  const auto slices = pool_of({shared(6)});
  CHECK(with_counters(slices, part("r", 3) + part("s", 3)).outcome == Outcome::fits);
  const std::string held =
      holding("held",
              "{request: r, driver: d, pool: p, device: d0, shareID: 5f0c6a1e-0000-4000-8000-000000000000, "
              "consumedCapacity: {memory: 3}}");
  CHECK(with_counters(slices, part("r", 3), {held}).outcome == Outcome::fits);
  CHECK(with_counters(slices, part("r", 8), {held}).outcome == Outcome::pending);
  // The counters suffice for one of the two devices. r gets d0 first and releases it, since the rest of d0 is too small
  // for s. If r gets d1, d0 is no longer shared with it, and nothing is left of the counters for s.
  const auto two = pool_of({shared(6), shared(6)});
  CHECK(with_counters(two, part("r", 6) + wants("s", ranked_as(0) + ", capacity: {requests: {memory: 6}}")).outcome ==
        Outcome::pending);
}

TEST_CASE("DRA consumable capacity: shares that the search releases leave the others unchanged", "[kube][devices]") {
  // Two devices with a capacity of 10 each; r and u must get the first one. u does not fit while s (4) or t (2) is
  // there with r (1): the search moves t to the second device, then s, then both. Then all that r leaves is free.
  const std::string device = "allowMultipleAllocations: true, capacity: {memory: {value: 10}}";
  const auto part = [](std::string_view name, int memory, const std::string& more = "") {
    return wants(name, fmt::format("capacity: {{requests: {{memory: {}}}}}{}", memory, more));
  };
  const auto with = [&](int least) {
    return ask_for_devices({{a_slice("p", 1, devices_with({device, device}))},
                            {requests_of(part("r", 1, ", " + ranked_as(0)) + part("s", 4) + part("t", 2) +
                                         part("u", least, ", " + ranked_as(0)))},
                            kCounting})
        .outcome;
  };
  CHECK(with(9) == Outcome::fits);
  CHECK(with(10) == Outcome::pending);
}

TEST_CASE("DRA consumable capacity: devices have no shares if the gate is off", "[kube][devices]") {
  const auto two = [](const std::string& gates) {
    return ask_for_devices({{a_slice("p", 1, devices_with({"allowMultipleAllocations: true"}))},
                            {requests_of(wants("r") + wants("s"))},
                            gates})
        .outcome;
  };
  CHECK(two("DRAConsumableCapacity=true") == Outcome::fits);
  CHECK(two("DRAConsumableCapacity=false") == Outcome::pending);
}

TEST_CASE("DRA counters: devices that consume counters are skipped if the gate is off", "[kube][devices]") {
  const auto off = [](const std::vector<std::string>& devices, std::string_view release = "1.36.3") {
    return ask_for_devices(
               {pool_of(devices), {requests_of(wants("r"))}, "DRAPartitionableDevices=false", std::string(release)})
        .outcome;
  };
  CHECK(off({consuming(1), ""}) == Outcome::fits);
  CHECK(off({consuming(1)}) == Outcome::pending);
  CHECK(off({consuming(1), ""}, "1.34.4") == Outcome::fits);
  CHECK(off({consuming(1)}, "1.34.4") == Outcome::pending);
}

// Source: pools_incubating.go GatherPools, v0.37.2: slices with counters are matched to the node like others.
TEST_CASE("DRA counters: since 1.37, those of other nodes do not concern a node", "[kube][devices]") {
  const auto all_devices = [](const std::string& release) {
    return ask_for_devices({{a_slice("p", 1, devices_with({""})),
                             "driver: d, pool: {name: q, generation: 1, resourceSliceCount: 2}, nodeName: b, "
                             "sharedCounters: [{name: set, counters: {mem: {value: 10}}}]"},
                            {requests_of(wants("r", "allocationMode: All"))},
                            kCounting,
                            release})
        .outcome;
  };
  // Pool q is incomplete, and the request is for all devices.
  CHECK(all_devices("1.36.3") == Outcome::error);
  CHECK(all_devices("1.37.2") == Outcome::fits);
  // The counters of a pool count even if their slice is for another node.
  const auto counted = [](int amount) {
    return ask_for_devices({{"driver: d, pool: {name: p, generation: 1, resourceSliceCount: 2}, nodeName: b, "
                             "sharedCounters: [{name: set, counters: {mem: {value: 10}}}]",
                             a_slice("p", 2, devices_with({consuming(amount)}))},
                            {requests_of(wants("r"))},
                            kCounting,
                            "1.37.2"})
        .outcome;
  };
  CHECK(counted(10) == Outcome::fits);
  CHECK(counted(11) == Outcome::pending);
}

// The scheduler takes the number from the first slice that it lists, and lists them in any order.
TEST_CASE("DRA pools: slices that disagree about their number make the answer unknown", "[kube][devices]") {
  const auto with = [](int first, int second) {
    return ask_for_devices(
               {{a_slice("p", first, devices_with({""}, "d")), a_slice("p", second, devices_with({""}, "e"))},
                {requests_of(wants("r"))}})
        .outcome;
  };
  CHECK(with(2, 2) == Outcome::fits);
  CHECK(with(2, 3) == Outcome::unknown);
  CHECK(with(3, 2) == Outcome::unknown);
  CHECK(with(3, 4) == Outcome::pending);  // by both numbers, the pool is incomplete
}
