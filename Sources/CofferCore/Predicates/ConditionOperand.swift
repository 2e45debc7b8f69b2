internal import CoreDataModel

/// A value that a condition compares.
enum ConditionOperand {
  /// There is none.
  case none
  /// A number, a truth value as 1 or 0, seconds since 2001, or a primary key.
  case number(StoredNumber)
  /// A text or a UUID.
  case text(ComparedText)
  /// A value that is not of its attribute's type, or of a type that is not compared.
  case other

  /// Which of two comes first: -1, 0 or 1; nil where they cannot be compared.
  func order(to other: ConditionOperand) -> Int? {
    switch (self, other) {
    case (.none, .none): 0
    case (.number(let left), .number(let right)): StoredNumber.order(left, right)
    case (.text(let left), .text(let right)): left.order(to: right)
    default: nil
    }
  }
}
