internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// The values that the validations of an attribute allow.
struct FixtureRules {
  /// The smallest number, or length; nil for none.
  private(set) var lower: StoredNumber?
  /// The largest number, or length; nil for none.
  private(set) var upper: StoredNumber?
  /// The only values that are allowed; empty if others are allowed.
  private(set) var choices: [SQLiteValue] = []
  /// The beginning of every text.
  private(set) var prefix: [UInt8] = []
  /// The end of every text.
  private(set) var suffix: [UInt8] = []
  /// The parts that every text contains.
  private(set) var parts: [UInt8] = []
  /// The regular expression that texts match; nil for none, or for an unsupported one.
  private(set) var pattern: FixturePattern?
  private let conditions: [ValueCondition]

  init(_ attribute: AttributeDescription) {
    let rules = ValidationRules(attribute, attribute.type)
    conditions = rules.conditions.map(\.condition)
    for condition in conditions { take(condition) }
    for case .comparison(.evaluatedObject, let comparison, .constant(.string(let text)?)) in rules
      .notEvaluated where comparison.symbol == "MATCHES"
    {
      pattern = pattern ?? FixturePattern(text)
    }
  }

  var isEmpty: Bool { conditions.isEmpty && pattern == nil }

  private mutating func take(_ condition: ValueCondition) {
    switch condition {
    case .all(let parts): for part in parts { take(part) }
    case .any(let parts): choices = parts.compactMap(Self.value)
    case .text: choices = [condition].compactMap(Self.value)
    case .prefix(let bytes): prefix = bytes
    case .suffix(let bytes): suffix = bytes
    case .part(let bytes): parts += bytes
    case .number(.less, let number), .number(.lessOrEqual, let number): upper = number
    case .number(.greater, let number), .number(.greaterOrEqual, let number): lower = number
    case .number(.equal, let number): (lower, upper) = (number, number)
    default: break
    }
  }

  private static func value(_ condition: ValueCondition) -> SQLiteValue? {
    switch condition {
    case .text(let bytes): .text(bytes)
    case .number(.equal, .integer(let number)): .integer(number)
    case .number(.equal, .real(let number)): .real(number)
    default: nil
    }
  }

  /// Whether a value passes the validations, as far as they can be evaluated.
  func allow(_ value: SQLiteValue) -> Bool {
    let number: StoredNumber?
    var text: [UInt8] = []
    switch value {
    case .null: return true
    case .integer(let whole): number = .integer(whole)
    case .real(let real): number = .real(real)
    case .blob(let bytes): number = .integer(Int64(bytes.count))
    case .text(let bytes):
      number = .integer(Int64(String(decoding: bytes, as: UTF8.self).utf16.count))
      text = bytes
    }
    return unsafe text.withUnsafeBytes { bytes in
      conditions.allSatisfy { unsafe $0.holds(number, bytes) != false }
    }
  }

  /// The whole numbers of a range that are allowed; nil for none.
  func range(within type: ClosedRange<Int64>) -> ClosedRange<Int64>? {
    let least = lower.map { Self.whole($0, .up) } ?? type.lowerBound
    let most = upper.map { Self.whole($0, .down) } ?? type.upperBound
    let range = (max(least, type.lowerBound), min(most, type.upperBound))
    return range.0 <= range.1 ? range.0...range.1 : nil
  }

  private static func whole(_ number: StoredNumber, _ rule: FloatingPointRoundingRule) -> Int64 {
    switch number {
    case .integer(let whole): whole
    case .real(let real):
      Int64(exactly: real.rounded(rule)) ?? (real < 0 ? .min : .max)
    }
  }

  /// The minimum and the maximum; nil for no bound.
  var bounds: (lower: Double?, upper: Double?) { (lower.map(Self.real), upper.map(Self.real)) }

  private static func real(_ number: StoredNumber) -> Double {
    switch number {
    case .integer(let whole): Double(whole)
    case .real(let real): real
    }
  }

  /// A text that contains the required parts and has an allowed length, from ASCII characters.
  func fit(_ text: [UInt8]) -> [UInt8] {
    let fixed = prefix.count + parts.count + suffix.count
    let lengths = range(within: 0...Int64(Int32.max)) ?? 0...Int64(Int32.max)
    let most = max(0, Int(lengths.upperBound) - fixed)
    let least = max(0, Int(lengths.lowerBound) - fixed)
    var middle = Array(text.prefix(most))
    let filling = text.isEmpty ? [0x78] : text
    while middle.count < least { middle += filling.prefix(least - middle.count) }
    return prefix + middle + parts + suffix
  }
}
