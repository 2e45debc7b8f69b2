/// A condition on one value, built once from a predicate of the model and evaluated for every row.
package enum ValueCondition: Equatable {
  /// Holds for every value, or for none.
  case constant(Bool)
  /// Compares the number, or the length of the value, with a constant.
  case number(Relation, StoredNumber)
  /// The text equals these bytes.
  case text([UInt8])
  /// The text begins with these bytes.
  case prefix([UInt8])
  /// The text ends with these bytes.
  case suffix([UInt8])
  /// The text contains these bytes.
  case part([UInt8])
  indirect case not(ValueCondition)
  case all([ValueCondition])
  case any([ValueCondition])

  /// A comparison of two numbers, by Core Data's number of the operator.
  package enum Relation: Int {
    case less = 0
    case lessOrEqual = 1
    case greater = 2
    case greaterOrEqual = 3
    case equal = 4
    case notEqual = 5

    /// The relation with its sides exchanged.
    var flipped: Relation {
      switch self {
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      case .equal, .notEqual: self
      }
    }

    /// Whether it holds for an order of -1, 0 or 1.
    func holds(_ order: Int) -> Bool {
      switch self {
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .greater: order > 0
      case .greaterOrEqual: order >= 0
      case .equal: order == 0
      case .notEqual: order != 0
      }
    }
  }

  /// Whether a value meets the condition.
  ///
  /// - Parameters:
  ///   - number: the number, or the length of text or bytes; nil if it has none.
  ///   - text: the bytes of a text; nil for other values.
  /// - Returns: nil if that is unknown because the value does not have its attribute's type or is
  ///   too large to read.
  package func holds(_ number: StoredNumber?, _ text: UnsafeRawBufferPointer?) -> Bool? {
    switch self {
    case .constant(let holds): return holds
    case .number(let relation, let constant):
      guard let number, let order = StoredNumber.order(number, constant) else { return nil }
      return relation.holds(order)
    case .text(let bytes):
      guard let text = unsafe text else { return nil }
      return unsafe text.count == bytes.count && text.elementsEqual(bytes)
    case .prefix(let bytes):
      guard let text = unsafe text else { return nil }
      return unsafe text.starts(with: bytes)
    case .suffix(let bytes):
      guard let text = unsafe text else { return nil }
      return unsafe text.suffix(bytes.count).elementsEqual(bytes)
    case .part(let bytes):
      guard let text = unsafe text else { return nil }
      return unsafe Self.contains(text, bytes)
    case .not(let condition): return unsafe condition.holds(number, text).map { !$0 }
    case .all(let conditions): return unsafe Self.join(conditions, false, number, text)
    case .any(let conditions): return unsafe Self.join(conditions, true, number, text)
    }
  }

  /// Combines conditions; one of them can decide the result.
  ///
  /// If none decides but one is unknown, the result is unknown.
  private static func join(
    _ conditions: [ValueCondition], _ deciding: Bool, _ number: StoredNumber?,
    _ text: UnsafeRawBufferPointer?
  ) -> Bool? {
    var result: Bool? = !deciding
    for condition in conditions {
      let holds = unsafe condition.holds(number, text)
      if holds == deciding { return deciding }
      if holds == nil { result = nil }
    }
    return result
  }

  private static func contains(_ text: UnsafeRawBufferPointer, _ part: [UInt8]) -> Bool {
    guard let first = part.first, part.count <= text.count else { return part.isEmpty }
    for start in 0...(text.count - part.count) where unsafe text[start] == first {
      let candidate = unsafe UnsafeRawBufferPointer(rebasing: text[start..<(start + part.count)])
      if unsafe candidate.elementsEqual(part) { return true }
    }
    return false
  }
}
