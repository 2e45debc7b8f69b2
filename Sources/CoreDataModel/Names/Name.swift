internal import POSIX

/// A name from a model or a file, equal to another if the UTF-8 bytes are the same.
///
/// Swift's strings are equal if they differ only in how their accents are composed. To SQLite, to models
/// and to archives such strings are two names, and so they are to this type. Names ascend by their UTF-16
/// code units, the order of version hashes and archives.
public struct Name: Sendable, Hashable {
  /// The text.
  public let text: String

  /// Makes a name of a text.
  public init(_ text: String) { self.text = text }

  /// Makes a name of a path, such as `address.city`.
  package init(path: some Sequence<Name>) { text = path.joined(separator: ".") }

  /// The names of a path, such as `address.city`.
  package static func path(_ text: some StringProtocol, omittingEmptyNames: Bool = true) -> [Name] {
    text.split(separator: ".", omittingEmptySubsequences: omittingEmptyNames).map {
      Name(String($0))
    }
  }

  /// Whether two names have the same bytes.
  public static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

  /// Takes the bytes into a hash.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
  }

  /// Whether it has no characters.
  package var isEmpty: Bool { text.isEmpty }

  /// Its bytes.
  package var utf8: String.UTF8View { text.utf8 }
}

extension Name: Comparable {
  /// Whether one name comes before the other by UTF-16 code units.
  public static func < (left: Self, right: Self) -> Bool {
    left.text.utf16.lexicographicallyPrecedes(right.text.utf16)
  }
}

extension Name: ExpressibleByStringInterpolation, CustomStringConvertible {
  /// Makes a name of a literal.
  public init(stringLiteral text: String) { self.text = text }

  /// The text.
  public var description: String { text }
}

extension String {
  /// Whether two texts have the same UTF-8 bytes.
  package func hasSameBytes(as other: String) -> Bool {
    var (first, second) = (self, other)
    return first.withUTF8 { first in
      second.withUTF8 { second in
        guard first.count == second.count else { return false }
        guard let start = first.baseAddress, let other = second.baseAddress else { return true }
        return unsafe memcmp(start, other, first.count) == 0
      }
    }
  }
}

extension Sequence<Name> {
  /// The names, one after the other, with a text between each two.
  package func joined(separator: String) -> String {
    lazy.map(\.text).joined(separator: separator)
  }
}

extension Sequence<String> {
  /// The texts as names, each once.
  package var names: Set<Name> { Set(map { Name($0) }) }
}
