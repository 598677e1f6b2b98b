// CEL selectors of devices. Expected values follow from the language definition (google/cel-spec: doc/langdef.md) and
// from dynamic-resource-allocation: cel/compile.go; they were compared with that package, v0.36.3, those about optional
// values, iterations, conversions and errors of arithmetic with v0.35.4 and v0.37.2.
#include "engine/kube/devices/cel.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::kube::devices;

namespace {

/// A device: model A100, index 1, not healthy, driver version 1.10.3, rack r1 (of example.org), 40Gi.
class Gpu {
 public:
  Gpu() {
    add("model").text = symbols_.intern("A100");
    add("index").number = 1;
    add("healthy").truth = false;
    add("driverVersion").version = symbols_.intern("1.10.3");
    add("example.org/rack").text = symbols_.intern("r1");
    facts_.capacity.emplace_back(symbols_.intern("memory"), DeviceCapacity{*Quantity::parse("40Gi"), {}});
  }

  auto symbol(std::string_view text) -> Symbol { return symbols_.intern(text); }
  auto add(std::string_view name) -> DeviceAttribute& {
    return facts_.attributes.emplace_back(symbols_.intern(name), DeviceAttribute{}).second;
  }
  /// Returns `true`, `false`, the kind of error, or `beyond: ` with what is not supported.
  auto answer(const std::string& expression) -> std::string {
    const cel::Expression read(expression, true, symbols_);
    if (!read.beyond().empty()) return "beyond: " + read.beyond();
    const auto found = read.matches({"gpu.example.com", facts_, symbols_});
    if (!found.fault) return found.matches ? "true" : "false";
    switch (found.fault->kind) {
      case cel::Fault::Kind::no_such_key: return "no such key: " + std::string(symbols_.text(found.fault->what));
      case cel::Fault::Kind::no_such_overload: return "no such overload";
      case cel::Fault::Kind::attribute_value: return "attribute value";
      case cel::Fault::Kind::overflow: return "overflow";
      case cel::Fault::Kind::division: return "division by zero";
      case cel::Fault::Kind::remainder: return "modulus by zero";
      case cel::Fault::Kind::conversion: return "conversion";
      case cel::Fault::Kind::no_integer: return "no integer";
      case cel::Fault::Kind::nothing_there: return "nothing there";
      case cel::Fault::Kind::not_modelled: return "not modeled";
    }
    return {};
  }

 private:
  Symbols symbols_;
  DeviceFacts facts_;
};

auto of(const std::string& attribute) -> std::string {
  return "device.attributes[\"gpu.example.com\"]." + attribute;
}

}  // namespace

TEST_CASE("CEL selectors: compare attributes and capacities", "[kube][devices][cel]") {
  Gpu gpu;
  CHECK(gpu.answer("device.driver == 'gpu.example.com'") == "true");
  CHECK(gpu.answer(of("model") + " == \"A100\"") == "true");
  CHECK(gpu.answer(of("model") + " in ['L4', 'H100']") == "false");
  CHECK(gpu.answer("device.attributes[device.driver].index >= 1 && !" + of("healthy")) == "true");
  // Values of different types are not equal, which is no error; only values of one type can be ordered.
  CHECK(gpu.answer(of("model") + " == 5") == "false");
  CHECK(gpu.answer(of("model") + " < 5") == "no such overload");
  CHECK(gpu.answer("device.capacity['gpu.example.com'].memory.compareTo(quantity('40960Mi')) == 0") == "true");
  CHECK(gpu.answer("device.capacity['gpu.example.com'].memory.isGreaterThan(quantity('40Gi'))") == "false");
  // By semver.org 1.10.3 is newer than 1.9.0, and a release is newer than its candidates.
  CHECK(gpu.answer(of("driverVersion") + ".isGreaterThan(semver('1.9.0'))") == "true");
  CHECK(gpu.answer(of("driverVersion") + ".compareTo(semver('1.10.3-rc.1'))  > 0") == "true");
  CHECK(gpu.answer(of("model") + ".startsWith('A') && " + of("model") + ".matches('^[AH]1?00$')") == "true");
  CHECK(gpu.answer(of("index") + " == 0 ? " + of("healthy") + " : device.attributes['example.org'].rack == 'r1'") ==
        "true");
}

TEST_CASE("CEL selectors: a missing attribute is an error, unless the rest of the selector decides",
          "[kube][devices][cel]") {
  Gpu gpu;
  CHECK(gpu.answer(of("numa") + " == 0") == "no such key: numa");
  CHECK(gpu.answer(of("numa") + " == 0 || " + of("index") + " == 1") == "true");
  CHECK(gpu.answer(of("index") + " == 1 || " + of("numa") + " == 0") == "true");
  CHECK(gpu.answer(of("numa") + " == 0 && " + of("index") + " == 2") == "false");
  CHECK(gpu.answer(of("numa") + " == 0 && " + of("index") + " == 1") == "no such key: numa");
  CHECK(gpu.answer("!" + of("model")) == "no such overload");
  CHECK(gpu.answer("has(" + of("numa") + ") && " + of("numa") + " == 0") == "false");
  CHECK(gpu.answer("'numa' in device.attributes['gpu.example.com']") == "false");
  // A domain of which the device has no attribute is an empty map, but not in the list of domains.
  CHECK(gpu.answer("device.attributes['other.org'].x") == "no such key: x");
  CHECK(gpu.answer("'other.org' in device.attributes") == "false");
  CHECK(gpu.answer("'example.org' in device.attributes") == "true");
  CHECK(gpu.answer("cel.bind(a, device.attributes['gpu.example.com'], a.index == 1 || a.numa == 0)") == "true");
  // All attributes are converted first, so one without a value makes every selector fail.
  gpu.add("list");
  CHECK(gpu.answer("true") == "attribute value");
}

TEST_CASE("CEL selectors: what is not evaluated is named", "[kube][devices][cel]") {
  Gpu gpu;
  CHECK(gpu.answer("[1, 2].sum() == 3") == "beyond: sum()");
  CHECK(gpu.answer(of("index") + " > 0.5") == "beyond: a number that is not a plain integer");
  CHECK(gpu.answer("device.driver == 5") == "beyond: ==");
  CHECK(gpu.answer("device.driver") == "beyond: its result");
  CHECK(gpu.answer("device.name == 'a'") == "beyond: .name");
  CHECK(gpu.answer("device.driver.matches('(a')") == "beyond: matches()");
  CHECK(gpu.answer("device.driver == 'a") == "beyond: a text without an end");
  CHECK(gpu.answer("") == "beyond: its end");
  CHECK(gpu.answer(std::string(200, '(') + "true" + std::string(200, ')')) == "beyond: its depth");
}

TEST_CASE("CEL selectors: expressions with wrong types are not evaluated", "[kube][devices][cel]") {
  Gpu gpu;
  const std::string domain = "device.attributes['gpu.example.com']";
  CHECK(gpu.answer("1 + 2 == 3") == "true");
  CHECK(gpu.answer("3 - 2 == 2") == "false");
  CHECK(gpu.answer("'A' + '100' == " + of("model")) == "true");
  CHECK(gpu.answer("'A' - '100' == " + of("model")) == "beyond: -");
  CHECK(gpu.answer("'A' + 100 == " + of("model")) == "beyond: +");
  CHECK(gpu.answer("1 + 'A' == " + of("model")) == "beyond: +");
  CHECK(gpu.answer("-1 < " + of("index")) == "true");
  CHECK(gpu.answer("-'a' < 1") == "beyond: a negation");
  CHECK(gpu.answer("!5") == "beyond: !");
  CHECK(gpu.answer("true && 5") == "beyond: &&");
  CHECK(gpu.answer("5 && true") == "beyond: &&");
  CHECK(gpu.answer("false || 5") == "beyond: ||");
  CHECK(gpu.answer("true ? true : 5") == "beyond: ?:");
  CHECK(gpu.answer("5 ? true : false") == "beyond: ?:");
  CHECK(gpu.answer("has(device.driver)") == "beyond: has()");
  CHECK(gpu.answer("has(device.capacity['gpu.example.com'].memory)") == "true");
  CHECK(gpu.answer("size('abc') == 3") == "true");
  CHECK(gpu.answer("size(5) == 3") == "beyond: size()");
  CHECK(gpu.answer("size('a', 'b') == 3") == "beyond: size()");
  CHECK(gpu.answer("quantity('x') == quantity('1')") == "beyond: quantity()");
  CHECK(gpu.answer("semver('x') == semver('1.0.0')") == "beyond: semver()");
  CHECK(gpu.answer("device['driver'] == 'a'") == "beyond: an index");
  CHECK(gpu.answer("device.attributes[5].index == 1") == "beyond: an index");
  CHECK(gpu.answer(of("model") + " in ['A100', 5]") == "beyond: a list");
  CHECK(gpu.answer("device.driver in [5]") == "beyond: in");
  CHECK(gpu.answer("5 in " + domain) == "beyond: in");
  CHECK(gpu.answer("'index' in " + domain) == "true");
  CHECK(gpu.answer("'gpu.example.com' in device.capacity") == "true");
  CHECK(gpu.answer("'memory' in device.capacity['gpu.example.com']") == "true");
  CHECK(gpu.answer("'a' in device.driver") == "beyond: in");
  CHECK(gpu.answer("device.driver < 5") == "beyond: <");
  CHECK(gpu.answer("cel.bind(device, 1, device == 1)") == "beyond: cel.bind");
  CHECK(gpu.answer("cel.bind(a, 1, cel.bind(a, 2, a == 2))") == "beyond: cel.bind");
  CHECK(gpu.answer("device.driver.startsWith()") == "beyond: startsWith()");
  CHECK(gpu.answer("device.driver.startsWith(5)") == "beyond: startsWith()");
  CHECK(gpu.answer("device.allowMultipleAllocations") == "false");
}

// An attribute may be of any type, so its type is checked only on evaluation.
TEST_CASE("CEL selectors: an attribute of a type that the operator does not accept is an error",
          "[kube][devices][cel]") {
  Gpu gpu;
  gpu.add("lowest").number = INT64_MIN;
  gpu.add("foreign").text = gpu.symbol("\xc3\xa4");
  gpu.add("open").text = gpu.symbol("(");
  CHECK(gpu.answer(of("model") + " ? true : false") == "no such overload");
  CHECK(gpu.answer(of("healthy") + " ? true : false") == "false");
  CHECK(gpu.answer("-" + of("lowest") + " == 0") == "overflow");
  CHECK(gpu.answer("-" + of("model") + " == 0") == "no such overload");
  CHECK(gpu.answer("-" + of("index") + " == -1") == "true");
  CHECK(gpu.answer("size(" + of("index") + ") == 0") == "not modeled");
  CHECK(gpu.answer("size(" + of("foreign") + ") == 1") == "true");
  CHECK(gpu.answer(of("foreign") + ".matches('^.$')") == "true");
  CHECK(gpu.answer(of("model") + ".matches(" + of("foreign") + ")") == "false");
  CHECK(gpu.answer(of("model") + ".matches(" + of("rack") + ")") == "no such key: rack");
  CHECK(gpu.answer(of("model") + ".matches(" + of("open") + ")") == "not modeled");
  for (const char* method : {"startsWith", "endsWith", "contains"}) {
    INFO(method);
    CHECK(gpu.answer(of("model") + "." + method + "(" + of("index") + ")") == "no such overload");
  }
  CHECK(gpu.answer(of("index") + ".matches('1')") == "no such overload");
  CHECK(gpu.answer(of("driverVersion") + ".isGreaterThan(" + of("model") + ")") == "not modeled");
  CHECK(gpu.answer("device.capacity['gpu.example.com'].memory.add(" + of("model") + ") == quantity('1')") ==
        "not modeled");
  CHECK(gpu.answer(of("driverVersion") + ".add(quantity('1')) == quantity('1')") == "not modeled");
  // A quantity and a version can only be compared with their like, but anything can be compared with them.
  CHECK(gpu.answer("quantity('1') == " + of("index")) == "no such overload");
  CHECK(gpu.answer("quantity('1') != " + of("index")) == "true");
  CHECK(gpu.answer(of("driverVersion") + " == " + of("model")) == "no such overload");
  CHECK(gpu.answer(of("model") + " == " + of("driverVersion")) == "false");
  CHECK(gpu.answer(of("driverVersion") + " in [semver('1.10.3')]") == "true");
  CHECK(gpu.answer(of("driverVersion") + " in ['a']") == "not modeled");
  CHECK(gpu.answer(of("index") + " in [quantity('1')]") == "false");
  CHECK(gpu.answer(of("index") + " == quantity('1')") == "false");
  CHECK(gpu.answer(of("model") + " == quantity('0')") == "false");
  CHECK(gpu.answer("quantity('0') == " + of("model")) == "no such overload");
}

TEST_CASE("CEL selectors: numbers are computed and compared as in Go", "[kube][devices][cel]") {
  Gpu gpu;
  CHECK(gpu.answer("7 - 2 == 5") == "true");
  CHECK(gpu.answer("3 * 2 == 6") == "true");
  // Division truncates towards zero, and the remainder has the sign of the dividend.
  CHECK(gpu.answer("-7 / 2 == -3 && -7 % 2 == -1 && 7 / 2 == 3 && 7 % 2 == 1") == "true");
  CHECK(gpu.answer("7 / 0 == 0") == "division by zero");
  CHECK(gpu.answer("7 % 0 == 0") == "modulus by zero");
  CHECK(gpu.answer("9223372036854775807 + 1 == 0") == "overflow");
  CHECK(gpu.answer("-9223372036854775807 - 2 == 0") == "overflow");
  CHECK(gpu.answer("9223372036854775807 * 2 == 0") == "overflow");
  CHECK(gpu.answer("(-9223372036854775807 - 1) / -1 == 0") == "overflow");
  CHECK(gpu.answer("(-9223372036854775807 - 1) % -1 == 0") == "overflow");
  CHECK(gpu.answer("7 / -1 == -7 && 7 % -1 == 0") == "true");
  CHECK(gpu.answer(of("index") + " <= 1 && " + of("index") + " >= 1") == "true");
  CHECK(gpu.answer(of("index") + " <= 0 || " + of("index") + " < 1 || " + of("index") + " > 1") == "false");
  CHECK(gpu.answer(of("index") + " < 2 && " + of("index") + " > 0") == "true");
  CHECK(gpu.answer(of("index") + " != 1") == "false");
  CHECK(gpu.answer(of("model") + " in ['L4', 'A100']") == "true");
}

TEST_CASE("CEL selectors: attributes can be operands of arithmetic", "[kube][devices][cel]") {
  Gpu gpu;
  CHECK(gpu.answer(of("index") + " + 1 == 2") == "true");
  CHECK(gpu.answer("(" + of("index") + " + 1) % 2 == 0") == "true");
  CHECK(gpu.answer(of("index") + " * 2 + 3 * " + of("index") + " == 5") == "true");
  CHECK(gpu.answer(of("index") + " + " + of("index") + " == 2") == "true");
  CHECK(gpu.answer(of("index") + " + " + of("index") + " == 'x'") == "false");
  // With one operand of a known type, the type of the sum is known when the expression is compiled.
  CHECK(gpu.answer(of("index") + " + 1 == 'x'") == "beyond: ==");
  CHECK(gpu.answer(of("model") + " + 'x' == 'A100x'") == "true");
  CHECK(gpu.answer(of("index") + " / 0 == 1") == "division by zero");
  CHECK(gpu.answer(of("index") + " + 9223372036854775807 > 0") == "overflow");
  CHECK(gpu.answer(of("index") + " + 9223372036854775807 > 0 || true") == "true");
  CHECK(gpu.answer(of("model") + " + 1 == 2") == "no such overload");
  CHECK(gpu.answer("1 + " + of("model") + " == 2") == "no such overload");
  CHECK(gpu.answer(of("model") + " + " + of("index") + " == 'a'") == "no such overload");
  CHECK(gpu.answer(of("model") + " * 2 == 4") == "no such overload");
  CHECK(gpu.answer(of("model") + " - 1 == 1") == "no such overload");
  // A double can be negated, too.
  CHECK(gpu.answer("[0, -" + of("index") + "].size() == 2") == "beyond: a list");
  // Upstream's error names the operator here.
  CHECK(gpu.answer(of("healthy") + " + 1 == 2") == "not modeled");
}

TEST_CASE("CEL selectors: optional fields", "[kube][devices][cel]") {
  Gpu gpu;
  CHECK(gpu.answer(of("?numa.orValue(3) == 3")) == "true");
  CHECK(gpu.answer(of("?index.orValue(3) == 1")) == "true");
  CHECK(gpu.answer(of("?model.orValue(3) == 1")) == "false");
  CHECK(gpu.answer(of("?model.orValue('')") + ".startsWith('A')") == "true");
  CHECK(gpu.answer(of("?model.orValue('')") + " in ['A100', 'H100']") == "true");
  CHECK(gpu.answer(of("?numa.hasValue()") + " || " + of("?index.hasValue()")) == "true");
  CHECK(gpu.answer(of("?index.value() == 1")) == "true");
  CHECK(gpu.answer(of("?numa.value() == 1")) == "nothing there");
  CHECK(gpu.answer(of("?numa.or(") + of("?index).value() == 1")) == "true");
  CHECK(gpu.answer("device.attributes['gpu.example.com'][?'index'].orValue(7) == 1") == "true");
  CHECK(gpu.answer(of("?driverVersion.orValue(semver('1.0.0')).isGreaterThan(semver('1.9.0'))")) == "true");
  // What is not needed is not evaluated.
  CHECK(gpu.answer(of("?index.orValue(1 / 0) == 1")) == "true");
  CHECK(gpu.answer(of("?numa.orValue(1 / 0) == 1")) == "division by zero");
  // Every domain is there, if only empty; and what is selected from an optional value is optional.
  CHECK(gpu.answer("device.attributes[?'other.org'].hasValue()") == "true");
  CHECK(gpu.answer("device.attributes[?'other.org'].?x.orValue('a') == 'a'") == "true");
  CHECK(gpu.answer("device.attributes[?'example.org'].rack.orValue('z') == 'r1'") == "true");
  const std::string memory = "device.capacity['gpu.example.com'].?memory";
  CHECK(gpu.answer(memory + ".orValue(quantity('1Gi')).isGreaterThan(quantity('2Gi'))") == "true");
  CHECK(gpu.answer("device.capacity['gpu.example.com'].?disk.orValue(quantity('1Gi')).isLessThan(quantity('2Gi'))") ==
        "true");
  CHECK(gpu.answer(memory + ".orValue(3) == 3") == "beyond: orValue()");
  CHECK(gpu.answer("has(" + of("?index") + ")") == "beyond: has()");
}

TEST_CASE("CEL selectors: iterations over lists and names", "[kube][devices][cel]") {
  Gpu gpu;
  const std::string domain = "device.attributes['gpu.example.com']";
  CHECK(gpu.answer("[1, 2].exists(v, v == " + of("index") + ")") == "true");
  CHECK(gpu.answer("['A', 'b'].exists(x, " + of("model") + ".contains(x))") == "true");
  CHECK(gpu.answer("['A', 'b'].exists(x, x == " + of("index") + ")") == "false");
  CHECK(gpu.answer("[1, 2].all(v, v > 0)") == "true");
  // As with ||, an element that decides makes up for errors of the others, in any order.
  CHECK(gpu.answer("[1, 0].exists(v, 1 / v == 1) && [0, 1].exists(v, 1 / v == 1)") == "true");
  CHECK(gpu.answer("[0].exists(v, 1 / v == 1)") == "division by zero");
  CHECK(gpu.answer("[" + of("model") + "].exists(v, v)") == "no such overload");
  CHECK(gpu.answer("[1, 2].exists_one(v, v > 1)") == "true");
  CHECK(gpu.answer("[0, 1].exists_one(v, 1 / v == 1)") == "division by zero");
  CHECK(gpu.answer("[1, 2].filter(v, v > 1).size() == 1") == "true");
  CHECK(gpu.answer("['1', '2'].map(v, int(v)).exists(w, w == 2) && 3 in ['1', '3'].map(v, int(v))") == "true");
  CHECK(gpu.answer("['1', 'z'].map(v, int(v)).size() == 2") == "conversion");
  CHECK(gpu.answer("cel.bind(a, [1, 2], a.exists(v, v == 2))") == "true");
  CHECK(gpu.answer(domain + ".exists(k, k == 'model') && " + domain + ".all(k, k.size() > 2)") == "true");
  CHECK(gpu.answer(domain + ".exists_one(k, k.startsWith('m'))") == "true");
  CHECK(gpu.answer(domain + ".exists(k, " + domain + "[k] == 1)") == "true");
  CHECK(gpu.answer("device.attributes.exists(d, d == 'example.org')") == "true");
  CHECK(gpu.answer("device.capacity.exists(d, d == 'x')") == "false");
  CHECK(gpu.answer("size(" + domain + ") == 4 && device.attributes.size() == 2 && size(device.capacity) == 1") ==
        "true");
  CHECK(gpu.answer("size([1, 2]) == 2 && [].size() == 0") == "true");
  // Which element of a map fails first is chance.
  CHECK(gpu.answer(domain + ".exists(k, 1 / 0 == 1)") == "not modeled");
  CHECK(gpu.answer("[1].existsOne(v, v == 1)") == "beyond: existsOne()");
}

TEST_CASE("CEL selectors: conversions", "[kube][devices][cel]") {
  Gpu gpu;
  CHECK(gpu.answer("int('12') + " + of("index") + " == 13") == "true");
  CHECK(gpu.answer("int('+5') == 5 && int('05') == 5 && int(" + of("index") + ") == 1") == "true");
  CHECK(gpu.answer("int('x') == 1") == "beyond: int()");
  CHECK(gpu.answer("int(device.driver) == 1") == "conversion");
  CHECK(gpu.answer("int(" + of("model") + ") == 1") == "conversion");
  CHECK(gpu.answer("int(true) == 1") == "beyond: int()");
  CHECK(gpu.answer("int(" + of("healthy") + ") == 1") == "not modeled");
  CHECK(gpu.answer("string(5) == '5' && string(true) == 'true' && string(" + of("healthy") + ") == 'false'") == "true");
  CHECK(gpu.answer("string(" + of("driverVersion") + ") == '1.10.3'") == "not modeled");
}

// Source: k8s.io/apiserver: pkg/cel/library/quantity.go.
TEST_CASE("CEL quantities: only some are integers", "[kube][devices][cel]") {
  Gpu gpu;
  const std::string memory = "device.capacity['gpu.example.com'].memory";
  CHECK(gpu.answer(memory + ".asInteger() == 42949672960 && " + memory + ".isInteger()") == "true");
  CHECK(gpu.answer(memory + ".add(1).asInteger() == 42949672961") == "true");
  CHECK(gpu.answer(memory + ".sub(quantity('1Gi')).asInteger() == 41875931136") == "true");
  CHECK(gpu.answer("quantity('1k').asInteger() == 1000 && quantity('1e3').asInteger() == 1000") == "true");
  CHECK(gpu.answer("quantity('999999999999999999').isInteger()") == "true");
  CHECK(gpu.answer("quantity('1500m').asInteger() == 1") == "no integer");
  CHECK(gpu.answer("quantity('5').sub(quantity('1500m')).isInteger()") == "false");
  // Upstream does not reduce what was written with decimal places, and handles longer numbers differently.
  CHECK(gpu.answer("quantity('1000m').isInteger()") == "not modeled");
  CHECK(gpu.answer("quantity('500m').add(quantity('500m')).isInteger()") == "not modeled");
  CHECK(gpu.answer("quantity('1.0').isInteger()") == "not modeled");
  CHECK(gpu.answer("quantity('1000000000000000000').isInteger()") == "not modeled");
  CHECK(gpu.answer("isQuantity('1.5Gi') && !isQuantity('1KI') && !isQuantity('') && !isQuantity(device.driver)") ==
        "true");
}

// Source: k8s.io/apiserver: pkg/cel/library/semverlib.go normalizeAndParse.
TEST_CASE("CEL versions: can be read loosely", "[kube][devices][cel]") {
  Gpu gpu;
  CHECK(gpu.answer("semver('1', true).compareTo(semver('1.0.0')) == 0") == "true");
  CHECK(gpu.answer("semver('v1.2.3-a', true) == semver('1.2.3-a') && semver('01.02', true).minor() == 2") == "true");
  CHECK(gpu.answer("isSemver('1', true) && isSemver('00.1', true) && isSemver('1.2.03', true)") == "true");
  CHECK(gpu.answer("isSemver('1.2-a', true) || isSemver('1.2.03', false) || isSemver('1.0')") == "false");
  CHECK(gpu.answer("semver('1.2.3.4', true).minor() == 2") == "not modeled");
  CHECK(gpu.answer("semver('v', true).minor() == 2") == "not modeled");
}

// Source: k8s.io/apiserver: pkg/cel/library/quantity.go.
TEST_CASE("CEL quantities: have a sign, are integers or not, and can be added", "[kube][devices][cel]") {
  Gpu gpu;
  CHECK(gpu.answer("sign(quantity('-1m')) == -1 && sign(quantity('0')) == 0 && sign(quantity('2Ki')) == 1") == "true");
  CHECK(gpu.answer("quantity('1').sign() == 1") == "beyond: sign()");
  CHECK(gpu.answer("quantity('2').isInteger()") == "true");
  CHECK(gpu.answer("quantity('1500m').isInteger()") == "false");
  CHECK(gpu.answer("quantity('1').add(quantity('500m')) == quantity('1500m')") == "true");
  CHECK(gpu.answer("quantity('1').add(2) == quantity('3') && quantity('1').sub(3) == quantity('-2')") == "true");
  CHECK(gpu.answer("quantity('1').isLessThan(quantity('2')) && !quantity('2').isLessThan(quantity('2'))") == "true");
  CHECK(gpu.answer("quantity('1').compareTo(quantity('2')) == -1") == "true");
  CHECK(gpu.answer("quantity('1') != quantity('1000m')") == "false");
}

// Upstream returns a pointer from add and sub, and does not recognize it on the right side.
TEST_CASE("CEL quantities: a sum on the right side cannot be compared with ==", "[kube][devices][cel]") {
  Gpu gpu;
  CHECK(gpu.answer("quantity('1').add(2) == quantity('3')") == "true");
  CHECK(gpu.answer("quantity('1').add(2) == quantity('4')") == "false");
  CHECK(gpu.answer("quantity('3') == quantity('1').add(2)") == "no such overload");
  CHECK(gpu.answer("quantity('1').sub(0) == quantity('1').sub(0)") == "no such overload");
  CHECK(gpu.answer("quantity('3') != quantity('1').add(2)") == "true");
  CHECK(gpu.answer("cel.bind(a, quantity('1').add(2), quantity('3') == a)") == "no such overload");
  CHECK(gpu.answer("quantity('1').add(2) in [quantity('3')]") == "true");
  CHECK(gpu.answer("quantity('3') in [quantity('1').add(2)]") == "false");
  CHECK(gpu.answer("quantity('1').add(quantity('1').add(1)) == quantity('3')") == "true");
  CHECK(gpu.answer("quantity('3').compareTo(quantity('1').add(2)) == 0") == "true");
}

// Source: semver.org, as implemented by github.com/blang/semver/v4.
TEST_CASE("CEL versions: have parts and an order", "[kube][devices][cel]") {
  Gpu gpu;
  const auto before = [&](const std::string& a, const std::string& b) {
    return gpu.answer("semver('" + a + "').isLessThan(semver('" + b + "')) && semver('" + b +
                      "').isGreaterThan(semver('" + a + "'))");
  };
  CHECK(gpu.answer(of("driverVersion") + ".major() == 1 && " + of("driverVersion") + ".minor() == 10 && " +
                   of("driverVersion") + ".patch() == 3") == "true");
  CHECK(before("1.0.1", "1.0.2") == "true");
  CHECK(before("1.2.9", "1.10.0") == "true");
  CHECK(before("1.0.0-9", "1.0.0-10") == "true");                             // numbers compare by value
  CHECK(before("1.0.0-aa", "1.0.0-b") == "true");                             // words compare alphabetically
  CHECK(before("1.0.0-10", "1.0.0-a") == "true");                             // numbers come before words
  CHECK(before("1.0.0-a", "1.0.0-a.0") == "true");                            // fewer parts come before more
  CHECK(gpu.answer("semver('1.0.0+build.5') == semver('1.0.0')") == "true");  // build metadata does not count
  for (const char* none : {"1.x.0", "x.1.0", "1.0.x", "1.0", "01.0.0", "1.0.0-01", "1.0.0-", "1.0.0+a_b", "1..0"}) {
    INFO(none);
    CHECK(gpu.answer("semver('" + std::string(none) + "') == semver('1.0.0')") == "beyond: semver()");
  }
}

// Texts and patterns on which a backtracking search takes forever or crashes.
TEST_CASE("CEL matches: takes time linear in the text", "[kube][devices][cel]") {
  Gpu gpu;
  gpu.add("long").text = gpu.symbol(std::string(200'000, 'a') + "b");
  CHECK(gpu.answer(of("long") + ".matches('(a+)+$')") == "false");
  CHECK(gpu.answer(of("long") + ".matches('^(a|aa)+b$')") == "true");
  CHECK(gpu.answer(of("long") + ".matches('^(.*)*$')") == "true");
}

TEST_CASE("CEL lowerAscii, upperAscii: change only ASCII letters", "[kube][devices][cel]") {
  Gpu gpu;
  CHECK(gpu.answer("'aAzZ@[`{'.lowerAscii() == 'aazz@[`{'") == "true");
  CHECK(gpu.answer("'aAzZ@[`{'.upperAscii() == 'AAZZ@[`{'") == "true");
}

TEST_CASE("CEL syntax: comments, raw strings, escapes and macros", "[kube][devices][cel]") {
  Gpu gpu;
  CHECK(gpu.answer("1 ==\t1 // the same\r\n&& 2\f== 2") == "true");
  CHECK(gpu.answer("1\r\n==\r\n1") == "true");
  CHECK(gpu.answer("6 / 3 == 2") == "true");  // a division, not a comment
  CHECK(gpu.answer("r'a\\b' == 'a\\\\b'") == "true");
  CHECK(gpu.answer("device.driver.matches(r'^gpu\\.') && device.driver.matches(R\"com$\")") == "true");
  CHECK(gpu.answer("r == 1") == "beyond: r");
  CHECK(gpu.answer("1 == r") == "beyond: r");
  CHECK(gpu.answer("'a\nb' == 'a'") == "beyond: a text without an end");
  CHECK(gpu.answer("'a\\nb' == \"a\\nb\"") == "true");
  CHECK(gpu.answer("\"it's\" == 'it\\'s'") == "true");
  CHECK(gpu.answer("device.attributes[?'a'].orValue(1) == 1") == "beyond: orValue()");
  CHECK(gpu.answer("device.attributes.?('a') == 1") == "beyond: '('");
  CHECK(gpu.answer("has(5)") == "beyond: has()");
  CHECK(gpu.answer("has()") == "beyond: has()");
  CHECK(gpu.answer("has(" + of("a") + ", " + of("b") + ")") == "beyond: has()");
  CHECK(gpu.answer("device.attributes == 5") == "beyond: ==");
  CHECK(gpu.answer(of("index") + " == device.attributes") == "beyond: ==");
  CHECK(gpu.answer("(5).matches('a')") == "beyond: matches()");
  CHECK(gpu.answer("length('abc') == 3") == "beyond: length()");
  CHECK(gpu.answer("5 != 'a'") == "beyond: !=");
  CHECK(gpu.answer("device.driver.compareTo(quantity('1')) == 0") == "beyond: compareTo()");
  CHECK(gpu.answer("quantity('1').compareTo(semver('1.0.0')) == 0") == "beyond: compareTo()");
}
