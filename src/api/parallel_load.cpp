#include "api/parallel_load.h"

#include "api/configurations.h"
#include "api/kinds.h"
#include "api/merge.h"
#include "api/recognise.h"
#include "api/store_sink.h"
#include "base/launch.h"

#include <algorithm>
#include <future>
#include <string>
#include <utility>
#include <vector>

namespace previct {
namespace {

/// Stores objects that can be understood alone. Anything that concerns the input as a whole is left to its general
/// reader.
class PartSink final : public ObjectSink {
 public:
  PartSink(FileId file, Objects& objects) : into_(file, objects) {}
  auto take(const FoundObject& found) -> Result<void> override {
    if (found.change != FoundObject::Change::none || is_configuration(found)) return fail({});
    // Only a reader of the whole input can determine the kind of this object.
    if (found.element && !tells_kind(found)) return fail({});
    return into_.take(found);
  }
  void take_list(const EnclosingList& list) override { into_.take_list(list); }

 private:
  StoreSink into_;
};

}  // namespace

auto part_borders(const PiecewiseText& text, const ListShape& shape, const std::vector<std::uint64_t>& cuts)
    -> std::vector<std::uint64_t> {
  std::vector<std::uint64_t> borders = {0};
  for (const std::uint64_t cut : cuts) {
    // An item begins after the first byte of its mark. The first item belongs to the first part.
    const std::uint64_t from = std::max({cut, shape.first_item + 1, borders.back() + 1}) - 1;
    const auto mark = find_in(text, shape.before_item, from, text.size);
    if (!mark) break;
    borders.push_back(*mark + 1);
  }
  borders.push_back(text.size);
  return borders;
}

auto read_parts(const PiecewiseText& text, const ListShape& shape, const std::vector<std::uint64_t>& borders,
                FileId file, Objects& objects) -> std::optional<std::size_t> {
  const std::size_t parts = borders.size() - 1;
  std::vector<Objects> others(parts - 1);
  const auto read = [&](std::size_t part, Objects& into) {
    PartSink sink(file, into);
    const auto source = text.open(borders[part], borders[part + 1]);
    return read_fast(*source, file, into, sink,
                     {.shape = &shape,
                      .from_front = part == 0,
                      .to_end = part + 1 == parts,
                      .others = part == 0 ? text.size - borders[1] : 0});
  };
  std::vector<std::future<std::optional<PartRead>>> pending;
  for (std::size_t part = 1; part < parts; ++part) {
    pending.push_back(launched([&, part] { return read(part, others[part - 1]); }));
  }
  auto done = read(0, objects);
  std::size_t count = 0;
  Place begin{file, 1, 1};
  for (std::size_t part = 0; done; ++part) {
    count += done->objects;
    if (part + 1 == parts) return count;
    begin = place_after(begin, done->end);
    done = pending[part].get();
    if (done) append(objects, std::move(others[part]), begin);
  }
  return {};
}

auto read_in_parts(const PiecewiseText& text, unsigned parts, FileId file, Objects& objects)
    -> std::optional<std::size_t> {
  const auto shape = list_shape(*text.open(0, text.size));
  if (!shape) return {};
  std::vector<std::uint64_t> cuts;
  for (unsigned part = 1; part < parts; ++part) cuts.push_back(text.size / parts * part);
  const std::vector<std::uint64_t> borders = part_borders(text, *shape, cuts);
  return borders.size() > 2 ? read_parts(text, *shape, borders, file, objects) : std::nullopt;
}

}  // namespace previct
