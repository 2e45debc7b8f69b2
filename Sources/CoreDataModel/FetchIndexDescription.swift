/// A fetch index of an entity.
public struct FetchIndexDescription: Sendable, Equatable {
  /// The name, unique within the entity.
  @Exact public var name: String
  /// The elements in order.
  public var elements: [Element]
  /// The predicate of a partial index, or nil.
  public var partialIndexPredicate: ModelPredicate?

  /// Creates a fetch index with its elements in order.
  public init(name: String, elements: [Element], partialIndexPredicate: ModelPredicate? = nil) {
    self.name = name
    self.elements = elements
    self.partialIndexPredicate = partialIndexPredicate
  }

  /// One element of a fetch index.
  public struct Element: Sendable, Equatable {
    /// The indexed property; nil if the element is an expression.
    @Exact public var propertyName: String?
    /// The indexed expression, such as `SELF` or `entity`; nil if the element is a property.
    public var expression: ModelExpression?
    /// Whether the order is ascending.
    public var isAscending: Bool
    /// Core Data's number for the kind: 0 is binary; 1 is believed to be an R-tree.
    public var kind: Int

    /// Creates an element for a property or an expression.
    public init(
      propertyName: String?, expression: ModelExpression? = nil, isAscending: Bool = true,
      kind: Int = 0
    ) {
      self.propertyName = propertyName
      self.expression = expression
      self.isAscending = isAscending
      self.kind = kind
    }
  }
}
