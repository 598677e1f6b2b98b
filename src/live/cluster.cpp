#include "live/cluster.h"

#include "input/documents.h"
#include "input/json_source.h"
#include "live/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <optional>

namespace previct::live {
namespace {

/// Hands the objects of one list on.
class OneList final : public ObjectSink {
 public:
  OneList(FileId file, InputSink& sink) : file_(file), sink_(sink) {}
  auto take(const FoundObject& found) -> Result<void> override { return sink_.take(found, file_); }
  void take_list(const EnclosingList& list) override { sink_.take_list(list); }

 private:
  FileId file_;
  InputSink& sink_;
};

/// Puts what is read into the stores. Every object comes once, so there is nothing to choose between.
class StoreSink final : public InputSink {
 public:
  explicit StoreSink(Objects& objects) : objects_(objects) {}
  auto take(const FoundObject& found, FileId file) -> Result<void> override {
    return add_object(found.tape, found.index, file, found.list, objects_);
  }
  void take_list(const EnclosingList& list) override { add_list(list, objects_); }

 private:
  Objects& objects_;
};

auto uri_of(const Resource& resource, std::uint32_t page_size, const std::string& token) -> std::string {
  std::vector<std::string> query;
  if (!resource.selector.empty()) query.push_back(fmt::format("fieldSelector={}", resource.selector));
  if (page_size > 0) query.push_back(fmt::format("limit={}", page_size));
  if (!token.empty()) query.push_back("continue=" + token);
  std::string uri = path_of(resource);
  for (std::size_t i = 0; i < query.size(); ++i) uri += (i == 0 ? '?' : '&') + query[i];
  return uri;
}

// Tokens are base64url without padding today; nothing promises that they stay so.
auto url_encoded(const std::string& text) -> std::string {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || c == '.' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

constexpr std::string_view kPermissions = "previct version -v lists the permissions that it needs; a dump is read with -f";

}  // namespace

auto ClusterReader::refuse(const Resource& resource, const Said& said) -> Result<void> {
  if (resource.kind == "Pod" || resource.kind == "Node") {
    return fail(fmt::format("{} cannot be listed: {}", resource.resource, said.text), {}, std::string(kPermissions));
  }
  reading_.refused.push_back({&resource, said.status == Said::Status::forbidden, said.text});
  return {};
}

auto ClusterReader::list(const Resource& resource) -> Result<void> {
  const auto ask = [&](const std::string& token) {
    return std::async(std::launch::async, get_raw, std::cref(kubectl_), uri_of(resource, page_size_, url_encoded(token)));
  };
  reading_.asked.push_back(name_of(resource));
  const FileId file = files_.add("cluster:" + path_of(resource));
  OneList sink(file, sink_);
  std::optional<std::string> version;
  auto coming = ask("");
  for (bool more = true; more;) {
    PREVICT_TRY(const Said said, coming.get());
    if (said.status == Said::Status::expired) {
      return fail(fmt::format("{}: the cluster no longer knows where its list was left: {}", resource.resource, said.text),
                  {}, "try again, with a larger --page-size (0: in one piece)");
    }
    if (said.status != Said::Status::answered) return refuse(resource, said);
    more = false;
    std::string seen;
    const auto on_meta = [&](const ListMeta& meta) {
      seen = meta.resource_version;
      more = !meta.continue_token.empty();
      if (more) coming = ask(meta.continue_token);
    };
    const auto source = page_source(json_source(said.text, file), on_meta);
    PREVICT_CHECK(read_documents(*source, file, sink));
    ++reading_.pages;
    if (version && *version != seen) {
      return fail(fmt::format("{}: the pages of the list are of different states ({} and {})", resource.resource, *version,
                              seen),
                  {}, "try again with --page-size 0");
    }
    version = seen;
  }
  reading_.versions.emplace_back(name_of(resource), version.value_or(""));
  return {};
}

auto ClusterReader::read(const std::function<bool(const Resource&)>& wanted) -> Result<void> {
  for (const Resource& resource : resources()) {
    if (wanted(resource)) PREVICT_CHECK(list(resource));
  }
  return {};
}

auto needed_for(const Objects& pods, const std::string& engine, InAnyCase in_any_case)
    -> std::function<bool(const Resource&)> {
  bool volumes = in_any_case.volumes;
  bool kube = engine == "kube";
  bool yunikorn = engine == "yunikorn";
  bool kai = engine == "kai";
  for (const Pod& pod : pods.pods) {
    const std::string_view scheduler = pods.symbols.text(pod.spec.scheduler_name);
    const bool ours = scheduler.empty() || scheduler == "default-scheduler";
    if (!pod.spec.node_name && !pod.spec.volumes.empty()) volumes = true;
    if (engine != "auto") continue;
    yunikorn = yunikorn || scheduler == "yunikorn";
    kai = kai || (!ours && scheduler != "yunikorn");  // it may have any name; only its own objects tell
    kube = kube || scheduler != "yunikorn";
  }
  return [=](const Resource& resource) {
    switch (resource.need) {
      case Need::always:
        return resource.kind != "Pod";
      case Need::kube:
        return kube;
      case Need::volumes:
        return volumes;
      case Need::yunikorn:
        return yunikorn;
      case Need::kai:
        return kai;
      case Need::history:
        return in_any_case.history;
    }
    return false;
  };
}

auto load_cluster(const Kubectl& kubectl, std::uint32_t page_size, const std::string& engine,
                  InAnyCase in_any_case, Objects& objects) -> Result<Reading> {
  StoreSink sink(objects);
  ClusterReader reader(kubectl, page_size, objects.files, sink);
  PREVICT_CHECK(reader.read([](const Resource& resource) { return resource.kind == "Pod"; }));
  PREVICT_CHECK(reader.read(needed_for(objects, engine, in_any_case)));
  return reader.reading();
}

auto load_whole_cluster(const Kubectl& kubectl, std::uint32_t page_size, Objects& objects) -> Result<Reading> {
  StoreSink sink(objects);
  ClusterReader reader(kubectl, page_size, objects.files, sink);
  PREVICT_CHECK(reader.read([](const Resource&) { return true; }));
  return reader.reading();
}

}  // namespace previct::live
