#pragma once

#include "engine/kai/actions/node_placement.h"

namespace previct::kai {

/// The parameters of one placement.
struct NodePlacer::Attempt {
  Statement& statement;
  GroupId group;
  const GroupView& view;
  bool only_reserve;
};

}  // namespace previct::kai
