#include "support/objects_text.h"

#include <fmt/format.h>

namespace previct::test {
namespace {

/// Visits the fields that describe() names, as a reader does, and prints them.
class Printer {
 public:
  explicit Printer(const Symbols& symbols, bool places = true) : symbols_(symbols), places_(places) {}

  template <class T>
  void operator()(std::string_view name, T&& member) {
    text_ += fmt::format("{}=", name);
    print(member);
    text_ += ' ';
  }

  template <class T>
  void print(T& value) {
    if constexpr (std::is_same_v<T, Symbol>) {
      text_ += value ? fmt::format("\"{}\"", symbols_.text(value)) : "-";
    } else if constexpr (std::is_same_v<T, std::string> || std::is_arithmetic_v<T>) {
      text_ += fmt::format("{}", value);
    } else if constexpr (std::is_same_v<T, Quantity>) {
      text_ += fmt::format("{}n", value.nanos());
    } else if constexpr (std::is_same_v<T, Instant>) {
      const std::int64_t seconds = value.seconds;  // fmt takes a reference, and an Instant is not aligned for it
      text_ += fmt::format("{}.{}", seconds, value.nanos);
    } else if constexpr (std::is_same_v<T, Duration>) {
      text_ += fmt::format("{}ns", value.nanos);
    } else if constexpr (std::is_same_v<T, NumberOrPercent>) {
      text_ += fmt::format("{}{}", value.number, value.percent ? "%" : "");
    } else if constexpr (std::is_same_v<T, SymbolMap> || std::is_same_v<T, Annotations> ||
                         std::is_same_v<T, ResourceList>) {
      for (auto [key, of] : value) {
        print(key);
        text_ += ':';
        print(of);
        text_ += ',';
      }
    } else {
      text_ += '{';
      describe(*this, value);
      if constexpr (std::is_same_v<T, ObjectMeta>) place(value.source.file, value.source.line, value.source.column);
      if constexpr (std::is_same_v<T, Requirement>) text_ += fmt::format("{}", static_cast<int>(value.op));
      text_ += '}';
    }
  }
  template <class T>
  void print(std::optional<T>& value) {
    value ? print(*value) : static_cast<void>(text_ += "none");
  }
  template <AnyList List>
  void print(List& list) {
    text_ += '[';
    for (auto& each : list) {
      print(each);
      text_ += ',';
    }
    text_ += ']';
  }
  template <class T>
  void print(MapOf<T>& map) {
    for (auto& [key, value] : map) {
      print(key);
      text_ += ':';
      print(value);
    }
  }
  void print(Present& value) { print(value.value); }
  void print(AsNumber& value) { print(value.value); }
  void print(OptionalNumber& value) { value.given ? print(value.value) : static_cast<void>(text_ += "none"); }
  void print(KeysOf& value) { print(value.keys); }
  template <class T>
  void print(Reduced<T>& value) {
    print(value.kept);
  }
  void print(Ignored& /*value*/) {}
  void print(OnTape& /*value*/) {}
  void print(EmbeddedText& value) {
    text_ += value.text;
    place(value.place.file, value.place.line, value.place.column);
  }
  void print(InTreeDisk& value) {
    if (value.disk.kind != value.kind) return;
    print(value.disk.id);
    print(value.disk.pool);
    print(value.disk.monitors);
    print(value.disk.read_only);
  }

  auto text() -> std::string& { return text_; }

 private:
  void place(FileId file, std::uint32_t line, std::uint32_t column) {
    if (!places_) return;
    text_ += fmt::format("@{}:{}:{}", file.index, line, column);
  }

  const Symbols& symbols_;
  bool places_;
  std::string text_;
};

void print_stores(Objects& objects, Printer& printer) {
  objects.each_store([&](std::string_view kind, auto& store) {
    for (auto& object : store) {
      printer.text() += kind;
      printer.print(object);
      printer.text() += '\n';
    }
  });
  if (objects.kai_scheduler) printer.print(*objects.kai_scheduler);
}

}  // namespace

auto objects_text_without_places(Objects& objects) -> std::string {
  Printer printer(objects.symbols, false);
  print_stores(objects, printer);
  return printer.text();
}

auto objects_text(Objects& objects) -> std::string {
  Printer printer(objects.symbols);
  print_stores(objects, printer);
  std::string& text = printer.text();
  for (const auto& [kind, count] : objects.counts) text += fmt::format("count {} {}\n", kind, count);
  for (const auto& [kind, count] : objects.listed) text += fmt::format("listed {} {}\n", kind, count);
  text += fmt::format("newest {}.{}\n", objects.newest.seconds, objects.newest.nanos);
  for (const Warning& each : objects.diagnostics.sorted()) {
    text += fmt::format("{} {} {}:{}\n", each.id, each.message, each.place.line, each.place.column);
  }
  return text;
}

}  // namespace previct::test
