#!/usr/bin/env python3
"""Which objects meet predicates? Reads a store by itself and evaluates trees.

Standard input is JSON: the path of a store, the entities of its model, and predicates as trees, each with the entity
that is asked. Prints JSON: for each predicate the primary keys of the objects that meet it, ascending. Shares no code
with coffer and does not read the text of a predicate: tables and columns are found by the names that Core Data gives
them.
"""
import decimal, json, math, re, sqlite3, struct, sys, unicodedata

decimal.getcontext().prec = 38
decimal.getcontext().rounding = decimal.ROUND_HALF_UP
LIMIT = 1 << 63
# A value that is not of its attribute's type: it equals nothing, and comes before nothing.
OTHER = object()


class Store:
    def __init__(self, path, entities):
        self.entities = entities
        self.database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.database.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        self.numbers = dict(self.database.execute("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY"))
        for name, entity in entities.items():
            if name not in self.numbers and entity["former"] in self.numbers:
                self.numbers[name] = self.numbers.pop(entity["former"])
        names = {number: name for name, number in self.numbers.items()}
        self.objects, self.pairs = {}, {}
        for root in {self.root(name) for name in entities}:
            cursor = self.database.execute(f'SELECT * FROM "Z{root.upper()}" ORDER BY Z_PK')
            columns = [column[0] for column in cursor.description]
            rows = (dict(zip(columns, row)) for row in cursor)
            self.objects[root] = {
                row["Z_PK"]: (names[row["Z_ENT"]], row) for row in rows if names[row["Z_ENT"]] in entities}

    def root(self, name):
        while self.entities[name]["parent"]:
            name = self.entities[name]["parent"]
        return name

    def is_kind(self, name, other):
        while name and name != other:
            name = self.entities[name]["parent"]
        return name == other

    def relationship(self, entity, name):
        """The relationship and the entity that declares it; None where there is none."""
        while entity:
            if name in self.entities[entity]["relationships"]:
                return entity, self.entities[entity]["relationships"][name]
            entity = self.entities[entity]["parent"]
        return None

    def has(self, entity, name):
        while entity:
            if name in self.entities[entity]["attributes"]:
                return True
            entity = self.entities[entity]["parent"]
        return False

    def object(self, entity, key):
        return self.objects[self.root(entity)].get(key)

    def step(self, item, name):
        """What a to-one relationship leads to: the key, and the entity of the model."""
        found = item and self.relationship(item[0], name)
        if not found:
            return None, None
        return reference(item[1]["Z" + name.upper()]), found[1]["destination"]

    def value(self, item, keys):
        """The value of a key path."""
        for name in keys[:-1]:
            if name == "entity":
                return item and item[0]
            key, entity = self.step(item, name)
            item = self.object(entity, key) if key is not None else None
        if item is None:
            return None
        if keys[-1] == "SELF":
            return item[1]["Z_PK"]
        if self.relationship(item[0], keys[-1]):
            return self.step(item, keys[-1])[0]
        if not self.has(item[0], keys[-1]):
            return None
        return item[1]["Z" + keys[-1].upper()]

    def many(self, entity, name, owner):
        """The destinations of a to-many relationship, by ascending key; those that are missing as None."""
        declared, relationship = self.relationship(entity, name) or (None, None)
        if declared is None:
            return []
        if (declared, name) not in self.pairs:
            self.pairs[declared, name] = self.read(declared, name, relationship)
        destination = relationship["destination"]
        return [self.object(destination, key) for key in sorted(self.pairs[declared, name].get(owner, ()))]

    def read(self, declared, name, relationship):
        found = {}
        destination = relationship["destination"]
        holder, inverse = self.relationship(destination, relationship["inverse"])
        if not inverse["many"]:
            for key, item in self.objects[self.root(destination)].items():
                owner = reference(item[1]["Z" + relationship["inverse"].upper()])
                if owner is not None and self.is_kind(item[0], holder):
                    found.setdefault(owner, set()).add(key)
            return found
        number, other = self.numbers[declared], self.numbers[holder]
        tables = {row[0] for row in self.database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        table = next(t for t in (f"Z_{number}{name.upper()}", f"Z_{other}{relationship['inverse'].upper()}") if t in tables)
        # A column has the number of the entity whose objects it leads to, and the name of what leads there.
        own, far = f"Z_{number}{relationship['inverse'].upper()}", f"Z_{other}{name.upper()}"
        columns = [row[1] for row in self.database.execute(f'PRAGMA table_info("{table}")')]
        own, far = (next(c for c in columns if c in (n, n + "1")) for n in (own, far))
        for owner, key in self.database.execute(f'SELECT "{own}", "{far}" FROM "{table}"'):
            found.setdefault(owner, set()).add(key)
        return found


def reference(value):
    """A key; what is no integer leads nowhere."""
    return value if isinstance(value, int) else None


def single(value):
    """A number with as many digits as a Float has, if it is in its range."""
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return value


def typed(value, kind):
    """A stored value as one of its attribute's kind; OTHER where it is none."""
    if value is None or kind == "object":
        return value
    if kind == "text":
        return value if isinstance(value, str) else OTHER
    if kind == "uuid":
        return value.hex().upper() if isinstance(value, bytes) and len(value) == 16 else OTHER
    if not isinstance(value, (int, float)):
        return OTHER
    return single(value) if kind == "float" and isinstance(value, float) else value


def repaired(text):
    """A text in which bytes that are no UTF-8 are replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def is_number(value):
    return isinstance(value, (int, float))


def order(left, right):
    """-1, 0 or 1; None where the two cannot be compared."""
    if left is OTHER or right is OTHER:
        return None
    if left is None or right is None:
        return 0 if left is right else None
    if isinstance(left, str) != isinstance(right, str):
        return None
    if isinstance(left, str):
        left, right = left.encode("utf-8", "surrogateescape"), right.encode("utf-8", "surrogateescape")
    return (left > right) - (left < right)


def folded(text, options):
    """The characters of a text without what does not count, each with whether it begins one of the text."""
    if options:
        text = repaired(text)
    result = []
    for character in text:
        part = character
        if "d" in options and not character.isascii():
            part = "".join(c for c in unicodedata.normalize("NFD", character) if not unicodedata.combining(c))
        if "c" in options and character != "\u0131":
            part = part.lower().upper().lower()
        result += [(c, index == 0) for index, c in enumerate(part)]
    return result


def plain(text, options):
    return "".join(c for c, _ in folded(text, options))


def like(text, pattern):
    """Whether folded characters are as a folded pattern says."""
    states = {0}
    def closed(states):
        found = set()
        for state in states:
            found.add(state)
            while state < len(pattern) and pattern[state] == "*":
                state += 1
                found.add(state)
        return found
    # ? takes a whole character of the text, however many it is folded to.
    states, inside = closed({0}), set()
    for index, (character, is_start) in enumerate(text):
        following, still = set(), set()
        if not is_start:
            still = inside
        for state in states:
            if state < len(pattern) and pattern[state] == "*":
                following.add(state)
            elif state < len(pattern) and pattern[state] == "?":
                if is_start:
                    still = still | {state + 1}
            elif state < len(pattern) and pattern[state] == character:
                following.add(state + 1)
        ends = index + 1 == len(text) or text[index + 1][1]
        if ends:
            following |= still
            still = set()
        states, inside = closed(following), still
    return len(pattern) in states


def finite(number):
    return number if math.isfinite(number) else None


def double(number):
    return float(number)


def total_of(numbers):
    """The sum, rounded after each number, which newer versions of sum() do not."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def arithmetic(sign, left, right, kind):
    if not is_number(left) or not is_number(right) or sign in ("/", "modulus:by:") and right == 0:
        return None
    if kind == "integer" and isinstance(left, int) and isinstance(right, int):
        if sign == "+": result = left + right
        elif sign == "-": result = left - right
        elif sign == "*": result = left * right
        elif sign == "**": result = left ** right if 0 <= right <= 62 else LIMIT
        else:
            whole = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            result = whole if sign == "/" else left - whole * right
        if -LIMIT <= result < LIMIT:
            return result
    if kind == "decimal" and sign in "+-*/" and all(n == 0 or 1e-60 <= abs(n) <= 1e60 for n in (left, right)):
        one, two = (decimal.Decimal(repr(n)) for n in (left, right))
        return finite(float({"+": one + two, "-": one - two, "*": one * two, "/": one / two if two else one}[sign]))
    left, right = double(left), double(right)
    try:
        if sign == "+": return finite(left + right)
        if sign == "-": return finite(left - right)
        if sign == "*": return finite(left * right)
        if sign == "/": return finite(left / right)
        if sign == "**": return finite(math.pow(left, right))
        return finite(math.fmod(left, right))
    except (OverflowError, ValueError):
        return None


def bits(sign, left, right):
    """Two integers of 64 bits, bit by bit."""
    if not isinstance(left, int) or not isinstance(right, int):
        return None
    if sign == "&": return left & right
    if sign == "|": return left | right
    if sign == "^": return left ^ right
    if sign == ">>": right = -right
    if right < 0:
        return left >> min(-right, 64)
    whole = left << min(right, 64) & 2 * LIMIT - 1
    return whole - 2 * LIMIT if whole >= LIMIT else whole


def function(name, value):
    if value is None or value is OTHER:
        return None
    if isinstance(value, str):
        value = repaired(value)
    if name == "canonical:": return plain(value, "cd")
    if name == "onesComplement:": return ~value if isinstance(value, int) else None
    if name == "lowercase:": return "".join(c.lower() for c in value)
    if name == "uppercase:": return "".join(c.upper() for c in value)
    if name == "length:": return len(value.encode("utf-16-le", "replace")) // 2
    if name == "abs:": return finite(abs(value))
    if not math.isfinite(value):
        return None
    if name in ("floor:", "ceiling:", "trunc:"):
        return {"floor:": math.floor, "ceiling:": math.ceil, "trunc:": math.trunc}[name](value)
    if name == "sqrt:": return math.sqrt(value) if value >= 0 else None
    raise ValueError(name)


class Evaluation:
    def __init__(self, store):
        self.store, self.objects = store, {}

    def kind(self, node):
        """How numbers of a value are kept."""
        if node["v"] == "path": return {"boolean": "integer"}.get(node["k"], node["k"])
        if node["v"] == "const": return "integer" if isinstance(self.value(node), int) else "double"
        if node["v"] == "count": return "integer"
        if node["v"] == "agg":
            kind = self.kind({"v": "path", "k": node["k"]})
            quotient = "decimal" if kind == "decimal" else "double"
            return {"sum": kind, "avg": quotient, "median": quotient, "stddev": "double", "count": "integer"}.get(
                node["f"], kind)
        if node["v"] == "arith":
            kinds = {self.kind(node["l"]), self.kind(node["r"])}
            return "decimal" if "decimal" in kinds else "integer" if kinds == {"integer"} else "double"
        if node["v"] == "choice":
            kinds = {self.kind(node["a"]), self.kind(node["b"])}
            return "decimal" if "decimal" in kinds else "integer" if kinds == {"integer"} else "double"
        if node["v"] == "fn":
            if node["f"] in ("length:", "onesComplement:"): return "integer"
            return self.kind(node["x"]) if node["f"] in ("abs:", "floor:", "ceiling:", "trunc:") else "double"
        raise ValueError(node)

    def value(self, node):
        kind = node["v"]
        if kind == "const":
            if node["t"] == "number":
                return int(node["x"]) if re.fullmatch("-?[0-9]+", node["x"]) else float(node["x"])
            return node.get("x")
        if kind == "path":
            return typed(self.store.value(self.objects[node["var"]], node["keys"]), node["k"])
        if kind == "count":
            collection = node["coll"]
            if collection["where"] is None:
                return len(self.destinations(collection))
            return sum(1 for _ in self.elements(collection))
        if kind == "agg":
            values, seen = [], {None}
            for item in self.elements(node["coll"]):
                if "via" in node:
                    key = self.store.value(item, node["via"])
                    if key in seen:
                        continue
                    seen.add(key)
                values.append(typed(self.store.value(item, node["keys"]), node["k"]))
            values = [value for value in values if value is not None]
            return self.aggregate(node, values)
        if kind == "choice":
            return self.value(node["a"] if self.holds(node["test"]) else node["b"])
        if kind == "arith":
            if node["op"] in ("&", "|", "^", "<<", ">>"):
                return bits(node["op"], self.value(node["l"]), self.value(node["r"]))
            if node.get("dates"):
                return arithmetic(node["op"], self.value(node["l"]), self.value(node["r"]), "double")
            return arithmetic(node["op"], self.value(node["l"]), self.value(node["r"]), self.kind(node))
        if kind == "fn":
            return function(node["f"], self.value(node["x"]))
        raise ValueError(kind)

    def aggregate(self, node, values):
        if node["f"] == "count":
            return len(values)
        if not values:
            return 0 if node["f"] == "sum" else None
        if node["f"] in ("min", "max"):
            best = values[0]
            for value in values[1:]:
                if order(value, best) == (-1 if node["f"] == "min" else 1):
                    best = value
            return best
        kind = self.kind({"v": "path", "k": node["k"]})
        quotient = "decimal" if kind == "decimal" else "double"
        if node["f"] in ("median", "stddev"):
            numbers = [value for value in values if is_number(value)]
            if not numbers:
                return None
            if node["f"] == "stddev":
                mean = total_of(double(n) for n in numbers) / len(numbers)
                squares = total_of((double(n) - mean) * (double(n) - mean) for n in numbers)
                return finite(math.sqrt(squares / len(numbers)))
            numbers.sort()
            middle = len(numbers) // 2
            if len(numbers) % 2:
                return arithmetic("/", numbers[middle], 1, quotient)
            total = arithmetic("+", numbers[middle - 1], numbers[middle], kind)
            return arithmetic("/", total, 2, quotient) if total is not None else None
        total = values[0]
        for value in values[1:]:
            if is_number(total) and is_number(value):
                total = arithmetic("+", total, value, kind)
        if node["f"] == "sum" or not is_number(total):
            return total
        return arithmetic("/", total, len(values), quotient)

    def destinations(self, collection):
        item = self.objects[collection["var"]]
        for name in collection["keys"][:-1]:
            key, entity = self.store.step(item, name)
            item = self.store.object(entity, key) if key is not None else None
        return self.store.many(item[0], collection["keys"][-1], item[1]["Z_PK"]) if item else []

    def elements(self, collection):
        for item in self.destinations(collection):
            if item is None:
                continue
            self.objects[collection["as"]] = item
            if collection["where"] is None or self.holds(collection["where"]):
                self.objects[collection["as"]] = item
                yield item

    def constant(self, node, other):
        """The value of a side; a constant with the digits of a Float where it is compared with one."""
        value = self.value(node)
        is_float = other["v"] in ("path", "agg") and other["k"] == "float" and other.get("f") not in ("sum", "avg")
        if node["v"] == "const" and isinstance(value, float) and is_float:
            return single(value)
        return value

    def holds(self, node):
        kind = node["p"]
        if kind == "and": return all(self.holds(part) for part in node["of"])
        if kind == "or": return any(self.holds(part) for part in node["of"])
        if kind == "not": return not self.holds(node["of"])
        # The values of a set's objects are a set, which has no nil.
        if kind in ("any", "all"):
            elements = (0 for _ in self.elements(node["coll"]))
            # Without a value of each, another collection follows.
            values = (self.value(node["each"]) for _ in elements) if node["each"] else elements
            answers = (self.holds(node["of"]) for value in values if value is not None)
            return any(answers) if kind == "any" else all(answers)
        if kind == "in":
            return any(
                order(self.constant(node["l"], node["l"]), self.constant(one, node["l"])) == 0 for one in node["list"])
        if kind == "between":
            value = self.value(node["l"])
            if value is None: return False
            first, last = (self.constant(node[end], node["l"]) for end in ("a", "b"))
            return order(value, first) in (0, 1) and order(value, last) in (-1, 0)
        if kind == "text":
            return self.text(node)
        left, right = self.constant(node["l"], node["r"]), self.constant(node["r"], node["l"])
        if node.get("o") and isinstance(left, str) and isinstance(right, str):
            left, right = plain(left, node["o"]), plain(right, node["o"])
        result = order(left, right)
        if node["op"] == "==": return result == 0
        if node["op"] == "!=": return result != 0
        if result is None or left is None: return False
        return {"<": result < 0, "<=": result <= 0, ">": result > 0, ">=": result >= 0}[node["op"]]

    def text(self, node):
        whole, part, options = self.value(node["l"]), self.value(node["r"]), node["o"]
        if not isinstance(whole, str) or not isinstance(part, str):
            return False
        if node["op"] == "LIKE":
            return like(folded(whole, options), plain(part, options))
        if node["op"] == "MATCHES":
            return re.fullmatch(part, repaired(whole), re.DOTALL) is not None
        whole, part = plain(whole, options), plain(part, options)
        return {"CONTAINS": part in whole, "BEGINSWITH": whole.startswith(part), "ENDSWITH": whole.endswith(part)}[node["op"]]


def main():
    asked = json.load(sys.stdin)
    store = Store(asked["path"], asked["entities"])
    results = []
    for query in asked["queries"]:
        evaluation, keys = Evaluation(store), []
        for key, item in store.objects[store.root(query["entity"])].items():
            if store.is_kind(item[0], query["entity"]):
                evaluation.objects = {0: item}
                if evaluation.holds(query["tree"]):
                    keys.append(key)
        results.append(keys)
    json.dump(results, sys.stdout)


main()
