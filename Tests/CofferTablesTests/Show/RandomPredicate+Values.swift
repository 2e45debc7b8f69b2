internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator

/// The values of random predicates.
extension RandomPredicate {
  /// A value of any kind; nil where the entities have none.
  mutating func value(_ subjects: [Subject], _ depth: Int) -> Value? {
    guard let subject = pick(subjects) else { return nil }
    if depth < 4, random.chance(0.3), let collection = collection(subjects, depth) {
      return summary(of: collection)
    }
    guard let path = path(from: subject, mayEndAtObject: true) else { return nil }
    guard random.chance(0.35) else { return path }
    if random.chance(0.2), depth < 3 { return choice(path, subjects, depth) }
    switch path.family {
    case "number", "boolean": return calculated(path, subjects, depth)
    case "text":
      let name = ["lowercase:", "uppercase:", "length:", "canonical:"][random.below(4)]
      let tree: Tree = ["v": "fn", "f": name, "x": path.tree]
      let text = "\(written(name))(\(path.text))"
      guard name == "length:" else {
        return Value(text: text, tree: tree, family: "text", constants: path.constants)
      }
      return Value(
        text: text, tree: tree, family: "number", constants: [3, 8, 21], kind: "integer")
    case "date":
      let date = constant(for: path)
      let tree: Tree = ["v": "arith", "op": "-", "l": path.tree, "r": date.tree, "dates": true]
      return Value(
        text: "\(path.text) - \(date.text)", tree: tree, family: "number",
        constants: [0, 86_400, .real(-3_600.5)], kind: "double")
    default: return path
    }
  }

  /// The name of a function, with its colon or without.
  private mutating func written(_ name: String) -> String {
    random.chance(0.3) ? String(name.dropLast()) : name
  }

  /// A value or a constant, as a predicate holds or not.
  private mutating func choice(_ path: Value, _ subjects: [Subject], _ depth: Int) -> Value {
    let test = predicate(subjects, depth + 2)
    let other = constant(for: path, mayBeNil: true)
    var chosen = path
    chosen.text = "TERNARY(\(test.text), \(path.text), \(other.text))"
    chosen.tree = ["v": "choice", "test": test.tree, "a": path.tree, "b": other.tree]
    return chosen
  }

  /// The number of objects of a collection, or what becomes of one of their properties.
  private mutating func summary(of collection: Collection) -> Value? {
    let element = Subject(prefix: "", variable: collection.variable, entity: collection.entity)
    if random.chance(0.3), let found = summary(of: collection, behindA: element) { return found }
    if random.chance(0.5) {
      let text = [
        "\(written("count:"))(\(collection.text))", "\(collection.text)[SIZE]",
        "\(collection.text).@count", "\(collection.text).@count",
      ][random.below(4)]
      return Value(
        text: text, tree: ["v": "count", "coll": collection.tree], family: "number",
        constants: [0, 1, 2, 3], kind: "integer")
    }
    guard var path = path(from: element, mayEndAtObject: false),
      ["number", "date", "text"].contains(path.family)
    else { return nil }
    let names =
      path.family == "number" ? ["sum", "min", "max", "avg", "median", "stddev"] : ["min", "max"]
    let name = names[random.below(names.count)]
    path.tree = [
      "v": "agg", "f": name, "coll": collection.tree, "keys": path.tree["keys"] ?? [String](),
      "k": path.kind,
    ]
    let end = "\(collection.text).\(path.text)"
    if name == "median" || name == "stddev" {
      path.text = "\(written("\(name):"))(\(end))"
    } else if random.chance(0.2), !end.hasPrefix("SUBQUERY") {
      // Behind a variable, but before all other keys.
      let start = end.hasPrefix("$") ? end.firstIndex(of: ".").map { end.index(after: $0) } : nil
      let rest = end[(start ?? end.startIndex)...]
      path.text = "\(end[..<(start ?? end.startIndex)])@\(name).\(rest)"
    } else {
      path.text = "\(collection.text).@\(name).\(path.text)"
    }
    return path
  }

  /// What becomes of the objects that those of a collection lead to; nil if they lead to none.
  private mutating func summary(of collection: Collection, behindA element: Subject) -> Value? {
    let toOnes = facts.tree(element.entity).flatMap(\.relationships).filter { !$0.isMany }
    guard let way = pick(toOnes) else { return nil }
    let text = "\(collection.text).\(way.name)"
    var tree: Tree = ["v": "agg", "coll": collection.tree, "via": [way.name]]
    if random.chance(0.5) {
      (tree["f"], tree["keys"], tree["k"]) = ("count", [way.name], "object")
      return Value(
        text: "\(text).@count", tree: tree, family: "number", constants: [0, 1, 2],
        kind: "integer")
    }
    let end = Subject(prefix: "", variable: element.variable, entity: way.destination)
    guard var path = path(from: end, mayEndAtObject: false), path.family == "number",
      let keys = path.tree["keys"] as? [String]
    else { return nil }
    let name = ["sum", "min", "max", "avg"][random.below(4)]
    (tree["f"], tree["keys"], tree["k"]) = (name, [way.name] + keys, path.kind)
    path.text = "\(text).@\(name).\(path.text)"
    path.tree = tree
    return path
  }

  private mutating func calculated(_ path: Value, _ subjects: [Subject], _ depth: Int) -> Value {
    if path.kind == "integer", random.chance(0.3) { return bits(of: path) }
    if random.chance(0.3) {
      let name = ["abs:", "floor:", "ceiling:", "trunc:", "sqrt:"][random.below(5)]
      return Value(
        text: "\(written(name))(\(path.text))", tree: ["v": "fn", "f": name, "x": path.tree],
        family: "number", constants: path.constants)
    }
    let signs = ["+", "-", "*", "/", "**", "modulus:by:"]
    let sign = signs[random.below(signs.count)]
    var number = path
    if path.family == "boolean" { (number.family, number.constants) = ("number", []) }
    var right = constant(for: number)
    if sign == "**" {
      let power = random.below(4)
      right = Value(
        text: "\(power)", tree: ["v": "const", "t": "number", "x": "\(power)"], family: "number")
    } else if random.chance(0.4), depth < 3, let other = value(subjects, depth + 2),
      other.family == "number"
    {
      right = other
    }
    let tree: Tree = ["v": "arith", "op": sign, "l": path.tree, "r": right.tree]
    let text =
      sign == "modulus:by:"
      ? "modulus:by:(\(path.text), \(right.text))" : "\(path.text) \(sign) (\(right.text))"
    return Value(
      text: "(\(text))", tree: tree, family: "number", constants: path.constants + [2, 7])
  }

  /// An integer and a small one, bit by bit.
  private mutating func bits(of path: Value) -> Value {
    if random.chance(0.2) {
      let text = random.chance(0.5) ? "~\(path.text)" : "onesComplement:(\(path.text))"
      return Value(
        text: text, tree: ["v": "fn", "f": "onesComplement:", "x": path.tree], family: "number",
        constants: [-1, -2, -3], kind: "integer")
    }
    let signs = [
      ("&", "bitwiseAnd:with:"), ("|", "bitwiseOr:with:"), ("^", "bitwiseXor:with:"),
      ("<<", "leftshift:by:"), (">>", "rightshift:by:"),
    ]
    let (sign, name) = signs[random.below(signs.count)]
    let number = random.chance(0.1) ? 70 : random.below(9) - 1
    let right: Tree = ["v": "const", "t": "number", "x": "\(number)"]
    return Value(
      text: random.chance(0.3)
        ? "\(name)(\(path.text), \(number))" : "(\(path.text) \(sign) \(number))",
      tree: ["v": "arith", "op": sign, "l": path.tree, "r": right], family: "number",
      constants: path.constants + [0, 1, 4], kind: "integer")
  }

  // MARK: Paths

  /// A key path through to-one relationships.
  mutating func path(from subject: Subject, mayEndAtObject: Bool) -> Value? {
    var (keys, entity): ([String], Name) = ([], subject.entity)
    func made(_ end: String, _ family: String, _ kind: String, _ values: [StoreValue]) -> Value {
      let all = keys + (end == "entity" ? ["entity", "name"] : [end])
      let text = end == "SELF" ? subject.itself : subject.prefix + all.joined(separator: ".")
      return Value(
        text: text, tree: ["v": "path", "var": subject.variable, "keys": all, "k": kind],
        family: family, constants: values, kind: kind)
    }
    for _ in 0..<4 {
      let tree = facts.tree(entity)
      let toOnes = tree.flatMap(\.relationships).filter { !$0.isMany }
      if random.chance(0.3), let next = pick(toOnes) {
        if mayEndAtObject, random.chance(0.3) {
          return made(next.name, "object/\(facts.root(next.destination))", "object", [1, 2, 3, 4])
        }
        keys.append(next.name)
        entity = next.destination
        continue
      }
      if mayEndAtObject, random.chance(0.1) {
        return random.chance(0.5)
          ? made("entity", "text", "text", facts.names.map { .string($0.text) })
          : keys.isEmpty
            ? made("SELF", "object/\(facts.root(entity))", "object", [1, 2, 3, 4]) : nil
      }
      guard let attribute = pick(tree.flatMap(\.attributes)) else { return nil }
      let family =
        ["integer", "double", "float", "decimal"].contains(attribute.kind)
        ? "number" : attribute.kind
      return made(attribute.name, family, attribute.kind, attribute.values)
    }
    return nil
  }

  // MARK: Constants

  /// A constant that a value may be compared with.
  mutating func constant(for value: Value, mayBeNil: Bool = false) -> Value {
    func made(_ text: String, _ type: String, _ content: String) -> Value {
      Value(
        text: text, tree: ["v": "const", "t": type, "x": content], family: value.family)
    }
    if mayBeNil, random.chance(0.12) {
      return Value(text: "nil", tree: ["v": "const", "t": "nil"], family: value.family)
    }
    let chosen = pick(value.constants)
    switch (value.family, chosen) {
    case ("boolean", _):
      let isOn = random.chance(0.5)
      return made(isOn ? "YES" : "'false'", "number", isOn ? "1" : "0")
    case ("date", let chosen): return date(near: chosen, value.family)
    case ("text", .text(let bytes)?):
      let text = String(String(decoding: bytes, as: UTF8.self).prefix(60))
      return made(Self.quoted(text), "text", text)
    case ("text", _): return made("'b'", "text", "b")
    case ("uuid", .blob(let bytes)?) where bytes.count == 16:
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        .joined()
      var text = digits
      for place in [20, 16, 12, 8] {
        text.insert("-", at: text.index(text.startIndex, offsetBy: place))
      }
      return made("'\(random.chance(0.5) ? text.lowercased() : text)'", "text", digits)
    case ("uuid", _): return Value(text: "nil", tree: ["v": "const", "t": "nil"], family: "uuid")
    case (let family, .integer(let key)?) where family.hasPrefix("object/"):
      let root = family.dropFirst("object/".count)
      let forms = ["\(key)", "'\(root)/p\(key)'", "'x-coredata://A/\(root)/p\(key)'"]
      return made(forms[random.below(3)], "number", "\(key)")
    case (_, .real(let number)?) where number.isFinite && random.chance(0.8):
      return made("\(number)", "number", "\(number)")
    case (_, .integer(let number)?) where random.chance(0.8):
      return made(random.chance(0.2) ? "'\(number)'" : "\(number)", "number", "\(number)")
    default:
      let number = ["0", "1", "-2", "2.5", "10", "1000"][random.below(6)]
      return made(number, "number", number)
    }
  }

  /// A whole or quarter second at or near a stored one, in any zone.
  private mutating func date(near stored: StoreValue?, _ family: String) -> Value {
    var seconds = 700_000_000.0
    if case .real(let value)? = stored { seconds = value }
    if case .integer(let value)? = stored { seconds = Double(value) }
    seconds = min(max(seconds, -3e9), 3e9).rounded(.down) + Double(random.below(3) - 1) * 0.25
    let whole = seconds.rounded(.down)
    let formatter = ISO8601DateFormatter()
    let zone = random.below(27) - 13
    formatter.timeZone = TimeZone(secondsFromGMT: zone * 3_600)
    formatter.formatOptions = [.withFullDate, .withFullTime]
    var text = formatter.string(from: Date(timeIntervalSinceReferenceDate: whole))
    let fraction = Int((seconds - whole) * 100)
    text.insert(contentsOf: ".\(fraction)", at: text.index(text.startIndex, offsetBy: 19))
    return Value(
      text: "'\(text)'", tree: ["v": "const", "t": "number", "x": "\(seconds)"], family: family)
  }

  /// A text in quotes.
  static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
