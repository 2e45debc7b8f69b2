# The tasks of this project; `make` alone lists them.

PREFIX ?= /usr/local
TARGET ?= all
SECONDS ?= 60
# On Linux with Swift's own libraries inside, so that the program runs where there is no Swift.
RELEASE = $(shell scripts/release-options)
SOURCES = Sources Tests Benchmarks Examples Package.swift

help:
	@echo "make demo                    a store to an archive and back, shown step by step"
	@echo "make test                    all tests, builds and checks"
	@echo "make build                   the program, in .build/release/coffer; it needs no Swift to run"
	@echo "make install PREFIX=DIR      the program, its manual and completions below DIR (DIR: $(PREFIX))"
	@echo "make deb                     a Debian package, in .build/deb"
	@echo "make bench                   coffer against stock tools, side by side; 15 minutes, 10 GB of disk"
	@echo "make bench QUICK=1           the same with small stores, a few minutes"
	@echo "make instructions            instructions per object against the figures that are kept"
	@echo "make fuzz TARGET=T SECONDS=N any bytes at all for the readers ($(TARGET), $(SECONDS) s)"
	@echo "make docs                    writes the texts that come from the sources: findings, help"
	@echo "make examples                builds, tests and runs the package of examples"
	@echo "make documentation           the documentation of the library, with DocC, in .build/documentation"
	@echo "make lint                    whether the sources are formatted as they should be"
	@echo "make format                  formats them"
	@echo "make clean                   removes what was built"

dependencies:
	@scripts/install-dependencies $(TOOLS)

demo: build
	@scripts/demo.sh

# In debug builds of these a warning is an error; they share what they build.
test docs documentation examples fuzz: export COFFER_STRICT = 1

# Pages are looked at in a browser.
test: export OPTIONAL = chromium
test: dependencies
	@scripts/test.sh

build: dependencies
	swift build $(RELEASE) --product coffer

install: build
	@scripts/install "$$(swift build -c release --show-bin-path)/coffer" "$(DESTDIR)$(PREFIX)"

deb: build
	@scripts/package-deb "$$(swift build -c release --show-bin-path)/coffer" .build/deb

# OBJECTS=N and STORE=PATH choose the store of most rows, ARGUMENTS adds options of the program
# (Benchmarks/README.md).
bench: TOOLS = pigz
bench: bench-programs
	@"$$(swift build -c release --package-path Benchmarks --show-bin-path)/CofferBenchmarks" \
	  --programs "$$(swift build -c release --show-bin-path)" $(if $(QUICK),--quick) \
	  $(if $(OBJECTS),--objects $(OBJECTS)) $(if $(STORE),--store "$(STORE)") $(ARGUMENTS)

# UPDATE=1 keeps the new figures.
instructions: TOOLS = valgrind
instructions: bench-programs
	@scripts/instructions $(if $(UPDATE),--update)

bench-programs: dependencies
	swift build $(RELEASE) --product make-store
	swift build $(RELEASE) --product coffer
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

.PHONY: help dependencies demo test build install deb bench instructions bench-programs fuzz docs documentation examples lint format clean
