#!/usr/bin/env python3
"""Read a coffer archive with nothing but Python's standard library.

    read-archive.py ARCHIVE             verify all digests, count objects
    read-archive.py ARCHIVE ENTITY      print the objects of an entity and of all below it, as JSON lines

Written from docs/archive-format.md alone, to show that the page is enough. It reads repacked archives too.
Python's library has no zstd before 3.14: give it what `zstd -dc ARCHIVE | gzip` writes.
The status is 0 for an archive that is whole, 1 for any other.
"""
import base64
import collections
import datetime
import fractions
import hashlib
import json
import re
import struct
import sys
import tarfile

EPOCH = datetime.datetime(2001, 1, 1)
HEADER = bytes.fromhex("1f8b08040000000000ff")


class Damaged(Exception):
    """The archive is not what the format says."""


def check_members(path):
    """Walk the members by the lengths in their headers, to the footer (sections 2.1 and 2.2)."""
    with open(path, "rb") as file:
        if not (start := file.read(20))[3] & 4:
            return None  # repacked: section 10
        offsets, offset = [], 0
        while True:
            extra, length = struct.unpack("<H4xI", start[10:20])
            if start[:10] != HEADER or start[12:16] != b"CF\4\0" or extra not in (8, 20):
                raise Damaged(f"no member begins at byte {offset}")
            if extra == 20:
                footer = start + file.read()
                if len(footer) != 42 or footer[20:24] != b"CX\x08\0" or footer[32:] != b"\3" + 9 * b"\0":
                    raise Damaged("the footer is invalid")
                index_offset = struct.unpack("<Q", footer[24:32])[0]
                if index_offset not in offsets:
                    raise Damaged("the footer names no member")
                return index_offset
            offsets.append(offset)
            offset += length
            file.seek(offset)
            start = file.read(20)
            if len(start) < 20:
                raise Damaged("it ends before its footer")


def read_entries(path):
    """All entries by name; an archive for more than this machine's memory needs another way."""
    entries = {}
    with tarfile.open(path) as tar:
        for item in tar:
            if item.isdir():
                continue
            name = re.sub(r"^(\./)+", "", item.name)
            if re.search(r"(^|/)(\._[^/]*|\.DS_Store)$", name):
                continue  # left behind by macOS: section 10
            if not item.isfile() or name in entries or re.search(r"(^|/)(\.{0,2})(/|$)", name):
                raise Damaged(f"{name!r} cannot be an entry")
            entries[name] = tar.extractfile(item).read()
    return entries


def combined(digests):
    """One digest of the digests of entries (section 4)."""
    return hashlib.sha256(b"".join(
        name.encode() + b"\0" + digest.encode() + b"\n"
        for name, digest in sorted(digests.items(), key=lambda item: item[0].encode()))).hexdigest()


def content_digest(digests):
    """The digest of what the store contains, without the documents that describe it (section 4)."""
    return combined({name: digest for name, digest in digests.items()
                     if "/" in name and name not in ("store/schema.json", "store/layout.json")})


def verify(entries, index_offset):
    """Compare the entries with the index (section 4) and return the index."""
    if "index.json" not in entries:
        raise Damaged("index.json is missing")
    index = json.loads(entries.pop("index.json"))
    if index["format"] != "coffer" or index["version"] > 1:
        raise Damaged("another format, or a newer version of it")
    digests, offset = {}, 0
    for record in index["entries"]:
        name, content = record["name"], entries.get(record["name"])
        if content is None or len(content) != record["size"]:
            raise Damaged(f"{name}: missing, or of another size")
        digests[name] = hashlib.sha256(content).hexdigest()
        if digests[name] != record["sha256"]:
            raise Damaged(f"{name}: the digest is wrong")
        if index_offset is not None and record["offset"] != offset:
            raise Damaged(f"{name}: the index names another place")
        offset += record["compressed"]
    if index_offset not in (None, offset) or set(digests) != set(entries):
        raise Damaged("the index does not list what is there")
    if combined(digests) != index["digest"]:
        raise Damaged("the root digest is wrong")
    content = content_digest(digests)
    if index.setdefault("content", content) != content:
        raise Damaged("the content digest is wrong")
    return index


def stored_date(text):
    """Seconds since 2001: an int without a fraction, a float with one (section 7.3)."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    time = datetime.datetime.strptime(whole.zfill(19), "%Y-%m-%dT%H:%M:%S") - EPOCH
    seconds = time.days * 86400 + time.seconds
    if not fraction:
        return seconds
    return float(fractions.Fraction(seconds) + fractions.Fraction(int(fraction), 10 ** len(fraction)))


def check_value(value, kind, entries, part):
    """Raise an error for a value that does not have a form of section 7; kind is its column's type."""
    if isinstance(value, str):
        if kind == "Date":
            stored_date(value)
        elif kind == "UUID" and not re.fullmatch("[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", value):
            raise Damaged("not a UUID")
        elif kind in ("Binary", "Transformable"):
            base64.b64decode(value, validate=True)
    elif isinstance(value, dict):
        for tag, content in value.items():
            if tag not in ("$integer", "$real", "$text", "$text64", "$blob", "$bytes", "$external", "$pk",
                           "$entity", "$number") and tag.startswith("$") and not tag.startswith("$$"):
                raise Damaged(f"unknown tag {tag}")
            if isinstance(content, list):
                place, length = content
                if isinstance(place, int):
                    found = len(entries[part + ".blobs"]) >= place + length
                else:
                    found = len(entries[part + "." + place]) == length
                if not found:
                    raise Damaged("a value is not where its line says")


def objects(entries):
    """The objects, each with the name of its entity and the part that it stands in (sections 5.4 and 6.1)."""
    layout = json.loads(entries["store/layout.json"])
    for table in layout["tables"]:
        if table["kind"] != "entity":
            continue
        kinds = {column["path"][0]: column["type"] for column in table["columns"]
                 if column.get("role") == "attribute" and len(column["path"]) == 1}
        parts = [name for name in entries
                 if name.startswith(table["folder"] + "/") and name.endswith(".ndjson")]
        for name in sorted(parts, key=lambda name: (len(name), name)):
            part = name.removesuffix(".ndjson")
            for line in entries[name].decode().removesuffix("\n").split("\n"):
                row = json.loads(line)
                entity = "" if "$number" in row else row.get("$entity", table["entity"])
                for key, value in row.items():
                    check_value(value, kinds.get(key), entries, part)
                yield entity, row, part


def main(path, wanted=None):
    """Verify the archive, then count or print."""
    entries = read_entries(path)
    index = verify(entries, check_members(path))
    layout = json.loads(entries["store/layout.json"])
    above = {entity["name"]: entity.get("superentity") for entity in layout["entities"]}
    counts = collections.Counter()
    for entity, row, _ in objects(entries):
        counts[entity] += 1
        while wanted is not None and entity is not None:
            if entity == wanted:
                print(json.dumps(row, ensure_ascii=False))
            entity = above.get(entity)
    stated = collections.Counter()
    for record in index["entries"]:
        stated.update(record.get("objects", {}))
    if counts != stated:
        raise Damaged("the index counts other objects")
    if wanted is None:
        print(json.dumps({"digest": index["digest"], "content": index["content"],
                          "entries": len(index["entries"]),
                          "objects": sum(counts.values()), "entities": dict(sorted(counts.items()))}))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (Damaged, OSError, EOFError, ValueError, KeyError, IndexError, tarfile.TarError) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
