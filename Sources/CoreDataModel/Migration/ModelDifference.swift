/// The differences between two models, in words.
///
/// Each property is compared at the entity that declares it. `Scope` determines the compared aspects.
package struct ModelDifference: Sendable, Equatable {
  /// The aspects of two models to compare.
  package enum Scope: Sendable {
    /// Everything, even differences that do not reach a store, such as names of classes and user info.
    case everything
    /// A part of a version hash: if it differs, Core Data does not open the store of one model
    /// with the other. Source: store-format, section 9.
    case versionHash
  }

  /// One thing that differs.
  package struct Change: Sendable, Hashable {
    /// The kinds of changes.
    package enum Kind: String, Sendable {
      /// Only the new model has it.
      case added
      /// Only the old model has it.
      case removed
      /// Both models have it, but it is different.
      case changed
    }

    /// The kind of change.
    package var kind: Kind
    /// The entity by its new name, or its old name if it was removed; empty for the model itself.
    package var entityName: Name
    /// The property by its new name if it has one; nil for a difference of the entity.
    package var propertyName: Name?
    /// The aspect that differs; nil if the whole was added or removed.
    package var aspect: ModelAspect?
    /// The value in the old model; nil if there is none.
    package var oldValue: String?
    /// The value in the new model; nil if there is none.
    package var newValue: String?
  }

  /// The differences: of the model itself, then of the entities in ascending order of names, each
  /// followed by its properties in ascending order of names; removed entities last.
  package let changes: [Change]

  /// Whether there are no differences.
  package var isEmpty: Bool { changes.isEmpty }

  /// Compares everything of two versions of a model.
  ///
  /// Entities and properties that were renamed are recognized by their renaming identifiers, as
  /// ``ModelMapping`` does.
  ///
  /// - Throws: ``CofferError``: as ``ModelMapping/infer(from:to:)``.
  package init(from old: ManagedObjectModel, to new: ManagedObjectModel) throws(CofferError) {
    var comparison = ModelComparison(mapping: try ModelMapping.infer(from: old, to: new))
    comparison.run()
    changes = comparison.changes
  }

  /// Compares two models; equal names mean the same element.
  ///
  /// The entities are all in ascending order of names.
  package init(of old: ManagedObjectModel, and new: ManagedObjectModel, scope: Scope) {
    var comparison = ModelComparison(of: old, and: new, scope: scope)
    comparison.run()
    changes = comparison.changes
  }
}

extension ModelDifference.Change {
  /// The change as a clause about a store, whose model is the old one, and a model, the new one:
  /// `type: String in the store, Integer 16 in the model`.
  package var mismatch: String {
    let subject = aspect?.words ?? (propertyName == nil ? "entity" : "property")
    return switch kind {
    case .added: "the store lacks the \(subject)\(newValue.map { " \($0)" } ?? "")"
    case .removed: "the model lacks the \(subject)\(oldValue.map { " \($0)" } ?? "")"
    case .changed:
      "\(subject): \(oldValue ?? "none") in the store, \(newValue ?? "none") in the model"
    }
  }
}

extension ModelDifference.Change: CustomStringConvertible {
  /// The change as a sentence, such as `Person.name: type: String, now Integer 16`.
  package var description: String {
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
