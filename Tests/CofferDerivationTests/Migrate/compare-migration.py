#!/usr/bin/env python3
"""Did a migration keep every value that both models have?

usage: compare-migration.py ORACLES OLD NEW OLDMODEL NEWMODEL
ORACLES is the folder of the independent decoders. A model is - for the copy in the store, else an .xcdatamodel or a .mom.
Reads both stores with sqlite3, decides by itself which entity and property is which, prints every difference and
a line of counts; ends with 1 where there is a difference.
"""
import os, plistlib, sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import ddl, modelcache, mom, xcmodel


def load(store, model):
    if model == "-":
        return modelcache.load_store(store)
    return mom.load_mom(model) if model.endswith(".mom") else xcmodel.load(model)


class Side:
    def __init__(self, path, model):
        self.model = load(path, model)
        self.db = modelcache.open_copy(path)
        self.db.text_factory = bytes
        text = lambda v: v.decode() if isinstance(v, bytes) else v
        rows = self.db.execute("select Z_ENT, Z_NAME from Z_PRIMARYKEY where Z_ENT < 16000").fetchall()
        names = {e["name"] for e in self.model["entities"]}
        renamed = {(e.get("renamingID") or e["name"]): e["name"] for e in self.model["entities"]}
        self.ents = {}
        for number, name in rows:
            name = text(name)
            self.ents[name if name in names else renamed.get(name, name)] = number
        plist = plistlib.loads(self.db.execute("select Z_PLIST from Z_METADATA").fetchone()[0])
        self.plist = plist
        self.uuid = text(self.db.execute("select Z_UUID from Z_METADATA").fetchone()[0])
        hints = {}
        for name, sql in self.db.execute("select name, sql from sqlite_master where type = 'table' and name like 'Z%'"):
            hints[text(name)] = [x.split()[0].strip('"') for x in ddl.cols(text(sql))]
        self.hints = hints
        self.layout = ddl.Store(self.model, self.ents, plist.get("NSPersistenceFrameworkVersion", 0), hints)
        self.E = {e["name"]: e for e in self.model["entities"]}
        self.objects = {}
        self.read()

    def lineage(self, name):
        while name:
            yield name
            name = self.E[name]["super"]

    def properties(self, name):
        """Stored properties of an entity with inherited ones: name -> (declarer, property)."""
        found = {}
        for e in self.lineage(name):
            for p in self.E[e]["properties"]:
                if not p.get("inherited") and not p["transient"] and p["kind"] in (
                        "attribute", "derived", "composite", "relationship"):
                    found.setdefault(p["name"], (e, p))
        return found

    def read(self):
        numbers = {n: e for e, n in self.ents.items()}
        late = []
        for root in [n for n in self.E if not self.E[n]["super"]]:
            table = "Z" + root.upper()
            have = {c.upper() for c in self.hints.get(table, [])}
            for row in self.cursor('select * from "%s"' % table):
                entity = numbers[row["Z_ENT"]]
                values, links = {}, {}
                for name, (declarer, p) in self.properties(entity).items():
                    if p["kind"] == "relationship":
                        if not p["toMany"]:
                            links[name] = row[self.layout.col[(declarer, name)].upper()]
                        continue
                    for path, leaf in ddl.flat(p):
                        values[path] = row[self.layout.col[(declarer, path)].upper()]
                self.objects[(root, row["Z_PK"])] = {
                    "entity": entity, "values": values, "links": links, "version": row["Z_OPT"], "row": row}
        for (root, key), found in self.objects.items():
            for name, (declarer, p) in self.properties(found["entity"]).items():
                if p["kind"] == "relationship" and p["toMany"]:
                    late.append((found, key, name, declarer, p))
        index = {}
        for found, key, name, declarer, p in late:
            where = (declarer, name)
            if where not in index:
                index[where] = self.pairs(declarer, p)
            found["links"][name] = index[where].get(key, [])

    def cursor(self, sql):
        c = self.db.execute(sql)
        names = [d[0].upper() for d in c.description]
        for row in c:
            yield dict(zip(names, row))

    def pairs(self, declarer, p):
        """Owner key -> keys of destinations, in their order where they have one."""
        pairs = []
        inverse = self.layout.inv(p)
        if inverse is None:
            table = self.layout.table(p["destination"])
            column = self.layout.col[("$uni", declarer, p["name"])].upper()
            order = self.layout.col.get(("$unifok", declarer, p["name"]), "Z_PK").upper()
            for row in self.cursor('select * from "%s"' % table):
                pairs.append((row[column], row[order], row["Z_PK"]))
        elif not inverse["toMany"]:
            owner = self.layout.owner(p["destination"], p["inverse"])
            table = self.layout.table(owner)
            column = self.layout.col[(owner, inverse["name"])].upper()
            order = self.layout.col.get(("$fok", owner, inverse["name"]), "Z_PK").upper() if p["ordered"] else "Z_PK"
            for row in self.cursor('select * from "%s"' % table):
                pairs.append((row[column], row[order], row["Z_PK"]))
        else:
            owner = self.layout.owner(p["destination"], p["inverse"])
            for table, join in self.layout.join.items():
                sides = (join["first"], join["second"])
                if (declarer, p["name"]) not in sides or (owner, inverse["name"]) not in sides:
                    continue
                mine, other = join["pk"]
                if join["first"] != (declarer, p["name"]):
                    mine, other = other, mine
                order = "Z_FOK_" + other[2:] if p["ordered"] else other
                for row in self.cursor('select * from "%s"' % table):
                    pairs.append((row[mine.upper()], row[order.upper()], row[other.upper()]))
        found = {}
        for key, place, destination in sorted((x for x in pairs if x[0] is not None), key=lambda x: (x[0], x[1] or 0, x[2])):
            found.setdefault(key, []).append(destination)
        return found


def match(new, old):
    """new name -> old name, for lists of (name, renaming identifier)."""
    result, free = {}, dict(old)
    for name, identifier in new:
        same = [o for o in free if free[o] == identifier]
        pick = name if name in same else same[0] if len(same) == 1 else None
        if pick is None and identifier in free: pick = identifier
        if pick is None and name in free and identifier == name: pick = name
        if pick is not None:
            result[name] = pick
            del free[pick]
    return result


def main():
    old, new = Side(sys.argv[2], sys.argv[4]), Side(sys.argv[3], sys.argv[5])
    differences, counts = [], {"objects": 0, "values": 0, "links": 0, "added": 0}
    def differ(text): differences.append(text)
    ids = lambda items: sorted((i["name"], i.get("renamingID") or i["name"]) for i in items)
    entities = match(ids(new.E.values()), ids(old.E.values()))
    back = {o: n for n, o in entities.items()}
    roots = {}
    for name in new.E:
        if name in entities:
            roots[old.layout.root(entities[name])] = roots.get(old.layout.root(entities[name]), set()) | {new.layout.root(name)}
    if old.uuid != new.uuid: differ("UUID")
    own = lambda p: {k: v for k, v in p.items() if not k.startswith(("NSStore", "NSPersisten", "_NS")) and k != "migrationManagerClass"}
    if own(old.plist) != own(new.plist): differ("metadata of the app")
    kept = {}
    for (root, key), o in old.objects.items():
        if o["entity"] not in back: continue
        place = (new.layout.root(back[o["entity"]]), key)
        kept[(root, key)] = place
        n = new.objects.get(place)
        if n is None:
            differ("%s %d is missing" % (o["entity"], key)); continue
        counts["objects"] += 1
        if n["entity"] != back[o["entity"]]: differ("%s %d is %s" % (o["entity"], key, n["entity"]))
        if n["version"] != o["version"]: differ("%s %d has version %s" % (o["entity"], key, n["version"]))
    for place in new.objects:
        if place not in set(kept.values()): differ("%s %d is new" % place)
    matches = {}
    for (root, key), place in kept.items():
        o, n = old.objects[(root, key)], new.objects.get(place)
        if n is None: continue
        before, after = old.properties(o["entity"]), new.properties(n["entity"])
        if n["entity"] not in matches:
            matches[n["entity"]] = match(ids(p for _, p in after.values()), ids(p for _, p in before.values()))
        names = matches[n["entity"]]
        label = "%s %d" % (n["entity"], key)
        for name, (_, p) in after.items():
            was = names.get(name)
            q = before[was][1] if was else None
            if p["kind"] != "relationship":
                if q is None:
                    counts["added"] += 1
                    v = n["values"].get(name)
                    d = p.get("default")
                    if p["kind"] == "attribute" and (v is None) != (d is None): differ("%s.%s: not its default" % (label, name))
                    elif isinstance(d, (bool, int, float)) and v != d: differ("%s.%s: not its default" % (label, name))
                    elif isinstance(d, str) and isinstance(v, bytes) and v != d.encode(): differ("%s.%s: not its default" % (label, name))
                    continue
                for (path, leaf), (oldPath, _) in zip(ddl.flat(p), ddl.flat(q)):
                    counts["values"] += 1
                    x, y = o["values"][oldPath], n["values"][path]
                    if x is None and y is not None and q["optional"] and not p["optional"]: continue
                    if q["externalStorage"] != p["externalStorage"] and x is not None:
                        if p["externalStorage"] and y == b"\x01" + x: continue
                        if not p["externalStorage"] and x[:1] == b"\x01" and y == x[1:]: continue
                        if not p["externalStorage"] and x[:1] == b"\x02":
                            f = os.path.join(os.path.dirname(sys.argv[2]), "." + os.path.splitext(os.path.basename(sys.argv[2]))[0] + "_SUPPORT", "_EXTERNAL_DATA", x[1:37].decode())
                            if open(f, "rb").read() == y: continue
                    # An integer that is kept as a double, where the type of the attribute asks for it.
                    if q["type"] != p["type"] and isinstance(x, int) and isinstance(y, float) and x == y: continue
                    if type(x) != type(y) or x != y: differ("%s.%s: %r became %r" % (label, path, x, y))
                continue
            if q is None: continue
            counts["links"] += 1
            oldRoot = old.layout.root(q["destination"])
            there = lambda k: k is not None and ((oldRoot, k) not in old.objects or (oldRoot, k) in kept)
            x, y = o["links"][was], n["links"][name]
            x = [k for k in (x if isinstance(x, list) else [x]) if there(k)]
            y = y if isinstance(y, list) else [y] if y is not None else []
            if p["ordered"] and q["ordered"]: same = x == y
            elif p["ordered"]: same = sorted(x) == y
            else: same = sorted(x) == sorted(y)
            if not same: differ("%s.%s: %r became %r" % (label, name, x, y))
    for text in differences[:50]: print(text)
    print("compared %(objects)d objects, %(values)d values, %(links)d references, %(added)d added" % counts)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
