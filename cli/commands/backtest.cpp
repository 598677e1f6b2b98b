#include "cli/backtest.h"

#include "base/shard.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "report/json_text.h"
#include "report/packed_rows.h"

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kBacktestTakes = {Group::backtest, Group::reading, Group::overlay,    Group::scheduler,
                                       Group::rows,     Group::output,  Group::strictness, Group::help};

auto packed(const std::vector<backtest::StateRecord>& records) -> std::shared_ptr<const PackedRows> {
  auto rows = std::make_shared<PackedRows>();
  for (const backtest::StateRecord& record : records) rows->add(json_text(backtest::json_of(record), -1));
  return rows;
}

auto run_backtest(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::backtests));
  if (options.series.empty() == options.merge.empty())
    return fail("either --series or --merge is needed", {}, "previct backtest --series DIR --with FILE");
  PREVICT_TRY(std::vector<backtest::StateRecord> records,
              options.merge.empty() ? decide_series(session) : merged_records(session));
  CommandResult done;
  Json list = Json::array();
  if (session.documents && session.may_pack) {
    done.items = packed(records);
  } else if (session.documents) {
    for (const backtest::StateRecord& record : records) list.push_back(backtest::json_of(record));
  }
  // A part only has lines; what they show together is known when all are merged.
  if (options.merge.empty() && is_part_of_work(options.shard)) {
    done.report = backtest::part_report(options.shard, records.size(), std::move(list));
    return done;
  }
  PREVICT_TRY(const backtest::Backtest result, backtest::join(std::move(records)));
  done.report = backtest::backtest_report(result, std::move(list), options.show == "all", true);
  const auto [before, after] = result.evictions_at_worst();
  done.status = status_of(fail_on, options.strict, result.complete, before, after);
  return done;
}

}  // namespace

const Command& backtest_command = Command{
    .name = "backtest",
    .task = Task::plan,
    .what = "try policies on the states of a week",
    .arguments = "",
    .most_arguments = 0,
    .groups = kBacktestTakes,
    .examples =
        "backtest --series states                           do the rules fit what happened?\n"
        "backtest --series states --with classes.yaml       evictions with and without these PriorityClasses\n"
        "backtest --series states --with classes.yaml --fail-on more-evictions=10   for CI\n"
        "backtest --series states --with classes.yaml --shard 1/2 -o jsonl=part-1.jsonl   one of two parts\n"
        "backtest --merge part-1.jsonl,part-2.jsonl         the report on both parts",
    .more =
        "Reads the states that previct capture --series wrote. Decides every pod that is pending in a state, by the "
        "rules "
        "as they were and with the changes of --with and --without, each pod separately. A pod that pends in several "
        "states waits once, gets its node in the first state in which the rules let it in, and its victims count "
        "once.\n"
        "Also compares the decisions by the rules as they were with the next state. If few of them fit, the first line "
        "says so.\n"
        "Exit status: 0 answered; 1 a condition of --fail-on holds; 2 not answered; 3 with --strict: answered from "
        "incomplete input.",
    .run = run_backtest,
    .read_only = true};

}  // namespace previct::cli
