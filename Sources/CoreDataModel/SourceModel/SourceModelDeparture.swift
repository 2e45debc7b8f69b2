/// Something of a model that its source does not say, or says in another form.
public struct SourceModelDeparture: Sendable, Equatable {
  /// What departs.
  public enum Kind: String, Sendable, CaseIterable {
    /// A default value that is no number, text, date, UUID or URI.
    case defaultValue = "default-value"
    /// A rule for values that is no bound, length or pattern.
    case validation
    /// The class of a value, where the model does not say the usual one.
    case valueClass = "value-class"
    /// A property that may not be set and is not derived.
    case readOnly = "read-only"
    /// A derivation that filters what it aggregates, or of a form that no text has.
    case derivation
    /// A condition of a form that no text has.
    case predicate
    /// The order of what a fetched property fetches.
    case sortOrder = "sort-order"
    /// An entry of a user info that is no text.
    case userInfo = "user-info"
    /// The version identifiers, of which a source has exactly one.
    case versionIdentifiers = "version-identifiers"
    /// The version identifier, of a model that has none: that of its source is empty.
    case addedIdentifier = "added-identifier"
    /// What fetch requests fetch; only their names are known.
    case fetchRequests = "fetch-requests"
    /// An index that the compiler makes in addition, or in another order.
    case addedIndex = "added-index"
    /// Constraints and indexes that the entity inherits; the source states them at the superentity.
    case inherited
    /// A default value that the compiler writes in another form: a truth value that was a number.
    case defaultForm = "default-form"
    /// Something else, such as a character that no XML holds.
    case other
  }

  /// What departs.
  public let kind: Kind
  /// The entity; nil where it is the model itself.
  public let entityName: String?
  /// The property; nil where it is the entity itself.
  public let propertyName: String?

  /// Creates a departure.
  public init(_ kind: Kind, entityName: String? = nil, propertyName: String? = nil) {
    self.kind = kind
    self.entityName = entityName
    self.propertyName = propertyName
  }

  /// Whether something is lost; the others come back when the framework loads the compiled model.
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
