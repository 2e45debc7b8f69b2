internal import CoreDataModel

/// How numbers are kept, which decides what arithmetic makes of them.
enum NumberKind {
  /// As integers of 64 bits.
  case integer
  case double
  /// As doubles with the digits of a `Float`.
  case float
  /// As doubles that represent the decimal number of their shortest text.
  case decimal

  /// The type of a calculation with both.
  func joined(with other: Self) -> Self {
    if self == .decimal || other == .decimal { return .decimal }
    return self == .integer && other == .integer ? .integer : .double
  }
}

/// The type for comparing values of a property.
enum ConditionType: Equatable {
  /// A number; of a `Float` only as many digits count as it has.
  case number(NumberKind)
  /// True or false.
  case boolean
  /// A point in time.
  case date
  /// A text, a URI included.
  case text
  /// A UUID, in any case.
  case uuid
  /// An object of the tree of that root entity, by its primary key.
  case object(root: Name)
  /// A value that can only be tested for existence.
  case opaque
  /// A property of other subentities of the queried entity: it never has a value.
  case missing

  init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16, .integer32, .integer64: .number(.integer)
      case .decimal: .number(.decimal)
      case .double: .number(.double)
      case .float: .number(.float)
      case .boolean: .boolean
      case .date: .date
      case .string, .uri: .text
      case .uuid: .uuid
      default: .opaque
      }
  }

  /// The type for comparing a constant without a property; nil for none.
  init?(_ constant: ModelValue?) {
    switch constant {
    case .integer?: self = .number(.integer)
    case .real?: self = .number(.double)
    case .bool?: self = .boolean
    case .string?: self = .text
    default: return nil
    }
  }

  /// Whether values of this and of another type can be compared.
  func isComparable(to other: Self) -> Bool {
    func family(_ type: Self) -> Self {
      switch type {
      case .number, .boolean: .boolean
      default: type
      }
    }
    return self == .missing || other == .missing
      || (self != .opaque && family(self) == family(other))
  }

  var name: String {
    switch self {
    case .number: "a number"
    case .boolean: "a truth value"
    case .date: "a date"
    case .text: "a text"
    case .uuid: "a UUID"
    case .object: "an object"
    case .opaque, .missing: "a value"
    }
  }

  /// How numbers of the type are kept; nil for what arithmetic does not take.
  var numberKind: NumberKind? {
    switch self {
    case .number(let kind): kind
    case .boolean: .integer
    default: nil
    }
  }

  /// Whether values of the type can be searched for parts.
  var isText: Bool { self == .text || self == .uuid || self == .missing }
}
