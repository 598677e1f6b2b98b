#pragma once

#include "analysis/report_context.h"
#include "tell/answer.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace previct {

/// Where the fields of evidence stand in the input. Each field is located once, up to ReportContext::fields_to_locate.
/// First call want() for all that a report will show, then look_up(), then of() and described().
class SourceLocations {
 public:
  explicit SourceLocations(const ReportContext& context);

  void want(const std::vector<Evidence>& evidence);
  /// Returns true if no further field will be located, whatever is wanted.
  [[nodiscard]] auto is_full() const -> bool { return left_ == 0; }
  void look_up();

  /// The place of the field, or of its object if the field was not located.
  [[nodiscard]] auto of(const Evidence& evidence) const -> Place;

  /// `dump.yaml:412:7, dump.yaml:88121:7`; a dash if there is none. An object read from a cluster has no file to open:
  /// then the object and the field.
  [[nodiscard]] auto described(const std::vector<Evidence>& evidence) const -> std::string;
  /// The same next to a column with object and field: empty if the object was read from a cluster.
  [[nodiscard]] auto described(const Evidence& evidence) const -> std::string;

  [[nodiscard]] auto files() const -> const Files& { return objects_.files; }

 private:
  [[nodiscard]] auto of_cluster(const Evidence& evidence) const -> bool;

  const Objects& objects_;
  Diagnostics& diagnostics_;
  std::size_t left_;
  std::map<std::pair<Source, std::string>, Place> known_;
};

}  // namespace previct
