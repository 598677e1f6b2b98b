#include "engine/kueue/quota_tree.h"

#include <algorithm>
#include <utility>

namespace previct::kueue {

auto Share::value() const -> double {
  if (ratio == 0) return 0;
  return weight == 0 ? std::numeric_limits<double>::infinity() : ratio / weight;
}

auto Share::compare(const Share& other) const -> int {
  const bool endless = weight == 0 && ratio != 0;
  const bool other_endless = other.weight == 0 && other.ratio != 0;
  if (endless != other_endless) return endless ? 1 : -1;
  const double mine = endless ? ratio : value();
  const double theirs = endless ? other.ratio : other.value();
  return mine > theirs ? 1 : mine < theirs ? -1 : 0;
}

namespace {

// What is never lent.
auto local_of(const QuotaTree::Cell& cell) -> Amount {
  if (!cell.quota.lending_limit) return {};
  return std::max(kNothing, cell.subtree - *cell.quota.lending_limit);
}

auto local_available_of(const QuotaTree::Cell& cell) -> Amount {
  return std::max(kNothing, local_of(cell) - cell.usage);
}

auto borrowed_of(const QuotaTree::Cell& cell) -> Amount {
  return cell.has_subtree ? std::max(kNothing, cell.usage - cell.subtree) : kNothing;
}

}  // namespace

auto QuotaTree::add(Node node) -> QuotaNodeId {
  nodes_.push_back(std::move(node));
  return {static_cast<std::uint32_t>(nodes_.size() - 1)};
}

void QuotaTree::set_quota(QuotaNodeId node, FlavorResource of, const Quota& quota) {
  Cell& at = cell(node, of);
  at.quota = quota;
  at.has_quota = true;
}

void QuotaTree::build() {
  std::vector<std::size_t> open(nodes_.size(), 0);  // number of children not summed yet
  std::vector<QuotaNodeId> ready;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const QuotaNodeId parent = nodes_[i].parent;
    if (!parent) continue;
    nodes_[parent.index].children.push_back({i});
    ++open[parent.index];
  }
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (open[i] == 0) ready.push_back({i});
  }
  // From the leaves up; the tree has no cycles at this point.
  for (std::size_t next = 0; next < ready.size(); ++next) {
    const QuotaNodeId id = ready[next];
    Node& node = nodes_[id.index];
    for (Cell& each : node.cells) {
      if (!each.has_quota) continue;
      each.subtree = each.subtree + each.quota.nominal;
      each.has_subtree = true;
    }
    if (!node.parent) continue;
    Node& parent = nodes_[node.parent.index];
    for (const Cell& each : node.cells) {
      if (!each.has_subtree) continue;
      Cell& above = cell(node.parent, each.of);
      above.subtree = above.subtree + (each.subtree - local(id, each.of));
      above.has_subtree = true;
    }
    if (!node.hidden) parent.height = std::max(parent.height, node.is_cluster_queue ? 1 : node.height + 1);
    if (--open[node.parent.index] == 0) ready.push_back(node.parent);
  }
}

auto QuotaTree::root(QuotaNodeId node) const -> QuotaNodeId {
  while (nodes_[node.index].parent) node = nodes_[node.index].parent;
  return node;
}

auto QuotaTree::ancestors(QuotaNodeId node) const -> std::vector<QuotaNodeId> {
  std::vector<QuotaNodeId> above;
  for (QuotaNodeId at = nodes_[node.index].parent; at; at = nodes_[at.index].parent) above.push_back(at);
  return above;
}

auto QuotaTree::cluster_queues(QuotaNodeId node) const -> std::vector<QuotaNodeId> {
  if (nodes_[node.index].is_cluster_queue) return {node};
  std::vector<QuotaNodeId> found;
  std::vector<QuotaNodeId> cohorts = {node};
  while (!cohorts.empty()) {
    const QuotaNodeId cohort = cohorts.back();
    cohorts.pop_back();
    for (const QuotaNodeId child : nodes_[cohort.index].children) {
      const Node& each = nodes_[child.index];
      if (!each.is_cluster_queue) {
        cohorts.push_back(child);
      } else if (!each.hidden) {
        found.push_back(child);
      }
    }
  }
  return found;
}

auto QuotaTree::find(QuotaNodeId node, FlavorResource of) const -> const Cell& {
  static const Cell kNone{};
  const std::vector<Cell>& cells = nodes_[node.index].cells;
  const auto at = std::lower_bound(cells.begin(), cells.end(), of,
                                   [](const Cell& each, FlavorResource key) { return each.of < key; });
  return at != cells.end() && at->of == of ? *at : kNone;
}

auto QuotaTree::cell(QuotaNodeId node, FlavorResource of) -> Cell& {
  std::vector<Cell>& cells = nodes_[node.index].cells;
  const auto at = std::lower_bound(cells.begin(), cells.end(), of,
                                   [](const Cell& each, FlavorResource key) { return each.of < key; });
  if (at != cells.end() && at->of == of) return *at;
  return *cells.insert(at, Cell{.of = of});
}

auto QuotaTree::quota(QuotaNodeId node, FlavorResource of) const -> const Quota* {
  const Cell& at = find(node, of);
  return at.has_quota ? &at.quota : nullptr;
}

auto QuotaTree::nominal(QuotaNodeId node, FlavorResource of) const -> Amount {
  return find(node, of).quota.nominal;
}

auto QuotaTree::subtree(QuotaNodeId node, FlavorResource of) const -> Amount {
  return find(node, of).subtree;
}

auto QuotaTree::usage(QuotaNodeId node, FlavorResource of) const -> Amount {
  return find(node, of).usage;
}

auto QuotaTree::local(QuotaNodeId node, FlavorResource of) const -> Amount {
  return local_of(find(node, of));
}

auto QuotaTree::local_available(QuotaNodeId node, FlavorResource of) const -> Amount {
  return local_available_of(find(node, of));
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the cohorts (kDeepest)
auto QuotaTree::available(QuotaNodeId node, FlavorResource of) const -> Amount {
  const Cell& at = find(node, of);
  const QuotaNodeId parent = nodes_[node.index].parent;
  if (!parent) return at.subtree - at.usage;
  Amount left = available(parent, of);
  if (at.quota.borrowing_limit) {
    const Amount kept = local_of(at);
    const Amount shared = (at.subtree - kept) - std::max(kNothing, at.usage - kept);
    left = std::min(left, shared + *at.quota.borrowing_limit);
  }
  return local_available_of(at) + left;
}

auto QuotaTree::free(QuotaNodeId node, FlavorResource of) const -> Amount {
  return std::max(kNothing, available(node, of));
}

auto QuotaTree::potential(QuotaNodeId node, FlavorResource of) const -> Amount {
  std::vector<QuotaNodeId> path = {node};
  for (QuotaNodeId at = nodes_[node.index].parent; at; at = nodes_[at.index].parent) path.push_back(at);
  Amount most = subtree(path.back(), of);
  for (std::size_t i = path.size() - 1; i > 0; --i) {
    const QuotaNodeId at = path[i - 1];
    most = local(at, of) + most;
    const Quota* const own = quota(at, of);
    if (own != nullptr && own->borrowing_limit) most = std::min(most, subtree(at, of) + *own->borrowing_limit);
  }
  return most;
}

void QuotaTree::set_usage(QuotaNodeId node, Cell& at, Amount usage) {
  at.usage = usage;
  if (node.index < shares_.size()) shares_[node.index].current = false;
}

void QuotaTree::take(QuotaNodeId node, FlavorResource of, Amount amount) {
  for (QuotaNodeId at = node; at; at = nodes_[at.index].parent) {
    Cell& used = cell(at, of);
    const Amount kept = local_available_of(used);
    set_usage(at, used, used.usage + amount);
    if (amount <= kept) return;
    amount = amount - kept;
  }
}

void QuotaTree::give_back(QuotaNodeId node, FlavorResource of, Amount amount) {
  for (QuotaNodeId at = node; at; at = nodes_[at.index].parent) {
    Cell& used = cell(at, of);
    const Amount beyond = used.usage - local_of(used);
    set_usage(at, used, used.usage - amount);
    if (beyond <= kNothing) return;
    amount = std::min(amount, beyond);
  }
}

auto QuotaTree::borrows(QuotaNodeId node, FlavorResource of, Amount more) const -> bool {
  const Cell& at = find(node, of);
  return at.usage + more > at.subtree;
}

auto QuotaTree::within_nominal(QuotaNodeId node, const std::vector<FlavorResource>& of) const -> bool {
  return std::none_of(of.begin(), of.end(), [&](FlavorResource each) { return borrows(node, each); });
}

auto QuotaTree::borrowed(QuotaNodeId node, FlavorResource of) const -> Amount {
  if (!nodes_[node.index].parent) return kNothing;
  return std::max(kNothing, usage(node, of) - subtree(node, of));
}

auto QuotaTree::lent(QuotaNodeId node, FlavorResource of) const -> Lent {
  std::vector<QuotaNodeId> path = {node};
  for (QuotaNodeId at = nodes_[node.index].parent; at; at = nodes_[at.index].parent) path.push_back(at);
  // What a node could lend now: the part of its quota that it may lend, minus what it uses of that.
  const auto offered = [&](QuotaNodeId at) {
    const Amount kept = local(at, of);
    return std::max(kNothing, (subtree(at, of) - kept) - std::max(kNothing, usage(at, of) - kept));
  };
  Lent lent;  // of the root: nothing
  for (std::size_t i = path.size() - 1; i > 0; --i) {
    const QuotaNodeId cohort = path[i];
    const QuotaNodeId child = path[i - 1];
    Amount demand;
    Amount others = nominal(cohort, of) + borrowed(cohort, of);
    for (const QuotaNodeId each : nodes_[cohort.index].children) {
      demand = demand + borrowed(each, of);
      if (each != child) others = others + offered(each);
    }
    lent = {std::max(kNothing, (demand + lent.least) - others), std::min(offered(child), demand + lent.most)};
  }
  return lent;
}

auto QuotaTree::level(QuotaNodeId node, FlavorResource of, Amount more) const -> Level {
  const QuotaNodeId parent = nodes_[node.index].parent;
  if (!parent || !borrows(node, of, more)) return {0, bool{parent}};
  Amount left = more - local_available(node, of);
  QuotaNodeId top = parent;
  for (QuotaNodeId at = parent; at; at = nodes_[at.index].parent) {
    if (!borrows(at, of, left)) return {nodes_[at.index].height, bool{nodes_[at.index].parent}};
    left = left - local_available(at, of);
    top = at;
  }
  return {nodes_[top.index].height, false};
}

auto QuotaTree::lendable(QuotaNodeId cohort) const -> const std::vector<Lendable>& {
  lendable_.resize(nodes_.size());
  std::vector<Lendable>& all = lendable_[cohort.index];
  if (!all.empty()) return all;
  for (const Cell& each : nodes_[root(cohort).index].cells) {
    if (!each.has_subtree) continue;
    const Symbol resource = (*names_)[each.of].resource;
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const Lendable& one) { return one.resource == resource; });
    Lendable& of = same == all.end() ? all.emplace_back(Lendable{resource, {}}) : *same;
    of.amount = of.amount + potential(cohort, each.of);
  }
  return all;
}

auto QuotaTree::share(QuotaNodeId node) const -> const Share& {
  shares_.resize(nodes_.size());
  KnownShare& known = shares_[node.index];
  if (!known.current) measure(node, known.share);
  known.current = true;
  known.share.weight = nodes_[node.index].weight;
  return known.share;
}

void QuotaTree::measure(QuotaNodeId node, Share& share) const {
  const Node& self = nodes_[node.index];
  share.ratio = 0;
  share.borrowed.clear();
  for (const Cell& each : self.cells) {
    if (self.parent && borrowed_of(each) > kNothing) share.borrowed.push_back(each.of);
  }
  share.borrows = !share.borrowed.empty();
  if (!share.borrows) return;
  for (const Lendable& lent : lendable(self.parent)) {
    const Amount over = borrowed(self, lent.resource);
    if (over <= kNothing || lent.amount <= kNothing) continue;
    share.ratio =
        std::max(share.ratio, static_cast<double>(over.value) * 1000.0 / static_cast<double>(lent.amount.value));
  }
}

auto QuotaTree::borrowed(const Node& node, Symbol resource) const -> Amount {
  Amount sum;
  for (const Cell& each : node.cells) {
    if ((*names_)[each.of].resource == resource) sum = sum + borrowed_of(each);
  }
  return sum;
}

}  // namespace previct::kueue
