#!/usr/bin/env python3
"""Apply a coffer file of changes to a store with nothing but Python's standard library.

    apply-changes.py CHANGES STORE      change STORE, which must be a copy that no one uses
    apply-changes.py CHANGES STORE -r   take the changes back

Changes without the values before (section 7) cannot be checked: restore the state that they begin with
first, or apply the changes before them. Files that they name elsewhere are looked for in ../external.

Written from docs/changes-format.md and docs/archive-format.md alone, to show that the pages are enough.
The status is 0 if the changes were applied; otherwise 1, and the rows of the store are as they were.
"""
import base64
import hashlib
import json
import math
import os
import runpy
import sqlite3
import sys
import urllib.parse
import uuid

READER = runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), "read-archive.py"))
Damaged, stored_date = READER["Damaged"], READER["stored_date"]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def place(content, entries, part):
    """Bytes in the line, in .blobs, or in an entry of their own (section 7.4)."""
    if isinstance(content, str):
        return base64.b64decode(content, validate=True)
    where, length = content
    if isinstance(where, int):
        return entries[part + ".blobs"][where:where + length]
    return entries[part + "." + where]


def stored(value, column, entries, part):
    """The storage class and the value of a column without destinations (section 7)."""
    kind, external = column.get("type"), column.get("external")
    if value is None:
        return ("null", None)
    if isinstance(value, bool):
        return ("integer", int(value))
    if isinstance(value, (int, float)):
        return ("integer" if isinstance(value, int) else "real", value)
    if isinstance(value, str):
        if kind == "Date":
            seconds = stored_date(value)
            return ("integer" if isinstance(seconds, int) else "real", seconds)
        if kind == "UUID":
            return ("blob", uuid.UUID(value).bytes)
        if kind in ("Binary", "Transformable"):
            return ("blob", (b"\1" if external else b"") + base64.b64decode(value, validate=True))
        return ("text", value.encode())
    (tag, content), = value.items()
    if tag == "$integer":
        return ("integer", content)
    if tag == "$real":
        return ("real", float(content))
    if tag == "$text" and isinstance(content, str):
        return ("text", content.encode())
    if tag in ("$text", "$text64"):
        return ("text", place(content, entries, part))
    if tag == "$blob":
        return ("blob", place(content, entries, part))
    if tag == "$bytes":
        return ("blob", (b"\1" if external else b"") + place(content, entries, part))
    if tag == "$external":
        return ("blob", b"\2" + content.encode() + b"\0")
    raise Damaged(f"unknown tag {tag}")


class Table:
    """A table of the layout, and how its lines become rows."""

    def __init__(self, shape, layout, database, reversible=True):
        self.reversible = reversible
        self.shape, self.columns, self.name = shape, shape["columns"], shape["table"]
        self.numbers = {entity["name"]: entity["number"] for entity in layout["entities"]}
        self.above = {entity["name"]: entity.get("superentity") for entity in layout["entities"]}
        keys = sorted((row[5], row[1]) for row in database.execute(f"PRAGMA table_info({quoted(self.name)})")
                      if row[5])
        self.rowid = shape.get("rowNumbers", False)
        self.keys = ["rowid"] if self.rowid else [name for _, name in keys]

    def lineage(self, entity):
        found = set()
        while entity is not None and entity not in found:
            found.add(entity)
            entity = self.above.get(entity)
        return found

    def sides(self, line, entries, part):
        """The rows before and after as dictionaries; None for no row."""
        line = json.loads(line)
        change = line.pop("$change")
        before, after = {}, {}

        def put(column, value, spread=lambda value: value):
            pair = value if change == "update" and isinstance(value, list) else [value, value]
            before[column["name"]], after[column["name"]] = (
                stored(spread(one), column, entries, part) for one in pair)

        if self.rowid:
            before["rowid"] = after["rowid"] = ("integer", line.pop("$row"))
        if self.shape["kind"] == "entity":
            self.take_object(line, put)
        elif self.shape["kind"] == "relationship":
            names = {"source": "source", "destination": "destination", "destination-order": "order",
                     "source-order": "inverseOrder"}
            for column in self.columns:
                if (name := names.get(column.get("role"))) in line:
                    put(column, line[name])
        else:
            for column in self.columns:
                name = column["name"]
                if (key := "$" + name if name.startswith("$") else name) in line:
                    put(column, line[key])
        for name, value in line.get("$columns", {}).items():
            name = name[1:] if name.startswith("$$") else name
            put({"name": name}, value)  # columns without a type
        if change != "update":
            for column in self.columns:
                before.setdefault(column["name"], ("null", None))
                after.setdefault(column["name"], ("null", None))
        if change == "replace" or change == "delete" and not self.reversible and self.keys:
            before = {name: before[name] for name in self.keys}  # nothing else is known
        return (None if change == "insert" else before), (None if change == "delete" else after)

    def take_object(self, line, put):
        entity = None if "$number" in line else line.get("$entity", self.shape["entity"])
        lineage = self.lineage(entity)
        number = lambda value: self.numbers[value["$entity"]] if "$entity" in value else value.get("$number")
        for column in self.columns:
            role, name = column.get("role"), column.get("relationship")
            mine = column.get("entity") in lineage
            if role == "primary-key":
                put(column, line["$pk"])
            elif role == "entity-number":
                put(column, line["$number"] if entity is None else self.numbers[entity])
            elif role == "version" and "$opt" in line:
                put(column, line["$opt"])
            elif role == "attribute" and mine:
                value = line
                for key in column["path"]:
                    value = value.get("$" + key if key.startswith("$") else key, put) \
                        if isinstance(value, dict) else put
                if value is not put:
                    put(column, value)
            elif role in ("to-one", "to-one-entity") and mine:
                key = "$" + name if name.startswith("$") else name
                if key not in line:
                    continue
                several = any(other.get("role") == "to-one-entity" and other["relationship"] == name
                              and other["entity"] == column["entity"] for other in self.columns)
                if role == "to-one-entity":
                    put(column, line[key], lambda value: number(value) if value else None)
                elif several:
                    put(column, line[key], lambda value: value.get("$pk") if value else None)
                else:
                    put(column, line[key])
            elif role in ("order", "owner", "owner-order"):
                key = name if role == "order" else column["entity"] + "." + name
                group = line.get("$owner" if role == "owner" else "$order", {})
                if (role != "order" or mine) and key in group:
                    put(column, group[key])

    def read(self, database, key):
        """The row with a key."""
        names = [column["name"] for column in self.columns]
        results = ", ".join(f"typeof({quoted(name)}), CASE typeof({quoted(name)}) WHEN 'text' "
                            f"THEN CAST({quoted(name)} AS BLOB) ELSE {quoted(name)} END" for name in names)
        row = database.execute(f"SELECT {results} FROM {quoted(self.name)} WHERE {self.condition}",
                               [value for _, value in key]).fetchone()
        return row and {name: (row[2 * i], row[2 * i + 1]) for i, name in enumerate(names)}

    @property
    def condition(self):
        return " AND ".join(f"{key if self.rowid else quoted(key)} IS ?" for key in self.keys)

    def apply(self, lines, database, reverse):
        """Take every row that changes away, then insert those that are there afterwards."""
        inserted = []
        for before, after in lines:
            if reverse:
                before, after = after, before
            new = after
            if before is not None:
                key = [before[name] for name in self.keys]
                row = self.read(database, key)
                if row is None or any(not same(row[name], value) for name, value in before.items()
                                      if name in row):
                    raise Damaged(f"{self.name} {key}: not as it is before the changes")
                database.execute(f"DELETE FROM {quoted(self.name)} WHERE {self.condition}",
                                 [value for _, value in key])
                new = after and {**row, **after}
            if new is not None:
                inserted.append(new)
        for row in inserted:
            names = list(row)
            marks = ", ".join("CAST(? AS TEXT)" if row[name][0] == "text" else "?" for name in names)
            columns = ", ".join(name if name == "rowid" else quoted(name) for name in names)
            database.execute(f"INSERT INTO {quoted(self.name)} ({columns}) VALUES ({marks})",
                             [row[name][1] for name in names])


def same(one, other):
    if one[0] == "real" and other[0] == "real":
        return one[1] == other[1] and math.copysign(1, one[1]) == math.copysign(1, other[1])
    return one == other


def companion(place, name):
    """The name of a folder beside a store: NAME is the store's name without its extension, FILE with it."""
    hidden = "." if place.startswith(".") else ""
    place = place.removeprefix(".")
    return hidden + (os.path.splitext(name)[0] if place.startswith("NAME") else name) + place[4:]


def path_of(entry, store):
    folder, name = os.path.split(store)
    kind, _, rest = entry.partition("/")
    rest = urllib.parse.unquote(rest)
    if kind == "beside":
        place, _, inner = rest.partition("/")
        return os.path.join(folder, companion(place, name), inner)
    support = os.path.join(folder, f".{os.path.splitext(name)[0]}_SUPPORT")
    return os.path.join(support, "_EXTERNAL_DATA" if kind == "external" else "", rest)


def change_files(entries, store, reverse, states, changes):
    for name in states.get("removed", []):
        os.remove(path_of(name, store))
    for file in states.get("elsewhere", []):
        vault = os.path.dirname(os.path.dirname(os.path.abspath(changes)))
        with open(os.path.join(vault, "external", file["sha256"]), "rb") as content:
            entries["after/" + file["name"]] = content.read()
        if hashlib.sha256(entries["after/" + file["name"]]).hexdigest() != file["sha256"]:
            raise Damaged(f"{file['name']}: the file elsewhere has another content")
    sides = ("after/", "before/") if reverse else ("before/", "after/")
    for side, prefix in enumerate(sides):
        for entry, content in entries.items():
            if not entry.startswith(prefix):
                continue
            path = path_of(entry.removeprefix(prefix), store)
            if side == 0:
                with open(path, "rb") as file:
                    if file.read() != content:
                        raise Damaged(f"{path}: not as it is before the changes")
                os.remove(path)
            else:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "xb") as file:
                    file.write(content)


def main(path, store, reverse=False):
    entries = READER["read_entries"](path)
    READER["verify"](entries, READER["check_members"](path))
    if json.loads(entries["manifest.json"]).get("kind") != "changes":
        raise Damaged("this is no file of changes")
    layout, states = json.loads(entries["store/layout.json"]), json.loads(entries["changes.json"])
    reversible = states.get("reversible", True)
    if reverse and not reversible:
        raise Damaged("the changes have no values before")
    database = sqlite3.connect(store, isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        database.execute(f"DROP TRIGGER {quoted(name)}")
    tables = sorted(layout["tables"], key=lambda shape: shape["table"].lower().startswith("sqlite_"))
    sequence = [shape for shape in tables if shape["table"] == "sqlite_sequence"]
    saved = database.execute("SELECT rowid, name, seq FROM sqlite_sequence").fetchall() if sequence else []
    for shape in tables:
        if shape in sequence:
            database.execute("DELETE FROM sqlite_sequence")
            database.executemany("INSERT INTO sqlite_sequence (rowid, name, seq) VALUES (?, ?, ?)", saved)
        table, lines = Table(shape, layout, database, reversible), []
        if shape["folder"] in states.get("whole", []):
            database.execute(f"DELETE FROM {quoted(table.name)}")
        parts = [name for name in entries if name.startswith(shape["folder"] + "/")
                 and name.endswith(".ndjson")]
        for name in sorted(parts, key=lambda name: (len(name), name)):
            for line in entries[name].decode().removesuffix("\n").split("\n"):
                lines.append(table.sides(line, entries, name.removesuffix(".ndjson")))
        table.apply(lines, database, reverse)
    for _, sql in triggers:
        database.execute(sql)
    change_files(entries, store, reverse, states, path)
    before, after = states["before"], states["after"]
    settings = before if reverse else after
    if before != after:
        database.execute(f"PRAGMA user_version = {settings['userVersion']}")
        database.execute(f"PRAGMA application_id = {settings['applicationID']}")
    database.execute("COMMIT")
    if before["journalMode"] != after["journalMode"]:
        database.execute(f"PRAGMA journal_mode = {settings['journalMode']}")
    database.close()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["-r"]):
        sys.exit(__doc__)
    try:
        main(sys.argv[1], sys.argv[2], reverse=len(sys.argv) == 4)
    except (Damaged, OSError, EOFError, ValueError, KeyError, IndexError, sqlite3.Error) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
