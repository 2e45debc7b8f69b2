/// Gives each of several things a unique name, by appending a number to names that are taken.
package struct UniqueNames: Sendable {
  /// The rule for equal names, and for their numbers.
  package enum Style: Sendable {
    /// As Core Data names columns: `ZNAME`, `ZNAME1`, `ZNAME2`. SQLite ignores the case of ASCII letters.
    case columns
    /// Names that people read: `Item`, `Item_2`, `Item_3`. File systems and databases may ignore the case
    /// of any letter.
    case files
  }

  private enum Key: Hashable {
    case column(SchemaName)
    case file(String)
  }

  private let style: Style
  private var taken: Set<Key>
  /// The number that the next one of a name gets unless that is taken too.
  private var next: [Key: Int] = [:]

  /// Begins with names that are taken.
  package init(_ style: Style, taken: [String] = []) {
    self.style = style
    self.taken = []
    for name in taken { self.taken.insert(key(name)) }
  }

  /// Takes a name, or the name with the first free number.
  package mutating func take(_ name: String) -> String {
    guard !taken.insert(key(name)).inserted else { return name }
    var number = next[key(name)] ?? (style == .columns ? 1 : 2)
    var numbered: String
    repeat {
      numbered = style == .columns ? "\(name)\(number)" : "\(name)_\(number)"
      number += 1
    } while !taken.insert(key(numbered)).inserted
    next[key(name)] = number
    return numbered
  }

  /// Whether a name is free.
  package func isFree(_ name: String) -> Bool { !taken.contains(key(name)) }

  private func key(_ name: String) -> Key {
    style == .columns ? .column(SchemaName(name)) : .file(name.lowercased())
  }
}

/// A name of the schema that carries an entity's number: `Z_23USERS`, `Z10_QUOTE`, `Z1SPEC`.
package struct NumberedName: Equatable {
  var number: Int64
  /// The part after the number.
  package var rest: String

  /// Parses a name; nil if it has another form or no sensible number.
  ///
  /// The prefix is compared without regard to ASCII letter case. Numbers have no leading zero.
  package init?(_ name: String, prefix: String) {
    let bytes = Array(name.utf8)
    let start = prefix.utf8.count
    guard bytes.count > start,
      SchemaName(String(decoding: bytes.prefix(start), as: UTF8.self)) == SchemaName(prefix)
    else { return nil }
    let digits = bytes.dropFirst(start).prefix { (0x30...0x39).contains($0) }
    guard let first = digits.first, first != 0x30,
      let number = Int64(String(decoding: digits, as: UTF8.self))
    else { return nil }
    self.number = number
    rest = String(decoding: bytes.dropFirst(start + digits.count), as: UTF8.self)
  }
}

/// Whether a name is another one, or that one with a numeric suffix.
package func isNamesake(_ name: String, of base: String) -> Bool {
  let (whole, start) = (Array(name.utf8), Array(base.utf8))
  guard whole.count >= start.count,
    SchemaName(String(decoding: whole.prefix(start.count), as: UTF8.self)) == SchemaName(base)
  else { return false }
  return whole.dropFirst(start.count).allSatisfy { (0x30...0x39).contains($0) }
}

extension String {
  /// The text without its first Unicode scalars; a combining accent after them stays.
  package func droppingScalars(_ count: Int) -> String { String(unicodeScalars.dropFirst(count)) }
}
