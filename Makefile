# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build demo install uninstall deb sbom reproducible test soak reliability tests sanitize fuzzer fuzz lint format bench bench-growth bench-peers bench-cluster scaling pictures clean

RELEASE := .build/release/rivulet
PREFIX ?= /usr/local
# What builds a Citus and starts it, for measurements and tests.
CITUS ?= $(or $(RIVULET_SHARED_CITUS),../shared/citus)
# Two builds are the same, byte for byte. What debuggers need would hold the folder that it was built in, and so would
# the digests by which the compiler knows code that it need not generate again. Which checks of bounds it leaves out
# follows from where its memory is: that may not be random (containers may have no right to say so).
STATIC := -c release --static-swift-stdlib -debug-info-format none \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
SWIFT := $(shell setarch --addr-no-randomize true 2> /dev/null && echo setarch --addr-no-randomize) swift

help: ## This list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: ## Install what is missing of the Debian packages that the build and the tests need
	@.ci/setup

build: ## Build the program, optimised, as .build/release/rivulet
	@.ci/setup build
	@$(SWIFT) build $(STATIC) --product rivulet

demo: build ## Load the sample release into the embedded database and show it
	@.ci/demo $(RELEASE)

install: ## Install what 'make build' has built (PREFIX=/usr/local, DESTDIR=)
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' .ci/install $(RELEASE)

uninstall: ## Remove what 'make install' has installed
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' .ci/install --uninstall

deb: build ## Build the Debian package dist/rivulet_VERSION_ARCHITECTURE.deb
	@debian/rules binary
	@ls dist/*.deb

sbom: build ## Write what the program is made of as dist/rivulet.spdx.json (SPDX 2.3)
	@.ci/sbom $(RELEASE) dist/rivulet.spdx.json
	@ls dist/*.spdx.json

reproducible: ## Build the program twice, from nothing and in two folders, and compare the two
	@.ci/setup build
	@.ci/reproducible $(SWIFT) build $(STATIC)

lint: setup ## Check the form of all Swift files, the words of all files, the links of all pages
	@.ci/words
	@.ci/pages
	@swift format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## Bring all Swift files into form
	@swift format --in-place --recursive --parallel Package.swift Sources Tests

# What both suites need: the tests, and the program as it is shipped.
tests: setup
	@swift build --build-tests
	@$(SWIFT) build $(STATIC) --product rivulet

test: lint tests ## Build everything and run the short suites, on the program as it is shipped
	@RIVULET_PROGRAM=$(CURDIR)/$(RELEASE) .ci/test short

# The readers as the tests have them, of the same objects, with changes of inputs that nothing leads.
soak: tests ## Run the long suites: kills, races, random changes and inputs, sanitizers (RELIABILITY=write)
	@RIVULET_FUZZING=random swift build --product rivulet-fuzz
	@[ "$$(id -u)" -ne 0 ] || .ci/clean-root > /dev/null
	@RIVULET_RELIABILITY=$(CURDIR)/.build/reliability.tsv RELIABILITY=$(RELIABILITY) \
	  RIVULET_PROGRAM=$(CURDIR)/$(RELEASE) .ci/test soak

reliability: ## Write the table of Documentation/Reliability.md from what the last 'make soak' has recorded
	@.ci/reliability --write

# Built apart for each of the two.
sanitize: tests ## Run the program under ThreadSanitizer and the readers under AddressSanitizer (SANITIZE=all: the tests)
	@.ci/sanitize address $(or $(SANITIZE),short)
	@.ci/sanitize thread $(or $(SANITIZE),short)

# The readers with libFuzzer, which Swift's toolchain has; built apart, as it counts what each input reaches.
fuzzer: setup
	@rm -f .build/fuzz/ready
	@RIVULET_FUZZING=1 swift build -c release --sanitize fuzzer --product rivulet-fuzz --scratch-path .build/fuzz
	@touch .build/fuzz/ready

fuzz: tests fuzzer ## Random inputs for every reader, random scripts and changes against the server (SECONDS=60)
	@RIVULET_FUZZ_SECONDS=$(or $(SECONDS),60) RIVULET_PROGRAM=$(CURDIR)/$(RELEASE) .ci/test fuzz

bench: setup build ## Measure against yardsticks, side by side in one run (BENCH='--figure one-release --runs 9')
	@$(SWIFT) build $(STATIC) --product rivulet-bench
	@mkdir -p bench-results
	@.build/release/rivulet-bench --json bench-results/latest.json $(BENCH)

bench-growth: setup build ## Measure what commands take with 1 to 200 releases and up to three million providers
	@$(SWIFT) build $(STATIC) --product rivulet-bench
	@.build/release/rivulet-bench --growth Documentation/pictures/growth.svg $(BENCH)

bench-peers: setup build ## Measure beside psycopg, DuckDB, polars, dlt and pgloader (BENCH='--figure peers-one-release')
	@$(SWIFT) build $(STATIC) --product rivulet-bench
	@Benchmarks/peers/install
	@mkdir -p bench-results
	@.build/release/rivulet-bench --peers --runs 3 --json bench-results/peers.json $(BENCH)

bench-cluster: build ## Measure refreshes and loads on a Citus of three servers beside one server (CITUS=FOLDER)
	@python3 Benchmarks/cluster/compare.py --citus $(CITUS) --rivulet $(RELEASE) \
	  --programs "$$($(CITUS)/build $(CURDIR)/.build/citus)"

scaling: setup ## Compute the tables and picture of Documentation/Scaling.md from Benchmarks/scaling/figures.json
	@$(SWIFT) build $(STATIC) --product rivulet-bench
	@.build/release/rivulet-bench --scaling Benchmarks/scaling/figures.json --page Documentation/Scaling.md \
	  --chart Documentation/pictures/scaling.svg

pictures: build ## Make the README's pictures from the program as it is
	@.ci/pictures $(RELEASE) Documentation/pictures

clean: ## Remove what was built
	@rm -rf .build dist
