#pragma once

#include "prove/form.h"

#include <map>
#include <string>

namespace previct::prove {

/// What controllers create together with new pods of forms, for the lifetime of this object: ResourceClaims of
/// templates, and claims of generic ephemeral volumes.
class OwnClaims {
 public:
  explicit OwnClaims(Objects& objects);
  OwnClaims(const OwnClaims&) = delete;
  auto operator=(const OwnClaims&) -> OwnClaims& = delete;
  ~OwnClaims();

  /// Creates them for a pod with a name and a UID. Fails if the input does not show what they request.
  [[nodiscard]] auto give(Pod& pod, const Form& form, Instant now) -> Result<void>;

 private:
  Objects& objects_;
  std::size_t resource_claims_;
  std::size_t volume_claims_;
  std::int64_t counted_;
};

/// Returns the claim of a generic ephemeral volume of the pod that a form is like; null if the input does not have it.
[[nodiscard]] auto claim_of_ephemeral(const Form& form, const Volume& volume, const Objects& objects)
    -> const PersistentVolumeClaim*;

}  // namespace previct::prove
