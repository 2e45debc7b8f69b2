internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Fixes of the values of attributes.
extension RepairContext {
  /// Replaces invalid values of attributes: Booleans become true, texts readable or shorter, and other
  /// values nil, or the default if nil is not allowed.
  func mendValue(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let object = object(finding), let path = finding.propertyName,
      let (column, attribute) = try attribute(path.text, of: object)
    else { return .refused("its attribute is not known") }
    let value = try editor.value(column, of: object)
    switch (finding.code, value) {
    case (_, .null): return .settled
    case (.invalidBoolean, .integer(let number)):
      guard number != 0, number != 1 else { return .settled }
      try editor.set(.integer(1), column: column, of: object)
      return .repaired("set it to true")
    case (.invalidText, .text(let bytes)):
      // Unreadable bytes become the replacement character, which is what the app sees.
      let readable = Array(String(decoding: bytes, as: UTF8.self).utf8)
      guard readable != bytes else { return .settled }
      try editor.set(.text(readable), column: column, of: object)
      return .repaired("replace invalid UTF-8")
    case (.invalidValue, .text(let bytes)):
      if let short = Self.cut(bytes, attribute) {
        try editor.set(.text(Array(short.utf8)), column: column, of: object)
        return .repaired("cut the text to \(short.utf16.count) characters")
      }
    default: break
    }
    if attribute.isOptional {
      try editor.set(.null, column: column, of: object)
      return .repaired("set it to nil")
    }
    guard let standard = standard(attribute), standard != value else {
      return .refused("the attribute is required")
    }
    try editor.set(standard, column: column, of: object)
    return .repaired("set it to the default")
  }

  /// The shortened text if it is longer than its attribute allows; nil if it is not.
  private static func cut(_ bytes: [UInt8], _ attribute: AttributeDescription) -> String? {
    let rules = ValidationRules(attribute, attribute.type)
    guard case .text = rules.subject, let text = String(validating: bytes, as: UTF8.self) else {
      return nil
    }
    let limits = rules.conditions.compactMap { rule -> Int64? in
      switch rule.condition {
      case .number(.lessOrEqual, .integer(let limit)): limit
      case .number(.less, .integer(let limit)): limit == .min ? nil : limit - 1
      default: nil
      }
    }
    guard let limit = limits.min(), limit > 0, text.utf16.count > limit else { return nil }
    var short = ""
    var count = 0
    for character in text {
      count += character.utf16.count
      if count > limit { break }
      short.append(character)
    }
    // The first character alone may be too long.
    return short.isEmpty ? nil : short
  }

  /// Gives attributes without a value the default of the model.
  func setDefault(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let object = object(finding), let path = finding.propertyName,
      let (column, attribute) = try attribute(path.text, of: object),
      let value = standard(attribute)
    else { return .refused("its default is not known") }
    guard try editor.value(column, of: object) == .null else { return .settled }
    try editor.set(value, column: column, of: object)
    return .repaired("set the default")
  }
}
