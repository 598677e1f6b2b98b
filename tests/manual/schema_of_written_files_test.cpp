// The JSON Schemas of the files that users write come from the descriptions that read them. PREVICT_UPDATE=1
// unit_tests "[manual]" writes them.

#include "api/described.h"
#include "engine/assumptions.h"
#include "engine/yunikorn/assumptions.h"
#include "lint/settings.h"
#include "suite/suite.h"
#include "support/source.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

using namespace previct;
using Schema = nlohmann::ordered_json;

// Writes the schema of a described struct; definitions go to `defs`.
class SchemaOf {
 public:
  explicit SchemaOf(Schema& defs) : defs_(defs) {}

  template <Described T>
  auto operator()(T& self) -> Schema {
    Schema object = object_of(self);
    if constexpr (requires { short_form(self); }) {
      return {{"anyOf", Schema::array({(*this)(short_form(self)), std::move(object)})}};
    }
    if constexpr (requires { T::kDefinition; }) return defined(std::string(T::kDefinition), std::move(object));
    return object;
  }
  template <class T>
  auto operator()(std::optional<T>& self) -> Schema {
    return (*this)(self.emplace());
  }
  template <class V>
  auto operator()(const As<V>& value) -> Schema {
    return form(value.form);
  }
  template <class V>
  auto operator()(const IntervalOf<V>& interval) -> Schema {
    return {{"anyOf", Schema::array({form(interval.form), array_of(form(interval.form), 1, 2)})}};
  }
  template <class Inner>
  auto operator()(const ListOf<Inner>& list) -> Schema {
    list.begin({});
    auto&& element = list.add();
    const Schema items = (*this)(element);
    Schema array = array_of(items, list.least, list.most);
    return list.or_single ? Schema{{"anyOf", Schema::array({items, std::move(array)})}} : array;
  }
  template <class Inner>
  auto operator()(const MapTo<Inner>& map) -> Schema {
    return {{"type", "object"}, {"additionalProperties", (*this)(map.entry("", {}))}};
  }
  template <class Inner>
  auto operator()(const WordOr<Inner>& either) -> Schema {
    return {{"anyOf", Schema::array({Schema{{"const", either.word}}, (*this)(either.other)})}};
  }
  auto operator()(const ReadElsewhere& other) -> Schema { return Schema::parse(other.schema); }

 private:
  struct Fields {
    SchemaOf& schema;
    Schema properties = Schema::object();
    Schema required = Schema::array();

    template <class M>
    void operator()(std::string_view name, M&& member, std::string_view what = {}, Need need = Need::optional) {
      Schema& field = properties[std::string(name)] = schema(member);
      if (!what.empty()) field["description"] = what;
      if (need != Need::optional) required.push_back(name);
    }
  };

  template <class T>
  auto object_of(T& self) -> Schema {
    Fields fields{*this};
    describe(fields, self);
    Schema object{{"type", "object"}, {"properties", std::move(fields.properties)}};
    if (!fields.required.empty()) object["required"] = std::move(fields.required);
    object["additionalProperties"] = false;
    if constexpr (requires { T::kLeastKeys; }) object["minProperties"] = T::kLeastKeys;
    return object;
  }

  template <class V>
  auto form(const Form<V>& form) -> Schema {
    if (!form.schema.empty()) {
      Schema schema = Schema::parse(form.schema);
      return form.definition.empty() ? schema : defined(form.definition, std::move(schema));
    }
    return form.words.size() == 1 ? Schema{{"const", form.words.front()}} : Schema{{"enum", form.words}};
  }

  static auto array_of(Schema items, std::size_t least, std::size_t most) -> Schema {
    Schema array{{"type", "array"}, {"items", std::move(items)}};
    if (least > 0) array["minItems"] = least;
    if (most < SIZE_MAX) array["maxItems"] = most;
    return array;
  }

  auto defined(const std::string& name, Schema schema) -> Schema {
    defs_[name] = std::move(schema);
    return {{"$ref", "#/$defs/" + name}};
  }

  Schema& defs_;
};

template <class T>
void check_schema(const std::string& kind, const std::string& what, T& self) {
  Schema defs = Schema::object();
  Schema schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"$id", "urn:previct:v1alpha1:" + kind},
                {"title", kind},
                {"description", what}};
  schema.update(SchemaOf(defs)(self));
  if (!defs.empty()) schema["$defs"] = std::move(defs);
  const std::string text = schema.dump(2) + '\n';
  const std::string path = std::string(PREVICT_SOURCE_DIR) + "/schema/" + kind + ".json";
  if (std::getenv("PREVICT_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  CHECK(test::read_all(path) == text);
}

}  // namespace

TEST_CASE("schema: those of files that users write come from their descriptions", "[manual]") {
  suite::Suite suite;
  check_schema("TestSuite", "Tests of policies: previct-test.yaml.", suite);
  lint::Settings settings;
  check_schema("Config", "Settings of a repository: .previct.yaml.", settings);
  yunikorn::Assumptions assumptions;
  AssumptionsFile<yunikorn::Assumptions> file{"yunikorn", "YuniKorn's internal state", assumptions};
  check_schema("Assumptions", "Facts that no dump contains: --assume FILE.", file);
}
