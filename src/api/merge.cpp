#include "api/merge.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace previct {
namespace {

/// Converts the symbols and places of an object to those of the whole. Visits it with its describe(), so that no field
/// is forgotten.
class Relocation {
 public:
  // Symbols are numbered in the order of first use, so those of the part follow as if they had been interned there.
  Relocation(Symbols&& part, const Place& begin, Symbols& whole)
      : symbols_(whole.take(std::move(part))), begin_(begin) {}

  template <class T>
  void object(T& object) {
    describe(*this, object);
    place(object.meta.source);
  }
  void place(Place& place) const { place = place_after(begin_, place); }

  template <class T>
  void operator()(std::string_view /*name*/, T&& member) {
    at(member);
  }

 private:
  template <class T>
  void at(T& member) {
    if constexpr (std::is_same_v<T, Symbol>) {
      if (member) member = symbols_[member.index];
    } else if constexpr (std::is_base_of_v<SymbolMap, T> || std::is_same_v<T, ResourceList>) {
      if (is_first(member)) member.each_symbol([&](Symbol& symbol) { at(symbol); });
    } else if constexpr (!kIsValue<T>) {
      describe(*this, member);
    }
  }
  void at(EmbeddedText& text) {
    if (text.place.line != 0) place(text.place);
  }
  void at(KeysOf& keys) { at(keys.keys); }
  template <class T>
  void at(Reduced<T>& text) {
    at(text.kept);
  }
  void at(InTreeDisk& source) {
    Disk& disk = source.disk;
    if (disk.kind != source.kind) return;  // described once for each kind
    at(disk.id);
    at(disk.pool);
    at(disk.azure_kind);
    at(disk.monitors);
  }
  template <class T>
  void at(std::optional<T>& member) {
    if (member) at(*member);
  }
  template <class T>
  void at(std::vector<T>& member) {
    for (T& each : member) at(each);
  }
  template <class T>
  void at(SharedList<T>& member) {
    if (!is_first(member)) return;
    for (T& each : member.elements_of_all()) at(each);
  }
  template <class T>
  void at(MapOf<T>& member) {
    for (auto& [key, value] : member) {
      at(key);
      at(value);
    }
  }
  /// Elements that lists share are changed for all of them, together with the first list.
  template <class List>
  auto is_first(const List& list) -> bool {
    const void* const shared = list.shared();
    return shared == nullptr || relocated_.insert(shared).second;
  }

  std::vector<Symbol> symbols_;
  Place begin_;
  std::unordered_set<const void*> relocated_;
};

}  // namespace

auto place_after(const Place& begin, const Place& place) -> Place {
  return {place.file, begin.line + place.line - 1, place.line == 1 ? begin.column + place.column - 1 : place.column};
}

void append(Objects& objects, Objects part, const Place& begin) {
  Relocation relocation(std::move(part.symbols), begin, objects.symbols);
  part.each_store([&](std::string_view, auto& from) {
    for (auto& object : from) relocation.object(object);
    objects.each_store([&](std::string_view, auto& to) {
      if constexpr (std::is_same_v<decltype(to), decltype(from)>) {
        to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
      }
    });
  });
  part.each_place([&](Place& place) { relocation.place(place); });
  objects.read.add(part.read);
  part.diagnostics.each_place([&](Place& place) { relocation.place(place); });
  objects.diagnostics.add(part.diagnostics);
  objects.InputSummary::add(std::move(part));
}

}  // namespace previct
