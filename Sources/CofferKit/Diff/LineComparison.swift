internal import CoreDataArchive
internal import CoreDataModel

/// Finds out in which properties two lines of one object differ.
struct LineComparison {
  private let relationships: Set<String>
  private let includesValues: Bool
  private let includesVersions: Bool

  /// Compares lines of a table.
  init(_ shapes: [TableLayout], includesValues: Bool, includesVersions: Bool = false) {
    var names: Set<String> = []
    for field in shapes.flatMap(\.fields) {
      if case .toOne(let name, _) = field.role { names.insert(name) }
    }
    relationships = names
    self.includesValues = includesValues
    self.includesVersions = includesValues || includesVersions
  }

  /// The properties in which the current lines of two cursors differ, in ascending order of names.
  func differences(_ first: LineCursor, _ second: LineCursor) throws -> [PropertyDifference] {
    var found: [PropertyDifference] = []
    let (left, right) = (try first.value(), try second.value())
    for key in Self.keys(left, right) {
      let pair = Pair(left[key], first, right[key], second)
      switch key {
      case "$pk", "$row": break
      case "$opt": try compare(pair, .version, "", &found)
      case "$entity", "$number": try compare(pair, .entity, "", &found)
      case "$order": try compareMembers(pair, .order, "", &found)
      case "$owner": try compareMembers(pair, .owner, "", &found)
      case "$columns": try compareMembers(pair, .column, "", &found)
      default:
        let name = LineKey.name(of: key) ?? key
        try compare(pair, relationships.contains(name) ? .relationship : .attribute, name, &found)
      }
    }
    return found.sorted {
      $0.name == $1.name
        ? $0.subject.rawValue < $1.subject.rawValue : codeUnitsAscend($0.name, $1.name)
    }
  }

  /// Whether the current lines of two cursors hold the same.
  func isSame(_ first: LineCursor, _ second: LineCursor) throws -> Bool {
    try differences(first, second).isEmpty
  }

  /// A member of both lines; nil where a line does not have it.
  private struct Pair {
    var left: JSONValue?
    var first: LineCursor
    var right: JSONValue?
    var second: LineCursor

    init(_ left: JSONValue?, _ first: LineCursor, _ right: JSONValue?, _ second: LineCursor) {
      self.left = left
      self.first = first
      self.right = right
      self.second = second
    }
  }

  private func compare(
    _ pair: Pair, _ subject: PropertyDifference.Subject, _ name: String,
    _ found: inout [PropertyDifference]
  ) throws {
    let sides = [pair.left, pair.right].compactMap { $0 }
    if !sides.isEmpty, sides.allSatisfy(Self.isGroup) {
      return try compareMembers(pair, subject, name + ".", &found)
    }
    if try isSame(pair) { return }
    var difference = PropertyDifference(subject: subject, name: name)
    if subject == .version ? includesVersions : includesValues {
      difference.oldValue = try text(pair.left, pair.first)
      difference.newValue = try text(pair.right, pair.second)
    }
    found.append(difference)
  }

  private func compareMembers(
    _ pair: Pair, _ subject: PropertyDifference.Subject, _ prefix: String,
    _ found: inout [PropertyDifference]
  ) throws {
    for key in Self.keys(pair.left, pair.right) {
      let member = Pair(pair.left?[key], pair.first, pair.right?[key], pair.second)
      try compare(member, subject, prefix + (LineKey.name(of: key) ?? key), &found)
    }
  }

  /// The keys of two objects, each once.
  private static func keys(_ left: JSONValue?, _ right: JSONValue?) -> [String] {
    var keys: [String] = []
    var seen: Set<String> = []
    for case .object(let object)? in [left, right] {
      for member in object.members where seen.insert(member.key).inserted {
        keys.append(member.key)
      }
    }
    return keys
  }

  /// Whether a value is an object with members of its own and not the tagged form of one value.
  private static func isGroup(_ value: JSONValue) -> Bool {
    guard case .object(let object) = value else { return false }
    return object.members.allSatisfy { LineKey.name(of: $0.key) != nil }
  }

  private func isSame(_ pair: Pair) throws -> Bool {
    let contents = (
      try pair.left.flatMap { try StoredContent($0, pair.first) },
      try pair.right.flatMap { try StoredContent($0, pair.second) }
    )
    switch contents {
    case (let content?, let other?):
      return try content.isSame(pair.first, as: other, pair.second)
    case (nil, nil):
      guard let left = pair.left, let right = pair.right else {
        return pair.left == nil && pair.right == nil
      }
      return left.isIdentical(to: right)
    default: return false
    }
  }

  private func text(_ value: JSONValue?, _ cursor: LineCursor) throws -> String? {
    guard let value else { return nil }
    var shown = value
    if let content = try StoredContent(value, cursor) {
      shown = .object([content.tag: .integer(Int64(content.count))])
    }
    return String(decoding: shown.bytes(layout: .compact), as: UTF8.self)
  }
}

extension JSONValue {
  /// Whether two values are the same to the bit: texts by their bytes, since Swift takes differently
  /// composed accents for equal, and numbers by their patterns.
  func isIdentical(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    case (.object(let left), .object(let right)):
      left.members.count == right.members.count
        && left.members.allSatisfy { member in
          right[member.key].map { member.value.isIdentical(to: $0) } ?? false
        }
    default: self == other
    }
  }
}
