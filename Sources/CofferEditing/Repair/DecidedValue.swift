internal import CofferCore
internal import CofferTables
internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore

/// A value that a person gives for an attribute, as a store keeps it.
struct DecidedValue {
  let stored: SQLiteValue

  /// Reads a value and checks it against the type and the validations of the attribute.
  ///
  /// `nil` and `NULL` are no value, as in a predicate, and quotes around a value are not part of it.
  ///
  /// - Throws: ``CofferError``: `refused` for a value that the app could not save.
  init(
    _ text: String, for attribute: AttributeDescription, place: String, path: String
  ) throws(CofferError) {
    func refusal(_ detail: String) -> CofferError {
      CofferError(.refused, path: path, item: place, detail: detail)
    }
    guard !attribute.isDerived else { throw refusal("only Core Data computes a derived attribute") }
    guard !attribute.isComposite else {
      throw refusal("a composite attribute is set by its elements, such as \(place).NAME")
    }
    if !attribute.allowsExternalBinaryDataStorage, ["NIL", "NULL"].contains(text.uppercased()) {
      guard attribute.isOptional else { throw refusal("the attribute requires a value") }
      stored = .null
      return
    }
    guard !attribute.allowsExternalBinaryDataStorage,
      let value = Self.value(Self.unquoted(text), attribute.type),
      let known = AttributeDefault(value, as: attribute.type)
    else { throw refusal("the value is not of the type \(attribute.type.name)") }
    let rules = ValidationRules(attribute, attribute.type)
    for rule in rules.conditions where !Self.holds(rule.condition, known, rules.subject) {
      throw refusal("the value is invalid: \(rule.predicate.formatDescription)")
    }
    stored = SQLiteValue(known)
  }

  private static func unquoted(_ text: String) -> String {
    guard text.utf8.count > 1, let quote = text.first, "'\"".contains(quote), text.last == quote
    else { return text }
    return String(text.dropFirst().dropLast())
  }

  private static func value(_ text: String, _ type: AttributeType) -> ModelValue? {
    switch type {
    case .integer16: Int16(text).map { .integer(Int64($0)) }
    case .integer32: Int32(text).map { .integer(Int64($0)) }
    case .integer64: Int64(text).map { .integer($0) }
    case .boolean: Bool(written: text).map { .bool($0) }
    case .float: Float(text).map { .real(Double($0)) }
    case .double: Double(text).map { .real($0) }
    case .decimal: Double(text).flatMap { DecimalDigits(text).isExact($0) ? .real($0) : nil }
    case .date: (try? Instant.Stored(iso8601: text)).map { .date($0.seconds) }
    case .string: .string(text)
    case .uri: .url(text)
    case .uuid: .uuid(text)
    default: nil
    }
  }

  /// Whether a value meets a condition; true where that is unknown, as for `verify`.
  private static func holds(
    _ condition: ValueCondition, _ value: AttributeDefault, _ subject: ValueConditionBuilder.Subject
  ) -> Bool {
    switch (subject, value) {
    case (.number, .integer(let number)):
      return unsafe condition.holds(.integer(number), nil) != false
    case (.number, .real(let number)), (.date, .real(let number)):
      return unsafe condition.holds(.real(number), nil) != false
    case (.text, .text(let text)):
      let count = Int64(text.utf16.count)
      return unsafe Array(text.utf8).withUnsafeBytes {
        unsafe condition.holds(.integer(count), $0) != false
      }
    default: return true
    }
  }
}

extension Instant.Stored {
  fileprivate var seconds: Double {
    switch self {
    case .integer(let seconds): Double(seconds)
    case .real(let seconds): seconds
    }
  }
}
