#include "report/rows.h"

#include <catch2/catch.hpp>

using namespace previct;

namespace {

struct Pod {
  std::string name;
  int priority = 0;
  std::string node;
};

const std::vector<Pod> kPods = {{"ml/a", 9000, "gpu-1"}, {"ml/b", 100, ""}};

void describe(Row& row, const Pod& pod) {
  row.text("POD", pod.name, Tone::danger).key("pod");
  row.number("PRIORITY", pod.priority).optional().key("priority");
  row.text("NODE", pod.node.empty() ? "-" : pod.node).only_wide().key("node", present(pod.node));
  row.key("pending", pod.node.empty());
}

auto heads(const Table& table) -> std::vector<std::string> {
  std::vector<std::string> all;
  for (const Column& column : table.columns) all.push_back(column.head);
  return all;
}

auto texts(const Table& table, std::size_t row) -> std::vector<std::string> {
  std::vector<std::string> all;
  for (const Span& cell : table.rows[row]) all.push_back(cell.text);
  return all;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("rows: one description gives the columns, the cells and the JSON", "[report]") {
  const Table table = table_of(kPods, describe);
  CHECK(heads(table) == Texts{"POD", "PRIORITY", "NODE"});
  CHECK(texts(table, 0) == Texts{"ml/a", "9000", "gpu-1"});
  CHECK(texts(table, 1) == Texts{"ml/b", "100", "-"});
  CHECK(table.rows[0][0].tone == Tone::danger);
  CHECK((table.columns[1].numeric && table.columns[1].optional && !table.columns[1].only_wide));
  CHECK((!table.columns[2].numeric && table.columns[2].only_wide));
  // A number stays a number, an empty value has no key, and keys keep the order of the description.
  CHECK(list_of(kPods, describe).dump() == R"([{"pod":"ml/a","priority":9000,"node":"gpu-1","pending":false},)"
                                           R"({"pod":"ml/b","priority":100,"pending":true}])");
}

TEST_CASE("rows: cells stand below their heading if rows leave out different columns", "[report]") {
  const Table table = table_of(std::vector<int>{1, 2, 3}, [](Row& row, int n) {
    if (n != 1) row.text("A", std::to_string(n));
    row.text("B", "b");
    if (n != 2) row.text("C", std::to_string(n));
  });
  // A is first met in the second row, before B.
  CHECK(heads(table) == Texts{"A", "B", "C"});
  CHECK(texts(table, 0) == Texts{"", "b", "1"});
  CHECK(texts(table, 1) == Texts{"2", "b", ""});
  CHECK(texts(table, 2) == Texts{"3", "b", "3"});
}

TEST_CASE("rows: two columns may have the same heading", "[report]") {
  const Table table = table_of(std::vector<int>{1, 2}, [](Row& row, int n) {
    row.number("TEAM", n);
    row.number("TEAM", n * 10);
  });
  CHECK(texts(table, 1) == Texts{"2", "20"});
}

TEST_CASE("rows: a column that is empty in all rows is left out if the description says so", "[report]") {
  const auto with = [](const std::string& why) {
    return table_of(std::vector<int>{1, 2}, [&](Row& row, int n) {
      row.text("NODE", "n");
      row.text("WHY", n == 2 ? why : "").unless_empty();
    });
  };
  CHECK(heads(with("")) == Texts{"NODE"});
  CHECK(texts(with(""), 1) == Texts{"n"});
  CHECK(heads(with("too small")) == Texts{"NODE", "WHY"});
  CHECK(texts(with("too small"), 0) == Texts{"n", ""});
}

TEST_CASE("rows: what takes long is only made for the format that shows it", "[report]") {
  int cells = 0;
  int values = 0;
  const auto describe_slowly = [&](Row& row, int) {
    row.text("WHY", [&] { return std::to_string(++cells); }).key("reasons", [&] { return Json(++values); });
  };
  (void)table_of(std::vector<int>{1}, describe_slowly);
  CHECK((cells == 1 && values == 0));
  CHECK(object_of(1, describe_slowly) == Json{{"reasons", 1}});
  CHECK((cells == 1 && values == 1));
  // A cell that was not made has no value for a key.
  CHECK_THROWS((void)object_of(1, [](Row& row, int) { row.text("A", "a").text("B", [] { return "b"; }).key("b"); }));
}

TEST_CASE("rows: of a list of which a part is shown, the other items are null", "[report]") {
  const std::vector<int> numbers = {10, 11, 12, 13, 14, 15};
  std::size_t made = 0;
  const auto describe_number = [&](Row& row, int n) {
    ++made;
    row.number("N", n).key("n");
  };
  CHECK(list_of(numbers, describe_number).dump() == R"([{"n":10},{"n":11},{"n":12},{"n":13},{"n":14},{"n":15}])");
  made = 0;
  // {"n":11} has at least 8 bytes: 2 for the braces, 5 for the key, its quotes and its colon, 1 for the number. The
  // first item does not count, because it is shown in any case; the second and the third have 16 bytes.
  CHECK(list_of(numbers, describe_number, {.first = 1, .bytes = 15}).dump() ==
        R"([null,{"n":11},{"n":12},{"n":13},null,null])");
  CHECK(made == 3);
  CHECK(list_of(numbers, describe_number, {.first = 6, .bytes = 100}).dump() == "[null,null,null,null,null,null]");
  CHECK(list_of(numbers, describe_number, {.first = 4}).dump() == R"([null,null,null,null,{"n":14},{"n":15}])");
}
