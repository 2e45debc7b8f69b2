#!/usr/bin/env python3
"""Does a share have a value of its source?

usage: find-originals.py SOURCE RESULT
SOURCE is a store, RESULT a store, an archive in gzip or a folder. Shares no code with coffer: reads with sqlite3,
plistlib, json, tarfile and as plain bytes.

A value is a text of four characters or more, in a column, or as a string of a JSON text or a property list in a blob;
a blob or an external file of eight bytes or more, as a whole; and the name of an external file. Keys of JSON and of
property lists, names of classes and whatever the schema, the model or the framework's metadata say are words of the
program: a value that occurs in them is not looked for, as the result must have it.

A blob that has nothing but such words, true, false and whole numbers below 1,000 is structure, too.

A value with four letters or more is looked for in all bytes of the result, compressed ones inflated, as UTF-8 and
UTF-16. One with fewer letters, such as a number, occurs by chance in any file: it is compared with whole values.
Prints each value that was found, and a line of counts; ends with 1 if there is one.
"""
import gzip, io, json, os, plistlib, re, shutil, sqlite3, sys, tarfile, tempfile, zlib

SYSTEM = {"Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"}
# What a URL begins with stays.
SCHEMES = b"https:// http:// file:// mailto: tel: ftp:// data:"


class Values:
    """The values of a source, and the words of the program among them."""

    def __init__(self):
        self.texts, self.blobs, self.words = set(), set(), bytearray(SCHEMES)

    def word(self, text):
        self.words += b"\n" + (text.encode("utf-8", "replace") if isinstance(text, str) else bytes(text))

    def text(self, text):
        self.texts.add(text)
        if text[:1] in "{[":
            try:
                self.tree(json.loads(text))
            except ValueError:
                pass

    def blob(self, blob, top=True):
        if top and not self.is_structure(blob):
            self.blobs.add(blob)
        if blob[:7] == b"bplist0" or blob[:5] in (b"<?xml", b"<plis"):
            try:
                self.tree(plistlib.loads(blob))
            except Exception:
                pass
        elif blob[:1] in (b"{", b"["):
            try:
                self.tree(json.loads(blob))
            except ValueError:
                pass

    def is_structure(self, blob):
        try:
            node = plistlib.loads(blob) if blob[:7] == b"bplist0" else json.loads(blob)
        except Exception:
            return False
        probe = Values()
        if not isinstance(node, dict):
            node = {"": node}
        probe.tree(node)
        words = set(bytes(probe.words).split(b"\n"))
        return not probe.blobs and all(t.encode() in words for t in probe.texts) and self.is_small(node)

    def is_small(self, node):
        if isinstance(node, dict):
            return all(key == "$version" or self.is_small(part) for key, part in node.items())
        if isinstance(node, (list, tuple, set)):
            return all(map(self.is_small, node))
        if isinstance(node, (int, float)) and not isinstance(node, bool):
            return node == int(node) and abs(node) < 1000
        return isinstance(node, (str, bool, plistlib.UID)) or node is None

    def tree(self, node):
        if isinstance(node, str):
            self.text(node)
        elif isinstance(node, (bytes, bytearray)):
            self.blob(bytes(node))
        elif isinstance(node, (list, tuple, set)):
            for part in node:
                self.tree(part)
        elif isinstance(node, dict):
            objects = node.get("$objects")
            if isinstance(objects, list):
                self.archive(node, objects)
                return
            for key, part in node.items():
                if isinstance(key, str):
                    self.word(key)
                self.tree(part)

    def archive(self, node, objects):
        """A keyed archive, in which keys and names of classes are strings like others."""
        self.word(node.get("$archiver", ""))
        for item in objects:
            if not isinstance(item, dict):
                continue
            for key in item:
                self.word(key)
            self.word(item.get("$classname", ""))
            for name in item.get("$classes", []):
                self.word(name)
            for key in item.get("NS.keys", []):
                if isinstance(key, plistlib.UID) and isinstance(objects[key.data], str):
                    self.word(objects[key.data])
        for key in node:
            self.word(key)
        self.word("$null")
        for item in objects:
            if isinstance(item, dict):
                for key, part in item.items():
                    if key not in ("$classname", "$classes"):
                        self.tree(part)
            else:
                self.tree(item)


def strings(node):
    if isinstance(node, str):
        yield node
    elif isinstance(node, (list, tuple, set)):
        for part in node:
            yield from strings(part)
    elif isinstance(node, dict):
        for key, part in node.items():
            yield str(key)
            yield from strings(part)


def open_store(path, folder):
    for ending in ("", "-wal"):
        if os.path.exists(path + ending):
            shutil.copy(path + ending, os.path.join(folder, "store" + ending))
            os.chmod(os.path.join(folder, "store" + ending), 0o600)
    db = sqlite3.connect(os.path.join(folder, "store"))
    db.text_factory = bytes
    return db


def support_folder(path):
    folder, name = os.path.split(path)
    return os.path.join(folder, "." + os.path.splitext(name)[0] + "_SUPPORT", "_EXTERNAL_DATA")


def rows(db):
    """Every value of every ordinary table that is not of the administration."""
    tables = [(name.decode(), sql) for name, sql in
              db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")]
    # A spatial index consists of numbers, which stay.
    shadows = {name + end for name, sql in tables if sql.startswith(b"CREATE VIRTUAL")
               for end in ("", "_node", "_rowid", "_parent")}
    for name, _ in tables:
        if name in SYSTEM or name in shadows or name.startswith("sqlite_"):
            continue
        try:
            for row in db.execute('SELECT * FROM "%s"' % name.replace('"', '""')):
                yield from row and [(name, value) for value in row]
        except sqlite3.Error:
            pass


def external(path):
    folder = support_folder(path)
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        with open(os.path.join(folder, name), "rb") as file:
            yield name, file.read()


def read_source(path):
    values = Values()
    with tempfile.TemporaryDirectory() as folder:
        db = open_store(path, folder)
        for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"):
            values.word(sql)
        # Names of entities, in the rows of the administration.
        for row in db.execute("SELECT * FROM Z_PRIMARYKEY"):
            for value in row:
                if isinstance(value, bytes):
                    values.word(value)
        for (plist,) in db.execute("SELECT Z_PLIST FROM Z_METADATA"):
            list_ = plistlib.loads(plist)
            for key, part in list_.items():
                if key.startswith(("NSStore", "NSPersisten", "_NS", "migrationManagerClass")):
                    values.word(key)
                    for text in strings(part):
                        values.word(text)
                else:
                    values.tree(part)
        try:
            for (cache,) in db.execute("SELECT Z_CONTENT FROM Z_MODELCACHE"):
                model = plistlib.loads(zlib.decompress(cache, -15))
                for text in strings(model):
                    values.word(text)
        except sqlite3.Error:
            pass
        for table, value in rows(db):
            if isinstance(value, bytes) and value:
                as_text = value
                values_from(values, as_text)
        db.close()
    for name, content in external(path):
        values.text(name)
        values.blob(content)
    return values


def values_from(values, value):
    """Texts come as bytes, as blobs do: a value that is UTF-8 is a text, whatever it was stored as."""
    if value[:1] == b"\x02" and len(value) == 38:
        return
    payload = value[1:] if value[:1] == b"\x01" else value
    try:
        text = payload.decode("utf-8")
        if not re.search(r"[\x00-\x08\x0e-\x1f]", text):
            values.text(text)
            return
    except UnicodeDecodeError:
        pass
    values.blob(payload)


def result_files(path):
    if os.path.isdir(path):
        for folder, _, names in os.walk(path):
            for name in names:
                yield os.path.join(folder, name), open(os.path.join(folder, name), "rb").read()
        return
    content = open(path, "rb").read()
    if content[:2] == b"\x1f\x8b":
        with tarfile.open(fileobj=io.BytesIO(gzip.decompress(content))) as tar:
            for member in tar:
                yield member.name, tar.extractfile(member).read() if member.isfile() else b""
        return
    yield path, content
    if os.path.exists(path + "-wal"):
        yield path + "-wal", open(path + "-wal", "rb").read()
    for name, content in external(path):
        yield "external " + name, name.encode() + b"\n" + content


def result_values(path):
    values = Values()
    if not os.path.isdir(path) and open(path, "rb").read(2) != b"\x1f\x8b":
        with tempfile.TemporaryDirectory() as folder:
            for _, value in rows(open_store(path, folder)):
                if isinstance(value, bytes) and value:
                    values_from(values, value)
    return values


def main():
    source, result = sys.argv[1:3]
    kept = [text.encode() for text in sys.argv[3:]]
    values, found = read_source(source), []
    for word in kept:
        values.word(word)
    words = bytes(values.words)
    files = list(result_files(result))
    whole = result_values(result).texts
    counts = {"looked for": 0, "compared": 0, "words": 0, "blobs": 0}
    for text in values.texts:
        if len(text) < 4 or not text.strip():
            continue
        plain = text.encode("utf-8", "replace")
        if plain in words:
            counts["words"] += 1
            continue
        if sum(c.isalpha() for c in text) < 4:
            counts["compared"] += 1
            if text in whole and re.search(r"\w", text):
                found.append(("as a value", text))
            continue
        counts["looked for"] += 1
        for form in (plain, text.encode("utf-16-be", "replace"), text.encode("utf-16-le", "replace")):
            for name, content in files:
                if form in content:
                    found.append((name, text))
    for blob in values.blobs:
        # Filler is in every file, and a list of small numbers is structure.
        if len(blob) < 8 or len(set(blob)) < 4 or blob in words:
            continue
        counts["blobs"] += 1
        for name, content in files:
            if blob in content:
                found.append((name, blob[:40]))
    for name, value in found[:20]:
        print("found in", name, ":", ascii(value)[:160])
    print(", ".join("%d %s" % (count, name) for name, count in counts.items()), "-", len(found), "found")
    return 1 if found else 0


sys.exit(main())
