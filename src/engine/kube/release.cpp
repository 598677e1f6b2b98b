#include "engine/kube/release.h"

#include "engine/versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::kube {
namespace {

struct Minor {
  int minor;
  std::string_view compared_with;
};
constexpr std::array kReleases = {
#define PREVICT_RELEASE(minor, compared_with) Minor{minor, compared_with},
#include "engine/kube/releases.def"
};

constexpr std::array kGates = {
#define PREVICT_GATE(name, known, on, locked, gone, effect) Gate{#name, known, on, locked, gone, Gate::Effect::effect},
#include "engine/kube/releases.def"
};
static_assert(kGates.size() <= 64, "Release keeps them in one word");

constexpr auto place_of(std::string_view name) -> std::size_t {
  for (std::size_t i = 0; i < kGates.size(); ++i) {
    if (kGates[i].name == name) return i;
  }
  return kGates.size();
}

struct Extent {
  int since = 0;
  int until = 0;
  std::optional<std::size_t> gate{};
};
constexpr std::array kChanges = {
#define PREVICT_CHANGE(name, since, until, source) Extent{since, until},
#define PREVICT_GATED(name, gate, source) Extent{0, 0, place_of(#gate)},
#include "engine/kube/releases.def"
};

struct Needed {
  std::size_t gate = 0;
  std::size_t other = 0;
  int since = 0;
};
constexpr std::array kNeeded = {
#define PREVICT_NEEDS(gate, other, since) Needed{place_of(#gate), place_of(#other), since},
#include "engine/kube/releases.def"
};

constexpr auto begun(int since, int minor) -> bool {
  return since != 0 && minor >= since;
}

constexpr auto bit(std::size_t place) -> std::uint64_t {
  return std::uint64_t{1} << place;
}

// They are adjacent in the table.
constexpr auto is_of_devices(Change change) -> bool {
  const bool rule = change >= Change::device_pools_whole && change <= Change::devices_told_apart;
  const bool gated = change >= Change::device_admin_access && change <= Change::node_resources_of_devices;
  return rule || gated || change == Change::newest_device_allocator;
}

// They are adjacent in the table, too. They change what happens after a decision.
constexpr auto is_of_queue(Change change) -> bool {
  return change >= Change::queueing_hints && change <= Change::pods_told_apart;
}

}  // namespace

auto gates() -> std::span<const Gate> {
  return kGates;
}

auto find_gate(std::string_view name) -> const Gate* {
  const std::size_t place = place_of(name);
  return place == kGates.size() ? nullptr : &kGates[place];
}

Release::Release() : Release(assumed_minor()) {}

Release::Release(int minor) : minor_(std::clamp(minor, oldest_minor(), newest_minor())), meant_(minor) {
  for (std::size_t i = 0; i < kGates.size(); ++i) {
    const Gate& gate = kGates[i];
    if (begun(gate.on, minor_) && !begun(gate.gone, minor_)) gates_ |= bit(i);
  }
}

auto Release::has(Change change) const -> bool {
  const Extent& extent = kChanges[static_cast<std::size_t>(change)];
  if (extent.gate) {
    const Gate& gate = kGates[*extent.gate];
    const bool for_good = gate.locked != 0 && begun(gate.gone, minor_);
    return for_good || (gates_ & bit(*extent.gate)) != 0;
  }
  return minor_ >= extent.since && !begun(extent.until, minor_);
}

auto Release::is_on(const Gate& gate) const -> bool {
  return (gates_ & bit(place_of(gate.name))) != 0;
}

void Release::set(const Gate& gate, bool on) {
  const std::uint64_t mask = bit(place_of(gate.name));
  gates_ = on ? gates_ | mask : gates_ & ~mask;
}

auto Release::unmet() const -> std::optional<Unmet> {
  for (const Needed& needed : kNeeded) {
    const Gate& other = kGates[needed.other];
    const bool there = minor_ >= needed.since && !begun(other.gone, minor_);
    if (there && is_on(kGates[needed.gate]) && !is_on(other)) return Unmet{&kGates[needed.gate], &other};
  }
  return {};
}

auto Release::decides_like(const Release& other, bool with_devices) const -> bool {
  for (std::size_t i = 0; i < kChanges.size(); ++i) {
    const auto change = static_cast<Change>(i);
    const bool afterwards =
        change == Change::asynchronous_preemption || change == Change::dry_run_in_any_order || is_of_queue(change);
    if (is_of_devices(change) && !with_devices) continue;
    if (!afterwards && has(change) != other.has(change)) return false;
  }
  return true;
}

auto Release::name() const -> std::string {
  return release_name(minor_);
}

auto Release::measured() const -> bool {
  return std::any_of(kReleases.begin(), kReleases.end(),
                     [&](const Minor& known) { return known.minor == minor_ && !known.compared_with.empty(); });
}

auto oldest_minor() -> int {
  return kReleases.front().minor;
}

auto newest_minor() -> int {
  return kReleases.back().minor;
}

auto assumed_minor() -> int {
  return 36;  // follows what clusters run, which is older than the newest compared release
}

auto release_name(int minor) -> std::string {
  return fmt::format("1.{}", minor);
}

auto minor_of(std::string_view version) -> std::optional<int> {
  return previct::minor_of(version, 1);
}

}  // namespace previct::kube
