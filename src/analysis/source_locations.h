#pragma once

#include "analysis/report_context.h"
#include "tell/answer.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace previct {

/// Where in the input the fields stand that evidence names, each one looked up once, and not too many
/// (ReportContext::fields_to_locate). Name all that a report will show, then look it up, then ask.
class Places {
 public:
  explicit Places(const ReportContext& context);

  void want(const std::vector<Evidence>& evidence);
  void look_up();

  /// That of its object if it was not looked up.
  [[nodiscard]] auto of(const Evidence& evidence) const -> Place;

  /// `dump.yaml:412:7, dump.yaml:88121:7`; a dash if there is none. What was read from a cluster has no lines that
  /// anybody could open: of that, the object and the field.
  [[nodiscard]] auto described(const std::vector<Evidence>& evidence) const -> std::string;
  /// Beside the object and the field: of what was read from a cluster, nothing.
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
