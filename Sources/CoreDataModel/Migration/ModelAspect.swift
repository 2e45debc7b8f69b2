/// An aspect of an entity or a property that differs between two models.
package enum ModelAspect: String, Sendable, CaseIterable {
  case versionIdentifiers = "version-identifiers"
  case configuration
  case name
  /// The kind: an attribute, a relationship, a fetched property.
  case kind
  case className = "class"
  case abstract
  case superentity
  case uniqueness
  /// A compound index, from before fetch indexes.
  case compoundIndex = "compound-index"
  case fetchIndex = "fetch-index"
  case renamingIdentifier = "renaming-identifier"
  case versionHashModifier = "version-hash-modifier"
  case userInfo = "user-info"
  case type
  /// Whether the value may be missing.
  case optional
  /// Whether it exists only in memory.
  case transient
  /// Whether the app cannot set it.
  case readOnly = "read-only"
  case indexed
  case spotlight
  case defaultValue = "default"
  case valueClass = "value-class"
  case transformer
  /// Whether large values may be stored in files.
  case externalStorage = "external-storage"
  /// Whether the last value is kept in the history.
  case preservesValue = "preserves-value"
  case cloudEncryption = "cloud-encryption"
  /// The rules that it must meet.
  case validation
  case derivation
  case elements
  case destination
  case inverse
  /// The number of destinations.
  case count
  case ordered
  case deleteRule = "delete-rule"
  case request

  /// Whether it enters a version hash.
  ///
  /// Source: store-format, section 9. Class names, default values, validations, indexes, delete rules
  /// and user info do not.
  package var entersVersionHash: Bool {
    switch self {
    case .name, .kind, .abstract, .superentity, .versionHashModifier, .type, .optional, .transient,
      .readOnly, .elements, .destination, .inverse, .count, .ordered:
      true
    default: false
    }
  }

  /// The aspect as a person reads it.
  package var words: String {
    switch self {
    case .versionIdentifiers: "version identifiers"
    case .compoundIndex: "compound index"
    case .fetchIndex: "fetch index"
    case .renamingIdentifier: "renaming identifier"
    case .versionHashModifier: "version hash modifier"
    case .userInfo: "user info"
    case .readOnly: "read-only"
    case .spotlight: "indexed by Spotlight"
    case .valueClass: "value class"
    case .externalStorage: "external storage"
    case .preservesValue: "preserves the value in the history"
    case .cloudEncryption: "encrypted in CloudKit"
    case .deleteRule: "delete rule"
    case .elements: "element"
    default: rawValue
    }
  }
}
