#pragma once

#include "api/described.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace previct {

enum class Switch : std::uint8_t { automatic, on, off };

/// Which scheduler decides, and which of its releases, plugins and modes: as flags of the command line and test suites
/// state it. An empty text means: as the input shows. An engine ignores the options of the others.
struct SchedulerOptions {
  std::string engine = "auto";             ///< the engine whose rules apply, whatever schedulerName the pod has
  std::string toleration_plugin = "auto";  ///< kube: PreemptionToleration instead of DefaultPreemption: auto, on, off
  std::string k8s_version;                 ///< kube: "1.33", "v1.33.4"
  std::string feature_gates;               ///< kube: "A=true,B=false"
  std::string kai_version;                 ///< kai: "0.14", "v0.14.7"
  std::string shard;                       ///< kai: name of the SchedulingShard
  std::string yunikorn_version;            ///< yunikorn: "1.6", "1.6.3"
  std::string yunikorn_mode = "release";   ///< yunikorn: "release" or "design-1.5.1"
  std::string kueue_version;               ///< kueue: "0.19.0"; empty: the version whose answers were compared
  std::uint32_t cycles = 5;                ///< kueue: maximum number of cycles; fewer if nothing changes any more

  [[nodiscard]] auto engine_is_chosen() const -> bool { return engine != "auto"; }
  [[nodiscard]] auto toleration_switch() const -> Switch {
    return toleration_plugin == "on" ? Switch::on : toleration_plugin == "off" ? Switch::off : Switch::automatic;
  }

  /// Calls visit(key, member, form, meaning) for each option, by its key in a test suite.
  template <class Self, class Visit>
  static void each(Self& self, Visit visit) {
    visit("engine", self.engine, text_form(), "the scheduler whose rules apply; auto: by schedulerName");
    visit("tolerationPlugin", self.toleration_plugin, word_form({"auto", "on", "off"}),
          "PreemptionToleration instead of DefaultPreemption; auto: as configured");
    visit("kubernetesVersion", self.k8s_version, text_form(true), "follow this release of kube-scheduler");
    visit("kaiVersion", self.kai_version, text_form(true), "follow this release of KAI Scheduler");
    visit("kueueVersion", self.kueue_version, text_form(true), "follow this release of Kueue");
    visit("yunikornVersion", self.yunikorn_version, text_form(true), "follow this release of Apache YuniKorn");
    visit("featureGates", self.feature_gates, text_form(), "A=true,B=false");
    visit("yunikornMode", self.yunikorn_mode, word_form({"release", "design-1.5.1"}),
          "YuniKorn as released, or its design document");
    visit("shard", self.shard, text_form(), "the KAI SchedulingShard to follow");
    visit("kueueCycles", self.cycles, count_form(), "number of Kueue scheduling cycles to simulate; default: 5");
  }
  template <class Field>
  friend void describe(Field& field, SchedulerOptions& self) {
    each(self, [&](std::string_view key, auto& member, auto form, std::string_view meaning) {
      field(key, as(member, std::move(form)), meaning);
    });
  }
};

}  // namespace previct
