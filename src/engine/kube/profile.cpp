#include "engine/kube/profile.h"

#include <algorithm>

namespace previct::kube {

auto Profile::tolerates() const -> bool {
  return std::find(post_filters.begin(), post_filters.end(), PostFilter::preemption_toleration) !=
         post_filters.end();
}

auto Profile::standard(bool toleration) -> Profile {
  Profile profile;
  profile.filters = kube::filters();
  if (toleration) profile.post_filters.back() = PostFilter::preemption_toleration;
  return profile;
}

}  // namespace previct::kube
