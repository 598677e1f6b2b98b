#include "api/append.h"

#include <algorithm>
#include <any>
#include <iterator>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace previct {
namespace {

/// Gives an object the symbols and places of the whole. Visits it by its describe(), so that no field is forgotten.
class Relocation {
 public:
  // Numbered in the order of first use, the symbols of the part follow those before it as if they had been met there.
  Relocation(const Symbols& part, const Place& begin, Symbols& whole) : begin_(begin) {
    symbols_.reserve(part.size());
    for (std::uint32_t i = 0; i < part.size(); ++i) symbols_.push_back(whole.intern(part.text(Symbol{i})));
  }

  template <class T>
  void object(T& object) {
    describe(*this, object);
    place(object.meta.source);
  }
  void place(Place& place) const { place = place_behind(begin_, place); }

  template <class T>
  void operator()(std::string_view /*name*/, T&& member) {
    at(member);
  }

 private:
  template <class T>
  void at(T& member) {
    if constexpr (std::is_same_v<T, Symbol>) {
      if (member) member = symbols_[member.index];
    } else if constexpr (std::is_base_of_v<SymbolMap, T>) {
      once<SymbolMap>(member, [&](SymbolMap& map) { map.each_symbol([&](Symbol& symbol) { at(symbol); }); });
    } else if constexpr (std::is_same_v<T, ResourceList>) {
      once(member, [&](ResourceList& list) { list.each_symbol([&](Symbol& symbol) { at(symbol); }); });
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
    once(member, [&](SharedList<T>& list) {
      for (T& each : list) at(each);
    });
  }
  template <class T>
  void at(MapOf<T>& member) {
    for (auto& [key, value] : member) {
      at(key);
      at(value);
    }
  }
  /// Lists that shared their elements still do.
  template <class List, class Change>
  void once(List& list, Change change) {
    if (list.empty()) return;
    const void* const elements = std::as_const(list).begin();
    if (const auto known = relocated_.find(elements); known != relocated_.end()) {
      list = *std::any_cast<List>(&known->second);
      return;
    }
    List copy = list;
    change(copy);
    relocated_.emplace(elements, copy);
    list = std::move(copy);
  }

  std::vector<Symbol> symbols_;
  Place begin_;
  // Lists, by where the elements were. No list to come was ever there: those to come are older than what takes the
  // place of one.
  std::unordered_map<const void*, std::any> relocated_;
};

}  // namespace

auto place_behind(const Place& begin, const Place& place) -> Place {
  return {place.file, begin.line + place.line - 1, place.line == 1 ? begin.column + place.column - 1 : place.column};
}

void append(Objects& objects, Objects part, const Place& begin) {
  Relocation relocation(part.symbols, begin, objects.symbols);
  part.each_store([&](std::string_view, auto& from) {
    for (auto& object : from) relocation.object(object);
    objects.each_store([&](std::string_view, auto& to) {
      if constexpr (std::is_same_v<decltype(to), decltype(from)>) {
        to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
      }
    });
  });
  part.each_place([&](Place& place) { relocation.place(place); });
  objects.InputSummary::add(std::move(part));
  objects.read.add(part.read);
  part.diagnostics.each_place([&](Place& place) { relocation.place(place); });
  objects.diagnostics.add(part.diagnostics);
}

}  // namespace previct
