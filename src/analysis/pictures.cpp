#include "analysis/pictures.h"

#include "api/amount_text.h"
#include "base/text.h"
#include "cluster/pod_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace previct {
namespace {

constexpr std::size_t kResourcesShown = 4;
constexpr std::size_t kTimesShown = 12;                     // pods in the timeline; it begins with the first to end
constexpr std::uint32_t kThinnest = Picture::kScale / 100;  // a pod that takes less is counted with the others

// What becomes of a pod on the node, and the order in which the bar shows them.
enum class Fate : std::uint8_t { stays, tolerates, goes, or_equal_goes, comes };

auto tone_of(Fate fate) -> Tone {
  switch (fate) {
    case Fate::stays: return Tone::plain;
    case Fate::tolerates: return Tone::safe;
    case Fate::goes:
    case Fate::or_equal_goes: return Tone::goes;
    case Fate::comes: return Tone::verdict;
  }
  return Tone::plain;
}

auto fate_word(Fate fate) -> std::string_view {
  switch (fate) {
    case Fate::stays: return "";
    case Fate::tolerates: return ", tolerates";
    case Fate::goes: return ", goes";
    case Fate::or_equal_goes: return ", goes, or an equal pod";
    case Fate::comes: return ", comes";
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
  NodePicture(const Answer& answer, const Snapshot& cluster, NodeId node)
      : cluster_(cluster), allocatable_(cluster.node(node).status.allocatable) {
    for (const PodId pod : cluster.pods_on(node)) {
      Fate fate = Fate::stays;
      for (const Tolerating& line : answer.tolerating) {
        if (line.pod == pod) fate = Fate::tolerates;
      }
      for (const Victim& victim : answer.victims) {
        if (victim.pod == pod) fate = victim.one_of.empty() ? Fate::goes : Fate::or_equal_goes;
      }
      add(pod, fate, RequestOf::placed);
    }
    add(answer.subject, Fate::comes, RequestOf::incoming);
    // By what becomes of them, then by name: no order of the input shows.
    std::sort(tenants_.begin(), tenants_.end(),
              [](const Tenant& a, const Tenant& b) { return std::tie(a.fate, a.name) < std::tie(b.fate, b.name); });
    picture_.title = fmt::format("Node {}, now and with {}", answer.node, answer.subject_name);
    for (const auto& [resource, wanted] : tenants_.back().request) {
      if (wanted > Quantity() && picture_.rows.size() < 2 * kResourcesShown) rows(resource);
    }
  }

  auto take() -> Picture { return std::move(picture_); }

 private:
  void add(PodId pod, Fate fate, RequestOf who) {
    tenants_.push_back({pod, cluster_.key(pod), fate, pod_request(cluster_, cluster_.pod(pod), who)});
  }

  [[nodiscard]] auto amount(const ResourceList& list, Symbol resource) const -> std::int64_t {
    const Quantity quantity = list.get(resource).value_or(Quantity());
    return resource == cluster_.known().cpu ? quantity.milli() : quantity.value();
  }

  // A resource now, and when the victims are gone and the pod is there.
  void rows(Symbol resource) {
    const std::string_view name = cluster_.text(resource);
    const std::int64_t all = amount(allocatable_, resource);
    for (const bool then : {false, true}) {
      const auto is_there = [&](const Tenant& tenant) {
        const bool goes = tenant.fate == Fate::goes || tenant.fate == Fate::or_equal_goes;
        return then ? !goes : tenant.fate != Fate::comes;
      };
      __int128 used = 0;
      for (const Tenant& tenant : tenants_) {
        if (is_there(tenant)) used += amount(tenant.request, resource);
      }
      const __int128 scale = std::max<__int128>({all, used, 1});
      Picture::Row row;
      const auto said = static_cast<std::int64_t>(std::min<__int128>(used, INT64_MAX));
      row.label =
          fmt::format("{} {}: {} of {}", name, then ? "then" : "now", amount_text(name, said), amount_text(name, all));
      bar(row, resource, scale, is_there);
      if (used < all) {
        const auto free = static_cast<std::int64_t>(all - used);
        row.parts.push_back({position(used, scale), position(all, scale), "free", amount_text(name, free), Tone::dim});
      }
      picture_.rows.push_back(std::move(row));
    }
  }

  static auto position(__int128 value, __int128 scale) -> std::uint32_t {
    return static_cast<std::uint32_t>(value * Picture::kScale / scale);
  }

  template <class IsThere>
  void bar(Picture::Row& row, Symbol resource, __int128 scale, IsThere is_there) const {
    const std::string_view name = cluster_.text(resource);
    __int128 at = 0;
    __int128 small = 0;
    std::size_t many = 0;
    for (const Tenant& tenant : tenants_) {
      const std::int64_t takes = amount(tenant.request, resource);
      if (!is_there(tenant) || takes <= 0) continue;
      if (tenant.fate == Fate::stays && position(takes, scale) < kThinnest) {
        small += takes;
        ++many;
        continue;
      }
      row.parts.push_back({position(at, scale), position(at + takes, scale), tenant.name,
                           fmt::format("{}{}", amount_text(name, takes), fate_word(tenant.fate)),
                           tone_of(tenant.fate)});
      at += takes;
    }
    if (many == 0) return;
    row.parts.push_back({position(at, scale), position(at + small, scale), counted(many, "small pod", "small pods"),
                         amount_text(name, static_cast<std::int64_t>(small)), Tone::plain});
  }

  const Snapshot& cluster_;
  const ResourceList& allocatable_;
  std::vector<Tenant> tenants_;
  Picture picture_;
};

// From the first beginning, but at most as long before now as it reaches beyond, to a little after the last end.
auto scale_of(const std::vector<const ToleratingLine*>& lines, Instant next_change, Instant now) -> TimeScale {
  std::int64_t reach = 60;  // seconds, to either side
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
                        const Grounds& grounds) -> Picture {
  const Instant now = grounds.now;
  std::stable_sort(lines.begin(), lines.end(), [](const auto* a, const auto* b) { return a->until < b->until; });
  Picture picture{std::move(title), {}, {}};
  if (lines.size() > kTimesShown) {
    picture.title += fmt::format(": the first {} of {} to end", kTimesShown, lines.size());
    lines.resize(kTimesShown);
  }
  const TimeScale scale = scale_of(lines, next_change, now);
  for (const ToleratingLine* line : lines) {
    const std::string name = grounds.cluster.key(line->pod);
    const bool ended = line->until <= now;
    const std::string until =
        line->until.is_never() ? std::string("forever") : fmt::format("until {}", format_clock(line->until, now));
    const std::uint32_t from = line->since == Instant{} ? 0 : scale.position(line->since);
    picture.rows.push_back({name, {{from, scale.position(line->until), name, until, ended ? Tone::goes : Tone::safe}}});
  }
  picture.marks.push_back(scale.mark(now, "now"));
  if (!next_change.is_never()) picture.marks.push_back(scale.mark(next_change, "next change"));
  return picture;
}

auto pictures_of(const Answer& answer, const Grounds& grounds) -> std::vector<Picture> {
  std::vector<Picture> pictures;
  const bool places = answer.outcome == Outcome::preempts || answer.outcome == Outcome::fits;
  const NodeId node = places ? grounds.cluster.find_node(grounds.cluster.symbol(answer.node)) : NodeId();
  if (node && answer.subject) {
    Picture picture = NodePicture(answer, grounds.cluster, node).take();
    if (!picture.rows.empty()) pictures.push_back(std::move(picture));
  }
  std::vector<const ToleratingLine*> lines;
  for (const ToleratingLine& line : answer.tolerating_lines) lines.push_back(&line);
  if (!lines.empty()) {
    pictures.push_back(toleration_picture("Who tolerates this preemption, and until when", std::move(lines),
                                          answer.next_change, grounds));
  }
  return pictures;
}

}  // namespace previct
