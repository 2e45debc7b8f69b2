internal import POSIX

/// A text of a file as a key: equal to another where the UTF-8 bytes are the same.
///
/// Swift takes texts for equal that differ in how their accents are composed. To SQLite, to archives and
/// to models they are two, so every dictionary of names from files uses this type as its key.
public struct ExactString: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text.
  public let text: String

  /// Makes a key of a text.
  public init(_ text: String) { self.text = text }

  /// Makes a key of a literal.
  public init(stringLiteral text: String) { self.text = text }

  /// The text.
  public var description: String { text }

  /// Whether two keys have the same bytes.
  public static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

  /// Takes the bytes into a hash.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
  }
}

/// Texts that are the same where their UTF-8 bytes are.
public protocol ExactText: Sendable {
  /// Whether two texts have the same UTF-8 bytes.
  func hasSameBytes(as other: Self) -> Bool
}

/// A text of a model, which makes models differ where its bytes do, not only where Swift's strings do.
@propertyWrapper public struct Exact<Text: ExactText>: Sendable, Equatable {
  /// The text.
  public var wrappedValue: Text

  /// Wraps a text.
  public init(wrappedValue: Text) { self.wrappedValue = wrappedValue }

  /// Whether two texts have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.wrappedValue.hasSameBytes(as: right.wrappedValue)
  }
}

extension String: ExactText {
  /// Whether two texts have the same UTF-8 bytes.
  public func hasSameBytes(as other: String) -> Bool {
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

extension Optional: ExactText where Wrapped: ExactText {
  /// Whether two texts have the same UTF-8 bytes, or both are nil.
  public func hasSameBytes(as other: Self) -> Bool {
    switch (self, other) {
    case (let text?, let other?): text.hasSameBytes(as: other)
    case (nil, nil): true
    default: false
    }
  }
}

extension Array: ExactText where Element: ExactText {
  /// Whether two lists of texts have the same UTF-8 bytes, each at its place.
  public func hasSameBytes(as other: Self) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}

extension Dictionary: ExactText where Key == ExactString, Value: ExactText {
  /// Whether two dictionaries have the same texts.
  public func hasSameBytes(as other: Self) -> Bool {
    count == other.count
      && allSatisfy { key, value in other[key].map { value.hasSameBytes(as: $0) } ?? false }
  }
}

/// Whether one name comes before the other by Unicode code units.
package func codeUnitsAscend(_ left: ExactString, _ right: ExactString) -> Bool {
  codeUnitsAscend(left.text, right.text)
}

extension Dictionary where Key == ExactString {
  /// The value of a name.
  public subscript(_ name: String) -> Value? {
    get { self[ExactString(name)] }
    set { self[ExactString(name)] = newValue }
  }

  /// The value of a name, or a default if there is none.
  public subscript(_ name: String, default value: @autoclosure () -> Value) -> Value {
    get { self[ExactString(name), default: value()] }
    set { self[ExactString(name)] = newValue }
  }

  /// The names in ascending order of their code units.
  package var sortedNames: [String] { keys.map { $0.text }.sorted(by: codeUnitsAscend) }
}

extension Set where Element == ExactString {
  /// Whether a name is one of them.
  package func contains(_ name: String) -> Bool { contains(ExactString(name)) }

  /// Adds a name.
  @discardableResult package mutating func insert(
    _ name: String
  ) -> (inserted: Bool, memberAfterInsert: ExactString) {
    insert(ExactString(name))
  }

  /// The names in ascending order of their code units.
  package var sortedNames: [String] { map { $0.text }.sorted(by: codeUnitsAscend) }
}

extension Sequence<String> {
  /// The texts as keys, each once.
  package var exactStrings: Set<ExactString> { Set(map { ExactString($0) }) }
}
