/// What differs between two models, in words.
///
/// Entities and properties that were renamed are recognized by their renaming identifiers, as
/// ``ModelMapping`` does. Each property is compared where it is declared. What does not reach the store,
/// such as names of classes and user info, differs too.
public struct ModelDifference: Sendable, Equatable {
  /// One thing that differs.
  public struct Change: Sendable, Hashable {
    /// How it differs.
    public enum Kind: String, Sendable {
      /// The new model alone has it.
      case added
      /// The old model alone has it.
      case removed
      /// Both have it, and it is not the same.
      case changed
    }

    /// How it differs.
    public var kind: Kind
    /// The entity, by its new name; by its old one where it is removed; empty for the model itself.
    public var entityName: String
    /// The property, by its new name where it has one; nil for what is about the entity.
    public var propertyName: String?
    /// What of it differs; nil where it is added or removed as a whole.
    public var aspect: ModelAspect?
    /// What the old model says; nil where it says nothing.
    public var oldValue: String?
    /// What the new model says; nil where it says nothing.
    public var newValue: String?
  }

  /// What differs: the model itself, then the entities in ascending order of names, each with what is
  /// about itself before its properties in ascending order of names; removed entities last.
  public let changes: [Change]

  /// Whether nothing differs.
  public var isEmpty: Bool { changes.isEmpty }

  /// Compares two models.
  ///
  /// - Throws: ``CofferError``: as ``ModelMapping/infer(from:to:)``.
  public init(
    from old: ManagedObjectModel, to new: ManagedObjectModel
  ) throws(CofferError) {
    let mapping = try ModelMapping.infer(from: old, to: new)
    var comparison = ModelComparison(mapping: mapping)
    comparison.run()
    changes = comparison.changes
  }
}

extension ModelDifference.Change: CustomStringConvertible {
  /// The change as a sentence, such as `Person.name: type: String, now Integer 16`.
  public var description: String {
    var place = propertyName.map { "\(entityName).\($0)" } ?? entityName
    if place.isEmpty { place = "model" }
    guard let aspect else { return "\(place): \(kind.rawValue)" }
    switch kind {
    case .added: return "\(place): \(aspect.words): \(newValue ?? "") added"
    case .removed: return "\(place): \(aspect.words): \(oldValue ?? "") removed"
    case .changed:
      return "\(place): \(aspect.words): \(oldValue ?? "none"), now \(newValue ?? "none")"
    }
  }
}
