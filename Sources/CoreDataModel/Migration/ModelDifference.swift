/// The differences between two models, in words.
///
/// Renamed entities and properties are recognized by their renaming identifiers, as in
/// ``ModelMapping``. Each property is compared where it is declared. Differences that do not affect
/// a store, such as class names and user info, count too.
public struct ModelDifference: Sendable, Equatable {
  /// One difference.
  public struct Change: Sendable, Hashable {
    /// The kinds of changes.
    public enum Kind: String, Sendable {
      /// Only the new model has it.
      case added
      /// Only the old model has it.
      case removed
      /// Both models have it, but it is different.
      case changed
    }

    /// The kind of change.
    public var kind: Kind
    /// The entity by its new name, or its old name if it was removed; empty for the model itself.
    public var entityName: String
    /// The property by its new name if it has one; nil for a difference of the entity.
    public var propertyName: String?
    /// The aspect that differs; nil if the whole was added or removed.
    public var aspect: ModelAspect?
    /// The value in the old model; nil if there is none.
    public var oldValue: String?
    /// The value in the new model; nil if there is none.
    public var newValue: String?
  }

  /// The differences: of the model itself, then of the entities in ascending order of names, each
  /// followed by its properties in ascending order of names; removed entities last.
  public let changes: [Change]

  /// Whether there are no differences.
  public var isEmpty: Bool { changes.isEmpty }

  /// Compares an old model with a new one.
  ///
  /// - Throws: ``ModelError``: as ``ModelMapping/infer(from:to:)``.
  public init(
    from old: ManagedObjectModel, to new: ManagedObjectModel
  ) throws(ModelError) {
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
