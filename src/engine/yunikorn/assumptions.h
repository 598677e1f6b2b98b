#pragma once

#include "api/described.h"
#include "base/diagnostics.h"
#include "base/instant.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace previct::yunikorn {

struct PodName {
  std::string ns;
  std::string name;
};
[[nodiscard]] auto pod_name_form() -> Form<PodName>;

/// A number with at most nine decimals, exact: percentages.
struct Decimal {
  std::int64_t scaled = 0;
  static constexpr std::int64_t kScale = 1'000'000'000;
};
[[nodiscard]] auto percentage_form() -> Form<Decimal>;
/// The strategies of the design document, in order, separated by commas.
[[nodiscard]] auto strategies_form() -> Form<std::vector<std::string>>;
/// An integer of 32 bits, 0 or more.
[[nodiscard]] auto count_form() -> Form<std::int64_t>;
[[nodiscard]] auto time_form() -> Form<Instant>;

/// The two interpretations of the order in which the strategies of the 1.5.1 design document consider candidates. Its
/// step (4), "Sorting Pods", sorts by priority, age and then resources, and its figure marks pods that are equal in
/// priority and age as a zone; its step (5) asks for the nearest size among all single victims, and for the largest
/// pods first. The class of a pod comes first in both.
enum class DesignOrder : std::uint8_t {
  zones,  ///< sizes decide only among pods with the same priority and age, as in the figure
  sizes   ///< sizes decide among all pods of a class
};

/// The settings that the 1.5.1 design document offers to an administrator. The document specifies the default of
/// `strategies`; the other defaults are previct's own.
struct DesignSettings {
  DesignOrder order = DesignOrder::zones;
  std::vector<std::string> strategies = {"single", "multiple"};
  Decimal deviation_percent{10 * Decimal::kScale};
  std::int64_t max_victims = 3;
  std::int64_t start_delay = 0;  ///< nanoseconds
  std::optional<Instant> reservation_created;
  bool count_free = false;
  bool descending = true;  ///< order of sizes within a zone for the strategy `multiple`
  /// The origin of each key that is set: `--assume`.
  std::map<std::string, std::string, std::less<>> origins;
  std::string origin = "--assume";  ///< of the keys that are set next

  template <class Field>
  friend void describe(Field& field, DesignSettings& self) {
    const char* const strategy = "preemption_victim_pods_selection_strategy";
    const auto strategies = [&](std::vector<std::string> words, const Place& /*place*/) {
      if (!words.empty()) self.strategies = std::move(words);
      self.origins[strategy] = self.origin;
    };
    field(strategy, As<std::vector<std::string>>{strategies_form(), strategies},
          "strategies in order: single,multiple");
    field("preemption_victim_poselection_strategy", As<std::vector<std::string>>{strategies_form(), strategies},
          "the same, as the document misspells it once");
    field("deviation_percent", self.set("deviation_percent", self.deviation_percent, percentage_form()),
          "how far the size of a victim may be from the ask (10)");
    field("max_victims", self.set("max_victims", self.max_victims, count_form()), "the maximum number of victims (3)");
    field("preemption_start_delay", self.set("preemption_start_delay", self.start_delay, duration_form("30s")),
          "how old the reservation must be (0s)");
    field("reservation_created", self.set("reservation_created", self.reservation_created, time_form()),
          "when the scheduler made the reservation");
    field("count_free", self.set("count_free", self.count_free, boolean_form()),
          "free capacity counts towards the ask (false)");
    field(
        "multiple_order",
        self.set("multiple_order", self.descending, word_form_for<bool>({{"descending", true}, {"ascending", false}})),
        "by size: descending, or ascending as in the figure of the document");
    field("order",
          self.set("order", self.order,
                   word_form_for<DesignOrder>({{"zones", DesignOrder::zones}, {"sizes", DesignOrder::sizes}})),
          "sizes decide among pods of equal priority and age only (zones), or among all pods of a class (sizes)");
  }

 private:
  template <class M, class V>
  auto set(const char* key, M& member, Form<V> form) -> As<V> {
    return {std::move(form), [this, key, &member](V value, const Place& /*place*/) {
              member = std::move(value);
              origins[key] = origin;
            }};
  }
};

/// What no dump contains: the state in the scheduler's memory.
struct Assumptions {
  std::vector<PodName> preempted;  ///< marked by an earlier preemption and still present
  std::vector<PodName> released;   ///< placeholders that are being terminated
  bool ask_triggered = false;      ///< the pending pod has already triggered preemption
  DesignSettings design;

  template <class Field>
  friend void describe(Field& field, Assumptions& self) {
    field("preempted", list_of(self.preempted, pod_name_form(), "a list of NAMESPACE/NAME"),
          "pods already marked as preempted");
    field("released", list_of(self.released, pod_name_form(), "a list of NAMESPACE/NAME"), "pods already released");
    field("askTriggered", as(self.ask_triggered, boolean_form()), "the pod has triggered preemption before");
    field("design", self.design, "settings of the 1.5.1 design document");
  }
};

/// Sets a member of DesignSettings by its key in an assumptions file; returns false if there is no such key. `origin`
/// names where the value comes from. Errors: a value of the wrong type.
[[nodiscard]] auto set_design(std::string_view key, const std::string& value, const std::string& origin, Place place,
                              DesignSettings& settings) -> Result<bool>;

}  // namespace previct::yunikorn
