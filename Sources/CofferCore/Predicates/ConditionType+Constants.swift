internal import CoreDataModel

extension ConditionType {
  /// The operand that a constant is.
  ///
  /// A text is folded, and a number is as values of the type are compared.
  ///
  /// - Throws: ``ConditionProblem`` for a constant that is not of the type.
  func operand(
    _ constant: ModelValue?, _ folding: TextFolding, _ model: ManagedObjectModel
  ) throws(ConditionProblem) -> ConditionOperand {
    guard let constant else { return .none }
    let text: String? = if case .string(let text) = constant { text } else { nil }
    switch self {
    case .missing, .opaque: return .other
    case .number(let kind):
      let number = try Self.number(constant, text)
      return .number(kind == .float ? number.roundedToFloat : number)
    case .boolean: return .number(.integer(try Self.truth(constant, text) ? 1 : 0))
    case .date: return .number(try Self.instant(constant, text))
    case .text:
      guard let text else {
        let written = constant.formatDescription
        throw ConditionProblem(
          detail: "\(written) is not a text", hint: "Write a text in quotes: '\(written)'")
      }
      return .text(ComparedText(Array(text.utf8), folding))
    case .uuid:
      guard let bytes = text.flatMap(UUIDText.bytes), let text = UUIDText.text(bytes) else {
        throw ConditionProblem(
          detail: "\(constant.formatDescription) is not a UUID",
          hint: "Example: 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'")
      }
      return .text(ComparedText(Array(text.utf8), folding))
    case .object(let root): return .number(.integer(try Self.key(constant, text, root, model)))
    }
  }

  // MARK: Numbers

  private static func number(
    _ constant: ModelValue, _ text: String?
  ) throws(ConditionProblem) -> StoredNumber {
    let number: StoredNumber?
    switch constant {
    case .integer(let value): number = .integer(value)
    case .bool(let value): number = .integer(value ? 1 : 0)
    case .real(let value): number = .real(value)
    default: number = text.flatMap(Self.number)
    }
    guard let number else {
      throw ConditionProblem(
        detail: "\(constant.formatDescription) is not a number", hint: "Example: 2.49")
    }
    if case .real(let value) = number, !value.isFinite, text == nil {
      throw ConditionProblem(detail: "the number is too large")
    }
    return number
  }

  /// The number of a text in decimal, or of one of the infinities as they are shown.
  private static func number(_ text: String) -> StoredNumber? {
    if text == "Infinity" || text == "-Infinity" {
      return .real(text.hasPrefix("-") ? -.infinity : .infinity)
    }
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
    if let integer = Int64(text) { return .integer(integer) }
    return Double(text).flatMap { $0.isFinite ? .real($0) : nil }
  }

  private static func truth(
    _ constant: ModelValue, _ text: String?
  ) throws(ConditionProblem) -> Bool {
    switch constant {
    case .bool(let value): return value
    case .integer(0): return false
    case .integer(1): return true
    default:
      if let truth = text.flatMap({ Bool(written: $0) }) { return truth }
      throw ConditionProblem(
        detail: "\(constant.formatDescription) is neither true nor false",
        hint: "Write true, false, yes or no.")
    }
  }

  // MARK: Dates and objects

  private static func instant(
    _ constant: ModelValue, _ text: String?
  ) throws(ConditionProblem) -> StoredNumber {
    let hint = "Example: '2024-05-01' or '2024-05-01T09:30:00Z'"
    guard let text else {
      throw ConditionProblem(detail: "\(constant.formatDescription) is not a date", hint: hint)
    }
    do throws(Instant.Problem) {
      switch try Instant.Stored(iso8601: text) {
      case .integer(let seconds): return .integer(seconds)
      case .real(let seconds): return .real(seconds)
      }
    } catch {
      throw ConditionProblem(
        detail: "\(constant.formatDescription) is not a date: \(error.detail)", hint: hint)
    }
  }

  /// The primary key of an object as `7`, `'Person/p7'` or `'x-coredata://…/Person/p7'`.
  private static func key(
    _ constant: ModelValue, _ text: String?, _ root: Name, _ model: ManagedObjectModel
  ) throws(ConditionProblem) -> Int64 {
    if case .integer(let key) = constant { return key }
    let hint = "Example: '\(root)/p7' or 7"
    var parts = text?.split(separator: "/", omittingEmptySubsequences: false) ?? []
    // Of whichever store: a copy has another UUID and the same keys.
    if parts.count == 5, parts[0] == "x-coredata:", parts[1].isEmpty { parts.removeFirst(3) }
    guard parts.count == 2, parts[1].hasPrefix("p"), let key = Int64(parts[1].dropFirst()) else {
      throw ConditionProblem(
        detail: "\(constant.formatDescription) is neither an object nor a primary key", hint: hint)
    }
    guard model.root(of: Name(String(parts[0])))?.name == root else {
      throw ConditionProblem(
        detail: "\(constant.formatDescription) is not an object of \(root)", hint: hint)
    }
    return key
  }
}
