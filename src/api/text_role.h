#pragma once

#include <cstdint>

namespace previct {

/// What a text is in the objects of an input; it may be several things. The first that it is gives its new name where
/// objects are anonymized.
enum class TextRole : std::uint8_t {
  node,
  ns,
  pod,
  priority_class,
  queue,
  group,  ///< of pods
  claim,
  label,  ///< a key of labels, taints and topologies
  resource,
  value,  ///< of a label or taint
  note,   ///< the value of an annotation
  uid,
  name,   ///< of anything else
  image,  ///< of containers
  word,   ///< of the API: not a name that somebody gave
  user    ///< a user or a group of users; named like anything else, but so that YuniKorn takes it for one
};

}  // namespace previct
