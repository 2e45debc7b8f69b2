package import CoreDataStore

/// The indexes of a store that its model does not ask for, so that a fresh store does not have them.
///
/// Migrations leave indexes with names of older versions, and apps make their own.
package struct SurplusIndexes: Sendable, Equatable {
  /// The names of indexes that no index of a fresh store replaces.
  package private(set) var names: [String] = []
  /// The number of indexes over the same columns as an index of a fresh store.
  package private(set) var repeatedCount = 0

  /// The effect of an index, regardless of its name.
  private struct Effect: Hashable {
    var elements: IndexElements
    var isUnique: Bool
    var isPartial: Bool

    init?(_ statement: SchemaStatement) {
      guard let elements = IndexElements(statement) else { return nil }
      self.elements = elements
      isUnique = statement.isUniqueIndex
      isPartial = statement.isPartialIndex
    }
  }

  /// Compares the schema of a store with the schema of a fresh store of the same model.
  package init(of statements: [SchemaStatement], besides design: StoreDesign) {
    let names = Set(design.indexes.map { SchemaName($0.name) })
    let effects = Set(design.indexes.compactMap(Effect.init))
    for statement in statements
    where statement.kind == .index && !names.contains(SchemaName(statement.name)) {
      if let effect = Effect(statement), effects.contains(effect) {
        repeatedCount += 1
      } else {
        self.names.append(statement.name)
      }
    }
  }

  /// A sentence without capital and full stop; nil if there are none.
  package var note: String? {
    guard let first = names.first else {
      guard repeatedCount > 0 else { return nil }
      return "indexes of the store over the same columns as others are left out (\(repeatedCount))"
    }
    let what =
      names.count == 1
      ? "the index \(first) of the store, which its model does not ask for, is left out"
      : "\(names.count) indexes of the store that its model does not ask for, such as \(first), are "
        + "left out"
    return repeatedCount == 0
      ? what : what + ", and those over the same columns as others (\(repeatedCount))"
  }
}
