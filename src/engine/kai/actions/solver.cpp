#include "engine/kai/actions/solver.h"

#include "engine/kai/actions/accumulation.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace previct::kai {
namespace {

// Pending, recorded and potential tasks, each sorted.
auto key_of(const Session& session, const std::vector<CopyId>& chunk, const Scenario& scenario) -> std::string {
  std::vector<std::uint32_t> numbers;
  auto close = [&, begin = std::size_t{0}]() mutable {
    std::sort(numbers.begin() + static_cast<std::ptrdiff_t>(begin), numbers.end());
    numbers.push_back(TaskId::kNone);
    begin = numbers.size();
  };
  for (const CopyId id : chunk) numbers.push_back(session.copy(id).task.index);
  close();
  for (const Batch& batch : *scenario.recorded) {
    for (const TaskId task : batch.tasks) numbers.push_back(task.index);
  }
  close();
  for (const Batch& batch : scenario.potential) {
    for (const TaskId task : batch.tasks) numbers.push_back(task.index);
  }
  close();
  std::string key(numbers.size() * sizeof(std::uint32_t), '\0');
  std::memcpy(key.data(), numbers.data(), key.size());
  return key;
}

}  // namespace

auto as_copied(const Pool& pool, const std::vector<TaskId>& tasks) -> std::vector<TaskId> {
  std::vector<TaskId> unique;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto rest = tasks.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (std::find(rest, tasks.end(), tasks[i]) == tasks.end()) unique.push_back(tasks[i]);
  }
  std::stable_sort(unique.begin(), unique.end(),
                   [&](TaskId a, TaskId b) { return pool.task(a).set < pool.task(b).set; });
  return unique;
}

Solver::Solver(Session& session, const QueueOrder& order, Placing& placing, Moment& now, Action action, GroupId pending,
               const std::vector<GroupId>& victims)
    : session_(session),
      pool_(session.pool()),
      order_(order),
      placing_(placing),
      action_(action),
      pending_(pending),
      candidates_(session, order, now),
      reclaim_(session, order),
      victims_(session, order, GroupQueue::Of::victims),
      chunk_(next_chunk(session, pending, false)),
      is_feasible_(pool_.rooms().size(), 0),
      freed_(pool_.rooms().size() * pool_.dims(), 0),
      seen_(pool_.tasks().size(), 0),
      place_of_(pool_.groups().size(), 0) {
  for (const GroupId victim : victims) victims_.push_whole(victim);
  if (victims.empty()) search_.rule = Rule::no_candidates;
  for (const GroupId group : pool_.groups_by_name()) {
    if (session.has_pending(group)) pending_groups_.push_back(group);
  }
  find_base_rooms();
}

// All rooms if some task of the group asks for no GPU, else those with idle or releasing ones.
void Solver::find_base_rooms() {
  const Group& group = pool_.group(pending_);
  bool all = false;
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    for (const TaskId task : pool_.tasks_of(group.set(i))) all = all || !pool_.gpu(task).needs_gpu();
  }
  for (const RoomId room : pool_.rooms().ids()) {
    const Session::FreeGpus free = all ? Session::FreeGpus() : session_.free_gpus(room);
    if (all || free.idle > 0 || free.releasing > 0) base_rooms_.push_back(room);
  }
}

auto Solver::solve(Statement& statement) -> Search {
  if (chunk_.empty()) {
    search_.rule = Rule::nothing_pending;
    return search_;
  }
  const Settings& settings = pool_.settings();
  const std::int64_t limit = settings.budgets.for_group(action_);
  if (limit != 0 && limit <= Budgets::kNothing) {
    search_.rule = Rule::no_time;
    return search_;
  }
  if (settings.generators.empty()) search_.rule = Rule::no_generator;
  if (search_.rule == Rule::no_candidates || settings.generators.empty()) return search_;
  const std::int64_t before = session_.used(pending_);
  for (const Generator generator : settings.generators) {
    const std::int64_t own = settings.budgets.generator[static_cast<std::size_t>(generator)];
    if (own != 0 && own <= Budgets::kNothing) continue;
    generator_ = generator;
    recorded_.clear();
    recorded_victims_.clear();
    if (largest_solvable() == 0 || !probe(chunk_.size(), statement)) continue;
    const bool grew = session_.used(pending_) > before;
    search_.rule = grew && gang_satisfied(session_, pending_) ? Rule::solved : Rule::sub_groups_unsatisfied;
    search_.multi_node = generator == Generator::multi_node;
    return search_;
  }
  return search_;
}

// Probes 1, 2, 4 … tasks, then bisects between the last success and the first failure.
auto Solver::largest_solvable() -> std::size_t {
  const std::size_t all = chunk_.size();
  std::size_t works = 0;
  std::size_t fails = 0;
  for (std::size_t k = 1;; k = std::min(2 * k, all)) {
    if (!try_probe(k)) {
      fails = k;
      break;
    }
    works = k;
    if (k == all) return works;
  }
  while (fails - works > 1) {
    const std::size_t middle = (works + fails) / 2;
    (try_probe(middle) ? works : fails) = middle;
  }
  return works;
}

auto Solver::try_probe(std::size_t k) -> bool {
  Statement statement;
  const std::size_t mark = session_.mark();
  if (!probe(k, statement)) return false;
  session_.roll_back(statement);
  session_.release(mark);
  return true;
}

auto Solver::probe(std::size_t k, Statement& statement) -> bool {
  std::fill(is_feasible_.begin(), is_feasible_.end(), char{0});
  rooms_ = base_rooms_;
  for (const TaskId task : recorded_victims_) rooms_.push_back(session_.copy(session_.current(task)).room);
  std::sort(rooms_.begin(), rooms_.end());
  rooms_.erase(std::unique(rooms_.begin(), rooms_.end()), rooms_.end());
  for (const RoomId room : rooms_) is_feasible_[room.index] = 1;
  const Part part = part_of(k);
  return generator_ == Generator::node_local ? generate_local(part, statement) : generate_multi(part, statement);
}

auto Solver::part_of(std::size_t k) -> Part {
  Part part;
  std::vector<CopyId> wanted(chunk_.begin(), chunk_.begin() + static_cast<std::ptrdiff_t>(k));
  std::sort(wanted.begin(), wanted.end());
  part.view = view_of(session_, pending_);
  for (const SetView& set : part.view.sets) {
    auto& tasks = part.tasks.emplace_back();
    for (std::size_t i = 0; i < set.count; ++i) {
      const bool runs = kActiveAllocated.has(session_.copy(set.tasks[i]).status);
      if (runs || std::binary_search(wanted.begin(), wanted.end(), set.tasks[i])) tasks.push_back(set.tasks[i]);
    }
  }
  for (std::size_t i = 0; i < part.tasks.size(); ++i) {
    SetView& set = part.view.sets[i];
    set.tasks = part.tasks[i].data();
    set.count = part.tasks[i].size();
    if (set.count > 0) set.min = std::min(set.min, static_cast<std::int32_t>(set.count));
  }
  lower_minimums(part);
  part.chunk = next_chunk(session_, part.view, false);
  part.need = need_of(session_, part.chunk);
  part.key = kai::key_of(pool_, pending_, part.view.sets);
  for (std::size_t i = 0; i < pool_.dims(); ++i) {
    const bool shares = i == kGpu && std::any_of(part.chunk.begin(), part.chunk.end(), [&](CopyId id) {
                          return pool_.gpu(session_.copy(id).task).is_shared();
                        });
    if (shares) continue;  // room on shared GPUs is counted by nothing here
    double least = INFINITY;
    for (const CopyId id : part.chunk) least = std::min(least, pool_.request(session_.copy(id).task)[i]);
    if (!part.chunk.empty() && least > 0) part.least.emplace_back(i, least);
  }
  for (const RoomId room : rooms_) part.places += places_in(part, room, nullptr);
  return part;
}

// No inner node may ask for more children than have tasks.
void Solver::lower_minimums(Part& part) const {
  if (part.view.tree == nullptr) return;
  part.tree = *part.view.tree;
  std::vector<char> has_tasks(part.tree.inners.size(), 0);
  for (std::size_t i = part.tree.inners.size(); i-- > 0;) {
    SubGroupTree::Inner& inner = part.tree.inners[i];
    std::int32_t children = 0;
    for (const std::uint32_t set : inner.sets) children += part.tasks[set].empty() ? 0 : 1;
    for (const std::uint32_t child : inner.inners) children += has_tasks[child];
    if (inner.min) inner.min = std::min(*inner.min, children);
    has_tasks[i] = children > 0 ? 1 : 0;
  }
  part.view.tree = &part.tree;
}

auto Solver::places_in(const Part& part, RoomId room, const double* freed) const -> std::int64_t {
  double places = static_cast<double>(part.chunk.size());
  for (const auto& [dim, least] : part.least) {
    const double free = session_.free_later(room, dim) + (freed == nullptr ? 0 : freed[dim]);
    places = std::min(places, std::max(0.0, std::floor(free / least)));
  }
  return static_cast<std::int64_t>(places);
}

// For each node with a pod of the group named last: all that was named of the groups with a potential victim there,
// recorded ones a second time.
auto Solver::generate_local(const Part& part, Statement& statement) -> bool {
  Accumulation accumulation(*this, part);
  std::vector<std::vector<std::uint32_t>> of_group(pool_.groups().size());  // batches
  std::vector<std::vector<GroupId>> on_room(pool_.rooms().size());
  std::size_t seen = 0;
  while (accumulation.next()) {
    const std::vector<Batch>& batches = accumulation.batches();
    for (; seen < batches.size(); ++seen) {
      const Batch& batch = batches[seen];
      of_group[batch.group.index].push_back(static_cast<std::uint32_t>(seen));
      for (const TaskId task : batch.tasks) {
        const RoomId room = session_.copy(session_.current(task)).room;
        if (!room) continue;
        auto& groups = on_room[room.index];
        if (std::find(groups.begin(), groups.end(), batch.group) == groups.end()) groups.push_back(batch.group);
      }
    }
    if (batches.empty()) {
      if (!recorded_.empty() && try_scenario(part, {&recorded_, {}}, statement)) return true;
      continue;
    }
    std::vector<RoomId> rooms;
    const Group& last = pool_.group(batches.back().group);
    for (std::uint32_t i = 0; i < last.sets; ++i) {
      for (const TaskId task : pool_.tasks_of(last.set(i))) {
        const RoomId room = session_.copy(session_.current(task)).room;
        if (room) rooms.push_back(room);
      }
    }
    std::sort(rooms.begin(), rooms.end());
    rooms.erase(std::unique(rooms.begin(), rooms.end()), rooms.end());
    std::vector<std::vector<GroupId>> tried;
    for (const RoomId room : rooms) {
      std::vector<GroupId> groups = on_room[room.index];
      if (groups.empty()) continue;
      Scenario scenario{&recorded_, {}};
      for (const GroupId group : groups) {
        Batch named{group, {}};
        for (const Batch& batch : recorded_) {
          if (batch.group == group) named.tasks.insert(named.tasks.end(), batch.tasks.begin(), batch.tasks.end());
        }
        for (const std::uint32_t b : of_group[group.index]) {
          named.tasks.insert(named.tasks.end(), batches[b].tasks.begin(), batches[b].tasks.end());
        }
        scenario.potential.push_back(std::move(named));
      }
      std::sort(groups.begin(), groups.end());
      if (std::find(tried.begin(), tried.end(), groups) != tried.end()) continue;
      tried.push_back(std::move(groups));
      if (try_scenario(part, scenario, statement)) return true;
    }
  }
  return false;
}

auto Solver::generate_multi(const Part& part, Statement& statement) -> bool {
  Accumulation accumulation(*this, part);
  MultiNode nodes(*this, part);
  std::size_t seen = 0;
  while (accumulation.next()) {
    const std::vector<Batch>& batches = accumulation.batches();
    for (; seen < batches.size(); ++seen) nodes.add(batches[seen]);
    if (batches.empty()) {
      if (try_scenario(part, {&recorded_, {}}, statement)) return true;
      continue;
    }
    std::size_t step = 1;
    for (std::size_t count = nodes.enough(); count <= nodes.candidates();) {
      Scenario scenario{&recorded_, {}};
      for (const std::uint32_t b : nodes.batches_on(count)) scenario.potential.push_back(batches[b]);
      if (try_scenario(part, scenario, statement)) return true;
      if (count == nodes.candidates()) break;
      count = std::min(count + step, nodes.candidates());
      step *= 2;
    }
  }
  return false;
}

auto Solver::try_scenario(const Part& part, const Scenario& scenario, Statement& statement) -> bool {
  ++search_.effort.scenarios;
  ++search_.effort.scenarios_by[static_cast<std::size_t>(generator_)];
  // Refused without a simulation: there is no solution with too little room, whatever else is so.
  Rule rule = Rule::no_room;
  if (enough_places(part, scenario)) {
    std::string key = key_of(session_, part.chunk, scenario);
    if (failed_.contains(key)) return false;
    rule = simulate(part, scenario, statement);
    if (rule != Rule::accepted) failed_.insert(std::move(key));
  }
  if (rule == Rule::accepted) {
    note_solution(scenario);
    return true;
  }
  ++search_.refused[static_cast<std::size_t>(rule)];
  return false;
}

// Could the chunk fit at all if nothing but the named victims were in the way? Every task takes at least `least`.
auto Solver::enough_places(const Part& part, const Scenario& scenario) -> bool {
  const std::size_t dims = pool_.dims();
  std::vector<TaskId> counted;
  touched_.clear();
  bool any = false;
  each_batch(scenario, [&](const Batch& batch) {
    for (const TaskId task : batch.tasks) {
      any = true;
      const RoomId room = session_.copy(session_.current(task)).room;
      if (seen_[task.index] != 0 || !room) continue;
      seen_[task.index] = 1;
      counted.push_back(task);
      double* freed = &freed_[room.index * dims];
      if (freed[kPods] == 0) touched_.push_back(room);
      const double* request = pool_.request(task);
      for (std::size_t i = 0; i < dims; ++i) freed[i] += request[i];
      // Each GPU that it shares may become a whole one.
      freed[kGpu] += static_cast<double>(session_.copy(session_.current(task)).gpus.size());
    }
  });
  std::int64_t places = part.places;
  for (const RoomId room : touched_) {
    double* freed = &freed_[room.index * dims];
    places += places_in(part, room, freed) - (is_feasible_[room.index] != 0 ? places_in(part, room, nullptr) : 0);
    std::fill(freed, freed + dims, 0.0);
  }
  for (const TaskId task : counted) seen_[task.index] = 0;
  return any && places >= static_cast<std::int64_t>(part.chunk.size());
}

// The victims by group, in the order in which groups were first named.
auto Solver::by_group(const Scenario& scenario) -> std::vector<NamedVictims> {
  std::vector<NamedVictims> all;
  each_batch(scenario, [&](const Batch& batch) {
    std::uint32_t& place = place_of_[batch.group];
    if (place == 0) {
      all.push_back({batch.group, {}});
      place = static_cast<std::uint32_t>(all.size());
    }
    auto& tasks = all[place - 1].tasks;
    tasks.insert(tasks.end(), batch.tasks.begin(), batch.tasks.end());
  });
  for (const NamedVictims& named : all) place_of_[named.group] = 0;
  return all;
}

auto Solver::simulate(const Part& part, const Scenario& scenario, Statement& statement) -> Rule {
  const std::vector<NamedVictims> victims = by_group(scenario);
  // A validator that no simulation can change goes first.
  if (action_ != Action::consolidation) {
    GroupId blocked;
    const Rule cores = candidates_.keeps_cores(action_, pending_, victims, blocked);
    if (cores != Rule::accepted) {
      auto& by = search_.blocked_by;
      if (std::find(by.begin(), by.end(), blocked) == by.end()) by.push_back(blocked);
      return cores;
    }
  }
  ++search_.effort.simulated;
  const std::size_t mark = session_.mark();
  const std::size_t rooms = rooms_.size();
  const Rule rule = run_simulation(part, scenario, victims, statement);
  if (rule == Rule::accepted) return rule;
  for (std::size_t i = rooms; i < rooms_.size(); ++i) is_feasible_[rooms_[i].index] = 0;
  rooms_.resize(rooms);
  session_.roll_back(statement);
  session_.release(mark);
  return rule;
}

auto Solver::run_simulation(const Part& part, const Scenario& scenario, const std::vector<NamedVictims>& victims,
                            Statement& statement) -> Rule {
  if (!evict_all(scenario, statement)) return Rule::no_room;
  if (!place_all(part, victims, statement)) return Rule::no_room;
  return validate(part, victims);
}

// A task named again is evicted through a copy of its own.
auto Solver::evict_all(const Scenario& scenario, Statement& statement) -> bool {
  named_.clear();
  std::vector<TaskId> marked;
  each_batch(scenario, [&](const Batch& batch) {
    for (const TaskId task : batch.tasks) {
      const bool again = seen_[task.index] != 0;
      named_.push_back(again ? session_.add_copy(task) : session_.current(task));
      if (again) continue;
      seen_[task.index] = 1;
      marked.push_back(task);
    }
  });
  for (const TaskId task : marked) seen_[task.index] = 0;
  for (const CopyId id : named_) {
    if (!session_.evict(statement, id)) return false;
    const RoomId room = session_.copy(id).room;
    if (is_feasible_[room.index] != 0) continue;
    is_feasible_[room.index] = 1;
    rooms_.push_back(room);
  }
  return true;
}

// The groups' next chunks in the order of the queue: victims and the pending group are placed, others only count.
auto Solver::place_all(const Part& part, const std::vector<NamedVictims>& victims, Statement& statement) -> bool {
  std::vector<GroupId> groups = pending_groups_;
  for (const NamedVictims& named : victims) groups.push_back(named.group);
  groups.push_back(pending_);
  std::sort(groups.begin(), groups.end(), [&](GroupId a, GroupId b) {
    const std::string_view x = pool_.group(a).name;
    const std::string_view y = pool_.group(b).name;
    return x != y ? x < y : a < b;
  });
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  GroupQueue queue(session_, order_, GroupQueue::Of::pending);
  for (const GroupId group : groups) {
    if (group == pending_) {
      queue.push({pending_, part.key, true, part.need.amount});
    } else {
      queue.push_whole(group);
    }
  }
  for (const NamedVictims& named : victims) place_of_[named.group] = 1;
  const bool placed = place_in_order(part, queue, victims.size() + 1, statement);
  for (const NamedVictims& named : victims) place_of_[named.group] = 0;
  return placed;
}

// Until the `left` groups that matter have been served.
auto Solver::place_in_order(const Part& part, GroupQueue& queue, std::size_t left, Statement& statement) -> bool {
  bool placed = false;
  while (left > 0 && !queue.empty()) {
    const auto entry = queue.pop();
    if (!entry) break;
    if (entry->group == pending_) {
      --left;
      placed = placing_.place(statement, rooms_, pending_, part.view, part.chunk, true);
      if (!placed) return false;
    } else if (place_of_[entry->group] != 0) {
      --left;
      place_victim(entry->group, statement);
    }
  }
  return placed;
}

// What the group would ask for is known from here on, and its next chunk also after a failure: both may outlive the
// commit, because an eviction that becomes real does not make the session forget them.
void Solver::place_victim(GroupId group, Statement& statement) {
  (void)need_of(session_, group);
  const std::vector<CopyId> chunk = next_chunk(session_, group, false);
  const bool placed = placing_.place(statement, rooms_, group, view_of(session_, group), chunk, true);
  if (!placed) (void)next_chunk(session_, group, false);
}

auto Solver::validate(const Part& part, const std::vector<NamedVictims>& victims) -> Rule {
  if (action_ == Action::reclaim) return reclaim_.judge(pending_, part.need, victims);
  if (action_ != Action::consolidation) return Rule::accepted;
  for (const NamedVictims& named : victims) {
    for (const TaskId task : named.tasks) {
      if (session_.status(task) == Status::releasing) return Rule::not_moved;
    }
  }
  return Rule::accepted;
}

// The victims that the scenario did evict or move are recorded for the next probe, each with all that was named in one
// step with it.
void Solver::note_solution(const Scenario& scenario) {
  std::vector<Batch> named;
  each_batch(scenario, [&](const Batch& b) { named.push_back({b.group, as_copied(pool_, b.tasks)}); });
  std::vector<std::uint32_t> picked;
  std::vector<TaskId> victims;
  const auto holds = [&](std::uint32_t i, TaskId task) {
    return std::find(named[i].tasks.begin(), named[i].tasks.end(), task) != named[i].tasks.end();
  };
  const auto record = [&](TaskId task) {
    victims.push_back(task);
    if (std::any_of(picked.begin(), picked.end(), [&](std::uint32_t i) { return holds(i, task); })) return;
    for (std::uint32_t i = 0; i < named.size(); ++i) {
      if (!holds(i, task)) continue;
      picked.push_back(i);
      return;
    }
  };
  for (const Status wanted : {Status::releasing, Status::pipelined}) {
    for (const CopyId id : named_) {
      const Copy& copy = session_.copy(id);
      if (copy.status == wanted) record(copy.task);
    }
  }
  std::vector<Batch> recorded;
  for (const std::uint32_t i : picked) recorded.push_back(named[i]);
  search_.named_twice = named_.size() != [&] {
    std::vector<TaskId> tasks;
    for (const CopyId id : named_) tasks.push_back(session_.copy(id).task);
    std::sort(tasks.begin(), tasks.end());
    return static_cast<std::size_t>(std::unique(tasks.begin(), tasks.end()) - tasks.begin());
  }();
  recorded_ = std::move(recorded);
  recorded_victims_ = std::move(victims);
}

}  // namespace previct::kai
