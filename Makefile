# The tasks of this project. `make` lists them.

PREFIX ?= /usr/local
TARGET ?= all
SECONDS ?= 60
# The program and its tests share what is compiled.
RELEASE = -c release -debug-info-format none -Xswiftc -enable-testing
PRODUCTS = "$$(swift build $(RELEASE) --show-bin-path)"
SOURCES = Sources Tests Benchmarks Examples Package.swift

help:
	@echo "make demo                    back up and restore a store, step by step"
	@echo "make test                    run all tests, builds and checks"
	@echo "make test-stores             run the tests that use stores of real apps (docs/contributing.md)"
	@echo "make build                   build the program, .build/program/coffer, which runs without Swift"
	@echo "make install PREFIX=DIR      install the program, manual and completions to DIR ($(PREFIX))"
	@echo "make deb                     build a Debian package in .build/deb"
	@echo "make judge                   have Core Data open the stores that coffer writes (macOS)"
	@echo "make bench                   compare coffer with standard tools; 15 minutes, 10 GB of disk"
	@echo "make bench QUICK=1           the same with small stores; a few minutes"
	@echo "make instructions            compare instructions per object with the recorded figures"
	@echo "make fuzz TARGET=T SECONDS=N fuzz the readers (TARGET=$(TARGET) SECONDS=$(SECONDS))"
	@echo "make docs                    regenerate docs/findings.md and the help texts"
	@echo "make examples                build, test and run the package of examples"
	@echo "make documentation           build the DocC documentation in .build/documentation"
	@echo "make lint                    check the format of the sources"
	@echo "make format                  format the sources"
	@echo "make clean                   remove everything that was built"

dependencies:
	@scripts/install-dependencies $(TOOLS)

demo: build
	@scripts/demo.sh

# The compiler gets a definition for each trait, in the order of a set: in another order, everything of ours
# would be compiled again.
export SWIFT_DETERMINISTIC_HASHING = 1

# Pages are looked at in a browser.
test test-stores: export OPTIONAL = chromium libcurl4 poppler-utils rclone
test test-stores: export RELEASE := $(RELEASE)
test: dependencies
	@scripts/test.sh

# COFFER_REAL_STORES and COFFER_ORACLES name folders of them.
test-stores: dependencies
	@scripts/test.sh stores

build: dependencies
	swift build $(RELEASE) --product coffer
	@scripts/link-program $(PRODUCTS)

judge: build
	@scripts/judge-stores

install: build
	@scripts/install .build/program/coffer "$(DESTDIR)$(PREFIX)"

deb: build
	@scripts/package-deb .build/program/coffer .build/deb

# OBJECTS=N and STORE=PATH choose the store of most rows, LARGE=15000000 the largest one, ARGUMENTS adds options of the program
# (Benchmarks/README.md).
bench: TOOLS = pigz restic borgbackup
bench: bench-programs
	@"$$(swift build -c release --package-path Benchmarks --show-bin-path)/CofferBenchmarks" \
	  --programs .build/program $(if $(QUICK),--quick) \
	  $(if $(OBJECTS),--objects $(OBJECTS)) $(if $(LARGE),--large $(LARGE)) $(if $(STORE),--store "$(STORE)") $(ARGUMENTS)

# UPDATE=1 keeps the new figures.
instructions: TOOLS = valgrind
instructions: bench-programs
	@scripts/instructions $(if $(UPDATE),--update)

bench-programs: build
	swift build $(RELEASE) --product make-store
	@cp $(PRODUCTS)/make-store .build/program
	swift build -c release --package-path Benchmarks

fuzz: dependencies
	@scripts/fuzz $(TARGET) $(SECONDS)

docs: dependencies
	swift build --build-tests
	COFFER_WRITE_DOCS=1 swift test --skip-build --filter "thePageIsThatOfTheSources|everyCommandExplainsItself"

examples: dependencies
	@scripts/examples

documentation: dependencies
	swift build --target CofferKit
	@scripts/documentation

lint:
	swift format lint --strict -r $(SOURCES)

format:
	swift format format -i -r $(SOURCES)

clean:
	rm -rf .build Benchmarks/.build Examples/.build

.PHONY: help dependencies demo test test-stores build judge install deb bench instructions bench-programs fuzz docs documentation examples lint format clean
