#pragma once

#include <cstdint>

namespace previct {

/// The role of a text in the objects of an input. A text may have several roles; the first determines its new name if
/// objects are anonymized.
enum class TextRole : std::uint8_t {
  node,
  ns,
  pod,
  priority_class,
  queue,
  group,  ///< a group of pods
  claim,
  label,  ///< a key of labels, taints and topologies
  resource,
  value,  ///< a value of a label or taint
  note,   ///< a value of an annotation
  uid,
  name,   ///< a name of anything else
  image,  ///< an image of containers
  word,   ///< a word of the API, which no user chose
  user    ///< a user or a group of users; its new name must be valid for YuniKorn
};

}  // namespace previct
