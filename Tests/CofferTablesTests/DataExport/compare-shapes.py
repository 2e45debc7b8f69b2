#!/usr/bin/env python3
"""Do CSV, NDJSON and SQLite say of every object what the store says?

usage: compare-shapes.py ORACLES STORE CSV NDJSON SQLITE
ORACLES is the folder of the independent decoders; the others are the store and the folders that were written from it.
Reads the store with sqlite3 and decides by itself what each column means; prints every difference and a line of counts;
ends with 1 where there is a difference.
"""
import base64, csv, datetime, glob, json, os, sqlite3, sys, uuid

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import ddl, modelcache

csv.field_size_limit(1 << 30)
differences, counts = [], {"objects": 0, "values": 0, "pairs": 0, "files": 0}


def differ(*text):
    differences.append(" ".join(map(str, text)))


class Store:
    """The store by itself: for each entity its columns, for each object its values as they are stored."""

    def __init__(self, path):
        self.path = path
        self.db = modelcache.open_copy(path)
        self.db.text_factory = bytes
        self.model = modelcache.load_store(path)
        text = lambda v: v.decode() if isinstance(v, bytes) else v
        rows = self.db.execute("select Z_ENT, Z_NAME from Z_PRIMARYKEY where Z_ENT < 16000").fetchall()
        own = {e["name"] for e in self.model["entities"]}
        renamed = {e.get("renamingID") or e["name"]: e["name"] for e in self.model["entities"]}
        self.numbers = {n: text(x) if text(x) in own else renamed.get(text(x), text(x)) for n, x in rows}
        self.hints = {}
        for name, sql in self.db.execute("select name, sql from sqlite_master where type = 'table' and name like 'Z%'"):
            self.hints[text(name)] = [x.split()[0].strip('"') for x in ddl.cols(text(sql))]
        ents = {name: number for number, name in self.numbers.items()}
        self.layout = ddl.Store(self.model, ents, 1400, self.hints)
        self.E = {e["name"]: e for e in self.model["entities"]}
        names = {p["name"].lower() for e in self.E.values() for p in e["properties"]}
        self.key = "id" if "id" not in names else "pk" if "pk" not in names else "pk_2"

    def lineage(self, name):
        chain = []
        while name:
            chain.insert(0, name)
            name = self.E[name]["super"]
        return chain

    def own(self, entity, kinds):
        seen = set()
        for e in self.lineage(entity):
            for p in self.layout.own(e, kinds):
                if not p["transient"] and p["name"] not in seen:
                    seen.add(p["name"])
                    yield e, p

    def columns(self, entity):
        """The columns of an entity: (name, kind, stored column)."""
        col, found = self.layout.col, [(self.key, "integer", "Z_PK")]
        for e, p in self.own(entity, ("attribute", "derived", "composite")):
            for path, leaf in ddl.flat(p):
                name = ".".join(path) if isinstance(path, tuple) else path
                kind = self.kind(leaf)
                found.append((name, kind, col[(e, path)]))
                if kind == "external":
                    found.append((name + ".file", "file", col[(e, path)]))
        for e, p in self.own(entity, ("relationship",)):
            if p["toMany"]:
                continue
            found.append((p["name"], "integer", col[(e, p["name"])]))
            if ("$ent", e, p["name"]) in col:
                found.append((p["name"] + ".entity", "entity", col[("$ent", e, p["name"])]))
            if ("$fok", e, p["name"]) in col:
                found.append((p["name"] + ".position", "integer", col[("$fok", e, p["name"])]))
        for source in sorted(self.E):
            for p in self.layout.own(source, ("relationship",)):
                if not p["toMany"] or p["inverse"] or p["transient"] or p["destination"] not in self.lineage(entity):
                    continue
                found.append(("%s.%s" % (source, p["name"]), "integer", col[("$uni", source, p["name"])]))
                if p["ordered"]:
                    found.append(("%s.%s.position" % (source, p["name"]), "integer", col[("$unifok", source, p["name"])]))
        return found

    @staticmethod
    def kind(p):
        names = {100: "integer", 200: "integer", 300: "integer", 400: "decimal", 500: "real", 600: "real", 700: "text",
                 800: "boolean", 900: "date", 1000: "bytes", 1100: "uuid", 1200: "text", 1800: "bytes"}
        kind = names[p["type"]]
        return "external" if kind == "bytes" and p.get("externalStorage") else kind

    def objects(self, entity):
        number = self.layout.ent[entity]
        table = self.layout.table(entity)
        if table not in self.hints:
            return
        cursor = self.db.execute('select * from "%s" where Z_ENT = ? order by Z_PK' % table, (number,))
        names = [d[0].upper() for d in cursor.description]
        for row in cursor:
            yield dict(zip(names, row))

    def value(self, kind, stored):
        """What a stored value is, whatever the format."""
        if stored is None:
            return None
        if kind == "entity":
            return ("text", self.numbers[stored])
        if kind == "file":
            return ("text", "External/" + stored[1:37].decode()) if stored[:1] == b"\x02" else None
        if kind == "external":
            return ("bytes", stored[1:]) if stored[:1] == b"\x01" else None
        if kind == "boolean":
            return ("boolean", bool(stored))
        if kind == "date":
            return ("date", float(stored))
        if kind == "uuid":
            return ("text", str(uuid.UUID(bytes=stored)).upper())
        if kind == "bytes":
            return ("bytes", stored)
        if kind == "text":
            return ("text", stored.decode())
        return ("number", stored)


def seconds(text):
    """Seconds since 2001 of an ISO 8601 text."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    since = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S") - datetime.datetime(2001, 1, 1)
    from fractions import Fraction
    return float(Fraction(since.days * 86400 + since.seconds) + Fraction(int(fraction or 0), 10 ** len(fraction)))


def same(wanted, found, form):
    """Whether a value of an output is the wanted one; `found` is a text, a JSON value or an SQLite one."""
    if wanted is None:
        return found is None
    if found is None:
        return False
    kind, value = wanted
    if kind == "bytes":
        return (found if form == "sqlite" else base64.b64decode(found, validate=True)) == value
    if kind == "boolean":
        return found == {"csv": "true" if value else "false", "ndjson": value, "sqlite": int(value)}[form]
    if kind == "date":
        if isinstance(found, str) and "T" in found:
            return seconds(found) == value
        # No text stands for it: out of the years 0001 to 9999, or with more digits than a text has.
        return (not -63113904000 <= value < 252455616000 or abs(value) < 1e-10) and float(found) == value
    if kind == "number":
        if form == "sqlite":
            return found == value
        if form == "ndjson" and not isinstance(found, str):
            return type(found) == type(value) and found == value
        return type(value)(found) == value and (isinstance(value, float) or found == str(value))
    return found == value


def compare(store, entity, records, form):
    """The records of an entity, each a dictionary, against its objects."""
    columns = store.columns(entity)
    wanted = list(store.objects(entity))
    if len(wanted) != len(records):
        return differ(form, entity, "has", len(records), "objects in place of", len(wanted))
    for row, record in zip(wanted, records):
        counts["objects"] += 1
        if form != "sqlite" and list(record) != [c[0] for c in columns]:
            return differ(form, entity, "has the columns", list(record), "in place of", [c[0] for c in columns])
        for name, kind, stored in columns:
            counts["values"] += 1
            value = store.value(kind, row[stored.upper()])
            if not same(value, record[name], form):
                differ(form, entity, row["Z_PK"], name, repr(record[name]), "in place of", repr(value))


def read_csv(path):
    """The records of a file: NULL, which the csv module does not tell from an empty text, by a look at the quotes."""
    text = open(path, newline="", encoding="utf-8").read()
    if text.replace("\r\n", "").count("\r") and '"' not in text:
        differ(path, "has a line end that is not CRLF")
    rows, field, row, quoted, index = [], "", [], None, 0
    while index < len(text):
        c = text[index]
        if quoted is True:
            if c == '"' and text[index + 1:index + 2] == '"':
                field, index = field + '"', index + 1
            elif c == '"':
                quoted = False
            else:
                field += c
        elif c == '"':
            if field or quoted is False: differ(path, "has a quote within a field")
            quoted = True
        elif c == "," or text[index:index + 2] == "\r\n":
            row.append(None if not field and quoted is None else field)
            field, quoted = "", None
            if c != ",":
                rows.append(row)
                row, index = [], index + 1
        else:
            if quoted is False: differ(path, "has text behind a quote")
            field += c
        index += 1
    if field or row: differ(path, "does not end with a line end")
    judged = list(csv.reader(open(path, newline="", encoding="utf-8"), strict=True))
    if judged != [[x or "" for x in row] for row in rows]:
        differ(path, "is read differently by the csv module")
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def read_ndjson(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return [json.loads(line) for line in lines]


def main():
    _, _, path, csvs, ndjsons, databases = sys.argv
    store = Store(path)
    database = sqlite3.connect(glob.glob(databases + "/*.sqlite")[0])
    tables = {r[0] for r in database.execute("select name from sqlite_master")}
    expected = set()
    for entity in sorted(store.E):
        if store.layout.table(entity) not in store.hints:
            continue
        if store.E[entity]["abstract"] and not list(store.objects(entity)):
            continue
        expected.add(entity)
        compare(store, entity, read_csv("%s/%s.csv" % (csvs, entity)), "csv")
        compare(store, entity, read_ndjson("%s/%s.ndjson" % (ndjsons, entity)), "ndjson")
        many = len(list(store.layout.tree(store.layout.root(entity)))) > 1
        names = [c[0] for c in store.columns(entity)]
        where = " where entity = '%s'" % entity if many else ""
        rows = database.execute('select %s from "%s"%s order by "%s"' % (
            ", ".join('"%s"' % n for n in names), entity, where, store.key))
        compare(store, entity, [dict(zip(names, row)) for row in rows], "sqlite")
    for table, join in store.layout.join.items():
        if table not in store.hints:
            continue
        compare_pairs(store, table, join, csvs, ndjsons, database, tables, expected)
    for folder, ending in ((csvs, "csv"), (ndjsons, "ndjson")):
        found = {os.path.basename(f)[:-len(ending) - 1] for f in glob.glob("%s/*.%s" % (folder, ending))}
        if found != expected: differ(folder, "holds", sorted(found ^ expected))
    violations = database.execute("pragma foreign_key_check").fetchall()
    if violations: differ("foreign keys", violations[:5])
    compare_files(store, csvs, ndjsons, databases)
    for text in differences[:50]: print(text)
    print("compared %(objects)d objects, %(values)d values, %(pairs)d pairs, %(files)d files" % counts)
    sys.exit(1 if differences else 0)


def compare_pairs(store, table, join, csvs, ndjsons, database, tables, expected):
    """A many-to-many relationship is written once, from either end."""
    ends = [(join["first"], join["second"], join["pk"]), (join["second"], join["first"], join["pk"][::-1])]
    for (entity, name), _, (source, destination) in ends:
        part = "%s.%s" % (entity, name)
        if part in tables: break
    else:
        return differ(table, "is not written")
    expected.add(part)
    cursor = store.db.execute('select * from "%s"' % table)
    names = [d[0].upper() for d in cursor.description]
    wanted = []
    for row in cursor:
        row = dict(zip(names, row))
        pair = {"source": row[source.upper()], "destination": row[destination.upper()]}
        for key, column in (("position", destination), ("inverse.position", source)):
            stored = "Z_FOK_" + column[2:].upper()
            if stored in row: pair[key] = row[stored]
        wanted.append(pair)
    order = lambda pair: (pair["source"], pair["destination"])
    wanted.sort(key=order)
    number = lambda x: None if x is None else int(x)
    found = [{k: number(v) for k, v in r.items()} for r in read_csv("%s/%s.csv" % (csvs, part))]
    if sorted(found, key=order) != wanted: differ("csv", part)
    if sorted(read_ndjson("%s/%s.ndjson" % (ndjsons, part)), key=order) != wanted: differ("ndjson", part)
    rows = database.execute('select * from "%s"' % part)
    columns = [d[0] for d in rows.description]
    if sorted((dict(zip(columns, r)) for r in rows), key=order) != wanted: differ("sqlite", part)
    counts["pairs"] += len(wanted)


def compare_files(store, *folders):
    """Every external file that an object refers to, and no other, is in each output."""
    base = os.path.splitext(os.path.basename(store.path))[0]
    source = os.path.join(os.path.dirname(store.path), ".%s_SUPPORT" % base, "_EXTERNAL_DATA")
    wanted = set()
    for entity in store.E:
        files = [c[2].upper() for c in store.columns(entity) if c[1] == "file"] if entity in store.layout.ent else []
        for row in store.objects(entity) if files else []:
            wanted |= {row[f][1:37].decode() for f in files if row[f] is not None and row[f][:1] == b"\x02"}
    wanted = {f for f in wanted if os.path.exists(os.path.join(source, f))}
    for folder in folders:
        found = {os.path.basename(f) for f in glob.glob(folder + "/External/*")}
        if found != wanted: differ(folder, "holds the files", sorted(found ^ wanted))
        for name in found & wanted:
            counts["files"] += 1
            if open("%s/External/%s" % (folder, name), "rb").read() != open(os.path.join(source, name), "rb").read():
                differ(folder, "holds another", name)


main()
