#!/usr/bin/env python3
"""Does an SQLite store have the objects of an XML store?

usage: compare-xml-store.py XML STORE
Knows neither the model nor the program: a table or column is found by its name in capitals, an entity by its row in
Z_PRIMARYKEY. Entities of one table can have columns of one name, with a number behind it: one of them has values.
Prints every difference and a line of counts; ends with 1 where there is a difference.
"""
import base64, plistlib, sqlite3, sys
from xml.etree import ElementTree


def main():
    root = ElementTree.parse(sys.argv[1]).getroot()
    db = sqlite3.connect("file:%s?mode=ro" % sys.argv[2].replace("?", "%3f"), uri=True)
    differences, counts = [], {"objects": 0, "values": 0, "references": 0}
    entities = {name.upper(): (number, parent) for number, name, parent in
                db.execute("select Z_ENT, Z_NAME, Z_SUPER from Z_PRIMARYKEY")}
    numbers = {number: name for name, (number, _) in entities.items()}

    def table(name):
        while entities[name][1]: name = numbers[entities[name][1]]
        return "Z" + name

    rows = {}
    for name in {table(n) for n in entities}:
        cursor = db.execute('select * from "%s"' % name)
        columns = [d[0] for d in cursor.description]
        for row in cursor: rows[(name, row[0])] = dict(zip(columns, row))
    found = {}

    def column(kind, name):
        """The column of a property of an entity: the only one of its name, or the one with values."""
        if (kind, name) not in found:
            own = [row for (t, _), row in rows.items() if numbers[row["Z_ENT"]] == kind]
            names = [c for c in (own[0] if own else {}) if c.rstrip("0123456789") == "Z" + name.upper()]
            used = [c for c in names if any(row[c] is not None for row in own)]
            if len(used) > 1: differences.append("%s.%s is in %s" % (kind, name, used))
            found[(kind, name)] = (used or names or [None])[0]
        return found[(kind, name)]

    for o in root.iter("object"):
        for p in o: column(o.get("type"), p.get("name"))
    for name in ("mappingmodel", "entitymapping"):
        for kind in entities: column(kind, name)
    info = root.find("databaseInfo")
    uuid, plist = db.execute("select Z_UUID, Z_PLIST from Z_METADATA").fetchone()
    if info.findtext("UUID") != uuid: differences.append("the UUID is %s" % uuid)
    hashes = plistlib.loads(plist).get("NSStoreModelVersionHashes")
    text = ElementTree.tostring(info.find("metadata").find("plist"))
    wanted = plistlib.loads(b'<?xml version="1.0"?>' + text).get("NSStoreModelVersionHashes")
    if hashes != wanted: differences.append("the version hashes differ")
    key = lambda text: int(text[1:])
    types = {key(o.get("id")): o.get("type") for o in root.iter("object")}
    for o in root.iter("object"):
        place = (table(o.get("type")), key(o.get("id")))
        row = rows.pop(place, None)
        if row is None:
            differences.append("%s %s is missing" % (o.get("type"), o.get("id")))
            continue
        counts["objects"] += 1
        if numbers[row["Z_ENT"]] != o.get("type"): differences.append("%s is a %s" % (o.get("id"), numbers[row["Z_ENT"]]))
        filled = {c for c, v in row.items() if v is not None and not c.startswith("Z_")}
        for a in o.findall("attribute"):
            counts["values"] += 1
            at, text = column(o.get("type"), a.get("name")), a.text or ""
            value = base64.b64decode(text) if a.get("type") == "binary" else text if a.get("type") == "string" else int(text)
            filled.discard(at)
            if row[at] != value: differences.append("%s.%s: %r" % (o.get("id"), a.get("name"), row[at]))
        for r in o.findall("relationship"):
            counts["references"] += 1
            ids = [key(i) for i in (r.get("idrefs") or "").split()]
            if r.get("type") == "1/1":
                at = column(o.get("type"), r.get("name"))
                filled.discard(at)
                if [row[at]] != (ids or [None]): differences.append("%s.%s: %r" % (o.get("id"), r.get("name"), row[at]))
                continue
            # The other side has the column: each of its rows that leads here is listed.
            name = {"entitymappings": "mappingmodel"}.get(r.get("name"), "entitymapping")
            back = column(r.get("destination"), name)
            there = sorted(x["Z_PK"] for (t, _), x in all_rows(db, table(r.get("destination")))
                           if types[x["Z_PK"]] == r.get("destination") and x[back] == place[1])
            if there != sorted(ids): differences.append("%s.%s: %r" % (o.get("id"), r.get("name"), there))
        if filled: differences.append("%s also has %s" % (o.get("id"), sorted(filled)))
    for place in rows: differences.append("%s %d is new" % place)
    for text in differences[:50]: print(text)
    print("compared %(objects)d objects, %(values)d values, %(references)d references" % counts)
    sys.exit(1 if differences else 0)


cache = {}


def all_rows(db, name):
    if name not in cache:
        cursor = db.execute('select * from "%s"' % name)
        columns = [d[0] for d in cursor.description]
        cache[name] = [((name, row[0]), dict(zip(columns, row))) for row in cursor]
    return cache[name]


main()
