internal import CoreDataArchive
package import CoreDataModel
internal import POSIX

/// The rule for the values of one attribute.
package enum ReplacementRule: Sendable, Equatable {
  case keep
  case fake(FakeKind)
  /// Replaces values by a digest under the secret key.
  case hash
  /// Adds a number to numbers, or seconds to dates.
  case shift(Double)
  /// Rounds numbers and dates down to a multiple of this size.
  case bucket(Double)
  case null
  /// Replaces values by this text or number.
  case constant(ConstantValue)

  /// A value that replaces all values of an attribute.
  package enum ConstantValue: Sendable, Equatable {
    case text(String)
    case number(Double)
  }

  /// The look of an invented text.
  package enum FakeKind: String, Sendable, CaseIterable {
    case name
    /// An address at example.com.
    case email
    /// A telephone number that is not in use.
    case phone
    /// An address below example.com.
    case url
    /// As many words as there were.
    case words
  }

  /// The maximum size of a rules file, in bytes.
  private static let largestFile = 1 << 20

  /// Reads the rules of a file.
  ///
  /// - Throws: ``CofferError``: `not-found`, `read-failed`; otherwise as ``rules(of:path:)``.
  package static func rules(
    ofFile path: String
  ) throws(CofferError) -> [(attribute: Name, rule: ReplacementRule)] {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileBytes.contents(of: path, upTo: largestFile)
    } catch {
      throw CofferError(reading: path, error)
    }
    return try rules(of: bytes, path: path)
  }

  /// Reads rules from a JSON document: one for each `Entity.attribute`.
  ///
  /// - Returns: the rules by attribute, in their order.
  /// - Throws: ``CofferError`` with `refused` for an invalid document, or an unknown rule.
  package static func rules(
    of bytes: [UInt8], path: String
  ) throws(CofferError) -> [(attribute: Name, rule: ReplacementRule)] {
    guard let value = try? JSONValue.parse(bytes), case .object(let object) = value else {
      throw CofferError(
        .refused, path: path, detail: "it is not a JSON object of rules",
        advice: "Write it as {\"Person.age\": {\"bucket\": 10}, \"Person.note\": \"nil\"}.")
    }
    var rules: [(attribute: Name, rule: ReplacementRule)] = []
    for member in object.members {
      guard let rule = ReplacementRule(member.value) else {
        throw CofferError(
          .refused, path: path, item: member.key, detail: "it is not a rule",
          advice: """
            Choose "keep", "hash", "nil", {"fake": KIND}, {"shift": NUMBER}, {"bucket": NUMBER} or \
            {"constant": VALUE}.
            """)
      }
      rules.append((Name(member.key), rule))
    }
    return rules
  }

  private init?(_ value: JSONValue) {
    if case .string(let word) = value {
      switch word {
      case "keep": self = .keep
      case "hash": self = .hash
      case "nil": self = .null
      default: return nil
      }
      return
    }
    guard case .object(let object) = value, object.members.count == 1 else { return nil }
    let member = object.members[0]
    switch (member.key, member.value) {
    case ("fake", .string(let kind)):
      guard let kind = FakeKind(rawValue: kind) else { return nil }
      self = .fake(kind)
    case ("constant", .string(let text)): self = .constant(.text(text))
    case (let key, let number):
      guard let number = Self.number(number) else { return nil }
      switch key {
      case "shift": self = .shift(number)
      case "bucket" where number > 0: self = .bucket(number)
      case "constant": self = .constant(.number(number))
      default: return nil
      }
    }
  }

  private static func number(_ value: JSONValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .bool(let flag): flag ? 1 : 0
    default: nil
    }
  }
}
