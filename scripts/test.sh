#!/usr/bin/env bash
# All tests; with the argument `stores`, only the suites that use stores of real apps or independent decoders.
# `make test` and `make test-stores` run this. RELEASE has the build options, which are those of `make demo`: what one
# has compiled serves the other. A warning about our sources is an error.
#
# COFFER_REAL_STORES names the folder of real stores, COFFER_ORACLES that of the decoders. Without them, `make
# test` uses generated stores and skips the tests that need a decoder.
set -euo pipefail
cd "$(dirname "$0")/.."

# Says what comes, and how many seconds have passed.
say() { printf '\n\033[1m== %s\033[0m [%s s]\n' "$*" "$SECONDS"; }
fail() {
  echo "test: $*" >&2
  exit 1
}

only=${1:-all}
if [ "$only" = stores ]; then
  for name in COFFER_REAL_STORES COFFER_ORACLES; do
    [ -d "${!name:-}" ] || fail "$name names no folder"
  done
fi

log=$(mktemp)
# In memory where there is room and programs can be run: tests would wait for the disk thousands of times.
place=${TMPDIR:-/tmp}
free=$(df -Pk /dev/shm 2> /dev/null | awk 'NR == 2 { print $4 }')
if [ "${free:-0}" -gt 8000000 ] && cp /bin/true /dev/shm/coffer-probe.$$; then
  if /dev/shm/coffer-probe.$$; then place=/dev/shm; fi
  rm /dev/shm/coffer-probe.$$
fi
folder=$(mktemp -d "$place/coffer-tests.XXXXXX")
trap 'kill $(cat "$folder"/*.pid 2> /dev/null) 2> /dev/null || true; rm -rf "$log" "$folder"' EXIT
# Some tests run a program as another user, who has to find it there.
chmod 755 "$folder"
# Runs some of the tests; sets and dictionaries have another order each time, as they have for users. Errors
# have no call stack: recording one for every error that is thrown takes up to seven eighths of the time of a test.
#
# Their own folder for temporary files: every test that makes some looks through the folder for leftovers,
# and swift leaves folders of its own there. Where the tests are one program, it is run: `swift test` would
# let no other run beside it.
tests() {
  local temporary=$folder/$1
  shift
  mkdir "$temporary"
  chmod 1777 "$temporary"
  local command=(swift test "${build[@]}" --skip-build)
  if [ -f "$products/cofferPackageTests.xctest" ]; then
    command=("$products/cofferPackageTests.xctest" --testing-library swift-testing)
  fi
  env -u SWIFT_DETERMINISTIC_HASHING SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0 TMPDIR="$temporary" \
    COFFER_PROGRAM="$PWD/$with" "${command[@]}" "$@" 2>&1
}
# Shows what failed, which is told where it happens, hundreds of lines up.
show_failures() {
  say "Failures"
  grep -hE -A 8 'recorded an issue|Fatal error|^error:' "$@" | cut -c 1-1000 | tail -n 200
  fail "$(grep -hE 'Test run with' "$@")"
}
# Runs tests side by side, which keeps the processors busy, as many tests wait for a program. Each run is three
# arguments: its name, an option and a pattern. Shows the output of the last one as it comes.
tests_beside() {
  local failed=0 name names=()
  while [ $# -gt 3 ]; do
    beside "$1" tests "$1" "$2" "$3"
    names+=("$1")
    shift 3
  done
  # Into a pipe the tests write with colors.
  tests "$1" "$2" "$3" | sed $'s/\e\\[[0-9;]*m//g' | tee "$log" || failed=1
  for name in "${names[@]}"; do
    wait "$(cat "$folder/$name.pid")" || failed=1
    rm "$folder/$name.pid"
    tee -a "$log" < "$folder/$name.log"
  done
  if [ $failed = 1 ]; then show_failures "$log"; fi
}
# The suites that use real stores or decoders, themselves or through a type of a file beside them; a suite is named
# as its file.
store_suites() {
  local words='RealStores|Oracle' helpers
  helpers=$(grep -rlwE "$words" Tests/*Tests --include='*.swift' | grep -v 'Tests\.swift$' \
    | xargs -n 1 basename -s .swift | paste -sd '|' -)
  grep -rlwE "$words|$helpers" Tests/*Tests --include='*Tests.swift' | xargs -n 1 basename -s .swift | sort
}
# Runs a command beside the steps that follow.
beside() {
  local name=$1
  shift
  "$@" > "$folder/$name.log" 2>&1 &
  echo $! > "$folder/$name.pid"
}
# Waits for such a command, and shows the last line that it printed, or everything if it failed.
finish() {
  local status=0
  wait "$(cat "$folder/$1.pid")" || status=$?
  rm "$folder/$1.pid"
  if [ "$status" -ne 0 ]; then
    cat "$folder/$1.log"
    fail "$1 failed"
  fi
  tail -n 1 "$folder/$1.log"
}

if [ "$only" = all ]; then
  say "Formatting, schemas and the tests of two small packages, where the build leaves a processor idle"
  idle=(nice -n 19)
  beside "formatting" "${idle[@]}" swift format lint --strict --parallel -r \
    Sources Tests Benchmarks Examples Package.swift
  beside "schemas" "${idle[@]}" sh -c 'scripts/fetch-schemas \
    || echo "not to be had: reports for CI services are checked by their structure alone"'
  beside "packages of Python" "${idle[@]}" sh -c 'scripts/fetch-python-packages \
    || echo "not to be had: S3, the client of MCP and recipes with DuckDB or Spark may not be tried"'
  beside "tests of the benchmarks" "${idle[@]}" swift test --package-path Benchmarks
  # What differs without libdeflate and zstd is one module: a package of it alone takes seconds, all of them minutes.
  alone=.build/zlib
  mkdir -p "$alone"
  for name in Sources Tests; do ln -sfn "$PWD/$name" "$alone/$name"; done
  cat > "$alone/Package.swift" << 'END'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "DataCompressionWithZlib",
  targets: [
    .systemLibrary(name: "CZlib"),
    .target(name: "DataCompression", dependencies: ["CZlib"]),
    .testTarget(name: "DataCompressionTests", dependencies: ["DataCompression"]),
  ])
END
  beside "tests with zlib" "${idle[@]}" swift test --package-path "$alone"
fi

# Optimized, as the tests run in a third of the time then. The tests themselves are not (Package.swift).
say "Build"
read -ra build <<< "$RELEASE"
swift package resolve
swift build "${build[@]}" --build-tests 2>&1 | tee "$folder/build.log"
if grep -E "^$PWD/(Sources|Tests)/.*: warning: " "$folder/build.log"; then fail "the compiler has warnings"; fi
products=$(swift build "${build[@]}" --show-bin-path)
scripts/link-program "$products"
with=.build/program/coffer

if [ "$only" = stores ]; then
  say "Tests with real stores"
  suites=$(store_suites)
  # Those that take longest, and the others.
  second=$(grep -E '^[M-Z]' <<< "$suites" | paste -sd '|' -)
  first=$(grep -vE '^[M-Z]' <<< "$suites" | paste -sd '|' -)
  tests_beside second --filter "\\.($second)/" first --filter "\\.($first)/"
  say "Passed: $(wc -l <<< "$suites") suites with real stores"
  exit
fi

beside "documentation" scripts/documentation .build/documentation "${build[@]}"

say "Examples: a package of its own, as an app would have it; beside them the documentation"
# With the library that was just built.
scripts/examples --scratch-path .build "${build[@]}"

say "Formatting, schemas, and packages of Python that tests call"
finish "formatting"
finish "schemas"
finish "packages of Python"

# A run has as many tests at a time as there are processors, and many wait for a program: three runs at once
# keep the processors busy.
say "Tests"
program='^(CommandLineTests|DocumentationTests|BackupPlacesTests)\.'
second='^Coffer(Comparison|Core|Reports)Tests\.'
tests_beside program --filter "$program" second --filter "$second" first --skip "$program|$second"
grep -hE '^➜ .* skipped' "$log" > "$folder/skipped" || true

say "Documentation of the library"
finish "documentation"

say "Benchmarks"
finish "tests of the benchmarks"

say "Without libdeflate and zstd: zlib compresses and inflates instead, and there is no zstd"
finish "tests with zlib"

say "Installed: the program, a manual page for each command, completions; a Debian package"
scripts/install "$with" "$folder/prefix"
"$folder/prefix/bin/coffer" --version
# The help texts that are tested have a file for each command.
for help in Tests/CommandLineTests/Help/*.txt; do
  name=$(basename "$help" .txt)
  page=$folder/prefix/share/man/man1/$name.1
  [ "$(grep -cE '^\.SH (NAME|SYNOPSIS|SEE ALSO)$' "$page")" = 3 ] || fail "$name has no manual page"
  if command -v groff > /dev/null; then
    [ -z "$(groff -Kutf8 -man -Tutf8 -ww "$page" 2>&1 > /dev/null)" ] || fail "the page of $name has errors"
  fi
done
bash -n "$folder/prefix/share/bash-completion/completions/coffer"
if command -v zsh > /dev/null; then zsh -n "$folder/prefix/share/zsh/site-functions/_coffer"; fi
if command -v ruby > /dev/null; then ruby -c packaging/coffer.rb; fi
if command -v dpkg-deb > /dev/null; then
  package=$(scripts/package-deb "$with" "$folder/deb" | tail -n 1)
  # Into a folder, with a copy of the system's list of packages: what it depends on is looked for there.
  cp -R /var/lib/dpkg "$folder/dpkg"
  mkdir "$folder/installed"
  # Triggers are the business of other packages, which are not in that folder.
  installation=(dpkg --instdir="$folder/installed" --admindir="$folder/dpkg" --force-not-root --no-triggers)
  "${installation[@]}" -i "$package" > /dev/null
  "$folder/installed/usr/bin/coffer" --version
  [ -f "$folder/installed/usr/share/man/man1/coffer-export.1.gz" ] || fail "the package has no manual"
  "${installation[@]}" -r coffer > /dev/null
  [ -z "$(find "$folder/installed" -type f)" ] || fail "the package leaves files behind"
fi
if [ ! -L "$with" ]; then
  if ldd "$with" | grep -i swift; then fail "the program needs Swift to run"; fi
  size=$(stat -c %s "$with")
  echo "$size bytes"
  [ "$size" -le 70000000 ] || fail "the program has grown beyond 70 MB"
fi

if [ -s "$folder/skipped" ]; then
  say "Skipped: $(wc -l < "$folder/skipped") tests and suites, for want of"
  sed -e 's/.* skipped:* *//' "$folder/skipped" | sort | uniq -c | sort -rn
fi

say "All tests passed"
