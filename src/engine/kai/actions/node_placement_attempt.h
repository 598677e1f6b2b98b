#pragma once

#include "engine/kai/actions/node_placement.h"

namespace previct::kai {

/// What the steps of one placement share.
struct Placing::Attempt {
  Statement& statement;
  GroupId group;
  const GroupView& view;
  bool only_reserve;
};

}  // namespace previct::kai
