#include "cli/mcp/shorten.h"

#include "base/text.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace previct::cli::mcp {
namespace {

constexpr std::string_view kAnswer = "victims";    // the list that is cut last
constexpr std::string_view kDetails = "evidence";  // of an item; a page of the list shows it

/// Finds the list of a document whose serialized form is the largest: of those with several items, otherwise of those
/// with one; null if all lists are empty. Victims come last.
class Largest {
 public:
  auto in(Json& document) -> Json* {
    size_of(document, false);
    return found_;
  }

 private:
  // About the number of bytes of the serialized form.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the documents that previct makes
  auto size_of(Json& value, bool of_answer) -> std::size_t {
    constexpr std::size_t kOfScalar = 6;
    if (value.is_string()) return value.get_ref<const std::string&>().size() + 2;
    if (!value.is_structured()) return kOfScalar;
    std::size_t size = 2;
    for (auto& [key, member] : value.items())
      size += (value.is_object() ? key.size() + 4 : 1) + size_of(member, of_answer || key == kAnswer);
    const std::tuple rank(!of_answer, value.size() > 1, size);
    if (value.is_array() && !value.empty() && (found_ == nullptr || rank > found_at_)) {
      found_ = &value;
      found_at_ = rank;
    }
    return size;
  }

  Json* found_ = nullptr;
  std::tuple<bool, bool, std::size_t> found_at_;
};

// NOLINTNEXTLINE(misc-no-recursion): as above
auto path_to(const Json& target, const Json& from) -> std::optional<Json::json_pointer> {
  if (&target == &from) return Json::json_pointer();
  if (!from.is_structured()) return {};
  std::size_t i = 0;
  for (const auto& [key, member] : from.items()) {
    if (const auto rest = path_to(target, member))
      return (from.is_object() ? Json::json_pointer() / key : Json::json_pointer() / i) / *rest;
    ++i;
  }
  return {};
}

// NOLINTNEXTLINE(misc-no-recursion): as above
void cut_texts(Json& value) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() > kLongestText)
      value = fmt::format("{}… ({} bytes)", text.substr(0, valid_utf8_size(text.substr(0, kLongestText))), text.size());
  } else if (value.is_structured()) {
    for (Json& member : value) cut_texts(member);
  }
}

// NOLINTNEXTLINE(misc-no-recursion): as above
void drop_details(Json& value) {
  if (value.is_object()) value.erase(std::string(kDetails));
  if (!value.is_structured()) return;
  for (Json& member : value) drop_details(member);
}

using Totals = std::map<std::string, std::size_t>;  // the lengths that lists had, by their paths

// Halves `items` until they have at most `most` bytes, or one is left.
void halve_to(std::size_t most, Json::array_t& items) {
  std::size_t size = 2;
  std::size_t fit = 0;
  while (fit < items.size() && size <= most) {
    size += size_up_to(items[fit], most) + 1;
    fit += size <= most ? 1 : 0;
  }
  std::size_t left = items.size();
  while (left > std::max<std::size_t>(fit, 1)) left /= 2;
  items.resize(left);
}

// Shortens each list that alone is too long. Looks only at what can be shown, because the document may be a thousand
// times as long.
// NOLINTNEXTLINE(misc-no-recursion): as above
void cut_long_lists(Json& value, std::size_t most, const Json::json_pointer& at, Totals& totals) {
  if (!value.is_structured()) return;
  if (value.is_array()) {
    const std::size_t before = value.size();
    halve_to(most, value.get_ref<Json::array_t&>());
    if (value.size() < before) totals.emplace(at.to_string(), before);
  }
  std::size_t i = 0;
  for (auto it = value.begin(); it != value.end(); ++it)
    cut_long_lists(*it, most, value.is_object() ? at / it.key() : at / i++, totals);
}

void drop_largest_member(Json& document) {
  auto largest = document.begin();
  for (auto it = document.begin(); it != document.end(); ++it) {
    if (serialized(*it).size() > serialized(*largest).size()) largest = it;
  }
  document.erase(largest);
}

auto list_at(const Json& document, const std::string& path) -> const Json* {
  try {
    const Json& value = document.at(Json::json_pointer(path));
    return value.is_array() ? &value : nullptr;
  } catch (const Json::exception&) {  // not a pointer, or nothing is there
    return nullptr;
  }
}

}  // namespace

auto serialized(const Json& value) -> std::string {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

auto shorten(Json& document, std::size_t most) -> std::vector<Cut> {
  return shorten(document, most, [most](const Json& value) { return serialized(value).size() <= most; });
}

auto shorten(Json& document, std::size_t most, const std::function<bool(const Json&)>& fits) -> std::vector<Cut> {
  Totals totals;
  cut_long_lists(document, most, Json::json_pointer(), totals);
  if (!totals.empty() || !fits(document)) cut_texts(document);
  if (!fits(document)) drop_details(document);
  while (!fits(document)) {
    Json* const list = Largest().in(document);
    if (list == nullptr) break;
    totals.try_emplace(path_to(*list, document).value_or(Json::json_pointer()).to_string(), list->size());
    auto& items = list->get_ref<Json::array_t&>();
    items.resize(items.size() / 2);
  }
  while (document.is_object() && !document.empty() && !fits(document)) drop_largest_member(document);
  std::vector<Cut> cuts;
  for (const auto& [path, total] : totals) {
    const Json::json_pointer at(path);
    if (document.contains(at)) cuts.push_back({path, document.at(at).size(), total});
  }
  return cuts;
}

auto page_of(const Json& document, const std::string& path, std::size_t offset, std::size_t most) -> Result<Page> {
  const Json* const list = list_at(document, path);
  if (list == nullptr) return fail(fmt::format("page: the answer has no list {}", path));
  if (offset > 0 && offset >= list->size())
    return fail(fmt::format("offset {}: the list {} has {} items", offset, path, list->size()));
  Page page{Json::array(), list->size()};
  std::size_t size = 2;
  for (std::size_t i = offset; i < list->size(); ++i) {
    Json item = (*list)[i];
    if (i == offset) static_cast<void>(shorten(item, most));
    size += serialized(item).size() + 1;
    if (i > offset && size > most) break;
    page.items.push_back(std::move(item));
  }
  return page;
}

}  // namespace previct::cli::mcp
