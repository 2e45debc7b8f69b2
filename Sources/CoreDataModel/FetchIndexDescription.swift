/// A fetch index of an entity.
public struct FetchIndexDescription: Sendable, Equatable {
  /// The name, unique within the entity.
  public var name: String
  /// The elements in order.
  public var elements: [Element]
  /// The predicate of a partial index, or nil.
  public var partialIndexPredicate: ModelPredicate?

  /// Creates a fetch index.
  public init(name: String, elements: [Element], partialIndexPredicate: ModelPredicate? = nil) {
    self.name = name
    self.elements = elements
    self.partialIndexPredicate = partialIndexPredicate
  }

  /// One element of a fetch index.
  public struct Element: Sendable, Equatable {
    /// The property that is indexed; nil where an expression is.
    public var propertyName: String?
    /// The expression that is indexed, such as `SELF` or `entity`; nil where a property is.
    public var expression: ModelExpression?
    /// Whether the order is ascending.
    public var isAscending: Bool
    /// Core Data's number of the kind: 0 is binary; 1 is believed to be R-tree.
    public var kind: Int

    /// Creates an element.
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
