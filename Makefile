# The front door; CMake does the work (docs/install.md and docs/releasing.md say what the targets are for).
DEBIAN_PACKAGES := g++ cmake ninja-build catch2 libarchive-dev libbz2-dev libcli11-dev libexpected-dev libfmt-dev liblzma-dev libre2-dev libsimdjson-dev libyaml-cpp-dev libyaml-dev libzstd-dev nettle-dev nlohmann-json3-dev zlib1g-dev

# What builds previct for browsers and other systems: the compiler comes from PyPI and the libraries from Debian's sources (cmake/cross/fetch.sh).
PAGE_PACKAGES := cmake ninja-build dpkg-dev python3-venv debian-archive-keyring xz-utils bzip2 perl python3-six unicode-data libcli11-dev libexpected-dev libfmt-dev nlohmann-json3-dev

# What tests run beside the program: a validator of documents, and readers of manual pages and completion scripts.
TEST_PACKAGES := python3 python3-jsonschema python3-yaml mandoc groff-base fish zsh

.PHONY: demo test cross test-cross test-cross-macos test-cross-windows package-cross page page-html test-page page-modules test-packages reproducible reproducible-cross soak faults edits mutants fuzz bench lint asan tsan clang install package image format clean packages build-program build-dev build-release build-static
PREVICT := build/dev/previct

demo: build-program
	@echo '$$ previct explain -f fixtures/demo/tolerations.yaml --scheduler-config fixtures/demo/scheduler.yaml'
	@$(PREVICT) explain -f fixtures/demo/tolerations.yaml --scheduler-config fixtures/demo/scheduler.yaml
	@echo; echo '$$ previct explain -f fixtures/demo/full-cluster.yaml.zst payments-prod/urgent'
	@$(PREVICT) explain -f fixtures/demo/full-cluster.yaml.zst payments-prod/urgent
# previct for browsers, from nothing: build/page/previct.html. Takes half an hour on two cores, later a minute.
page:
	@$(MAKE) -s packages DEBIAN_PACKAGES='$(PAGE_PACKAGES)'
	@sh cmake/cross/build.sh wasm32-wasi build/page
	@$(MAKE) -s page-html
# For other systems: build/TARGET/previct, one file without dependencies, for all targets in cmake/cross, or for some of them
# (TARGETS=linux-arm64). Takes half an hour for each on two cores.
TARGETS := $(filter-out wasm32-wasi,$(basename $(notdir $(wildcard cmake/cross/*-*.cmake))))
cross:
	@$(MAKE) -s packages DEBIAN_PACKAGES='$(PAGE_PACKAGES)'
	@for target in $(TARGETS); do sh cmake/cross/build.sh $$target build/$$target || exit 1; done
# Does it answer about all fixtures as the program of this machine (EVERY=10: about every tenth)?
test-cross: build-program
	@command -v qemu-aarch64-static > /dev/null || $(MAKE) -s packages DEBIAN_PACKAGES=qemu-user-static
	@python3 tests/cross/same_answers.py --bin $(PREVICT) --other 'qemu-aarch64-static build/linux-arm64/previct' --every $(or $(EVERY),1)
# What macOS reads of a program before it starts it.
test-cross-macos:
	@python3 tests/cross/inspect_macos.py build/macos-arm64/previct build/macos-amd64/previct
# The same for Windows, in Wine; and as people there use it.
test-cross-windows: build-program
	@test -x /usr/lib/wine/wine64 || $(MAKE) -s packages DEBIAN_PACKAGES=wine64
	@WINEDEBUG=-all WINEPREFIX=$(CURDIR)/build/wine python3 tests/cross/windows.py --bin $(PREVICT) --exe build/windows-amd64/previct.exe --zig build/cross/zig/zig
	@WINEDEBUG=-all WINEPREFIX=$(CURDIR)/build/wine python3 tests/cross/same_answers.py --bin $(PREVICT) \
	--other '/usr/lib/wine/wine64 build/windows-amd64/previct.exe' --every $(or $(EVERY),1)
test: test-packages build-dev
	@rm -f build/dev/tests/skipped.txt; ctest --preset dev; status=$$?; \
	test ! -s build/dev/tests/skipped.txt || { echo 'Skipped (install the packages of TEST_PACKAGES):'; sort -u build/dev/tests/skipped.txt; }; exit $$status
# One HTML file with build/page/previct.wasm inside.
page-html: page-modules
	@node page/build.mjs build/page/previct.html build/page/previct.wasm
# The page in a browser without a window: with the native program, or the page that PAGE names. EVERY=1: all fixtures.
test-page: page-modules build-program
	@cd page && npx tsc -p . && PREVICT=$(CURDIR)/$(PREVICT) PAGE=$(if $(PAGE),$(abspath $(PAGE))) node --test tests/parts.test.mjs tests/page.test.mjs
page-modules:
	@which chromium node npm zstd > /dev/null || $(MAKE) -s packages DEBIAN_PACKAGES='chromium nodejs npm zstd'
	@cd page && npm ci --ignore-scripts --no-audit --no-fund --silent
# Every command and format over all cases, as they are and mutated; takes long (MUTANTS, SEED).
soak: build-program
	@python3 tests/soak/soak.py --bin $(PREVICT) --mutants $(or $(MUTANTS),20000) --seed $(or $(SEED),1)
# Every command with calls of the system failing, signals, full disks, closed pipes (RUNS, SEED).
faults: build-program
	@python3 tests/faults/faults.py --bin $(PREVICT) --runs $(or $(RUNS),5000) --seed $(or $(SEED),1)
# Do lint --fix and test --update change the value, and nothing else? Over mutated files (FILES, SUITES, SEED).
edits: build-program
	@python3 tests/edits/edits.py --bin $(PREVICT) --files $(or $(FILES),100000) --suites $(or $(SUITES),5000) --seed $(or $(SEED),1)
# Which rules could be broken without a test noticing (MUTANTS, FILES, SEED, BELOW="src/lint cli"; SINCE=COMMIT, or DAYS: only in lines that changed)?
mutants: build-dev
	@python3 tests/mutants/mutate.py --build build/dev --below $(or $(BELOW),src/engine src/sequence src/lint src/fit src/sweep cli) --files $(or $(FILES),40) --mutants $(or $(MUTANTS),200) --seed $(or $(SEED),1) $(if $(SINCE)$(DAYS),--since "$(or $(SINCE),$$(git rev-list -1 --before=$(DAYS).days HEAD))")
# Coverage-guided, with address and undefined-behaviour sanitizers: so many SECONDS for each target.
fuzz: packages clang
	@test -f build/asan/build.ninja || cmake --preset asan
	@cmake --build --preset asan --target fuzz_targets && sh tests/fuzz/fuzz.sh build/asan/tests $(or $(SECONDS),60)
asan tsan: packages clang
	@test -f build/$@/build.ninja || cmake --preset $@
	@cmake --build --preset $@ && ctest --preset $@
bench: build-release
	@cmake --build build/release --target bench bench_load bench_whatif && build/release/tests/bench && build/release/tests/bench_load
	@python3 tests/bench/scale.py --bin build/release/previct --scan build/release/tests/bench_load --pods $(or $(PODS),30000)
	@python3 tests/bench/growth.py --bin build/release/previct
	@PREVICT_REAL_DRY_RUN=$$(tests/bench/real_dry_run.sh) build/release/tests/bench_whatif
install: build-release
	cmake --install build/release $(if $(PREFIX),--prefix $(PREFIX))
# The time in packages is the source's, so that they come out the same wherever and whenever they are built.
package: build-release build-static
	@for preset in release static; do \
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} cpack --config build/$$preset/CPackConfig.cmake -B build/packages || exit 1; \
	sh tests/packages/hardening.sh build/$$preset/previct || exit 1; done
# Their archives, and the manifests that name all archives (cmake/manifests).
package-cross: cross
	@for target in $(TARGETS); do \
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} TZ=UTC cpack --config build/$$target/CPackConfig.cmake -B build/packages || exit 1; done
	@cmake -D FOLDER=build/packages -P cmake/manifests/manifests.cmake
# FROM scratch: the static binary alone, not as root; an archive for docker load or podman load.
image: build-static
	@SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} sh cmake/image.sh build/static/previct \
	$$(sed -n 's/^set(PREVICT_RELEASE \([0-9.]*\)).*/\1/p' cmake/project.cmake) build/packages/previct-image.tar
# clang-tidy looks at how all is written, the files of a folder together, as their headers take most of the time; then at
# what may happen when it runs, each file by itself. FILES, a regular expression: all of it, of these files.
lint:
	@python3 tests/english/check.py
	@clang-format --dry-run --Werror $$(git ls-files '*.h' '*.cpp')
	@cmake --preset dev -B build/lint -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON > /dev/null
	@cmake --preset dev -B build/lint-each -DPREVICT_UNITY=OFF > /dev/null
	@tidy() { run-clang-tidy -quiet -p "$$@" > build/clang-tidy.log || { cat build/clang-tidy.log; exit 1; }; }; \
	if [ -n '$(FILES)' ]; then tidy build/lint-each '$(FILES)'; exit; fi; \
	tidy build/lint -checks='-clang-analyzer-*' '(/previct_[a-z]*.dir/Unity/|/src/.*/sarif.cpp|/cli/main.cpp)'; \
	tidy build/lint-each -checks='-*,clang-analyzer-*' '^(?!.*/tests/).*/(src|cli)/.*\.cpp$$'
	@shellcheck .ci/run
format:
	@clang-format -i $$(git ls-files '*.h' '*.cpp')
clean:
	rm -rf build

build-dev build-release build-static: build-%: packages
	@test -f build/$*/build.ninja || cmake --preset $*
	@cmake --build --preset $* $(if $(filter dev,$*),,--target previct)
# Do two builds in two places give the same bytes? reproducible-cross: those of `make cross`, from nothing (TARGETS).
reproducible: packages
	@sh tests/packages/reproducible.sh
reproducible-cross:
	@$(MAKE) -s packages DEBIAN_PACKAGES='$(PAGE_PACKAGES)'
	@sh tests/packages/reproducible.sh $(TARGETS)
# Without the tests, which cost more to build than the program.
build-program: packages
	@test -f build/dev/build.ninja || cmake --preset dev
	@cmake --build --preset dev --target previct
clang:
	@command -v clang++-19 > /dev/null || $$(test "$$(id -u)" = 0 || echo sudo) apt-get install -qy --no-install-recommends clang-19 libclang-rt-19-dev
# Without them, tests are skipped, which is said, and fails where CI is set.
test-packages: packages
	@$(MAKE) -s packages DEBIAN_PACKAGES='$(TEST_PACKAGES)' || echo 'previct: not all packages of TEST_PACKAGES could be installed' >&2
packages:
	@command -v dpkg-query > /dev/null || exit 0; \
	missing=$$(for p in $(DEBIAN_PACKAGES); do dpkg-query -W -f '$${db:Status-Status}\n' $$p 2>/dev/null | grep -qx installed || echo $$p; done); \
	test -z "$$missing" || { echo "previct needs these Debian packages; installing:" $$missing; \
	sudo=$$(test "$$(id -u)" = 0 || echo sudo); $$sudo apt-get update -q && $$sudo apt-get install -qy --no-install-recommends $$missing; }
