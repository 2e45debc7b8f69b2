internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel

/// The model's validations of an attribute's texts, which replacements satisfy as well.
struct TextConditions {
  private let conditions: [ValueCondition]
  /// The prefix, the content and the suffix that the validations require.
  private var frame: (prefix: [UInt8], part: [UInt8], suffix: [UInt8]) = ([], [], [])
  /// The texts that they list as allowed.
  private var choices: [[UInt8]] = []

  /// Finds the validations of an attribute; none for one without texts.
  init(_ attribute: AttributeDescription?) {
    guard let attribute, attribute.type == .string || attribute.type == .uri else {
      conditions = []
      return
    }
    conditions = ValidationRules(attribute, attribute.type).conditions.map(\.condition)
    for condition in conditions { collect(condition) }
  }

  private mutating func collect(_ condition: ValueCondition) {
    switch condition {
    case .prefix(let bytes): frame.prefix = bytes
    case .part(let bytes): frame.part = bytes
    case .suffix(let bytes): frame.suffix = bytes
    case .text(let bytes): choices.append(bytes)
    case .all(let parts), .any(let parts): for part in parts { collect(part) }
    case .constant, .number, .not: break
    }
  }

  /// Whether a text satisfies all validations; one that cannot be evaluated counts as satisfied.
  func hold(for text: [UInt8]) -> Bool {
    if conditions.isEmpty { return true }
    return unsafe text.withUnsafeBytes { bytes in
      let length = unsafe StoredNumber.integer(Int64(UTF8Text.utf16Count(bytes)))
      for condition in conditions {
        if unsafe condition.holds(length, bytes) == false { return false }
      }
      return true
    }
  }

  /// A text that satisfies the validations if the original does.
  ///
  /// The number chooses one of the allowed texts.
  ///
  /// - Returns: the replacement unchanged if it satisfies them, if the original does not, or if none is
  ///   found.
  func fit(_ output: [UInt8], for value: [UInt8], _ number: Int) -> [UInt8] {
    if conditions.isEmpty || hold(for: output) || !hold(for: value) { return output }
    let constants = [frame.prefix, frame.part, frame.suffix]
    let text = String(decoding: output, as: UTF8.self)
    let length = constants.reduce(0) { $0 + String(decoding: $1, as: UTF8.self).count }
    for body in [Array(text.dropLast(length).utf8), output] {
      let framed = frame.prefix + body + frame.part + frame.suffix
      if hold(for: framed) { return framed }
    }
    let allowed = choices.filter(hold)
    return allowed.isEmpty ? output : allowed[number % allowed.count]
  }
}
