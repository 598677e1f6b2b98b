#pragma once

#include "api/field_writer.h"

#include <string>
#include <string_view>
#include <utility>

namespace previct::prove {

/// Writes texts as they are.
class AsWritten final : public Wording {
 public:
  explicit AsWritten(const Symbols& symbols) : symbols_(symbols) {}
  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view override { return symbols_.text(symbol); }
  [[nodiscard]] auto embedded(const EmbeddedText& value) const -> std::string override { return value.text; }

 private:
  const Symbols& symbols_;
};

/// Returns an object as JSON, with the fields that previct reads.
template <class Object>
[[nodiscard]] auto as_written(std::string_view api_version, std::string_view kind, Object object,
                              const Symbols& symbols) -> std::string {
  std::string json;
  const AsWritten wording(symbols);
  FieldWriter(wording, json).write(api_version, kind, std::move(object));
  return json;
}

}  // namespace previct::prove
