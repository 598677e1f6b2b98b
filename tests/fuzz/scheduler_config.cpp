// KubeSchedulerConfigurations: read and validated as kube-scheduler does at startup; a pod is decided with each
// accepted one.

#include "fuzz/ask.h"
#include "fuzz/fuzz.h"

namespace previct::fuzz {

void scheduler_config(std::string_view input) {
  static const std::unique_ptr<Cluster> cluster = a_small_cluster();
  Question question = question_about("default", "urgent");
  question.scheduler_config = ConfigFile{kConfiguration, std::string(input)};
  for (const char* const release : {"", "1.31"}) {
    question.k8s_version = release;
    const auto checked = engine_named("kube").check_configuration(*cluster->snapshot, question);
    if (checked) {
      insist_on_answer(engine_named("kube"), *cluster, question);
    } else {
      insist(!checked.error().message.empty(), "a failure without a word");
    }
  }
}

}  // namespace previct::fuzz
