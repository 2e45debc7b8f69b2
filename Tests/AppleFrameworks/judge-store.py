#!/usr/bin/env python3
"""Compares what a judge reads in stores with `coffer show`, and lets it save.

usage: judge-store.py COFFER JUDGE STORE... [--model MODEL]

COFFER is the program. JUDGE is judge.m, compiled, or stand-in.py. Works on copies. The model is the store's own
copy, which is a compiled model behind raw deflate: no source that would have to be compiled first, and no
version hash that could differ. MODEL is for stores that have no copy. Prints a line for each store, then the
differences by object and property. Ends with 3 if there are any.
"""
import argparse
import concurrent.futures
import datetime
import fractions
import glob
import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zlib


class Failure(Exception):
    pass


def run(*command, statuses=(0,)):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode not in statuses:
        name = os.path.basename(command[0]) + " " + command[1]
        raise Failure(f"{name} ended with {result.returncode}: {(result.stderr or result.stdout).strip()}")
    return result.stdout


def lines(text):
    return [json.loads(line) for line in text.split("\n") if line]


class Entities:
    """The entities of a store with the properties that they inherit."""

    def __init__(self, coffer, store):
        self.all = {e["name"]: e for e in lines(run(coffer, "inspect", store, "--json")) if e["type"] == "entity"}
        self.concrete = [name for name, entity in self.all.items() if not entity["abstract"]]

    def properties(self, name, kind):
        found = {}
        while name:
            found.update((p["name"], p) for p in self.all[name][kind] if not p.get("transient"))
            name = self.all[name]["superentity"]
        return found

    def with_bytes(self):
        """The root entities in whose trees there may be binary data."""
        found = set()
        for name, entity in self.all.items():
            if re.search("'type': '(Binary|Transformable)'", str(entity["attributes"])):
                while self.all[name]["superentity"]:
                    name = self.all[name]["superentity"]
                found.add(name)
        return found


def coffers_dump(coffer, store, entities, folder):
    """The objects by name, of which each to-many relationship is followed; the binary data goes to the folder."""
    objects = {}
    for name in entities.concrete:
        show = [coffer, "show", store, name, "--raw", "--json", "--limit", "0"]
        to_many = [r["name"] for r in entities.properties(name, "relationships").values() if r["toMany"]]
        for line in lines(run(*show, *(word for r in to_many for word in ("--follow", r)))):
            if line["type"] == "object" and line["entity"] == name:
                objects[line["object"]] = line
    for name in entities.with_bytes():
        show = [coffer, "show", store, name, "--raw", "--json", "--limit", "0"]
        run(*show, "--output-folder", os.path.join(folder, name), statuses=(0, 3))
    return objects


def seconds(text):
    """The seconds since 2001 of an instant, as the nearest double."""
    whole, fraction = re.fullmatch(r"(.*T\d\d:\d\d:\d\d)(\.\d+)?Z", text).groups()
    span = datetime.datetime.fromisoformat(whole) - datetime.datetime(2001, 1, 1)
    return float(span.days * 86400 + span.seconds + fractions.Fraction("0" + (fraction or ".0")))


def normal(attribute, value):
    """A form of the value that is the same on both sides. Bytes are compared as files."""
    kind = attribute["type"]
    if value is None:
        return None
    if isinstance(value, dict) and "$real" in value:
        return value["$real"]
    if kind == "Composite":
        parts = {e["name"]: normal(e, value.get(e["name"])) for e in attribute["elements"]}
        return {name: part for name, part in parts.items() if part is not None} or None
    if kind in ("Binary", "Transformable"):
        return "binary data"
    if kind == "Date":
        return seconds(value) if isinstance(value, str) else float(value)
    if kind == "Decimal":  # A double in the store, of which Core Data makes a decimal number.
        return float(f"{float(value):.14g}")
    if kind == "Float":
        return struct.unpack("f", struct.pack("f", float(value)))[0]
    return float(value) if kind == "Double" else value


def destinations(relationship, value):
    return sorted(value) if relationship["toMany"] and not relationship["ordered"] else value


def contents(folder):
    """The bytes of binary data by name: `Entity-pKEY.attribute.bin`."""
    found = {}
    for path in glob.glob(os.path.join(glob.escape(folder), "**", "*.bin"), recursive=True):
        with open(path, "rb") as file:
            found[os.path.basename(path)] = file.read()
    return found


def differences(entities, ours, theirs, folder, their_folder):
    for name in sorted(ours.keys() - theirs.keys()):
        yield f"{name}: the judge does not find it"
    for name in sorted(theirs.keys() - ours.keys()):
        yield f"{name}: only the judge finds it"
    for name in sorted(ours.keys() & theirs.keys()):
        our, their = ours[name], theirs[name]
        for key, attribute in entities.properties(our["entity"], "attributes").items():
            pair = [normal(attribute, side["attributes"].get(key)) for side in (our, their)]
            if pair[0] != pair[1]:
                yield f"{name}.{key}: {pair[0]!r}, and the judge has {pair[1]!r}"
        for key, relationship in entities.properties(our["entity"], "relationships").items():
            pair = [destinations(relationship, side["relationships"][key]) for side in (our, their)]
            if pair[0] != pair[1]:
                same = relationship["toMany"] and sorted(pair[0]) == sorted(pair[1])
                yield f"{name}.{key}: {pair[0]}, and the judge has {'another order: ' * same}{pair[1]}"
    ours, theirs = contents(folder), contents(their_folder)
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            sizes = [f"{len(side[name])} bytes" if name in side else "none" for side in (ours, theirs)]
            yield f"{name.removesuffix('.bin')}: other bytes: {sizes[0]}, and the judge has {sizes[1]}"


class Case:
    """One store, in a folder of its own, and the model that is read from it."""

    def __init__(self, coffer, judge, store, model, folder):
        self.coffer, self.judge, self.folder = coffer, judge, folder
        name = os.path.basename(store)
        self.store = os.path.join(folder, name)
        for path in glob.glob(glob.escape(store) + "*"):
            if path[len(store):] in ("", "-wal"):
                shutil.copy(path, self.store + path[len(store):])
        support = f".{os.path.splitext(name)[0]}_SUPPORT"
        if os.path.isdir(os.path.join(os.path.dirname(store), support)):
            shutil.copytree(os.path.join(os.path.dirname(store), support), os.path.join(folder, support))
        database = sqlite3.connect(self.store)
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        self.history = ["--history"] if "ATRANSACTION" in tables else []
        if model is None:
            if "Z_MODELCACHE" not in tables:
                raise Failure("the store has no copy of its model: give one with --model")
            model = os.path.join(folder, "Model.mom")
            with open(model, "wb") as file:
                file.write(zlib.decompress(database.execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()[0], -15))
        database.close()
        self.model = model
        self.entities = Entities(coffer, self.store)

    def compare(self, name):
        """Both dumps, coffer's first: it reads what is there before the judge opens it."""
        ours, theirs = (os.path.join(self.folder, f"{name}-{side}") for side in ("coffer", "judge"))
        os.mkdir(ours)
        objects = coffers_dump(self.coffer, self.store, self.entities, ours)
        run(self.judge, "dump", self.store, self.model, theirs, *self.history)
        with open(os.path.join(theirs, "objects.jsonl"), encoding="utf-8") as file:
            judged = {line["object"]: line for line in lines(file.read())}
        return objects, list(differences(self.entities, objects, judged, ours, theirs))

    def try_saving(self, before):
        """Lets the judge save. What it says that it did must be all that is new, and the store valid."""
        output = run(self.judge, "save", self.store, self.model, *self.history)
        said = dict(line.split(" ", 1) for line in output.splitlines())
        after, problems = self.compare("after")
        if after.keys() - before.keys() != {said["inserted"]} - {"-"} or before.keys() - after.keys():
            problems.append(f"after inserting {said['inserted']}, there are other objects than expected")
        if said["changed"] != "-":
            name, key = said["changed"].split(" ")
            attribute = self.entities.properties(after[name]["entity"], "attributes")[key]
            if attribute["type"] not in ("Binary", "Transformable") and (
                    before[name]["attributes"][key] == after[name]["attributes"][key]):
                problems.append(f"{name}.{key}: the change is not there")
        found = lines(run(self.coffer, "verify", self.store, "--json", statuses=(0, 3)))
        problems += [f"after saving: {f.get('object', f.get('entity', 'store'))}: {f['code']}: {f['message']}"
                     for f in found if f["type"] == "finding" and f["severity"] == "error"]
        return f"inserted {said['inserted']}, changed {said['changed'].replace(' ', '.')}", problems


def verdict(store, options):
    """The line of a store and what is wrong with it."""
    name, saved = os.path.basename(store), "nothing saved"
    with tempfile.TemporaryDirectory() as folder:
        try:
            case = Case(options.coffer, options.judge, store, options.model, folder)
            objects, problems = case.compare("before")
            if not problems:
                saved, problems = case.try_saving(objects)
            outcome = f"{len(objects)} objects, {saved}"
        except Failure as failure:
            outcome, problems = "not judged", [str(failure)]
    return f"{'FAILED' if problems else 'ok'} {name}: {outcome}", problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("coffer")
    parser.add_argument("judge")
    parser.add_argument("stores", nargs="+")
    parser.add_argument("--model")
    options = parser.parse_args()
    os.environ["COFFER"] = options.coffer
    failed = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for line, problems in pool.map(lambda store: verdict(store, options), options.stores):
            print(line, *problems, sep="\n  ", flush=True)
            failed = failed or bool(problems)
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
