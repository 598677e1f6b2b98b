#include "api/one_input.h"

#include "api/kai_snapshot.h"
#include "api/kinds.h"
#include "api/simulator_snapshot.h"
#include "base/text.h"

#include <fmt/format.h>

#include <string>

namespace previct {
namespace {

auto tells_what_it_is(const FoundObject& found) -> bool {
  return tells_kind(found) || kai::is_snapshot(found.tape, found.index) ||
         simulator::is_snapshot(found.tape, found.index);
}

/// A list as kubectl cluster-info dump printed it up to 1.13, into a folder that holds only such lists.
auto is_old_list(const FoundObject& found) -> bool {
  const auto has = [&](std::string_view key) { return found.tape.find(found.index, key) < found.tape.size(); };
  return !found.element && has("Items") && has("selfLink") && has("resourceVersion");
}

}  // namespace

TextSink::TextSink(FileId file, Origin origin, Objects& objects, InputSink& sink, MemoryGuard& memory)
    : file_(file),
      origin_(origin),
      objects_(objects),
      sink_(sink),
      memory_(memory),
      by_path_(list_of_path(objects.files.name(file))) {}

auto TextSink::take(const FoundObject& found) -> Result<void> {
  const Tape::Entry& entry = found.tape[found.index];
  const Place place{file_, entry.line, entry.column};
  constexpr std::uint64_t kOfObject = 4096;  // estimated bytes of an object, so that the memory is checked from time to
                                             // time
  if (!memory_.allows(kOfObject)) return tl::unexpected(memory_.failure(file_));
  if (tells_what_it_is(found) || is_old_list(found)) {  // old lists are refused with a reason
    ++taken_;
    return sink_.take(found, file_);
  }
  if (by_path_ && may_be_item(by_path_->list, found.tape, found.index)) {
    Recognized& recognized = objects_.recognized_by_path[std::string(item_kind(by_path_->list))];
    if (recognized.count++ == 0) recognized.first = place;
    ++taken_;
    ++by_path_taken_;
    return sink_.take({found.tape, found.index, &by_path_->list, found.change, found.element}, file_);
  }
  if (!found.element && origin_ == Origin::named) {
    PREVICT_CHECK(sink_.take(found, file_));  // a configuration; for anything else, the sink returns the error
    ++taken_;
    return {};
  }
  (found.tape.is_nothing(found.index) ? empty_ : unknown_).add(place);
  return {};
}

void TextSink::take_list(const EnclosingList& list) {
  if (list.kind.empty()) {
    ++lists_without_kind_;
    return;
  }
  ++taken_;
  sink_.take_list(list, file_);
}

auto TextSink::finish(std::size_t others) -> Result<std::size_t> {
  taken_ += others;
  // The path determines the kind of an empty list. If a known collector wrote the file, an empty file is a list, too.
  const bool by_place = by_path_ && by_path_->certain && origin_ == Origin::collection;
  const bool by_name = by_path_ && lists_without_kind_ > 0 && unknown_.count == 0 && taken_ == by_path_taken_;
  if (by_place || by_name) {
    ++taken_;
    sink_.take_list(by_path_->list, file_);
  }
  if (taken_ == 0) {
    if (origin_ == Origin::collection) return 0;
    if (unknown_.count > 0) {
      return fail(
          fmt::format(
              "no Kubernetes object: {} without a kind, which cannot be determined from its fields or the file name",
              counted(unknown_.count, "element", "elements")),
          unknown_.first, "previct reads what kubectl get prints with -o yaml or -o json");
    }
    return fail("the file has no objects", {file_, 1, 1});
  }
  if (empty_.count > 0) {
    objects_.diagnostics.warn("item-skipped",
                              fmt::format("{} of a list null or empty: skipped",
                                          empty_.count == 1 ? "an item is" : fmt::format("{} items are", empty_.count)),
                              empty_.first);
  }
  if (unknown_.count > 0) {
    objects_.lost_objects.add({unknown_.count, unknown_.first});
    objects_.diagnostics.warn("item-skipped",
                              fmt::format("{} skipped, because its kind cannot be determined",
                                          unknown_.count == 1 ? "an item" : fmt::format("{} items", unknown_.count)),
                              unknown_.first);
  }
  return taken_;
}

}  // namespace previct
