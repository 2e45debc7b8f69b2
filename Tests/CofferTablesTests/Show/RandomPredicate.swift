internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator

/// Predicates made up at random about a store, each as a text and as a tree that needs no parser.
struct RandomPredicate {
  /// A tree as JSON.
  typealias Tree = [String: Any]

  /// A value: its text, its tree, and what it is compared as.
  struct Value {
    var text: String
    var tree: Tree
    /// `number`, `date`, `text`, `uuid`, `object` with the root of its tree, `boolean`.
    var family: String
    /// Values that it is often compared with, as constants.
    var constants: [StoreValue] = []
    /// As the facts name it; for numbers.
    var kind = ""
  }

  /// An object that a predicate speaks of.
  struct Subject {
    /// What stands before its keys.
    let prefix: String
    let variable: Int
    let entity: Name
    /// Whether properties of entities below may be named.
    var itself: String { prefix.isEmpty ? "SELF" : String(prefix.dropLast()) }
  }

  let facts: PredicateFacts
  var random: SeededGenerator
  var variableCount = 0

  init(_ facts: PredicateFacts, seed: UInt64) {
    self.facts = facts
    random = SeededGenerator(seed: seed)
  }

  mutating func pick<Element>(_ list: [Element]) -> Element? {
    list.isEmpty ? nil : list[random.below(list.count)]
  }

  /// A predicate on the objects of an entity.
  mutating func predicate(of entity: Name) -> (text: String, tree: Tree) {
    variableCount = 0
    return predicate([Subject(prefix: "", variable: 0, entity: entity)], 0)
  }

  mutating func predicate(
    _ subjects: [Subject], _ depth: Int
  ) -> (text: String, tree: Tree) {
    guard depth < 3, random.chance(0.4) else { return comparison(subjects, depth) }
    let (left, right) = (predicate(subjects, depth + 1), predicate(subjects, depth + 1))
    switch random.below(6) {
    case 0, 1:
      return ("(\(left.text)) AND (\(right.text))", ["p": "and", "of": [left.tree, right.tree]])
    case 2, 3:
      return ("(\(left.text)) || \(right.text)", ["p": "or", "of": [left.tree, right.tree]])
    case 4: return ("NOT (\(left.text))", ["p": "not", "of": left.tree])
    default: return ("TRUEPREDICATE && !(\(left.text))", ["p": "not", "of": left.tree])
    }
  }

  // MARK: Comparisons

  private mutating func comparison(
    _ subjects: [Subject], _ depth: Int
  ) -> (text: String, tree: Tree) {
    if depth < 4, random.chance(0.3), let found = quantified(subjects, depth) { return found }
    guard let left = value(subjects, depth) else {
      return ("FALSEPREDICATE", ["p": "or", "of": [Tree]()])
    }
    return comparison(of: left, subjects, depth)
  }

  /// A comparison of a value with a constant or another value.
  private mutating func comparison(
    of left: Value, _ subjects: [Subject], _ depth: Int
  ) -> (text: String, tree: Tree) {
    if left.family == "text", random.chance(0.5) { return search(left) }
    let isOrdered = ["number", "date", "text"].contains(left.family)
    let operators =
      isOrdered ? ["==", "!=", "<", "<=", ">", ">=", "IN", "BETWEEN"] : ["==", "!=", "IN"]
    let sign = operators[random.below(operators.count)]
    if sign == "IN" {
      let list = (0...random.below(3)).map { _ in constant(for: left, mayBeNil: true) }
      return (
        "\(left.text) IN {\(list.map(\.text).joined(separator: ", "))}",
        ["p": "in", "l": left.tree, "list": list.map(\.tree)]
      )
    }
    if sign == "BETWEEN" {
      let (first, last) = (constant(for: left), constant(for: left))
      return (
        "\(left.text) BETWEEN {\(first.text), \(last.text)}",
        ["p": "between", "l": left.tree, "a": first.tree, "b": last.tree]
      )
    }
    var right = constant(for: left, mayBeNil: sign == "==" || sign == "!=")
    if depth < 3, random.chance(0.3), let other = value(subjects, depth + 1),
      other.family == left.family
        || [other.family, left.family].allSatisfy({ ["number", "boolean"].contains($0) })
    {
      right = other
    }
    let options =
      left.family == "text" && random.chance(0.3) ? ["c", "d", "cd", "n"][random.below(4)] : ""
    let isFlipped = random.chance(0.15)
    let (one, two) = isFlipped ? (right, left) : (left, right)
    let written = options.isEmpty ? sign : "\(sign)[\(options)]"
    return (
      "\(one.text) \(written) \(two.text)",
      ["p": "cmp", "op": sign, "l": one.tree, "r": two.tree, "o": options == "n" ? "" : options]
    )
  }

  private mutating func search(_ left: Value) -> (text: String, tree: Tree) {
    let sign = ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"][random.below(5)]
    var options = ["", "c", "d", "cd"][random.below(4)]
    var part = "a"
    if case .text(let bytes)? = pick(left.constants), !bytes.isEmpty {
      let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
      let start = random.below(scalars.count)
      let piece = scalars.dropFirst(
        sign == "CONTAINS" ? start : sign == "ENDSWITH" ? max(0, scalars.count - 2) : 0)
      part = String(String.UnicodeScalarView(piece.prefix(1 + random.below(5))))
      if random.chance(0.3) { part = part.uppercased() }
    }
    if sign == "LIKE" {
      part = part.filter { !"\\*?".contains($0) }
      part = ["\(part)*", "*\(part)*", "?\(part.dropFirst())*"][random.below(3)]
    }
    if sign == "MATCHES" {
      part =
        "[\(part.unicodeScalars.first.map { CharacterSet.alphanumerics.contains($0) ? String($0) : "a" } ?? "a")a-f]"
        + ["+", ".*", ".*[0-9]"][random.below(3)]
      options = ""
    }
    let written = options.isEmpty ? sign : "\(sign)[\(options)]"
    let pattern = sign == "MATCHES" ? "(?s)\(part)" : part
    return (
      "\(left.text) \(written) \(Self.quoted(pattern))",
      [
        "p": "text", "op": sign, "l": left.tree, "o": options,
        "r": ["v": "const", "t": "text", "x": part],
      ]
    )
  }

  /// A comparison with several values of a to-many relationship.
  private mutating func quantified(
    _ subjects: [Subject], _ depth: Int
  ) -> (text: String, tree: Tree)? {
    guard let collection = collection(subjects, depth) else { return nil }
    if random.chance(0.2), let found = quantified(through: collection) { return found }
    let element = Subject(prefix: "", variable: collection.variable, entity: collection.entity)
    let path = path(from: element, mayEndAtObject: true)
    guard let path else { return nil }
    let end = path.text == "SELF" ? collection.text : "\(collection.text).\(path.text)"
    // Its own text stands for the property of each element.
    var left = path
    left.text = end
    if random.chance(0.2) {
      let single = constant(for: path)
      return (
        random.chance(0.5) ? "\(single.text) IN \(end)" : "\(end) CONTAINS \(single.text)",
        [
          "p": "any", "coll": collection.tree, "each": path.tree,
          "of": ["p": "cmp", "op": "==", "l": path.tree, "r": single.tree, "o": ""],
        ]
      )
    }
    var inner = comparison(of: left, [], depth + 3)
    while !inner.text.hasPrefix(end) { inner = comparison(of: left, [], depth + 3) }
    var tree: Tree = [
      "p": "any", "coll": collection.tree, "each": path.tree, "of": inner.tree,
    ]
    switch random.below(4) {
    case 0:
      tree["p"] = "all"
      return ("ALL \(inner.text)", tree)
    case 1: return ("NONE \(inner.text)", ["p": "not", "of": tree])
    case 2: return ("SOME \(inner.text)", tree)
    default: return ("ANY \(inner.text)", tree)
    }
  }

  /// The same through a second to-many relationship; nil if there is none.
  private mutating func quantified(
    through first: Collection
  ) -> (text: String, tree: Tree)? {
    let member = Subject(
      prefix: "\(first.text).", variable: first.variable, entity: first.entity)
    // So deep that it is no subquery.
    guard let second = collection([member], 5) else { return nil }
    let element = Subject(prefix: "", variable: second.variable, entity: second.entity)
    guard var left = path(from: element, mayEndAtObject: false) else { return nil }
    let each = left.tree
    left.text = "\(second.text).\(left.text)"
    var inner = comparison(of: left, [], 5)
    while !inner.text.hasPrefix(left.text) { inner = comparison(of: left, [], 5) }
    let isAll = random.chance(0.3)
    let kind = isAll ? "all" : "any"
    let tree: Tree = [
      "p": kind, "coll": first.tree, "each": NSNull(),
      "of": ["p": kind, "coll": second.tree, "each": each, "of": inner.tree] as Tree,
    ]
    return ("\(isAll ? "ALL" : "ANY") \(inner.text)", tree)
  }

  // MARK: Collections

  /// A collection: its text, its tree, the entity of its objects and which variable they are.
  typealias Collection = (text: String, tree: Tree, entity: Name, variable: Int)

  mutating func collection(_ subjects: [Subject], _ depth: Int) -> Collection? {
    guard let subject = pick(subjects) else { return nil }
    var (keys, entity): ([String], Name) = ([], subject.entity)
    for _ in 0..<4 {
      let all = facts.tree(entity).flatMap(\.relationships)
      guard let next = pick(all.filter { $0.isMany || keys.count < 2 }) else { return nil }
      keys.append(next.name)
      entity = next.destination
      guard next.isMany else { continue }
      variableCount += 1
      let variable = variableCount
      var text = subject.prefix + keys.joined(separator: ".")
      var tree: Tree = [
        "var": subject.variable, "keys": keys, "as": variable, "where": NSNull(),
      ]
      if depth < 3, random.chance(0.3) {
        let name = "$v\(variable)"
        let element = Subject(prefix: "\(name).", variable: variable, entity: entity)
        let inner = predicate([element] + (random.chance(0.3) ? subjects : []), depth + 2)
        text = "SUBQUERY(\(text), \(name), \(inner.text))"
        tree["where"] = inner.tree
      }
      return (text, tree, entity, variable)
    }
    return nil
  }
}
