#include "tell/kube/known_messages.h"

#include "api/scheduler_words.h"
#include "base/ascii.h"
#include "engine/kube/filter.h"
#include "engine/kube/plugins.h"
#include "engine/kube/rules.h"

#include <algorithm>
#include <array>
#include <string>

namespace previct::kube {
namespace {

namespace look {
constexpr const LookAt* none = nullptr;
#define PREVICT_LOOK(name, what, command)    \
  constexpr LookAt at_##name{what, command}; \
  constexpr const LookAt* name = &at_##name;
#include "tell/kube/messages.def"
}  // namespace look

struct Means {
  Rule rule;
  const LookAt* look;
  std::string_view brief;
  std::string_view meaning;
};
constexpr std::array kMeans = {
#define PREVICT_MEANS(rule, look_, brief, meaning) Means{Rule::rule, look::look_, brief, meaning},
#include "tell/kube/messages.def"
};

/// What components other than schedulers write about a pod that they end.
struct Evictor {
  std::string_view writer;
  std::string_view id;
  std::string_view words;
  std::string_view brief;
  std::string_view meaning;
};
constexpr std::array kEvictors = {
#define PREVICT_EVICTOR(writer, id, words, brief, meaning) Evictor{writer, id, words, brief, meaning},
#include "tell/kube/messages.def"
};

// Determines the part by the prefix of the rule's id.
auto part_of(std::string_view id) -> MessagePart {
  const auto begins = [&](std::string_view front) { return id.starts_with(front); };
  if (begins("kube.filter.") || begins("kube.prefilter.")) return MessagePart::filter;
  if (begins("kube.gated")) return MessagePart::pod;
  if (begins("kube.score.")) return MessagePart::error;
  return MessagePart::preemption;
}

// Returns the plugin in whose folder the source is.
auto plugin_of(std::string_view source) -> std::string_view {
  constexpr std::string_view kFolder = "plugins/";
  if (source.starts_with("dynamic-resource-allocation:")) return "DynamicResources";
  if (!source.starts_with(kFolder)) return {};
  source.remove_prefix(kFolder.size());
  const std::string_view folder = source.substr(0, source.find_first_of(" ,"));
  const auto is_its = [&](std::string_view name) { return lower_case(name).starts_with(folder); };
  for (const FilterInfo* filter : filters()) {
    if (is_its(filter->name)) return filter->name;
  }
  for (const PluginInfo& plugin : plugins()) {
    if (is_its(plugin.name)) return plugin.name;
  }
  return {};
}

// Returns true if the pattern has a value for each operand of the text.
auto has_operands_of(std::string_view pattern, std::string_view text) -> bool {
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
    const std::string_view braced = text.substr(open + 1, text.find('}', open) - open - 1);
    const bool of_number = braced.find('|') != std::string_view::npos;
    if (!of_number && (braced.size() < 2 || braced[1] != ':')) return false;
    if (!of_number && pattern.find(text.substr(open, 3)) == std::string_view::npos) return false;
  }
  return true;
}

auto written_by(std::string_view message) -> WrittenBy {
  const WordEvidence told = evidence_of_words(message);
  WrittenBy by{told.first, told.last, {}};
  if (told.plugin == ReleaseWords::Plugin::default_preemption) by.plugin = "DefaultPreemption";
  if (told.plugin == ReleaseWords::Plugin::other_preemption)
    by.plugin = "PreemptionToleration, or another copy of an old DefaultPreemption";
  return by;
}

void add_rules(std::vector<KnownMessage>& known) {
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    const auto rule = static_cast<Rule>(i);
    const RuleInfo& about = info(rule);
    const auto* const means =
        std::find_if(kMeans.begin(), kMeans.end(), [&](const Means& each) { return each.rule == rule; });
    for (const std::string_view words : words_of_all_releases(rule)) {
      KnownMessage message{
          .id = about.id, .part = part_of(about.id), .plugin = plugin_of(about.source), .pattern = words};
      if (means != kMeans.end()) {
        message.brief = means->brief;
        message.meaning = means->meaning;
        message.look = means->look;
      } else {
        if (has_operands_of(words, words_of_nodes(rule))) message.brief = words_of_nodes(rule);
        if (has_operands_of(words, about.words)) message.meaning = about.words;
      }
      // If several rules have the same words, the one with a meaning of its own is used.
      const auto same =
          std::find_if(known.begin(), known.end(), [&](const KnownMessage& each) { return each.pattern == words; });
      if (same == known.end()) {
        known.push_back(message);
      } else if (means != kMeans.end()) {
        *same = message;
      }
    }
  }
}

}  // namespace

auto known_messages() -> std::vector<Messages> {
  Messages scheduler{.writer = "kube-scheduler",
                     .major = "1.",
                     .reasons =
                         {
#define PREVICT_REASON(word, meaning) {word, meaning},
#include "tell/kube/messages.def"
                         },
                     .always = {*look::explain, *look::fit},
                     .written_by = written_by};
  add_rules(scheduler.known);
  const std::array says = {
#define PREVICT_SAYS(id, part, plugin, look_, words, brief, meaning) \
  KnownMessage{id, MessagePart::part, plugin, 0, 0, words, brief, meaning, look::look_},
#include "tell/kube/messages.def"
  };
  scheduler.known.insert(scheduler.known.end(), says.begin(), says.end());
  Messages autoscaler{.writer = "Cluster Autoscaler",
                      .major = "1.",
                      .counts_groups = true,
                      .known = {
#define PREVICT_AUTOSCALER(id, part, plugin, look_, words, brief, meaning) \
  KnownMessage{id, MessagePart::part, plugin, 0, 0, words, brief, meaning, look::look_},
#include "tell/kube/messages.def"
                      }};
  Messages karpenter{.writer = "Karpenter",
                     .major = "1.",
                     .known = {
#define PREVICT_KARPENTER(id, part, plugin, look_, words, brief, meaning) \
  KnownMessage{id, MessagePart::part, plugin, 0, 0, words, brief, meaning, look::look_},
#include "tell/kube/messages.def"
                     }};
  std::vector<Messages> all = {std::move(scheduler), std::move(autoscaler), std::move(karpenter)};
  for (const Evictor& each : kEvictors) {
    auto writer = std::find_if(all.begin(), all.end(), [&](const Messages& m) { return m.writer == each.writer; });
    if (writer == all.end()) writer = all.insert(all.end(), Messages{.writer = each.writer, .major = "1."});
    writer->known.push_back({each.id, MessagePart::victim, "", 0, 0, each.words, each.brief, each.meaning, look::why});
  }
  return all;
}

}  // namespace previct::kube
