#!/usr/bin/env bash
# The main job, step by step: back up a store, look into the archive with standard tools, restore it,
# and compare both stores. `make demo` builds what this runs.
set -euo pipefail
cd "$(dirname "$0")/.."

export PATH="$PWD/.build/program:$PATH"
folder=.build/demo
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
# Shows a command line and runs it.
run() {
  printf '$ %s\n' "$1"
  bash -o pipefail -c "$1"
}
fail() {
  echo "demo: $*" >&2
  exit 1
}

say "1. A Core Data store of a to-do list app: inheritance, ordered and many-to-many relationships, external data, history"
run 'cp -R ../../Fixtures/Stores/. .'
run 'ls -A'

say "2. What it contains"
run 'coffer inspect Todo.sqlite'

say "3. Back it up without touching the store or its folder"
before=$(find . -type f -exec sha256sum {} + | sort)
run 'coffer export Todo.sqlite Todo.coffer.tar.gz'
after=$(find . -type f ! -name Todo.coffer.tar.gz -exec sha256sum {} + | sort)
[ "$before" = "$after" ] || fail "the export changed the store's folder"

say "4. Look into the archive with standard tools"
run 'tar tzf Todo.coffer.tar.gz'
if command -v jq > /dev/null; then
  run "tar xzOf Todo.coffer.tar.gz entities/ItemEntity/00000.ndjson | jq -c '[.\"\$pk\", .\"\$entity\", .title, .createdAt]'"
else
  run "tar xzOf Todo.coffer.tar.gz entities/ItemEntity/00000.ndjson | python3 -c 'import json, sys; [print(json.loads(line).get(\"title\")) for line in sys.stdin]'"
fi
run 'gzip -t Todo.coffer.tar.gz'
run 'python3 ../../Examples/read-archive.py Todo.coffer.tar.gz'

say "5. Restore it"
run 'coffer import Todo.coffer.tar.gz Restored.sqlite'

say "6. Compare the stores, object by object"
run 'coffer diff Todo.sqlite Restored.sqlite' || fail "the stores differ"

say "7. Back up the copy: the archive is the same, byte for byte"
run 'coffer export Restored.sqlite Again.coffer.tar.gz'
run 'cmp Todo.coffer.tar.gz Again.coffer.tar.gz' || fail "the archives differ"

say "8. The same through a pipe"
run 'coffer export Todo.sqlite - | coffer import - Piped.sqlite'
run 'coffer diff Todo.sqlite Piped.sqlite' || fail "the stores differ"

say "9. Verify the store, its copy, and the archive through a pipe"
run 'coffer verify Todo.sqlite'
run 'coffer verify Restored.sqlite --against Todo.coffer.tar.gz --fail-on warning'
run 'coffer verify - < Todo.coffer.tar.gz'
echo "  Now with damage: SQL sets a relationship to a missing object and lowers a counter."
cp Restored.sqlite Damaged.sqlite
cp -R .Restored_SUPPORT .Damaged_SUPPORT
run "sqlite3 Damaged.sqlite \"UPDATE ZITEMENTITY SET ZAUTHOR = 77 WHERE Z_PK = 6; UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'PersonEntity'\""
run 'sqlite3 Damaged.sqlite "PRAGMA integrity_check"'
run 'coffer verify Damaged.sqlite' && fail "verify did not find the damage"
[ $? -eq 3 ] || fail "verify did not end with status 3"

say "10. Compare with SQLite: every definition and every row, sorted as text"
run "sqlite3 Restored.sqlite 'PRAGMA integrity_check'"
run 'sqlite3 Todo.sqlite .dump | sort | sha256sum'
run 'sqlite3 Restored.sqlite .dump | sort | sha256sum'
[ "$(sqlite3 Todo.sqlite .dump | sort)" = "$(sqlite3 Restored.sqlite .dump | sort)" ] \
  || fail "SQLite finds different content"
diff -r .Todo_SUPPORT .Restored_SUPPORT || fail "the external files differ"

say "Identical: the restored store has the same objects, relationships, files and history, bit for bit"
echo "Everything is in $folder."
