/// Something in a model that its source does not express, or expresses differently.
public struct SourceModelDeparture: Sendable, Equatable {
  /// The kinds of departures.
  public enum Kind: String, Sendable, CaseIterable {
    /// A default value that is not a number, string, date, UUID or URI.
    case defaultValue = "default-value"
    /// A validation rule that is not a bound, a length or a pattern.
    case validation
    /// The class of a value, if it is not the usual one.
    case valueClass = "value-class"
    /// A read-only property that is not derived.
    case readOnly = "read-only"
    /// A derivation with a filter, or of a form without a text.
    case derivation
    /// A condition of a form without a text.
    case predicate
    /// The sort order of a fetched property.
    case sortOrder = "sort-order"
    /// A user info entry that is not a string.
    case userInfo = "user-info"
    /// The version identifiers; a source has exactly one.
    case versionIdentifiers = "version-identifiers"
    /// The version identifier of a model that has none; that of its source is empty.
    case addedIdentifier = "added-identifier"
    /// The content of fetch requests; only their names are known.
    case fetchRequests = "fetch-requests"
    /// An index that the compiler adds, or orders differently.
    case addedIndex = "added-index"
    /// Constraints and indexes that the entity inherits; the source declares them at the
    /// superentity.
    case inherited
    /// A default value that the compiler writes differently: a Boolean that was a number.
    case defaultForm = "default-form"
    /// Something else, such as a character that XML cannot contain.
    case other
  }

  /// The kind of departure.
  public let kind: Kind
  /// The entity; nil for the model itself.
  public let entityName: String?
  /// The property; nil for the entity itself.
  public let propertyName: String?

  /// Creates a departure of the model, an entity or a property.
  public init(_ kind: Kind, entityName: String? = nil, propertyName: String? = nil) {
    self.kind = kind
    self.entityName = entityName
    self.propertyName = propertyName
  }

  /// Whether something is lost.
  ///
  /// Otherwise it comes back when the framework loads the compiled model.
  public var isLoss: Bool {
    switch kind {
    case .addedIdentifier, .addedIndex, .inherited, .defaultForm, .valueClass: false
    default: true
    }
  }

  /// What is lost or different, as a clause with a verb.
  public var sentence: String {
    switch kind {
    case .defaultValue: "the default value is of a kind that a source cannot hold"
    case .validation: "a rule for its values is none that a source can hold"
    case .valueClass: "the class of its values is the usual one after compiling"
    case .readOnly: "that it may not be set is left out"
    case .derivation: "its derivation has a part that a source cannot hold"
    case .predicate: "a condition is of a form that a source cannot hold"
    case .sortOrder: "the order of what it fetches is left out"
    case .userInfo: "entries of its user info that are no texts are left out, or become texts"
    case .versionIdentifiers: "a source has exactly one version identifier"
    case .addedIdentifier: "the compiler adds an empty version identifier"
    case .fetchRequests: "of fetch requests, only the names are known: complete them in Xcode"
    case .addedIndex: "the compiler adds an index, or puts it elsewhere"
    case .inherited: "inherited constraints and indexes stand at the superentity alone"
    case .defaultForm: "the default value is the same in another form"
    case .other: "a part cannot be written as it is"
    }
  }
}
