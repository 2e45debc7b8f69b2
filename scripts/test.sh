#!/usr/bin/env bash
# All tests. Warnings are errors in every build, because the manifest says so.
#
# Tests with stores of real apps run where COFFER_REAL_STORES names a folder of them, and tests with
# independent decoders where COFFER_ORACLES names theirs. With COFFER_QUICK=1 the build without
# libdeflate is compared with the other one as a program only; its own unit tests are left out.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
fail() {
  echo "test: $*" >&2
  exit 1
}

say "Formatting"
swift format lint --strict -r Sources Tests Benchmarks Examples Package.swift

say "Debug build"
swift build --build-tests

say "Schemas"
scripts/fetch-schemas \
  || echo "not to be had: reports for CI services are checked by their structure alone"

say "Tests"
log=$(mktemp)
folder=$(mktemp -d)
trap 'rm -rf "$log" "$folder"' EXIT
# Their own folder for temporary files: every test that makes some looks through the folder for leftovers,
# and swift leaves folders of its own there.
mkdir "$folder/tmp"
# Some tests run a program as another user, who has to find it there.
chmod 755 "$folder"
chmod 1777 "$folder/tmp"
if ! TMPDIR=$folder/tmp swift test --skip-build 2>&1 | tee "$log"; then
  # Failures are told where they happen, hundreds of lines up.
  say "Failures"
  grep -E -A 8 'recorded an issue|Fatal error|^error:' "$log" | cut -c 1-1000 | tail -n 200
  fail "$(grep -E 'Test run with' "$log" | tail -n 1)"
fi

say "Documentation of the library"
scripts/documentation

say "Examples: a package of its own, as an app would have it"
# Where the library was just built, most of it is there already.
scripts/examples .build

say "Benchmarks"
swift test --package-path Benchmarks

say "Release build"
# The programs that are installed and packaged, so that what is tested is what people get.
read -r -a release <<< "$(scripts/release-options)"
swift build "${release[@]}" --product make-store
swift build "${release[@]}" --product coffer

say "Without libdeflate: zlib compresses and inflates instead"
zlib=(--disable-default-traits --scratch-path .build/zlib)
if [ "${COFFER_QUICK:-0}" = 1 ]; then
  swift build "${zlib[@]}" --product coffer
else
  swift build "${zlib[@]}" --build-tests
  swift test "${zlib[@]}" --skip-build --filter '^CoreDataArchiveTests'
fi

with=$(swift build -c release --show-bin-path)/coffer
without=$(swift build "${zlib[@]}" --show-bin-path)/coffer
"$(dirname "$with")/make-store" "$folder/Store.sqlite" --objects 20000 --external 20
digest() { python3 -c 'import json, sys; print(json.loads(sys.stdin.readlines()[-1])["digest"])'; }
for level in 0 1 6 9; do
  first=$("$with" export --json --force --level $level "$folder/Store.sqlite" "$folder/a.tar.gz" | digest)
  second=$("$without" export --json --force --level $level "$folder/Store.sqlite" "$folder/b.tar.gz" | digest)
  [ "$first" = "$second" ] || fail "level $level: the digests differ"
done
rm -rf "$folder/plain" && mkdir -p "$folder/plain/a" "$folder/plain/b"
tar xzf "$folder/a.tar.gz" -C "$folder/plain/a"
tar xzf "$folder/b.tar.gz" -C "$folder/plain/b"
# The index tells compressed sizes, which differ.
diff -r -q --exclude index.json "$folder/plain/a" "$folder/plain/b" || fail "the plain bytes differ"
"$without" import -q "$folder/a.tar.gz" "$folder/FromA.sqlite"
"$with" import -q "$folder/b.tar.gz" "$folder/FromB.sqlite"
"$with" diff "$folder/FromA.sqlite" "$folder/FromB.sqlite" || fail "the restored stores differ"
"$with" diff "$folder/Store.sqlite" "$folder/FromA.sqlite" || fail "the restored store differs"
echo "same plain bytes, same digests; each reads the other's archives"

say "Installed: the program, a manual page for each command, completions; a Debian package"
scripts/install "$with" "$folder/prefix"
"$folder/prefix/bin/coffer" --version
for name in "" $("$with" --help | awk '/^SUBCOMMANDS:/ { on = 1; next } /^ *$/ { on = 0 } on && /^  [a-z]/ { print "-" $1 }'); do
  page=$folder/prefix/share/man/man1/coffer$name.1
  grep -q '^\.SH NAME' "$page" && grep -q '^\.SH SYNOPSIS' "$page" || fail "coffer$name has no manual page"
  if command -v groff > /dev/null; then
    [ -z "$(groff -Kutf8 -man -Tutf8 -ww "$page" 2>&1 > /dev/null)" ] || fail "the page of coffer$name has errors"
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
if [ "${#release[@]}" -gt 2 ]; then
  if ldd "$with" | grep -i swift; then fail "the program needs Swift to run"; fi
  size=$(stat -c %s "$with")
  echo "$size bytes"
  [ "$size" -le 70000000 ] || fail "the program has grown beyond 70 MB"
fi

say "All tests passed"
