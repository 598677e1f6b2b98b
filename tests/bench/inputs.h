#pragma once

#include <cstddef>
#include <string>

/// Dumps of many kinds, made of one another: each function reads the file `from` and writes the file `to`.
namespace previct::bench {

[[nodiscard]] auto slurp(const std::string& path) -> std::string;

/// What a gzip or zstd stream holds.
void unpack(const std::string& from, const std::string& to);
/// A made-up list of pods, in both languages.
void make_up(const std::string& yaml, const std::string& json);

// --- Of a list in YAML.

/// Its first items, `size` bytes of them.
void sample(const std::string& from, const std::string& to, std::size_t size);
/// Its items in another order, so that neighbours are of many workloads.
void shuffle(const std::string& from, const std::string& to);
/// What kubectl and other tools write beside the most usual: a plain text that begins with a colon, comments, empty
/// lines, flow style, folded text; in each object, where no scheduler reads.
void make_odd(const std::string& from, const std::string& to);
/// With `metadata.managedFields`, as `kubectl get -o yaml --show-managed-fields` prints them: the fields of an object
/// once more, by their names, under those who set them.
void with_managed_fields(const std::string& from, const std::string& to);

// --- Of a list in JSON as kubectl prints it.

/// Without the blanks between its tokens, as client-go and `jq -c` print.
void compact(const std::string& from, const std::string& to);
/// The items alone, as `jq .items` gives them.
void items_alone(const std::string& from, const std::string& to);
/// Indented by two blanks instead of four, as jq does.
void indent_by_two(const std::string& from, const std::string& to);

// --- Of one on one line.

/// As the API server gives it: a PodList, whose items do not say what they are.
void as_typed_list(const std::string& from, const std::string& to);
/// YAML with each item in flow style, `size` bytes of them.
void in_flow_style(const std::string& from, const std::string& to, std::size_t size);

}  // namespace previct::bench
