#pragma once

#include "input/events.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// The position and form of a node in a YAML or JSON text, so that it can be replaced there. Offsets are in bytes.
struct WrittenNode {
  enum class Kind : std::uint8_t { map, list, scalar, alias };
  enum class Style : std::uint8_t { plain, single_quoted, double_quoted, literal, folded, flow, block };
  static constexpr std::uint32_t kNone = UINT32_MAX;

  Kind kind = Kind::scalar;
  Style style = Style::plain;  ///< for a map or a list: flow or block
  std::size_t begin = 0;       ///< start of its anchor or tag if it has one; otherwise the position of its Event
  std::size_t properties = 0;  ///< end of its anchor and tag; `begin` if it has none
  std::size_t content = 0;     ///< start of the value, after anchor and tag and what separates them; for a block list
                               ///< its first dash
  std::size_t end = 0;         ///< end without trailing blanks; for a block map or list the end of its last node
  std::uint32_t parent = kNone;
  bool key = false;       ///< it is a key of a map
  bool foreign = false;   ///< it has a tag that makes it something else than a string, a map or a list
  std::string text = {};  ///< the value of a block scalar
  bool aliased = false;   ///< an alias refers to it or to an enclosing node: changing it changes other places, too
};

/// All nodes of the text, in order, parents before children. The text is JSON if `json`, otherwise YAML. Empty if the
/// text is invalid.
[[nodiscard]] auto layout_of(std::string_view text, bool json) -> std::vector<WrittenNode>;

/// The offsets in a YAML text of the `#` of comments that begin with `word`, perhaps after blanks. Lines of scalars are
/// no comments. Stops where the text is invalid.
[[nodiscard]] auto comments_with(std::string_view text, std::string_view word) -> std::vector<std::size_t>;

/// A range of bytes of a text, and its replacement.
struct TextChange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text = {};
};

/// Applies the changes, which must be sorted and must not overlap.
[[nodiscard]] auto changed_text(std::string_view text, std::span<const TextChange> changes) -> std::string;

/// The changes that replace the scalar at `node` by `scalar` (written as YAML or JSON). For a block scalar, they
/// replace its header and remove its lines; comments stay.
[[nodiscard]] auto replacing(std::string_view text, const WrittenNode& node, std::string_view scalar)
    -> std::vector<TextChange>;

/// How to write the scalar `meaning` of this type in place of a scalar of this style: in the same quotes if it has any;
/// plain if every YAML reader would read it as the same scalar; otherwise in double quotes. JSON if `json`.
[[nodiscard]] auto scalar_text(std::string_view meaning, ScalarType type, WrittenNode::Style style, bool json)
    -> std::string;

/// Returns true if the objects of the text before and after the changes differ only at the nodes that the changes
/// affect. Both texts must be valid, and each changed node must be reached once. A change within a literal block scalar
/// is checked in the text of that scalar.
[[nodiscard]] auto changes_only(std::string_view before, std::span<const TextChange> changes, bool json) -> bool;

}  // namespace previct
