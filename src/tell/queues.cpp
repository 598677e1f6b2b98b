#include "tell/queues.h"

#include "base/ascii.h"
#include "base/text.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace previct {
namespace {

auto text_of(const std::optional<Amount>& amount) -> std::string {
  return amount ? amount->text : "-";
}

auto value_of(const std::optional<Amount>& amount) -> double {
  return amount ? amount->value : 0;
}

// The amount up to which a queue is entitled to its usage, and the amount above which it exceeds its share.
struct Bounds {
  double quota = 0;
  double fair = 0;
};
auto bounds_of(const QueueAmounts& a) -> Bounds {
  const double used = a.allocated.value;
  const double quota = a.quota ? std::min(used, std::max(a.quota->value, 0.0)) : a.fair_share ? used : 0;
  const double fair = a.fair_share ? std::clamp(a.fair_share->value, quota, std::max(used, quota)) : used;
  return {quota, fair};
}

class Picturing {
 public:
  Picturing(const Queues& queues, std::size_t resource) : q_(queues), resource_(resource) {
    for (const QueueLine& line : q_.lines) {
      const QueueAmounts& a = line.amounts[resource];
      has_fair_share_ = has_fair_share_ || a.fair_share.has_value();
      lends_ = lends_ || a.lent.has_value();
      is_requested_ = is_requested_ || a.requested.has_value();
      for (const auto& each : {std::optional(a.allocated), a.requested, a.quota, a.fair_share}) {
        if (value_of(each) <= scale_) continue;
        scale_ = each->value;
        widest_ = each->text;
      }
    }
  }

  [[nodiscard]] auto picture() const -> std::optional<Picture> {
    if (scale_ <= 0) return {};
    Picture out{fmt::format("Queues: {} (lines: {}{} and {})", q_.lines.front().amounts[resource_].resource,
                            q_.quota_word, has_fair_share_ ? ", fair share" : "", q_.limit_word),
                {},
                {}};
    for (const QueueLine& line : q_.lines) {
      const QueueAmounts& a = line.amounts[resource_];
      if (std::max({a.allocated.value, value_of(a.requested), value_of(a.quota)}) > 0) out.rows.push_back(row(line, a));
    }
    out.marks = {{0, "0"},
                 {Picture::kScale, fmt::format("{} {}", widest_, q_.lines.front().amounts[resource_].resource)}};
    out.legend = {{Tone::safe, fmt::format("used within its {}", entitled())}};
    if (has_fair_share_) {
      out.legend.push_back({Tone::soon, fmt::format("above its {}, within its fair share", entitled())});
      out.legend.push_back({Tone::danger, "above its fair share"});
    } else {
      out.legend.push_back({Tone::soon, fmt::format("above its {}", entitled())});
    }
    if (lends_) out.legend.push_back({Tone::verdict, fmt::format("of its {}, used by others", entitled())});
    if (is_requested_) out.legend.push_back({Tone::dim, "requested by pending pods"});
    return out;
  }

 private:
  // The field of a queue file is `guaranteed`, which is not a noun.
  [[nodiscard]] auto entitled() const -> std::string {
    return q_.quota_word == "guaranteed" ? "guaranteed share" : q_.quota_word;
  }
  [[nodiscard]] auto at(double value) const -> std::uint32_t {
    return static_cast<std::uint32_t>(std::clamp(value / scale_, 0.0, 1.0) * Picture::kScale);
  }

  [[nodiscard]] auto row(const QueueLine& line, const QueueAmounts& a) const -> Picture::Row {
    Picture::Row row;
    row.depth = line.depth;
    row.label = fmt::format("{}: uses {}", line.name, a.allocated.text);
    const auto say = [&](std::string_view word, const std::optional<Amount>& amount) {
      if (amount) row.label += fmt::format(", {} {}", word, amount->text);
    };
    say(q_.quota_word, a.quota);
    say("fair share", a.fair_share);
    say(q_.limit_word, a.limit);
    say("requested", a.requested);
    say("borrows", a.borrowed);
    say("lends", a.lent);
    const auto [quota, fair] = bounds_of(a);
    const double used = a.allocated.value;
    const auto part = [&](double from, double to, std::string_view name, Tone tone) {
      if (at(to) > at(from)) row.parts.push_back({at(from), at(to), std::string(name), "", tone});
    };
    part(0, quota, fmt::format("within its {}", entitled()), Tone::safe);
    part(quota, fair, fmt::format("above its {}", entitled()), Tone::soon);
    part(fair, used, "above its fair share", Tone::danger);
    part(used, used + value_of(a.lent), a.lent ? fmt::format("lends {}", a.lent->text) : "", Tone::verdict);
    part(used, std::max(used, value_of(a.requested)), "requested", Tone::dim);
    const auto mark = [&](std::string_view word, const std::optional<Amount>& amount) {
      if (amount && amount->value > 0 && amount->value <= scale_)
        row.marks.push_back({at(amount->value), fmt::format("{} {}", word, amount->text)});
    };
    mark(q_.quota_word, a.quota);
    mark("fair share", a.fair_share);
    mark(q_.limit_word, a.limit);
    return row;
  }

  const Queues& q_;
  std::size_t resource_;
  double scale_ = 0;
  std::string widest_;  // the amount at the right end
  bool has_fair_share_ = false;
  bool lends_ = false;
  bool is_requested_ = false;
};

// Ten cells up to the fair share (or quota), and one more for what exceeds it.
auto bar_of(const QueueAmounts& a) -> std::string {
  constexpr std::int64_t kCells = 10;
  const double whole = std::max({a.allocated.value, value_of(a.quota), value_of(a.fair_share)});
  if (whole <= 0) return "";
  const auto [quota, fair] = bounds_of(a);
  const auto cells = [&](double value) { return std::int64_t{std::lround(value / whole * kCells)}; };
  std::string text;
  for (std::int64_t i = 0; i < kCells; ++i) {
    text += i < cells(quota) ? "█" : i < cells(fair) ? "▓" : i < cells(a.allocated.value) ? "░" : "·";
  }
  return text;
}

}  // namespace

auto queue_pictures(const Queues& queues) -> std::vector<Picture> {
  std::vector<Picture> pictures;
  const std::size_t resources = queues.lines.empty() ? 0 : queues.lines.front().amounts.size();
  for (std::size_t r = 0; r < resources; ++r) {
    if (auto picture = Picturing(queues, r).picture(); picture && !picture->rows.empty())
      pictures.push_back(*std::move(picture));
  }
  return pictures;
}

namespace {

/// The amounts that some queue has.
struct Given {
  bool fair_share = false;
  bool requested = false;
  bool lending = false;
};

}  // namespace

// The words are headings of tables.
static void amounts_row(Row& row, const QueueAmounts& a, std::string_view quota, std::string_view limit, Given given) {
  const auto value = [](const std::optional<Amount>& amount) { return amount ? Json(amount->value) : Json(); };
  const bool over = a.fair_share && a.allocated.value > a.fair_share->value;
  row.text("RESOURCE", a.resource).key("resource");
  row.number("USED", {a.allocated.text, over ? Tone::soon : Tone::plain}).key("used", a.allocated.value);
  row.key("requested", value(a.requested));
  row.number(upper_case(quota), text_of(a.quota)).key("quota", value(a.quota));
  if (given.fair_share) row.number("FAIR SHARE", text_of(a.fair_share));
  row.key("fairShare", value(a.fair_share));
  row.number(upper_case(limit), text_of(a.limit)).optional().key("limit", value(a.limit));
  if (given.lending) {
    row.number("BORROWED", {text_of(a.borrowed), a.borrowed ? Tone::soon : Tone::plain});
    row.number("LENT", text_of(a.lent));
  }
  row.key("borrowed", value(a.borrowed)).key("lentAtMost", value(a.lent));
  if (given.requested) row.number("REQUESTED", text_of(a.requested)).optional();
  row.text("", bar_of(a), over ? Tone::soon : Tone::safe).optional().only_terminal();
}

auto queue_table(const Queues& queues) -> Table {
  struct Entry {
    const QueueLine& line;
    const QueueAmounts& amounts;
  };
  std::vector<Entry> entries;
  Given given;
  for (const QueueLine& line : queues.lines) {
    for (const QueueAmounts& amounts : line.amounts) {
      entries.push_back({line, amounts});
      given.fair_share = given.fair_share || amounts.fair_share;
      given.requested = given.requested || amounts.requested;
      given.lending = given.lending || amounts.borrowed || amounts.lent;
    }
  }
  return table_of(entries, [&](Row& row, const Entry& entry) {
    row.text("QUEUE", std::string(2UL * entry.line.depth, ' ') + entry.line.name);
    amounts_row(row, entry.amounts, queues.quota_word, queues.limit_word, given);
  });
}

auto resources_json(const QueueLine& line) -> Json {
  return list_of(line.amounts, [](Row& row, const QueueAmounts& a) { amounts_row(row, a, {}, {}, {}); });
}

}  // namespace previct
