# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build demo test soak tests fuzz lint format bench pictures clean

RELEASE := .build/release/rivulet
STATIC := -c release --static-swift-stdlib

help: ## This list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: ## Install what is missing of the Debian packages in .ci/packages
	@.ci/setup

build: setup ## Build the program, optimised, as .build/release/rivulet
	@swift build $(STATIC) --product rivulet

demo: build ## Load the sample release into the embedded database and show it
	@.ci/demo $(RELEASE)

lint: setup ## Check the form of all Swift files, the words of all files, the links of all pages
	@.ci/words
	@.ci/pages
	@swift format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## Bring all Swift files into form
	@swift format --in-place --recursive --parallel Package.swift Sources Tests

# What both suites need: the tests, and the program as it is shipped.
tests: setup
	@swift build --build-tests
	@swift build $(STATIC) --product rivulet

test: lint tests ## Build everything and run the short suites, on the program as it is shipped
	@RIVULET_PROGRAM=$(CURDIR)/$(RELEASE) .ci/test short

soak: tests ## Run the long suites: kills, races, random changes (.ci/soak lists them)
	@RIVULET_PROGRAM=$(CURDIR)/$(RELEASE) .ci/test soak

fuzz: setup ## Random scripts against the server, random changes against computing everything (FUZZ=60 seconds)
	@swift build --build-tests
	@RIVULET_FUZZ_SECONDS=$(or $(FUZZ),60) swift test --skip-build --disable-xctest \
	  --filter 'ScriptSplittingTests|RandomisedRefreshTests'

bench: build ## Measure against yardsticks, side by side in one run (BENCH='--figure one-release --runs 9')
	@swift build $(STATIC) --product rivulet-bench
	@mkdir -p bench-results
	@.build/release/rivulet-bench --json bench-results/latest.json $(BENCH)

pictures: build ## Make the README's pictures from the program as it is
	@.ci/pictures $(RELEASE) Documentation/pictures

clean: ## Remove what was built
	@rm -rf .build
