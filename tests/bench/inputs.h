#pragma once

#include <cstddef>
#include <string>

/// Dumps of many kinds, derived from each other: each function reads the file `from` and writes the file `to`.
namespace previct::bench {

[[nodiscard]] auto slurp(const std::string& path) -> std::string;

/// Writes the contents of a gzip or zstd stream.
void unpack(const std::string& from, const std::string& to);
/// Writes a generated list of pods in both formats.
void make_up(const std::string& yaml, const std::string& json);

// --- From a YAML list.

/// Its first items, `size` bytes of them.
void sample(const std::string& from, const std::string& to, std::size_t size);
/// Its items in another order, so that neighbours belong to many workloads.
void shuffle(const std::string& from, const std::string& to);
/// With unusual output of kubectl and other tools: a plain scalar that begins with a colon, comments, empty lines, flow
/// style, folded text; in each object, in fields that no scheduler reads.
void make_odd(const std::string& from, const std::string& to);
/// With `metadata.managedFields`, as `kubectl get -o yaml --show-managed-fields` prints them: the fields of each object
/// again, by name, under the manager that set them.
void with_managed_fields(const std::string& from, const std::string& to);

// --- From a JSON list as kubectl prints it.

/// Without blanks between tokens, as client-go and `jq -c` print it.
void compact(const std::string& from, const std::string& to);
/// Only the items, as `jq .items` prints them.
void items_alone(const std::string& from, const std::string& to);
/// Its items in another order.
void shuffle_json(const std::string& from, const std::string& to);
/// Indented by two blanks instead of four, as jq prints it.
void indent_by_two(const std::string& from, const std::string& to);

// --- From a JSON list on one line.

/// As the API server returns it: a PodList, whose items do not state their kind.
void as_typed_list(const std::string& from, const std::string& to);
/// YAML with each item in flow style, `size` bytes of them.
void in_flow_style(const std::string& from, const std::string& to, std::size_t size);

}  // namespace previct::bench
