#!/usr/bin/env python3
"""Stands in for judge.m where there is no Core Data, to test the comparison and the stores that it is given.

Takes the same arguments and writes the same files. Reads `coffer tables export --format ndjson`, which shares neither
statements nor printing with `coffer show`, and saves by SQL: a tag is added, and the color of one is changed. So
it says nothing about what Core Data accepts. COFFER is the program; STAND_IN_STORE names a store that is read
instead, with differences to be found.
"""
import base64
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

COFFER = os.environ.get("COFFER", "coffer")


def lines(text):
    return [json.loads(line) for line in text.split("\n") if line]


def inherited(entities, name, kind):
    above = entities[name]["superentity"]
    return (inherited(entities, above, kind) if above else []) + entities[name][kind]


def root(entities, name):
    while entities[name]["superentity"]:
        name = entities[name]["superentity"]
    return name


class Tables:
    def __init__(self, store, folder):
        command = [COFFER, "tables", "export", store, folder, "--format", "ndjson", "-q"]
        exported = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if exported.returncode not in (0, 3):  # 3: an external file is missing, which is to be found.
            sys.exit(exported.stderr)
        inspected = subprocess.run([COFFER, "inspect", store, "--json"], check=True, capture_output=True, text=True)
        self.folder = folder
        self.entities = {e["name"]: e for e in lines(inspected.stdout) if e["type"] == "entity"}
        self.records = {name: self.read(name) for name in self.entities}
        # Keys are unique among the entities of a table.
        self.names = {(root(self.entities, name), record["id"]): f"{name}/p{record['id']}"
                      for name, records in self.records.items() for record in records}

    def read(self, name):
        path = os.path.join(self.folder, name + ".ndjson")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return lines(file.read())

    def name(self, entity, key):
        return None if key is None else self.names.get((root(self.entities, entity), key), f"{entity}/p{key} (missing)")

    def pairs(self):
        """Lists of (position, destination) by the object and the name of a to-many relationship."""
        found = {}
        for entity in self.entities:
            for relationship in self.entities[entity]["relationships"]:
                name, inverse = relationship["name"], relationship["inverse"]
                destination = relationship["destination"]
                for pair in self.read(f"{entity}.{name}"):
                    ends = self.name(entity, pair["source"]), self.name(destination, pair["destination"])
                    found.setdefault((ends[0], name), []).append((pair.get("position") or 0, ends[1]))
                    if inverse:  # One that is its own inverse may have a pair in one direction or in both.
                        found.setdefault((ends[1], inverse), []).append((pair.get("inverse.position") or 0, ends[0]))
        for entity, records in self.records.items():
            for record in records:
                here = self.name(entity, record["id"])
                for relationship in inherited(self.entities, entity, "relationships"):
                    name, inverse = relationship["name"], relationship["inverse"]
                    if not relationship["toMany"] and inverse and record.get(name) is not None:
                        there = self.name(relationship["destination"], record[name])
                        found.setdefault((there, inverse), []).append((record.get(f"{name}.position") or 0, here))
                # A to-many relationship without an inverse is in the records of its destinations.
                for key in record:
                    owner, dot, name = key.partition(".")
                    if dot and owner in self.entities and "." not in name and record[key] is not None:
                        there = self.name(owner, record[key])
                        found.setdefault((there, name), []).append((record.get(f"{key}.position") or 0, here))
        return {key: [name for _, name in sorted(set(pairs))] for key, pairs in found.items()}

    def value(self, attribute, record, column, path):
        value = record.get(column)
        if attribute["type"] == "Composite":
            return {e["name"]: self.value(e, record, f"{column}.{e['name']}", f"{path}.{e['name']}")
                    for e in attribute["elements"]}
        if attribute["type"] not in ("Binary", "Transformable"):
            return value
        file = record.get(f"{column}.file")
        if file and os.path.exists(os.path.join(self.folder, file)):
            with open(os.path.join(self.folder, file), "rb") as external:
                data = external.read()
        elif value is None:
            return None
        else:
            data = base64.b64decode(value)
        with open(path + ".bin", "wb") as out:
            out.write(data)
        return {"bytes": len(data)}

    def write(self, folder):
        data = os.path.join(folder, "data")
        os.makedirs(data)
        pairs = self.pairs()
        with open(os.path.join(folder, "objects.jsonl"), "w", encoding="utf-8") as out:
            for entity, records in self.records.items():
                for record in records:
                    name = self.name(entity, record["id"])
                    path = os.path.join(data, name.replace("/", "-"))
                    attributes = {a["name"]: self.value(a, record, a["name"], f"{path}.{a['name']}")
                                  for a in inherited(self.entities, entity, "attributes") if not a["transient"]}
                    relationships = {r["name"]: pairs.get((name, r["name"]), []) if r["toMany"]
                                     else self.name(r["destination"], record.get(r["name"]))
                                     for r in inherited(self.entities, entity, "relationships")}
                    line = {"type": "object", "entity": entity, "object": name, "attributes": attributes,
                            "relationships": relationships}
                    out.write(json.dumps(line) + "\n")


def save(store):
    database = sqlite3.connect(store)
    number, key = database.execute("SELECT Z_ENT, Z_MAX + 1 FROM Z_PRIMARYKEY WHERE Z_NAME = 'TagEntity'").fetchone()
    changed = database.execute("SELECT min(Z_PK) FROM ZTAGENTITY").fetchone()[0]
    database.execute("UPDATE ZTAGENTITY SET ZCOLOR = ZCOLOR + 1, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?", (changed,))
    database.execute("INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZCOLOR, ZNAME) VALUES (?, ?, 1, 0, 'judged')",
                     (key, number))
    database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", (key, number))
    database.commit()
    print(f"inserted TagEntity/p{key}")
    print(f"changed TagEntity/p{changed} color" if changed is not None else "changed -")


task, store = sys.argv[1:3]
if task == "dump":
    with tempfile.TemporaryDirectory() as folder:
        Tables(os.environ.get("STAND_IN_STORE", store), os.path.join(folder, "tables")).write(sys.argv[4])
elif task == "save":
    save(store)
