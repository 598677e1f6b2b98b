#include "engine/yunikorn/resources.h"

#include "cluster/snapshot.h"

#include <algorithm>

namespace previct::yunikorn {
namespace {

using Entry = Resources::Entry;

/// Visits each type of either side once: visit(type, amount of a or null, amount of b or null); continues while visit
/// returns true.
template <class Visit>
auto each_of_both(const Resources& a, const Resources& b, Visit visit) -> bool {
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() || right != b.end()) {
    const bool from_a = right == b.end() || (left != a.end() && left->type <= right->type);
    const bool from_b = left == a.end() || (right != b.end() && right->type <= left->type);
    const TypeId type = from_a ? left->type : right->type;
    if (!visit(type, from_a ? &left->amount : nullptr, from_b ? &right->amount : nullptr)) return false;
    if (from_a) ++left;
    if (from_b) ++right;
  }
  return true;
}

auto or_zero(const std::int64_t* amount) -> std::int64_t {
  return amount == nullptr ? 0 : *amount;
}

auto compare_in_common(const Resources& a, const Resources& b, bool equal_will_do) -> bool {
  if (b.empty() && !a.empty()) {
    return std::all_of(a.begin(), a.end(), [](const Entry& e) { return e.amount > 0; });
  }
  bool common = false;
  bool different = false;
  const bool nowhere_less = each_of_both(a, b, [&](TypeId, const std::int64_t* x, const std::int64_t* y) {
    if (x == nullptr || y == nullptr) return true;
    common = true;
    different = different || *x != *y;
    return *x >= *y;
  });
  if (!common) return !a.empty() && !b.empty();
  return nowhere_less && (equal_will_do || different);
}

}  // namespace

auto saturating_add(std::int64_t a, std::int64_t b) -> std::int64_t {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? INT64_MAX : INT64_MIN;
}

auto saturating_subtract(std::int64_t a, std::int64_t b) -> std::int64_t {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b < 0 ? INT64_MAX : INT64_MIN;
}

auto Resources::get(TypeId type) const -> std::optional<std::int64_t> {
  for (const Entry& entry : entries_) {
    if (entry.type == type) return entry.amount;
  }
  return {};
}

void Resources::set(TypeId type, std::int64_t amount) {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), type,
                                   [](const Entry& e, TypeId wanted) { return e.type < wanted; });
  if (at != entries_.end() && at->type == type) {
    at->amount = amount;
  } else {
    entries_.insert(at, {type, amount});
  }
}

void Resources::add(TypeId type, std::int64_t amount) {
  set(type, saturating_add(this->amount(type), amount));
}

auto Resources::operator+=(const Resources& other) -> Resources& {
  if (entries_.empty()) entries_.reserve(other.size());
  auto at = entries_.begin();
  for (const Entry& entry : other.entries_) {
    while (at != entries_.end() && at->type < entry.type) ++at;
    if (at != entries_.end() && at->type == entry.type) {
      at->amount = saturating_add(at->amount, entry.amount);
    } else {
      at = entries_.insert(at, entry);
    }
  }
  return *this;
}

auto Resources::operator-=(const Resources& other) -> Resources& {
  auto at = entries_.begin();
  for (const Entry& entry : other.entries_) {
    while (at != entries_.end() && at->type < entry.type) ++at;
    if (at != entries_.end() && at->type == entry.type) {
      at->amount = saturating_subtract(at->amount, entry.amount);
    } else {
      at = entries_.insert(at, {entry.type, saturating_subtract(0, entry.amount)});
    }
  }
  return *this;
}

auto operator+(Resources a, const Resources& b) -> Resources {
  return std::move(a += b);
}
auto operator-(Resources a, const Resources& b) -> Resources {
  return std::move(a -= b);
}

auto fits(const Resources& room, const Resources& need) -> bool {
  return std::all_of(need.begin(), need.end(),
                     [&](const Entry& e) { return e.amount <= std::max<std::int64_t>(0, room.amount(e.type)); });
}

auto fits_where_limited(const Resources& room, const Resources& need) -> bool {
  return std::all_of(need.begin(), need.end(), [&](const Entry& e) {
    const auto limit = room.get(e.type);
    return !limit || e.amount <= std::max<std::int64_t>(0, *limit);
  });
}

auto fits_exactly_where_limited(const Resources& room, const Resources& need) -> bool {
  return std::all_of(need.begin(), need.end(), [&](const Entry& e) {
    const auto limit = room.get(e.type);
    return !limit || e.amount <= *limit;
  });
}

auto at_least(const Resources& a, const Resources& b) -> bool {
  return each_of_both(a, b,
                      [](TypeId, const std::int64_t* x, const std::int64_t* y) { return or_zero(x) >= or_zero(y); });
}

auto positive(const Resources& a) -> bool {
  return std::none_of(a.begin(), a.end(), [](const Entry& e) { return e.amount < 0; }) &&
         std::any_of(a.begin(), a.end(), [](const Entry& e) { return e.amount > 0; });
}

auto share_a_type(const Resources& a, const Resources& b) -> bool {
  return std::any_of(a.begin(), a.end(), [&](const Entry& e) { return b.has(e.type); });
}

auto greater_in_common(const Resources& a, const Resources& b) -> bool {
  return compare_in_common(a, b, false);
}
auto at_least_in_common(const Resources& a, const Resources& b) -> bool {
  return compare_in_common(a, b, true);
}

auto equal(const Resources& a, const Resources& b) -> bool {
  return each_of_both(a, b,
                      [](TypeId, const std::int64_t* x, const std::int64_t* y) { return or_zero(x) == or_zero(y); });
}

auto less_in_common(MaybeResources base, const Resources& taken) -> MaybeResources {
  if (!base) return {};
  Resources result;
  for (const Entry& e : *base) result.set(e.type, saturating_subtract(e.amount, taken.amount(e.type)));
  return result;
}

auto smaller_of_each(MaybeResources a, const MaybeResources& b) -> MaybeResources {
  if (!a) return b;
  if (!b) return a;
  for (const Entry& e : *b) {
    const auto mine = a->get(e.type);
    if (!mine || e.amount < *mine) a->set(e.type, e.amount);
  }
  return a;
}

auto smaller_or_zero(const Resources& a, const Resources& b) -> Resources {
  Resources out;
  for (const auto& [type, amount] : a) out.set(type, std::min(amount, b.amount(type)));
  for (const auto& [type, amount] : b) out.set(type, std::min(amount, a.amount(type)));
  return out;
}

auto smaller_in_common(MaybeResources a, const MaybeResources& b) -> MaybeResources {
  if (!a || !b) return a;
  for (const Entry& e : *b) {
    if (const auto mine = a->get(e.type); mine && e.amount < *mine) a->set(e.type, e.amount);
  }
  return a;
}

auto merged(Resources a, const Resources& b) -> Resources {
  for (const Entry& e : b) {
    if (!a.has(e.type)) a.set(e.type, e.amount);
  }
  return a;
}

auto less_down_to_zero(Resources a, const Resources& b) -> Resources {
  for (const Entry& e : b) {
    a.set(e.type, std::max<std::int64_t>(0, saturating_subtract(a.amount(e.type), e.amount)));
  }
  return a;
}

auto without_zeros(const Resources& a) -> Resources {
  Resources result;
  for (const Entry& e : a) {
    if (e.amount != 0) result.set(e.type, e.amount);
  }
  return result;
}

TypeNames::TypeNames(const Snapshot& cluster)
    : cluster_(cluster), names_{"vcore", "pods"}, by_symbol_(cluster.objects().symbols.size(), kUnknown) {
  by_symbol_[cluster.known().cpu.index] = kVcore;
  by_symbol_[cluster.known().pods.index] = kPods;
}

auto TypeNames::find(std::string_view name) const -> std::optional<TypeId> {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return {};
  return static_cast<TypeId>(found - names_.begin());
}

auto TypeNames::id(std::string_view name) -> TypeId {
  if (const auto known = find(name)) return *known;
  names_.emplace_back(name);
  return static_cast<TypeId>(names_.size() - 1);
}

auto TypeNames::read(const ResourceList& list) -> Resources {
  Resources result;
  for (const auto& [name, quantity] : list) {
    TypeId& type = by_symbol_[name.index];
    if (type == kUnknown) type = id(cluster_.text(name));
    result.set(type, type == kVcore ? quantity.milli() : quantity.value());
  }
  return result;
}

auto TypeNames::pod_level(TypeId type) const -> bool {
  return type == kVcore || name(type) == "memory" || name(type).substr(0, 10) == "hugepages-";
}

auto TypeNames::is_always(Symbol restart_policy) const -> bool {
  return restart_policy == cluster_.known().always;
}

auto TypeNames::by_name(const Resources& resources) const -> std::vector<std::pair<std::string_view, std::int64_t>> {
  std::vector<std::pair<std::string_view, std::int64_t>> result;
  for (const Entry& e : resources) result.emplace_back(name(e.type), e.amount);
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace previct::yunikorn
