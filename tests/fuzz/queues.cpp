// YuniKorn's queues.yaml: read and validated as its core does; a pod is decided with each accepted file.

#include "fuzz/ask.h"
#include "fuzz/fuzz.h"

namespace previct::fuzz {

void queues(std::string_view input) {
  static const std::unique_ptr<Cluster> cluster = a_small_cluster();
  Question question = question_about("default", "urgent");
  question.yunikorn_config = ConfigFile{kConfiguration, std::string(input)};
  const auto checked = engine_named("yunikorn").check_configuration(*cluster->snapshot, question);
  if (checked) {
    insist_on_answer(engine_named("yunikorn"), *cluster, question);
  } else {
    insist(!checked.error().message.empty(), "a failure without a word");
  }
}

}  // namespace previct::fuzz
