/// Default values as a model source writes them.
enum SourceDefault {
  /// The value in the compiled model; nil if there is none.
  ///
  /// Numbers are read as the compiler does: text that is not a number becomes 0 (store-format,
  /// section 4). Text that should be a UUID and is none stays a text.
  static func value(_ element: MarkupElement, type: AttributeType) -> ModelValue? {
    if type == .date {
      return element["defaultDateTimeInterval"].flatMap(Double.init).map { .date($0) }
    }
    guard let text = element["defaultValueString"] else { return nil }
    switch type {
    case .integer16, .integer32, .integer64: return .integer(integer(text))
    case .double, .float: return .real(Double(text) ?? 0)
    case .decimal: return DecimalNumber(parsing: text).archived
    case .boolean: return .bool(text == "YES")
    case .uuid: return UUIDText.bytes(text) == nil ? .string(text) : .uuid(text.uppercased())
    case .uri: return .url(text)
    default: return .string(text)
    }
  }

  /// The XML attribute that gives a default value; nil if there is no default or a source cannot
  /// express it.
  static func attribute(_ value: ModelValue?, type: AttributeType) -> (String, String)? {
    guard let value else { return nil }
    // As in a store, so that the same number in another form, as from a model made in code, stays.
    let stored = AttributeDefault(value, as: type)
    switch (type, stored) {
    case (.date, .real(let seconds)?):
      return ("defaultDateTimeInterval", Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)")
    case (.date, _): return nil
    case (.boolean, .integer(let number)?) where number == 0 || number == 1:
      return ("defaultValueString", number == 1 ? "YES" : "NO")
    case (.boolean, _): return nil
    case (.decimal, _):
      if let number = DecimalNumber(value) { return ("defaultValueString", number.exactText) }
    case (_, .integer(let number)?): return ("defaultValueString", String(number))
    default: break
    }
    switch value {
    case .integer(let number): return ("defaultValueString", String(number))
    case .real(let number): return ("defaultValueString", number.description)
    case .string(let text), .uuid(let text), .url(let text): return ("defaultValueString", text)
    default: return nil
    }
  }

  /// The integer at the beginning of a text, clamped to the range; 0 if there is none.
  private static func integer(_ text: String) -> Int64 {
    if let number = Int64(text) { return number }
    guard let number = Double(text), !number.isNaN else { return 0 }
    return Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
  }
}
