internal import CoreDataModel

/// What the values of a property are compared as.
enum ConditionType: Equatable {
  /// A number; of a `Float` only as many digits count as it has.
  case number(isFloat: Bool)
  /// True or false.
  case boolean
  /// A point in time.
  case date
  /// A text, a URI included.
  case text
  /// A UUID, in any case.
  case uuid
  /// An object of the tree of that root entity, by its primary key.
  case object(root: String)
  /// A value of which only that there is one can be asked.
  case opaque
  /// A property that other entities below the one that was asked for have: never with a value.
  case missing

  /// What values of an attribute type are compared as.
  init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16, .integer32, .integer64, .decimal, .double: .number(isFloat: false)
      case .float: .number(isFloat: true)
      case .boolean: .boolean
      case .date: .date
      case .string, .uri: .text
      case .uuid: .uuid
      default: .opaque
      }
  }

  /// What a constant is compared as where there is no property; nil for none.
  init?(_ constant: ModelValue?) {
    switch constant {
    case .integer?, .real?: self = .number(isFloat: false)
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

  /// Whether values of the type can be searched for parts.
  var isText: Bool { self == .text || self == .uuid || self == .missing }
}
