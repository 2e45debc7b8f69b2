/// Gives each of several things a unique name, by appending a number to names that are taken.
package struct UniqueNames: Sendable {
  /// Which names are taken for the same, and how they are numbered.
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

  /// Takes a name, or the first of it with a number that is free.
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
