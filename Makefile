# Two commands do all the set-up on a fresh machine: `make demo` and `make test`.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup archives build demo test fuzz lint format bench clean

RELEASE := .build/release/rivulet
ARCHIVES := $(CURDIR)/.build/archives
# Types that the program's own code names are not looked up by their names at their first use: 0.4 ms of a start.
DIRECT := $(addprefix -Xswiftc ,-Xfrontend -disable-concrete-type-metadata-mangled-name-accessors)
STATIC := -c release --static-swift-stdlib -Xlinker --no-export-dynamic -Xlinker -L$(ARCHIVES) \
  --pkg-config-path $(ARCHIVES) $(DIRECT)

help: ## This list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: ## Install what is missing of the Debian packages in .ci/packages
	@.ci/setup

# What the program takes into itself as archives. A build does not look at them, so that another has it linked anew.
archives: setup
	@.ci/archives $(ARCHIVES)
	@for part in libpq.pc nettle.pc; do [[ $(ARCHIVES)/$$part -ot $(RELEASE) ]] || rm -f $(RELEASE); done

build: archives ## Build the program, optimised, as .build/release/rivulet
	@swift build $(STATIC) --product rivulet

demo: build ## Load the sample release into the embedded database and show it
	@.ci/demo $(RELEASE)

lint: ## Check the form of all Swift files
	@swift format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## Bring all Swift files into form
	@swift format --in-place --recursive --parallel Package.swift Sources Tests

test: archives lint ## Build everything and run all tests, on the program as it is shipped
	@swift build --build-tests
	@swift build $(STATIC) --product rivulet
	@RIVULET_PROGRAM=$(CURDIR)/$(RELEASE) .ci/test

fuzz: setup ## Random scripts against the server, random changes against computing everything (FUZZ=60 seconds)
	@swift build --build-tests
	@RIVULET_FUZZ_SECONDS=$(or $(FUZZ),60) swift test --skip-build --disable-xctest \
	  --filter 'ScriptSplittingTests|RandomisedRefreshTests'

bench: build ## Measure against yardsticks, side by side in one run (BENCH='--figure one-release --runs 9')
	@swift build $(STATIC) --product rivulet-bench
	@mkdir -p bench-results
	@.build/release/rivulet-bench --json bench-results/latest.json $(BENCH)

clean: ## Remove what was built
	@rm -rf .build
