#include "analysis/charts.h"

#include "api/amount_text.h"
#include "base/text.h"
#include "cluster/pod_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace previct {
namespace {

constexpr std::size_t kResourcesShown = 4;
constexpr std::size_t kNodesShown = 4;
constexpr std::size_t kTimesShown = 12;                     // pods in the timeline; the first ones to end are shown
constexpr std::uint32_t kThinnest = Picture::kScale / 100;  // smaller pods are merged into one part

// The fate of a pod on the node, in the order of the bar.
enum class Fate : std::uint8_t { stays, tolerates, evicted, or_equal_evicted, comes };

auto tone_of(Fate fate) -> Tone {
  switch (fate) {
    case Fate::stays: return Tone::plain;
    case Fate::tolerates: return Tone::safe;
    case Fate::evicted:
    case Fate::or_equal_evicted: return Tone::danger;
    case Fate::comes: return Tone::verdict;
  }
  return Tone::plain;
}

auto fate_word(Fate fate) -> std::string_view {
  switch (fate) {
    case Fate::stays: return "stays";
    case Fate::tolerates: return "tolerates this preemption";
    case Fate::evicted: return "is evicted";
    case Fate::or_equal_evicted: return "is evicted, or an equal pod";
    case Fate::comes: return "is placed here";
  }
  return "";
}

struct Tenant {
  PodId pod;
  std::string name;
  Fate fate = Fate::stays;
  ResourceList request;
};

class NodePicture {
 public:
  NodePicture(const Answer& answer, const Snapshot& cluster, NodeId node, const std::vector<PodId>& incoming)
      : cluster_(cluster), node_(cluster.name(node)), allocatable_(cluster.node(node).status.allocatable) {
    for (const PodId pod : cluster.pods_on(node)) add(pod, fate_of(answer, pod), RequestOf::placed);
    for (const PodId pod : incoming) add(pod, Fate::comes, RequestOf::incoming);
    // By fate, then by name, so that the order of the input has no effect.
    std::sort(tenants_.begin(), tenants_.end(),
              [](const Tenant& a, const Tenant& b) { return std::tie(a.fate, a.name) < std::tie(b.fate, b.name); });
    const std::string who = incoming.size() == 1 ? cluster.key(incoming.front())
                                                 : counted(incoming.size(), "pod of the group", "pods of the group");
    picture_.title = fmt::format("Node {}, now and with {}", node_, who);
    for (const SharedDevice& device : answer.devices) {
      if (device.node == node_) device_rows(device, answer, incoming);
    }
    for (const Symbol resource : wanted()) {
      if (picture_.rows.size() < 2 * kResourcesShown) rows(resource);
    }
    for (const Fate fate : {Fate::evicted, Fate::or_equal_evicted, Fate::comes, Fate::tolerates, Fate::stays}) {
      if (shown_[static_cast<std::size_t>(fate)])
        picture_.legend.push_back({tone_of(fate), std::string(fate_word(fate))});
    }
    picture_.legend.push_back({Tone::dim, "free"});
  }

  auto take() -> Picture { return std::move(picture_); }

 private:
  static auto fate_of(const Answer& answer, PodId pod) -> Fate {
    const auto is_it = [&](const auto& each) { return each.pod == pod; };
    const auto victim = std::find_if(answer.victims.begin(), answer.victims.end(), is_it);
    if (victim != answer.victims.end()) return victim->one_of == nullptr ? Fate::evicted : Fate::or_equal_evicted;
    const bool spared = std::any_of(answer.tolerating.begin(), answer.tolerating.end(), is_it);
    return spared ? Fate::tolerates : Fate::stays;
  }

  void add(PodId pod, Fate fate, RequestOf who) {
    tenants_.push_back({pod, cluster_.key(pod), fate, pod_request(cluster_, cluster_.pod(pod), who)});
  }

  // The resources that the incoming pods request, each once, by name.
  [[nodiscard]] auto wanted() const -> std::vector<Symbol> {
    std::vector<Symbol> out;
    for (const Tenant& tenant : tenants_) {
      if (tenant.fate != Fate::comes) continue;
      for (const auto& [resource, amount] : tenant.request) {
        if (amount > Quantity() && std::find(out.begin(), out.end(), resource) == out.end()) out.push_back(resource);
      }
    }
    std::sort(out.begin(), out.end(), [&](Symbol a, Symbol b) { return cluster_.text(a) < cluster_.text(b); });
    return out;
  }

  // Adds a device that pods share: the share of each pod, before and after.
  void device_rows(const SharedDevice& device, const Answer& answer, const std::vector<PodId>& incoming) {
    const std::string name = device.name.empty() ? std::string("a free GPU") : "GPU " + device.name;
    for (const bool then : {false, true}) {
      Picture::Row row;
      double at = 0;
      for (const SharedDevice::Use& use : device.uses) {
        const double part = then ? use.then : use.now;
        if (part <= 0) continue;
        const bool comes = std::find(incoming.begin(), incoming.end(), use.pod) != incoming.end();
        const Fate fate = comes ? Fate::comes : fate_of(answer, use.pod);
        note(fate);
        row.parts.push_back(
            {share(at), share(at + part), cluster_.key(use.pod), fmt::format("{:g}", part), tone_of(fate)});
        at += part;
      }
      row.label = fmt::format("{} {}: {:g} of 1", name, then ? "then" : "now", at);
      if (at < 1) row.parts.push_back({share(at), Picture::kScale, "free", fmt::format("{:g}", 1 - at), Tone::dim});
      picture_.rows.push_back(std::move(row));
    }
  }
  static auto share(double part) -> std::uint32_t {
    return static_cast<std::uint32_t>(std::lround(std::clamp(part, 0.0, 1.0) * Picture::kScale));
  }

  void note(Fate fate) { shown_[static_cast<std::size_t>(fate)] = true; }

  [[nodiscard]] auto amount(const ResourceList& list, Symbol resource) const -> std::int64_t {
    const Quantity quantity = list.get(resource).value_or(Quantity());
    return resource == cluster_.known().cpu ? quantity.milli() : quantity.value();
  }

  // Adds two rows for a resource: now, and after the victims are gone and the pod is placed.
  void rows(Symbol resource) {
    const std::string_view name = cluster_.text(resource);
    const std::int64_t all = amount(allocatable_, resource);
    for (const bool then : {false, true}) {
      const auto is_there = [&](const Tenant& tenant) {
        const bool evicted = tenant.fate == Fate::evicted || tenant.fate == Fate::or_equal_evicted;
        return then ? !evicted : tenant.fate != Fate::comes;
      };
      __int128 used = 0;
      for (const Tenant& tenant : tenants_) {
        if (is_there(tenant)) used += amount(tenant.request, resource);
      }
      const __int128 scale = std::max<__int128>({all, used, 1});
      Picture::Row row;
      const auto said = static_cast<std::int64_t>(std::min<__int128>(used, INT64_MAX));
      row.label = fmt::format("{} {}: {} of {}", name, then ? "then" : "now", readable_amount(name, said),
                              readable_amount(name, all));
      bar(row, resource, scale, is_there);
      if (used < all) {
        const auto free = static_cast<std::int64_t>(all - used);
        row.parts.push_back(
            {position(used, scale), position(all, scale), "free", readable_amount(name, free), Tone::dim});
      }
      picture_.rows.push_back(std::move(row));
    }
  }

  static auto position(__int128 value, __int128 scale) -> std::uint32_t {
    return static_cast<std::uint32_t>(value * Picture::kScale / scale);
  }

  template <class IsThere>
  void bar(Picture::Row& row, Symbol resource, __int128 scale, IsThere is_there) {
    const std::string_view name = cluster_.text(resource);
    __int128 at = 0;
    const auto part = [&](__int128 takes, std::string who, Fate fate) {
      note(fate);
      row.parts.push_back({position(at, scale), position(at + takes, scale), std::move(who),
                           readable_amount(name, static_cast<std::int64_t>(takes)), tone_of(fate)});
      at += takes;
    };
    // Pods with the same fate are adjacent. Parts that are thinner than a line would be only border, so they are
    // merged.
    for (std::size_t i = 0; i < tenants_.size();) {
      const Fate fate = tenants_[i].fate;
      __int128 small = 0;
      std::vector<std::string> few;
      for (; i < tenants_.size() && tenants_[i].fate == fate; ++i) {
        const std::int64_t takes = amount(tenants_[i].request, resource);
        if (!is_there(tenants_[i]) || takes <= 0) continue;
        if (position(takes, scale) >= kThinnest) {
          part(takes, tenants_[i].name, fate);
          continue;
        }
        small += takes;
        few.push_back(tenants_[i].name);
      }
      if (few.empty()) continue;
      part(small, few.size() == 1 ? few.front() : fmt::format("{} small pods", few.size()), fate);
    }
  }

  const Snapshot& cluster_;
  std::string node_;
  const ResourceList& allocatable_;
  std::vector<Tenant> tenants_;
  std::array<bool, 5> shown_{};  // indexed by fate
  Picture picture_;
};

// The nodes that get pods, in the order of the answer, with these pods.
auto incoming_of(const Answer& answer, const Snapshot& cluster) -> std::vector<std::pair<NodeId, std::vector<PodId>>> {
  std::vector<std::pair<NodeId, std::vector<PodId>>> out;
  const auto add = [&](const std::string& name, PodId pod) {
    const NodeId node = cluster.find_node(cluster.symbol(name));
    if (!node) return;
    const auto known = std::find_if(out.begin(), out.end(), [&](const auto& each) { return each.first == node; });
    if (known == out.end()) {
      out.push_back({node, {pod}});
    } else {
      known->second.push_back(pod);
    }
  };
  for (const Placement& each : answer.placements) add(each.node, each.pod);
  if (out.empty() && answer.subject && !answer.node.empty()) add(answer.node, answer.subject);
  return out;
}

// From the first start, but at most as long before now as the scale extends after it, to slightly after the last end.
auto scale_of(const std::vector<const ToleratingLine*>& lines, Instant next_change, Instant now) -> TimeScale {
  std::int64_t reach = 60;  // seconds, before and after now
  if (!next_change.is_never()) reach = std::max(reach, seconds_between(now, next_change));
  Instant begin = now;
  for (const ToleratingLine* line : lines) {
    if (line->since != Instant{}) begin = std::min(begin, line->since);
    if (line->until.is_never()) continue;
    reach = std::max({reach, seconds_between(now, line->until), seconds_between(line->until, now)});
  }
  return {std::max(begin, now.plus_seconds(-reach)), now.plus_seconds(reach + reach / 10), now};
}

}  // namespace

auto TimeScale::position(Instant at) const -> std::uint32_t {
  if (at.is_never()) return Picture::kScale;
  const __int128 length = std::max<std::int64_t>(seconds_between(begin_, end_), 1);
  const __int128 part = std::clamp<__int128>(seconds_between(begin_, at), 0, length);
  return static_cast<std::uint32_t>(part * Picture::kScale / length);
}

auto TimeScale::mark(Instant at, std::string_view what) const -> Picture::Mark {
  return {position(at), fmt::format("{} {}", what, format_clock(at, now_))};
}

auto toleration_picture(std::string title, std::vector<const ToleratingLine*> lines, Instant next_change,
                        const ReportContext& context) -> Picture {
  const Instant now = context.now;
  std::stable_sort(lines.begin(), lines.end(), [](const auto* a, const auto* b) { return a->until < b->until; });
  Picture picture{std::move(title), {}, {}};
  // Bars that reach the edge of the page carry no information: these pods are listed by name.
  const auto forever =
      std::find_if(lines.begin(), lines.end(), [](const auto* line) { return line->until.is_never(); });
  for (auto at = forever; at != lines.end(); ++at) picture.folded.push_back(context.cluster.key((*at)->pod));
  lines.erase(forever, lines.end());
  if (!picture.folded.empty())
    picture.folded_title = fmt::format("without an end: {}", counted(picture.folded.size(), "pod", "pods"));
  if (lines.size() > kTimesShown) {
    picture.title += fmt::format(": the first {} of {} to end", kTimesShown, lines.size());
    lines.resize(kTimesShown);
  }
  if (lines.empty()) return picture;
  const TimeScale scale = scale_of(lines, next_change, now);
  bool some_ended = false;
  for (const ToleratingLine* line : lines) {
    const std::string name = context.cluster.key(line->pod);
    const bool ended = line->until <= now;
    some_ended = some_ended || ended;
    const std::string until =
        ended ? fmt::format("ended {}", format_clock(line->until, now))
              : fmt::format("until {}, {}", format_clock(line->until, now), format_distance(line->until, now));
    const std::uint32_t from = line->since == Instant{} ? 0 : scale.position(line->since);
    const bool soon = !ended && seconds_between(now, line->until) < kSoon;
    picture.rows.push_back({name,
                            {{from, scale.position(line->until), name, until,
                              ended  ? Tone::danger
                              : soon ? Tone::soon
                                     : Tone::safe}}});
  }
  picture.marks.push_back(scale.mark(now, "now"));
  if (!next_change.is_never()) picture.marks.push_back(scale.mark(next_change, "next change"));
  picture.legend = {{Tone::safe, "protected"}, {Tone::soon, "protected, ends within 5 minutes"}};
  if (some_ended) picture.legend.push_back({Tone::danger, "protection has ended"});
  return picture;
}

auto node_pictures(const Answer& answer, const ReportContext& context) -> std::vector<Picture> {
  std::vector<Picture> pictures;
  if (!is_schedulable(answer) && answer.outcome != Outcome::waits) return pictures;
  for (const auto& [node, pods] : incoming_of(answer, context.cluster)) {
    if (pictures.size() == kNodesShown) break;
    Picture picture = NodePicture(answer, context.cluster, node, pods).take();
    if (!picture.rows.empty()) pictures.push_back(std::move(picture));
  }
  return pictures;
}

auto toleration_picture(const Answer& answer, const ReportContext& context) -> std::optional<Picture> {
  std::vector<const ToleratingLine*> lines;
  for (const ToleratingLine& line : answer.tolerating_lines) {
    // Other pods are spared for a reason without a time, which the table shows.
    if (line.since != Instant{} || !line.until.is_never()) lines.push_back(&line);
  }
  if (lines.empty()) return {};
  return toleration_picture("Pods that tolerate this preemption, and until when", std::move(lines), answer.next_change,
                            context);
}

}  // namespace previct
