#pragma once

#include "input/events.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// How a node stands in a YAML or JSON text, so that it can be replaced there. Offsets are in bytes.
struct WrittenNode {
  enum class Kind : std::uint8_t { map, list, scalar, alias };
  enum class Style : std::uint8_t { plain, single_quoted, double_quoted, literal, folded, flow, block };
  static constexpr std::uint32_t kNone = UINT32_MAX;

  Kind kind = Kind::scalar;
  Style style = Style::plain;  ///< of a map and a list: flow or block
  std::size_t begin = 0;       ///< of its anchor or tag if it has one; where its Event is
  std::size_t properties = 0;  ///< the end of its anchor and tag; its begin if it has none
  std::size_t content = 0;     ///< behind anchor and tag, and what stands between; of a block list its first dash
  std::size_t end = 0;         ///< of what is not blank; of a block map or list that of its last node
  std::uint32_t parent = kNone;
  bool key = false;       ///< of a map
  bool foreign = false;   ///< its tag, if it has one, makes it something else than a string, a map or a list
  std::string text = {};  ///< what a block scalar means
  bool aliased = false;   ///< an alias refers to it or to a node that it is in: a change of it is one elsewhere, too
};

/// All nodes of the text, in order, a node before those in it. JSON if `json`, else YAML; empty if the text is broken.
[[nodiscard]] auto layout_of(std::string_view text, bool json) -> std::vector<WrittenNode>;

/// Bytes of a text and what is to stand there.
struct TextChange {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text = {};
};

/// `text` with the changes made, which are in order and do not overlap.
[[nodiscard]] auto changed_text(std::string_view text, std::span<const TextChange> changes) -> std::string;

/// The changes that write `scalar` (as YAML or JSON) in place of a scalar: of a block scalar, its head is replaced and
/// its lines are taken away; comments stay.
[[nodiscard]] auto replacing(std::string_view text, const WrittenNode& node, std::string_view scalar)
    -> std::vector<TextChange>;

/// The scalar `meaning` of this type as it can stand in place of another of this style: in its quotes if it has any,
/// plain if no reader of YAML could take it for anything else, else in double quotes. JSON if `json`.
[[nodiscard]] auto scalar_text(std::string_view meaning, ScalarType type, WrittenNode::Style style, bool json)
    -> std::string;

/// Is every difference between the objects of two texts one that the changes from the first to the second make at the
/// nodes they are in? Both must be readable, and each changed node must be reached once. A change within a literal
/// block scalar is one of the text that it holds.
[[nodiscard]] auto changes_only(std::string_view before, std::span<const TextChange> changes, bool json) -> bool;

}  // namespace previct
