/// An expression of a predicate or of a derivation.
package indirect enum ModelExpression: Sendable, Equatable {
  case evaluatedObject
  /// A constant; nil is the null constant.
  case constant(ModelValue?)
  /// A variable of that name, without its dollar sign.
  case variable(String)
  /// A key path from an operand, or from the object itself if the operand is nil.
  case keyPath(operand: ModelExpression?, String)
  case function(operand: ModelExpression?, name: String, arguments: [ModelExpression])
  case aggregate([ModelExpression])
  /// An expression of an unknown form, copied from the source.
  case other(ModelValue)

  /// Whether two expressions are the same; names are where their bytes are.
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.evaluatedObject, .evaluatedObject): true
    case (.constant(let left), .constant(let right)): left == right
    case (.variable(let left), .variable(let right)): left.hasSameBytes(as: right)
    case (.keyPath(let owner, let left), .keyPath(let other, let right)):
      owner == other && left.hasSameBytes(as: right)
    case (.function(let owner, let name, let left), .function(let other, let otherName, let right)):
      owner == other && name.hasSameBytes(as: otherName) && left == right
    case (.aggregate(let left), .aggregate(let right)): left == right
    case (.other(let left), .other(let right)): left == right
    default: false
    }
  }

  /// The expression in predicate format, such as `author.name` or `count:(items)`.
  ///
  /// For people: an unknown form appears as its class, `<NSClass>`.
  package var formatDescription: String {
    switch self {
    case .evaluatedObject: "SELF"
    case .constant(let value): value?.formatDescription ?? "NULL"
    case .variable(let name): "$" + name
    case .keyPath(nil, let path): path
    case .keyPath(let operand?, let path): operand.formatDescription + "." + path
    case .function(_, let name, let arguments):
      name + "(" + arguments.map(\.formatDescription).joined(separator: ", ") + ")"
    case .aggregate(let parts):
      "{" + parts.map(\.formatDescription).joined(separator: ", ") + "}"
    case .other(let value): value.formatDescription
    }
  }
}
