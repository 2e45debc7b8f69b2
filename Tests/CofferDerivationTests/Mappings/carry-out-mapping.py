#!/usr/bin/env python3
"""Did a migration do what its mapping model says?

usage: carry-out-mapping.py ORACLES OLD NEW OLDMODEL NEWMODEL MAPPING [refused]
ORACLES is the folder of the independent decoders; the models are as for compare-migration.py, MAPPING is a folder
.xcmappingmodel. Carries the mapping model out on the objects of OLD by docs/migration.md, compares the result with
NEW, prints every difference and a line of counts; ends with 1 where there is a difference. With "refused", NEW is an
empty store of the new model: prints the reasons why the migration must be refused, and ends with 1 without one.
"""
import base64, importlib.util, math, operator, os, plistlib, re, sys
from xml.etree import ElementTree

sys.dont_write_bytecode = True
place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Migrate", "compare-migration.py")
spec = importlib.util.spec_from_file_location("comparison", place)
comparison = importlib.util.module_from_spec(spec)
spec.loader.exec_module(comparison)

BY_NAME = "destinationInstancesForEntityMappingNamed:sourceInstances:"
BY_RELATIONSHIP = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
FETCH = "fetchRequestForSourceEntityNamed:predicateString:"
SOURCES = "sourceInstancesForEntityMappingNamed:destinationInstances:"
MANAGER = ("variable", "manager")
COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq}
FUNCTIONS = "_NSPredicateUtilities"
OPERATORS = {
    "add:to:": lambda a, b: a + b, "from:subtract:": lambda a, b: a - b, "multiply:by:": lambda a, b: a * b,
    "divide:by:": lambda a, b: a / b, "raise:toPower:": lambda a, b: a ** b,
    "bitwiseAnd:with:": lambda a, b: a & b, "bitwiseOr:with:": lambda a, b: a | b,
    "bitwiseXor:with:": lambda a, b: a ^ b, "onesComplement:": lambda a: ~a, "abs:": abs,
    "ceiling:": lambda a: math.ceil(a), "floor:": lambda a: math.floor(a), "trunc:": lambda a: math.trunc(a),
    "sqrt:": math.sqrt, "exp:": math.exp, "ln:": math.log, "log:": math.log10,
    "uppercase:": lambda a: a.upper(), "lowercase:": lambda a: a.lower()}
NUMBERS = {100, 200, 300, 400, 500, 600, 800}


def expression(text):
    """An archived expression as nested tuples."""
    archive = plistlib.loads(base64.b64decode(text))
    objects = archive["$objects"]

    def read(value):
        if isinstance(value, plistlib.UID): value = objects[value.data]
        if value == "$null": return None
        if isinstance(value, list): return [read(v) for v in value]
        if not isinstance(value, dict): return value
        kind = objects[value["$class"].data]["$classname"]
        if "NSConstantValueClassName" in value: return read(value["NSConstantValueClassName"])
        if kind == "NSConstantValueExpression": return ("constant", read(value["NSConstantValue"]))
        if kind == "NSVariableExpression": return ("variable", read(value["NSVariable"]))
        if kind == "NSKeyPathSpecifierExpression": return ("path", read(value["NSKeyPath"]))
        if kind == "NSFetchRequestExpression":
            return ("fetch", read(value["NSFRExpression"]), read(value["NSMOCExpression"]), value["NSCountOnlyFlag"])
        if kind == "NSAggregateExpression": return ("list", read(value["NSCollection"]))
        if kind in ("NSArray", "NSMutableArray"): return read(value["NS.objects"])
        if kind in ("NSFunctionExpression", "NSKeyPathExpression"):
            parts = read(value["NSArguments"])
            parts = parts if isinstance(parts, list) else [parts]
            return ("function", read(value["NSOperand"]), read(value["NSSelectorName"]), parts)
        raise ValueError("an expression of the class " + kind)

    return read(archive["$top"]["root"])


def path(tree):
    """The names behind $source; None for anything else."""
    if tree == ("variable", "source"): return []
    if tree[0] == "function" and tree[1] == ("variable", "source") and tree[2] in ("valueForKey:", "valueForKeyPath:"):
        return steps(tree[3][0][1])
    return None


def steps(text):
    names = text.split(".")
    if names[0] == "$source": names = names[1:]
    return [n for n in names if not n.startswith(("@distinctUnionOf", "@unionOf"))]


def meets(found, text):
    """Whether an object meets a predicate that compares an attribute with a number."""
    if text == "TRUEPREDICATE": return True
    name, comparison, number = re.fullmatch(r"(\w+) (\S+) (-?\d+)", text).groups()
    value = found["values"][name]
    return value is not None and COMPARISONS[comparison](value, int(number))


class Mapping:
    def __init__(self, folder):
        root = ElementTree.parse(os.path.join(folder, "xcmapping.xml")).getroot()
        objects = list(root.iter("object"))
        by_id = {o.get("id"): o for o in objects}
        get = lambda o, name: next((a.text for a in o.findall("attribute") if a.get("name") == name), None) or None
        ids = lambda o, name: next(
            ((r.get("idrefs") or "").split() for r in o.findall("relationship") if r.get("name") == name), [])
        self.rules = []
        for o in objects:
            if o.get("type") != "XDDEVENTITYMAPPING": continue
            source, destination = get(o, "sourcename"), get(o, "destinationname")
            rule = {
                "source": source, "destination": destination, "number": int(get(o, "mappingnumber") or 0),
                "name": get(o, "name") or "%sTo%s" % (source, destination),
                "policy": get(o, "migrationpolicyclassname"), "properties": {},
                "filter": get(o, "sourcefilterpredicatestring") or "TRUEPREDICATE"}
            if get(o, "autogenerateexpression") == "0": raise ValueError("no expressions are filled in")
            for i in ids(o, "attributemappings") + ids(o, "relationshipmappings"):
                p, text = by_id[i], get(by_id[i], "valueexpressiondata")
                rule["properties"][get(p, "name")] = {
                    "expression": expression(text) if text else None, "path": get(p, "sourcekeypath"),
                    "mapping": get(p, "sourcemappingname")}
            self.rules.append(rule)
        self.rules.sort(key=lambda r: r["number"])
        self.carried = [r for r in self.rules if r["source"] and r["destination"]]


class Migration:
    def __init__(self, old, new, mapping):
        self.old, self.new, self.mapping = old, new, mapping
        self.places = {}  # (name of the rule, old root, old key) -> (new root, new key)
        self.made = {}  # (new root, new key) -> (rule, old object)
        self.make()

    def make(self):
        ends, groups, used = {}, {}, set()
        for rule in self.mapping.carried:
            root, target = self.old.layout.root(rule["source"]), self.new.layout.root(rule["destination"])
            if (rule["source"], target) in used or (root, target) not in groups:
                groups[(root, target)] = ends.get(target, 0)
                ends[target] = groups[(root, target)] + max([k for r, k in self.old.objects if r == root] or [0])
            used.add((rule["source"], target))
            for (r, key), found in sorted(self.old.objects.items(), key=lambda x: x[0]):
                if r != root or found["entity"] != rule["source"] or not meets(found, rule["filter"]): continue
                place = (target, key + groups[(root, target)])
                assert place not in self.made, "a key is given twice"
                self.made[place] = (rule, (r, key))
                self.places[(rule["name"], r, key)] = place

    def objects_at(self, start, names):
        """The old objects at the end of a path of relationships, each once, in their order."""
        found = [start]
        for name in names:
            following = []
            for place in found:
                here = self.old.objects[place]
                target = self.old.layout.root(self.old.properties(here["entity"])[name][1]["destination"])
                links = here["links"][name]
                for key in links if isinstance(links, list) else [links]:
                    if key is not None and (target, key) in self.old.objects and (target, key) not in following:
                        following.append((target, key))
            found = following
        return found

    def fetched(self, tree):
        """The old objects that a fetch finds, in the order of their keys."""
        assert tree[1][:3] == ("function", MANAGER, FETCH), tree
        entity, text = (part[1] for part in tree[1][3])
        found = []
        for place, here in sorted(self.old.objects.items(), key=lambda x: x[0]):
            if not self.is_kind(self.old, here["entity"], entity): continue
            if meets(here, text): found.append(place)
        return found

    def sources(self, rule, start, tree):
        """The old objects that an expression gives, with their entity, for each element of a list."""
        names = path(tree)
        if names is not None:
            return [(self.objects_at(start, names), self.end(rule["source"], names))]
        if tree[0] == "fetch": return [(self.fetched(tree), tree[1][3][0][1])]
        if tree[0] == "list":
            return [(self.objects_at(start, path(t)), self.end(rule["source"], path(t))) for t in tree[1]]
        assert tree[0] == "function", tree
        if tree[1] == MANAGER and tree[2] == SOURCES:
            assert tree[3][1] == ("variable", "destination"), tree
            return [([start], rule["source"])] if tree[3][0][1] == rule["name"] else []
        assert tree[2] in ("valueForKey:", "valueForKeyPath:"), tree
        names, groups = steps(tree[3][0][1]), []
        for begin, entity in self.sources(rule, start, tree[1]):
            found = []
            for place in begin: found += [at for at in self.objects_at(place, names) if at not in found]
            groups.append((found, self.end(entity, names)))
        return groups

    def end(self, entity, names):
        for step in names:
            if step.startswith("@"): break
            entity = self.old.properties(entity)[step][1]["destination"]
        return entity

    def value(self, start, names):
        for index, name in enumerate(names):
            here = self.old.objects[start]
            declared = self.old.properties(here["entity"]).get(name)
            if declared and declared[1]["kind"] == "relationship":
                at = self.objects_at(start, [name])
                if not at: return None, None
                start = at[0]
            else:
                return here["values"][".".join(names[index:])], declared[1]

    def calculated(self, rule, start, tree):
        """The value of an expression: a number or a text."""
        if tree[0] == "constant": return tree[1]
        if tree[0] == "fetch":
            assert tree[3] is True, tree
            return len(self.fetched(tree))
        if tree[0] == "function" and tree[1] == FUNCTIONS:
            return OPERATORS[tree[2]](*[self.calculated(rule, start, part) for part in tree[3]])
        names = path(tree)
        if names is None:
            assert tree[3][0][1] == "@count", tree
            return sum(len(found) for found, _ in self.sources(rule, start, tree[1]))
        if names[-1] == "@count": return len(self.objects_at(start, names[:-1]))
        value = self.value(start, names)[0]
        return value.decode() if isinstance(value, bytes) else value

    def is_kind(self, side, entity, parent): return parent in side.lineage(entity)

    def matching(self, rule, name, entity):
        """The names of all rules between what a relationship leads to in the old and in the new model."""
        target = self.new.properties(rule["destination"])[name][1]["destination"]
        return [r["name"] for r in self.mapping.carried
                if self.is_kind(self.old, r["source"], entity) and self.is_kind(self.new, r["destination"], target)]

    def destinations(self, rule, start, name):
        """The keys of the new objects that a mapped relationship leads to; None where the mapping has nothing."""
        p = rule["properties"].get(name)
        if p is None: return None
        tree, before = p["expression"], self.old.properties(rule["source"]).get(name)
        if tree is None and p["mapping"] and p["path"]:
            groups = [(self.objects_at(start, steps(p["path"])), [p["mapping"]])]
        elif tree is None:
            if before is None or before[1]["kind"] != "relationship": return None
            groups = [(self.objects_at(start, [name]), self.matching(rule, name, before[1]["destination"]))]
        elif tree[0] == "function" and tree[1] == MANAGER:
            groups = self.sources(rule, start, tree[3][1])
            if tree[2] == BY_NAME: groups = [(at, [tree[3][0][1]]) for at, _ in groups]
            elif tree[2] == BY_RELATIONSHIP: groups = [(at, self.matching(rule, name, e)) for at, e in groups]
            else: raise ValueError(tree[2])
        else: raise ValueError(tree)
        if groups and not any(rules for _, rules in groups): return None
        found = []
        for at, rules in groups:
            for near in at:
                for r in rules:
                    place = self.places.get((r, *near))
                    if place and place[1] not in found: found.append(place[1])
        return found

    def links(self):
        """What every relationship of every new object leads to: (place, name) -> keys."""
        found = {}
        for place, (rule, start) in self.made.items():
            for name, (_, p) in self.new.properties(rule["destination"]).items():
                if p["kind"] == "relationship":
                    found[(place, name)] = self.destinations(rule, start, name)
        stated = dict(found)
        for (place, name), keys in stated.items():
            p = self.new.properties(self.made[place][0]["destination"])[name][1]
            if keys is None or not p.get("inverse"): continue
            target = self.new.layout.root(p["destination"])
            for key in keys:
                back = ((target, key), p["inverse"])
                if stated.get(back) is None:
                    found[back] = (found.get(back) or []) + [place[1]]
        return found


    def refusals(self):
        """The reasons why the app could not save the new objects, or why the mapping model is none."""
        found, names = [], {r["name"] for r in self.mapping.rules}
        try: links = self.links()
        except KeyError as error: return ["no property %s" % error]
        for (place, name), keys in links.items():
            rule, start = self.made[place]
            p, label = self.new.properties(rule["destination"])[name][1], "%s %d.%s" % (rule["destination"], place[1], name)
            stated = self.destinations(rule, start, name)
            if not p["toMany"] and len(keys or []) > 1: found.append("several objects: " + label)
            if not keys and (p["minCount"] > 0 if p["toMany"] else not p["optional"]): found.append("none: " + label)
            if keys and p["toMany"] and (len(keys) < p["minCount"] or 0 < (p["maxCount"] or 0) < len(keys)):
                found.append("%d objects: %s" % (len(keys), label))
            if stated is None or not p.get("inverse"): continue
            target = self.new.layout.root(p["destination"])
            for key in keys:
                far, near = self.made[((target, key))]
                back = self.destinations(far, near, p["inverse"])
                if back is not None and place[1] not in back: found.append("contradiction: " + label)
        for place, (rule, start) in self.made.items():
            for name, (_, p) in self.new.properties(rule["destination"]).items():
                mapped = rule["properties"].get(name)
                tree = mapped and mapped["expression"]
                if tree and tree[0] == "function":
                    used = re.findall(r"(?:%s|%s)', \[\('constant', '([^']*)'" % (BY_NAME, SOURCES), str(tree))
                    found += ["no entity mapping " + n for n in used if n not in names]
                if p["kind"] == "relationship": continue
                label = "%s %d.%s" % (rule["destination"], place[1], name)
                try: value = self.mapped(rule, start, name, p)
                except TypeError: found.append("no value: " + label); continue
                if value is None and not p["optional"]: found.append("required: " + label)
        return found + self.repeated(links)

    def repeated(self, links):
        """The values that more than one object has, although they must be unique."""
        found, seen = [], set()
        for place, (rule, start) in self.made.items():
            for entity in self.new.lineage(rule["destination"]):
                for names in self.new.E[entity].get("uniqueness") or []:
                    properties, values = self.new.properties(rule["destination"]), []
                    for name in names:
                        p = properties[name][1]
                        values.append(tuple(links[(place, name)] or []) or None if p["kind"] == "relationship"
                                      else self.mapped(rule, start, name, p))
                    if None in values: continue
                    if (entity, str(names), str(values)) in seen: found.append("repeated: %s %r" % (entity, names))
                    seen.add((entity, str(names), str(values)))
        return found

    def mapped(self, rule, start, name, p):
        """The value that the mapping gives an attribute, or its default."""
        mapped = rule["properties"].get(name)
        if mapped is None: return p.get("default")
        tree = mapped["expression"]
        if tree is None:
            same = self.old.properties(rule["source"]).get(name)
            return self.value(start, [name])[0] if same and same[1]["kind"] != "relationship" else p.get("default")
        if tree[0] == "constant": return tree[1]
        names = self.name(rule, name, tree)
        if names is not None: return names
        if tree[0] == "function" and tree[1] == ("variable", "entityPolicy"): return p.get("default")
        if tree[0] == "fetch" or tree[1] == FUNCTIONS or path(tree) is None or path(tree)[-1] == "@count":
            return self.calculated(rule, start, tree)
        return self.value(start, path(tree))[0]

    def name(self, rule, name, tree):
        """The text of a key path from the mapping itself; None for anything else."""
        if tree[0] != "function" or tree[2] not in ("valueForKey:", "valueForKeyPath:"): return None
        start, last = tree[1], tree[3][0][1]
        if start == ("variable", "propertyMapping") and last == "name": return name
        if start == ("variable", "entityMapping"):
            return {"name": rule["name"], "sourceEntityName": rule["source"],
                    "destinationEntityName": rule["destination"]}[last]
        if start[0] == "function" and start[1] == MANAGER and last == "name" and start[2].endswith("EntityForEntityMapping:"):
            return rule[start[2][:-len("EntityForEntityMapping:")]]
        return None


def default(p, value):
    d = p.get("default")
    if (value is None) != (d is None): return False
    if isinstance(d, (bool, int, float)): return value == d
    return not (isinstance(d, str) and isinstance(value, bytes)) or value == d.encode()


def main():
    old, new = comparison.Side(sys.argv[2], sys.argv[4]), comparison.Side(sys.argv[3], sys.argv[5])
    mapping = Mapping(sys.argv[6])
    migration = Migration(old, new, mapping)
    if sys.argv[7:] == ["refused"]:
        reasons = migration.refusals()
        for text in reasons[:5]: print(text)
        sys.exit(0 if reasons else 1)
    differences, counts = [], {"objects": 0, "values": 0, "links": 0, "defaults": 0}
    differ = differences.append
    if old.uuid != new.uuid: differ("UUID")
    for place in sorted(set(migration.made) ^ set(new.objects)): differ("%s %d: only on one side" % place)
    links = migration.links()
    for place, (rule, start) in sorted(migration.made.items(), key=lambda x: x[0]):
        found = new.objects.get(place)
        if found is None: continue
        counts["objects"] += 1
        label = "%s %d" % (found["entity"], place[1])
        if found["entity"] != rule["destination"]: differ("%s: not a %s" % (label, rule["destination"]))
        if found["version"] != 1: differ("%s: has version %s" % (label, found["version"]))
        for name, (_, p) in new.properties(rule["destination"]).items():
            if p["kind"] == "relationship":
                counts["links"] += 1
                expected, given = links[(place, name)] or [], found["links"][name]
                given = given if isinstance(given, list) else [] if given is None else [given]
                given = [k for k in given if k is not None]
                same = expected == given if p["ordered"] else sorted(expected) == sorted(given)
                if not same: differ("%s.%s: %r, not %r" % (label, name, given, expected))
                continue
            mapped, value = rule["properties"].get(name), found["values"].get(name)
            expected, before = None, None
            if mapped is not None:
                tree = mapped["expression"]
                if tree is None:
                    same = old.properties(rule["source"]).get(name)
                    if same and same[1]["kind"] != "relationship": expected, before = migration.value(start, [name])
                    else: mapped = None
                elif tree[0] != "function" or tree[1] == FUNCTIONS or (path(tree) or ["@count"])[-1] == "@count":
                    expected, before = migration.mapped(rule, start, name, p), p
                    if isinstance(expected, str): expected = expected.encode()
                    elif isinstance(value, float) and math.isclose(value, expected, rel_tol=1e-14): expected = value
                else: expected, before = migration.value(start, path(tree))
            fits = before is None or before["type"] == p["type"] or {before["type"], p["type"]} <= NUMBERS
            if mapped is None or (rule["policy"] and not fits):
                counts["defaults"] += 1
                if not default(p, value): differ("%s.%s: %r is not its default" % (label, name, value))
                continue
            counts["values"] += 1
            if value != expected: differ("%s.%s: %r, not %r" % (label, name, value, expected))
    for text in differences[:50]: print(text)
    print("compared %(objects)d objects, %(values)d values, %(links)d references, %(defaults)d defaults" % counts)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
